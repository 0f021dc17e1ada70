"""Statues for dense positions: crowded Mausoleums with riders, archers, large groups and contests that are tied.

A layout is drawn first (how many spaces stay empty, how the types lie: in patches, in stripes, one type exhausted, all
mixed), then riders, archers beside Warriors, the rest; last the owners, levelled in the contests of this round so that
ties for the most come by the dozen.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.reference.board import WARRIORS
from tests.reference.mausoleum import CELLS, DIRECTIONS, Cell, cell_name, next_cell, quarter_of

BASES, FIGURES, OF_SPECIALISTS = 15, 11, 4
# wishes for the number of empty spaces
EMPTY = ((0, 0), (0, 0), (0, 0), (0, 3), (1, 6), (1, 6), (4, 12), (8, 25), (20, 45), (40, 63))

Statue = dict[str, Any]


def draw_mausoleum(rng: Random, n: int, row: int, column: int, tile: str) -> list[Statue]:
    """Statues of ``n`` players, sorted as in a snapshot; Inspectors on ``row`` and ``column``, ``tile`` scores next."""
    free = set(CELLS)
    room = rng.randint(*rng.choice(EMPTY))  # stays empty at the end
    few = (3, 4, 4, 4) if room <= 6 else (0, 1, 2, 3, 4, 4)  # only with nearly all figures up is there no room left
    warriors: list[Statue] = []
    others: list[Statue] = []
    kinds = _Types(rng, min(n * BASES, 4 * FIGURES), all_made=room <= 6)
    for _ in range(rng.choice(few)):
        _put_rider(rng, free, kinds, warriors)
    specialists = [kind for kind in ("footman", "musician") for _ in range(rng.choice(few))]
    archers = rng.choice(few)
    for cell in rng.sample(sorted(free), len(free)):
        if len(free) <= room + archers + len(specialists):
            break
        kind = kinds.take(cell)
        if kind is None:
            break
        free.discard(cell)
        warriors.append({"kind": kind, "owner": 0, "mounted": False, "cells": [cell]})
    for kind in specialists:
        if len(free) > max(room, archers):
            cell = rng.choice(sorted(free))
            free.discard(cell)
            others.append({"kind": kind, "owner": None, "cells": [cell]})
    tied = _contests(rng, warriors, row, column, tile)
    _put_archers(rng, free, archers, warriors, others, tied)
    _own(rng, n, warriors, tied)
    for statue in (*warriors, *others):
        statue["spaces"] = [cell_name(cell) for cell in statue.pop("cells")]
    return sorted([*warriors, *others], key=lambda statue: str(statue["spaces"][0]))


class _Types:
    """Gives out Warrior types by layout, while figures are left."""

    def __init__(self, rng: Random, most: int, all_made: bool) -> None:
        self.rng = rng
        self.left = dict.fromkeys(WARRIORS, FIGURES)
        self.most = most
        self.layout = rng.choice(("patches", "patches", "stripes", "mixed", "greedy"))
        self.seeds = [(rng.choice(CELLS), rng.choice(WARRIORS)) for _ in range(rng.randint(4, 12))]
        self.loved = rng.sample(WARRIORS, 4)
        if not all_made and rng.random() < 0.2:  # a type that nobody ever made
            self.left[self.loved[3]] = 0

    def take(self, cell: Cell) -> str | None:
        """A type for a Warrior on ``cell``; None when figures or bases are out."""
        wished = self._wish(cell)
        if self.most == 0 or not any(self.left.values()):
            return None
        if self.left[wished] == 0:
            wished = self.rng.choice([kind for kind in WARRIORS if self.left[kind] > 0])
        self.left[wished] -= 1
        self.most -= 1
        return wished

    def _wish(self, cell: Cell) -> str:
        if self.layout == "patches":
            return min(self.seeds, key=lambda seed: abs(seed[0][0] - cell[0]) + abs(seed[0][1] - cell[1]))[1]
        if self.layout == "stripes":
            return self.loved[cell[0] % 4]
        if self.layout == "greedy":
            return next((kind for kind in self.loved if self.left[kind] > 0), self.loved[0])
        return self.rng.choice(WARRIORS)


def _put_rider(rng: Random, free: set[Cell], kinds: _Types, warriors: list[Statue]) -> None:
    for _ in range(6):  # tries
        first, direction = rng.choice(CELLS), rng.choice(tuple(DIRECTIONS))
        second = next_cell(first, direction)
        third = next_cell(second, direction) if second else None
        if second and third and {first, second, third} <= free:
            kind = kinds.take(first)
            if kind is not None:
                free.difference_update((first, second, third))
                warriors.append({"kind": kind, "owner": 0, "mounted": True, "cells": [first, second, third]})
            return


def _put_archers(
    rng: Random, free: set[Cell], number: int, warriors: list[Statue], others: list[Statue], tied: list[list[Statue]]
) -> None:
    """On free spaces beside Warriors, those of a contest, riders and already faced ones first; a few face anything."""
    holder = {cell: statue for statue in warriors for cell in statue["cells"]}
    contested = {id(statue) for contest in tied for statue in contest}
    faced: set[int] = set()
    for _ in range(number):
        views = []
        anything = rng.random() < 0.08
        for cell in sorted(free):
            for direction in DIRECTIONS:
                target = next_cell(cell, direction)
                if target is None or (target not in holder and not anything):
                    continue
                seen = holder.get(target)
                weight = 1.0 if seen is None else 1 + 3 * (id(seen) in contested) + 3 * seen["mounted"]
                weight += 4 if seen is not None and id(seen) in faced else 0
                views.append((weight, cell, direction, seen))
        if not views:
            return
        _, cell, direction, seen = rng.choices(views, [view[0] for view in views])[0]
        free.discard(cell)
        faced.add(id(seen))
        others.append({"kind": "archer", "owner": None, "cells": [cell], "facing": direction})


def _contests(rng: Random, warriors: list[Statue], row: int, column: int, tile: str) -> list[list[Statue]]:
    """The Warriors of this round's contests that shall be tied."""
    areas = [
        [w for w in warriors if any(r == row for _, r in w["cells"])],
        [w for w in warriors if any(c == column for c, _ in w["cells"])],
        [w for w in warriors if w["kind"] == tile or any(_on_tile(cell, tile) for cell in w["cells"])],
    ]
    rng.shuffle(areas)
    return areas[: rng.choice((0, 1, 1, 2, 3))]


