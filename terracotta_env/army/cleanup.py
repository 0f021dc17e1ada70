"""Cleanup Phase.  Rulebook: Cleanup Phase; ruling R26."""

from __future__ import annotations

from ..kernel import kernel
from .state import CLAY_PROTECTING, NOBODY, SEATS, Decision, Master
from .wheel import take_workers_home, turn_inner, turn_middle

MASTERS = len(Master)


@kernel
def update_turn_order(state):
    """Holders of Priority tokens come first by number, the rest keep their order; the tokens go back to the stack."""
    old = (state.turn_order[0], state.turn_order[1], state.turn_order[2], state.turn_order[3])
    place = 0
    for number in range(1, SEATS):
        for seat in range(state.players):
            if state.priority[seat] == number:
                state.turn_order[place] = seat
                place += 1
    for seat in old:
        if seat != NOBODY and state.priority[seat] == 0:
            state.turn_order[place] = seat
            place += 1
    for seat in range(SEATS):
        state.priority[seat] = 0
    state.priority_next = 1


@kernel
def protected_clay(state, seat):
    """How many Wet Clay the seat's Masters keep wet."""
    protected = 0
    for master in CLAY_PROTECTING:
        if state.masters[seat, master] > 0:
            protected += 1
    return protected


@kernel
def dry_clay(state):
    for seat in range(state.players):
        drying = max(state.wet[seat] - protected_clay(state, seat), 0)
        state.wet[seat] -= drying
        state.dry[seat] += drying


@kernel
def pay_masters(state):
    """1 Coin for every owned Master that does not protect clay."""
    for seat in range(state.players):
        owned = 0
        for master in range(MASTERS):
            if state.masters[seat, master] > 0:
                owned += 1
        state.coins[seat] += owned - protected_clay(state, seat)


@kernel
def clean_up(state):
    """Steps 1-3, which happen in round 5 too."""
    update_turn_order(state)
    dry_clay(state)
    pay_masters(state)


@kernel
def begin_turn(state, seat):
    state.to_move = seat
    state.decision = Decision.ROTATE


@kernel
def next_round(state):
    """Step 5: workers go home, the rings turn, the Round marker advances."""
    take_workers_home(state)
    turn_inner(state)
    turn_middle(state)
    state.game_round += 1
    begin_turn(state, state.turn_order[0])
