"""Ratings: one batch fit of all comparisons at once, so the order of games cannot matter.

Every game is taken as comparisons of all pairs of seats with different agents: won 1, tied 1/2, lost 0.  In the model
(Bradley and Terry) the logit of winning is the difference of two strengths, plus the difference of what two places in
the order of play are worth in a game of so many players.  A game of n has n (n - 1) / 2 pairs which are not
independent: each weighs 2 / n, so the game weighs n - 1, the number of comparisons that would rank its seats.

The fit is a binomial GLM of statsmodels.  Standard errors are clustered by setup, the intervals use Student's t for the
number of setups.  Strengths and places sum to zero, ratings are in Elo (400 points are odds of 10 to 1).

The prior: each agent also has one game, half won, against the mean of all, and each place against the mean place.  So
an agent that won or lost everything has a finite rating; how far out it lies is then the prior's word more than the
games', and the interval says so: where somebody's results are one-sided, it is the wider of the clustered one and that
of the model's own curvature (for places always).  Beside hundreds of games that were not one-sided the prior moves a
rating by a point or two towards zero.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.linalg import block_diag

from .schedule import ArenaError
from .stats import Estimate, quantile

ELO: Final = 400 / math.log(10)  # Elo points of one unit of the logit
PRIOR_GAMES: Final = 1.0  # against the mean, half won


@dataclass(frozen=True)
class Ratings:
    """A fit.

    Attributes:
        agents: label to Elo over the mean of all agents.
        places: number of players to the Elo that each place in the order of play is worth over the mean place.
        games: number of games used.
        one_sided: some agents won (or lost) everything against the others, so the prior bounds the ratings.
    """

    agents: Mapping[str, Estimate]
    places: Mapping[int, Sequence[Estimate]]
    games: int
    one_sided: bool


@dataclass(frozen=True)
class Comparisons:
    """All pairs of seats with different agents, C of them.

    Attributes:
        first, second: shape ``(C,)`` index of the agents.
        score: shape ``(C,)`` 1, 1/2 or 0 for the first.
        weight: shape ``(C,)``.
        players: shape ``(C,)``.
        places: shape ``(C, 2)``, place of either in the order of play, -1 where the game ended before it was seen.
        cluster: shape ``(C,)``, number of the setup over all numbers of players.
    """

    first: np.ndarray
    second: np.ndarray
    score: np.ndarray
    weight: np.ndarray
    players: np.ndarray
    places: np.ndarray
    cluster: np.ndarray


def comparisons(results: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Comparisons:
    """The comparisons in games, in an order that does not depend on theirs."""
    index = {name: number for number, name in enumerate(names)}
    setups: dict[tuple[int, int], int] = {}
    rows: list[tuple[float, ...]] = []
    for result in sorted(results, key=lambda result: str(result["game"])):
        players, ranks, agents = result["players"], result["ranks"], [index[name] for name in result["agents"]]
        cluster = setups.setdefault((players, result["setup"]), len(setups))
        places = [-1] * players
        if not result["forfeit"]:
            for place, seat in enumerate(result["order"]):
                places[seat] = place
        for a in range(players):
            for b in range(a + 1, players):
                if agents[a] != agents[b]:
                    score = float(ranks[a] < ranks[b]) + (ranks[a] == ranks[b]) / 2
                    rows.append((agents[a], agents[b], score, 2 / players, players, places[a], places[b], cluster))
    table = np.array(rows, float).reshape(-1, 8)
    whole = table.astype(np.int64)
    return Comparisons(whole[:, 0], whole[:, 1], table[:, 2], table[:, 3], whole[:, 4], whole[:, 5:7], whole[:, 7])


def fit(results: Sequence[Mapping[str, Any]], names: Sequence[str], with_places: bool = True) -> Ratings:
    """Ratings of the agents ``names`` from result lines of any numbers of players.

    Args:
        results: as in ``results.jsonl``, in any order.
        names: labels.
        with_places: estimate what places are worth too.
    """
    if len(names) < 2:
        raise ArenaError("ratings: at least two agents are needed")
    pairs = comparisons(results, names)
    k, C = len(names), len(pairs.score)
    if C == 0:
        nothing = Estimate(0.0, math.nan, math.nan, 0)
        return Ratings(dict.fromkeys(names, nothing), {}, 0, False)
    agents = np.zeros((C, k))
    agents[np.arange(C), pairs.first] = 1
    agents[np.arange(C), pairs.second] = -1
    blocks, bases, counts = [agents], [_sum_zero(k)], sorted(set(pairs.players.tolist())) if with_places else []
    for players in counts:
        block = np.zeros((C, players))
        rows = np.flatnonzero((pairs.players == players) & (pairs.places[:, 0] >= 0))
        block[rows, pairs.places[rows, 0]] += 1
        block[rows, pairs.places[rows, 1]] -= 1
        blocks.append(block)
        bases.append(_sum_zero(players))
    X = np.hstack([block @ basis for block, basis in zip(blocks, bases)])
    prior = block_diag(*bases)
    clusters = int(pairs.cluster.max()) + 1
    one_sided = _one_sided(pairs, k)
    theta, clustered, curvature = _glm(
        np.vstack([X, prior]),
        np.concatenate([pairs.score, np.full(len(prior), 0.5)]),
        np.concatenate([pairs.weight, np.full(len(prior), PRIOR_GAMES)]),
        np.concatenate([pairs.cluster, clusters + np.arange(len(prior))]),
    )
    played = {name: sum(name in result["agents"] for result in results) for name in names}
    of_count = {players: sum(result["players"] == players for result in results) for players in counts}
    estimates: list[list[tuple[float, float, float]]] = []
    at = 0
    for basis in bases:
        part = slice(at, at + basis.shape[1])
        at += basis.shape[1]
        values = ELO * basis @ theta[part]
        variances = np.diag(basis @ clustered[part, part] @ basis.T)
        if one_sided or estimates:  # estimates: these are places
            variances = np.maximum(variances, np.diag(basis @ curvature[part, part] @ basis.T))
        half = quantile(clusters) * ELO * np.sqrt(np.maximum(variances, 0))
        estimates.append([(float(v), float(v - h), float(v + h)) for v, h in zip(values, half)])
    return Ratings(
        {name: Estimate(*estimates[0][a], played[name]) for a, name in enumerate(names)},
        {
            players: [Estimate(*place, of_count[players]) for place in places]
            for players, places in zip(counts, estimates[1:])
        },
        len(results),
        one_sided,
    )


def _sum_zero(n: int) -> np.ndarray:
    """Orthonormal basis of the vectors of n numbers that sum to zero, shape ``(n, n - 1)``."""
    basis = np.zeros((n, n - 1))
    for column in range(n - 1):
        basis[: column + 1, column] = 1
        basis[column + 1, column] = -(column + 1)
    return np.asarray(basis / np.linalg.norm(basis, axis=0))


def _one_sided(pairs: Comparisons, k: int) -> bool:
    """Can the agents be split so that one part never lost to the other?  Then no finite rating is the likeliest."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    winners = np.concatenate([pairs.first[pairs.score > 0], pairs.second[pairs.score < 1]])
    losers = np.concatenate([pairs.second[pairs.score > 0], pairs.first[pairs.score < 1]])
    graph = coo_matrix((np.ones(len(winners)), (winners, losers)), shape=(k, k))
    parts, _ = connected_components(graph, directed=True, connection="strong")
    return bool(parts > 1)


def _glm(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, clusters: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coefficients, shape ``(B,)``, and their covariances, shape ``(B, B)``: clustered, and that of the model."""
    import statsmodels.api as sm

    model = sm.GLM(y, X, family=sm.families.Binomial(), freq_weights=weights)
    with warnings.catch_warnings():
        # it says that not every cov_type goes with weights; a test compares this one with the formula written out
        warnings.simplefilter("ignore")
        fitted = model.fit(
            cov_type="cluster", cov_kwds={"groups": clusters}, tol=1e-13, tol_criterion="params", maxiter=200
        )
    return np.asarray(fitted.params), np.asarray(fitted.cov_params()), np.asarray(fitted.normalized_cov_params)
