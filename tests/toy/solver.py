"""The truth about Orchard by trying everything: the max^n solution of any position, in plain Python.

max^n: at every decision the seat to move takes what is best for itself.  Where several actions are equally good for it,
the choice still matters to the others, so the solution depends on how ties are broken: ``values`` takes the lowest
action id, and ``clear`` tells whether any other way would lead to another best action.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from terracotta_env.position import Position

from . import GAME


@dataclass(frozen=True)
class Solution:
    """What perfect play leads to from one position.

    Attributes:
        values: shape ``(n,)``, payoff of each seat.
        best: an action that achieves it for the seat to move; None when the game is over.
        clear: ``best`` is the only best action, however ties are broken here and later.
        low, high: shape ``(n,)``, bounds of ``values`` over all ways of breaking ties.
    """

    values: np.ndarray
    best: int | None
    clear: bool
    low: np.ndarray
    high: np.ndarray


def solve(position: Position | int, players: int = 3, known: dict[bytes, Solution] | None = None) -> Solution:
    """Solve a position, or the opening that a seed draws for ``players``; ``known`` keeps solutions between calls."""
    if not isinstance(position, Position):
        position = Position.from_seed(GAME, players, position)
    known = {} if known is None else known
    key = position.key()
    if key not in known:
        known[key] = _solve(position, known)
    return known[key]


def _solve(position: Position, known: dict[bytes, Solution]) -> Solution:
    mover = position.to_act
    if mover is None:
        payoffs = position.returns()
        return Solution(payoffs, None, True, payoffs, payoffs)
    actions = [int(action) for action in np.flatnonzero(position.mask())]
    replies = [solve(position.clone().play(action), known=known) for action in actions]
    best = max(range(len(actions)), key=lambda i: float(replies[i].values[mover]))
    # every action that some way of breaking ties could make a best one
    sure = max(reply.low[mover] for reply in replies)
    chosen = [reply for reply in replies if reply.high[mover] >= sure]
    low = np.min([reply.low for reply in chosen], axis=0)
    low[mover] = sure  # the mover never gets less than its surest action gives
    high = np.max([reply.high for reply in chosen], axis=0)
    return Solution(replies[best].values, actions[best], len(chosen) == 1, low, high)
