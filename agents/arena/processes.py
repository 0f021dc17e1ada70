"""Where the workers of an arena come from.  Imports nothing that takes time: it runs before all else is loaded."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext


def prepared(modules: Sequence[str]) -> ForkServerContext:
    """Start loading what workers need, beside whatever the caller does meanwhile.

    One process loads the modules once and forks a worker when one is wanted, so a worker that replaces a crashed one is
    there at once.  (Forking the leading process itself would copy its locks and files.)  Only the first call in a
    process decides what is loaded beforehand; workers import the rest themselves.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([f"{__package__}.worker", *modules])
    forkserver.ensure_running()
    return context
