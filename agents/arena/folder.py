"""The folder of an arena: settings, results and records, written so that a kill at any moment loses no finished game.

    config.json      all that decides which games are played; going on with something else is refused
    results.jsonl    one line a game, appended as games end
    games.jsonl      records of the finished games, in the order of their results
    forfeits.jsonl   what was played of the games that an agent could not finish, in the order of their results

A game's record is written before its result: the result says that the game is done.  Cut lines, records without
result and results without record are removed before an arena goes on, and their games are played again.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from terracotta_env.errors import RecordError
from terracotta_env.record import read_lines, whole_lines
from terracotta_env.writing import write_atomically

from .schedule import ArenaError

CONFIG: Final = "config.json"
RESULTS: Final = "results.jsonl"
GAMES: Final = "games.jsonl"
FORFEITS: Final = "forfeits.jsonl"
FORMAT: Final = "arena"
VERSION: Final = 1


class Folder:
    """Results of an arena on disk.  Only one process at a time may hold it open for writing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def held(self, settings: dict[str, Any], records: bool) -> Iterator[list[dict[str, Any]]]:
        """Make the folder, or go on with it: yields the results that are there and keeps the files open to append.

        Args:
            settings: what is known before an agent is made; compared with what the folder was made with.
            records: write records too.
        """
        if self.path.exists() and any(self.path.iterdir()) and not (self.path / CONFIG).exists():
            known = {".lock", f".{CONFIG}.new.json", RESULTS, GAMES, FORFEITS}  # of an arena killed as it began
            if {path.name for path in self.path.iterdir()} - known or self._size(RESULTS):
                raise ArenaError(f"{self.path} is not the folder of an arena: choose another one")
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ArenaError(f"{self.path} is in use by another arena: wait for it or choose another one") from None
            if (self.path / CONFIG).exists():
                self.check(settings)
            done = self._align(records)
            with (
                (self.path / RESULTS).open("a", encoding="utf-8") as self._results,
                (self.path / GAMES).open("a", encoding="utf-8") as self._games,
                (self.path / FORFEITS).open("a", encoding="utf-8") as self._forfeits,
            ):
                yield done

    def config(self) -> dict[str, Any]:
        """The settings that the folder was made with."""
        path = self.path / CONFIG
        try:
            config = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ArenaError(f"{self.path} is not the folder of an arena: it has no {CONFIG}") from None
        except ValueError as error:
            raise ArenaError(f"{path}: is not JSON ({error})") from None
        if not isinstance(config, dict) or config.get("format") != FORMAT or config.get("version") != VERSION:
            raise ArenaError(f"{path}: expected format {FORMAT!r}, version {VERSION}: made by another program?")
        return config

    def check(self, settings: dict[str, Any]) -> None:
        """Refuse to go on with other settings, naming the first that differs; those not given are not compared."""
        config = self.config()
        for key, wanted in settings.items():
            found = config.get(key)
            if found != wanted:
                raise ArenaError(
                    f"{self.path} was made with {key} {short(found)}, not {short(wanted)}: "
                    "go on with the same settings or choose another folder"
                )

    def settle(self, settings: dict[str, Any], versions: dict[str, str]) -> None:
        """Write the settings, now complete; or compare them, but not the versions, where the folder has some."""
        if (self.path / CONFIG).exists():
            self.check(settings)
            return
        content = {"format": FORMAT, "version": VERSION, **settings, "versions": versions}
        write_atomically(self.path / CONFIG, json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def append(self, result: str, record: str | None, forfeited: bool) -> None:
        """One game: its record first, then its result, each handed to the system at once."""
        if record is not None:
            file = self._forfeits if forfeited else self._games
            file.write(record)
            file.flush()
        self._results.write(result)
        self._results.flush()

    def results(self) -> list[dict[str, Any]]:
        """All results, in the order in which the games ended.  A cut last line is passed over, not removed."""
        path = self.path / RESULTS
        found: list[dict[str, Any]] = []
        if not path.exists():
            return found
        try:
            for _, result in read_lines(path):
                found.append(result)
        except RecordError as error:
            if "cut off" not in str(error):
                raise ArenaError(f"{path}: {error}") from None
        return found

    def _size(self, name: str) -> int:
        path = self.path / name
        return path.stat().st_size if path.exists() else 0

    def _align(self, records: bool) -> list[dict[str, Any]]:
        """Cut the files back to the games that all of them hold; returns the results of these."""
        for name in (RESULTS, GAMES, FORFEITS):
            if (self.path / name).exists():
                whole_lines(self.path / name)
        results = self.results()
        if records:
            written = {name: self._names(name) for name in (GAMES, FORFEITS)}
            kept = 0
            counts = {GAMES: 0, FORFEITS: 0}
            for result in results:
                name = FORFEITS if result["forfeit"] else GAMES
                at = counts[name]
                if at >= len(written[name]) or written[name][at] != result["game"]:
                    break
                counts[name] += 1
                kept += 1
            _keep_lines(self.path / RESULTS, kept)
            for name, count in counts.items():
                _keep_lines(self.path / name, count)
            results = results[:kept]
        return results

    def _names(self, name: str) -> list[str]:
        """The games of a file of records, in its order."""
        path = self.path / name
        if not path.exists():
            return []
        try:
            return [record["meta"]["game"] for _, record in read_lines(path)]
        except (RecordError, KeyError, TypeError) as error:
            raise ArenaError(f"{path}: {error}") from None


def _keep_lines(path: Path, count: int) -> None:
    """Cut a file after its first ``count`` lines."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        for _ in range(count):
            file.readline()
        if file.tell() < path.stat().st_size:
            file.truncate(file.tell())


def short(value: Any) -> str:
    """A setting as a reader would write it, cut to one readable piece."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]} ..."
