"""The folder of a training run: what is saved, and writing it so that a kill at any moment leaves whole files."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from pathlib import Path
from typing import Any

from terracotta_env.game import Game
from terracotta_env.writing import write_atomically as write_atomically  # for all of training

_PACKAGES = (
    "terracotta-army",
    "numpy",
    "numba",
    "gymnasium",
    "pettingzoo",
    "torch",
    "safetensors",
    "stable-baselines3",
    "sb3-contrib",
)


def new_folder(wanted: Path) -> Path:
    """Create ``wanted``, or the first of ``wanted-2``, ``wanted-3``, ... that is free: nothing is overwritten."""
    wanted.parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        folder = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
        try:
            folder.mkdir()
            return folder
        except FileExistsError:
            number += 1


def versions(game: Game) -> dict[str, Any]:
    """What a result depends on beside the settings."""
    found: dict[str, Any] = {"python": platform.python_version(), "game": game.name, "rules": game.rules_version}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = None
    return found


def write_json(path: Path, value: Any) -> None:
    """Write JSON atomically."""
    write_atomically(path, json.dumps(value, indent=2) + "\n")
