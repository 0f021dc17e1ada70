"""Making Warriors, and what their Weapons do.  Rulebook: Warrior Statues; rulings R10-R13, R16.

``options_x`` gives what may be chosen as a set of offsets within the block of tokens of that decision (legal.py);
``apply_x`` does the choice.  Payment has happened before the first of these decisions (R8).
"""

from __future__ import annotations

from ..kernel import kernel
from .actions import USE
from .geometry import NEIGHBOUR, NO_CELL, beside, bit
from .inspectors import OFFICER_STEPS
from .mausoleum import empty_cells, lift_off, put_on_foot, type_on_foot
from .state import FIGURES_PER_TYPE, NONE, Decision, Source, Warrior

OFFICER_VP = 1
GUARD_VP = 3
SOLDIER_VP = 1
SOLDIER_COINS = 2


@kernel
def most_figures(state):
    """Largest number of figures left in a column of the Warrior Organizer."""
    most = state.organizer[0]
    for kind in range(1, 4):
        most = max(most, state.organizer[kind])
    return most


@kernel
def can_place_warrior(state):
    """A base, a figure and a space are left (R10)."""
    return state.bases[state.to_move] > 0 and most_figures(state) > 0 and empty_cells(state) != 0


@kernel
def options_warrior_type(state):
    """Every type with figures left."""
    types = 0
    for kind in range(4):
        if state.organizer[kind] > 0:
            types |= 1 << kind
    return types


@kernel
def apply_warrior_type(state, kind):
    state.chosen_type = kind
    state.decision = Decision.WARRIOR_CELL


@kernel
def place_figure(state, cell):
    """Put the bottommost figure of the chosen type, with a base, on ``cell``; return its printed VP."""
    kind = state.chosen_type
    vp = state.organizer_vp[FIGURES_PER_TYPE - state.organizer[kind]]
    state.organizer[kind] -= 1
    state.bases[state.to_move] -= 1
    put_on_foot(state, state.to_move, kind, cell)
    return vp


@kernel
def apply_warrior_cell(state, cell):
    """Place the Warrior and score its row of the Organizer; then its Weapon may be used, if it is active."""
    kind = state.chosen_type
    state.ledger[state.to_move, Source.ORGANIZER] += place_figure(state, cell)
    if state.weapons[state.to_move, kind] == 1:
        state.chosen_cell = cell
        state.decision = Decision.WEAPON
    else:
        state.decision = Decision.ACTION_DONE


@kernel
def apply_weapon(state, choice):
    """Use the Weapon that belongs to the new Warrior, or keep it active."""
    seat, kind = state.to_move, state.chosen_type
    state.decision = Decision.ACTION_DONE
    if choice != USE:
        return
    state.weapons[seat, kind] = 0
    if kind == Warrior.OFFICER:
        state.ledger[seat, Source.OFFICER] += OFFICER_VP
        state.chosen_cell = NO_CELL
        state.decision = Decision.OFFICER_INSPECTOR
    elif kind == Warrior.GUARD:
        state.ledger[seat, Source.GUARD] += GUARD_VP
        state.decision = Decision.GUARD_WARRIOR
    elif kind == Warrior.CROSSBOWMAN:
        state.ledger[seat, Source.CROSSBOWMAN] += crossbowman_vp(state, state.chosen_cell)
    else:
        state.ledger[seat, Source.SOLDIER] += SOLDIER_VP
        state.coins[seat] += SOLDIER_COINS
    state.chosen_type = NONE


@kernel
def crossbowman_vp(state, cell):
    """Most empty spaces between ``cell`` and the nearest statue in one of the four directions that has one (R16)."""
    best = 0
    for direction in range(4):
        gap = 0
        goal = NEIGHBOUR[cell, direction]
        while goal != NO_CELL and state.occupied & bit(goal) == 0:
            gap += 1
            goal = NEIGHBOUR[goal, direction]
        if goal != NO_CELL:
            best = max(best, gap)
    return best


@kernel
def options_officer_inspector(state):
    """One Inspector, one step forward or backward."""
    return OFFICER_STEPS


@kernel
def options_guard_warrior(state):
    """The seat's other Warriors on foot that have an empty space beside them (R7, R12)."""
    return state.owned[state.to_move] & ~bit(state.chosen_cell) & beside(empty_cells(state))


@kernel
def apply_guard_warrior(state, cell):
    """Name the Warrior to move; a negative ``cell`` declines."""
    if cell < 0:
        state.decision = Decision.ACTION_DONE
    else:
        state.chosen_cell = cell
        state.decision = Decision.GUARD_GOAL


@kernel
def options_guard_goal(state):
    """Spaces reached in a straight line through empty spaces."""
    goals = 0
    for direction in range(4):
        goal = NEIGHBOUR[state.chosen_cell, direction]
        while goal != NO_CELL and state.occupied & bit(goal) == 0:
            goals |= bit(goal)
            goal = NEIGHBOUR[goal, direction]
    return goals


@kernel
def apply_guard_goal(state, goal):
    start = state.chosen_cell
    kind = type_on_foot(state, start)
    lift_off(state, state.to_move, kind, start)
    put_on_foot(state, state.to_move, kind, goal)
    state.decision = Decision.ACTION_DONE
