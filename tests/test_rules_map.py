"""docs/rules.md names the code and the tests of every chapter and ruling: all must exist, nothing be left out."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODE = ROOT / "terracotta_env" / "army"
TESTS = ROOT / "tests"

CHAPTERS = (
    "Game Components",
    "Game Setup",
    "Key Concepts",
    "Victory Points",
    "Workers — Craftsmen and Artisans",
    "Wet and Dry Clay",
    "Warriors and Specialists",
    "Warrior Groups",
    "Weapon Tokens",
    "Domination and Presence",
    "Inspectors",
    "Playing the Game",
    "Round Structure",
    "Action Phase",
    "1. Rotate a Ring (Optional)",
    "2. Place a Worker (Mandatory)",
    "3. Perform Actions (Optional)",
    "Ring Actions",
    "Placing Statues",
    "Warrior Statues",
    "Specialist Statues",
    "Master Abilities",
    "Scoring Phase",
    "Scoring Inspectors",
    "Scoring Musicians",
    "Scoring Tiles",
    "Cleanup Phase",
    "End Game Scoring",
    "Specialist Reference",
)
WITHOUT_CODE = ("Key Concepts", "Specialist Reference")  # chapters that only sum up others
RULINGS = tuple(f"R{number}" for number in range(1, 30))

# files that hold rules and nothing else: each of their public functions stands in the map
RULE_FILES = (
    "apply.py", "cleanup.py", "endgame.py", "inspectors.py", "legal.py", "masters.py", "mausoleum.py", "rings.py",
    "scoring.py", "setup.py", "specialists.py", "verbs.py", "warriors.py", "wheel.py",
)  # fmt: skip
# files of tests of which each stands in the map
RULE_TESTS = ("test_endgame.py", "test_examples.py", "test_figures.py", "test_masters.py", "test_scoring.py",
              "test_statues.py", "test_turn.py")  # fmt: skip


@cache
def rows() -> dict[str, tuple[list[str], list[str]]]:
    """``{chapter or ruling: (names of code, names of tests)}``, each name as it stands in the map."""
    found = {}
    for line in (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("Chapter", "Ruling") and not cells[0].startswith("-"):
            assert cells[0] not in found, f"{cells[0]} stands in the map twice"
            code, tests = (re.findall(r"`([^`]+)`", cell) for cell in cells[-2:])
            found[cells[0]] = (code, tests)
    return found


@cache
def names_in(path: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    """``(every name, functions in order)`` that a file defines at its top."""
    names, functions = set(), []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
            if isinstance(node, ast.FunctionDef):
                functions.append(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return frozenset(names), tuple(functions)


def written_in(path: Path) -> list[str]:
    return [name for name in names_in(path)[1] if name.startswith("test_")]


def matches(pattern: str) -> list[str]:
    """Tests that a name in the map stands for; ``*`` may stand in the file as well as in the test."""
    files, _, name = pattern.partition("::")
    return [
        f"{path.relative_to(TESTS)}::{test}"
        for path in sorted(TESTS.glob(files))
        for test in written_in(path)
        if fnmatchcase(test, name)
    ]


def test_every_chapter_and_every_ruling_stands_in_the_map_in_order() -> None:
    assert tuple(rows()) == (*CHAPTERS, *RULINGS)


@pytest.mark.parametrize("key", [*CHAPTERS, *RULINGS])
def test_each_has_code_and_tests(key: str) -> None:
    code, tests = rows()[key]
    if key in WITHOUT_CODE:
        assert not code
        assert not tests
    else:
        assert code
        assert tests


@pytest.mark.parametrize("key", [*CHAPTERS, *RULINGS])
def test_what_the_map_names_exists(key: str) -> None:
    code, tests = rows()[key]
    for name in code:
        file, _, function = name.partition(":")
        assert (CODE / file).is_file(), f"{key}: no file terracotta_env/army/{file}"
        assert function in names_in(CODE / file)[0], f"{key}: terracotta_env/army/{file} has no {function}"
    for name in tests:
        assert matches(name), f"{key}: no test tests/{name}"


@pytest.mark.parametrize("file", RULE_FILES)
def test_every_public_rule_function_stands_in_the_map(file: str) -> None:
    named = {name for code, _ in rows().values() for name in code}
    missing = [name for name in names_in(CODE / file)[1] if not name.startswith("_") and f"{file}:{name}" not in named]
    assert not missing, f"docs/rules.md does not name these functions of terracotta_env/army/{file}: {missing}"


def test_every_file_with_options_or_effects_is_among_the_rule_files() -> None:
    rule = re.compile(r"(options|apply|perform|can|score|begin)_")
    with_rules = {path.name for path in CODE.glob("*.py") if any(rule.match(name) for name in names_in(path)[1])}
    assert with_rules <= set(RULE_FILES)


@pytest.mark.parametrize("number", range(1, 30))
def test_every_test_of_a_ruling_stands_in_its_row(number: int) -> None:
    named = {test for pattern in rows()[f"R{number}"][1] for test in matches(pattern)}
    written = {
        f"rules/{path.name}::{test}"
        for path in (TESTS / "rules").glob("test_*.py")
        for test in written_in(path)
        if test.startswith(f"test_r{number:02}_")
    }
    assert written, f"R{number} has no test of its own"
    assert written <= named, f"docs/rules.md, R{number}: {sorted(written - named)} are missing"


@pytest.mark.parametrize("file", RULE_TESTS)
def test_every_rule_test_stands_in_the_map(file: str) -> None:
    named = {test for _, tests in rows().values() for pattern in tests for test in matches(pattern)}
    missing = [test for test in written_in(TESTS / "rules" / file) if f"rules/{file}::{test}" not in named]
    assert not missing, f"docs/rules.md does not name these tests of tests/rules/{file}: {missing}"
