"""Actions of the Inner Ring and the plain ones of the other rings.  Rulebook: Ring Actions; rulings R7-R10.

Masters (masters.py) and Specialists (specialists.py) have chapters of their own.  ``can_x`` says whether performing
would change the state and can be completed; ``perform_x`` does it and leaves in ``decision`` what is asked next.
"""

from __future__ import annotations

from ..kernel import kernel
from .state import QUARTERS, SEGMENTS, Decision, Space, Weapon, Worker
from .warriors import can_place_warrior
from .wheel import acting_slot, inner_index

SEGMENTS_PER_QUARTER = SEGMENTS // QUARTERS
WEAPONS = len(Weapon)


@kernel
def can_inner(state):
    """Can the action that the Inner Ring shows on the worker's segment be performed?"""
    index = inner_index(state, state.segment)
    space = state.inner[index]
    if space == Space.WARRIOR:
        return state.wet[state.to_move] >= state.inner_amount[index] and can_place_warrior(state)
    if space == Space.SOAK:
        return state.dry[state.to_move] > 0
    if space == Space.UPGRADE:
        return (
            state.worker_kind[state.segment, acting_slot(state)] == Worker.CRAFTSMAN
            and state.artisans_in_supply[state.to_move] > 0
        )
    return True  # coins or clay


@kernel
def perform_inner(state):
    seat = state.to_move
    index = inner_index(state, state.segment)
    space, amount = state.inner[index], state.inner_amount[index]
    state.decision = Decision.ACTION_DONE
    if space == Space.WARRIOR:
        state.wet[seat] -= amount
        state.warehouses[state.segment // SEGMENTS_PER_QUARTER] += 1
        state.decision = Decision.WARRIOR_TYPE
    elif space == Space.SOAK:
        state.wet[seat] += state.dry[seat]
        state.dry[seat] = 0
    elif space == Space.UPGRADE:
        state.worker_kind[state.segment, acting_slot(state)] = Worker.ARTISAN
        state.artisans_in_supply[seat] -= 1
    elif space == Space.COINS:
        state.coins[seat] += amount
    else:
        state.wet[seat] += amount


@kernel
def can_priority(state):
    """A token is left (``1`` to ``players - 1`` are in play) and the seat holds none."""
    return state.priority[state.to_move] == 0 and state.priority_next < state.players


@kernel
def perform_priority(state):
    """Take the topmost Priority token and the Wet Clay printed on it."""
    token = state.priority_next
    state.priority[state.to_move] = token
    state.wet[state.to_move] += state.priority_clay[token - 1]
    state.priority_next += 1
    state.decision = Decision.ACTION_DONE


@kernel
def can_ready(state, weapon):
    return state.weapons[state.to_move, weapon] == 0


@kernel
def perform_ready(state, weapon):
    state.weapons[state.to_move, weapon] = 1
    state.decision = Decision.ACTION_DONE


@kernel
def ready_all(state):
    for weapon in range(WEAPONS):
        state.weapons[state.to_move, weapon] = 1
