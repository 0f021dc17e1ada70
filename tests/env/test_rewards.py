"""The three ways of paying: written-out examples, and sums that always agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.rewards import REWARDS, RewardMeter, check_reward, relative, win_payoff
from tests.env.playing import walk


@pytest.mark.parametrize(
    ("ranks", "paid"),
    [
        ([1, -1], [1, -1]),
        ([-1, 1], [-1, 1]),
        ([0, 1, -1], [-0.5, 1, -0.5]),
        ([-1 / 3, 1 / 3, -1, 1], [-1 / 3, -1 / 3, -1 / 3, 1]),
        ([0, 0], [0, 0]),
        ([0.5, 0.5, -1], [0.25, 0.25, -0.5]),
    ],
)
def test_win_pays_one_to_the_winner_and_the_others_share_the_loss(ranks: list[float], paid: list[float]) -> None:
    assert win_payoff(np.array(ranks)) == pytest.approx(paid)


@pytest.mark.parametrize(
    ("gains", "paid"),
    [([3, 1], [2, -2]), ([6, 0, 0], [6, -3, -3]), ([1, 2, 3, 6], [-8 / 3, -4 / 3, 0, 4]), ([5, 5], [0, 0])],
)
def test_points_are_paid_relative_to_the_mean_of_the_others(gains: list[float], paid: list[float]) -> None:
    assert relative(np.array(gains, float)) == pytest.approx(paid)


def test_unknown_reward_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="expected one of rank, win, vp, got 'points'"):
        check_reward("points")


def finished(points: list[int], order: list[int]) -> Position:
    """A game of that many seats that is over with those points and that turn order."""
    *_, final = walk(GAME, len(points), 1)
    snapshot: dict[str, Any] = final.snapshot()
    for seat, player in enumerate(snapshot["players"]):
        player["ledger"] = {**dict.fromkeys(GAME.sources, 0), "tile": points[seat]}
        player["vp"] = points[seat]
    snapshot["turn_order"] = order
    return Position.from_snapshot(GAME, snapshot)


@pytest.mark.parametrize(
    ("points", "order", "rank"),
    [
        ([10, 20], [0, 1], [-1, 1]),
        ([20, 20], [1, 0], [-1, 1]),
        ([5, 9, 7], [0, 1, 2], [-1, 1, 0]),
        ([8, 8, 8], [2, 0, 1], [0, -1, 1]),
        ([40, 10, 30, 20], [0, 1, 2, 3], [1, -1, 1 / 3, -1 / 3]),
    ],
)
def test_final_payment_of_each_reward(points: list[int], order: list[int], rank: list[float]) -> None:
    n, position = len(points), finished(points, order)
    win = [1.0 if value == 1 else -1 / (n - 1) for value in rank]
    earned = [0.02 * (own - (sum(points) - own) / (n - 1)) for own in points]
    expected = {"rank": rank, "win": win, "vp": [a + b for a, b in zip(earned, win)]}
    for reward in REWARDS:
        meter = RewardMeter(GAME, reward, n)  # nothing paid so far
        assert meter.pay(position.states, True) == pytest.approx(expected[reward])


def test_points_scored_before_the_start_are_not_paid_again() -> None:
    position = finished([30, 10], [0, 1])
    meter = RewardMeter(GAME, "vp", 2)
    meter.start(position.states)
    assert meter.pay(position.states, True).tolist() == [1.0, -1.0]


@pytest.mark.parametrize("players", GAME.players)
def test_points_as_they_are_earned_add_up_to_the_final_points(players: int) -> None:
    meter, total, last = RewardMeter(GAME, "vp", players), np.zeros(players), [0] * players
    for position in walk(GAME, players, 3, eager=True):
        if position.points() == [0] * players:
            meter.start(position.states)
        paid = meter.pay(position.states, position.over)
        assert abs(paid.sum()) < 1e-12
        if not position.over:
            gains = np.subtract(position.points(), last)
            assert paid == pytest.approx(0.02 * (gains - (gains.sum() - gains) / (players - 1)))
        total, last = total + paid, position.points()
    assert total == pytest.approx(0.02 * relative(np.array(last, float)) + win_payoff(position.returns()))


@pytest.mark.parametrize("reward", REWARDS)
def test_payments_are_fresh_arrays(reward: str) -> None:
    position = finished([30, 10], [0, 1])
    meter = RewardMeter(GAME, reward, 2)
    first = meter.pay(position.states, True)
    kept = first.copy()
    meter.pay(position.states, False)
    assert first.tolist() == kept.tolist()


@pytest.mark.parametrize("n", GAME.players)
def test_fines_are_zero_sum(n: int) -> None:
    meter = RewardMeter(GAME, "rank", n)
    assert meter.fine(1, 0.05)[1] == -0.05
    assert meter.forfeit(0).tolist() == pytest.approx([-1.0, *[1 / (n - 1)] * (n - 1)])
    assert abs(meter.fine(1, 0.05).sum()) < 1e-12
