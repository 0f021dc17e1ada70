"""The display of a training run: a live line in a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Final, Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from .curve import CurvePoint, recent

KINDS: Final = ("random", "busy", "self", "past")
PLAIN_SECONDS: Final = 15.0
_RECENT_UPDATES: Final = 20  # that a score of training games is a mean of
_SCORE: Final = "score_"


class AnyClock(Protocol):
    """What a display reads of a run's clock."""

    samples: int

    @property
    def seconds(self) -> float:
        """Training time."""

    def fraction(self) -> float:
        """Share of the run that is done, 0..1."""


class Display:
    """Shows share done, samples, samples/s and a text, while entered.

    Args:
        clock: of the run.
    """

    def __init__(self, clock: AnyClock) -> None:
        self.clock = clock
        self.console = Console(stderr=True)
        self._started = (clock.seconds, clock.samples)
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

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._plain()

    def rate(self) -> float:
        """Samples a second of training since the display began."""
        return (self.clock.samples - self._started[1]) / max(self.clock.seconds - self._started[0], 1e-9)

    def show(self) -> None:
        """Show what there is, unless that was just done; cheap enough for every step."""
        now = time.monotonic()
        if self.console.is_terminal:
            if now - self._shown > 0.25:
                self._shown = now
                self._bar.update(self._task, completed=self.clock.fraction(), text=self._line())
        elif now - self._shown > PLAIN_SECONDS:
            self._shown = now
            self._plain()

    def note(self, text: str) -> None:
        """A line that stays."""
        if text:
            self.console.print(text, highlight=False, soft_wrap=True, markup=False)

    def _line(self) -> str:
        text = f" · {self._text}" if self._text else ""
        return f"{self.clock.samples:,} samples, {self.rate():,.0f}/s{text}"

    def _plain(self) -> None:
        if not self.console.is_terminal:
            line = f"training {self.clock.fraction():4.0%} {self._line()}"
            self.console.print(line, highlight=False, soft_wrap=True, markup=False)


class Progress(Display):
    """The display of ``terracotta train sb3``: recent win shares."""

    def update(self) -> None:
        """A step has been made."""
        self.show()

    def report(self, curve: Sequence[CurvePoint]) -> None:
        """New results of training games."""
        shares = [(kind, recent(curve, kind)) for kind in KINDS]
        known = "  ".join(f"{kind} {share:.0%}" for kind, share in shares if share is not None)
        self._text = f"games won against {known}" if known else ""


class SelfPlayProgress(Display):
    """The display of ``terracotta train ppo`` and ``alphazero``: entropy, and recent scores against the league."""

    def __init__(self, clock: AnyClock) -> None:
        super().__init__(clock)
        self._scores: dict[str, deque[float]] = {}

    def update(self, row: Mapping[str, float]) -> None:
        """An update has been made; ``row`` is what was watched of it."""
        for name, value in row.items():
            if name.startswith(_SCORE):
                self._scores.setdefault(name.removeprefix(_SCORE), deque(maxlen=_RECENT_UPDATES)).append(value)
        parts = [f"entropy {row['entropy']:.2f}"] if "entropy" in row else []
        if self._scores:
            means = "  ".join(f"{name} {sum(of) / len(of):.0%}" for name, of in sorted(self._scores.items()))
            parts.append(f"ahead of {means}")
        self._text = " · ".join(parts)
        self.show()
