"""Runs the sides of the benchmark: one process each, asked in turn, so that what disturbs one disturbs all."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
PREPARE_PATIENCE: Final = 400.0  # seconds: a cold compile of everything, or several of Pgx
SHARE: Final = 0.9  # a side that got less of its core is asked again
AGAIN: Final = 2  # so often at most


class LostError(Exception):
    """A side died, hung or could not do what it was asked."""


class Worker:
    """A side's process.  Once it died or hung every later question fails at once with the first reason."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        cwd: Path = ROOT,
    ) -> None:
        self.name = name
        self.lost: str | None = None
        self._rest = b""
        self._log = log
        # unbuffered pipes: `select` must see all there is
        with open(log or os.devnull, "ab") as errors:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                cwd=cwd,
                env={**os.environ, **(environment or {})},
            )

    def send(self, request: Mapping[str, Any]) -> None:
        if self.lost:
            raise LostError(self.lost)
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
        except OSError:
            self._lose(f"{self.name} died")

    def receive(self, patience: float) -> dict[str, Any]:
        """The next answer.  Raises :class:`LostError` for an error, and where none came in so many seconds."""
        if self.lost:
            raise LostError(self.lost)
        line = self._line(time.monotonic() + patience, patience)
        try:
            answer = json.loads(line)
        except ValueError:
            self._lose(f"{self.name} answered with something other than JSON: {line[:80]!r}")
        if "error" in answer:
            raise LostError(f"{self.name}: {answer['error']}")
        return dict(answer)

    def ask(self, request: Mapping[str, Any], patience: float = PREPARE_PATIENCE) -> dict[str, Any]:
        self.send(request)
        return self.receive(patience)

    def close(self) -> None:
        """End the process."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def _line(self, deadline: float, patience: float) -> bytes:
        assert self.process.stdout is not None
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                self._lose(f"{self.name} did not answer within {patience:.0f} s")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                code = self.process.wait()
                self._lose(f"{self.name} died with exit code {code}{self._last_words()}")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _last_words(self) -> str:
        if self._log is None or not self._log.exists():
            return ""
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return f": {lines[-1][:200]}" if lines else ""

    def _lose(self, reason: str) -> Any:
        self.lost = reason
        self.close()
        raise LostError(reason)


def worker_command(python: Path | str, module: str, cores: Sequence[int], *more: str) -> list[str]:
    """Command of a side: its module by dotted name or file, see ``worker.py``."""
    # -P: the folder of the script stays off the path, where a file named like a peer would hide it
    command = [str(python), "-P", str(HERE / "worker.py"), module, *more]
    return [*command, "--cores", ",".join(map(str, cores))] if cores else command


@dataclass(frozen=True)
class Side:
    """What one side does: ``work`` of a worker with ``args``.

    Attributes:
        label: its name in tables.
        worker: name of the worker.
        cores: how many are used, for the share of them it got.
    """

    label: str
    worker: str
    work: str
    args: Mapping[str, Any] = field(default_factory=dict)
    cores: int = 1

    def request(self, seconds: float) -> dict[str, Any]:
        return {"do": "measure", "work": self.work, "args": dict(self.args), "seconds": seconds}


@dataclass(frozen=True)
class Reading:
    """One measurement: units a second, the share of its cores that the process got, and how often it was repeated."""

    rates: Mapping[str, float]
    share: float
    repeated: int = 0


def reading(answer: Mapping[str, Any], cores: int) -> Reading:
    seconds = answer["seconds"]
    return Reading(
        {unit: amount / seconds for unit, amount in answer["amounts"].items()}, answer["cpu"] / seconds / cores
    )


def patience_for(seconds: float) -> float:
    return 60.0 + 20.0 * seconds


def read(worker: Worker, side: Side, seconds: float, again: int = AGAIN) -> Reading:
    """Measure once; where others took the core, again, and keep the reading that got most of it."""
    best = reading(worker.ask(side.request(seconds), patience_for(seconds)), side.cores)
    repeated = 0
    while best.share < SHARE and repeated < again:
        now = reading(worker.ask(side.request(seconds), patience_for(seconds)), side.cores)
        repeated += 1
        if now.share > best.share:
            best = now
    return replace(best, repeated=repeated)
