"""``docs/known-faults.md`` names tests: each of them exists, and every row has one."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.packages import ROOT

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "known-faults.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| fault |"))
]
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def functions_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) >= 40
    assert all(len(row) == 3 and row[1] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_fault_is_held_by_tests_that_exist(row: list[str]) -> None:
    named = NAMED.findall(row[2])
    assert named
    for file, name in named:
        path = ROOT / "tests" / file
        assert path.is_file(), file
        assert name in functions_in(path), f"{file} has no {name}"
