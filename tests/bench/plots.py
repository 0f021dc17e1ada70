"""Plots of a study as one picture: growth, starts left aside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from .report import Study, places_of, sides_of


def curve(axes: Any, study: Study, section: str, unit: str) -> None:
    """One line for each side: medians, with a band from the least to the most."""
    for side in sides_of(study, section):
        found = [s for s in study.series if (s.section, s.side, s.unit) == (section, side, unit) and s.x is not None]
        found.sort(key=lambda s: s.x or 0)
        if not found:
            continue
        x = [s.x for s in found]
        (line,) = axes.plot(x, [s.median for s in found], marker="o", markersize=3, label=side)
        axes.fill_between(
            x, [min(s.values) for s in found], [max(s.values) for s in found], color=line.get_color(), alpha=0.2, lw=0
        )


def bars(axes: Any, study: Study, section: str, unit: str) -> None:
    """Every side's median with its least and most, the fastest on top; ours in another colour than peers."""
    found = [s for s in study.series if s.section == section and s.unit == unit]
    found.sort(key=lambda s: s.median)
    names = [s.side.removesuffix(", observations") for s in found]
    medians = [s.median for s in found]
    spread = [
        [median - min(s.values) for s, median in zip(found, medians)],
        [max(s.values) - median for s, median in zip(found, medians)],
    ]
    colours = ["tab:red" if section == "threads" or "Terracotta" in name else "tab:gray" for name in names]
    axes.barh(names, medians, xerr=spread, color=colours, error_kw={"lw": 1})
    axes.tick_params(axis="y", labelsize=7)


def draw(study: Study, path: Path) -> None:
    """All plots, those left out for which nothing was measured."""
    panels = [name for name in ("random", "batches", "threads", "players", "memory") if sides_of(study, name)]
    if not panels:
        return
    rows = (len(panels) + 1) // 2
    figure, grid = plt.subplots(rows, 2, figsize=(12, 4.2 * rows), squeeze=False, layout="constrained")
    for axes, name in zip(grid.flat, panels):
        if name == "random":
            bars(axes, study, "random", "games")
            axes.set(xscale="log", xlabel="whole games/s, one core", title="Random play")
        elif name == "batches":
            curve(axes, study, "batches", "decisions")
            axes.set(xscale="log", yscale="log", xlabel="games in the batch", ylabel="decisions/s, one core")
        elif name == "threads":
            bars(axes, study, "threads", "decisions")
            axes.set_xlabel("decisions/s")
        elif name == "players":
            curve(axes, study, "players", "games")
            axes.set(
                yscale="log", xlabel="players", ylabel="whole games/s, one core", xticks=places_of(study, "players")
            )
        else:
            curve(axes, study, "memory", "MiB")
            axes.set(xlabel="games played by one process", ylabel="resident memory, MiB")
            axes.set_ylim(bottom=0)
        if name in ("batches", "players", "memory"):
            axes.legend(fontsize=7)
        axes.grid(alpha=0.3)
    for axes in list(grid.flat)[len(panels) :]:
        axes.remove()
    figure.savefig(path, dpi=80)
    plt.close(figure)
