"""The folder of a data set.

    dataset.json            the manifest: what decides which games are played, and what every column means
    games/000000.parquet    one file a part and table: turns/, ledger/, ranks/ and, where kept, decisions/ likewise

A part is a fixed range of games.  Each file is written beside its place and renamed, that of ``games`` last: a part
whose file lies in ``games`` is whole.  So a kill at any moment costs the parts that were being made and nothing else;
going on makes them anew, with the same bytes.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from terracotta_env.errors import TerracottaError
from terracotta_env.writing import beside, write_atomically

from .tables import GAMES, parquet

MANIFEST: Final = "dataset.json"
FORMAT: Final = "terracotta-dataset"
_LOCK: Final = ".lock"
_MOST_SHOWN: Final = 200


class DatasetError(TerracottaError, ValueError):
    """A data set that cannot be made, gone on with or read as it was asked for."""


class Folder:
    """A data set on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def held(self, manifest: Mapping[str, Any]) -> Iterator[None]:
        """Make the folder, or go on with it, and keep other writers out meanwhile.

        Raises:
            DatasetError: the folder is something else, was made with other settings, or is being written.
        """
        self._refuse_foreign()
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / _LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise DatasetError(f"{self.path} is being written: wait for it or choose another one") from None
            if (self.path / MANIFEST).exists():
                self._check(manifest)
            write_atomically(self.path / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
            yield

    def manifest(self) -> dict[str, Any]:
        """The manifest.  Raises :class:`DatasetError` where there is none, or none of this kind."""
        path = self.path / MANIFEST
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise DatasetError(f"{self.path} is not the folder of a data set: it has no {MANIFEST}") from None
        except ValueError as error:
            raise DatasetError(f"{path}: is not JSON ({error})") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise DatasetError(f"{path}: expected format {FORMAT!r}: made by another program?")
        return found

    def has(self, part: int) -> bool:
        """Is the part whole?"""
        return self.file(GAMES, part).is_file()

    def file(self, table: str, part: int) -> Path:
        """Where a table's part lies."""
        return self.path / table / f"{part:06d}.parquet"

    def write(self, part: int, tables: Mapping[str, pa.Table]) -> None:
        """Write the tables of a part, in their order: the last one makes it whole."""
        for name, table in tables.items():
            path = self.file(name, part)
            path.parent.mkdir(exist_ok=True)
            write_atomically(path, parquet(table))

    def _refuse_foreign(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise DatasetError(f"{self.path} is a file: choose a folder")
        if not self.path.exists() or (self.path / MANIFEST).exists():
            return
        strange = {path.name for path in self.path.iterdir()} - {_LOCK, beside(Path(MANIFEST)).name}
        if strange:
            raise DatasetError(
                f"{self.path} is not the folder of a data set, it holds {min(strange)!r}: choose another one"
            )

    def _check(self, wanted: Mapping[str, Any]) -> None:
        """Going on with other settings would mix two data sets; more games are welcome, and fill up the last part."""
        found = self.manifest()
        for key, value in wanted.items():
            if key == GAMES and found.get(key, 0) < value:
                continue
            if found.get(key) != value:
                raise DatasetError(
                    f"{self.path} was made with {key} {_short(found.get(key))}, not {_short(value)}: "
                    "go on with the same settings or choose another folder"
                )
        if found[GAMES] < wanted[GAMES]:
            part, begun = divmod(found[GAMES], found["part"])
            if begun:
                self.file(GAMES, part).unlink(missing_ok=True)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]} ..."
