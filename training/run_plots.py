"""The pictures of a PPO run as PNG, drawn without touching a display or matplotlib's global state."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from terracotta_agents.arena.stats import Estimate

from .metrics import Row
from .rated import RatingCurve

_LINES: Final = ("-", "--", ":")  # for the first, second and third number of players
_TICKS: Final = 7
_SMOOTH: Final = 50  # points that a curve of update by update is about reduced to
# panels of losses.png: title and the columns drawn in it
_PANELS: Final = (
    ("Entropy of the policy", ("entropy",)),
    ("Change of the policy by an update", ("kl", "clipped")),
    ("Explained variance of the values", ("explained_rank", "explained_margin")),
    ("Losses", ("loss_policy", "loss_rank", "loss_margin")),
    ("Samples a second, updates included", ("samples_per_second",)),
)
_SCORES: Final = "Ahead of, in training games"


def draw_strength(curve: RatingCurve) -> bytes:
    """Ratings and win shares of the snapshots over samples, with 95 % intervals."""
    figure = Figure(figsize=(11, 4.6), dpi=110, layout="constrained")
    left, right = figure.subplots(1, 2)
    samples = np.array([point.snapshot.samples for point in curve.points], float)
    for number, (bot, rating) in enumerate(curve.bots.items()):
        left.axhline(rating.value, color=f"C{number + 1}", linestyle="--", linewidth=1, label=bot)
        left.axhspan(*np.nan_to_num([rating.low, rating.high], nan=rating.value), color=f"C{number + 1}", alpha=0.08)
    _with_intervals(left, samples, [point.rating for point in curve.points], color="C0", label="the learner")
    left.set(ylabel="Elo over the mean of all shown", title="Rating")
    keys = sorted({key for point in curve.points for key in point.shares})
    counts, bots = sorted({players for players, _ in keys}), list(curve.bots)
    for players, bot in keys:
        at = [place for place, point in enumerate(curve.points) if (players, bot) in point.shares]
        values = [curve.points[place].shares[players, bot] for place in at]
        look = {"color": f"C{bots.index(bot) + 1}", "linestyle": _LINES[counts.index(players) % len(_LINES)]}
        _with_intervals(right, samples[at], values, label=f"{bot}, {players} players", **look)
    right.set(ylabel="share of games won", ylim=(-0.02, 1.02), title="Games won, the bot in all other seats")
    for axes in (left, right):
        axes.set_xlabel("decisions of the learner")
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize="small")
    _add_minutes(left, samples, [point.snapshot.minutes for point in curve.points])
    return _png(figure)


def _add_minutes(axes: Any, samples: np.ndarray, minutes: Sequence[float]) -> None:
    """Training time of some snapshots along the upper edge."""
    shown = np.unique(np.linspace(0, len(samples) - 1, _TICKS).round().astype(int))
    top = axes.secondary_xaxis("top")
    top.set_xticks(samples[shown], [f"{minutes[place]:.3g}" for place in shown])
    top.set_xlabel("minutes of training", fontsize="small")


def _with_intervals(axes: Any, at: np.ndarray, values: Sequence[Estimate], **look: Any) -> None:
    middle = np.array([value.value for value in values])
    low, high = np.array([value.low for value in values]), np.array([value.high for value in values])
    reach = np.nan_to_num(np.array([middle - low, high - middle])).clip(0)
    axes.errorbar(at, middle, yerr=reach, marker="o", markersize=4, capsize=2, elinewidth=0.8, **look)


def draw_losses(rows: Sequence[Row]) -> bytes:
    """What was watched of each update over samples, as means over about a fiftieth of the run."""
    figure = Figure(figsize=(11, 6), dpi=110, layout="constrained")
    scores = tuple(dict.fromkeys(name for row in rows for name in row if name.startswith("score_")))
    for axes, (title, columns) in zip(figure.subplots(2, 3).ravel(), (*_PANELS, (_SCORES, scores)), strict=True):
        for column in columns:
            known = [(row["samples"], row[column]) for row in rows if column in row]
            if known:
                axes.plot(*_smooth(np.array(known, float)), label=column.removeprefix("score_"))
        axes.set_title(title, fontsize="medium")
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.grid(alpha=0.3)
        if len(axes.lines) > 1 or columns is scores:
            axes.legend(fontsize="small") if axes.lines else None
    figure.supxlabel("decisions of the learner", fontsize="medium")
    return _png(figure)


def _smooth(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means of neighbours: ``(K, 2)`` to x and y of about _SMOOTH points."""
    parts = np.array_split(points, min(len(points), _SMOOTH))
    means = np.array([part.mean(0) for part in parts])
    return means[:, 0], means[:, 1]


def _png(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()
