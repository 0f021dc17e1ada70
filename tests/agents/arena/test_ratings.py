"""Ratings: order-free, in the right direction, with intervals that hold the truth."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from terracotta_agents.arena.ratings import ELO, PRIOR_GAMES, comparisons, fit
from terracotta_agents.arena.schedule import ArenaError
from terracotta_agents.arena.stats import quantile

from .toys import result, simulated

THREE = {"strong": 120.0, "middle": 0.0, "weak": -120.0}
FOUR = {"a": 90.0, "b": 30.0, "c": -30.0, "d": -90.0}


def test_shuffled_results_give_the_same_ratings() -> None:
    results = simulated(THREE, {2: 20, 3: 15, 4: 10}, seed=1)
    names = list(THREE)
    first = fit(results, names)
    rng = random.Random(0)
    for _ in range(20):
        rng.shuffle(results)
        again = fit(results, names)
        for name in names:
            for mine, other in zip(vars(first.agents[name]).values(), vars(again.agents[name]).values()):
                assert abs(mine - other) <= 1e-9
        assert first.places == again.places


def test_agents_in_another_order_get_the_same_ratings() -> None:
    results = simulated(THREE, {2: 30, 3: 20}, seed=2)
    first, again = fit(results, list(THREE)), fit(results, list(THREE)[::-1])
    for name in THREE:
        assert first.agents[name].value == pytest.approx(again.agents[name].value, abs=1e-9)
        assert first.agents[name].low == pytest.approx(again.agents[name].low, abs=1e-9)


@pytest.mark.parametrize("spread", [0.0, 150.0])
def test_known_strengths_lie_within_their_intervals(spread: float) -> None:
    """Of 20 repetitions with 3 agents each; also where each setup suits some agents, so that its games agree."""
    inside = 0
    for seed in range(20):
        fitted = fit(simulated(THREE, {2: 40, 3: 30}, seed, (15, 0, -15), spread), list(THREE))
        # what setups are worth blurs the logistic curve: seen from outside the same strengths look closer
        blur = math.sqrt(1 + math.pi * 2 * (spread / ELO) ** 2 / 8)
        inside += sum(estimate.holds(THREE[name] / blur) for name, estimate in fitted.agents.items())
    assert 52 <= inside <= 60


def test_place_in_the_order_of_play_is_found_and_does_not_leak_into_ratings() -> None:
    worth = (80.0, 20.0, -40.0, -60.0)
    inside = 0
    for seed in range(10):
        fitted = fit(simulated(FOUR, {4: 80}, seed, worth), list(FOUR))
        inside += sum(fitted.agents[name].holds(value) for name, value in FOUR.items())
        inside += sum(estimate.holds(value) for estimate, value in zip(fitted.places[4], worth))
    assert 71 <= inside <= 80


def test_identical_agents_do_not_differ_from_par() -> None:
    same = {"x#1": 0.0, "x#2": 0.0, "x#3": 0.0}
    inside = 0
    for seed in range(20):
        fitted = fit(simulated(same, {2: 30, 3: 20}, seed, (60, 0, -60)), list(same))
        inside += sum(estimate.holds(0) for estimate in fitted.agents.values())
    assert 52 <= inside <= 60


@hypothesis_settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), players=st.sampled_from([2, 3, 4]), which=st.integers(0, 10_000))
def test_a_win_more_never_lowers_the_winner_nor_raises_the_loser(seed: int, players: int, which: int) -> None:
    results = simulated(FOUR, {players: 6}, seed)
    changed = dict(results[which % len(results)])
    ranks = list(changed["ranks"])
    last, first = ranks.index(players), ranks.index(1)
    ranks[last], ranks[first] = ranks[first], ranks[last]
    changed["ranks"] = ranks
    names = list(FOUR)
    before = fit(results, names).agents
    after = fit([*(r for r in results if r["game"] != changed["game"]), changed], names).agents
    change = {name: after[name].value - before[name].value for name in names}
    assert change[changed["agents"][last]] > 0
    assert change[changed["agents"][first]] < 0
    assert sum(change.values()) == pytest.approx(0, abs=1e-7)


def test_ratings_follow_ranks_of_four() -> None:
    names = ["a", "b", "c", "d"]
    results = [
        result(f"g{setup}{shift}", 4, setup, seats, [-names.index(name) for name in seats])
        for setup in range(10)
        for shift in range(4)
        for seats in [names[-shift:] + names[:-shift]]
    ]
    values = [estimate.value for estimate in fit(results, names).agents.values()]
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(0, abs=1e-7)


def test_a_game_weighs_one_comparison_less_than_it_has_seats() -> None:
    for players, strengths in ((2, THREE), (3, THREE), (4, FOUR)):
        results = simulated(strengths, {players: 1}, seed=0)
        pairs = comparisons(results, list(strengths))
        assert len(pairs.score) == len(results) * players * (players - 1) / 2
        assert pairs.weight.sum() == pytest.approx(len(results) * (players - 1))


def test_ties_are_half_a_win_each() -> None:
    tied = [
        result(f"g{setup}{shift}", 2, setup, seats, [1, 1])
        for setup in range(20)
        for shift, seats in enumerate((["a", "b"], ["b", "a"]))
    ]
    fitted = fit(tied, ["a", "b"])
    assert fitted.agents["a"].value == pytest.approx(0, abs=1e-9)
    assert not fitted.one_sided


def test_who_wins_everything_has_a_finite_rating_and_a_wide_interval() -> None:
    results = simulated({"a": 9000.0, "b": 0.0}, {2: 100}, seed=0)
    fitted = fit(results, ["a", "b"])
    a = fitted.agents["a"]
    assert fitted.one_sided
    assert 300 < a.value < 800
    assert a.high - a.low > 300
    # the fit balances what is left of 200 wins against the prior's two halves of a game
    win = 1 / (1 + math.exp(-2 * a.value / ELO))
    prior = 1 / (1 + math.exp(-a.value / ELO)) - 0.5
    assert 200 * (1 - win) == pytest.approx(PRIOR_GAMES * prior, rel=1e-5)


def test_the_prior_moves_a_rating_of_many_games_by_little() -> None:
    results = [
        result(f"g{setup}{shift}", 2, setup, seats, [setup % 4 > 0, 0.5] if shift == 0 else [0.5, setup % 4 > 0])
        for setup in range(200)
        for shift, seats in enumerate((["a", "b"], ["b", "a"]))
    ]
    assert fit(results, ["a", "b"]).agents["a"].value == pytest.approx(ELO * math.log(3) / 2, abs=1)


def test_standard_errors_are_those_of_the_clustered_formula() -> None:
    """statsmodels against the sandwich written out, on two agents and one number of players."""
    results = simulated({"a": 60.0, "b": -60.0}, {2: 50}, seed=3)
    pairs = comparisons(results, ["a", "b"])
    sign = np.where(pairs.first == 0, 1.0, -1.0)
    place = pairs.places[:, 0] - pairs.places[:, 1]
    X = np.column_stack([sign * math.sqrt(2), -place * math.sqrt(2)])
    X = np.vstack([X, [[1 / math.sqrt(2), 0], [-1 / math.sqrt(2), 0], [0, 1 / math.sqrt(2)], [0, -1 / math.sqrt(2)]]])
    y = np.concatenate([pairs.score, np.full(4, 0.5)])
    cluster = np.concatenate([pairs.cluster, 50 + np.arange(4)])
    theta = np.zeros(2)
    for _ in range(30):
        mu = 1 / (1 + np.exp(-X @ theta))
        H = (X * (mu * (1 - mu))[:, None]).T @ X
        theta = theta + np.linalg.solve(H, X.T @ (y - mu))
    scores = np.array([((y - mu)[:, None] * X)[cluster == c].sum(0) for c in range(54)])
    V = np.linalg.inv(H) @ scores.T @ scores @ np.linalg.inv(H)
    a = fit(results, ["a", "b"]).agents["a"]
    assert a.value == pytest.approx(ELO * theta[0] / math.sqrt(2), abs=1e-6)
    small_sample = 54 / 53 * 103 / 102
    half = quantile(50) * ELO * math.sqrt(V[0, 0] / 2 * small_sample)
    assert a.high - a.value == pytest.approx(half, rel=2e-2)


def test_a_forfeited_game_counts_for_agents_but_not_for_places() -> None:
    results = simulated({"a": 0.0, "b": 0.0}, {2: 10}, seed=0)
    for line in results:
        line["forfeit"] = {"seat": 0, "agent": line["agents"][0], "reason": "", "decision": 0}
        line["ranks"] = [2, 1]
    fitted = fit(results, ["a", "b"])
    assert [estimate.value for estimate in fitted.places[2]] == pytest.approx([0, 0], abs=1e-6)
    assert fitted.agents["a"].value == pytest.approx(0, abs=1e-6)


def test_a_single_setup_has_no_interval_and_no_games_no_rating() -> None:
    one = fit(simulated(THREE, {3: 1}, seed=0), list(THREE))
    assert math.isnan(one.agents["strong"].low)
    assert fit([], ["a", "b"]).agents["a"].value == 0
    with pytest.raises(ArenaError, match="at least two"):
        fit([], ["a"])
