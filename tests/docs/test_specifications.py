"""Tables of ``docs/records.md`` and ``docs/actions.md`` against the code that they specify."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from terracotta_env import record as records
from terracotta_env.army import GAME
from terracotta_env.policy import Uniform
from terracotta_env.position import Position

from .blocks import DOCS

PAGE = (DOCS / "records.md").read_text(encoding="utf-8")


def tables() -> list[list[list[str]]]:
    """Names in the first cell and the other cells, of each row of each table."""
    found = re.findall(r"((?:^\|.*\n)+)", PAGE, re.MULTILINE)
    return [[line.strip().strip("|").split("|") for line in table.splitlines()[2:]] for table in found]


def names(table: list[list[str]]) -> set[str]:
    return {name for row in table for name in re.findall(r"`(\w+)`", row[0])}


@pytest.fixture(scope="module")
def played() -> Mapping[str, Any]:
    return records.play_record(Position.from_seed(GAME, 3, 1), [Uniform()] * 3, snapshots=True)


def test_fields_of_a_record_are_those_of_the_code() -> None:
    record = tables()[0]
    by_need = {need: {row[0].strip(" `") for row in record if row[1].strip() == need} for need in ("yes", "")}
    assert by_need["yes"] == set(records._REQUIRED)
    assert by_need[""] == set(records._OPTIONAL)
    assert names(record) == set(records._REQUIRED) | set(records._OPTIONAL) | set(records._RESULT)


def test_fields_of_a_snapshot_are_those_that_are_written(played: Mapping[str, Any]) -> None:
    snapshot = played["trace"][100]["snapshot"]
    assert names(tables()[1]) == set(snapshot)
    assert names(tables()[2]) == set(snapshot["players"][0])


def test_everything_that_a_trace_or_a_pending_decision_says_is_explained(played: Mapping[str, Any]) -> None:
    for entry in played["trace"]:
        for name in [*entry, *entry["snapshot"]["pending"]]:
            assert f"`{name}`" in PAGE
    for statue in played["trace"][-1]["snapshot"]["mausoleum"]:
        assert all(f"`{name}`" in PAGE for name in statue)


def test_numbers_in_words_are_those_of_the_code() -> None:
    assert f"one numpy record of {GAME.dtype.itemsize} bytes" in PAGE
    assert f"shape `({GAME.actions},)`" in (DOCS / "actions.md").read_text(encoding="utf-8")
