"""The side that `make bench-guard` runs on two commits: a fixed load; what one of them lacks is an error of its own.

Modules newer than the verbs are imported where they are needed, so that older commits can do the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from terracotta_env import entry, terracotta_v0
from terracotta_env.game import find

from . import kernels

Chunk = Callable[[], Mapping[str, float]]

GAME = find("terracotta")


def versions() -> dict[str, str]:
    return {}


def make_states(n: int) -> np.ndarray:
    states = GAME.make_states(n)
    GAME.notation.write_board(states, GAME.default_board)
    return states


def random_games(players: int, games: int) -> Chunk:
    states, mask = make_states(1), np.zeros(GAME.actions, np.int8)

    def chunk() -> Mapping[str, float]:
        decisions, _ = kernels.random_games(states, players, games, mask, np.uint64(5))
        return {"decisions": int(decisions)}

    return chunk


def masks(times: int) -> Chunk:
    states, mask = make_states(256), np.zeros(GAME.actions, np.int8)
    kernels.scatter(states, 2, 200, mask, np.uint64(11))

    def chunk() -> Mapping[str, float]:
        kernels.masks(states, times, mask)
        return {"calls": times}

    return chunk


def observations(times: int) -> Chunk:
    states, out = make_states(256), np.zeros(GAME.observation_size, np.float32)
    kernels.scatter(states, 2, 200, np.zeros(GAME.actions, np.int8), np.uint64(11))

    def chunk() -> Mapping[str, float]:
        for k in range(times):
            entry.observe_at(states, k % 256, 0, out)
        return {"calls": times}

    return chunk


def newer(work: str) -> Callable[..., Chunk]:
    """A work of ours.py, which wants the batch."""

    def prepare(**args: Any) -> Chunk:
        chunk: Chunk = import_module("tests.bench.ours").WORKS[work](**args)
        return chunk

    return prepare


WORKS: dict[str, Callable[..., Chunk]] = {
    "random_games": random_games,
    "masks": masks,
    "observations": observations,
    "policy_games": newer("busy_loop"),
    "whole_games": newer("random"),
    "batch": newer("batch"),
}
ENVS: dict[str, Callable[[], Any]] = {"tensors": lambda: terracotta_v0.env(observation="tensors")}
