"""The verbs of the shared machinery that are not a chapter of their own: whose turn, the end, payoffs, ledger."""

from __future__ import annotations

from ..kernel import kernel
from .endgame import rank_of, victory_points
from .state import SEATS, SOURCES, Decision


@kernel
def to_act(state):
    """Seat that decides now, NOBODY when the game is over."""
    return state.to_move


@kernel
def is_over(state):
    return state.decision == Decision.OVER


@kernel
def returns(state, out):
    """Payoffs by seat, shape ``(4,)``: from 1 to -1 by final rank; zeros before the end and for absent seats."""
    for seat in range(SEATS):
        out[seat] = 0
    if state.decision == Decision.OVER:
        for seat in range(state.players):
            out[seat] = 1 - 2 * rank_of(state, seat) / (state.players - 1)


@kernel
def ledger(state, seat, out):
    """Victory Points of a seat by Source, shape ``(14,)``; returns their sum."""
    for source in range(SOURCES):
        out[source] = state.ledger[seat, source]
    return victory_points(state, seat)
