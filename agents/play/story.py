"""What happened, in words: decisions of a turn condensed to one line, the end of a round and of the game told apart.

A decision is followed by everything automatic; here it is taken apart again into single steps, so that forced
decisions are told too and points of the Scoring Phase are not mistaken for those of the decision before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from terracotta_env.army import actions as act
from terracotta_env.army.apply import apply_choice, finish_action
from terracotta_env.army.geometry import CELL_NAMES, NEIGHBOUR
from terracotta_env.army.legal import only_option
from terracotta_env.army.snapshot import plain
from terracotta_env.army.state import Decision, Ring, Source, Space
from terracotta_env.position import Position

from . import things
from .things import MASTERS, SPECIALISTS, WARRIORS, WEAPONS, WORKERS, Who, many
from .words import Choices

NO_ACTION: Final = -1
_ROUND_SOURCES: Final = (
    (Source.ROW_INSPECTOR, "row Inspector"),
    (Source.COLUMN_INSPECTOR, "column Inspector"),
    (Source.MUSICIAN, "Musicians"),
    (Source.TILE, "tile"),
)
_END_SOURCES: Final = (
    (Source.FOOTMAN, "Footmen"),
    (Source.GROUP_MEMBERS, "Warriors in groups"),
    (Source.GROUP_CONTEST, "Domination of groups"),
    (Source.ARCHER, "Kneeling Archers"),
    (Source.LEFTOVERS, "leftovers"),
)


def steps(position: Position, action: int) -> Iterator[tuple[Position, int, Position]]:
    """A decision and what follows it one by one: ``(before, action, after)``; NO_ACTION where a ring is finished."""
    before = position.clone()
    now = position.clone()
    apply_choice(now.states[0], action)
    yield before, action, now.clone()
    while now.states[0].decision != Decision.OVER:
        before = now.clone()
        if now.states[0].decision == Decision.ACTION_DONE:
            finish_action(now.states[0])
            yield before, NO_ACTION, now.clone()
            continue
        forced = int(only_option(now.states[0]))
        if forced < 0:
            return
        apply_choice(now.states[0], forced)
        yield before, forced, now.clone()


class Story:
    """Tells decisions as they are made; each turn becomes one line.

    Args:
        who: how seats are called.
        names: of the players by seat, shown once a turn in brackets.
    """

    def __init__(self, who: Who, names: Sequence[str] = ()) -> None:
        self.who = who
        self.names = names
        self._seat: int | None = None
        self._phrases: list[str] = []
        self._lines: list[str] = []

    def add(self, position: Position, token: str) -> None:
        """A decision that is about to be made in ``position``."""
        for before, action, after in steps(position, position.game.action_of(token)):
            if action == NO_ACTION:
                self._finish(before, after)
                continue
            seat = int(before.states[0].to_move)
            if seat != self._seat:
                self._end_turn()
                self._seat = seat
            phrase = told(before, action, after, self.who)
            if phrase:
                self._phrases.append(phrase)

    def finished(self) -> list[str]:
        """The turns that ended since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def lines(self) -> list[str]:
        """What was told since the last call, a turn that goes on included."""
        self._end_turn()
        return self.finished()

    def _end_turn(self) -> None:
        if self._phrases and self._seat is not None:
            self._lines.append(f"{self._called(self._seat)} {', '.join(self._phrases)}")
        self._seat, self._phrases = None, []

    def _called(self, seat: int) -> str:
        if seat == self.who.own:
            return "You"
        return f"Seat {seat} ({self.names[seat]})" if self.names else f"Seat {seat}"

    def _finish(self, before: Position, after: Position) -> None:
        one, two = plain(before.states), plain(after.states)
        if two.decision == Decision.OVER or two.game_round != one.game_round:
            self._end_turn()
            self._lines.append(f"Round {one.game_round} ends. {scored(one, two, _ROUND_SOURCES, self.who)}")
            if two.decision == Decision.OVER:
                self._lines.append(f"The game ends. {scored(one, two, _END_SOURCES, self.who)}")
            elif two.turn_order != one.turn_order:
                order = ", ".join(self.who.name(seat) for seat in two.turn_order[: two.players])
                self._lines.append(f"New turn order: {order}")
        elif two.to_move != one.to_move:
            self._end_turn()


def scored(one: Any, two: Any, sources: Sequence[tuple[Source, str]], who: Who) -> str:
    """The points by source that came between two positions."""
    parts = []
    for source, name in sources:
        gains = [(seat, two.ledger[seat][source] - one.ledger[seat][source]) for seat in range(two.players)]
        gained = ", ".join(f"{who.name(seat)} +{gain}" for seat, gain in gains if gain)
        place = ""
        if source == Source.ROW_INSPECTOR:
            place = f" ({things.row_name(one.inspector_row)})"
        elif source == Source.COLUMN_INSPECTOR:
            place = f" ({things.column_name(one.inspector_column)})"
        elif source == Source.TILE:
            place = f" ({things.TILES[one.tiles[one.game_round - 1]]})"
        parts.append(f"{name[0].upper()}{name[1:]}{place}: {gained or 'nobody'}")
    return "; ".join(parts) + "."


