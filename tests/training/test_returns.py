"""Advantages and value targets of several seats on one time line: worked out by hand, and against a slow twin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as some

from terracotta_training.returns import advantages_and_returns


@dataclass
class Played:
    """What a collection knows, see the function's arguments; V = 1 where shapes leave it out."""

    decisions: np.ndarray  # (T, N)
    seats: np.ndarray  # (K,)
    turns: np.ndarray  # (T + 1, N)
    rewards: np.ndarray  # (T, N, P, V)
    ended: np.ndarray  # (T, N)
    values: np.ndarray  # (K, P, V)
    last: np.ndarray  # (N, P, V)


def worked_out(played: Played, gamma: float, lam: float, by_turn: bool = False) -> tuple[np.ndarray, np.ndarray]:
    count, seats, kinds = played.values.shape
    advantages = np.full((count, kinds), np.nan, np.float32)
    returns = np.full((count, seats, kinds), np.nan, np.float32)
    advantages_and_returns(
        played.decisions,
        played.seats,
        played.turns,
        played.rewards.astype(np.float32),
        played.ended,
        played.values.astype(np.float32),
        played.last.astype(np.float32),
        np.array([gamma, lam]),
        by_turn,
        advantages,
        returns,
    )
    return advantages, returns


def one_game(
    seats: list[int],
    values: list[list[float]],
    rewards: list[list[float]],
    last: list[float],
    ended: list[int] | None = None,
    decisions: list[int] | None = None,
    turns: list[int] | None = None,
) -> Played:
    """A single row with one kind of value; lists over time (values: over decisions), inner ones over seats."""
    steps = len(rewards)
    over = np.zeros((steps, 1), bool)
    over[ended or [], 0] = True
    return Played(
        np.array(decisions if decisions is not None else range(steps), np.int64)[:, None],
        np.array(seats, np.int64),
        np.array(turns if turns is not None else range(steps + 1), np.int64)[:, None],
        np.array(rewards, float)[:, None, :, None],
        over,
        np.array(values, float).reshape(-1, len(last), 1),
        np.array(last, float)[None, :, None],
    )


def test_one_seat_decides_several_times_in_a_row() -> None:
    # seat 0 decides twice, then seat 1; each decision is worth a step of the time line of both
    played = one_game([0, 0, 1], [[1, -1], [2, -2], [3, -3]], [[1, 0], [0, 0], [0, 5]], [10, 20])
    advantages, returns = worked_out(played, 1.0, 0.0)
    # lambda 0: earned + next value - value
    assert advantages[:, 0].tolist() == [1 + 2 - 1, 0 + 3 - 2, 5 + 20 - -3]
    assert returns[:, 0, 0].tolist() == [1 + 2, 0 + 3, 0 + 10]
    assert returns[:, 1, 0].tolist() == [0 - 2, 0 - 3, 5 + 20]
    advantages, returns = worked_out(played, 1.0, 1.0)
    # lambda 1, gamma 1: all that is earned until the cut, then the last value
    assert returns[:, 0, 0].tolist() == [1 + 10, 10, 10]
    assert returns[:, 1, 0].tolist() == [25, 25, 25]
    assert advantages[:, 0].tolist() == [11 - 1, 10 - 2, 25 - -3]


def test_discounts_between_zero_and_one() -> None:
    played = one_game([0, 0], [[1, 0], [2, 0]], [[4, 0], [8, 0]], [16, 0])
    advantages, returns = worked_out(played, 0.5, 0.5)
    second = 8 + 0.5 * 16 - 2  # 14
    first = 4 + 0.5 * 2 - 1 + 0.25 * second  # 4 + 3.5
    assert advantages[:, 0].tolist() == [first, second] == [7.5, 14.0]
    assert returns[:, 0, 0].tolist() == [8.5, 16.0]


def test_what_a_waiting_seat_earns_is_paid_at_the_decision_before() -> None:
    # seat 1 earns while only seat 0 decides: its targets grow all the same, its advantages are nobody's
    played = one_game([0, 0], [[0, 0], [0, 0]], [[0, 3], [0, 4]], [0, 0], ended=[1])
    advantages, returns = worked_out(played, 1.0, 1.0)
    assert returns[:, 1, 0].tolist() == [7, 4]
    assert advantages[:, 0].tolist() == [0, 0]


