"""One position of either implementation as one flat tuple of numbers: the quick half of the comparison.

Writing a snapshot costs either implementation a tenth of a millisecond; unpacking the engine's record and walking the
other's objects costs a fifth of that, and the two tuples hold everything that a snapshot holds but for what is printed
and for ``pending``.  The order of the numbers is that of the fields of the engine's record.
"""

from __future__ import annotations

import struct
from operator import itemgetter
from typing import Any

import numpy as np

from terracotta_env.army.state import RIDERS, SEATS, SENTINELS, STATE, TOKENS
from tests.reference.board import MASTERS, SEGMENTS, SPECIALISTS, TILES, WARRIORS, WEAPONS
from tests.reference.mausoleum import CELLS, DIRECTIONS, Statue, next_cell
from tests.reference.state import LEDGER, State

FIELDS = (
    "occupied", "warriors", "owned", "rider_cells", "footmen", "musicians", "coins", "wet", "dry", "ledger",
    "warehouses", "inner_offset", "middle_offset", "worker_owner", "worker_kind", "players", "craftsmen", "artisans",
    "artisans_in_supply", "bases", "weapons", "tokens", "masters", "priority", "priority_next", "turn_order",
    "game_round", "tiles", "inspector_row", "inspector_column", "organizer", "specialists", "rider_cell",
    "rider_direction", "rider_type", "rider_owner", "archer_cell", "archer_facing", "to_move",
)  # fmt: skip

_LETTERS = {"u8": "Q", "i8": "q", "i2": "h", "i1": "b", "u1": "B"}


def _layout() -> tuple[struct.Struct, list[str], list[int]]:
    """How to unpack a record, the field of each number picked from it, and where that number is."""
    letters: list[str] = []
    names: list[str] = []
    places: list[int] = []
    seen = 0
    for name in STATE.names or ():
        base, shape = STATE[name].base, STATE[name].shape
        size = int(np.prod(shape, dtype=int))
        letters.append(f"{size}{_LETTERS[base.str[1:]]}")
        if name in FIELDS:
            names += [name] * size
            places += range(seen, seen + size)
        seen += size
    return struct.Struct(f"<{''.join(letters)}"), names, places


_RECORD, NUMBER_OF, _PLACES = _layout()
_PICK = itemgetter(*_PLACES)
assert _RECORD.size == STATE.itemsize
assert list(dict.fromkeys(NUMBER_OF)) == list(FIELDS)

_CELL = {cell: 9 * (cell[1] - 1) + cell[0] - 1 for cell in CELLS}
_BIT = {cell: 1 << number for cell, number in _CELL.items()}
_TYPE = {kind: number for number, kind in enumerate(WARRIORS)}
_TILE = {tile: number for number, tile in enumerate(TILES)}
_FACING = {facing: number for number, facing in enumerate(DIRECTIONS)}
_DIRECTION = {
    (cell, ahead): number
    for cell in CELLS
    for number, direction in enumerate(DIRECTIONS)
    if (ahead := next_cell(cell, direction)) is not None
}
_NO_RIDER = tuple(SENTINELS[name] for name in ("rider_cell", "rider_direction", "rider_type", "rider_owner"))
_NO_ARCHER = tuple(SENTINELS[name] for name in ("archer_cell", "archer_facing"))
_NOBODY = SENTINELS["turn_order"]
_ABSENT = [[0] * (SEATS - players) for players in range(SEATS + 1)]
_ORDER_REST = [[_NOBODY] * (SEATS - players) for players in range(SEATS + 1)]
_NO_WORKER = (SENTINELS["worker_owner"], SENTINELS["worker_kind"])


def flat_engine(states: np.ndarray) -> tuple[int, ...]:
    """The numbers of ``states[0]``."""
    return tuple(_PICK(_RECORD.unpack(states[:1].tobytes())))


