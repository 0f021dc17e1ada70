"""Reading the whole parts of a data set, also of one that is still being made.

Of a finished one any Parquet reader will do: ``pandas.read_parquet("DIR/turns")``,
``polars.scan_parquet("DIR/turns/*.parquet")``, ``duckdb.sql("from 'DIR/turns/*.parquet'")``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .folder import DatasetError, Folder
from .tables import GAMES


def files_of(path: Path, table: str) -> list[Path]:
    """The files of a table's whole parts, in the order of their games.

    Raises:
        DatasetError: there is no such data set, no such table in it, or no whole part yet.
    """
    folder = Folder(path)
    tables = folder.manifest()["tables"]
    if table not in tables:
        raise DatasetError(f"{path}: has no table {table!r}; it has {', '.join(tables)}")
    parts = sorted(int(file.stem) for file in (path / GAMES).glob("[0-9]*.parquet"))
    if not parts:
        raise DatasetError(f"{path}: holds no whole part yet: go on with the command that makes it")
    return [folder.file(table, part) for part in parts]


def read(path: Path, table: str, columns: Sequence[str] | None = None) -> pa.Table:
    """A table of a data set; ``columns`` None for all."""
    wanted = None if columns is None else list(columns)
    return pa.concat_tables([pq.read_table(file, columns=wanted) for file in files_of(path, table)])
