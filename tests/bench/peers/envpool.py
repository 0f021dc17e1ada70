"""EnvPool: batches of environments in C++ behind its Gymnasium interface; the k-th legal action is drawn with NumPy.

One thread, since one core is measured.  It gives the observations of both players at every step and cannot do without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

import envpool
import numpy as np


def versions() -> dict[str, str]:
    return {"envpool": version("envpool"), "numpy": version("numpy")}


def draw(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A uniform legal action in each row of the mask, shape ``(N, A)``."""
    count = np.cumsum(mask, axis=1, dtype=np.int32)
    k = (rng.random(len(mask)) * np.maximum(count[:, -1], 1)).astype(np.int32)
    return np.asarray((count > k[:, None]).argmax(axis=1), np.int32)


def make(game: str, batch: int) -> Any:
    return envpool.make(game, env_type="gymnasium", num_envs=batch, num_threads=1, seed=1)


def over(terminated: np.ndarray, truncated: np.ndarray, batch: int) -> np.ndarray:
    """Which environments ended; players of one environment end together."""
    return (terminated | truncated).reshape(batch, -1).any(axis=1)


@cache
def mean_moves(game: str, games: int) -> float:
    """Steps of the first whole game in each of ``games`` environments."""
    env, rng = make(game, games), np.random.default_rng(2)
    _, info = env.reset()
    ended, moves = np.zeros(games, bool), 0
    while not ended.all():
        moves += int((~ended).sum())
        _, _, terminated, truncated, info = env.step(draw(info["legal_action_mask"], rng))
        ended |= over(terminated, truncated, games)
    return moves / games


def random_games(game: str, batch: int, length_of: int) -> Callable[[], Mapping[str, float]]:
    """One batch step a chunk; games are steps over the mean length of ``length_of`` games."""
    moves = mean_moves(game, length_of)
    env, rng = make(game, batch), np.random.default_rng(3)
    _, info = env.reset()

    def chunk() -> Mapping[str, float]:
        nonlocal info
        _, _, _, _, info = env.step(draw(info["legal_action_mask"], rng))
        return {"games": batch / moves, "decisions": batch}

    return chunk


WORKS = {"random": random_games}