def _on_tile(cell: Cell, tile: str) -> bool:
    return (tile == "row" and cell[1] == 4) or (tile == "column" and cell[0] == 5) or quarter_of(cell) == tile


def _own(rng: Random, n: int, warriors: list[Statue], tied: list[list[Statue]]) -> None:
    """Owners by patches or at random; then contests levelled between some players; at most 15 Warriors each."""
    style = rng.choice(("random", "patches", "favourite"))
    homes = [rng.choice(CELLS) for _ in range(n)]
    favourite = rng.randrange(n)
    for statue in warriors:
        column, row = statue["cells"][0]
        statue["owner"] = rng.randrange(n)
        if style == "patches":
            statue["owner"] = min(range(n), key=lambda seat: abs(homes[seat][0] - column) + abs(homes[seat][1] - row))
        elif style == "favourite" and rng.random() < 0.5:
            statue["owner"] = favourite
    for contest in tied:
        among = rng.sample(range(n), rng.randint(2, n))
        places = rng.sample(contest, len(contest))
        over = len(contest) % len(among)
        rest = [seat for seat in range(n) if seat not in among] or among
        for i, statue in enumerate(places):
            statue["owner"] = among[i % len(among)] if i < len(places) - over else rest[i % len(rest)]
    counts = [sum(statue["owner"] == seat for statue in warriors) for seat in range(n)]
    for statue in rng.sample(warriors, len(warriors)):
        owner = statue["owner"]
        if counts[owner] > BASES:
            poorest = counts.index(min(counts))
            counts[owner] -= 1
            counts[poorest] += 1
            statue["owner"] = poorest
