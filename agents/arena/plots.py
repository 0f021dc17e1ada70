"""The plots of a report, as SVG in data addresses, drawn without touching a display or matplotlib's global state."""

from __future__ import annotations

import base64
import io

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from .summary import Bars, Summary


def plots(summary: Summary) -> list[tuple[str, str]]:
    """``(title, address)`` of each plot."""
    drawn = [(bars.title, _address(draw_bars(bars))) for bars in summary.bars]
    if len(summary.sources):
        drawn.append(("Mean VP by source", _address(draw_sources(summary))))
    return drawn


def draw_bars(bars: Bars) -> Figure:
    """Points with intervals; side by side, one group for each name; dashed lines at par."""
    figure = Figure(figsize=(8, 1.2 + 0.28 * len(bars.names) * len(bars.series)), layout="constrained")
    axes = figure.add_subplot()
    step = 0.8 / len(bars.series)
    for number, (name, estimates) in enumerate(bars.series.items()):
        at = np.arange(len(bars.names)) + (number - (len(bars.series) - 1) / 2) * step
        value = np.array([estimate.value for estimate in estimates])
        low = np.array([estimate.low for estimate in estimates])
        high = np.array([estimate.high for estimate in estimates])
        colour = f"C{number}"
        reach = np.nan_to_num(np.array([value - low, high - value])).clip(0)
        axes.errorbar(value, at, xerr=reach, fmt="o", color=colour, capsize=3, label=_plain(name))
        if name in bars.par:
            axes.axvline(bars.par[name], color=colour, linestyle="--", linewidth=0.8)
    if not bars.par:
        axes.axvline(0, color="grey", linestyle="--", linewidth=0.8)
    axes.set_yticks(np.arange(len(bars.names)), [_plain(name) for name in bars.names])
    axes.invert_yaxis()
    axes.set_xlabel(f"{bars.unit}, 95 % intervals" + ("; dashed: par" if bars.par else ""))
    axes.legend(fontsize="small")
    return figure


def draw_sources(summary: Summary) -> Figure:
    """Stacked bars, one for each agent and number of players."""
    means = summary.sources
    figure = Figure(figsize=(8, 1.8 + 0.35 * len(means)), layout="constrained")
    axes = figure.add_subplot()
    colours = matplotlib.colormaps["tab20"]
    rows = [f"{players} players, {agent}" for players, agent in means.index]
    for sign in (1, -1):  # points that are lost go to the left
        left = np.zeros(len(means))
        for number, source in enumerate(means.columns):
            width = means[source].to_numpy(float)
            width = np.where(np.sign(width) == sign, width, 0.0)
            label = str(source) if sign == 1 else None
            axes.barh(range(len(means)), width, left=left, color=colours(number % 20), label=label)
            left = left + width
    axes.set_yticks(range(len(means)), [_plain(row) for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("mean VP")
    figure.legend(loc="outside right upper", fontsize="x-small")
    return figure


def _plain(text: str) -> str:
    """Text in which matplotlib sees no formula."""
    return text.replace("$", r"\$")


def _address(figure: Figure) -> str:
    raw = io.BytesIO()
    # no date and fixed ids: the same results give the same file
    with matplotlib.rc_context({"svg.hashsalt": "arena"}):
        figure.savefig(raw, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(raw.getvalue()).decode()
