"""SVG as pixels, without a display: through resvg, with fonts of our own, so the same picture everywhere."""

from __future__ import annotations

import io
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import MissingExtraError
from ..position import Position
from .drawing import svg

if TYPE_CHECKING:
    from types import ModuleType

DEFAULT_WIDTH: Final = 1280
MOST_WIDTH: Final = 8192
_FONTS: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")


def check_width(width: int) -> int:
    """``width`` itself, or a ``ValueError``."""
    if isinstance(width, bool) or not isinstance(width, int | np.integer) or not 16 <= width <= MOST_WIDTH:
        raise ValueError(f"width: expected a number of pixels in 16..{MOST_WIDTH}, got {width!r}")
    return int(width)


def need(module: str, what: str) -> ModuleType:
    """A library of the extra ``render``.

    Raises:
        MissingExtraError: it is not installed; says what to install.
    """
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(
            f"{what} needs the library {module!r}, which is not installed: pip install 'terracotta-army[render]'"
        ) from None


def png_of(image: str, width: int = DEFAULT_WIDTH) -> bytes:
    """An SVG with fixed colours as PNG, ``width`` pixels wide; the height follows from its ``viewBox``.

    Raises:
        MissingExtraError: the extra ``render`` is not installed.
        ValueError: the width, or text that is no SVG.
    """
    resvg = need("resvg_py", "a picture in pixels")
    folder = files(__package__) / "fonts"
    data: bytes = resvg.svg_to_bytes(
        svg_string=image,
        width=check_width(width),
        skip_system_fonts=True,  # whatever is installed there: the same pixels on every machine
        font_files=[str(folder / name) for name in _FONTS],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
        monospace_family="DejaVu Sans Mono",
    )
    return data


def rgb_of(image: str, width: int = DEFAULT_WIDTH) -> np.ndarray:
    """As :func:`png_of`, as an array: shape ``(H, W, 3)`` uint8, red, green, blue.

    ``H`` is even, by one row repeated where it must be: most video codecs want it so.
    """
    pillow = need("PIL.Image", "a picture in pixels")
    with pillow.open(io.BytesIO(png_of(image, width))) as opened:
        pixels = np.array(opened.convert("RGB"))
    return pixels if len(pixels) % 2 == 0 else np.concatenate([pixels, pixels[-1:]])


def png(position: Position, *, width: int = DEFAULT_WIDTH, theme: str = "light", **settings: Any) -> bytes:
    """A position as PNG; ``settings`` as in :func:`terracotta_env.render.svg`.  Theme ``auto`` is light here."""
    return png_of(svg(position, theme=_fixed(theme), **settings), width)


def rgb(position: Position, *, width: int = DEFAULT_WIDTH, theme: str = "light", **settings: Any) -> np.ndarray:
    """A position as pixels: shape ``(H, W, 3)`` uint8; arguments as in :func:`png`."""
    return rgb_of(svg(position, theme=_fixed(theme), **settings), width)


def _fixed(theme: str) -> str:
    """Pixels have no reader's system to follow, and resvg knows no CSS variables."""
    return "light" if theme in ("auto", "page") else theme
