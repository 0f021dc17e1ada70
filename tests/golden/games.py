"""Golden games: one whole game for each number of players and each shipped board, as a text that people can read.

A file in this folder holds the setup, every decision with everything that was legal, and the table after each round.
It is played by bots once, when it is written (``python -m tests.golden.write``); the tests replay the decisions that
stand in it, so only the rules decide whether it still comes out the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from terracotta_agents.registry import make_agents
from terracotta_env.army import GAME
from terracotta_env.policy import stream
from terracotta_env.position import Position

FOLDER: Final = Path(__file__).parent
BOARDS: Final = tuple(GAME.notation.board_names())
CASES: Final = tuple(itertools.product(GAME.players, BOARDS))
SEPARATOR: Final = " | "  # between the fields of a decision's line
CHOSEN: Final = 3  # the field that holds the chosen token
RESOURCES: Final = ("coins", "wet", "dry")

_LETTERS: Final = {"officer": "O", "guard": "G", "crossbowman": "C", "soldier": "S", "footman": "Ft", "musician": "Mu"}
_ARROWS: Final = {"n": "^", "e": ">", "s": "v", "w": "<"}
_COLUMNS: Final = "abcdefghi"
_LEGEND: Final = """\
A line is a decision: index, round and seat; what is asked; what is legal; what is chosen; what is different then (of
vp, coins, wet and dry clay, by seat).  Mausoleum: O officer, G guard, C crossbowman, S soldier, with its seat;
* where a rider's Warrior stood, ~ the rest of its Horse; Ft footman, Mu musician, A and an arrow archer."""


def path_of(players: int, board: str) -> Path:
    """The file of a golden game."""
    return FOLDER / f"{players}-{board}.txt"


def seed_of(players: int, board: str) -> int:
    """Draws the setup of a golden game and the bots' choices."""
    return 100 * players + BOARDS.index(board)


def agents_of(players: int, board: str) -> list[str]:
    """Bots by seat: busy and random in turn, the other one first on every second board."""
    first = BOARDS.index(board) % 2
    return [("busy", "random")[(first + seat) % 2] for seat in range(players)]


def play(players: int, board: str) -> str:
    """The text of a golden game, played by its bots."""
    seed, codes = seed_of(players, board), agents_of(players, board)
    policies = make_agents(codes, players)
    for seat, policy in enumerate(policies):
        policy.begin(stream(seed, 1 + seat))

    def choose(position: Position) -> str:
        action = policies[position.to_act or 0].act(position, position.mask())
        return GAME.tokens[action]

    versions = {policy.name: policy.version for policy in policies}
    agents = " ".join(codes) + f"  (versions: {', '.join(f'{name} {versions[name]}' for name in sorted(versions))})"
    return _text(players, board, agents, choose)


def replay(players: int, board: str, text: str) -> str:
    """The same text again from the decisions that stand in it; it stops at the first that is not legal any more."""
    lines = text.splitlines()
    decisions = iter([line.split(SEPARATOR)[CHOSEN] for line in lines if SEPARATOR in line])
    agents = next((line.removeprefix("agents: ") for line in lines if line.startswith("agents: ")), "")
    return _text(players, board, agents, lambda position: next(decisions, "nothing"))


def difference(name: str, old: str, new: str) -> str:
    """The first line that is not the same, as a complaint; empty where all are."""
    for number, (before, after) in enumerate(itertools.zip_longest(old.splitlines(True), new.splitlines(True)), 1):
        if before != after:
            shown = [repr(line) if line is not None else "(the text is over)" for line in (before, after)]
            return f"{name}, line {number} is different:\n  in the file: {shown[0]}\n  now:         {shown[1]}"
    return ""


def _text(players: int, board: str, agents: str, choose: Any) -> str:
    return "\n".join(_lines(players, board, agents, choose)) + "\n"


def _lines(players: int, board: str, agents: str, choose: Any) -> Iterator[str]:
    position = Position.from_seed(GAME, players, seed_of(players, board), board)
    yield from _header(position, players, board, agents)
    known = _counters(position)
    game_round = GAME.notation.round_of(position.states)
    index = 0
    while not position.over:
        seat, asked, mask = position.to_act, _question(position), position.mask()
        token = choose(position)
        fields = [f"{index:>3} {game_round} {seat}", asked, compact(mask), token]
        if token not in position.legal():
            yield SEPARATOR.join([*fields, "(not legal)"])
            return
        position.play(token)
        now = _counters(position)
        different = [f"{name} {_listed(now[name])}" for name in now if now[name] != known[name]]
        yield SEPARATOR.join([*fields, *([" ".join(different)] if different else [])])
        known = now
        index += 1
        if position.over or GAME.notation.round_of(position.states) != game_round:
            yield from _end_of_round(position, game_round)
            game_round = GAME.notation.round_of(position.states)
    yield f"ranking: {' '.join(map(str, position.ranking()))}"
    yield f"vp by seat: {_listed(position.points())}"


