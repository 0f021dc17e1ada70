"""Data sets open in pandas, polars and DuckDB without anything of this project."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest

from terracotta_agents.dataset.making import make_dataset
from terracotta_agents.dataset.reading import read
from tests.agents.dataset.toys import settings


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set")
    make_dataset(settings("kernel", "rows", games=50, part=20, rotate=True), folder)
    return folder


@pytest.fixture(scope="module")
def expected(path: Path) -> dict[str, int]:
    ranks = read(path, "ranks").to_pandas()
    return ranks.groupby("agent", observed=True).points.sum().to_dict()


def test_pandas_reads_a_table_by_its_folder(path: Path, expected: dict[str, int]) -> None:
    ranks = pd.read_parquet(path / "ranks")
    assert ranks.agent.dtype == "category"
    assert ranks.groupby("agent", observed=True).points.sum().to_dict() == expected
    assert str(ranks.seat.dtype) == "int8"


def test_polars_reads_a_table_by_its_files(path: Path, expected: dict[str, int]) -> None:
    ranks = pl.scan_parquet(path / "ranks" / "*.parquet").group_by("agent").agg(pl.col("points").sum()).collect()
    assert dict(ranks.cast({"agent": pl.String}).iter_rows()) == expected


def test_duckdb_joins_tables_by_their_files(path: Path, expected: dict[str, int]) -> None:
    found = duckdb.execute(
        f"""
        select agent, sum(ledger.points)::int as points
        from '{path}/ledger/*.parquet' ledger join '{path}/ranks/*.parquet' using (game, seat) group by agent
        """
    ).fetchall()
    assert dict(found) == expected
