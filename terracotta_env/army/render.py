"""The whole position as text for a terminal: Mausoleum, wheel, players, supplies and what is being decided."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .actions import DIRECTION_NAMES, MASTER_NAMES, RING_NAMES, TILE_NAMES, WARRIOR_NAMES, WEAPON_NAMES
from .board import board_name
from .endgame import rank_of, turn_place
from .geometry import COLUMN_LETTERS, COLUMNS, NO_CELL, ROWS, cell_name
from .snapshot import DECISION_NAMES, snapshot
from .state import FIGURES_PER_TYPE, NONE, SPECIALISTS_PER_TYPE, Decision

_WARRIOR_LETTERS: Final = dict(zip(WARRIOR_NAMES, "OGCS", strict=True))
_SPECIALIST_LETTERS: Final = {"footman": "Ft", "musician": "Mu"}
_ARROWS: Final = dict(zip(DIRECTION_NAMES, "^>v<", strict=True))
_LEGEND: Final = """\
O officer  G guard  C crossbowman  S soldier, with the seat that owns it;  * where a rider's Warrior stood, ~ the rest
of the Horse;  Ft footman  Mu musician  A^ A> Av A< archer and its facing;  > v mark the Inspectors' row and column;
c craftsman  a artisan, with seat"""


def render(states: np.ndarray) -> str:
    """The position of ``states[0]``."""
    position = snapshot(states)
    s = states[0]
    parts = [
        _headline(position, states),
        _mausoleum(position),
        _wheel(position),
        _players(position, s),
        _supplies(position, s),
    ]
    return "\n\n".join([*parts, _LEGEND, _question(position, s)])


def _headline(position: dict[str, Any], states: np.ndarray) -> str:
    tiles = "  ".join(f"[{tile}]" if i + 1 == position["round"] else tile for i, tile in enumerate(position["tiles"]))
    order = " ".join(str(seat) for seat in position["turn_order"])
    return (
        f"Terracotta Army · {len(position['players'])} players · board {board_name(states)} · "
        f"round {position['round']} of 5 · turn order {order}\nScoring tiles: {tiles}"
    )


def _mausoleum(position: dict[str, Any]) -> str:
    content = {cell_name(cell): " ." for cell in range(ROWS * COLUMNS)}
    for statue in position["mausoleum"]:
        first, *rest = statue["spaces"]
        if statue["kind"] == "archer":
            content[first] = "A" + _ARROWS[statue["facing"]]
        elif statue["owner"] is None:
            content[first] = _SPECIALIST_LETTERS[statue["kind"]]
        else:
            letters = f"{_WARRIOR_LETTERS[statue['kind']]}{statue['owner']}"
            content[first] = letters + ("*" if statue["mounted"] else "")
            for space in rest:
                content[space] = letters + "~"
    inspectors = position["inspectors"]
    lines = ["Mausoleum" + " " * 36]
    for row in range(ROWS, 0, -1):
        mark = ">" if inspectors["row"] == row else " "
        lines.append(
            f"{mark}{row} " + " ".join(f"{content[letter + str(row)]:<3}" for letter in COLUMN_LETTERS).rstrip()
        )
    lines.append("   " + " ".join(f" {letter} " for letter in COLUMN_LETTERS).rstrip())
    lines.append(
        "   " + " ".join(" v " if inspectors["column"] == letter else "   " for letter in COLUMN_LETTERS).rstrip()
    )
    return "\n".join(line.rstrip() for line in lines)


def _wheel(position: dict[str, Any]) -> str:
    lines = ["Wheel    inner      middle                outer                 workers   warehouse"]
    for segment, entry in position["wheel"].items():
        workers = " ".join(f"{worker['kind'][0]}{worker['owner']}" for worker in entry["workers"])
        quarter, place = divmod(int(segment) - 1, 3)
        clay = f"{quarter + 1}: {position['warehouses'][quarter]} dry" if place == 0 else ""
        acting = ">" if (position["pending"] or {}).get("segment") == int(segment) else " "
        lines.append(
            f"{acting}{segment:>2}      {entry['inner']:<10} {entry['middle']:<21} {entry['outer']:<21} "
            f"{workers:<9} {clay}".rstrip()
        )
    return "\n".join(lines)


def _players(position: dict[str, Any], s: Any) -> str:
    lines = [
        "Seat   VP  coins  wet  dry  craftsmen  artisans(+supply)  bases  weapons (active)        tokens       masters"
    ]
    for seat, player in enumerate(position["players"]):
        mark = ">" if position["to_move"] == seat else " "
        active = " ".join(weapon for weapon in WEAPON_NAMES if player["weapons"][weapon]) or "-"
        masters = " ".join(f"{name}" for name in MASTER_NAMES if name in player["masters"]) or "-"
        tokens = " ".join(str(price) for price in player["tokens"]) or "-"
        priority = f"  holds priority {player['priority']}" if player["priority"] else ""
        artisans = f"{player['artisans']} (+{player['artisans_in_supply']})"
        lines.append(
            f"{mark}{seat}    {player['vp']:>4}  {player['coins']:>5}  {player['wet']:>3}  {player['dry']:>3}  "
            f"{player['craftsmen']:>9}  {artisans:<17}  {player['bases']:>5}  {active:<22}  {tokens:<11}  "
            f"{masters}{priority}"
        )
    return "\n".join(lines)


def _supplies(position: dict[str, Any], s: Any) -> str:
    def next_vp(kind: int) -> str:
        left = int(s.organizer[kind])
        return f"{left} left, next {int(s.organizer_vp[FIGURES_PER_TYPE - left])} VP" if left else "none left"

    def next_cost(kind: int) -> str:
        left = int(s.specialists[kind])
        weapon = WEAPON_NAMES[int(s.specialist_weapon[kind])]
        cost = f"next {int(s.specialist_cost[SPECIALISTS_PER_TYPE - left])} coins" if left else ""
        return f"{left} left, {cost} and {weapon}" if left else "none left"

    stack = " ".join(str(number) for number in position["priority_stack"]) or "none left"
    organizer = "  ".join(f"{name} ({next_vp(kind)})" for kind, name in enumerate(WARRIOR_NAMES))
    specialists = "  ".join(f"{name} ({next_cost(kind)})" for kind, name in enumerate(position["specialists_left"]))
    return f"Organizer: {organizer}\nSpecialists: {specialists}\nPriority tokens: {stack}"


def _question(position: dict[str, Any], s: Any) -> str:
    if position["over"]:
        ranking = sorted(range(len(position["players"])), key=lambda seat: int(rank_of(s, seat)))
        return "The game is over. Ranking, best first: " + ", ".join(
            f"seat {seat} ({position['players'][seat]['vp']} VP)" for seat in ranking
        )
    words = [f"Seat {position['to_move']} decides: {DECISION_NAMES[s.decision]}"]
    if s.segment != NONE:
        words.append(f"on segment {int(s.segment) + 1}, {RING_NAMES[s.ring]} ring")
    if s.repeating:
        words.append("(the Administrator repeats the inner action)")
    if s.chosen_type != NONE:
        words.append(f"for a {WARRIOR_NAMES[s.chosen_type]}")
    if s.chosen_cell != NO_CELL:
        words.append(f"at {cell_name(s.chosen_cell)}")
    if s.decision == Decision.ROTATE:
        tile = TILE_NAMES[s.tiles[s.game_round - 1]]
        words.append(f"(place {int(turn_place(s, s.to_move)) + 1} in the turn order; tile {tile})")
    return " ".join(words)
