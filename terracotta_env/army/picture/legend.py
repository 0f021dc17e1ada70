"""How to read the picture: who owns what, which figure is which, what the marks mean."""

from __future__ import annotations

from typing import Final

from ..actions import WARRIOR_NAMES
from . import figures, words
from .supplies import ORGANIZER_HEIGHT
from .svg import at, box, disc, el, text
from .view import View

HEIGHT: Final = ORGANIZER_HEIGHT


def draw(view: View, width: float) -> str:
    """A box ``width`` (at least 560) x ``HEIGHT``."""
    colour = view.colour
    parts = [
        box(0, 0, width, HEIGHT, colour["panel"], rx=8, stroke=colour["line"], stroke_width=1.2),
        text(14, 20, "How to read it", 16, colour["ink"], text_anchor="start", font_weight="bold"),
    ]

    def said(x: float, y: float, label: str) -> str:
        return text(x, y, label, 14, colour["ink"], text_anchor="start")

    seats = len(view.snapshot["players"])
    step = (width - 20) / 4
    for kind, name in enumerate(WARRIOR_NAMES):
        x = 8 + step * kind
        parts.append(at(x + 26, 64, figures.warrior(colour, name, kind % seats, 54)))
        parts.append(text(x + 55, 56, words.title(name), 13, colour["ink"], text_anchor="start"))
        parts.append(text(x + 55, 73, f"of seat {kind % seats}", 13, colour["ink"], text_anchor="start"))
    y = 122
    parts.append(at(40, y, figures.worker(colour, "craftsman", 0, 15)))
    parts.append(said(66, y, "Craftsman: an Artisan may join"))
    parts.append(at(14 + 2 * step + 40, y, figures.worker(colour, "artisan", 0, 15)))
    parts.append(said(14 + 2 * step + 68, y, "Artisan: closes its segment"))
    y = 158
    parts.append(at(40, y, figures.specialist(colour, "archer", 38, "e")))
    parts.append(said(66, y, "Kneeling Archer, facing east"))
    parts.append(at(14 + 2 * step + 40, y, figures.inspector(colour, 30)))
    parts.append(said(14 + 2 * step + 68, y, "Inspector; arrows lead forward"))
    y = 191
    parts.append(box(26, y - 11, 28, 22, "none", rx=5, stroke=colour["last"], stroke_width=3, stroke_dasharray="7 4"))
    parts.append(said(66, y, "last move"))
    parts.append(
        box(166, y - 11, 28, 22, colour["choice"], fill_opacity=0.08, rx=5, stroke=colour["choice"], stroke_width=3)
        + disc(180, y, 4, colour["choice"])
    )
    parts.append(said(206, y, "may be chosen"))
    parts.append(at(14 + 2 * step + 40, y, figures.seat_mark(colour, view.snapshot["turn_order"][0], 11)))
    parts.append(said(14 + 2 * step + 68, y, "shape, colour, number: the seat"))
    return el("g", *parts, class_="ta-legend")
