"""How often dense positions hold what games seldom reach: ``python -m tests.fuzz.coverage [--positions N] [--seed S]``.

Counted with the second implementation alone: in the position itself, and along one eager line of play from it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import numpy as np

from tests.agents.games import printed
from tests.fuzz.dense import draw_dense
from tests.fuzz.players import eager
from tests.fuzz.units import TURNS
from tests.reference import Game
from tests.reference.board import SPECIALISTS
from tests.reference.contests import count_owners, leader
from tests.reference.final import find_groups
from tests.reference.mausoleum import (
    DIRECTIONS,
    MIDDLE_COLUMN,
    MIDDLE_ROW,
    Statue,
    next_cell,
    orthogonal,
    quarter_of,
    surrounding,
)
from tests.reference.specialists import _archer_cells, _rides
from tests.reference.state import State


def rare_events(state: State) -> set[str]:
    """Names of what one position holds."""
    return {*_figures(state), *_contests(state), *_groups(state), *_seat_to_move(state), *_table(state)}


def _figures(state: State) -> Iterable[str]:
    mausoleum = state.mausoleum
    empty = len(mausoleum.empty_cells())
    if empty <= 6:
        yield f"mausoleum: {empty} empty spaces"
    exhausted = sum(left == 0 for left in state.organizer.values())
    if exhausted:
        yield f"organizer: {exhausted} types exhausted"
    if not any(state.specialists_left.values()):
        yield "specialists: all sixteen placed"
    yield from (f"specialists: all four of {kind}" for kind in SPECIALISTS if state.specialists_left[kind] == 0)
    yield from (f"bases: {sum(p.bases == 0 for p in state.players)} seats out" for _ in range(1)
                if any(p.bases == 0 for p in state.players))  # fmt: skip
    faced: Counter[int] = Counter()
    for archer in mausoleum.of_kind("archer"):
        assert archer.facing is not None
        cell = next_cell(archer.spaces[0], archer.facing)
        target = mausoleum.at(cell)
        if target is None:
            yield "archer: faces an empty space"
        elif not target.is_warrior:
            yield "archer: faces a specialist"
        else:
            faced[id(target)] += 1
            if target.mounted:
                assert cell is not None
                yield f"archer: faces space {target.spaces.index(cell) + 1} of a rider"
    if faced:
        most = max(faced.values())
        if most > 1:
            yield f"archer: {most} on one warrior"


def _verdict(state: State, warriors: list[Statue]) -> Iterable[str]:
    """How a contest ends."""
    counts = count_owners(state, warriors)
    most = max(counts)
    tied = [seat for seat, count in enumerate(counts) if count == most > 0]
    faced = [state.mausoleum.faced_by(archer) for archer in state.mausoleum.of_kind("archer")]
    backing = count_owners(state, [w for w in faced if w and w in warriors])
    if len(tied) > 1:
        if leader(backing, tied) is not None:
            second = "others too" if sum(backing[seat] > 0 for seat in tied) > 1 else "one"
            yield f"tie of {len(tied)}: broken, archers back {second}"
        elif any(backing[seat] for seat in tied):
            yield f"tie of {len(tied)}: stands, archers even"
        else:
            yield f"tie of {len(tied)}: stands without archers"
        if any(backing[seat] for seat in range(len(counts)) if seat not in tied):
            yield "tie: archers of a seat that is not tied"
    elif tied and max(backing) > backing[tied[0]]:
        yield "no tie: most archers for another seat"


def _contests(state: State) -> Iterable[str]:
    mausoleum, warriors = state.mausoleum, state.mausoleum.warriors()
    tile = state.tile
    row = [w for w in warriors if any(r == state.inspector_row for _, r in w.spaces)]
    column = [w for w in warriors if any(c == state.inspector_column for c, _ in w.spaces)]
    scored = [
        w
        for w in warriors
        if w.kind == tile
        or any(
            quarter_of(cell) == tile
            or (tile == "row" and cell[1] == MIDDLE_ROW)
            or (tile == "column" and cell[0] == MIDDLE_COLUMN)
            for cell in w.spaces
        )
    ]
    for name, contest in (("row", row), ("column", column), ("tile", scored)):
        yield from (f"{name} {event}" for event in _verdict(state, contest))
    for footman in mausoleum.of_kind("footman"):
        around = surrounding(footman.spaces[0])
        yield from (f"footman {event}" for event in _verdict(state, [w for w in warriors if w.stands_in(around)]))
    if tile in ("coins", "clay"):
        amounts = [p.coins if tile == "coins" else p.wet + p.dry for p in state.players]
        tied = amounts.count(max(amounts))
        yield (
            f"tile {tile}: " + (f"tie of {tied}" if max(amounts) else "nobody has any") if tied > 1 else f"tile {tile}"
        )


def _groups(state: State) -> Iterable[str]:
    for group in find_groups(state):
        warriors = [member for member in group if member.is_warrior]
        owners = len({warrior.owner for warrior in warriors})
        yield f"group: {owners} owners"
        if owners > 1:
            yield from (f"group {event}" for event in _verdict(state, warriors))
        if len(warriors) == 1:
            yield "group: one warrior and its archers"
        elif _parts([(w, w.spaces) for w in warriors]) > 1:
            yield "group: held together only by archers"
        if _parts([(m, m.spaces[:1]) for m in group]) > 1:
            yield "group: held together only by riders"
        if len(group) >= 9:
            yield "group: nine miniatures or more"


def _parts(members: Sequence[tuple[Statue, list[tuple[int, int]]]]) -> int:
    """Number of connected sets of spaces."""
    rest = {cell for _, spaces in members for cell in spaces}
    parts = 0
    while rest:
        parts += 1
        flood = [rest.pop()]
        for cell in flood:
            near = [other for other in orthogonal(cell) if other in rest]
            rest.difference_update(near)
            flood += near
    return parts


def _seat_to_move(state: State) -> Iterable[str]:
    assert state.to_move is not None
    player, mausoleum = state.players[state.to_move], state.mausoleum
    on_foot = [w for w in mausoleum.warriors(player.seat) if not w.mounted]
    if on_foot and state.specialists_left["horse"] and not _rides(state, player):
        yield "to move: a horse, warriors, but no room"
    if on_foot and not any(mausoleum.open_run(w.spaces[0], way) for w in on_foot for way in DIRECTIONS):
        yield "to move: warriors, none of which could move"
    if state.specialists_left["archer"] and mausoleum.warriors() and not _archer_cells(state):
        yield "to move: an archer, but no space for it"
    if player.bases == 0:
        yield "to move: no base"
    if len(player.masters) == 6:
        yield "to move: owns all masters"


def _table(state: State) -> Iterable[str]:
    left = sum(player.craftsmen + player.artisans for player in state.players)
    if left == 1:
        yield f"one worker left in round {state.round}"
    if any(len(workers) == 2 for workers in state.workers.values()):
        yield "wheel: an artisan beside a craftsman"
    held = sum(player.priority is not None for player in state.players)
    if held:
        yield f"priority: {held} held"


class _Counting:
    """A running turn that counts what is asked and what is forced."""

    def __init__(self, course: Any, events: set[str]) -> None:
        self.course, self.events, self.forced = course, events, 0

    def send(self, token: str) -> Any:
        decision = self.course.send(token)
        if len(decision.options) == 1:
            self.forced += 1
            self.events.add(f"play: forced {decision.kind} ({'decline' if 'decline' in decision.options else 'one'})")
            if self.forced > 2:
                self.events.add(f"play: {self.forced} forced decisions in a row")
        else:
            self.forced = 0
            self.events.add(f"play: asked {decision.kind}")
        return decision


def events_of_play(game: Game, rng: Random) -> set[str]:
    """Names of what happens along one line of play to the end of the round, or for a few turns."""
    events: set[str] = set()
    setattr(game, "_course", _Counting(game._course, events))  # noqa: B010
    first, turns, nothing = game.round, 0, np.empty(0)
    while not game.over and game.round == first:
        legal = game.legal()
        turns += legal[0].startswith("place:")
        if turns > TURNS:
            break
        game.apply(eager(rng, game, nothing, legal))
    if game.over:
        events.add("play: reached the end of the game")
        best = max(game.vp())
        if game.vp().count(best) > 1:
            events.add("play: the winner decided by turn order")
    elif game.round != first:
        events.add("play: reached the end of the round")
    return events


def count(positions: int, seed: int) -> Counter[str]:
    """In how many positions each event occurs."""
    rng, found = Random(seed), Counter[str]()
    for _ in range(positions):
        snapshot = draw_dense(rng)
        game = Game.from_snapshot(printed(snapshot["board"]), snapshot)
        found.update(rare_events(game.state))
        found.update(events_of_play(game, rng))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.coverage", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    started = time.monotonic()
    found = count(options.positions, options.seed)
    for name in sorted(found):
        print(f"{found[name]:8,}  {found[name] / options.positions:7.2%}  {name}")
    print(f"of {options.positions:,} positions, {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
