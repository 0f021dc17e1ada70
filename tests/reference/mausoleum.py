"""The Mausoleum: its spaces and the statues on them (R1, R15, R24)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .board import WARRIORS

Cell = tuple[int, int]  # (column, row), both from 1

COLUMNS = "abcdefghi"
ROWS = range(1, 8)
MIDDLE_COLUMN, MIDDLE_ROW = 5, 4
CELLS: list[Cell] = [(c, r) for c in range(1, len(COLUMNS) + 1) for r in ROWS]
DIRECTIONS: dict[str, tuple[int, int]] = {
    "n": (0, 1),
    "e": (1, 0),
    "s": (0, -1),
    "w": (-1, 0),
}
_ON_BOARD = frozenset(CELLS)


def cell_name(cell: Cell) -> str:
    """The text form of a space, such as ``e4``."""
    return f"{COLUMNS[cell[0] - 1]}{cell[1]}"


_CELL_BY_NAME = {cell_name(cell): cell for cell in CELLS}


def cell_from_name(name: str) -> Cell:
    """The space that a text form names."""
    cell = _CELL_BY_NAME.get(name)
    if cell is None:
        raise ValueError(f"no such space: {name!r}")
    return cell


def next_cell(cell: Cell, direction: str) -> Cell | None:
    """The neighbouring space in a direction, None beyond the edge."""
    across, up = DIRECTIONS[direction]
    neighbour = (cell[0] + across, cell[1] + up)
    return neighbour if neighbour in _ON_BOARD else None


def look(cell: Cell, direction: str) -> Iterator[Cell]:
    """All spaces from a space to the edge, nearest first, without itself."""
    ahead = next_cell(cell, direction)
    while ahead is not None:
        yield ahead
        ahead = next_cell(ahead, direction)


def orthogonal(cell: Cell) -> Iterator[Cell]:
    """The two to four spaces that share a side with a space."""
    for direction in DIRECTIONS:
        neighbour = next_cell(cell, direction)
        if neighbour is not None:
            yield neighbour


def surrounding(cell: Cell) -> list[Cell]:
    """The up to eight spaces around a space."""
    column, row = cell
    square = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return [c for c in square if c != cell and c in _ON_BOARD]


def quarter_of(cell: Cell) -> str | None:
    """``nw``, ``ne``, ``sw`` or ``se``; None on the middle lines (R1)."""
    column, row = cell
    if column == MIDDLE_COLUMN or row == MIDDLE_ROW:
        return None
    return ("n" if row > MIDDLE_ROW else "s") + ("e" if column > MIDDLE_COLUMN else "w")


@dataclass(eq=False)
class Statue:
    """A miniature in the Mausoleum; a horse is only seen as its mounted rider."""

    kind: str
    spaces: list[Cell]
    owner: int | None = None
    facing: str | None = None

    @property
    def is_warrior(self) -> bool:
        return self.kind in WARRIORS

    @property
    def mounted(self) -> bool:
        return len(self.spaces) > 1

    def stands_in(self, cells: Iterable[Cell]) -> bool:
        """Whether any of its spaces is among these (a rider has three, R24)."""
        return any(space in cells for space in self.spaces)


class Mausoleum:
    """Which statue stands where."""

    def __init__(self) -> None:
        self.statues: list[Statue] = []
        self._at: dict[Cell, Statue] = {}

    def at(self, cell: Cell | None) -> Statue | None:
        return None if cell is None else self._at.get(cell)

    def is_empty(self, cell: Cell) -> bool:
        return cell not in self._at

    def empty_cells(self) -> list[Cell]:
        return [cell for cell in CELLS if cell not in self._at]

    @property
    def full(self) -> bool:
        return len(self._at) == len(CELLS)

    def add(self, statue: Statue) -> None:
        self._occupy(statue, statue.spaces)
        self.statues.append(statue)

    def relocate(self, statue: Statue, spaces: list[Cell]) -> None:
        """Move a warrior (one space) or mount it (three spaces)."""
        for space in statue.spaces:
            del self._at[space]
        self._occupy(statue, spaces)
        statue.spaces = spaces

    def _occupy(self, statue: Statue, spaces: list[Cell]) -> None:
        for space in spaces:
            if space in self._at:
                raise ValueError(f"two statues on {cell_name(space)}")
            self._at[space] = statue

    def warriors(self, owner: int | None = None) -> list[Statue]:
        """All warriors, or those of one seat."""
        return [s for s in self.statues if s.is_warrior and (owner is None or s.owner == owner)]

    def of_kind(self, kind: str) -> list[Statue]:
        return [s for s in self.statues if s.kind == kind]

    def faced_by(self, archer: Statue) -> Statue | None:
        """The warrior who now stands where the archer looks, if any (R15)."""
        assert archer.facing is not None
        target = self.at(next_cell(archer.spaces[0], archer.facing))
        return target if target is not None and target.is_warrior else None

    def facings(self, cell: Cell) -> list[str]:
        """Directions in which an archer on this space would see a warrior (R15)."""
        return [
            direction
            for direction in DIRECTIONS
            if (target := self.at(next_cell(cell, direction))) and target.is_warrior
        ]

    def open_run(self, cell: Cell, direction: str) -> list[Cell]:
        """Empty spaces in a direction up to the first statue or the edge."""
        run = []
        for ahead in look(cell, direction):
            if not self.is_empty(ahead):
                break
            run.append(ahead)
        return run
