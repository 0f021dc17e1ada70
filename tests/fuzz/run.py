"""The long comparison: ``python -m tests.fuzz.run --games N --positions M --seed S --jobs J --out DIR [--resume]``.

Finished units of work are appended to ``DIR/units.jsonl``, one line each, so a run may be interrupted or killed at any
moment and go on with ``--resume``.  At a difference the case is made as small as possible, written to
``DIR/difference-*.json``, and the run ends with exit status 1 (with ``--keep-going`` after all units); without one it
ends with 0, after Ctrl-C with 130.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from terracotta_env.record import whole_lines
from tests.fuzz.shrink import shrink
from tests.fuzz.units import SIZE, Outcome, run_unit

REPORT_SECONDS = 10.0
INTERRUPTED = 130

Unit = tuple[str, int, int, int]  # kind, number, seed, total


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000, help="whole games (default 1000)")
    parser.add_argument("--positions", type=int, default=5000, help="dense positions (default 5000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where results are written")
    parser.add_argument("--resume", action="store_true", help="go on with the run that DIR holds")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first difference")
    options = parser.parse_args(arguments)
    if min(options.games, options.positions, options.seed) < 0 or options.jobs < 1:
        parser.error("--games, --positions and --seed cannot be negative, --jobs is at least 1")
    if options.out.exists() and not options.out.is_dir():
        parser.error(f"--out: {options.out} is not a folder")
    return options


def units_of(options: argparse.Namespace) -> list[Unit]:
    """All units, games and positions in turn."""
    totals = {"games": options.games, "positions": options.positions}
    lists = {kind: [(kind, i, options.seed, total) for i in range(-(-total // SIZE[kind]))]
             for kind, total in totals.items()}  # fmt: skip
    return sorted(itertools.chain(*lists.values()), key=lambda unit: ((unit[1] + 0.5) / len(lists[unit[0]]), unit[0]))


class Book:
    """What is done, on paper and in sum."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.folder: Path = options.out
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path = self.folder / "units.jsonl"
        self.done: set[tuple[str, int]] = set()
        self.count = {"games": 0, "positions": 0}
        self.decisions = 0
        self.spent = {"games": 0.0, "positions": 0.0}
        head = {name: getattr(options, name) for name in ("games", "positions", "seed")}
        if self.path.exists() and self.path.stat().st_size:
            if not options.resume:
                raise SystemExit(f"fuzz: {self.path} holds a run already: --resume it, or choose another --out")
            whole_lines(self.path)  # cuts off a line that was not finished
            lines = [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]
            if lines and lines[0] != head:
                raise SystemExit(f"fuzz: {self.path} holds a run with {lines[0]}, not {head}")
            for line in lines[1:]:
                self._add(Outcome(**line))
        self.file = self.path.open("a", encoding="utf-8")
        if not self.path.stat().st_size:
            self._write(head)

    def _write(self, line: dict[str, Any]) -> None:
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def _add(self, outcome: Outcome) -> None:
        self.done.add((outcome.kind, outcome.number))
        self.count[outcome.kind] += outcome.done
        self.decisions += outcome.decisions
        self.spent[outcome.kind] += outcome.seconds

    def enter(self, outcome: Outcome) -> None:
        """A unit without a difference is finished."""
        self._add(outcome)
        self._write(outcome.line())

    def summary(self) -> str:
        rates = [
            f"{self.count[kind]:,} {kind}" + (f" ({self.count[kind] / spent:.0f}/s a core)" if spent else "")
            for kind, spent in self.spent.items()
        ]
        return f"{', '.join(rates)}, {self.decisions:,} decisions alike"


def _start(unit: Unit) -> Outcome:
    return run_unit(*unit)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends the others


@contextmanager
def workers(jobs: int, units: list[Unit]) -> Iterator[Iterator[Outcome]]:
    """Outcomes as they come, computed here for one job, else by processes that end with this block."""
    if jobs == 1:
        yield map(_start, units)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, _ignore_interrupts) as pool:
        yield pool.imap_unordered(_start, units)


def report_failure(failure: dict[str, Any], folder: Path) -> Path:
    """Make the case small, write it down and say what differs."""
    small, found = shrink(failure)
    case = {**failure, **small, "where": found.where, "what": found.what}
    case["first"] = {"start": failure["start"], "decisions": failure["decisions"]}
    path = folder / f"difference-{failure['kind']}-{failure['index']}.json"
    path.write_text(json.dumps(case, indent=1) + "\n", encoding="utf-8")
    statues = len(small["start"].get("snapshot", {}).get("mausoleum", ()))
    print(f"fuzz: DIFFERENCE in {found.where}: {found.what}")
    print(f"fuzz: {statues} statues, decisions: {' '.join(small['decisions']) or 'none'}")
    print(f"fuzz: written to {path}", flush=True)
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    book = Book(options)
    units = [unit for unit in units_of(options) if unit[:2] not in book.done]
    already = len(book.done)
    started = reported = time.monotonic()
    seen: set[str] = set()
    try:
        with workers(options.jobs, units) as outcomes:
            for number, outcome in enumerate(outcomes, 1):
                if outcome.failure is None:
                    book.enter(outcome)
                elif outcome.failure["where"] not in seen:
                    seen.add(outcome.failure["where"])
                    report_failure(outcome.failure, options.out)
                if seen and not options.keep_going:
                    break
                now = time.monotonic()
                if now - reported > REPORT_SECONDS:
                    reported = now
                    left = (now - started) / number * (len(units) - number)
                    share = (already + number) / (already + len(units))
                    print(f"fuzz: {share:.1%}, {book.summary()}, {left / 60:.1f} min left", flush=True)
    except KeyboardInterrupt:
        print(f"fuzz: interrupted after {book.summary()}; go on with --resume", flush=True)
        return INTERRUPTED
    finally:
        book.file.close()
    print(f"fuzz: {book.summary()}, {time.monotonic() - started:.0f} s; {len(seen)} differences", flush=True)
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
