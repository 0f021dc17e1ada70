"""Many games at once: the verbs over chosen rows of one array of records, into buffers that the caller owns.

``rows`` is an int64 array of indices into ``states``; outputs are indexed by place in ``rows``.  Letters: R =
len(rows). Nothing is checked: actions must be legal, rows in range.
"""

from __future__ import annotations

from . import game as verbs
from .kernel import kernel


@kernel
def reset_rows(states, rows, players, seeds):
    """Begin a new game in each row; ``seeds`` shape ``(R,)`` uint64."""
    for k in range(rows.shape[0]):
        verbs.reset(states[rows[k]], players, seeds[k])


@kernel
def apply_rows(states, rows, actions):
    """Do ``actions[k]`` in row ``rows[k]``."""
    for k in range(rows.shape[0]):
        verbs.apply(states[rows[k]], actions[k])


@kernel
def to_act_rows(states, rows, out):
    """Write the seat to act of each row, NOBODY where over; ``out`` shape ``(R,)``."""
    for k in range(rows.shape[0]):
        out[k] = verbs.to_act(states[rows[k]])


@kernel
def legal_rows(states, rows, masks):
    """Write the masks, shape ``(R, A)``."""
    for k in range(rows.shape[0]):
        verbs.legal(states[rows[k]], masks[k])


@kernel
def observe_rows(states, rows, seats, out):
    """Write the observation of ``seats[k]`` in row ``rows[k]``, ``out`` shape ``(R, F)`` float32."""
    for k in range(rows.shape[0]):
        verbs.observe(states[rows[k]], seats[k], out[k])


@kernel
def points_rows(states, rows, players, scratch, out):
    """Write the points by seat, ``out`` shape ``(R, P)``; ``scratch`` has one place for each source."""
    for k in range(rows.shape[0]):
        for seat in range(players):
            out[k, seat] = verbs.ledger(states[rows[k]], seat, scratch)


@kernel
def returns_rows(states, rows, out):
    """Write the final payoffs by seat, ``out`` shape ``(R, P)``."""
    for k in range(rows.shape[0]):
        verbs.returns(states[rows[k]], out[k])


@kernel
def random_rows(states, rows, uniforms, mask, actions):
    """Write a random legal action of each row; ``uniforms`` shape ``(R,)`` in [0, 1), ``mask`` scratch ``(A,)``."""
    for k in range(rows.shape[0]):
        chosen = int(uniforms[k] * verbs.legal(states[rows[k]], mask))
        for action in range(mask.shape[0]):
            if mask[action] == 1:
                if chosen == 0:
                    actions[k] = action
                    break
                chosen -= 1
