"""Fixtures that tests in several folders use."""

from __future__ import annotations

import pytest

from tests.running import Run, exit_code


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Calls the command in this process: exit code, output, errors."""
    return lambda *words: (exit_code(*words), *capsys.readouterr())
