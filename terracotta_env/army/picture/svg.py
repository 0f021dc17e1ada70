"""Writing SVG: elements, text and the few shapes that several parts of the picture share.  Knows no game."""

from __future__ import annotations

import math
import re
from typing import Final
from xml.sax.saxutils import escape

_QUOTES: Final = {'"': "&quot;", "\n": " "}
_PLAIN: Final = re.compile(r"[ !#-%'-;=?-~]*")  # nothing to escape: nearly everything, and escaping takes long
# what XML 1.0 cannot hold, even escaped: a player's name may be anything
_FORBIDDEN: Final = {
    c: "\ufffd" for c in (*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF) if c not in (9, 10, 13)
}


def number(value: float) -> str:
    """A coordinate with at most two decimals, without trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def safe(text: str) -> str:
    """``text`` as XML content."""
    return text if _PLAIN.fullmatch(text) else escape(text.translate(_FORBIDDEN))


def el(tag: str, *content: str, **attributes: str | float | None) -> str:
    """One element.  ``content`` is SVG already; of an attribute's name a last ``_`` falls off, other ``_`` become
    ``-``; attributes that are None are left out."""
    words = []
    for name, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else number(value)
            if not _PLAIN.fullmatch(text):
                text = escape(text.translate(_FORBIDDEN), _QUOTES)
            words.append(f' {name.rstrip("_").replace("_", "-")}="{text}"')
    inside = "".join(content)
    return f"<{tag}{''.join(words)}>{inside}</{tag}>" if inside else f"<{tag}{''.join(words)}/>"


def text(x: float, y: float, words: str, size: float, fill: str, **attributes: str | float | None) -> str:
    """Words with their middle line at ``y``; ``text_anchor`` is ``middle`` unless given."""
    attributes.setdefault("text_anchor", "middle")
    return el("text", safe(words), x=x, y=y + size * 0.36, font_size=size, fill=fill, **attributes)


def at(x: float, y: float, *content: str, scale: float = 1.0, **attributes: str | float | None) -> str:
    """A group moved to ``(x, y)``."""
    grow = "" if scale == 1.0 else f" scale({number(scale)})"
    return el("g", *content, transform=f"translate({number(x)} {number(y)}){grow}", **attributes)


def path(d: str, fill: str, **attributes: str | float | None) -> str:
    return el("path", d=d, fill=fill, **attributes)


def box(x: float, y: float, width: float, height: float, fill: str, **attributes: str | float | None) -> str:
    return el("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def disc(x: float, y: float, r: float, fill: str, **attributes: str | float | None) -> str:
    return el("circle", cx=x, cy=y, r=r, fill=fill, **attributes)


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """A point at an angle that is 0 at the top and grows clockwise."""
    angle = math.radians(degrees)
    return radius * math.sin(angle), -radius * math.cos(angle)


def sector(inside: float, outside: float, begin: float, end: float) -> str:
    """Path data of a piece of a ring around the origin, from angle ``begin`` to ``end`` (see :func:`polar`)."""
    (a, b), (c, d) = polar(outside, begin), polar(outside, end)
    (e, f), (g, h) = polar(inside, end), polar(inside, begin)
    points = [number(float(value)) for value in (a, b, outside, outside, c, d, e, f, inside, inside, g, h)]
    return "M{} {}A{} {} 0 0 1 {} {}L{} {}A{} {} 0 0 0 {} {}Z".format(*points)


def shortened(words: str, width: float, size: float) -> str:
    """``words``, cut with an ellipsis where they would be wider than ``width`` at this font size (by an estimate)."""
    most = max(1, int(width / (0.58 * size)))
    return words if len(words) <= most else words[: most - 1] + "…"
