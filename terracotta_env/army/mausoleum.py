"""Who stands where in the Mausoleum, and putting statues down.  Says nothing about costs or points.

A Warrior on foot is one bit in ``warriors[type]`` and ``owned[seat]``; a rider is a slot of the ``rider_*`` lists and
covers three spaces (R14, R24); a Kneeling Archer is a slot of the ``archer_*`` lists.  Used slots come first, sorted by
space.
"""

from __future__ import annotations

from ..kernel import kernel
from .geometry import ALL_CELLS, HORSE_CELLS, NEIGHBOUR, NO_CELL, bit, count
from .state import ARCHERS, NOBODY, NONE, RIDERS, SEATS

ANY_TYPE = -1


@kernel
def empty_cells(state):
    """Set of the spaces without a statue."""
    return ALL_CELLS & ~state.occupied


@kernel
def on_foot(state):
    """Set of the spaces of all Warriors on foot, of any seat."""
    cells = state.owned[0]
    for seat in range(1, SEATS):
        cells |= state.owned[seat]
    return cells


@kernel
def warrior_cells(state):
    """Set of all spaces occupied by Warriors of any seat, all three of each rider included."""
    cells = on_foot(state)
    for i in range(RIDERS):
        cells |= state.rider_cells[i]
    return cells


@kernel
def warriors_of(state, seat, area, kind):
    """Number of the seat's Warriors of type ``kind`` (or ANY_TYPE) in the set ``area``; a rider counts once (R24)."""
    cells = state.owned[seat] & area
    if kind != ANY_TYPE:
        cells &= state.warriors[kind]
    number = count(cells)
    for i in range(RIDERS):
        if (
            state.rider_cells[i] & area != 0
            and state.rider_owner[i] == seat
            and (kind == ANY_TYPE or state.rider_type[i] == kind)
        ):
            number += 1
    return number


@kernel
def rider_at(state, cell):
    """Slot of the rider that covers ``cell``, or NONE."""
    for i in range(RIDERS):
        if state.rider_cells[i] & bit(cell) != 0:
            return i
    return NONE


@kernel
def type_on_foot(state, cell):
    """Type of the Warrior that stands on foot on ``cell``, or NONE."""
    for kind in range(4):
        if state.warriors[kind] & bit(cell) != 0:
            return kind
    return NONE


@kernel
def type_at(state, cell):
    """Type of the Warrior, on foot or mounted, that occupies ``cell``, or NONE."""
    i = rider_at(state, cell)
    if i != NONE:
        return state.rider_type[i]
    return type_on_foot(state, cell)


@kernel
def owner_at(state, cell):
    """Seat of the Warrior, on foot or mounted, that occupies ``cell``, or NOBODY."""
    i = rider_at(state, cell)
    if i != NONE:
        return state.rider_owner[i]
    for seat in range(SEATS):
        if state.owned[seat] & bit(cell) != 0:
            return seat
    return NOBODY


@kernel
def spaces_of_warrior_at(state, cell):
    """Set of the spaces that the Warrior on ``cell`` occupies: three for a rider."""
    i = rider_at(state, cell)
    if i != NONE:
        return state.rider_cells[i]
    return bit(cell)


@kernel
def faced_cell(state, i):
    """Space that archer ``i`` faces, NO_CELL for an unused slot.  The facing stays, whoever comes and goes (R15)."""
    if state.archer_cell[i] == NO_CELL:
        return NO_CELL
    return NEIGHBOUR[state.archer_cell[i], state.archer_facing[i]]


@kernel
def archers_for(state, seat, area, kind):
    """Number of archers that face a Warrior of ``seat`` which itself counts among ``area`` and ``kind`` (R23)."""
    number = 0
    for i in range(ARCHERS):
        cell = faced_cell(state, i)
        if (
            cell != NO_CELL
            and owner_at(state, cell) == seat
            and spaces_of_warrior_at(state, cell) & area != 0
            and (kind == ANY_TYPE or type_at(state, cell) == kind)
        ):
            number += 1
    return number


@kernel
def put_on_foot(state, seat, kind, cell):
    state.warriors[kind] |= bit(cell)
    state.owned[seat] |= bit(cell)
    state.occupied |= bit(cell)


@kernel
def lift_off(state, seat, kind, cell):
    """Take a Warrior on foot off its space."""
    state.warriors[kind] &= ~bit(cell)
    state.owned[seat] &= ~bit(cell)
    state.occupied &= ~bit(cell)


@kernel
def put_rider(state, seat, kind, cell, direction):
    """Enter a rider into the sorted list; its Warrior must have been lifted off before."""
    i = RIDERS - 1
    while i > 0 and (state.rider_cell[i - 1] == NO_CELL or state.rider_cell[i - 1] > cell):
        state.rider_cell[i] = state.rider_cell[i - 1]
        state.rider_direction[i] = state.rider_direction[i - 1]
        state.rider_type[i] = state.rider_type[i - 1]
        state.rider_owner[i] = state.rider_owner[i - 1]
        state.rider_cells[i] = state.rider_cells[i - 1]
        i -= 1
    state.rider_cell[i] = cell
    state.rider_direction[i] = direction
    state.rider_type[i] = kind
    state.rider_owner[i] = seat
    state.rider_cells[i] = bit(cell) | HORSE_CELLS[cell, direction]
    state.occupied |= state.rider_cells[i]


@kernel
def put_archer(state, cell, facing):
    """Enter an archer into the sorted list."""
    i = ARCHERS - 1
    while i > 0 and (state.archer_cell[i - 1] == NO_CELL or state.archer_cell[i - 1] > cell):
        state.archer_cell[i] = state.archer_cell[i - 1]
        state.archer_facing[i] = state.archer_facing[i - 1]
        i -= 1
    state.archer_cell[i] = cell
    state.archer_facing[i] = facing
    state.occupied |= bit(cell)
