"""Every command and every Python block of README and guides runs as it is printed, with smaller numbers.

Each page is one reader in a folder that looks like a clone: all shell blocks in their order, then all Python blocks.
Commands on other pages (figures that took hours, among them) must be ones that the program would take.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from terracotta_env.cli import cli
from tests.packages import ROOT

from .blocks import DOCS, GUIDES, blocks, lines, script

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]


def name_of(page: Path) -> str:
    return page.stem


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what a clone has, to which commands may write."""
    for name in ("agents", "configs", "docs", "notebooks"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    """With the ``terracotta`` of this environment; what commands keep for their user goes to ``home``."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "XDG_STATE_HOME": str(home / "state"), "MPLBACKEND": "agg", "NO_COLOR": "1"}


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("page", GUIDES, ids=name_of)
def test_commands_and_python_of_guides_run(page: Path, clone: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    python = "".join(blocks(page, "python"))
    (home / "blocks.py").write_text(python, encoding="utf-8")
    for words in (["bash", "-euxo", "pipefail", "-c", script(page)], [sys.executable, str(home / "blocks.py")]):
        done = subprocess.run(
            words,
            cwd=clone,
            env=environment(home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1100,
        )
        assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-6000:]}"


def test_guides_have_commands_and_python() -> None:
    """A fence written otherwise must not make the test above pass by finding nothing."""
    assert all(lines(page) for page in GUIDES)
    assert sum(len(blocks(page, "python")) for page in GUIDES) >= 7
    assert sum(script(page).count("terracotta ") for page in GUIDES) >= 25


def commands(word: str) -> list[tuple[str, str]]:
    """Page and line of each command with that first word."""
    return [(page.name, line) for page in PAGES for line in lines(page) if re.match(rf"(.*\| *)?{word}\b", line)]


def test_targets_of_make_exist() -> None:
    found = commands("make")
    assert len(found) >= 8
    for page, line in found:
        for word in shlex.split(line, comments=True)[1:]:
            assert "=" in word or re.search(rf"^{word}:", MAKEFILE, re.MULTILINE), f"{page}: {line}"


def test_extras_exist() -> None:
    found = commands("pip install")
    assert len(found) >= 4
    for page, line in found:
        for extra in re.findall(r"\[([\w,]+)\]", line):
            assert set(extra.split(",")) <= set(PROJECT["optional-dependencies"]), f"{page}: {line}"


def test_modules_that_are_run_exist() -> None:
    for page in PAGES:
        for module in re.findall(r"python3? -m ((?:tests|terracotta_\w+)[\w.]*)", page.read_text(encoding="utf-8")):
            top, *inner = module.split(".")
            folder = {"terracotta_agents": "agents", "terracotta_training": "training"}.get(top, top)
            path = ROOT.joinpath(folder, *inner)
            assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), f"{page.name}: {module}"


@pytest.mark.parametrize(("page", "line"), commands("terracotta"), ids=lambda value: value[:60])
def test_options_of_commands_exist(page: str, line: str) -> None:
    words = shlex.split(re.sub(r"[<>].*", "", line[line.index("terracotta ") :]), comments=True)[1:]
    command: click.Command | None = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        if (inner := command.get_command(context, words[0])) is None:
            break  # a group that has options and no subcommand here
        command, words = inner, words[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    assert command is not None
    known = {name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known
