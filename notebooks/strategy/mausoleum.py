"""Heat maps of the mausoleum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from terracotta_env.army.geometry import CELL_NAMES, CELLS, COLUMN_LETTERS, COLUMNS, ROWS


def by_cell(values: pd.Series) -> np.ndarray:
    """Values by the name or number of a space as a grid, shape ``(7, 9)``, nan where there is none."""
    grid = np.full(CELLS, np.nan)
    for cell, value in values.items():
        grid[CELL_NAMES.index(cell) if isinstance(cell, str) else int(cell)] = value
    return grid.reshape(ROWS, COLUMNS)


def heat_map(axes: Axes, grid: np.ndarray, title: str, digits: int = 1, **look: Any) -> None:
    """Draw a grid with its numbers; row 1 at the bottom, as on the board.  ``look`` goes to ``imshow``."""
    image = axes.imshow(grid, origin="lower", **{"cmap": "YlOrBr", **look})
    for (row, column), value in np.ndenumerate(grid):
        if np.isfinite(value):
            red, green, blue, _ = image.cmap(image.norm(value))
            colour = "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"
            axes.text(column, row, f"{value:.{digits}f}", ha="center", va="center", fontsize=7, color=colour)
    axes.set_xticks(range(COLUMNS), list(COLUMN_LETTERS))
    axes.set_yticks(range(ROWS), [str(row + 1) for row in range(ROWS)])
    axes.set_title(title, fontsize="medium")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
