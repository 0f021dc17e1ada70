"""What is watched of a run, update by update: ``metrics.csv`` and TensorBoard, each update exactly once."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, TextIO

from .run_folder import write_atomically

if TYPE_CHECKING:
    from .clock import Clock

FILE: Final = "metrics.csv"
TENSORBOARD: Final = "tensorboard"
COST: Final = ("updates", "samples", "seconds", "core_seconds", "samples_per_second")
_FLUSH_SECONDS: Final = 30

Row = dict[str, float]


class Metrics:
    """Appends rows, while entered.

    A run that was killed goes on from a checkpoint that may be some updates old.  The rows after it are cut off: those
    updates are made again.

    Args:
        folder: of the run.
        updates: number of updates that are done; rows beyond it are removed.
    """

    def __init__(self, folder: Path, updates: int) -> None:
        from torch.utils.tensorboard import SummaryWriter  # takes seconds to import

        self.path = folder / FILE
        rows = [row for row in read_metrics(folder) if row["updates"] <= updates]
        self._columns = list(dict.fromkeys([*COST, *(name for row in rows for name in row)]))
        self._last = rows[-1] if rows else dict.fromkeys(COST, 0.0)
        self._rewrite(rows)
        # events of a later start hide those of an earlier one from this step on
        purge = int(self._last["samples"]) + 1 if rows else None
        self._board = SummaryWriter(str(folder / TENSORBOARD), purge_step=purge, flush_secs=_FLUSH_SECONDS)

    def __enter__(self) -> Metrics:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()
        self._board.close()

    def write(self, updates: int, clock: Clock, row: Mapping[str, float]) -> None:
        """One update.

        Args:
            updates: its number, from 1.
            clock: training time, processor time and samples so far; the rate is that since the last row.
            row: values by name; names may come and go.
        """
        seconds = clock.seconds - self._last["seconds"]
        rate = (clock.samples - self._last["samples"]) / seconds if seconds > 0 else 0.0
        cost = dict(zip(COST, (updates, clock.samples, clock.seconds, clock.core_seconds, rate), strict=True))
        self._last = {**cost, **row}
        if new := [name for name in row if name not in self._columns]:
            self._columns += new
            self._file.close()
            self._rewrite(read_metrics(self.path.parent))
        self._file.write(self._lines([self._last]))
        self._file.flush()
        for name, value in self._last.items():
            group = "cost" if name in COST else "games" if name.startswith(("games", "score")) else "learning"
            self._board.add_scalar(f"{group}/{name}", value, clock.samples)

    def _rewrite(self, rows: Iterable[Row]) -> None:
        """Write the file anew, with all columns, and open it to append."""
        write_atomically(self.path, ",".join(self._columns) + "\n" + self._lines(rows))
        self._file: TextIO = self.path.open("a", encoding="utf-8", newline="")

    def _lines(self, rows: Iterable[Row]) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in rows:
            writer.writerow([_written(row[name]) if name in row else "" for name in self._columns])
        return text.getvalue()


def read_metrics(folder: Path) -> list[Row]:
    """The rows of ``metrics.csv`` in a run's folder; a row lacks the values it has not.  A cut line is left out."""
    path = folder / FILE
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(io.StringIO(whole))]


def _written(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else f"{value:.7g}"