def test_end_of_a_game_reaches_the_last_decision_of_every_seat() -> None:
    # seats 0, 1, 2 decide once each; the end pays 1, 0, -1 in the last step; a new game follows
    played = one_game(
        [0, 1, 2, 0], [[0.5] * 3] * 4, [[0, 0, 0], [0, 0, 0], [1, 0, -1], [9, 9, 9]], [7, 7, 7], ended=[2]
    )
    advantages, returns = worked_out(played, 1.0, 1.0)
    for decision in range(3):
        assert returns[decision, :, 0].tolist() == [1, 0, -1]
    assert advantages[:3, 0].tolist() == [0.5, -0.5, -1.5]
    assert returns[3, :, 0].tolist() == [16, 16, 16]  # of the new game: nothing of the old one, with the bootstrap


def test_last_value_is_not_used_where_a_game_has_just_ended() -> None:
    played = one_game([0], [[0.25, 0.25]], [[1, -1]], [100, 100], ended=[0])
    for lam in (0.0, 0.5, 1.0):
        advantages, returns = worked_out(played, 0.9, lam)
        assert returns[0, :, 0].tolist() == [1, -1]
        assert advantages[0, 0] == 0.75


def test_decisions_of_others_are_holes_that_are_paid_to_the_decision_before() -> None:
    # an opponent decides in steps 0, 2 and 3; what is earned in step 0 comes before any decision of the learner
    played = one_game(
        [1, 1], [[5, 6], [7, 8]], [[100, 100], [1, 2], [4, 8], [16, 32], [64, 128]], [0, 0], [4], [-1, 0, -1, -1, 1]
    )
    advantages, returns = worked_out(played, 0.5, 0.0)
    assert returns[0, :, 0].tolist() == [1 + 4 + 16 + 0.5 * 7, 2 + 8 + 32 + 0.5 * 8]
    assert returns[1, :, 0].tolist() == [64, 128]
    assert advantages[:, 0].tolist() == [46 - 6, 128 - 8]


def test_end_of_a_game_in_which_somebody_else_decided_last() -> None:
    played = one_game([0, 0], [[0, 0], [0, 0]], [[0, 0], [1, -1], [0, 0]], [3, 3], [1], [0, -1, 1])
    _, returns = worked_out(played, 1.0, 1.0)
    assert returns[0, :, 0].tolist() == [1, -1]
    assert returns[1, :, 0].tolist() == [3, 3]


def test_discount_by_turn_leaves_decisions_of_one_turn_undiscounted() -> None:
    # turns 0 0 1 1, then 1 goes on beyond the last step
    played = one_game([0, 0, 1, 1], [[1, 0], [2, 0], [3, 0], [4, 0]], [[1, 0]] * 4, [10, 0], turns=[0, 0, 1, 1, 1])
    _, returns = worked_out(played, 0.5, 0.0, by_turn=True)
    # inside a turn lambda is 1 too, so what follows is taken as it comes
    third = 1 + (1 + 10)
    second = 1 + 0.5 * 3
    assert returns[:, 0, 0].tolist() == [1 + second, second, third, 11]
    passed = one_game([0, 0, 1, 1], [[1, 0], [2, 0], [3, 0], [4, 0]], [[1, 0]] * 4, [10, 0], turns=[0, 0, 1, 1, 2])
    _, returns = worked_out(passed, 0.5, 0.0, by_turn=True)
    assert returns[:, 0, 0].tolist() == [1 + second, second, 1 + (1 + 5), 6]


def test_rows_and_kinds_of_value_do_not_mix() -> None:
    rng = np.random.default_rng(0)
    played = random_play(rng, steps=9, rows=4, seats=3, kinds=2)
    advantages, returns = worked_out(played, 0.9, 0.8)
    for row in range(4):
        for kind in range(2):
            alone = Played(
                played.decisions[:, row : row + 1].copy(),
                played.seats,
                played.turns[:, row : row + 1].copy(),
                played.rewards[:, row : row + 1, :, kind : kind + 1].copy(),
                played.ended[:, row : row + 1].copy(),
                played.values[:, :, kind : kind + 1].copy(),
                played.last[row : row + 1, :, kind : kind + 1].copy(),
            )
            part, of_part = worked_out(alone, 0.9, 0.8)
            mine = played.decisions[:, row][played.decisions[:, row] >= 0]
            assert np.array_equal(part[mine, 0], advantages[mine, kind])
            assert np.array_equal(of_part[mine, :, 0], returns[mine, :, kind])


# against the definition -----------------------------------------------------------------------------------------------


