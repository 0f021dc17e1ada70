"""A text as a picture, for games that draw none."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

_SIZE: Final = 18
_INKS: Final = {"light": ("#ffffff", "#1a1a1a"), "dark": ("#161616", "#f0f0f0")}  # ground, letters


def lettered(text: str, theme: str) -> str:
    """``text`` in letters of one width, as SVG; themes other than ``dark`` are light."""
    ground, ink = _INKS.get(theme, _INKS["light"])
    lines = text.splitlines() or [""]
    width = 20 + round(0.602 * _SIZE * max(map(len, lines)))
    height = 20 + round(1.3 * _SIZE * len(lines))
    rows = "".join(
        f'<text x="10" y="{10 + 1.3 * _SIZE * (k + 0.75):.1f}" xml:space="preserve">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )
    label = escape(lines[0], {'"': "&quot;"})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{label}" font-family="monospace" font-size="{_SIZE}" fill="{ink}">'
        f'<rect width="{width}" height="{height}" fill="{ground}"/>{rows}</svg>'
    )
