"""The display of a training run: a live line in a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from .curve import CurvePoint, recent

if TYPE_CHECKING:
    from .sb3 import Clock

KINDS: Final = ("random", "busy", "self", "past")
PLAIN_SECONDS: Final = 15.0


class Progress:
    """Shows share done, samples, samples/s and recent win shares.

    Args:
        clock: of the run.
        players: number of players, for the par share.
    """

    def __init__(self, clock: Clock, players: int) -> None:
        self.clock, self.players = clock, players
        self.console = Console(stderr=True)
        self._started = (time.monotonic(), clock.samples)
        self._shown = 0.0
        self._text = ""
        self._bar = Bar(
            TextColumn("training"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[text]}"),
            console=self.console,
            refresh_per_second=4,
            disable=not self.console.is_terminal,
        )
        self._task = self._bar.add_task("training", total=1.0, text="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._plain()

    def rate(self) -> float:
        """Samples a second since the display began."""
        return (self.clock.samples - self._started[1]) / max(time.monotonic() - self._started[0], 1e-9)

    def update(self) -> None:
        """Cheap enough for every step."""
        now = time.monotonic()
        if self.console.is_terminal:
            if now - self._shown > 0.25:
                self._shown = now
                self._bar.update(self._task, completed=self.clock.fraction(), text=self._line())
        elif now - self._shown > PLAIN_SECONDS:
            self._shown = now
            self._plain()

    def report(self, curve: Sequence[CurvePoint]) -> None:
        """New results of training games."""
        shares = [(kind, recent(curve, kind)) for kind in KINDS]
        self._text = "  ".join(f"{kind} {share:.0%}" for kind, share in shares if share is not None)

    def _line(self) -> str:
        wins = f" · games won against {self._text}" if self._text else ""
        return f"{self.clock.samples:,} samples, {self.rate():,.0f}/s{wins}"

    def _plain(self) -> None:
        if not self.console.is_terminal:
            self.console.print(f"training {self.clock.fraction():4.0%} {self._line()}", highlight=False, soft_wrap=True)
