"""Bots that decide in many games in one call, and one of them as an ordinary policy.

A row policy is to a batch what a :class:`terracotta_env.policy.Policy` is to a game.  Bots that can play so are entered
in :data:`ROW_BOTS` under the code that :mod:`terracotta_agents.registry` knows them by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

import numpy as np

from terracotta_env.game import Game
from terracotta_env.policy import RowPolicy as RowPolicy  # others take it from here
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM, Rollout
from terracotta_env.rows import act_rows

MakeRows = Callable[[], RowPolicy]


@runtime_checkable
class Remembers(Protocol):
    """A row policy that keeps something between calls, which a checkpoint must hold."""

    def memory(self) -> dict[str, np.ndarray]:
        """Arrays by name."""

    def put_back(self, memory: Mapping[str, np.ndarray]) -> None:
        """The inverse of :meth:`memory`."""


class RolloutRows:
    """A bot that decides inside a kernel."""

    def __init__(self, game: Game, rollout: Rollout) -> None:
        self._policies = rollout.parameters
        self._mask = np.empty(game.actions, np.int8)

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        actions = np.empty(len(rows), np.int64)
        act_rows(self._policies, states, rows, rng.random(len(rows)), self._mask, actions)
        return actions


def _random() -> RowPolicy:
    from terracotta_env.army import GAME

    return RolloutRows(GAME, UNIFORM)


def _busy() -> RowPolicy:
    from terracotta_env.army import GAME

    from .busy import BUSY

    return RolloutRows(GAME, BUSY)


def _greedy() -> RowPolicy:
    from .greedy.bot import GreedyRows

    return GreedyRows()


def _planner() -> RowPolicy:
    from .planner.bot import PlannerRows

    return PlannerRows()


def _planner_quick() -> RowPolicy:
    from .planner.bot import QuickPlannerRows

    return QuickPlannerRows()


ROW_BOTS: Final[Mapping[str, MakeRows]] = MappingProxyType(
    {"random": _random, "busy": _busy, "greedy": _greedy, "planner": _planner}
)
# whom a learner may imitate or meet; those that are not above play nowhere else
TEACHERS: Final[Mapping[str, MakeRows]] = MappingProxyType({**ROW_BOTS, "planner-quick": _planner_quick})


class ParallelRows:
    """A row policy on several threads: each has a policy of its own for every so-manieth game.

    Args:
        make: makes one policy; its work must release the interpreter, as kernels do.
        threads: how many.
    """

    def __init__(self, make: MakeRows, threads: int) -> None:
        self.parts = [make() for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, "rows")

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """See :class:`terracotta_env.policy.RowPolicy`; each part draws from a generator of its own."""
        actions = np.empty(len(rows), np.int64)
        seeds = rng.integers(1 << 63, size=len(self.parts))

        def play(part: int) -> None:
            own = np.flatnonzero(rows % len(self.parts) == part)
            if len(own):
                actions[own] = self.parts[part].act(states, rows[own], np.random.default_rng(seeds[part]))

        list(self._pool.map(play, range(len(self.parts))))
        return actions

    def memory(self) -> dict[str, np.ndarray]:
        """What the parts remember between calls."""
        return {
            f"{part}.{name}": value
            for part, policy in enumerate(self.parts)
            if isinstance(policy, Remembers)
            for name, value in policy.memory().items()
        }

    def put_back(self, memory: Mapping[str, np.ndarray]) -> None:
        """The inverse of :meth:`memory`."""
        for part, policy in enumerate(self.parts):
            own = {name.removeprefix(f"{part}."): v for name, v in memory.items() if name.startswith(f"{part}.")}
            if own and isinstance(policy, Remembers):
                policy.put_back(own)


class SingleRow:
    """A row policy as a bot for one game at a time.

    Args:
        rows: decides.
        name: how records call it.
    """

    version = 1

    def __init__(self, rows: RowPolicy, name: str) -> None:
        self.rows, self.name = rows, name
        self._rng = np.random.default_rng(0)
        self._row = np.zeros(1, np.int64)

    def begin(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def act(self, position: Position, mask: np.ndarray) -> int:
        return int(self.rows.act(position.states, self._row, self._rng)[0])
