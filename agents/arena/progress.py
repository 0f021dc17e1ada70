"""The display of a running arena: a bar with the time left in a terminal, nothing elsewhere."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar


class Progress:
    """Counts games.

    Args:
        total: number of games of the whole arena.
        done: those that are there already.
    """

    def __init__(self, total: int, done: int, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        self._bar = Bar(
            TextColumn("arena"),
            BarColumn(bar_width=30),
            TaskProgressColumn(),
            MofNCompleteColumn(),
            TextColumn("games, so far"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[text]}"),
            console=console,
            refresh_per_second=4,
            # what is shown of the rate is that of the last half minute: games of strong agents take seconds each
            speed_estimate_period=30,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("games", total=total, completed=done, text="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()

    def game(self, text: str = "") -> None:
        """One more game is done; ``text`` goes behind the time."""
        self._bar.update(self._task, advance=1, text=text)
