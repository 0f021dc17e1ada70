"""Loops over the verbs alone, compiled: what one verb costs, and whole games on any commit of the engine.

Nothing newer than the verbs is called here: `make bench-guard` runs this file on old commits too.
"""

from __future__ import annotations

import numpy as np

from terracotta_env import game as verbs
from terracotta_env.kernel import kernel


@kernel
def following(number):
    """The next number of a 64-bit xorshift generator; never 0."""
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    return number


@kernel
def unit_of(number):
    """A number in [0, 1) from the top 53 bits."""
    return np.float64(number >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def nth_of(mask, n):
    """The n-th legal action, counted from 0."""
    for action in range(mask.shape[0]):
        if mask[action]:
            if n == 0:
                return action
            n -= 1
    return -1


@kernel
def random_games(states, players, games, mask, number):
    """Whole games of uniform play in ``states[0]``, the mask written at every decision: decisions, next number."""
    decisions = 0
    for _ in range(games):
        number = following(number)
        verbs.reset(states[0], players, number)
        while not verbs.is_over(states[0]):
            number = following(number)
            legal = verbs.legal(states[0], mask)
            verbs.apply(states[0], nth_of(mask, int(unit_of(number) * legal)))
            decisions += 1
    return decisions, number


@kernel
def scatter(states, players, most, mask, number):
    """Begin a game in every record and play it for 0 to ``most`` random decisions, never to its end."""
    for i in range(states.shape[0]):
        number = following(number)
        verbs.reset(states[i], players, number)
        number = following(number)
        for _ in range(int(unit_of(number) * (most + 1))):
            number = following(number)
            verbs.apply(states[i], nth_of(mask, int(unit_of(number) * verbs.legal(states[i], mask))))
            if verbs.is_over(states[i]):
                verbs.reset(states[i], players, number)


@kernel
def clones(states, times):
    """Copy each record over the next one, round and round."""
    n = states.shape[0]
    for k in range(times):
        states[(k + 1) % n] = states[k % n]


@kernel
def masks(states, times, mask):
    """Write the mask of each record in turn; the sum keeps the compiler honest."""
    total = 0
    for k in range(times):
        total += verbs.legal(states[k % states.shape[0]], mask)
    return total
