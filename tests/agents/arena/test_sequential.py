"""The sequential test: its ratio, its errors, and that order and number of processes do not matter."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from terracotta_agents.arena.schedule import ArenaError
from terracotta_agents.arena.sequential import Sprt, Watch, game_score, score_of

from .toys import result, simulated

TEST = Sprt(0, 60)


def test_ratio_is_that_of_coin_tosses_for_single_games() -> None:
    wins, losses = 300, 200
    s0, s1 = score_of(0), score_of(60)
    by_hand = wins * math.log(s1 / s0) + losses * math.log((1 - s1) / (1 - s0))
    assert TEST.llr([1.0] * wins + [0.0] * losses) == pytest.approx(by_hand, abs=0.01)


def test_ratio_of_a_third_score_is_near_the_normal_approximation() -> None:
    scores = np.random.default_rng(1).choice([0, 0.25, 0.5, 0.75, 1], 2000, p=[0.05, 0.2, 0.4, 0.25, 0.1])
    s0, s1 = score_of(0), score_of(60)
    normal = len(scores) * (s1 - s0) * (2 * scores.mean() - s0 - s1) / (2 * scores.var())
    assert TEST.llr(list(scores)) == pytest.approx(normal, rel=0.05)


def test_scores_of_one_kind_have_a_finite_ratio() -> None:
    assert TEST.llr([1.0] * 50) > 5
    assert TEST.llr([0.0] * 50) < -5
    assert math.isfinite(TEST.llr([0.5] * 50))


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "elo1"), (120.0, "elo0")])
def test_wrong_verdicts_are_as_rare_as_asked_for(truth: float, wrong: str) -> None:
    """alpha = beta = 0.05, at strengths as far apart as each of the two; 60 tests."""
    mistakes = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        watch = Watch(Sprt(0, 120), "a", 2)
        while watch.verdict is None:
            setup = len(watch.scores)
            for seats in (["a", "b"], ["b", "a"]):
                first = (rng.random() < score_of(truth)) == (seats[0] == "a")
                watch.add(result(f"{setup}{seats}", 2, setup, seats, [first, not first]))
        mistakes += watch.verdict == wrong
    assert mistakes <= 8


def test_verdict_does_not_depend_on_the_order_of_games() -> None:
    results = simulated({"a": 100.0, "b": 0.0}, {3: 200}, seed=4)
    states = []
    for seed in range(5):
        random.Random(seed).shuffle(results)
        watch = Watch(TEST, "a", 6)
        for line in results:
            watch.add(line)
        states.append(watch.as_json())
    assert states[0]["verdict"] == "elo1"
    assert states[0]["setups"] < 200
    assert all(state == states[0] for state in states)


def test_score_of_a_game_counts_pairs_of_different_agents() -> None:
    assert game_score(result("g", 3, 0, ["a", "b", "b"], [2, 1, 3]), "a") == (1, 2)
    assert game_score(result("g", 2, 0, ["a", "b"], [1, 1]), "a") == (0.5, 1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((35, 0), "the smaller difference first"), ((0, 35, 0.0), "alpha and beta"), ((0, 35, 0.05, 0.7), "alpha")],
)
def test_tests_that_cannot_be_are_refused(arguments: tuple[float, ...], named: str) -> None:
    with pytest.raises(ArenaError, match=named):
        Sprt(*arguments)
