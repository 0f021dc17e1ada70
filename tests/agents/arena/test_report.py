"""The report: built from canned results, in three forms, with nothing of an agent's name taken as markup."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from terracotta_agents.arena.report import write_report
from terracotta_agents.arena.schedule import ArenaError

from .toys import result, simulated

STRENGTHS = {"planner": 100.0, "net:<b>a|b</b>[red]$x$": 0.0, "busy": -100.0}


def folder(path: Path, results: list[dict[str, Any]], **changes: Any) -> Path:
    names = list(dict.fromkeys(agent for line in results for agent in line["agents"])) or ["a", "b"]
    config = {
        "format": "arena",
        "version": 1,
        "game": "toy",
        "codes": names,
        "players": [2, 3],
        "setups": {"2": 10, "3": 8},
        "seed": 7,
        "suite": None,
        "sprt": None,
        "rules": 1,
        "board": "plain",
        "sources": ["start", "harvest"],
        "agents": [{"label": name, "code": name, "name": name, "version": 1} for name in names],
        **changes,
    }
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(config))
    (path / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in results))
    return path


def printed(path: Path) -> str:
    text = io.StringIO()
    write_report(path, Console(file=text, width=250))
    return text.getvalue()


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    results = simulated(STRENGTHS, {2: 10, 3: 8}, seed=1)
    results[5]["forfeit"] = {"seat": 1, "agent": results[5]["agents"][1], "reason": "took ages", "decision": 3}
    path = folder(tmp_path_factory.mktemp("report"), results)
    return path, printed(path)


TITLES = [
    "Ratings", "Strength by number of players", "Head to head, 2 players", "Head to head, 3 players", "Seat advantage",
    "Win share by seat number", "Mean VP by source, 2 players", "Time for each decision", "Distinct games", "Forfeits",
]  # fmt: skip


def test_every_form_has_every_table(reported: tuple[Path, str]) -> None:
    path, text = reported
    markdown, page = (path / "report.md").read_text(), (path / "report.html").read_text()
    for title in TITLES:
        assert title in text
        assert f"## {title}" in markdown
        assert f"<h2>{title}</h2>" in page
    assert "took ages" in text


def test_names_are_shown_as_they_are(reported: tuple[Path, str]) -> None:
    path, text = reported
    assert "net:<b>a|b</b>[red]$x$" in text
    page = (path / "report.html").read_text()
    assert "<b>" not in page
    assert "net:&lt;b&gt;a|b&lt;/b&gt;[red]$x$" in page
    rows = [line for line in (path / "report.md").read_text().splitlines() if line.startswith("|")]
    assert any(r"net:\<b>a\|b\</b>\[red]$x$" in row for row in rows)


def test_tables_of_markdown_are_rectangular(reported: tuple[Path, str]) -> None:
    path, _ = reported
    widths: list[int] = []
    for line in [*(path / "report.md").read_text().splitlines(), ""]:
        if line.startswith("|"):
            widths.append(len(re.findall(r"(?<!\\)\|", line)))
        else:
            assert len(set(widths)) <= 1
            widths = []


def test_the_page_needs_nothing_else(reported: tuple[Path, str]) -> None:
    page = (reported[0] / "report.html").read_text()
    assert page.count('src="data:image/svg+xml;base64,') == page.count("<img") == 4
    assert "http" not in page
    assert "<script" not in page


def test_the_same_results_in_another_order_make_the_same_files(reported: tuple[Path, str], tmp_path: Path) -> None:
    path, _ = reported
    lines = (path / "results.jsonl").read_text().splitlines(keepends=True)
    other = tmp_path / "other"
    other.mkdir()
    (other / "config.json").write_bytes((path / "config.json").read_bytes())
    (other / "results.jsonl").write_text("".join(reversed(lines)))
    printed(other)
    for name in ("report.md", "report.html", "report.json"):
        assert (other / name).read_bytes() == (path / name).read_bytes()


def test_numbers_are_there_as_json(reported: tuple[Path, str]) -> None:
    values = json.loads((reported[0] / "report.json").read_text())
    assert values["ratings"]["all"]["planner"]["value"] > values["ratings"]["all"]["busy"]["value"]
    assert {place["place"] for place in values["places"]} == {1, 2, 3}


def test_repeated_games_are_counted_once(tmp_path: Path) -> None:
    results = [{**line, "digest": "same"} for line in simulated({"a": 0.0, "b": 0.0}, {2: 4}, seed=0)]
    text = printed(folder(tmp_path, results))
    assert re.search(r"│ 2 +│ +8 │ +4 │ +4 │", text)


def test_one_game_alone_is_reported_without_intervals(tmp_path: Path) -> None:
    text = printed(folder(tmp_path, [result("g", 2, 0, ["a", "b"], [1, 0])], setups={"2": 1}, players=[2]))
    assert "nan" not in text
    assert "NaN" not in (tmp_path / "report.json").read_text()


def test_every_game_forfeited_is_reported_too(tmp_path: Path) -> None:
    results = simulated({"a": 0.0, "b": 0.0}, {2: 3}, seed=0)
    for line in results:
        line["forfeit"] = {"seat": 0, "agent": line["agents"][0], "reason": "gone", "decision": 0}
        line["asked"] = [0, 0]
    assert "Forfeits" in printed(folder(tmp_path, results))


def test_many_reasons_of_forfeits_are_cut(tmp_path: Path) -> None:
    results = simulated({"a": 0.0, "b": 0.0}, {2: 20}, seed=0)
    for number, line in enumerate(results):
        line["forfeit"] = {"seat": 0, "agent": "a", "reason": f"reason {number}", "decision": 0}
    assert "20 more reasons" in printed(folder(tmp_path, results))


def test_a_sequential_test_is_told_first(tmp_path: Path) -> None:
    results = simulated({"a": 200.0, "b": 0.0}, {2: 100}, seed=0)
    sprt = {"elo0": 0, "elo1": 50, "alpha": 0.05, "beta": 0.05}
    text = printed(folder(tmp_path, results, sprt=sprt, players=[2]))
    assert text.index("Sequential test") < text.index("Ratings")
    assert "a is 50 Elo stronger than b, rather than 0" in text


def test_what_is_no_arena_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"has no config\.json"):
        write_report(tmp_path)
    with pytest.raises(ArenaError, match="no game has been finished"):
        write_report(folder(tmp_path, []))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ArenaError, match="made by another program"):
        write_report(tmp_path)