def random_play(rng: np.random.Generator, steps: int, rows: int, seats: int, kinds: int) -> Played:
    learner = rng.random((steps, rows)) < 0.7
    decisions = np.full((steps, rows), -1, np.int64)
    decisions[learner] = np.arange(learner.sum())
    count = int(learner.sum())
    return Played(
        decisions,
        rng.integers(0, seats, count),
        np.cumsum(rng.random((steps + 1, rows)) < 0.4, 0),
        rng.normal(size=(steps, rows, seats, kinds)),
        rng.random((steps, rows)) < 0.2,
        rng.normal(size=(count, seats, kinds)),
        rng.normal(size=(rows, seats, kinds)),
    )


def by_definition(played: Played, gamma: float, lam: float, by_turn: bool) -> tuple[np.ndarray, np.ndarray]:
    """Each advantage as the written-out sum over the later decisions of its game: slow and obvious."""
    count, seats, kinds = played.values.shape
    steps, rows = played.decisions.shape
    advantages, returns = np.zeros((count, kinds)), np.zeros((count, seats, kinds))
    for row in range(rows):
        begin = 0
        for end in [*np.flatnonzero(played.ended[:, row]).tolist(), None]:
            stop = steps if end is None else end + 1
            times = [t for t in range(begin, stop) if played.decisions[t, row] >= 0]
            errors, factors = [], []
            for place, t in enumerate(times):
                following = times[place + 1] if place + 1 < len(times) else stop
                earned = played.rewards[t:following, row].sum(0)
                if following < stop:
                    ahead = played.values[played.decisions[following, row]]
                elif end is None:
                    ahead = played.last[row]
                else:
                    ahead = np.zeros((seats, kinds))
                same_turn = by_turn and played.turns[following, row] == played.turns[t, row]
                g, factor = (1.0, 1.0) if same_turn else (gamma, gamma * lam)
                errors.append(earned + g * ahead - played.values[played.decisions[t, row]])
                factors.append(factor)
            for place, t in enumerate(times):
                k = played.decisions[t, row]
                total = sum(
                    (np.prod(factors[place:later]) * errors[later] for later in range(place, len(times))),
                    np.zeros((seats, kinds)),
                )
                returns[k] = played.values[k] + total
                advantages[k] = total[played.seats[k]]
            begin = stop
    return advantages, returns


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    steps=st.integers(1, 12),
    rows=st.integers(1, 3),
    seats=st.integers(2, 4),
    gamma=st.sampled_from([0.25, 0.9, 1.0]),
    lam=st.sampled_from([0.0, 0.3, 0.95, 1.0]),
    by_turn=st.booleans(),
)
def test_as_the_definition_says(
    seed: int, steps: int, rows: int, seats: int, gamma: float, lam: float, by_turn: bool
) -> None:
    played = random_play(np.random.default_rng(seed), steps, rows, seats, 2)
    got, wanted = worked_out(played, gamma, lam, by_turn), by_definition(played, gamma, lam, by_turn)
    for one, other in zip(got, wanted, strict=True):
        assert not np.isnan(one).any()
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


@settings(max_examples=30, deadline=None)
@given(values=some.arrays(np.float64, (6, 2, 1), elements=st.floats(-100, 100)))
def test_values_that_are_right_leave_no_advantage(values: np.ndarray) -> None:
    rewards = [[float(v) for v in (values[t, :, 0] - values[t + 1, :, 0])] for t in range(5)]
    played = one_game([0, 1, 0, 1, 0], values[:5, :, 0].tolist(), rewards, values[5, :, 0].tolist())
    advantages, _ = worked_out(played, 1.0, 0.7)
    assert np.abs(advantages).max() < 1e-3


def test_no_decision_of_the_learner_writes_nothing() -> None:
    played = one_game([], [], [[1, 1]] * 3, [0, 0], decisions=[-1, -1, -1])
    advantages, returns = worked_out(played, 1.0, 0.95)
    assert advantages.shape == (0, 1)
    assert returns.shape == (0, 2, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seat_of_an_advantage_is_the_deciding_one_of_the_table(seats: int) -> None:
    values = [[10.0 * seat for seat in range(seats)]] * seats
    played = one_game(list(range(seats)), values, [[0.0] * seats] * seats, [0.0] * seats)
    advantages, _ = worked_out(played, 1.0, 1.0)
    assert advantages[:, 0].tolist() == [-10.0 * seat for seat in range(seats)]
