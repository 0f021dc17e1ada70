"""The render modes of the views: what ``render()`` returns or shows."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..position import Position
from .raster import need, rgb
from .window import Screen

RENDER_MODES: Final = ("ansi", "human", "rgb_array")


def check_render_mode(mode: str | None) -> str | None:
    """``mode`` itself, or a ``ValueError`` that names the choices.

    Raises:
        MissingExtraError: the mode needs the extra ``render``, which is not installed.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected None or one of {', '.join(RENDER_MODES)}, got {mode!r}")
    if mode == "rgb_array":
        for library in ("resvg_py", "PIL.Image"):  # said now, not after an hour of play
            need(library, "render_mode='rgb_array'")
    return mode


def rendered(position: Position, mode: str, screen: Screen) -> str | np.ndarray | None:
    """A position under a render mode: a text, ``(H, W, 3)`` uint8 pixels, or None where ``screen`` shows it."""
    if mode == "ansi":
        return position.render()
    if mode == "rgb_array":
        return rgb(position)
    screen.show(position)
    return None
