"""The Action Wheel: turning the rings, placing workers.  Rulebook: Action Phase 1 and 2; rulings R2, R9."""

from __future__ import annotations

from ..kernel import kernel
from .actions import ROTATE_INNER, ROTATE_MIDDLE
from .state import NOBODY, NONE, ROTATION_COST, SEGMENTS, Decision, Ring, Worker


@kernel
def inner_index(state, segment):
    """Entry of the Inner Ring's list that lies on a segment now."""
    return (segment - state.inner_offset + SEGMENTS) % SEGMENTS


@kernel
def middle_index(state, segment):
    """Entry of the Middle Ring's list that lies on a segment now."""
    return (segment - state.middle_offset + SEGMENTS) % SEGMENTS


@kernel
def turn_inner(state):
    """One step clockwise: each action moves from segment g to g + 1."""
    state.inner_offset = (state.inner_offset + 1) % SEGMENTS


@kernel
def turn_middle(state):
    """One step counterclockwise: each action moves from segment g to g - 1."""
    state.middle_offset = (state.middle_offset + SEGMENTS - 1) % SEGMENTS


@kernel
def options_rotate(state):
    """Nothing, or either ring for 2 Coins."""
    if state.coins[state.to_move] < ROTATION_COST:
        return 0b001
    return 0b111


@kernel
def apply_rotate(state, choice):
    if choice == ROTATE_INNER:
        state.coins[state.to_move] -= ROTATION_COST
        turn_inner(state)
    elif choice == ROTATE_MIDDLE:
        state.coins[state.to_move] -= ROTATION_COST
        turn_middle(state)
    state.decision = Decision.PLACE


@kernel
def options_place(state):
    """Bits 0-11: a Craftsman on an empty segment; bits 12-23: an Artisan on one with nobody or one Craftsman."""
    craftsman = state.craftsmen[state.to_move] > 0
    artisan = state.artisans[state.to_move] > 0
    places = 0
    for segment in range(SEGMENTS):
        if state.worker_owner[segment, 0] == NOBODY:
            if craftsman:
                places |= 1 << segment
            if artisan:
                places |= 1 << (SEGMENTS + segment)
        elif artisan and state.worker_kind[segment, 0] == Worker.CRAFTSMAN and state.worker_owner[segment, 1] == NOBODY:
            places |= 1 << (SEGMENTS + segment)
    return places


@kernel
def apply_place(state, choice):
    """Stand a worker on a segment; its Inner action comes next."""
    seat = state.to_move
    if choice < SEGMENTS:
        segment, kind = choice, Worker.CRAFTSMAN
        state.craftsmen[seat] -= 1
    else:
        segment, kind = choice - SEGMENTS, Worker.ARTISAN
        state.artisans[seat] -= 1
    slot = 0 if state.worker_owner[segment, 0] == NOBODY else 1
    state.worker_owner[segment, slot] = seat
    state.worker_kind[segment, slot] = kind
    state.segment = segment
    state.ring = Ring.INNER
    state.decision = Decision.RING


@kernel
def acting_slot(state):
    """Place, within the segment being resolved, of the worker that was set last: the one that acts."""
    return 0 if state.worker_owner[state.segment, 1] == NOBODY else 1


@kernel
def take_workers_home(state):
    """Every worker on the wheel returns to its owner's hand."""
    for segment in range(SEGMENTS):
        for slot in range(2):
            owner = state.worker_owner[segment, slot]
            if owner != NOBODY:
                if state.worker_kind[segment, slot] == Worker.ARTISAN:
                    state.artisans[owner] += 1
                else:
                    state.craftsmen[owner] += 1
                state.worker_owner[segment, slot] = NOBODY
                state.worker_kind[segment, slot] = NONE
