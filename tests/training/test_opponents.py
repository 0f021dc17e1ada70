"""The opponents of a learner: bounded, real copies, drawn by their shares, legal."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
import torch

from terracotta_agents.busy import BUSY
from terracotta_agents.neural.actor import Actor
from terracotta_env.army import GAME
from terracotta_env.entry import apply_at, legal_at
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM
from terracotta_training.opponents import ActorRows, OpponentPool, RolloutRows, RowPolicy

SHARES = {"random": 0.1, "busy": 0.3, "self": 0.4, "past": 0.2}


def small_actor(seed: int = 0) -> Actor:
    torch.manual_seed(seed)
    return Actor([GAME.observation_size, 4, GAME.actions]).eval()


def test_two_hundred_added_snapshots_leave_only_the_pools_size() -> None:
    pool = OpponentPool(GAME, SHARES, size=5)
    made = []
    in_use = np.zeros((8, GAME.seats), np.int64)
    for i in range(200):
        actor = small_actor(i)
        made.append(weakref.ref(actor))
        pool.set_current(actor)
        pool.add_snapshot(actor)
        pool.free(in_use)
        assert len(pool.snapshots) <= 5
        assert len(pool.policies) == len(pool.kind_of) <= 2 + 1 + 5
    del actor
    gc.collect()
    assert sum(ref() is not None for ref in made) <= 6


def test_oldest_snapshot_stays_as_a_trace_of_the_beginning_and_the_newest_enters() -> None:
    pool = OpponentPool(GAME, SHARES, size=3)
    entered = []
    for i in range(10):
        pool.add_snapshot(small_actor(i))
        entered.append(pool.snapshots[-1])
    assert pool.snapshots == [entered[0], entered[-2], entered[-1]]


def test_pool_of_one_keeps_the_newest_snapshot() -> None:
    pool = OpponentPool(GAME, SHARES, size=1)
    for i in range(3):
        pool.add_snapshot(small_actor(i))
    assert pool.snapshots == [max(pool.policies)]


def test_opponent_in_a_running_game_lives_on_until_the_game_ends() -> None:
    pool = OpponentPool(GAME, SHARES, size=1)
    pool.set_current(small_actor())
    held = pool.current
    assert held is not None
    policy = pool.policies[held]
    in_use = np.zeros((4, GAME.seats), np.int64)
    in_use[2, 1] = held
    for i in range(20):
        pool.set_current(small_actor(i))
        pool.free(in_use)
    assert pool.policies[held] is policy
    assert pool.kind_of[held] == "self"
    in_use[2, 1] = 0
    pool.free(in_use)
    assert held not in pool.policies


def test_numbers_are_never_used_twice() -> None:
    pool = OpponentPool(GAME, SHARES, size=1)
    seen = []
    for i in range(30):
        pool.set_current(small_actor(i))
        assert pool.current is not None
        seen.append(pool.current)
        pool.free(np.zeros((1, GAME.seats), np.int64))
    assert len(set(seen)) == 30


def test_kinds_are_drawn_by_their_shares() -> None:
    pool = OpponentPool(GAME, {**SHARES, "random": 1, "busy": 3, "self": 4, "past": 2}, size=4)
    pool.set_current(small_actor())
    for i in range(4):
        pool.add_snapshot(small_actor(i))
    rng, n = np.random.default_rng(0), 20_000
    drawn = [pool.draw(rng) for _ in range(n)]
    kinds = [pool.kind_of[number] for number in drawn]
    for kind, share in SHARES.items():
        assert abs(kinds.count(kind) / n - share) < 4 * np.sqrt(share * (1 - share) / n)
    for number in pool.snapshots:
        assert abs(drawn.count(number) / n - 0.05) < 4 * np.sqrt(0.05 * 0.95 / n)


def test_kind_without_weight_is_never_drawn_and_past_falls_back_on_the_learner() -> None:
    pool = OpponentPool(GAME, {"random": 0, "busy": 0, "self": 0, "past": 1}, size=2)
    rng = np.random.default_rng(0)
    pool.set_current(small_actor())
    assert {pool.draw(rng) for _ in range(50)} == {pool.current}
    pool.add_snapshot(small_actor())
    assert {pool.draw(rng) for _ in range(50)} == set(pool.snapshots)


def rows_of_games(n: int, players: int) -> np.ndarray:
    states = np.concatenate([Position.from_seed(GAME, players, seed).states for seed in range(n)])
    rng = np.random.default_rng(0)
    mask = np.empty(GAME.actions, np.int8)
    for i in range(n):
        for _ in range(3 * i):
            legal_at(states, i, mask)
            apply_at(states, i, int(rng.choice(np.flatnonzero(mask))))
    return states


@pytest.mark.parametrize(
    "make",
    [
        lambda game: RolloutRows(game, UNIFORM),
        lambda game: RolloutRows(game, BUSY),
        lambda game: ActorRows(game, small_actor()),
    ],
)
def test_policies_choose_legal_actions_in_their_rows_and_change_nothing(make: object) -> None:
    assert callable(make)
    policy: RowPolicy = make(GAME)
    states = rows_of_games(30, 3)
    before = states.tobytes()
    rows = np.array([29, 3, 17, 8], np.int64)
    mask = np.empty(GAME.actions, np.int8)
    for seed in range(20):
        actions = policy.act(states, rows, np.random.default_rng(seed))
        assert actions.dtype == np.int64
        for row, action in zip(rows, actions, strict=True):
            legal_at(states, int(row), mask)
            assert mask[action] == 1
        again = policy.act(states, rows, np.random.default_rng(seed))
        assert actions.tolist() == again.tolist()
    assert states.tobytes() == before


def test_network_in_rows_sees_each_game_from_its_own_mover() -> None:
    actor = small_actor(5)
    states = rows_of_games(20, 4)
    rows = np.arange(20, dtype=np.int64)
    chosen = ActorRows(GAME, actor, sample=False).act(states, rows, np.random.default_rng(0))
    for row, action in zip(rows, chosen, strict=True):
        position = Position(GAME, states[row : row + 1].copy())
        assert position.to_act is not None
        logits = actor(torch.from_numpy(position.observe(position.to_act))[None])[0].detach().numpy()
        legal = np.flatnonzero(position.mask())
        assert action == legal[logits[legal].argmax()]
