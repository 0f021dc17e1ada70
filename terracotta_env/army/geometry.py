"""The Mausoleum's 63 spaces as bits of one int64, and the masks that rules ask for.  Ruling R1.

A set of spaces is an integer: bit ``c`` is space ``c = 9 * row + column`` (row 0 = printed row 1 at the bottom,
column 0 = ``a``).  63 spaces leave the sign bit free, so plain signed integers serve, compiled and interpreted alike::

    row 7 | 54 55 56 57 58 59 60 61 62        NW | e | NE
    row 6 | 45 46 47 48 49 50 51 52 53        NW | e | NE
    row 5 | 36 37 38 39 40 41 42 43 44        NW | e | NE
    row 4 | 27 28 29 30 31 32 33 34 35        middle row
    row 3 | 18 19 20 21 22 23 24 25 26        SW | e | SE
    row 2 |  9 10 11 12 13 14 15 16 17        SW | e | SE
    row 1 |  0  1  2  3  4  5  6  7  8        SW | e | SE
            a  b  c  d  e  f  g  h  i
"""

from __future__ import annotations

import numpy as np

from ..bits import count as count
from ..bits import lowest as lowest
from ..kernel import kernel

ROWS, COLUMNS = 7, 9
CELLS = ROWS * COLUMNS
ALL_CELLS = (1 << CELLS) - 1
MIDDLE_ROW, MIDDLE_COLUMN = 3, 4
NO_CELL = -1

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # (rows, columns) of one step n, e, s, w

COLUMN_LETTERS = "abcdefghi"


def cell_name(cell: int) -> str:
    """``0`` -> ``"a1"``, ``62`` -> ``"i7"``."""
    row, column = divmod(int(cell), COLUMNS)
    return f"{COLUMN_LETTERS[column]}{row + 1}"


CELL_NAMES = tuple(cell_name(cell) for cell in range(CELLS))
CELL_OF_NAME = {name: cell for cell, name in enumerate(CELL_NAMES)}


def cells_of(mask: int) -> list[int]:
    """The spaces in a set, ascending."""
    return [cell for cell in range(CELLS) if int(mask) >> cell & 1]


def _mask(cells: object) -> int:
    return sum(1 << cell for cell in cells)  # type: ignore[attr-defined]


def _inside(row: int, column: int) -> bool:
    return 0 <= row < ROWS and 0 <= column < COLUMNS


def _walk(cell: int, direction: int, steps: int) -> int:
    row, column = divmod(cell, COLUMNS)
    row, column = row + STEPS[direction][0] * steps, column + STEPS[direction][1] * steps
    return row * COLUMNS + column if _inside(row, column) else NO_CELL


def _frozen(values: object, dtype: type) -> np.ndarray:
    array: np.ndarray = np.array(values, dtype)
    array.setflags(write=False)  # compiled kernels have copied it: a later write would split the two worlds
    return array


_GRID = [divmod(cell, COLUMNS) for cell in range(CELLS)]

ROW_OF = _frozen([row for row, _ in _GRID], np.int64)
COLUMN_OF = _frozen([column for _, column in _GRID], np.int64)
ROW_CELLS = _frozen([_mask(c for c in range(CELLS) if _GRID[c][0] == r) for r in range(ROWS)], np.int64)
COLUMN_CELLS = _frozen([_mask(c for c in range(CELLS) if _GRID[c][1] == k) for k in range(COLUMNS)], np.int64)
# quarters in the order nw, ne, sw, se; the middle row and column belong to none
QUARTER_CELLS = _frozen(
    [
        _mask(c for c, (r, k) in enumerate(_GRID) if (r > MIDDLE_ROW) == north and (k > MIDDLE_COLUMN) == east
              and r != MIDDLE_ROW and k != MIDDLE_COLUMN)
        for north, east in ((True, False), (True, True), (False, False), (False, True))
    ],
    np.int64,
)  # fmt: skip
# NEIGHBOUR[cell, direction]: the orthogonally adjacent space, NO_CELL beyond the wall
NEIGHBOUR = _frozen([[_walk(c, d, 1) for d in range(4)] for c in range(CELLS)], np.int64)
# HORSE_CELLS[cell, direction]: the next two spaces as a set, 0 where they would leave the Mausoleum (R14)
HORSE_CELLS = _frozen(
    [[_mask((_walk(c, d, 1), _walk(c, d, 2))) if _walk(c, d, 2) >= 0 else 0 for d in range(4)] for c in range(CELLS)],
    np.int64,
)
# SURROUNDING[cell]: the up to eight spaces around it, diagonals included (Footman)
SURROUNDING = _frozen(
    [_mask(o for o, (r, k) in enumerate(_GRID) if o != c and abs(r - _GRID[c][0]) <= 1 and abs(k - _GRID[c][1]) <= 1)
     for c in range(CELLS)],
    np.int64,
)  # fmt: skip
# CROSS[cell]: its row and its column (Musician)
CROSS = _frozen([int(ROW_CELLS[r] | COLUMN_CELLS[k]) for r, k in _GRID], np.int64)

_NOT_FIRST_COLUMN = ALL_CELLS & ~int(COLUMN_CELLS[0])
_NOT_LAST_COLUMN = ALL_CELLS & ~int(COLUMN_CELLS[COLUMNS - 1])


@kernel
def bit(cell):
    """The set that holds one space."""
    return np.int64(1) << np.int64(cell)


@kernel
def beside(mask):
    """All spaces orthogonally adjacent to a set (members of the set may be among them)."""
    vertical = ((mask << COLUMNS) & ALL_CELLS) | (mask >> COLUMNS)
    return vertical | ((mask & _NOT_LAST_COLUMN) << 1) | ((mask & _NOT_FIRST_COLUMN) >> 1)
