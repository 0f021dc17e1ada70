"""Intervals of shares and means: by hand, against the match table of training, and by how often they hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from terracotta_agents.arena.stats import mean, quantile, share
from terracotta_training.evaluate import wilson


def test_independent_games_have_wilsons_interval() -> None:
    wins = np.array([1.0] * 30 + [0.0] * 70)
    found = share(wins, np.arange(100))
    z = quantile(100)
    assert found.value == pytest.approx(0.3)
    centre, spread = (0.3 + z * z / 200) / (1 + z * z / 100), z * math.sqrt(0.21 / 100 + z * z / 40000)
    assert (found.low, found.high) == pytest.approx(
        (centre - spread / (1 + z * z / 100), centre + spread / (1 + z * z / 100)), abs=2e-3
    )


def test_setups_whose_games_agree_count_once() -> None:
    once = np.array([1.0, 0.0] * 40)
    thrice, clusters = np.repeat(once, 3), np.repeat(np.arange(80), 3)
    a, b = share(once, np.arange(80)), share(thrice, clusters)
    assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-3)
    a, b = mean(once, np.arange(80)), mean(thrice, clusters)
    assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-9)


def test_the_interval_is_that_of_the_evaluation_of_training_but_for_students_t() -> None:
    won = np.random.default_rng(0).random((200, 3)) < 0.4
    low, high = wilson(won)[1:]
    found = share(won.ravel().astype(float), np.repeat(np.arange(200), 3))
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-3)


@pytest.mark.parametrize("setups", [10, 60])
def test_intervals_hold_the_truth(setups: int) -> None:
    rng = np.random.default_rng(setups)
    shares = means = 0
    for _ in range(400):
        chance = np.repeat(np.clip(rng.normal(0.4, 0.2, setups), 0, 1), 4)
        clusters = np.repeat(np.arange(setups), 4)
        shares += share((rng.random(4 * setups) < chance).astype(float), clusters).holds(0.402)
        means += mean(chance + rng.normal(size=4 * setups), clusters).holds(0.402)
    assert shares >= 0.92 * 400
    assert means >= 0.92 * 400


def test_extremes_stay_within_bounds() -> None:
    assert share(np.ones(40), np.arange(40)).high == 1
    assert 0.85 < share(np.ones(40), np.arange(40)).low < 1
    assert share(np.zeros(40), np.arange(40)).low == 0


def test_where_all_was_won_each_setup_counts_as_one_game() -> None:
    once, ten = share(np.ones(40), np.arange(40)), share(np.ones(400), np.repeat(np.arange(40), 10))
    assert (once.low, once.high) == (ten.low, ten.high)


def test_one_setup_has_no_interval_and_nothing_has_no_value() -> None:
    assert math.isnan(share(np.ones(2), np.zeros(2)).low)
    assert math.isnan(mean(np.ones(2), np.zeros(2)).low)
    assert math.isnan(mean(np.ones(0), np.zeros(0)).value)
    assert share(np.ones(0), np.zeros(0)).count == 0
