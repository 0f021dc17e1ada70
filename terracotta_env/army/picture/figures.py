"""The pieces: owners' shapes, Warriors, riders, Specialists, workers, Inspectors.

Who owns a piece is told three times: by the shape of its ground (circle, square, shield, diamond), by its colour and by
the seat's number.  What it is, by its figure and by a letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..actions import WARRIOR_NAMES, WEAPON_NAMES
from . import icons
from .svg import at, box, disc, el, path, text

UNIT: Final = 78  # edge of the space that the numbers below fill; other sizes are scaled
LETTERS: Final = {"officer": "O", "guard": "G", "crossbowman": "C", "soldier": "S"}
WEAPON_OF: Final = dict(zip(WARRIOR_NAMES, WEAPON_NAMES, strict=True))
TURNS: Final = {"n": -90, "e": 0, "s": 90, "w": 180}
STEPS: Final = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}

_SHIELD: Final = ((-0.94, -0.94), (0.94, -0.94), (0.94, 0.25), (0, 1.16), (-0.94, 0.25))
_DIAMOND: Final = ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0))
# heads from -12 to 12: a wide cap, a helmet with a neck guard, a knot, a pointed hat
_HATS: Final = {
    "officer": "M-8-8.2H8L5-12H-5Z",
    "guard": "M-5.6-4V-7.4A5.6 5.6 0 0 1 5.6-7.4V-4H3.4V-7H-3.4V-4Z",
    "crossbowman": "M1.5-10A3 3 0 1 1 4.5-9Z",
    "soldier": "M-5.4-7.6 0-14.5 5.4-7.6Z",
}


def shape(seat: int, r: float, fill: str, line: str, width: float = 1.5) -> str:
    """The ground of a seat's pieces around the origin, about as large as a circle of radius ``r``."""
    style: dict[str, str | float | None] = {"stroke": line, "stroke_width": width, "stroke_linejoin": "round"}
    if seat == 0:
        return disc(0, 0, r, fill, **style)
    if seat == 1:
        return box(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r, fill, rx=0.16 * r, **style)
    points = _SHIELD if seat == 2 else _DIAMOND
    d = "M" + "L".join(f"{x * r:.2f} {y * r:.2f}" for x, y in points) + "Z"
    return path(d, fill, **style)


def seat_mark(colour: Mapping[str, str], seat: int, r: float) -> str:
    """A seat's shape with its number."""
    ground = shape(seat, r, colour[f"seat{seat}"], colour["ink"], max(1.0, r / 12))
    return ground + text(0, 0, str(seat), 1.15 * r, colour[f"on_seat{seat}"], font_weight="bold")


def warrior_glyph(kind: str, ink: str) -> str:
    """The figure with its weapon, in a box from -18 to 18."""
    body = at(-6, 2.5, icons.person(ink), path(_HATS[kind], ink), scale=1.12)
    return body + at(10, 0, icons.weapon(WEAPON_OF[kind], ink), scale=1.25 if kind != "crossbowman" else 0.95)


def warrior(colour: Mapping[str, str], kind: str, seat: int, size: float) -> str:
    """A Warrior that fills a space of edge ``size`` around the origin."""
    on = colour[f"on_seat{seat}"]
    radius, grow, up = {2: (33, 1.41, 7), 3: (31, 1.26, 3)}.get(seat, (33, 1.5, 3))  # what the shape leaves room for
    badges = [
        disc(x, 28, 9.5, colour["panel"], stroke=colour[f"seat{seat}"], stroke_width=2)
        + text(x, 28, word, 13, colour["ink"], font_weight="bold")
        for x, word in ((28, str(seat)), (-28, LETTERS[kind]))
    ]
    return at(
        0,
        0,
        shape(seat, radius, colour[f"seat{seat}"], colour["ink"]),
        at(0, -up, warrior_glyph(kind, on), scale=grow),
        *badges,
        scale=size / UNIT,
    )


def horse(colour: Mapping[str, str], seat: int, direction: str, size: float) -> str:
    """The Horse under a rider, from the rider's space at the origin over the next two in a direction."""
    dx, dy = STEPS[direction]
    x, y = min(0, 2 * dx) * size - 0.40 * size, min(0, 2 * dy) * size - 0.40 * size
    width, height = (abs(2 * dx) + 0.80) * size, (abs(2 * dy) + 0.80) * size
    fill = colour[f"seat{seat}"]
    body = box(x, y, width, height, colour["panel"], rx=0.36 * size, stroke=colour["ink"], stroke_width=1.5)
    band = box(x + 4, y + 4, width - 8, height - 8, "none", rx=0.32 * size, stroke=fill, stroke_width=5)
    arrow = path("M-8-7 8 0-8 7Z", fill, transform=f"rotate({TURNS[direction]})")
    looks = el("g", icons.specialist("horse", fill), transform="scale(-1 1)" if direction == "e" else None)
    return (
        body
        + band
        + at(dx * size, dy * size, arrow, scale=size / 60)
        + at(2 * dx * size, 2 * dy * size, looks, scale=size / 36)
    )


def specialist(colour: Mapping[str, str], kind: str, size: float, facing: str | None = None) -> str:
    """A Specialist, whom nobody owns: on stone, eight-sided; an Archer is turned to where he faces."""
    stone: dict[str, str | float | None] = {"fill": colour["stone"], "stroke": colour["ink"], "stroke_width": 1.5}
    ground = el("path", d="M-14-33H14L33-14V14L14 33H-14L-33 14V-14Z", **stone)
    glyph = at(0, 0, icons.specialist(kind, colour["on_stone"]), scale=1.75)
    if facing is not None:
        beak = el("path", d="M29-10 42 0 29 10Z", **stone)
        glyph = el("g", glyph, beak, transform=f"rotate({TURNS[facing]})")
    return at(0, 0, ground, glyph, scale=size / UNIT)


_STAR: Final = "M0-10 2.9-3.4 10-2.9 4.6 1.8 6.3 8.9 0 5.1-6.3 8.9-4.6 1.8-10-2.9-2.9-3.4Z"


def worker(colour: Mapping[str, str], kind: str, seat: int, r: float) -> str:
    """A Craftsman carries his owner's number, an Artisan a star above it and a second outline."""
    fill, on = colour[f"seat{seat}"], colour[f"on_seat{seat}"]
    if kind == "craftsman":
        return shape(seat, r, fill, colour["ink"]) + text(0, 0, str(seat), r, on, font_weight="bold")
    return (
        shape(seat, 1.18 * r, colour["panel"], colour["ink"])
        + shape(seat, r * 0.96, fill, colour["ink"], 1)
        + at(0, -0.34 * r, path(_STAR, on), scale=r / 24)
        + text(0, 0.42 * r, str(seat), 0.8 * r, on, font_weight="bold")
    )


def inspector(colour: Mapping[str, str], size: float) -> str:
    """An Inspector's pawn."""
    return disc(0, 0, 0.5 * size, colour["ink"]) + at(0, 0, icons.master("inspector", colour["panel"]), scale=size / 36)
