"""Faults of long and parallel runs that users met in other environments; each test names the thread."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from terracotta_env.aec import GameAEC
from terracotta_env.batch import Batch
from terracotta_env.gym import GameGym
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.record import play_record, position_after, verify
from terracotta_env.rollout import UNIFORM
from tests.env.playing import play_out
from tests.toy import GAME as TOY

EPISODES = 2000


class ByTheClock:
    """A bot whose choice depends on how fast the machine is."""

    name = "by the clock"
    version = 1

    def begin(self, seed: int) -> None:
        """Nothing is drawn."""

    def act(self, position: Position, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[time.perf_counter_ns() // 1000 % len(legal)])


# macrae/mana-map#27: budgets by the wall clock made replays differ; here a replay plays decisions and asks nobody
def test_game_of_a_bot_with_a_clock_replays_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_seed(TOY, 3, 5)
    record = play_record(position, [ByTheClock(), ByTheClock(), Uniform()])

    def no_clock() -> int:
        raise AssertionError("a replay looked at the clock")

    for name in ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"):
        monkeypatch.setattr(time, name, no_clock)
    assert verify(TOY, record).key() == position.key()
    assert position_after(TOY, record).key() == position.key()


def play_aec(episodes: int) -> None:
    env = GameAEC(TOY, 3)
    for seed in range(episodes):
        env.reset(seed=seed)
        play_out(env, seed)
        env.drain()


def play_gym(episodes: int) -> None:
    env = GameGym(TOY, 2, observation="vector")
    for seed in range(episodes):
        env.reset(seed=seed)
        while not env.step(int(env.action_masks().argmax()))[2]:
            pass


def play_records(episodes: int) -> None:
    for seed in range(episodes):
        play_record(Position.from_seed(TOY, 2, seed), [Uniform(), Uniform()])


def play_batch(episodes: int) -> None:
    batch = Batch("orchard", 4, players=2, seed=1)
    for seed in range(episodes // 4):
        batch.play_out(UNIFORM, seed)
        batch.reset()


# ray#9964, ray PR#15815, ray#21718, ray#21041, stable-baselines3#1966: something kept for each episode
@pytest.mark.parametrize("play", [play_aec, play_gym, play_records, play_batch])
def test_nothing_is_kept_for_an_episode(play: Callable[[int], None]) -> None:
    play(50)  # what is made once
    tracemalloc.start()
    try:
        play(50)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        play(EPISODES)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 16 * EPISODES, "bytes: a number kept for each episode would be more"


def make_learner() -> GameGym:
    return GameGym(TOY, 2, reward="vp", observation="vector", seat=0)


def episodes(envs: Any, steps: int) -> list[list[tuple[float, int]]]:
    """Return and length of each finished episode, by environment; the first legal action throughout."""
    found: list[list[tuple[float, int]]] = [[] for _ in range(envs.num_envs)]
    _, infos = envs.reset(seed=[100 + i for i in range(envs.num_envs)])
    for _ in range(steps):
        _, rewards, terminations, truncations, infos = envs.step(np.array(infos["action_mask"]).argmax(axis=1))
        assert rewards.dtype == np.float64
        assert not truncations.any()
        for i in np.flatnonzero(terminations):
            found[i].append((float(infos["episode"]["r"][i]), int(infos["episode"]["l"][i])))
    return found


def alone(number: int, steps: int) -> list[tuple[float, int]]:
    """The same by one environment that is reset by hand."""
    env, found, total, length = make_learner(), [], 0.0, 0
    env.reset(seed=100 + number)
    for _ in range(steps):
        _, reward, terminated, _, _ = env.step(int(env.action_masks().argmax()))
        total, length = total + float(reward), length + 1
        if terminated:
            found.append((total, length))
            env.reset()
            total, length = 0.0, 0
    return found


# Gymnasium#1103, PR#1624, PR#1668, #1445: statistics wrong in same-step mode, backends that disagree
@pytest.mark.slow
@pytest.mark.parametrize("backend", [SyncVectorEnv, AsyncVectorEnv])
def test_episodes_are_those_of_serial_play_on_both_backends(backend: Any) -> None:
    envs = RecordEpisodeStatistics(backend([make_learner] * 8, autoreset_mode=AutoresetMode.SAME_STEP))
    try:
        found = episodes(envs, 60)
    finally:
        envs.close()
    expected = [alone(i, 60) for i in range(8)]
    assert all(len(row) > 5 for row in expected)
    assert [[length for _, length in row] for row in found] == [[length for _, length in row] for row in expected]
    for row, wanted in zip(found, expected, strict=True):
        assert [total for total, _ in row] == pytest.approx([total for total, _ in wanted], abs=1e-5)
