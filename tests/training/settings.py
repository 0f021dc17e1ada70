"""Small training runs for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from terracotta_training.config import Sb3Config

TINY: dict[str, dict[str, Any]] = {
    "run": {"seed": 3, "minutes": 0, "samples": 600, "threads": 1},
    "ppo": {"n_games": 8, "n_steps": 16, "batch_size": 64, "n_epochs": 2, "shared": [16], "heads": [8]},
    "pool": {"random": 0.25, "busy": 0.25, "self": 0.25, "past": 0.25, "size": 3, "snapshot_updates": 1},
    "evaluation": {"opponents": ["random"], "games": 4},
}


def tiny(folder: Path, **run: Any) -> Sb3Config:
    """Settings for a run of a few updates of 128 samples."""
    return Sb3Config.model_validate({**TINY, "run": {**TINY["run"], "folder": str(folder), **run}})
