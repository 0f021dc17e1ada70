"""A sequential test between two agents: play on until it is clear which of two strengths the difference has.

The unit is a setup with all its games, for these depend on each other; its score is the mean over all pairs of seats
with one agent in each: 1 where the first agent ranks before the second, 1/2 for a tie.  The test is the generalised
sequential probability ratio test of expected scores ``s(elo0)`` and ``s(elo1)``, ``s(x) = 1 / (1 + 10^(-x/400))``:
the log-likelihood ratio is that of the two distributions that fit the scores seen best among those with either mean.
With it the chances of a wrong decision are about ``alpha`` and ``beta``.

Setups count in the order of their numbers, whichever ends first, so the decision does not depend on the number of
processes, and an interrupted test goes on to the same end.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.optimize import brentq

from .schedule import ArenaError

FIRST_LOOK: Final = 8  # setups before which nothing is decided: so few scores do not show their spread
_UNSEEN: Final = 1e-3  # setups that are taken to have ended 0 and 1: a likelihood exists from the first one on


@dataclass(frozen=True)
class Sprt:
    """What is tested, in Elo of the first agent over the second.

    Attributes:
        elo0, elo1: the smaller and the larger difference.
        alpha: chance to find ``elo1`` where the truth is ``elo0``.
        beta: chance to find ``elo0`` where the truth is ``elo1``.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ArenaError(f"sprt: expected the smaller difference first, got {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ArenaError(f"sprt: alpha and beta must lie between 0 and 0.5, got {self.alpha:g} and {self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which ``elo0`` and ``elo1`` are taken."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, scores: Sequence[float]) -> float:
        """Log-likelihood ratio of ``elo1`` over ``elo0``."""
        values, counts = np.unique(np.array([0.0, 1.0, *scores]), return_counts=True)
        weights = counts.astype(float)
        weights[[0, -1]] += _UNSEEN - 1
        return _log_likelihood(values, weights, score_of(self.elo1)) - _log_likelihood(
            values, weights, score_of(self.elo0)
        )


def score_of(elo: float) -> float:
    """Expected score of an agent that is ``elo`` stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _log_likelihood(values: np.ndarray, weights: np.ndarray, mean: float) -> float:
    """Log-likelihood of the best distribution on ``values`` with this mean, up to a constant.

    It gives value a the share ``p(a) / (1 + x (a - mean))``, p being the share seen and x such that the mean is right.
    """
    away = values - mean
    low, high = -1 / away.max(), -1 / away.min()
    edge = 1e-9 * (high - low)
    x = brentq(lambda x: float((weights * away / (1 + x * away)).sum()), low + edge, high - edge, xtol=1e-14)
    return -float((weights * np.log1p(x * away)).sum())


class Watch:
    """Follows the games of two agents and says when the test is decided.

    Args:
        test: what is tested.
        first: label of the agent in whose favour ``elo1`` speaks.
        games: number of games of each setup.

    Attributes:
        scores: of the setups that count so far, in order.
        ratio: log-likelihood ratio now.
        verdict: ``elo0`` or ``elo1`` once decided.
    """

    def __init__(self, test: Sprt, first: str, games: int) -> None:
        self.test, self.first, self.games = test, first, games
        self.scores: list[float] = []
        self.ratio = 0.0
        self.verdict: str | None = None
        self._waiting: dict[int, dict[str, tuple[float, int]]] = defaultdict(dict)

    def add(self, result: Mapping[str, Any]) -> None:
        """One more game, in any order."""
        self._waiting[result["setup"]][result["game"]] = game_score(result, self.first)
        while self.verdict is None and len(self._waiting.get(len(self.scores), ())) == self.games:
            games = self._waiting.pop(len(self.scores)).values()
            self.scores.append(sum(score for score, _ in games) / sum(pairs for _, pairs in games))
            self.ratio = self.test.llr(self.scores)
            low, high = self.test.bounds
            if len(self.scores) >= FIRST_LOOK and not low < self.ratio < high:
                self.verdict = "elo1" if self.ratio >= high else "elo0"

    def as_json(self) -> dict[str, Any]:
        """For the report."""
        low, high = self.test.bounds
        return {
            "first": self.first,
            "setups": len(self.scores),
            "score": float(np.mean(self.scores)) if self.scores else None,
            "llr": self.ratio,
            "low": low,
            "high": high,
            "verdict": self.verdict,
        }


def game_score(result: Mapping[str, Any], first: str) -> tuple[float, int]:
    """Sum of the scores of ``first`` against the other agent in one game, and the number of pairs of seats."""
    ranks, agents = result["ranks"], result["agents"]
    own = [rank for rank, agent in zip(ranks, agents) if agent == first]
    others = [rank for rank, agent in zip(ranks, agents) if agent != first]
    total = sum(float(a < b) + (a == b) / 2 for a in own for b in others)
    return total, len(own) * len(others)
