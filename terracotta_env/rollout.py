"""Rollout policies: players that decide inside kernels, so that whole games run without Python.

A rollout policy is a record of its parameters and one compiled function, ``choose(policy, state, mask, uniform)``.  As
with games (see :mod:`terracotta_env.game`) shared kernels find the function by the type of the record, are specialised
while compiling and cached on disk.  Bots register theirs where they live; the uniform one is here.

Random numbers are 64-bit splitmix states that the caller hands in, one for each game, so the result of a game does not
depend on what is played beside it.  Letters: R = len(rows), A actions, P seats, K sources of points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numba.core import types
from numba.extending import overload
from numba.np import numpy_support

from . import game as verbs
from .generator import advance, unit
from .kernel import compiled_from, kernel


@dataclass(frozen=True)
class Rollout:
    """A rollout policy.

    Attributes:
        name, version: as records and ratings name the bot.
        parameters: shape ``(1,)``, a structured array with the parameters the kernel reads; read-only.
        choose: kernel ``(policy, state, mask, uniform) -> action``: a legal action for a record ``state`` that is not
            over; ``mask`` is scratch of shape ``(A,)``, ``uniform`` a number in [0, 1).
    """

    name: str
    version: int
    parameters: np.ndarray
    choose: Callable[..., Any]


_BY_DTYPE: dict[Any, Rollout] = {}


def register_rollout(rollout: Rollout) -> Rollout:
    """Enter a policy into the table.  Two policies with the same fields would be one type to Numba: refused."""
    key = numpy_support.from_dtype(rollout.parameters.dtype)
    for dtype, other in _BY_DTYPE.items():
        if numpy_support.from_dtype(dtype) == key:
            raise ValueError(
                f"the parameters of {rollout.name!r} have the same fields as those of {other.name!r}, and compiled "
                "code could not tell them apart: rename a field"
            )
    rollout.parameters.setflags(write=False)
    _BY_DTYPE[rollout.parameters.dtype] = rollout
    compiled_from(key, rollout.choose)
    return rollout


def find_rollout(name: str) -> Rollout:
    """The registered policy of that name; raises ``ValueError`` naming those that are."""
    for rollout in _BY_DTYPE.values():
        if rollout.name == name:
            return rollout
    known = ", ".join(rollout.name for rollout in _BY_DTYPE.values())
    raise ValueError(f"no roll-out policy {name!r}: known are {known}")


def choose(policy: Any, state: verbs.State, mask: np.ndarray, uniform: float) -> int:
    """The action of a rollout policy; see :attr:`Rollout.choose`."""
    action: int = _BY_DTYPE[policy.dtype].choose(policy, state, mask, uniform)
    return action


@overload(choose)
def _choose(policy, state, mask, uniform):
    if isinstance(policy, types.Record):
        for dtype, rollout in _BY_DTYPE.items():
            if numpy_support.from_dtype(dtype) == policy:
                function = rollout.choose
                return lambda policy, state, mask, uniform: function(policy, state, mask, uniform)
    return None


@kernel
def nth_legal(mask, n):
    """The ``n``-th legal action of a mask, counted from 0."""
    action = -1
    left = n
    while left >= 0:
        action += 1
        left -= mask[action]
    return action


@kernel
def uniform_choice(policy, state, mask, uniform):
    """Any legal action with equal chances."""
    return nth_legal(mask, int(uniform * verbs.legal(state, mask)))


UNIFORM: Final = register_rollout(
    Rollout("random", 1, np.zeros(1, np.dtype((np.record, [("uniform_policy", "i8")]))), uniform_choice)
)


@kernel
def choose_at(policies, states, i, mask, uniform):
    """:func:`choose` for Python callers: the policy's ``parameters`` and ``states[i]``."""
    return choose(policies[0], states[i], mask, uniform)


@kernel
def play_out(policy, state, mask, generator, limit):
    """Play one record with one policy in every seat to its end, or for ``limit`` decisions.

    Returns the decisions taken and the generator's next state.
    """
    decisions = 0
    while decisions < limit and not verbs.is_over(state):
        generator = advance(generator)
        verbs.apply(state, choose(policy, state, mask, unit(generator)))
        decisions += 1
    return decisions, generator
