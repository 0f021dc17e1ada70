"""Building Specialists.  Rulebook: Specialist Statues; rulings R7, R8, R14, R15, R17."""

from __future__ import annotations

from ..kernel import kernel
from .geometry import HORSE_CELLS, NEIGHBOUR, NO_CELL, beside, bit, lowest
from .mausoleum import empty_cells, lift_off, put_archer, put_rider, type_on_foot, warrior_cells
from .state import SPECIALISTS_PER_TYPE, Decision, Space, Specialist


@kernel
def specialist_cost(state, specialist):
    """Coins for the next figure of this type; call it only while one is left."""
    return state.specialist_cost[SPECIALISTS_PER_TYPE - state.specialists[specialist]]


@kernel
def can_build(state, specialist):
    """A figure is left, the coins suffice, its Weapon is active and it can be placed (R7)."""
    seat = state.to_move
    if state.specialists[specialist] == 0 or state.weapons[seat, state.specialist_weapon[specialist]] == 0:
        return False
    if state.coins[seat] < specialist_cost(state, specialist):
        return False
    if specialist == Specialist.HORSE:
        return options_horse_rider(state) != 0
    if specialist == Specialist.ARCHER:
        return options_archer_cell(state) != 0
    return empty_cells(state) != 0


@kernel
def build(state, specialist):
    """Pay Coins and Weapon and ask where the figure goes; it leaves the display when it is placed."""
    seat = state.to_move
    state.coins[seat] -= specialist_cost(state, specialist)
    state.weapons[seat, state.specialist_weapon[specialist]] = 0
    if specialist == Specialist.HORSE:
        state.decision = Decision.HORSE_RIDER
    elif specialist == Specialist.ARCHER:
        state.decision = Decision.ARCHER_CELL
    else:
        state.decision = Decision.SPECIALIST_CELL


@kernel
def horse_directions(state, cell):
    """Directions in which the two spaces after ``cell`` exist and are empty, as a set of 0..3."""
    directions = 0
    for direction in range(4):
        two = HORSE_CELLS[cell, direction]
        if two != 0 and two & state.occupied == 0:
            directions |= 1 << direction
    return directions


@kernel
def options_horse_rider(state):
    """The seat's Warriors on foot with room for a Horse in some direction (R14)."""
    riders = 0
    rest = state.owned[state.to_move] & beside(empty_cells(state))
    while rest != 0:
        cell = lowest(rest)
        if horse_directions(state, cell) != 0:
            riders |= bit(cell)
        rest &= rest - 1
    return riders


@kernel
def apply_horse_rider(state, cell):
    state.chosen_cell = cell
    state.decision = Decision.HORSE_DIRECTION


@kernel
def options_horse_direction(state):
    return horse_directions(state, state.chosen_cell)


@kernel
def apply_horse_direction(state, direction):
    cell = state.chosen_cell
    kind = type_on_foot(state, cell)
    lift_off(state, state.to_move, kind, cell)
    put_rider(state, state.to_move, kind, cell, direction)
    state.specialists[Specialist.HORSE] -= 1
    state.decision = Decision.ACTION_DONE


@kernel
def options_archer_cell(state):
    """Empty spaces orthogonally beside a Warrior of any seat (R15)."""
    return empty_cells(state) & beside(warrior_cells(state))


@kernel
def apply_archer_cell(state, cell):
    state.chosen_cell = cell
    state.decision = Decision.ARCHER_FACING


@kernel
def options_archer_facing(state):
    """Directions in which a Warrior stands next to the archer's space."""
    warriors = warrior_cells(state)
    directions = 0
    for direction in range(4):
        cell = NEIGHBOUR[state.chosen_cell, direction]
        if cell != NO_CELL and warriors & bit(cell) != 0:
            directions |= 1 << direction
    return directions


@kernel
def apply_archer_facing(state, direction):
    put_archer(state, state.chosen_cell, direction)
    state.specialists[Specialist.ARCHER] -= 1
    state.decision = Decision.ACTION_DONE


@kernel
def apply_specialist_cell(state, cell):
    """Put the Footman or Musician, whichever the Outer Ring shows here, on ``cell`` (R17)."""
    if state.outer[state.segment] == Space.SPECIALIST + Specialist.FOOTMAN:
        state.footmen |= bit(cell)
        state.specialists[Specialist.FOOTMAN] -= 1
    else:
        state.musicians |= bit(cell)
        state.specialists[Specialist.MUSICIAN] -= 1
    state.occupied |= bit(cell)
    state.decision = Decision.ACTION_DONE
