"""A summary in three forms: tables in the terminal, Markdown, and one HTML file with plots."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from .folder import Folder
from .schedule import ArenaError, labels, line_ups
from .sequential import Sprt, Watch
from .summary import Summary, Table, summarise

MARKDOWN = "report.md"
HTML = "report.html"
VALUES = "report.json"


def write_report(path: Path, console: Console | None = None) -> Summary:
    """Make the report of an arena's folder, write its files there and show it."""
    folder = Folder(path)
    config, results = folder.config(), folder.results()
    if not results:
        raise ArenaError(f"{path}: no game has been finished yet: nothing to report")
    summary = summarise(config, results, sprt_of(config, results))
    (path / VALUES).write_text(json.dumps(summary.values, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (path / MARKDOWN).write_text(markdown(summary), encoding="utf-8")
    (path / HTML).write_text(html(summary), encoding="utf-8")
    if console is None:
        console = Console()
        console = console if console.is_terminal else Console(width=140)
    show(summary, console)
    console.print(f"report: {path / HTML}, {path / MARKDOWN}", markup=False, highlight=False, soft_wrap=True)
    return summary


def sprt_of(config: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """State of the sequential test, if one was asked for."""
    if config["sprt"] is None:
        return None
    [players] = config["players"]
    games = len(line_ups(2, players)) * players
    watch = Watch(Sprt(**config["sprt"]), labels(config["codes"])[0], games)
    for result in results:
        watch.add(result)
    return watch.as_json()


def show(summary: Summary, console: Console) -> None:
    """Tables for a terminal."""
    console.print(Text(summary.title, style="bold"))
    for name, value in summary.facts:
        console.print(Text(f"{name}: {value}"))
    for table in summary.tables:
        shown = RichTable(title=Text(table.title, style="bold"), title_justify="left", caption_justify="left")
        shown.caption = Text(table.note) if table.note else None
        for number, column in enumerate(table.columns):
            shown.add_column(Text(column), justify="left" if number == 0 else "right")
        for row in table.rows:
            shown.add_row(*(Text(cell) for cell in row))
        console.print()
        console.print(shown)


def markdown(summary: Summary) -> str:
    """The same tables as Markdown."""
    parts = [f"# {_cell(summary.title)}", "\n".join(f"- {name}: {_cell(value)}" for name, value in summary.facts)]
    for table in summary.tables:
        parts.append(f"## {_cell(table.title)}")
        parts.append(_markdown_table(table))
        if table.note:
            parts.append(_cell(table.note))
    return "\n\n".join(parts) + "\n"


def _markdown_table(table: Table) -> str:
    lines = ["| " + " | ".join(map(_cell, table.columns)) + " |"]
    lines.append("|" + "---|" * len(table.columns))
    lines.extend("| " + " | ".join(map(_cell, row)) + " |" for row in table.rows)
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that Markdown shows as it is."""
    for mark in "\\|*_`<[#":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def html(summary: Summary, pictures: Sequence[tuple[str, str]] | None = None) -> str:
    """One file with plots inside; it needs nothing else.

    Args:
        pictures: title and data address of each; None for the arena's own plots.
    """
    from .plots import plots

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__ or "terracotta_agents.arena", "."), autoescape=True, trim_blocks=True
    )
    return environment.get_template("report.html.jinja").render(
        summary=summary, plots=plots(summary) if pictures is None else pictures
    )
