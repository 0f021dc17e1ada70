"""Entry points from Python into the compiled verbs: each takes an array of records and an index.

Calling a kernel with (array, index) costs a tenth of calling it with a single record.  All are generic: they are
specialised for each game by the type of ``states``.
"""

from __future__ import annotations

from . import game as verbs
from .kernel import kernel


@kernel
def reset_at(states, i, players, seed):
    verbs.reset(states[i], players, seed)


@kernel
def legal_at(states, i, mask):
    return verbs.legal(states[i], mask)


@kernel
def apply_at(states, i, action):
    verbs.apply(states[i], action)


@kernel
def step_at(states, i, action, mask):
    """Apply a legal action, write the next mask, return the seat to act (NOBODY when over)."""
    verbs.apply(states[i], action)
    verbs.legal(states[i], mask)
    return verbs.to_act(states[i])


@kernel
def to_act_at(states, i):
    return verbs.to_act(states[i])


@kernel
def is_over_at(states, i):
    return verbs.is_over(states[i])


@kernel
def returns_at(states, i, out):
    verbs.returns(states[i], out)


@kernel
def observe_at(states, i, seat, out):
    verbs.observe(states[i], seat, out)


@kernel
def ledger_at(states, i, seat, out):
    return verbs.ledger(states[i], seat, out)


@kernel
def points_at(states, i, players, scratch, out):
    """Write the points of each seat into ``out``, shape ``(P,)``; ``scratch`` has one place for each source."""
    for seat in range(players):
        out[seat] = verbs.ledger(states[i], seat, scratch)
