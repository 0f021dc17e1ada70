"""Entry points from Python into the compiled verbs: each takes an array of records and an index.

Calling a kernel with (array, index) costs a tenth of calling it with a single record.  All are generic: they are
specialised for each game by the type of ``states``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from . import game as verbs
from .kernel import kernel, machine_code


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


class Direct(NamedTuple):
    """What a step of the single-game views calls, as machine code: int64 numbers, int8 masks, float32 observations."""

    step: Callable[..., Any]  # step_at
    observe: Callable[..., Any]  # observe_at


@cache
def direct(game: verbs.Game) -> Direct:
    """Machine code of one game, compiled or loaded at the first call."""
    states, mask = game.make_states(1), np.zeros(game.actions, np.int8)
    vector = np.zeros(game.observation_size, np.float32)
    return Direct(machine_code(step_at, states, 0, 0, mask), machine_code(observe_at, states, 0, 0, vector))
