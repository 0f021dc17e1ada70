"""Small PPO runs of the toy game for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from terracotta_agents.rows import MakeRows, RolloutRows
from terracotta_env.rollout import UNIFORM
from terracotta_training.ppo import PpoRun
from terracotta_training.ppo_config import PpoConfig
from tests.toy import GAME

BOTS: Final[dict[str, MakeRows]] = {"random": lambda: RolloutRows(GAME, UNIFORM)}
TINY: Final[dict[str, dict[str, Any]]] = {
    "run": {"seed": 3, "players": [2, 3], "boards": ["plain"], "minutes": 0, "samples": 600, "threads": 1},
    "network": {"kind": "perceptron", "width": 8, "blocks": 0},
    "learning": {"games": 16, "steps": 8, "minibatch": 64, "epochs": 1},
    "imitation": {"share": 0},
    "league": {"self": 0.5, "bots": {"random": 1.0}, "freeze_updates": 2, "size": 2},
    "evaluation": {"every_minutes": 1.0, "rating_games": 6, "snapshots": 3, "games": 8, "opponents": ["random"]},
}


def settings(folder: Path, **sections: dict[str, Any]) -> PpoConfig:
    """TINY with changes: a run of five updates of about 120 samples."""
    tables = {name: {**table, **sections.get(name, {})} for name, table in TINY.items()}
    tables["run"]["folder"] = str(folder)
    return PpoConfig.model_validate(tables)


def tiny(folder: Path, **sections: dict[str, Any]) -> PpoRun:
    """A new run of the toy game."""
    return PpoRun.start(GAME, settings(folder, **sections), BOTS)


def resumed(folder: Path) -> PpoRun:
    """The same run from its last checkpoint."""
    return PpoRun.resume(GAME, folder, BOTS)
