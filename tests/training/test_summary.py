"""The summary of a run: what it holds, and that it needs nothing outside itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from terracotta_training.summary import EVALUATION
from tests.training.ppo_runs import tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tiny(tmp_path_factory.mktemp("summary") / "my <run>")
    assert run.train()
    match = {"opponent": "random", "players": 2, "games": 8, "board": "plain", "seed": 20_000}
    share = {"value": 0.75, "low": 0.4, "high": 0.93}
    points = {name: {"mean": 12.5, "half_width": None} for name in ("vp", "opponents_vp", "margin")}
    (run.folder / EVALUATION).write_text(json.dumps([{**match, **points, "win_share": share}]))
    run.summarise()
    return run.folder


def test_page_has_cost_settings_versions_strength_and_pictures(folder: Path) -> None:
    page = (folder / "summary.html").read_text(encoding="utf-8")
    assert "<h1>PPO self-play: my &lt;run&gt;</h1>" in page
    for text in (
        "core minutes",
        "samples a second",
        "Strength after training",
        "75.0% (40.0% - 93.0%)",
        "Rating curve",
        "Snapshot of update",
        "learning.minibatch",
        "safetensors",
        "torch",
    ):
        assert text in page, text
    assert page.count("data:image/png;base64,") == 2
    for picture in ("curve.png", "losses.png"):
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")


def test_page_refers_to_nothing_outside(folder: Path) -> None:
    page = (folder / "summary.html").read_text(encoding="utf-8")
    written = re.sub(r"base64,[^\"]*", "", page)
    assert re.findall(r"//|@import|<script|<link|url\(", written) == []
    assert {source[:5] for source in re.findall(r'(?:src|href)="([^"]*)"', page)} == {"data:"}


def test_markdown_has_the_same_tables(folder: Path) -> None:
    text = (folder / "summary.md").read_text(encoding="utf-8")
    assert "## Rating curve" in text
    assert "| random | 2 | 8 | 75.0% (40.0% - 93.0%) | 12.5 | 12.5 | +12.5 |" in text
    assert re.findall(r"!\[\w+\]\((.*)\)", text) == ["curve.png", "losses.png"]


def test_folder_without_an_update_has_a_summary_too(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    run.summarise()
    assert "no update has been made yet" in (tmp_path / "run" / "summary.html").read_text(encoding="utf-8")
