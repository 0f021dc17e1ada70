"""Stopping long work with Ctrl-C at a place where nothing is lost."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class Interruption:
    """While entered, the first Ctrl-C only sets :attr:`asked`; a second one interrupts as usual.

    Long work looks at :attr:`asked` between its units.  Raising at once would be lost when it strikes inside a callback
    of a compiler or library, which prints and forgets it.

    Attributes:
        asked: Ctrl-C was pressed.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():  # others cannot take signals
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._restore()

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self._restore()

    def _restore(self) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
