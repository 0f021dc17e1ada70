"""Shares and means with 95 % intervals, clustered by setup (:mod:`terracotta_agents.arena.stats`), and how they are written."""

from __future__ import annotations

import numpy as np
import pandas as pd
import statsmodels.api as sm

from terracotta_agents.arena.stats import LEVEL, Estimate, mean, share


def share_of(wins: pd.Series, clusters: pd.Series) -> Estimate:
    """Share of wins with Wilson's interval; both of one length, ``clusters`` naming the setup of each."""
    return share(wins.to_numpy(float), clusters.to_numpy())


def mean_of(values: pd.Series, clusters: pd.Series) -> Estimate:
    """Mean with Student's interval."""
    return mean(values.to_numpy(float), clusters.to_numpy())


def slope_of(x: pd.Series, y: pd.Series, clusters: pd.Series) -> Estimate:
    """Slope of the line through the origin that fits ``y`` best, its interval clustered by setup."""
    fit = sm.OLS(y.to_numpy(float), x.to_numpy(float)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters.to_numpy()}, use_t=True
    )
    [[low, high]] = fit.conf_int(1 - LEVEL)
    return Estimate(float(fit.params[0]), float(low), float(high), len(x))


def percent(estimate: Estimate) -> str:
    """``"54.2 % (49.1 % - 59.3 %)"``."""
    low, high = 100 * estimate.low, 100 * estimate.high
    return f"{100 * estimate.value:.1f} % ({low:.1f} % - {high:.1f} %)"


def number(estimate: Estimate, digits: int = 1) -> str:
    """``"12.3 (10.9 - 13.7)"``."""
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} - {estimate.high:.{digits}f})"


def signed(estimate: Estimate, digits: int = 1) -> str:
    """``"+12.3 (+10.9 .. +13.7)"``."""
    return f"{estimate.value:+.{digits}f} ({estimate.low:+.{digits}f} .. {estimate.high:+.{digits}f})"


def reach(estimates: list[Estimate]) -> np.ndarray:
    """Distances of the bounds from the values, shape ``(2, N)``, as ``errorbar`` wants them; 0 where unknown."""
    down = [e.value - e.low for e in estimates]
    up = [e.high - e.value for e in estimates]
    bounds: np.ndarray = np.nan_to_num(np.array([down, up]), nan=0.0).clip(0)
    return bounds


def margins(ranks: pd.DataFrame) -> pd.Series:
    """Final points of each seat less the mean of the others', in the order of ``ranks``."""
    of_game = ranks.groupby("game").points
    others = (of_game.transform("sum") - ranks.points) / (of_game.transform("size") - 1)
    difference: pd.Series = ranks.points - others
    return difference
