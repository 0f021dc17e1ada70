"""The verbs over chosen rows do what they do one game at a time, and touch nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_env import entry
from terracotta_env import rows as batch
from terracotta_env.army import GAME
from terracotta_env.rollout import UNIFORM

N = 16
ROWS = [11, 0, 7, 15, 3, 8]


@pytest.fixture
def states() -> np.ndarray:
    """Games of 3 at random moments, from the opening to the end."""
    states = GAME.make_states(N)
    GAME.notation.write_board(states, "reconstructed")
    rng = np.random.default_rng(4)
    mask = np.empty(GAME.actions, np.int8)
    for i in range(N):
        entry.reset_at(states, i, 3, np.uint64(100 + i))
        for _ in range(0 if i == 0 else 1000 if i == 7 else int(rng.integers(200))):
            if entry.is_over_at(states, i):
                break
            entry.legal_at(states, i, mask)
            entry.apply_at(states, i, int(rng.choice(np.flatnonzero(mask))))
    return states


@pytest.fixture
def rows() -> np.ndarray:
    return np.array(ROWS, np.int64)


def others(states: np.ndarray) -> bytes:
    """Every game that is in none of the chosen rows."""
    return np.delete(states, ROWS).tobytes()


def first_legal(states: np.ndarray, rows: np.ndarray) -> np.ndarray:
    masks = np.empty((len(rows), GAME.actions), np.int8)
    batch.legal_rows(states, rows, masks)
    return masks.argmax(axis=1).astype(np.int64)


def test_games_of_the_fixture_are_at_different_moments(states: np.ndarray, rows: np.ndarray) -> None:
    over = [bool(entry.is_over_at(states, i)) for i in rows]
    assert any(over)
    assert not all(over)
    assert len({states[i].tobytes() for i in range(N)}) == N


def test_reset_rows_begins_these_games_and_no_others(states: np.ndarray, rows: np.ndarray) -> None:
    single, before = states.copy(), others(states)
    seeds = np.array([2**64 - 1, 0, 1, 2**63, 12, 13], np.uint64)
    batch.reset_rows(states, rows, np.full(len(rows), 4), seeds)
    for row, seed in zip(rows, seeds, strict=True):
        entry.reset_at(single, row, 4, seed)
    assert states.tobytes() == single.tobytes()
    assert others(states) == before


def test_apply_rows_plays_in_these_games_and_no_others(states: np.ndarray, rows: np.ndarray) -> None:
    live = np.array([row for row in rows if not entry.is_over_at(states, row)], np.int64)
    single, before = states.copy(), others(states)
    for _ in range(10):
        actions = first_legal(states, live)
        batch.apply_rows(states, live, actions)
        for row, action in zip(live, actions, strict=True):
            entry.apply_at(single, row, action)
        live = np.array([row for row in live if not entry.is_over_at(states, row)], np.int64)
    assert states.tobytes() == single.tobytes()
    assert others(states) == before


def test_reading_rows_gives_what_single_games_say_and_changes_nothing(states: np.ndarray, rows: np.ndarray) -> None:
    before = states.tobytes()
    n = len(rows)
    seats = np.empty(n, np.int64)
    batch.to_act_rows(states, rows, seats)
    assert seats.tolist() == [entry.to_act_at(states, row) for row in rows]
    masks = np.full((n, GAME.actions), 9, np.int8)
    batch.legal_rows(states, rows, masks)
    looking = np.array([2, 1, 0, 2, 1, 0], np.int64)
    seen = np.full((n, GAME.observation_size), 9, np.float32)
    batch.observe_rows(states, rows, looking, seen)
    scratch = np.empty(len(GAME.sources), np.int64)
    points = np.full((n, GAME.seats), 999, np.int64)
    batch.points_rows(states, rows, scratch, points)
    payoffs = np.full((n, GAME.seats), 9.0)
    batch.returns_rows(states, rows, payoffs)
    mask = np.empty(GAME.actions, np.int8)
    look = np.empty(GAME.observation_size, np.float32)
    point, payoff = np.empty(3, np.int64), np.empty(GAME.seats)
    for k, row in enumerate(rows):
        entry.legal_at(states, row, mask)
        entry.observe_at(states, row, looking[k], look)
        entry.points_at(states, row, 3, scratch, point)
        entry.returns_at(states, row, payoff)
        assert masks[k].tolist() == mask.tolist()
        assert seen[k].tobytes() == look.tobytes()
        assert points[k].tolist() == [*point.tolist(), 0]  # an absent seat
        assert payoffs[k].tolist() == payoff.tolist()
    assert states.tobytes() == before


def test_random_rows_takes_each_legal_action_for_an_equal_share_of_uniforms(
    states: np.ndarray, rows: np.ndarray
) -> None:
    before = states.tobytes()
    mask = np.empty(GAME.actions, np.int8)
    sweep = (np.arange(2000) + 0.5) / 2000
    actions = np.empty(len(sweep), np.int64)
    for row in rows:
        if entry.is_over_at(states, row):
            continue
        batch.act_rows(UNIFORM.parameters, states, np.full(len(sweep), row), sweep, mask, actions)
        entry.legal_at(states, int(row), mask)
        counts = np.bincount(actions, minlength=GAME.actions)
        legal = np.flatnonzero(mask)
        assert np.flatnonzero(counts).tolist() == legal.tolist()
        assert np.abs(counts[legal] - len(sweep) / len(legal)).max() <= 1
    assert states.tobytes() == before


def test_no_rows_are_no_work(states: np.ndarray) -> None:
    before, none = states.tobytes(), np.empty(0, np.int64)
    batch.apply_rows(states, none, none)
    batch.reset_rows(states, none, none, np.empty(0, np.uint64))
    batch.to_act_rows(states, none, none)
    assert states.tobytes() == before
