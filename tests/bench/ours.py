"""This engine's side of the benchmark.  What it calls of the project it calls here, in kernels.py or in start.py."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any

import numpy as np

from terracotta_env import terracotta_v0
from terracotta_env.batch import apply_rows, legal_rows, observe_rows, random_rows, reset_rows, to_act_rows
from terracotta_env.game import NOBODY, find
from terracotta_env.position import Position

from . import kernels

Chunk = Callable[[], Mapping[str, float]]

GAME = find("terracotta")
GAMES = {"random": 300, "busy": 120}  # in a chunk, some 10 ms
THREAD_GAMES = 6_000  # random games of one thread in a chunk, some 200 ms
IN_CACHE = 16  # records that are cloned and asked for masks: they fit the first cache
TIMES = 20_000
MOST = 200  # decisions played before a position is measured


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("numba", "numpy", "pettingzoo", "gymnasium")}


def make_states(n: int) -> np.ndarray:
    states = GAME.make_states(n)
    GAME.notation.write_board(states, GAME.default_board)
    return states


def scattered(n: int, players: int = 2) -> np.ndarray:
    """``n`` positions from all over random games."""
    states = make_states(n)
    kernels.scatter(states, players, MOST, np.zeros(GAME.actions, np.int8), np.uint64(11))
    return states


def whole_games(policy: str) -> Callable[..., Chunk]:
    """Whole games on one core, one after another, mask written at every decision."""
    loop = {"random": kernels.random_games, "busy": kernels.busy_games}[policy]

    def prepare(players: int, games: int = GAMES[policy]) -> Chunk:
        states, mask, number = make_states(1), np.zeros(GAME.actions, np.int8), np.uint64(5)

        def chunk() -> Mapping[str, float]:
            nonlocal number
            decisions, next_number = loop(states, players, games, mask, number)
            number = np.uint64(next_number)
            return {"games": games, "decisions": int(decisions)}

        return chunk

    return prepare


def threads(threads: int) -> Chunk:
    """Random two-player games in so many threads of this process, each on its own records."""
    plays = [whole_games("random")(2, THREAD_GAMES) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def chunk() -> Mapping[str, float]:
        done = list(pool.map(lambda play: play(), plays))
        return {key: sum(amounts[key] for amounts in done) for key in done[0]}

    return chunk


def batch(batch: int, observe: bool) -> Chunk:
    """Uniform play of ``batch`` games at once from Python, finished ones begun anew; masks (and observations) written.

    A chunk is so many batch steps that some thousand decisions are taken.
    """
    steps = max(1, 4096 // batch)
    rng = np.random.default_rng(7)
    states = scattered(batch)
    rows = np.arange(batch)
    actions, seats = np.zeros(batch, np.int64), np.zeros(batch, np.int64)
    mask = np.zeros(GAME.actions, np.int8)
    masks = np.zeros((batch, GAME.actions), np.int8)
    out = np.zeros((batch if observe else 0, GAME.observation_size), np.float32)

    def chunk() -> Mapping[str, float]:
        finished = 0
        for _ in range(steps):
            random_rows(states, rows, rng.random(batch), mask, actions)
            apply_rows(states, rows, actions)
            to_act_rows(states, rows, seats)
            over = rows[seats == NOBODY]
            if over.size:
                finished += over.size
                reset_rows(states, over, 2, rng.integers(1 << 64, size=over.size, dtype=np.uint64))
                to_act_rows(states, rows, seats)
            legal_rows(states, rows, masks)
            if observe:
                observe_rows(states, rows, seats, out)
        return {"games": finished, "decisions": batch * steps}

    return chunk


def clone() -> Chunk:
    states = scattered(IN_CACHE)

    def chunk() -> Mapping[str, float]:
        kernels.clones(states, TIMES)
        return {"calls": TIMES}

    return chunk


def mask() -> Chunk:
    states, out = scattered(IN_CACHE), np.zeros(GAME.actions, np.int8)

    def chunk() -> Mapping[str, float]:
        kernels.masks(states, TIMES, out)
        return {"calls": TIMES}

    return chunk


def observe(batch: int) -> Chunk:
    """All tensors of the seat to act, for ``batch`` positions into ``batch`` rows."""
    states, out = scattered(batch), np.zeros((batch, GAME.observation_size), np.float32)
    times = max(1, 4096 // batch)

    def chunk() -> Mapping[str, float]:
        for _ in range(times):
            kernels.observations(states, out)
        return {"calls": times * batch}

    return chunk


def from_python(verb: str) -> Chunk:
    """The same verbs through `Position`, one call at a time."""
    position = Position(GAME, scattered(1))
    seat = position.to_act or 0
    call: Callable[[], Any] = {
        "clone": position.clone,
        "mask": position.mask,
        "observe": lambda: position.observe(seat),
    }[verb]

    def chunk() -> Mapping[str, float]:
        for _ in range(500):
            call()
        return {"calls": 500}

    return chunk


def size() -> dict[str, Any]:
    return {"bytes": GAME.dtype.itemsize, "what": "the record, printed data included"}


def resident() -> dict[str, Any]:
    """Memory this process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return {"bytes": int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")}


WORKS: dict[str, Callable[..., Chunk]] = {
    "random": whole_games("random"),
    "busy": whole_games("busy"),
    "threads": threads,
    "batch": batch,
    "clone": clone,
    "mask": mask,
    "observe": observe,
    "from_python": from_python,
}
ENVS: dict[str, Callable[[], Any]] = {
    "tensors": lambda: terracotta_v0.env(observation="tensors"),
    "flat": lambda: terracotta_v0.env(observation="flat"),
}
FACTS: dict[str, Callable[..., dict[str, Any]]] = {"bytes": size, "resident": resident}
