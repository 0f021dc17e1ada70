"""Self-play in jobs: what a job is, which are given out, and that each is counted once.

A job is so many games of one number of players.  Its number says everything: the games' ids, their setups, all random
numbers.  Whoever plays it, on whatever machine, with the same network, plays the same games.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from .run_folder import write_atomically

FILE: Final = "jobs.csv"


@dataclass(frozen=True)
class Job:
    """Games to be played.

    Attributes:
        number: from 0.
        first_game: id of its first game; the others follow.
        games: how many.
        players: in each.
    """

    number: int
    first_game: int
    games: int
    players: int


class Ledger:
    """Which jobs are done, given out, and next.

    Args:
        games: of each job.
        players: numbers of players; jobs take turns among them.
    """

    def __init__(self, games: int, players: Sequence[int]) -> None:
        self.games, self.players = games, tuple(players)
        self.below = 0  # all jobs of smaller numbers are counted
        self.beyond: set[int] = set()  # counted ones that are not below
        self.given: set[int] = set()

    def job(self, number: int) -> Job:
        """What a number means."""
        return Job(number, number * self.games, self.games, self.players[number % len(self.players)])

    def give(self) -> Job:
        """The first job that is neither counted nor given out."""
        number = self.below
        while number in self.beyond or number in self.given:
            number += 1
        self.given.add(number)
        return self.job(number)

    def take_back(self, number: int) -> None:
        """A job that was given out will not be done: it is given again."""
        self.given.discard(number)

    def count(self, number: int) -> bool:
        """A job is done; False where it was counted before."""
        self.given.discard(number)
        if number < self.below or number in self.beyond:
            return False
        self.beyond.add(number)
        while self.below in self.beyond:
            self.beyond.remove(self.below)
            self.below += 1
        return True

    @property
    def counted(self) -> int:
        """Number of jobs that are done."""
        return self.below + len(self.beyond)

    def state(self) -> dict[str, Any]:
        """What is counted, as JSON values."""
        return {"below": self.below, "beyond": sorted(self.beyond)}

    def put_back(self, state: Mapping[str, Any]) -> None:
        """The inverse of :meth:`state`; nothing is given out."""
        self.below, self.beyond, self.given = int(state["below"]), set(state["beyond"]), set()

    def has(self, number: int) -> bool:
        """Is the job counted?"""
        return number < self.below or number in self.beyond


@dataclass(frozen=True)
class Done:
    """What a finished job cost: one line of ``jobs.csv``, whoever played it.

    Attributes:
        job, first_game, games, players: see :class:`Job`.
        version: updates of the network that played.
        decisions, full, simulations: made, those with a full search, and in all searches.
        seconds: wall clock of playing.
        worker: who played.
    """

    job: int
    first_game: int
    games: int
    players: int
    version: int
    decisions: int
    full: int
    simulations: int
    seconds: float
    worker: str


_HEAD: Final = ",".join(field.name for field in fields(Done)) + "\n"


class JobLog:
    """``jobs.csv`` of a run's folder: each counted job exactly once, in the order in which they were counted.

    Args:
        folder: of the run.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.lines = read_jobs(folder)

    def keep(self, ledger: Ledger) -> None:
        """Cut off jobs that the ledger, which comes from a checkpoint, has not counted: they are played again."""
        self.lines = [line for line in self.lines if ledger.has(line.job)]
        write_atomically(self.path, _HEAD + _text(self.lines))

    def add(self, done: Done) -> None:
        """Append one."""
        self.lines.append(done)
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write((_HEAD if not file.tell() else "") + _text([done]))


def read_jobs(folder: Path) -> list[Done]:
    """The lines of ``jobs.csv`` in a run's folder, empty where there is none; one that was cut is left out."""
    path = folder / FILE
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    rows = csv.DictReader(io.StringIO(text[: text.rfind("\n") + 1]))
    kinds = {"seconds": float, "worker": str}
    return [Done(**{name: kinds.get(name, int)(value) for name, value in row.items()}) for row in rows]


def _text(lines: Sequence[Done]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([asdict(line).values() for line in lines])
    return text.getvalue()
