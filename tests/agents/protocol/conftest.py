"""Every test here marks the processes it starts and must leave none."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from .playing import MARK, marked, zombies


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The mark of this test's processes; none is left when it is done."""
    value = uuid.uuid4().hex
    monkeypatch.setenv(MARK, value)
    yield value
    assert (marked(value), zombies()) == ([], [])
