"""What ``pyproject.toml``, the README and the tree say of each other."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module

import pytest

from terracotta_env import __version__
from tests.packages import ROOT, folders

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_folder_with_python_files_is_an_installed_package() -> None:
    found = set()
    for name, folder in {"terracotta_env": "terracotta_env", **folders()}.items():
        for file in (ROOT / folder).rglob("*.py"):
            inner = file.parent.relative_to(ROOT / folder).parts
            found.add(".".join((name, *inner)))
    without_python = {"terracotta_agents.protocol.examples"}  # whole programs, not modules
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found - without_python


@pytest.mark.parametrize(("command", "place"), PROJECT["project"]["entry-points"]["terracotta.commands"].items())
def test_commands_are_where_their_entry_points_say(command: str, place: str) -> None:
    module, _, name = place.partition(":")
    assert getattr(import_module(module), name).name == command


def test_dev_is_every_extra() -> None:
    (everything,) = EXTRAS["dev"]
    assert set(re.findall(r"[\w]+", everything.partition("[")[2])) == set(EXTRAS) - {"dev"}


def test_version_is_the_same_everywhere() -> None:
    assert PROJECT["project"]["version"] == __version__
    assert re.search(rf"^version: {re.escape(__version__)}$", text("CITATION.cff"), re.MULTILINE)


def test_every_wanted_package_has_a_pin() -> None:
    pins = {re.sub(r"[-_.]+", "-", name).lower() for name in re.findall(r"^([\w.-]+)==", text("constraints.txt"), re.M)}
    wanted = [*PROJECT["project"]["dependencies"], *(need for needs in EXTRAS.values() for need in needs)]
    for need in wanted:
        name = re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~ ]", need)[0]).lower()
        assert name in pins | {"terracotta-army"}, f"{need}: no pin in constraints.txt"


def layout() -> str:
    return re.search(r"^## Layout\n+```\n(.*?)^```", README, re.DOTALL | re.MULTILINE)[1]  # type: ignore[index]


def test_layout_in_the_readme_names_every_folder_and_no_other() -> None:
    named = set(re.findall(r"^([\w/]+)/ ", layout(), re.MULTILINE))
    assert all((ROOT / name).is_dir() for name in named)
    made = {"build", "dist", "runs", "htmlcov"}  # as .gitignore says
    tops = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "." and path.suffix == ""}
    assert {name for name in named if "/" not in name} == tops - made


@pytest.mark.parametrize("top", ["tests", "agents"])
def test_folders_in_the_layout_are_those_of_the_tree(top: str) -> None:
    part = re.search(rf"^{top}/ (.*?)(?=^\w)", layout(), re.DOTALL | re.MULTILINE)
    assert part is not None
    found = {path.name for path in (ROOT / top).iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert set(re.findall(r"(?<![\w/])([a-z]+)/", part[1])) == found