def _gain(one: Any, two: Any) -> str:
    """`` (+6 VP, -2 Coins)`` of the seat that moved; empty where neither changed."""
    seat = one.to_move
    parts = []
    for gain, thing in (
        (sum(two.ledger[seat]) - sum(one.ledger[seat]), "VP"),
        (two.coins[seat] - one.coins[seat], "Coin"),
        (two.wet[seat] - one.wet[seat], "Wet Clay"),
    ):
        if gain:
            parts.append(f"{'+' if gain > 0 else '-'}{many(abs(gain), thing)}")
    return f" ({', '.join(parts)})" if parts else ""


def told(before: Position, action: int, after: Position, who: Who) -> str:
    """A single step in the past tense, without its subject; empty where it is told with a later step or not at all."""
    token = before.game.tokens[action]
    choices = Choices(before, who)
    one, two = choices.s, plain(after.states)
    decision = Decision(one.decision)
    kind, _, rest = token.partition(":")
    gain = _gain(one, two)
    if kind == "decline" or token in ("rotate:none", "ring:nothing"):
        return ""
    if decision == Decision.ROTATE:
        return f"turned the {rest.capitalize()} Ring (-2 Coins)"
    if decision == Decision.PLACE:
        worker, segment = rest.split(":")
        return f"placed {'an' if worker == 'artisan' else 'a'} {worker.capitalize()} on segment {segment}"
    if decision == Decision.RING:
        if rest in ("clay", "coin"):
            return f"took 1 {'Wet Clay' if rest == 'clay' else 'Coin'} instead"
        return _performed(choices, one, two, one.ring)
    if decision == Decision.ADMINISTRATOR:
        return f"repeated the Inner action: {_performed(choices, one, two, Ring.INNER)}"
    if decision in (Decision.WARRIOR_CELL, Decision.BUILDER_CELL):
        article = "an" if WARRIORS[one.chosen_type][0] == "O" else "a"
        return f"made {article} {WARRIORS[one.chosen_type]} on {rest}{gain}"
    if decision == Decision.WEAPON:
        return f"used the {WEAPONS[one.chosen_type]}{gain}" if rest == "use" else ""
    if decision in (Decision.OFFICER_INSPECTOR, Decision.MASTER_INSPECTOR):
        row = rest.startswith("row")
        goal = things.row_name(two.inspector_row) if row else things.column_name(two.inspector_column)
        return f"moved the {rest[:-2]} Inspector to {goal}"
    if decision == Decision.GUARD_GOAL:
        return f"moved the {choices.statue_name(one.chosen_cell)} to {rest}"
    if decision == Decision.HORSE_DIRECTION:
        near = int(NEIGHBOUR[one.chosen_cell, act.DIRECTION_NAMES.index(rest)])
        far = int(NEIGHBOUR[near, act.DIRECTION_NAMES.index(rest)])
        rider = choices.statue_name(one.chosen_cell)
        return f"mounted the {rider} on a Horse, over {CELL_NAMES[near]} and {CELL_NAMES[far]}"
    if decision == Decision.ARCHER_FACING:
        faced = choices.owned_name(int(NEIGHBOUR[one.chosen_cell, act.DIRECTION_NAMES.index(rest)]))
        return f"put a Kneeling Archer on {CELL_NAMES[one.chosen_cell]} that faces {faced}"
    if decision == Decision.SPECIALIST_CELL:
        return f"put a {SPECIALISTS[one.outer[one.segment] - Space.SPECIALIST]} on {rest}"
    if decision == Decision.MASTER_TOKEN:
        master = one.middle[choices.middle_at(one.segment)] - Space.MASTER
        return f"bought the {MASTERS[master]} for {many(int(rest), 'Coin')}{_ability(one, two)}"
    if decision == Decision.BUILDER_TYPE:
        return f"paid {many(one.game_round, 'Coin')} to the Master Builder"
    if decision == Decision.SUPERVISOR:
        clay = two.dry[one.to_move] - one.dry[one.to_move]
        return f"took {many(clay, 'Dry Clay')} from the warehouses {rest.replace(',', ' and ')}"
    return ""  # a type, a rider, a warrior to move, an archer's space: told with what becomes of it


def _ability(one: Any, two: Any) -> str:
    """The abilities that happen at once: what they changed."""
    seat = one.to_move
    if two.wet[seat] > one.wet[seat]:
        return f" and took {many(two.wet[seat] - one.wet[seat], 'Wet Clay')}"
    return " and readied all Weapons" if two.weapons[seat] != one.weapons[seat] else ""


def _performed(choices: Choices, one: Any, two: Any, ring: int) -> str:
    """An action of a ring; where more is asked only what was paid."""
    seat = one.to_move
    space, amount = choices.space(one.segment, ring)
    if space in (Space.COINS, Space.CLAY):
        return f"took {things.space_name(one, space, amount)}"
    if space == Space.WARRIOR:
        return f"paid {many(amount, 'Wet Clay')}"
    if space == Space.SOAK:
        return f"soaked {many(one.dry[seat], 'Clay')}"
    if space == Space.UPGRADE:
        return f"upgraded the {WORKERS[0]} to an {WORKERS[1]}"
    if space == Space.PRIORITY:
        return f"took Priority token {one.priority_next}{_gain(one, two)}"
    if space < Space.READY:
        master = space - Space.MASTER
        if not one.masters[seat][master]:
            return ""
        return f"used the {MASTERS[master]}{_ability(one, two)}"
    if space < Space.SPECIALIST:
        return f"readied the {WEAPONS[space - Space.READY]}"
    return f"paid {things.specialist_price(one, space - Space.SPECIALIST)}"
