"""An arena from its settings to its results: schedule, folder, workers and stopping rule put together."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terracotta_env.interrupt import Interruption
from terracotta_env.policy import Policy

from .folder import Folder
from .progress import Progress
from .run import Leader
from .schedule import ArenaError, Scheduled, labels, schedule, setups_for
from .sequential import Sprt, Watch
from .suites import Suite
from .worker import Job

_PACKAGES = ("terracotta-army", "numpy", "numba", "statsmodels")


@dataclass(frozen=True)
class Settings:
    """What is played.

    Attributes:
        game_module, game_name: where the rules are found.
        codes: of the agents.
        players: numbers of players, ascending.
        games: games of each line-up for each number of players, rounded up to whole setups; None = a whole suite.
        seed: draws setups and agents' random numbers.
        board: printed data, by name or path.
        suite: setups instead of drawn ones.
        records: write records too.
        move_seconds: longest time for one decision; None = any.
        sprt: stop when this test is decided.
    """

    game_module: str
    game_name: str
    codes: Sequence[str]
    players: Sequence[int]
    games: int | None
    seed: int
    board: str
    suite: Suite | None = None
    records: bool = True
    move_seconds: float | None = None
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        if self.sprt is not None and (len(self.codes) != 2 or len(self.players) != 1):
            raise ArenaError("sprt: the test is for two agents and one number of players")
        if self.suite is not None:
            if self.board != self.suite.board:
                raise ArenaError(f"suite {self.suite.name}: is for board {self.suite.board!r}, not {self.board!r}")
            for players in self.players:
                if players not in self.suite.setups:
                    raise ArenaError(f"suite {self.suite.name}: has no setups for {players} players")
                if self.setups[players] > len(self.suite.setups[players]):
                    most = len(self.suite.setups[players]) * players
                    raise ArenaError(f"suite {self.suite.name}: no more than {most} games a line-up of {players}")
        elif self.games is None:
            raise ArenaError("games: how many are to be played?")

    @property
    def setups(self) -> dict[int, int]:
        """Number of setups by number of players."""
        return {
            players: len(self.suite.setups[players])
            if self.games is None and self.suite is not None
            else setups_for(self.games or 0, players)
            for players in self.players
        }

    def schedule(self) -> list[Scheduled]:
        """All games."""
        return list(schedule(labels(self.codes), self.setups))

    def as_json(self) -> dict[str, Any]:
        """What is known before an agent is made; a folder is gone on with only where all of it is the same."""
        return {
            "game": self.game_name,
            "codes": list(self.codes),
            "players": list(self.players),
            "games": self.games,
            "setups": {str(players): count for players, count in self.setups.items()},
            "seed": self.seed,
            "suite": None if self.suite is None else {"name": self.suite.name, "digest": self.suite.digest},
            "records": self.records,
            "move_seconds": self.move_seconds,
            "sprt": None if self.sprt is None else vars(self.sprt),
        }


@dataclass(frozen=True)
class Outcome:
    """How a call ended.

    Attributes:
        done: number of games in the folder.
        total: number of games in the schedule.
        finished: nothing is left to play: all games are there or the stopping rule has spoken.
    """

    done: int
    total: int
    finished: bool


def play(settings: Settings, path: Path, jobs: int, make_agent: Callable[[str], Policy]) -> Outcome:
    """Play what is missing of an arena in its folder, on ``jobs`` processes."""
    names = labels(settings.codes)
    games = settings.schedule()
    if len({game.name for game in games}) != len(games):
        raise ArenaError("agents: two games would have the same name: give the agents other codes")
    job = Job(
        settings.game_module,
        settings.game_name,
        settings.board,
        settings.seed,
        names,
        settings.codes,
        make_agent,
        None if settings.suite is None else settings.suite.setups,
        settings.records,
    )
    watch = None
    if settings.sprt is not None:
        per_setup = sum(game.setup == 0 for game in games)
        watch = Watch(settings.sprt, names[0], per_setup)
    folder = Folder(path)
    with folder.held(settings.as_json(), settings.records) as results:
        done = {result["game"] for result in results}
        if unknown := done - {game.name for game in games}:
            raise ArenaError(f"{path}: holds games that are not in the schedule, e.g. {min(unknown)}")
        if watch is not None:
            for result in results:
                watch.add(result)
        left = [game for game in games if game.name not in done]
        if not left or (watch is not None and watch.verdict):
            return Outcome(len(done), len(games), True)
        count = len(done)
        with Interruption() as interruption, Progress(len(games), count) as progress:

            def ready(facts: dict[str, Any]) -> None:
                if settings.suite is not None:
                    settings.suite.check(settings.game_name, facts["rules"])
                folder.settle({**settings.as_json(), **facts}, versions())

            def finished(line: str, record: str | None, result: dict[str, Any]) -> bool:
                nonlocal count
                folder.append(line, record, result["forfeit"] is not None)
                count += 1
                text = ""
                if watch is not None:
                    watch.add(result)
                    low, high = watch.test.bounds
                    text = f"llr {watch.ratio:+.2f} ({low:.2f} .. {high:.2f})"
                progress.game(text)
                return watch is None or watch.verdict is None

            def asked() -> bool:
                return interruption.asked

            leader = Leader(job, min(jobs, len(left)), finished, ready, asked, settings.move_seconds)
            whole = leader.play(left)
        return Outcome(count, len(games), whole or (watch is not None and watch.verdict is not None))


def versions() -> dict[str, str]:
    """What times depend on, and perhaps results: written into the settings, never compared."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
