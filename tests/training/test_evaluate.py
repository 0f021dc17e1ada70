"""Matches: intervals by hand, seats that rotate on common setups, and no edge for a bot against itself."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from terracotta_agents.busy import Busy
from terracotta_agents.random_bot import Random
from terracotta_env.army import GAME
from terracotta_env.policy import Policy, Uniform
from terracotta_env.position import Position
from terracotta_training.evaluate import Match, play_match, wilson


def rows(*won: list[int]) -> np.ndarray:
    return np.array(won, bool)


@pytest.mark.parametrize(
    ("won", "expected"),
    [
        # a single setup says nothing about setups: (p + z2/2n +- z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n)
        (rows([1, 0] * 50), (0.5, 0.40383, 0.59617)),
        (rows([1] + [0] * 9), (0.1, 0.01788, 0.40416)),
        (rows([1, 0]), (0.5, 0.09453, 0.90547)),
        # shares 0 and 1 of 10: z2 / (n + z2) = 3.8416 / 13.8416
        (rows(*[[0]] * 10), (0.0, 0.0, 0.27754)),
        (rows(*[[1]] * 10), (1.0, 0.72246, 1.0)),
        (rows(*[[0, 0]] * 5), (0.0, 0.0, 0.27754)),
        # both games of a setup always end alike: 100 games are worth 49
        (rows(*[[1, 1], [0, 0]] * 25), (0.5, 0.36518, 0.63482)),
        # one of the two is always won: never narrower than independent games
        (rows(*[[1, 0]] * 50), (0.5, 0.40383, 0.59617)),
    ],
)
def test_interval_of_the_win_share(won: np.ndarray, expected: tuple[float, float, float]) -> None:
    assert wilson(won) == pytest.approx(expected, abs=6e-6)


def test_interval_lies_inside_zero_and_one_and_around_the_share() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        won = rng.random((int(rng.integers(1, 30)), int(rng.integers(1, 5)))) < rng.random()
        share, low, high = wilson(won)
        assert 0 <= low <= share + 1e-12
        assert share - 1e-12 <= high <= 1


def test_interval_covers_the_truth_about_as_often_as_it_says_even_in_clusters() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        setups = rng.random((60, 1)) < 0.3  # each setup decides both of its games
        _, low, high = wilson(np.repeat(setups, 2, axis=1))
        covered += low <= 0.3 <= high
    assert covered / 400 > 0.91


def test_mean_of_points_has_its_interval_over_setups() -> None:
    points = np.array([[10.0, 20.0], [30.0, 40.0], [20.0, 30.0]])
    match = Match("a", "b", 2, points > 20, points, points)
    assert match.mean(points) == pytest.approx((25.0, 1.96 * 10 / math.sqrt(3)))
    assert match.games == 6


class Spy(Uniform):
    """Plays at random and notes where it sat, on which setup, and how it was seeded."""

    name = "spy"
    log: list[tuple[str, int]]
    seeds: list[int]

    def __init__(self) -> None:
        super().__init__()
        self.log, self.seeds = [], []

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.seeds.append(seed)
        self.fresh = True

    def act(self, position: Position, mask: np.ndarray) -> int:
        if self.fresh:
            self.fresh = False
            assert position.to_act is not None
            snapshot = position.snapshot()
            setup = [snapshot["tiles"], sorted(snapshot["turn_order"]), snapshot["turn_order"]]
            self.log.append((json.dumps(setup), position.to_act))
        return super().act(position, mask)


@pytest.mark.parametrize("players", GAME.players)
def test_agent_sits_in_each_seat_of_each_setup_once(players: int) -> None:
    spy = Spy()
    match = play_match(GAME, lambda: spy, Random, players, 4 * players, 5)
    assert match.won.shape == match.points.shape == match.others.shape == (4, players)
    assert [seat for _, seat in spy.log] == list(range(players)) * 4
    setups = [setup for setup, _ in spy.log]
    assert all(setups[k] == setups[k - k % players] for k in range(len(setups)))
    assert len(set(setups)) == 4
    assert len(set(spy.seeds)) == len(spy.seeds)


def setups_met_by(spy: Spy, opponent: Callable[[], Policy]) -> list[str]:
    play_match(GAME, lambda: spy, opponent, 3, 9, 5)
    return [setup for setup, _ in spy.log]


def test_setups_are_the_same_for_every_pair_of_agents() -> None:
    assert setups_met_by(Spy(), Random) == setups_met_by(Spy(), Busy)


def test_games_are_rounded_up_to_whole_setups_and_reported() -> None:
    seen = []

    def progress(setups: Iterator[int]) -> Iterator[int]:
        for setup in setups:
            seen.append(setup)
            yield setup

    match = play_match(GAME, Random, Busy, 3, 7, 5, "flat", progress)
    assert match.games == 9
    assert seen == [0, 1, 2]
    assert (match.agent, match.opponent) == ("random", "busy")


def test_results_are_repeated_by_the_same_seed() -> None:
    one, two, other = (play_match(GAME, Busy, Random, 2, 10, seed) for seed in (5, 5, 6))
    assert one.points.tolist() == two.points.tolist() != other.points.tolist()
    assert one.won.tolist() == two.won.tolist()


@pytest.mark.parametrize("players", GAME.players)
def test_bot_has_no_edge_over_itself(players: int) -> None:
    match = play_match(GAME, Busy, Busy, players, 60 * players, 11)
    share, low, high = match.win_share()
    assert low <= 1 / players <= high, share
    margin, half = match.mean(match.points - match.others)
    assert abs(margin) < 2 * half


def test_busy_beats_random_clearly() -> None:
    match = play_match(GAME, Busy, Random, 2, 40, 11)
    assert match.win_share()[1] > 0.8
    assert Counter(match.won.ravel().tolist())[True] >= 38
