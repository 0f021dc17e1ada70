"""The verbs over chosen rows of one array of records, into buffers that the caller owns.

``rows`` is an int64 array of indices into ``states``; everything else is indexed by place in ``rows``, so a slice of
all arguments is a part of the work.  Letters: R = len(rows), A actions, F observation numbers, P seats, K sources of
points.  Nothing is checked: actions must be legal, rows in range; :class:`terracotta_env.batch.Batch` checks.
"""

from __future__ import annotations

import numpy as np

from . import game as verbs
from . import rollout
from .generator import advance, below, unit
from .kernel import kernel

_BOARDS = np.uint64(0xB0A2D5B0A2D5B0A2)  # turns a game's seed into one for the draw of its board, apart from its setup


@kernel
def reset_rows(states, rows, players, seeds):
    """Begin a new game in each row; ``players`` and ``seeds`` shape ``(R,)``, int64 and uint64."""
    for k in range(rows.shape[0]):
        verbs.reset(states[rows[k]], players[k], seeds[k])


@kernel
def begin_rows(boards, states, rows, players, seeds):
    """Like :func:`reset_rows`, each on printed data drawn from ``boards`` (records) by its seed."""
    for k in range(rows.shape[0]):
        states[rows[k]] = boards[below(advance(seeds[k] ^ _BOARDS), boards.shape[0])]
        verbs.reset(states[rows[k]], players[k], seeds[k])


@kernel
def apply_rows(states, rows, actions):
    """Do ``actions[k]`` in row ``rows[k]``."""
    for k in range(rows.shape[0]):
        verbs.apply(states[rows[k]], actions[k])


@kernel
def illegal_rows(states, rows, actions, mask, out):
    """Write whether ``actions[k]`` is not legal in row ``rows[k]``; ``out`` shape ``(R,)`` bool, ``mask`` scratch."""
    for k in range(rows.shape[0]):
        verbs.legal(states[rows[k]], mask)
        action = actions[k]
        out[k] = action < 0 or action >= mask.shape[0] or mask[action] == 0


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
    """Write the observation of ``seats[k]`` in row ``rows[k]``, ``out`` shape ``(R, F)`` float32 or int8."""
    for k in range(rows.shape[0]):
        verbs.observe(states[rows[k]], seats[k], out[k])


@kernel
def ledger_rows(states, rows, seats, out):
    """Write the points of ``seats[k]`` by source, ``out`` shape ``(R, K)``."""
    for k in range(rows.shape[0]):
        verbs.ledger(states[rows[k]], seats[k], out[k])


@kernel
def points_rows(states, rows, scratch, out):
    """Write the points by seat, 0 for absent seats, ``out`` shape ``(R, P)``; ``scratch`` shape ``(K,)``."""
    for k in range(rows.shape[0]):
        state = states[rows[k]]
        for seat in range(out.shape[1]):
            out[k, seat] = verbs.ledger(state, seat, scratch) if seat < state.players else 0


@kernel
def returns_rows(states, rows, out):
    """Write the final payoffs by seat, ``out`` shape ``(R, P)``."""
    for k in range(rows.shape[0]):
        verbs.returns(states[rows[k]], out[k])


@kernel
def act_rows(policies, states, rows, uniforms, mask, actions):
    """Write the action of a rollout policy (its ``parameters``) in each row.

    ``uniforms`` shape ``(R,)`` in [0, 1), ``mask`` scratch of shape ``(A,)``.
    """
    for k in range(rows.shape[0]):
        actions[k] = rollout.choose(policies[0], states[rows[k]], mask, uniforms[k])


@kernel
def play_out_rows(policies, states, rows, generators, mask, limit, decisions):
    """Play each row with one rollout policy in all seats to its end, or for ``limit`` decisions.

    ``generators`` shape ``(R,)`` uint64 are drawn from and moved on, ``decisions`` shape ``(R,)`` int64 receives the
    numbers of decisions taken, ``mask`` is scratch of shape ``(A,)``.
    """
    for k in range(rows.shape[0]):
        decisions[k], generators[k] = rollout.play_out(policies[0], states[rows[k]], mask, generators[k], limit)


@kernel
def play_until_rows(policies, states, rows, seats, generators, mask, decisions):
    """Play each row with one rollout policy until its seat is to act, or to its end.

    ``seats``, ``generators`` (uint64, moved on) and ``decisions`` (counted on) have an entry for each record of
    ``states``, not of ``rows``; ``mask`` is scratch of shape ``(A,)``.
    """
    for k in range(rows.shape[0]):
        row = rows[k]
        state, generator = states[row], generators[row]
        while True:
            seat = verbs.to_act(state)
            if seat == seats[row] or seat == verbs.NOBODY:
                break
            generator = advance(generator)
            verbs.apply(state, rollout.choose(policies[0], state, mask, unit(generator)))
            decisions[row] += 1
        generators[row] = generator
