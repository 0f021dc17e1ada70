"""The learning curve: how the learner's training games went, update by update, as CSV and picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from .run_folder import write_atomically

FILE: Final = "curve.csv"
PICTURE: Final = "curve.png"
_COLOURS: Final = {"random": "#7f7f7f", "busy": "#d95f02", "self": "#1b9e77", "past": "#7570b3"}


@dataclass(frozen=True)
class CurvePoint:
    """Training games that ended during one update's collection, by kind of opponent.

    The learner samples from its policy there, so its play is weaker than in the evaluation.
    """

    samples: int
    seconds: float
    games: dict[str, int] = field(default_factory=dict)
    win_share: dict[str, float] = field(default_factory=dict)
    margin: dict[str, float] = field(default_factory=dict)


def summarise(finished: Sequence[tuple[str, bool, float]], samples: int, seconds: float) -> CurvePoint:
    """One point from the ended games ``(kind, won, margin)``."""
    point = CurvePoint(samples, seconds)
    for kind in sorted({kind for kind, _, _ in finished}):
        games = [(won, margin) for k, won, margin in finished if k == kind]
        point.games[kind] = len(games)
        point.win_share[kind] = float(np.mean([won for won, _ in games]))
        point.margin[kind] = float(np.mean([margin for _, margin in games]))
    return point


def recent(curve: Sequence[CurvePoint], kind: str, games: int = 200) -> float | None:
    """Win share against ``kind`` over about the last ``games`` games, None where there is none."""
    won = total = 0.0
    for point in reversed(curve):
        n = point.games.get(kind, 0)
        won += point.win_share.get(kind, 0.0) * n
        total += n
        if total >= games:
            break
    return won / total if total else None


def write_curve(folder: Path, curve: Sequence[CurvePoint]) -> None:
    """Write ``curve.csv`` (one row an update and kind) and ``curve.png``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["samples", "seconds", "opponent", "games", "win_share", "margin"])
    for point in curve:
        for kind, games in point.games.items():
            writer.writerow(
                [point.samples, round(point.seconds, 2), kind, games, point.win_share[kind], point.margin[kind]]
            )
    write_atomically(folder / FILE, text.getvalue())
    if curve:
        write_atomically(folder / PICTURE, draw_curve(curve))


def read_curve(folder: Path) -> list[CurvePoint]:
    """The inverse of :func:`write_curve`; empty where there is no file."""
    points: dict[int, CurvePoint] = {}
    if (folder / FILE).exists():
        with (folder / FILE).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                samples = int(row["samples"])
                point = points.setdefault(samples, CurvePoint(samples, float(row["seconds"])))
                point.games[row["opponent"]] = int(row["games"])
                point.win_share[row["opponent"]] = float(row["win_share"])
                point.margin[row["opponent"]] = float(row["margin"])
    return list(points.values())


def draw_curve(curve: Sequence[CurvePoint]) -> bytes:
    """The curve as PNG: win share and points margin by opponent over samples, smoothed over about 200 games."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter

    figure = Figure(figsize=(10, 4.2), dpi=110, layout="constrained")
    left, right = figure.subplots(1, 2)
    samples = np.array([point.samples for point in curve])
    for kind in sorted({kind for point in curve for kind in point.games}):
        games = np.array([point.games.get(kind, 0) for point in curve], float)
        width = max(1, int(np.ceil(200 / max(games.mean(), 1e-9))))
        kernel = np.ones(min(width, len(curve)))
        weight = np.convolve(games, kernel)[: len(curve)]
        for axes, field_name in ((left, "win_share"), (right, "margin")):
            values = np.array([getattr(point, field_name).get(kind, 0.0) for point in curve])
            smooth = np.convolve(values * games, kernel)[: len(curve)] / np.maximum(weight, 1e-9)
            axes.plot(samples[weight > 0], smooth[weight > 0], label=kind, color=_COLOURS.get(kind))
    left.set(xlabel="decisions of the learner", ylabel="share of games won", ylim=(0, 1), title="Training games won")
    right.set(xlabel="decisions of the learner", ylabel="points ahead of the others' mean", title="Points margin")
    right.axhline(0, color="black", linewidth=0.6)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    if left.lines:
        left.legend(title="opponent")
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()
