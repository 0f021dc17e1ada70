"""Shares and means with 95 % intervals, where games on one setup depend on each other.

A cluster is a setup with all its games.  A mean is the ratio of two sums over clusters; its standard error is that of a
ratio estimate, with Student's t for the number of clusters.  A share has Wilson's interval instead, which stays within
0 and 1 and is right for extreme shares; the number of games in it is divided by the design effect, the variance that
the clusters show over that of independent games.  The effect is taken to be at least 1: an interval never gets narrower
than that of independent games.  Shares of 0 and 1 show no variance at all: there each cluster counts as one game, for
its games may all be the same one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import t as student

LEVEL: Final = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval; the bounds are nan where one cluster alone shows no spread.

    Attributes:
        value, low, high: the value and its bounds.
        count: number of observations.
    """

    value: float
    low: float
    high: float
    count: int

    def holds(self, value: float) -> bool:
        """Does the interval contain ``value``?"""
        return bool(self.low <= value <= self.high)


def quantile(clusters: int) -> float:
    """Half width of the interval in standard errors."""
    return float(student.ppf((1 + LEVEL) / 2, clusters - 1)) if clusters > 1 else math.nan


def mean(values: np.ndarray, clusters: np.ndarray) -> Estimate:
    """Mean of ``values``, shape ``(N,)``; ``clusters``, shape ``(N,)``, names the cluster of each."""
    if len(values) == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    middle = float(np.mean(values))
    error, number = _error(np.asarray(values, float), clusters, middle)
    half = quantile(number) * error
    return Estimate(middle, middle - half, middle + half, len(values))


def share(wins: np.ndarray, clusters: np.ndarray) -> Estimate:
    """Share of wins, each 0..1 (ties share a win), with Wilson's interval; shapes as in :func:`mean`."""
    if len(wins) == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    middle = float(np.mean(wins))
    error, number = _error(np.asarray(wins, float), clusters, middle)
    if number < 2:
        return Estimate(middle, math.nan, math.nan, len(wins))
    z = quantile(number)
    effective = float(number)
    if 0 < middle < 1:
        effective = len(wins) / max(1.0, error**2 / (middle * (1 - middle) / len(wins)))
    z2 = z**2 / effective
    centre = (middle + z2 / 2) / (1 + z2)
    half = z * math.sqrt(middle * (1 - middle) / effective + z2 / (4 * effective)) / (1 + z2)
    return Estimate(middle, max(0.0, centre - half), min(1.0, centre + half), len(wins))


def _error(values: np.ndarray, clusters: np.ndarray, middle: float) -> tuple[float, int]:
    """Standard error of a mean over unequal clusters, and their number."""
    _, index = np.unique(clusters, return_inverse=True)
    number = int(index.max()) + 1
    if number < 2:
        return math.nan, number
    away = np.bincount(index, values - middle, number)
    return math.sqrt(number / (number - 1) * float((away**2).sum())) / len(values), number
