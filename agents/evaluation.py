"""What an agent may tell about a position beside its move, for analysis and pictures; torch is not needed to ask."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from terracotta_env.position import Position


class Evaluation(NamedTuple):
    """What an agent thinks of a position.  Letters: L legal actions, n players.

    Attributes:
        actions: ``(L,)`` int64, the ids of all legal actions, ascending.
        probabilities: ``(L,)`` float64, how likely it would choose each; they sum to 1.
        ranks: ``(n,)`` float64 by seat of the table, expected payoff of the final ranking in [-1, 1]; None from agents
            without values.
        margins: ``(n,)`` float64 by seat of the table, expected final points less the mean of the others'; None too.
    """

    actions: np.ndarray
    probabilities: np.ndarray
    ranks: np.ndarray | None
    margins: np.ndarray | None


@runtime_checkable
class Evaluator(Protocol):
    """A policy that can evaluate; asking changes neither its memory nor its random numbers."""

    def evaluate(self, position: Position) -> Evaluation:
        """Evaluate a position that is not over, for the seat to act.

        Raises:
            ValueError: the game is over, or what the agent thinks with has broken.
        """
