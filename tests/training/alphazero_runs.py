"""Small AlphaZero runs of the toy game."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from terracotta_training.alphazero import AlphaZeroRun
from terracotta_training.alphazero_config import AlphaZeroConfig
from tests.toy import GAME

from .ppo_runs import BOTS

TINY: Final[dict[str, dict[str, Any]]] = {
    "run": {"seed": 3, "players": [2, 3], "boards": ["plain"], "minutes": 0, "samples": 450, "threads": 1},
    "network": {"width": 8, "blocks": 0},
    "selfplay": {"games": 10, "trees": 6, "simulations": 6, "fast_simulations": 2, "full_share": 0.5},
    "learning": {"minibatch": 32, "window": 150},
    "evaluation": {"every_minutes": 0, "rating_games": 6, "snapshots": 3, "games": 8, "opponents": ["random"]},
}


def settings(folder: Path, **sections: dict[str, Any]) -> AlphaZeroConfig:
    """TINY with changes: a run of about six updates of about 80 samples."""
    tables = {name: {**TINY.get(name, {}), **sections.get(name, {})} for name in {**TINY, **sections}}
    tables["run"]["folder"] = str(folder)
    return AlphaZeroConfig.model_validate(tables)


def tiny(folder: Path, **sections: dict[str, Any]) -> AlphaZeroRun:
    """A new run of the toy game."""
    return AlphaZeroRun.start(GAME, settings(folder, **sections), BOTS)


def resumed(folder: Path) -> AlphaZeroRun:
    """The same run from its last checkpoint."""
    return AlphaZeroRun.resume(GAME, folder, BOTS)
