"""The processes of one run of the benchmark, taking turns, and what they measured."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .driver import (
    AGAIN,
    HERE,
    PREPARE_PATIENCE,
    ROOT,
    LostError,
    Reading,
    Side,
    Worker,
    patience_for,
    read,
    reading,
    worker_command,
)
from .report import Study

OURS: Final = "ours"
SECOND: Final = "ours, second process"
THREADED: Final = "ours, threads"
COLD_PATIENCE: Final = 900.0
MOST_REPEATED: Final = 0.2  # share of readings that may be repeated, past a head start
HEAD_START: Final = 20
PATIENCE: Final = PREPARE_PATIENCE  # seconds for a warm-up


@dataclass(frozen=True)
class Settings:
    """How much is measured.

    Attributes:
        seconds: length of one reading.
        repeats: rounds.
        cold: how often everything is compiled from nothing, at about two minutes each.
        games: played to watch the memory.
        cores: of this machine; readings on one core take the last.
    """

    seconds: float = 1.0
    repeats: int = 5
    cold: int = 1
    games: int = 2_000_000
    batches: tuple[int, ...] = (1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536)
    cores: tuple[int, ...] = field(default_factory=lambda: tuple(sorted(os.sched_getaffinity(0))))


class Bench:
    """The processes of one run and what they measured.

    Args:
        settings: how much is measured.
        study: where readings go.
        peers_python: interpreter of the peers' virtual environment.
        log: file for what the sides print.
        tick: called with a text before every reading.
    """

    def __init__(
        self, settings: Settings, study: Study, peers_python: Path, log: Path, tick: Callable[[str], None]
    ) -> None:
        self.settings = settings
        self.study = study
        self.peers_python = peers_python
        self.log = log
        self.tick = tick
        self.workers: dict[str, Worker] = {}
        self.readings = self.repeated = 0

    def start(self, name: str, environment: Mapping[str, str] | None = None, module: str = "") -> Worker:
        """A new process for a side, not kept."""
        one, all_cores = self.settings.cores[-1:], self.settings.cores[-2:]
        if module or name.startswith(OURS):
            cores = {SECOND: self.settings.cores[-2:-1] or one, THREADED: all_cores}.get(name, one)
            command = worker_command(sys.executable, module or "tests.bench.ours", cores, "--path", str(ROOT))
        else:
            status = self.study.peers.get(name, {})
            if not status.get("installed"):
                raise LostError(f"not installed: {status.get('reason') or 'make bench installs it'}")
            command = worker_command(self.peers_python, str(HERE / "peers" / f"{name}.py"), one)
        return Worker(name, command, environment, self.log)

    def worker(self, name: str) -> Worker:
        """The process of a side, started when it is first needed."""
        if name not in self.workers:
            self.workers[name] = self.start(name)
            answer = self.workers[name].ask({"do": "hello"})
            self.study.about.setdefault("versions", {})[name] = answer["versions"]
        return self.workers[name]

    def close(self) -> None:
        for worker in self.workers.values():
            worker.close()
        self.workers.clear()

    def prepare(self, section: str, side: Side) -> bool:
        """Warm a side up; where it cannot, say so in the report and go on without it."""
        self.tick(f"{side.label}: warm-up")
        try:
            self.worker(side.worker).ask({"do": "prepare", "work": side.work, "args": dict(side.args)}, PATIENCE)
        except LostError as error:
            self.study.skip(section, side.label, str(error))
            return False
        return True

    def rounds(
        self,
        section: str,
        sides: Sequence[tuple[Side, float | None]],
        pairs: Sequence[tuple[str, str]] = (),
        seconds: float | None = None,
        units: Mapping[str, Callable[[float], float]] | None = None,
    ) -> None:
        """Read all sides in turn, so many rounds, every second one backwards; ratios are taken within a round.

        Args:
            sides: with their places on a curve, None where there is no curve.
            pairs: labels of ours and a peer.
            units: further units, made from calls a second.
        """
        living = [(side, x) for side, x in sides if self.prepare(section, side)]
        for index in range(self.settings.repeats):
            got: dict[tuple[str, float | None], Reading] = {}
            for side, x in living if index % 2 == 0 else list(reversed(living)):
                self.tick(side.label if x is None else f"{side.label} at {x:g}")
                try:
                    now = self.read(side, seconds or self.settings.seconds)
                except LostError as error:
                    self.study.skip(section, side.label, str(error))
                    continue
                got[side.label, x] = now
                for unit, rate in now.rates.items():
                    self.study.add(section, side.label, unit, rate, x, now.share)
                for unit, convert in (units or {}).items():
                    self.study.add(section, side.label, unit, convert(now.rates["calls"]), x)
            for ours, peer in pairs:
                for (label, x), mine in got.items():
                    theirs = got.get((peer, x))
                    if label != ours or theirs is None:
                        continue
                    for unit, rate in mine.rates.items():
                        if theirs.rates.get(unit):
                            self.study.add_ratio(section, ours, peer, unit, rate / theirs.rates[unit], x)

    def read(self, side: Side, seconds: float) -> Reading:
        """Read a side; on a machine that is never quiet readings are not repeated for ever."""
        hopeless = self.repeated > MOST_REPEATED * (self.readings + HEAD_START)
        now = read(self.worker(side.worker), side, seconds, 0 if hopeless else AGAIN)
        self.readings += 1
        self.repeated += now.repeated
        return now

    def together(self, sides: Sequence[Side], seconds: float) -> list[Reading]:
        """Read sides at the same time."""
        workers = [self.worker(side.worker) for side in sides]
        for worker, side in zip(workers, sides):
            worker.send(side.request(seconds))
        return [reading(worker.receive(patience_for(seconds)), side.cores) for worker, side in zip(workers, sides)]


def note_machine(cores: Sequence[int]) -> dict[str, Any]:
    """What a reader must know of the machine."""
    model = "unknown"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    return {"cores": len(cores), "processor": model}
