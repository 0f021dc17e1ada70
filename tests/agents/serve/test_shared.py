"""Which modules of the server know the game, and that the page's files need nothing from elsewhere."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from tests.env.test_imports import ROOT, WORD, imports_of, reaches

SERVE = ROOT / "agents" / "serve"
STATIC = sorted((SERVE / "static").iterdir())
# the one place that knows the game, and the command that chooses it
OF_THE_GAME = {"army_speech.py", "army_rules.py"}
SHARED = sorted(path for path in SERVE.glob("*.py") if path.name not in OF_THE_GAME)


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.name)
def test_shared_modules_name_no_rule_of_the_game(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line}" for number, line in enumerate(lines, 1) if WORD.search(line)] == []
    if path.name != "commands.py":
        assert not reaches(imports_of(path), "terracotta_env.army", "terracotta_agents.serve.army_speech")


@pytest.mark.parametrize("path", [p for p in STATIC if p.suffix == ".js"], ids=lambda path: path.name)
def test_scripts_name_no_rule_of_the_game(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line}" for number, line in enumerate(lines, 1) if WORD.search(line)] == []


@pytest.mark.parametrize("path", STATIC, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere_and_nothing_is_made_from_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|//cdn|@import|url\(", text)
    assert not re.search(r"\beval\b|innerHTML|outerHTML|insertAdjacentHTML|document\.write|new Function", text)
    assert "style=" not in text
    if path.suffix == ".html":
        assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=", text)


def test_every_file_of_the_page_is_in_the_package() -> None:
    folder = resources.files("terracotta_agents.serve") / "static"
    names = {path.name for path in STATIC}
    assert {item.name for item in folder.iterdir()} == names
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"terracotta_agents.serve" = ["static/*"]' in project


def test_scripts_are_small() -> None:
    assert max(len(path.read_text(encoding="utf-8").splitlines()) for path in STATIC) < 300