def _header(position: Position, players: int, board: str, agents: str) -> Iterator[str]:
    setup = GAME.notation.setup_of(position.states)
    yield f"Terracotta Army: a golden game of {players} players on the board {board}"
    yield "written by `python -m tests.golden.write`; do not edit"
    yield f"rules version: {GAME.rules_version}"
    yield f"seed: {seed_of(players, board)}"
    yield f"agents: {agents}"
    yield f"setup: inner offset {setup['inner_offset']}, middle offset {setup['middle_offset']}"
    yield f"tiles: {' '.join(setup['tiles'])}"
    yield f"turn order: {' '.join(map(str, setup['turn_order']))}"
    yield "; ".join(f"{name} {_listed(numbers)}" for name, numbers in _counters(position).items())
    yield ""
    for segment, entry in position.snapshot()["wheel"].items():
        yield f"{segment:>3}  {entry['inner']:<10} {entry['middle']:<21} {entry['outer']}"
    yield ""
    yield from _LEGEND.splitlines()
    yield ""


def _counters(position: Position) -> dict[str, list[int]]:
    resources = GAME.notation.resources(position.states)
    return {"vp": position.points(), **{name: resources[name] for name in RESOURCES}}


def _listed(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


def _question(position: Position) -> str:
    snapshot = position.snapshot()
    pending = snapshot["pending"]
    if pending["decision"] == "ring":
        ring, segment = pending["ring"], pending["segment"]
        return f"{segment} {ring} {snapshot['wheel'][str(segment)][ring]}"
    return " ".join(str(pending[key]) for key in ("decision", "warrior", "cell") if key in pending)


def compact(mask: np.ndarray) -> str:
    """All legal tokens in few words: ``place:craftsman:1-3,5 place:artisan:2``, ``cell:all but a1,b3 decline``."""
    groups: dict[str, list[str]] = {}
    for action in np.flatnonzero(mask):
        head, _, tail = GAME.tokens[action].rpartition(":")
        groups.setdefault(head, []).append(tail)
    return " ".join(_group(head, tails) for head, tails in groups.items())


def _group(head: str, tails: list[str]) -> str:
    if head == "":
        return " ".join(tails)
    if head.startswith("place"):
        return f"{head}:{_ranges([int(tail) for tail in tails])}"
    every = [token.removeprefix("cell:") for token in GAME.tokens if token.startswith("cell:")]
    if head == "cell" and 2 * len(tails) > len(every):
        others = [cell for cell in every if cell not in tails]
        return f"cell:all but {','.join(others)}" if others else "cell:all"
    comma = "/" if any("," in tail for tail in tails) else ","
    return f"{head}:{comma.join(tails)}"


def _ranges(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _end_of_round(position: Position, game_round: int) -> Iterator[str]:
    snapshot = position.snapshot()
    yield ""
    yield f"== {'end of the game' if position.over else f'end of round {game_round}'}"
    for source in GAME.sources:
        points = "".join(f"{player['ledger'][source]:>5}" for player in snapshot["players"])
        yield f"{source:<16}{points}"
    yield f"{'vp':<16}" + "".join(f"{player['vp']:>5}" for player in snapshot["players"])
    for seat, player in enumerate(snapshot["players"]):
        weapons = " ".join(name for name, active in player["weapons"].items() if active) or "none"
        masters = " ".join(f"{name}:{price}" for name, price in player["masters"].items()) or "none"
        yield (
            f"seat {seat}: coins {player['coins']} wet {player['wet']} dry {player['dry']} bases {player['bases']} "
            f"craftsmen {player['craftsmen']} artisans {player['artisans']}; active {weapons}; masters {masters}"
        )
    inspectors = snapshot["inspectors"]
    yield f"turn order: {' '.join(map(str, snapshot['turn_order']))}"
    yield f"inspectors: row {inspectors['row']}, column {inspectors['column']}"
    yield f"warehouses: {_listed(snapshot['warehouses'])}"
    yield from mausoleum(snapshot)
    yield ""


def mausoleum(snapshot: dict[str, Any]) -> list[str]:
    """The Mausoleum as a board of text, row 7 on top."""
    shown: dict[str, str] = {}
    for statue in snapshot["mausoleum"]:
        first, *rest = statue["spaces"]
        if statue["kind"] == "archer":
            shown[first] = "A" + _ARROWS[statue["facing"]]
        elif statue["owner"] is None:
            shown[first] = _LETTERS[statue["kind"]]
        else:
            figure = f"{_LETTERS[statue['kind']]}{statue['owner']}"
            shown[first] = figure + ("*" if statue["mounted"] else "")
            shown.update(dict.fromkeys(rest, f"{figure}~"))
    rows = [
        f"{row}  " + " ".join(f"{shown.get(f'{column}{row}', '.'):<3}" for column in _COLUMNS)
        for row in range(7, 0, -1)
    ]
    return [*(row.rstrip() for row in rows), "   " + "   ".join(_COLUMNS)]
