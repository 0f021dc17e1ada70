"""Bots that decide in many games in one call, and one of them as an ordinary policy.

A row policy is to a batch what a :class:`terracotta_env.policy.Policy` is to a game.  Bots that can play so are entered
in :data:`ROW_BOTS` under the code that :mod:`agents.registry` knows them by; ``planner-quick`` plays only so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from terracotta_env.game import Game
from terracotta_env.policy import RowPolicy as RowPolicy  # others take it from here
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM, Rollout
from terracotta_env.rows import act_rows

MakeRows = Callable[[], RowPolicy]


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
    {"random": _random, "busy": _busy, "greedy": _greedy, "planner": _planner, "planner-quick": _planner_quick}
)


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
