"""R1: every table of the geometry, worked out once more from the names of the spaces."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from terracotta_env.army import geometry
from terracotta_env.army.geometry import CELL_NAMES, CELL_OF_NAME, NO_CELL, beside, bit, count, lowest

COLUMNS, ROWS = "abcdefghi", "1234567"
NAMES = [f"{column}{row}" for row in ROWS for column in COLUMNS]
QUARTERS = (("abcd", "567"), ("fghi", "567"), ("abcd", "123"), ("fghi", "123"))  # nw, ne, sw, se
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # columns, rows: n, e, s, w


def step(name: str, columns: int, rows: int) -> str | None:
    """The space so many columns and rows away, None outside."""
    column, row = COLUMNS.index(name[0]) + columns, ROWS.index(name[1]) + rows
    return f"{COLUMNS[column]}{ROWS[row]}" if 0 <= column < 9 and 0 <= row < 7 else None


def mask_of(names: object) -> int:
    return sum(2 ** NAMES.index(name) for name in NAMES if name in names)  # type: ignore[operator]


def around(name: str) -> set[str | None]:
    return {step(name, c, r) for c in (-1, 0, 1) for r in (-1, 0, 1)} - {name, None}


def test_names_of_the_spaces() -> None:
    assert list(CELL_NAMES) == NAMES
    assert {name: NAMES.index(name) for name in NAMES} == CELL_OF_NAME
    assert mask_of(NAMES) == geometry.ALL_CELLS == 2**63 - 1


def test_rows_columns_and_quarters() -> None:
    assert geometry.ROW_CELLS.tolist() == [mask_of([n for n in NAMES if n[1] == row]) for row in ROWS]
    assert geometry.COLUMN_CELLS.tolist() == [mask_of([n for n in NAMES if n[0] == column]) for column in COLUMNS]
    quarters = [mask_of([n for n in NAMES if n[0] in columns and n[1] in rows]) for columns, rows in QUARTERS]
    assert geometry.QUARTER_CELLS.tolist() == quarters
    assert geometry.ROW_OF.tolist() == [ROWS.index(name[1]) for name in NAMES]
    assert geometry.COLUMN_OF.tolist() == [COLUMNS.index(name[0]) for name in NAMES]
    assert geometry.ROW_CELLS[geometry.MIDDLE_ROW] == mask_of([n for n in NAMES if n[1] == "4"])
    assert geometry.COLUMN_CELLS[geometry.MIDDLE_COLUMN] == mask_of([n for n in NAMES if n[0] == "e"])


def test_neighbours_and_the_spaces_of_a_horse() -> None:
    neighbours, horses = [], []
    for name in NAMES:
        once = [step(name, c, r) for c, r in STEPS]
        twice = [step(name, 2 * c, 2 * r) for c, r in STEPS]
        neighbours.append([NAMES.index(one) if one else NO_CELL for one in once])
        horses.append([mask_of([one, two]) if two else 0 for one, two in zip(once, twice, strict=True)])
    assert geometry.NEIGHBOUR.tolist() == neighbours
    assert geometry.HORSE_CELLS.tolist() == horses


def test_what_a_footman_and_a_musician_see() -> None:
    assert geometry.SURROUNDING.tolist() == [mask_of(around(name)) for name in NAMES]
    crosses = [mask_of([n for n in NAMES if n[0] == name[0] or n[1] == name[1]]) for name in NAMES]
    assert geometry.CROSS.tolist() == crosses


SETS = [
    [],
    NAMES,
    *([name] for name in NAMES),
    ["a1", "i1"],
    ["a7", "i7"],
    ["i3", "a4"],
    ["d4", "e4", "e5"],
    NAMES[::2],
    NAMES[1::2],
    NAMES[5:40],
]


@pytest.mark.parametrize("names", SETS, ids=lambda names: f"{len(names)}-{''.join(names[:2])}")
def test_sets_of_spaces(names: list[str]) -> None:
    mask = np.int64(mask_of(names))
    assert count(mask) == len(names)
    orthogonal = {step(name, c, r) for name in names for c, r in STEPS} - {None}
    assert beside(mask) == mask_of(orthogonal)
    assert geometry.cells_of(int(mask)) == [NAMES.index(name) for name in names]
    if names:
        assert lowest(int(mask)) == NAMES.index(names[0])
        assert bit(NAMES.index(names[0])) == mask_of(names[:1])


@pytest.mark.parametrize("verb", [count, beside])
def test_sets_may_be_plain_integers(verb: Callable[[Any], int]) -> None:
    for names in SETS:
        assert verb(mask_of(names)) == verb(np.int64(mask_of(names)))


def test_the_tables_cannot_be_written() -> None:
    # compiled code holds copies of them
    tables = [value for value in vars(geometry).values() if isinstance(value, np.ndarray)]
    assert len(tables) == 9
    assert not any(table.flags.writeable for table in tables)


def test_the_sentinel_of_no_space() -> None:
    assert NO_CELL == -1
