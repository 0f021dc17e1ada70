"""The whole position as text for a terminal of 100 columns: Mausoleum, wheel, players, supplies, what is decided.

Everything is laid out in plain letters first; a ``paint`` given by the caller may then colour pieces of it, so a
picture has the same shape with and without colours.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from .actions import (
    DIRECTION_NAMES,
    MASTER_NAMES,
    RING_NAMES,
    SPECIALIST_NAMES,
    TILE_NAMES,
    WARRIOR_NAMES,
    WEAPON_NAMES,
)
from .board import board_name
from .endgame import rank_of, turn_place
from .geometry import COLUMN_LETTERS, COLUMNS, NO_CELL, ROWS, cell_name
from .snapshot import DECISION_NAMES, snapshot
from .state import FIGURES_PER_TYPE, NONE, SPECIALISTS_PER_TYPE, Decision

WIDTH: Final = 100
Paint = Callable[[str, str], str]  # (text, style) -> text; styles: head, mark, dim, bold, seat0 .. seat3

_SPACE_WIDTH: Final = 3  # of one space of the Mausoleum, as in "O0*"
_NAME_WIDTH: Final = 12
_WARRIOR_LETTERS: Final = dict(zip(WARRIOR_NAMES, "OGCS", strict=True))
_SPECIALIST_LETTERS: Final = {"footman": "Ft", "musician": "Mu"}
_ARROWS: Final = dict(zip(DIRECTION_NAMES, "^>v<", strict=True))
LEGEND: Final = """\
O officer  G guard  C crossbowman  S soldier, with the seat that owns it;  * where a rider's Warrior
stood, ~ the rest of the Horse;  Ft footman  Mu musician  A^ A> Av A< archer and its facing;
> v mark the Inspectors' row and column;  c craftsman  a artisan, with seat"""


def plainly(text: str, style: str) -> str:
    """The paint that leaves everything as it is."""
    return text


def render(states: np.ndarray) -> str:
    """The position of ``states[0]``, with legend and question, in plain letters."""
    return "\n\n".join([picture(states), LEGEND, _question(snapshot(states), states[0])])