def flat_reference(state: State) -> tuple[int, ...]:
    """The same numbers of the second implementation."""
    players, n = state.players, len(state.players)
    absent = _ABSENT[n]
    numbers, riders, archers = _mausoleum(state.mausoleum.statues)
    for name in ("coins", "wet", "dry"):
        numbers += [getattr(player, name) for player in players]
        numbers += absent
    for player in players:
        numbers += [player.ledger[source] for source in LEDGER]
    numbers += absent * len(LEDGER)
    numbers += state.warehouses
    numbers += (state.offsets["inner"], state.offsets["middle"])
    _add_workers(state, numbers)
    numbers.append(n)
    for name in ("craftsmen", "artisans", "artisans_in_supply", "bases"):
        numbers += [getattr(player, name) for player in players]
        numbers += absent
    for player in players:
        numbers += [player.weapons[weapon] for weapon in WEAPONS]
    numbers += absent * len(WEAPONS)
    for player in players:
        numbers += [player.tokens.count(price) for price in range(1, TOKENS + 1)]
    numbers += absent * TOKENS
    for player in players:
        numbers += [player.masters.get(master, 0) for master in MASTERS]
    numbers += absent * len(MASTERS)
    numbers += [player.priority or 0 for player in players]
    numbers += absent
    numbers.append(state.priority_stack[0] if state.priority_stack else n)
    numbers += state.turn_order
    numbers += _ORDER_REST[n]
    numbers.append(state.round)
    numbers += [_TILE[tile] for tile in state.tiles]
    numbers += (state.inspector_row - 1, state.inspector_column - 1)
    numbers += [state.organizer[kind] for kind in WARRIORS]
    numbers += [state.specialists_left[kind] for kind in SPECIALISTS]
    for number in range(4):
        numbers += [rider[number] for rider in riders]
    for number in range(2):
        numbers += [archer[number] for archer in archers]
    numbers.append(_NOBODY if state.to_move is None else state.to_move)
    return tuple(numbers)


def _mausoleum(statues: list[Statue]) -> tuple[list[int], list[Any], list[Any]]:
    """The sets of spaces, the riders and the archers."""
    types, owned = [0, 0, 0, 0], [0] * SEATS
    occupied = footmen = musicians = 0
    riders: list[tuple[int, ...]] = []
    archers: list[tuple[int, ...]] = []
    for statue in statues:
        spaces = statue.spaces
        here = _BIT[spaces[0]]
        kind = _TYPE.get(statue.kind)
        if kind is not None:
            assert statue.owner is not None
            if len(spaces) == 1:
                types[kind] |= here
                owned[statue.owner] |= here
            else:
                here |= _BIT[spaces[1]] | _BIT[spaces[2]]
                direction = _DIRECTION[spaces[0], spaces[1]]
                riders.append((_CELL[spaces[0]], direction, kind, statue.owner, here))
        elif statue.kind == "archer":
            assert statue.facing is not None
            archers.append((_CELL[spaces[0]], _FACING[statue.facing]))
        elif statue.kind == "footman":
            footmen |= here
        else:
            musicians |= here
        occupied |= here
    riders.sort()
    archers.sort()
    riders += [(*_NO_RIDER, 0)] * (RIDERS - len(riders))
    archers += [_NO_ARCHER] * (RIDERS - len(archers))
    cells = [rider[4] for rider in riders]
    return [occupied, *types, *owned, *cells, footmen, musicians], riders, archers


def _add_workers(state: State, numbers: list[int]) -> None:
    owners: list[int] = []
    kinds: list[int] = []
    for segment in SEGMENTS:
        standing = state.workers[segment]
        for worker in standing:
            owners.append(worker.owner)
            kinds.append(worker.kind == "artisan")
        for _ in range(2 - len(standing)):
            owners.append(_NO_WORKER[0])
            kinds.append(_NO_WORKER[1])
    numbers += owners
    numbers += kinds


def fields_that_differ(one: tuple[int, ...], other: tuple[int, ...]) -> list[str]:
    """Names of the fields in which two such tuples differ."""
    if len(one) != len(other):
        return ["length"]
    return list(dict.fromkeys(name for name, a, b in zip(NUMBER_OF, one, other, strict=True) if a != b))
