"""What a choice changes: differences of two positions, and what a scoring at once would give."""

from __future__ import annotations

from typing import Any, Final

from terracotta_env.army.actions import MASTER_NAMES
from terracotta_env.army.endgame import end_game
from terracotta_env.army.scoring import score_round
from terracotta_env.army.snapshot import SOURCE_NAMES
from terracotta_env.position import Position

from . import things
from .things import MASTERS, RINGS, SOURCES, Who
from .words import Choices

_COUNTED: Final = {
    "coins": "Coins",
    "wet": "Wet Clay",
    "dry": "Dry Clay",
    "craftsmen": "Craftsmen in hand",
    "artisans": "Artisans in hand",
    "artisans_in_supply": "Artisans in the supply",
    "bases": "Warrior bases",
}


def forecast(position: Position) -> list[int]:
    """VP by seat that the Scoring Phase would give if it came now."""
    trial = position.clone()
    score_round(trial.states[0])
    return [after - before for before, after in zip(position.points(), trial.points(), strict=True)]


def final_forecast(position: Position) -> list[int]:
    """VP by seat that the End Game Scoring would give if it came now, without a Scoring Phase before it."""
    trial = position.clone()
    end_game(trial.states[0])
    return [after - before for before, after in zip(position.points(), trial.points(), strict=True)]


def differences(before: Position, after: Position, who: Who) -> list[str]:
    """What is different between two positions: one line a seat, then the board."""
    one, two = before.snapshot(), after.snapshot()
    lines = []
    for seat, (was, now) in enumerate(zip(one["players"], two["players"], strict=True)):
        changes = _player(was, now)
        if changes:
            name = who.name(seat)
            lines.append(f"{name[0].upper()}{name[1:]}: {', '.join(changes)}")
    board = _board(one, two)
    if board:
        lines.append(f"Board: {', '.join(board)}")
    return lines


def _player(was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    changes = []
    if was["vp"] != now["vp"]:
        sources = [
            f"{SOURCES[name]} +{now['ledger'][name] - was['ledger'][name]}"
            for name in SOURCE_NAMES
            if now["ledger"][name] != was["ledger"][name]
        ]
        changes.append(f"VP {was['vp']} -> {now['vp']} ({', '.join(sources)})")
    changes += [f"{name} {was[key]} -> {now[key]}" for key, name in _COUNTED.items() if was[key] != now[key]]
    for weapon, active in now["weapons"].items():
        if active != was["weapons"][weapon]:
            changes.append(f"{weapon.capitalize()} {'active' if active else 'inactive'}")
    for index, master in enumerate(MASTER_NAMES):
        if master in now["masters"] and master not in was["masters"]:
            changes.append(f"{MASTERS[index]} yours for token {now['masters'][master]}")
    if now["priority"] != was["priority"]:
        changes.append(f"Priority token {now['priority']}" if now["priority"] else "Priority token given back")
    return changes


def _board(one: dict[str, Any], two: dict[str, Any]) -> list[str]:
    changes = []
    if one["round"] != two["round"]:
        changes.append(f"round {one['round']} -> {two['round']}")
    for ring in ("inner", "middle"):
        if one[f"{ring}_offset"] != two[f"{ring}_offset"]:
            changes.append(f"{RINGS[0 if ring == 'inner' else 1]} turned")
    for track, where in two["inspectors"].items():
        if where != one["inspectors"][track]:
            changes.append(f"{track} Inspector {one['inspectors'][track]} -> {where}")
    for number, (was, now) in enumerate(zip(one["warehouses"], two["warehouses"], strict=True), 1):
        if was != now:
            changes.append(f"warehouse {number}: {was} -> {now}")
    for name, left in {**two["organizer"], **two["specialists_left"]}.items():
        was = {**one["organizer"], **one["specialists_left"]}[name]
        if left != was:
            changes.append(f"{name} figures left {was} -> {left}")
    gone = [statue for statue in one["mausoleum"] if statue not in two["mausoleum"]]
    new = [statue for statue in two["mausoleum"] if statue not in one["mausoleum"]]
    changes += [f"{_named(statue)} leaves {statue['spaces'][0]}" for statue in gone]
    changes += [f"{_named(statue)} stands on {'-'.join(statue['spaces'])}" for statue in new]
    return changes


def _named(statue: dict[str, Any]) -> str:
    owner = f" of seat {statue['owner']}" if statue["owner"] is not None else ""
    return f"{statue['kind'].capitalize()}{owner}"


def explain(position: Position, token: str, who: Who) -> list[str]:
    """A choice in more words: what it does, what changes, what a scoring would give then, what is asked next."""
    choices = Choices(position, who)
    lines = [choices.words(token)]
    if token.startswith("place:"):
        lines += _reached(choices, token)
    after = position.clone().play(token)
    changed = differences(position, after, who)
    lines += changed or ["Nothing changes but what is asked next."]
    if after.over:
        return [*lines, "The game is over then."]
    if after.states[0].game_round != position.states[0].game_round:
        return [*lines, "It ends the round; the Scoring Phase is counted in."]
    for title, function in (("the round", forecast), ("the game", final_forecast)):
        was, now = function(position), function(after)
        if was != now:
            seats = [
                f"{who.name(seat)} {was[seat]} -> {now[seat]} VP" for seat in range(len(was)) if was[seat] != now[seat]
            ]
            lines.append(f"If {title} were scored at once: {', '.join(seats)}")
    if after.to_act == position.to_act:
        lines.append(f"Next: {Choices(after, who).question()}")
    else:
        lines.append("Your turn ends.")
    return lines


def _reached(choices: Choices, token: str) -> list[str]:
    """The three actions of a segment with the reason where one cannot be performed."""
    _, kind, number = token.split(":")
    segment, lines = int(number) - 1, []
    for ring, state in enumerate(choices.possible(token)):
        space, amount = choices.space(segment, ring)
        name = things.space_name(choices.s, space, amount)
        if state == "now":
            line = things.performing(choices.s, space, amount)
        else:
            reason = things.barrier(choices.s, space, amount, things.WORKERS.index(kind.capitalize()))
            line = f"{name}: not possible at once{f', {reason}' if reason else ''}"
            if state != "never":
                line += "; possible after the Inner Ring's action"
        lines.append(f"  {RINGS[ring]}: {line}")
    return lines


def score_table(position: Position, names: list[str]) -> list[str]:
    """VP by source and seat, and what scoring at once would add."""
    ledgers = [player["ledger"] for player in position.snapshot()["players"]]
    width = max(10, *(len(name) for name in names)) + 2
    lines = [f"{'VP by source':<26}" + "".join(f"{name:>{width}}" for name in names)]
    for source, title in SOURCES.items():
        values = [ledger[source] for ledger in ledgers]
        if any(values):
            lines.append(f"{title:<26}" + "".join(f"{value:>{width}}" for value in values))
    rows = [("total", position.points())]
    if not position.over:
        rows += [("round scored at once", forecast(position)), ("game scored at once", final_forecast(position))]
    for title, values in rows:
        sign = "" if title == "total" else "+"
        lines.append(f"{title:<26}" + "".join(f"{f'{sign}{value}':>{width}}" for value in values))
    return lines