def picture(states: np.ndarray, paint: Paint = plainly, names: Sequence[str] = ()) -> str:
    """The position without legend and question; ``names`` of the players, by seat, where they are known."""
    position = snapshot(states)
    mausoleum, wheel = _mausoleum(position, paint), _wheel(position, paint)
    mausoleum += [" " * (3 + COLUMNS * (_SPACE_WIDTH + 1))] * (len(wheel) - len(mausoleum))
    parts = [
        _headline(position, states, paint),
        [f"{left} {right}" for left, right in zip(mausoleum, wheel, strict=True)],
        _players(position, names, paint),
        _supplies(position, states[0], paint),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def _headline(position: dict[str, Any], states: np.ndarray, paint: Paint) -> list[str]:
    tiles = "  ".join(
        paint(f"[{tile}]", "mark") if i + 1 == position["round"] else tile for i, tile in enumerate(position["tiles"])
    )
    order = " ".join(paint(str(seat), f"seat{seat}") for seat in position["turn_order"])
    return [
        paint(f"Terracotta Army · {len(position['players'])} players · board {board_name(states)}", "head"),
        f"Round {position['round']} of 5 · turn order {order} · tiles {tiles}",
    ]


def _mausoleum(position: dict[str, Any], paint: Paint) -> list[str]:
    """Eleven lines of equal width: a title, the seven rows, the letters and the column Inspector's mark."""
    content = {cell_name(cell): (" .", "dim") for cell in range(ROWS * COLUMNS)}
    for statue in position["mausoleum"]:
        first, *rest = statue["spaces"]
        if statue["kind"] == "archer":
            content[first] = ("A" + _ARROWS[statue["facing"]], "bold")
        elif statue["owner"] is None:
            content[first] = (_SPECIALIST_LETTERS[statue["kind"]], "bold")
        else:
            letters, style = f"{_WARRIOR_LETTERS[statue['kind']]}{statue['owner']}", f"seat{statue['owner']}"
            content[first] = (letters + ("*" if statue["mounted"] else ""), style)
            for space in rest:
                content[space] = (letters + "~", style)

    def line(left: str, spaces: list[str]) -> str:
        return left + " ".join([*spaces, ""])

    def padded(text: str, style: str = "") -> str:
        return paint(f"{text:<{_SPACE_WIDTH}}", style) if style else f"{text:<{_SPACE_WIDTH}}"

    row, column = position["inspectors"]["row"], position["inspectors"]["column"]
    width = COLUMNS * (_SPACE_WIDTH + 1)
    lines = [paint(f"{'Mausoleum':<{3 + width}}", "head")]
    for number in range(ROWS, 0, -1):
        mark = paint(">", "mark") if number == row else " "
        lines.append(line(f"{mark}{number} ", [padded(*content[f"{letter}{number}"]) for letter in COLUMN_LETTERS]))
    lines.append(line("   ", [padded(f" {letter}") for letter in COLUMN_LETTERS]))
    lines.append(line("   ", [padded(" v", "mark") if letter == column else padded("") for letter in COLUMN_LETTERS]))
    return lines


def _wheel(position: dict[str, Any], paint: Paint) -> list[str]:
    lines = [paint("Wheel inner      middle        outer          workers clay", "head")]
    pending = position["pending"] or {}
    for segment, entry in position["wheel"].items():
        placed = [(f"{worker['kind'][0]}{worker['owner']}", f"seat{worker['owner']}") for worker in entry["workers"]]
        workers = " ".join(paint(*worker) for worker in placed) + " " * (6 - 3 * len(placed))
        quarter, place = divmod(int(segment) - 1, 3)
        clay = f"{quarter + 1}: {position['warehouses'][quarter]} dry" if place == 0 else ""
        acting = pending.get("segment") == int(segment)
        shown = [(name, entry[name].removeprefix("master:").removeprefix("specialist:")) for name in RING_NAMES]
        spaces = " ".join(
            paint(f"{word:<{width}}", "mark") if acting and pending["ring"] == ring else f"{word:<{width}}"
            for (ring, word), width in zip(shown, (10, 13, 14), strict=True)
        )
        lines.append(f"{paint('>', 'mark') if acting else ' '}{segment:>2}  {spaces} {workers} {clay}")
    return lines


def _players(position: dict[str, Any], names: Sequence[str], paint: Paint) -> list[str]:
    """Numbers in a table; below each seat what it has active, owns and holds, where there is any."""
    called = [name if len(name) <= _NAME_WIDTH else f"{name[: _NAME_WIDTH - 1]}…" for name in names]
    title = f"{'player':<{_NAME_WIDTH}} " if called else ""
    numbers = "VP  coins  wet  dry  craftsmen  artisans (+supply)  bases  tokens"
    lines = [paint(f"Seat  {title}  {numbers}", "head")]
    for seat, player in enumerate(position["players"]):
        mark = paint(">", "mark") if position["to_move"] == seat else " "
        name = f"{called[seat]:<{_NAME_WIDTH}} " if called else ""
        tokens = " ".join(str(price) for price in player["tokens"]) or "-"
        artisans = f"{player['artisans']} (+{player['artisans_in_supply']})"
        lines.append(
            f"{mark}{paint(f'{seat}    {name}', f'seat{seat}')}{player['vp']:>4}  {player['coins']:>5}  "
            f"{player['wet']:>3}  {player['dry']:>3}  {player['craftsmen']:>9}  {artisans:>18}  {player['bases']:>5}  "
            f"{tokens}"
        )
        weapons = [weapon for weapon in WEAPON_NAMES if player["weapons"][weapon]]
        masters = [f"{name} {player['masters'][name]}" for name in MASTER_NAMES if name in player["masters"]]
        held = [
            *([f"active: {' '.join(weapons)}"] if weapons else []),
            *([f"masters: {', '.join(masters)}"] if masters else []),
            *([f"holds priority {player['priority']}"] if player["priority"] else []),
        ]
        lines += textwrap.wrap("  ".join(held), WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 8)
    return lines


def _supplies(position: dict[str, Any], s: Any, paint: Paint) -> list[str]:
    """The Warrior Organizer and the Specialists side by side, one type a line."""
    stack = " ".join(str(number) for number in position["priority_stack"]) or "none left"
    lines = [
        paint(f"{'Organizer':<13}left  next       {'Specialists':<13}left  next", "head")
        + f"{'':<18}Priority tokens: {stack}"
    ]
    for kind, (warrior, specialist) in enumerate(zip(WARRIOR_NAMES, SPECIALIST_NAMES, strict=True)):
        figures, left = int(s.organizer[kind]), int(s.specialists[kind])
        vp = f"{int(s.organizer_vp[FIGURES_PER_TYPE - figures])} VP" if figures else "-"
        cost = "-"
        if left:
            coins = int(s.specialist_cost[SPECIALISTS_PER_TYPE - left])
            cost = f"{coins} coin{'s' if coins > 1 else ''} + {WEAPON_NAMES[int(s.specialist_weapon[kind])]}"
        lines.append(f"{warrior:<13}{figures:>4}  {vp:<11}{specialist:<13}{left:>4}  {cost}")
    return lines


def _question(position: dict[str, Any], s: Any) -> str:
    if position["over"]:
        ranking = sorted(range(len(position["players"])), key=lambda seat: int(rank_of(s, seat)))
        places = ", ".join(f"seat {seat} ({position['players'][seat]['vp']} VP)" for seat in ranking)
        return "\n".join(textwrap.wrap(f"The game is over. Ranking, best first: {places}", WIDTH))
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
    return "\n".join(textwrap.wrap(" ".join(words), WIDTH))
