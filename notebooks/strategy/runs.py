"""Training runs as tables, from their folders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from terracotta_training.metrics import read_metrics
from terracotta_training.rated import RatedGames, rating_curve

SAMPLE: Final = Path(__file__).with_name("sample-run")


@dataclass(frozen=True)
class Run:
    """One run.

    Attributes:
        name: that of its folder.
        settings: by dotted key, as text.
        metrics: one row an update, see ``metrics.csv``.
        shares: one row a snapshot, number of players and bot: samples, core_minutes, players, bot, games, share, low, high.
    """

    name: str
    settings: dict[str, str]
    metrics: pd.DataFrame
    shares: pd.DataFrame


def read_run(folder: Path) -> Run:
    """The run of a folder of ``terracotta train ppo``.

    Raises:
        ValueError: says what the folder lacks.
    """
    if not (folder / "config.json").is_file() or not (rows := read_metrics(folder)):
        raise ValueError(
            f"{folder}: expected the folder of a run of `terracotta train ppo`, with config.json and metrics.csv"
        )
    curve = rating_curve(RatedGames(folder))
    if curve is None:
        raise ValueError(f"{folder}: no snapshot was rated yet")
    metrics = pd.DataFrame(rows)
    shares = [
        (point.snapshot.samples, players, bot, share.count, share.value, share.low, share.high)
        for point in curve.points
        for (players, bot), share in point.shares.items()
    ]
    frame = pd.DataFrame(shares, columns=["samples", "players", "bot", "games", "share", "low", "high"])
    frame.insert(1, "core_minutes", np.interp(frame.samples, metrics.samples, metrics.core_seconds) / 60)
    settings = dict(_flat(json.loads((folder / "config.json").read_text(encoding="utf-8"))))
    return Run(folder.resolve().name, settings, metrics, frame)


def at_share(shares: pd.DataFrame, share: float) -> str:
    """Core minutes of the first snapshot that won at least this share, in words."""
    there = shares[shares.share >= share].core_minutes
    return f"{there.min():.0f} minutes" if len(there) else f"not within {shares.core_minutes.max():.0f} minutes"


def _flat(table: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    found = []
    for key, value in table.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, dict) else [(f"{before}{key}", str(value))]
    return found
