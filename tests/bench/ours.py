"""This engine's side of the benchmark.  What it calls of the project it calls here, in kernels.py or in start.py."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import numpy as np

from terracotta_agents.busy import BUSY
from terracotta_env import game as verbs
from terracotta_env import terracotta_v0
from terracotta_env.batch import Batch
from terracotta_env.game import find
from terracotta_env.kernel import kernel
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM, choose

from . import kernels
from .kernels import following, unit_of

Chunk = Callable[[], Mapping[str, float]]

GAME = find("terracotta")
POLICIES = {"random": UNIFORM, "busy": BUSY}
GAMES = {"random": 512, "busy": 128}  # in a chunk, some 15 ms
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


def scattered_batch(n: int, threads: int = 1) -> Batch:
    """A batch whose games stand all over, so that about as many end in one step as in another."""
    batch = Batch(GAME, n, threads=threads, checked=False)
    batch.states[:] = scattered(n)
    actions = np.zeros(n, np.int64)
    batch.act(UNIFORM, np.random.default_rng(7).random(n), actions)
    batch.step(actions)  # which looks who is to act
    return batch


@kernel
def policy_games(policies, states, players, games, mask, number):
    """Whole games with a rollout policy in every seat; the mask is written whether the policy reads it or not."""
    decisions = 0
    for _ in range(games):
        number = following(number)
        verbs.reset(states[0], players, number)
        while not verbs.is_over(states[0]):
            number = following(number)
            verbs.legal(states[0], mask)
            verbs.apply(states[0], choose(policies[0], states[0], mask, unit_of(number)))
            decisions += 1
    return decisions, number


def whole_games(policy: str) -> Callable[..., Chunk]:
    """Whole games of a batch, from setups to ends.  ``random`` writes a mask at every decision, ``busy`` needs none."""

    def prepare(players: int, games: int = GAMES[policy], threads: int = 1) -> Chunk:
        batch = Batch(GAME, games * threads, players=players, threads=threads)
        seed = 0

        def chunk() -> Mapping[str, float]:
            nonlocal seed
            seed += 1
            batch.reset()
            return {"games": games * threads, "decisions": batch.play_out(POLICIES[policy], seed)}

        return chunk

    return prepare


def loop_games(policy: str) -> Callable[..., Chunk]:
    """Whole games in a loop over the verbs alone, the mask written at every decision."""

    def prepare(players: int, games: int = GAMES[policy]) -> Chunk:
        states, mask, number = make_states(1), np.zeros(GAME.actions, np.int8), np.uint64(5)

        def chunk() -> Mapping[str, float]:
            nonlocal number
            if policy == "random":
                decisions, after = kernels.random_games(states, players, games, mask, number)
            else:
                decisions, after = policy_games(POLICIES[policy].parameters, states, players, games, mask, number)
            number = np.uint64(after)
            return {"games": games, "decisions": int(decisions)}

        return chunk

    return prepare


def threads(threads: int) -> Chunk:
    """Random two-player games on so many threads of this process."""
    return whole_games("random")(2, THREAD_GAMES, threads)


def batch(batch: int, observe: str = "", threads: int = 1) -> Chunk:
    """Uniform play of ``batch`` games at once, moved from Python; masks (and observations) written at every step.

    ``observe`` is empty, ``float32`` or ``int8``.  A chunk is so many steps that some thousand decisions are taken.
    """
    steps = max(1, 4096 // batch)
    games, rng = scattered_batch(batch, threads), np.random.default_rng(7)
    masks, actions = games.make_masks(), np.zeros(batch, np.int64)
    out = games.make_observations(compact=observe == "int8") if observe else None

    def chunk() -> Mapping[str, float]:
        ended = 0
        for _ in range(steps):
            games.legal(masks)
            if out is not None:
                games.observe(out)
            games.act(UNIFORM, rng.random(batch), actions)
            ended += len(games.step(actions))
        return {"games": ended, "decisions": batch * steps}

    return chunk


def vector(batch: int) -> Chunk:
    """The Gymnasium vector environment: observations, masks, rewards; uniform play of the learner and its opponent.

    Only the learner's decisions are counted; its k-th legal actions are drawn with NumPy.
    """
    steps = max(1, 1024 // batch)
    envs, rng = terracotta_v0.TerracottaVector(num_envs=batch, copy=False), np.random.default_rng(7)
    _, infos = envs.reset(seed=7)

    def chunk() -> Mapping[str, float]:
        nonlocal infos
        for _ in range(steps):
            counts = np.cumsum(infos["action_mask"], axis=1, dtype=np.int32)
            k = (rng.random(batch) * counts[:, -1]).astype(np.int32)
            infos = envs.step((counts > k[:, None]).argmax(axis=1))[-1]
        return {"decisions": batch * steps}

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


def observe(batch: int, compact: bool = False) -> Chunk:
    """All tensors of the seat to act, for ``batch`` positions into ``batch`` rows."""
    games = scattered_batch(batch)
    out = games.make_observations(compact)
    times = max(1, 4096 // batch)

    def chunk() -> Mapping[str, float]:
        for _ in range(times):
            games.observe(out)
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
    "random_loop": loop_games("random"),
    "busy_loop": loop_games("busy"),
    "threads": threads,
    "batch": batch,
    "vector": vector,
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
