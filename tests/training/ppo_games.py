"""Small parts of the PPO learner for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from terracotta_agents.busy import BUSY
from terracotta_env.batch import Batch
from terracotta_env.game import Game
from terracotta_env.rollout import UNIFORM
from terracotta_training.collect import Collector
from terracotta_training.league import League
from terracotta_training.opponents import RolloutRows, RowPolicy
from tests.agents.nets import small_network


def small_collector(
    game: Game,
    games: int = 12,
    steps: int = 16,
    self_share: float = 0.5,
    discounts: tuple[float, float] = (1.0, 1.0),
    by_turn: bool = False,
    bots: dict[str, tuple[RowPolicy, float]] | None = None,
    players: Any = None,
    seed: int = 1,
    half: bool = False,
) -> Collector:
    """All player counts side by side, a network with an opinion, and a bot in the league."""
    league = League(bots if bots is not None else {"random": (RolloutRows(game, UNIFORM), 1.0)}, 1.0, 2)
    counts = np.resize(game.players if players is None else players, games)
    return Collector(
        Batch(game, games, counts, seed=seed),
        small_network(game, gain=30),
        league,
        self_share,
        steps,
        discounts,
        by_turn,
        np.random.default_rng(seed),
        torch.Generator().manual_seed(seed),
        half,
    )


def busy_rows(game: Game) -> RowPolicy:
    return RolloutRows(game, BUSY)
