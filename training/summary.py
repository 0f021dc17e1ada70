"""The summary of a run: ``summary.html`` (one file that needs nothing else), ``summary.md`` and two pictures.

Made from the files of the run's folder alone, so it can be made anew at any time, of a finished run or not.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pandas as pd

from terracotta_agents.arena.report import html, markdown
from terracotta_agents.arena.stats import Estimate
from terracotta_agents.arena.summary import Summary, Table, elo, percent

from .metrics import Row, read_metrics
from .rated import FOLDER, RatedGames, RatingCurve, rating_curve
from .run_folder import write_atomically
from .run_plots import draw_losses, draw_strength

HTML: Final = "summary.html"
MARKDOWN: Final = "summary.md"
CURVE: Final = "curve.png"
LOSSES: Final = "losses.png"
EVALUATION: Final = "evaluation.json"  # the matches after training


def write_summary(
    folder: Path, title: str, usual: Mapping[str, Mapping[str, Any]], curve: RatingCurve | None = None
) -> None:
    """Write the summary of the run in ``folder``.

    Args:
        title: what kind of run it is.
        usual: the default of each setting.
        curve: where it is known already.
    """
    rows = read_metrics(folder)
    curve = curve or rating_curve(RatedGames(folder))
    pictures = []
    if curve is not None:
        pictures.append(("Strength", _written(folder / CURVE, draw_strength(curve))))
    if rows:
        pictures.append(("Learning", _written(folder / LOSSES, draw_losses(rows))))
    summary = make_summary(folder, title, usual, rows, curve)
    write_atomically(folder / HTML, html(summary, pictures))
    links = "".join(f"\n![{title}]({name})\n" for title, name in (("Strength", CURVE), ("Learning", LOSSES)))
    write_atomically(folder / MARKDOWN, markdown(summary) + (links if len(pictures) == 2 else ""))


def make_summary(
    folder: Path,
    title: str,
    usual: Mapping[str, Mapping[str, Any]],
    rows: Sequence[Row],
    curve: RatingCurve | None,
) -> Summary:
    """Facts and tables."""
    config, evaluation = _read(folder / "config.json"), _read(folder / EVALUATION)
    tables = [_matches(evaluation)] if evaluation else []
    if curve is not None:
        tables += [_strength(curve), _ratings(curve)]
    tables += [_settings(config or {}, usual), _versions(_read(folder / "versions.json") or {})]
    return Summary(f"{title}: {folder.name}", _cost(rows), tables, [], pd.DataFrame(), {})


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def _written(path: Path, png: bytes) -> str:
    """Write a picture; returns its data address."""
    write_atomically(path, png)
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _cost(rows: Sequence[Row]) -> list[tuple[str, str]]:
    if not rows:
        return [("cost", "no update has been made yet")]
    last = rows[-1]
    rate = last["samples"] / last["seconds"] if last["seconds"] else math.nan
    return [
        ("samples", f"{last['samples']:,.0f} decisions of the learner in {last['updates']:,.0f} updates"),
        ("minutes", f"{last['seconds'] / 60:.1f} of training; evaluation and saving are not counted"),
        ("processor", f"{last['core_seconds'] / 60:.1f} core minutes"),
        ("speed", f"{rate:,.0f} samples a second, updates included"),
        ("games", f"{last.get('games', 0):,.0f} finished"),
    ]


def _matches(evaluation: Sequence[Mapping[str, Any]]) -> Table:
    """The final matches, from ``evaluation.json``."""
    rows = [
        [
            match["opponent"],
            str(match["players"]),
            str(match["games"]),
            percent(Estimate(**match["win_share"], count=match["games"])),
            f"{match['vp']['mean']:.1f}",
            f"{match['opponents_vp']['mean']:.1f}",
            f"{match['margin']['mean']:+.1f}",
        ]
        for match in evaluation
    ]
    columns = ["opponent", "players", "games", "games won", "mean VP", "opponents' mean VP", "margin"]
    seeds = ", ".join(sorted({str(match["seed"]) for match in evaluation}))
    note = f"The network's best action from every seat of each setup; setups from seed {seeds}; 95 % intervals."
    return Table("Strength after training", columns, rows, note)


def _strength(curve: RatingCurve) -> Table:
    """The newest snapshot against the bots, by number of players."""
    newest = curve.points[-1]
    counts = sorted({players for players, _ in newest.shares})
    rows = []
    for bot in curve.bots:
        cells = [newest.shares.get((players, bot)) for players in counts]
        rows.append([bot, *("" if cell is None else f"{percent(cell)} of {cell.count}" for cell in cells)])
    par = ", ".join(f"{1 / players:.0%}" for players in counts)
    note = f"Games won by the last snapshot that was rated, the bot in all other seats; par {par}; 95 % intervals."
    return Table(f"Snapshot of update {newest.snapshot.update}", ["bot", *(f"{n} players" for n in counts)], rows, note)


def _ratings(curve: RatingCurve) -> Table:
    rows = [[bot, "", "", elo(rating)] for bot, rating in curve.bots.items()]
    for point in curve.points:
        one = point.snapshot
        rows.append([f"update {one.update}", f"{one.samples:,}", f"{one.minutes:.1f}", elo(point.rating)])
    note = (
        "Elo over the mean of all shown, 95 % intervals, one fit of all games of the evaluations; more of them: "
        f"terracotta arena report {FOLDER} (in this folder)."
    )
    if curve.one_sided:
        note += " Some results are one-sided: how far out those ratings lie is the prior's word, not the games'."
    return Table("Rating curve", ["", "samples", "minutes", "Elo"], rows, note)


def _settings(config: Mapping[str, Mapping[str, Any]], usual: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = [
        [f"{section}.{key}", _plain(value), "" if usual.get(section, {}).get(key) == value else "changed"]
        for section, table in config.items()
        for key, value in table.items()
    ]
    return Table("Settings", ["key", "value", ""], rows)


def _versions(found: Mapping[str, Any]) -> Table:
    return Table("Versions", ["", "version"], [[name, _plain(value)] for name, value in found.items()])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
