"""Pictures of positions and games: SVG, pixels, a window, films.  Knows no game.

>>> from terracotta_env import render
>>> text = render.svg(position)                              # needs nothing else
>>> pixels = render.rgb(position, theme="dark", width=1280)  # needs the extra `render`
"""

from __future__ import annotations

from .drawing import LAYOUTS, THEMES, Drawing, stylesheet, svg
from .film import Still, still_at, stills, write_film
from .raster import png, png_of, rgb, rgb_of

__all__ = [
    "LAYOUTS",
    "THEMES",
    "Drawing",
    "Still",
    "png",
    "png_of",
    "rgb",
    "rgb_of",
    "still_at",
    "stills",
    "stylesheet",
    "svg",
    "write_film",
]
