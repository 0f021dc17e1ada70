"""Calling the ``terracotta`` command in the test's own process; the fixture ``run`` of conftest adds what it prints."""

from __future__ import annotations

from collections.abc import Callable

from terracotta_env.cli import main

Run = Callable[..., tuple[int, str, str]]  # words -> exit code, output, errors


def exit_code(*words: object) -> int:
    """Calls the command.  An exception other than its exit is a traceback, and a failure."""
    try:
        main([str(word) for word in words])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0
