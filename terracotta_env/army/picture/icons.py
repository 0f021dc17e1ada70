"""Small drawings: weapons, Action spaces, Masters, Specialists, Scoring tiles.  All our own.

Each fits a box from -12 to 12 in both directions and is drawn with ``ink``, the colour of its strokes and solid parts.
"""

from __future__ import annotations

from typing import Final

from .svg import box, disc, el, path

WEAPON_PATHS: Final = {
    "sword": "M0-12 2.3-8.5V3H6V5.4H1.4V9A2.2 2.2 0 1 1-1.4 9V5.4H-6V3H-2.3V-8.5Z",
    "halberd": "M-1.1-8.6 0-12 1.1-8.6V-7.4L6.4-9.4C7.8-6.6 7.8-3.4 6.4-.8L1.1-2.6V12H-1.1V-3.2L-5-4.9-1.1-6.6Z",
    "crossbow": "M-1.5-10H1.5V-7.6C6.5-7 9.6-4.2 11.4 0L10.2 1 1.5-1.2V11.5H-1.5V-1.2L-10.2 1-11.4 0"
    "C-9.6-4.2-6.5-7-1.5-7.6ZM1.5-5.2V-3.2L7.4-1.6C5.8-3.7 4-4.8 1.5-5.2ZM-1.5-5.2C-4-4.8-5.8-3.7-7.4-1.6L-1.5-3.2Z",
    "spear": "M0-12 3.6-6.4 1.1-2V12H-1.1V-2L-3.6-6.4Z",
}
_PERSON: Final = "M0-11A4.2 4.2 0 1 1-.01-11ZM-7 11-5.4 1Q-4.6-1.6 0-1.6T5.4 1L7 11Z"
_MASTER_PATHS: Final = {
    # a hammer, a turning arrow, a magnifying glass, a pot, a stack with an arrow out of it, an anvil
    "builder": "M-9-9H5L9-5V-2H3V-4H1V11H-3V-4H-9Z",
    "administrator": "M0-10A10 10 0 1 1-9.7-2.4L-6.3-1.5A6.5 6.5 0 1 0 0-6.5V-3L-6.5-8.2 0-13Z",
    "inspector": "M-3-10A7.5 7.5 0 0 1 3.2 1.6L10.5 8.8 8.4 11 1.2 3.7A7.5 7.5 0 1 1-3-10ZM-3-7A4.5 4.5 0 1 0-2.99-7Z",
    "clay_maker": "M-4-11H4V-8.6H2.6C9-4 10-1 8 4 6.8 7.4 5 9.4 4.4 11H-4.4C-5 9.4-6.8 7.4-8 4-10-1-9-4-2.6-8.6H-4Z",
    "supervisor": "M-11 5H-1V11H-11ZM1 5H11V11H1ZM-5-2H5V4H-5ZM-1.4-3.5V-7H-4.5L0-12 4.5-7H1.4V-3.5Z",
    "blacksmith": "M-11-7H11V-3C7-3 4.4-1 4 2.4L8 7V10H-8V7L-4 2.4C-4.6-.4-8.4-1.4-11-4Z",
}
_SPECIALIST_PATHS: Final = {
    "horse": "M-7 12C-7 5-4.5 2.5-1.5-.5-4-.2-6.6 1.4-8.6 3.2L-11 .4C-9-3.8-6-7.4-2-8.6L-1-12 2-9C8.6-7 10.4 1 9.6 12Z",
    "footman": "M0-12 9-9V-1C9 5 5 9.4 0 12-5 9.4-9 5-9-1V-9ZM-1.2-8V-1.2H-6V1.2H-1.2V8H1.2V1.2H6V-1.2H1.2V-8Z",
    "archer": "M-1-11.4C6-9 9.4-4.6 9.4 0S6 9 -1 11.4L-1.6 9.2C3.4 6.6 6-3.4-1.6-9.2Z",
    "musician": "M-3-10 10-12V5.6A4 3.4 0 1 1 7.6 2.4V-6.4L-.6-5V8.6A4 3.4 0 1 1-3 5.4Z",
}
_DROP: Final = "M0-11C4-5 7-2 7 3.4A7 7 0 1 1-7 3.4C-7-2-4-5 0-11Z"
_BRICK: Final = "M-8.6-5.4H8.6L10.6 6.6H-10.6Z"


def weapon(name: str, ink: str, active: bool = True) -> str:
    """An inactive Weapon is an outline."""
    if active:
        return path(WEAPON_PATHS[name], ink, fill_rule="evenodd")
    return path(WEAPON_PATHS[name], "none", stroke=ink, stroke_width=1)


def person(ink: str) -> str:
    return path(_PERSON, ink)


def master(name: str, ink: str) -> str:
    return path(_MASTER_PATHS[name], ink, fill_rule="evenodd")


def specialist(name: str, ink: str) -> str:
    """The Archer is turned east; his arrow is part of the drawing."""
    body = path(_SPECIALIST_PATHS[name], ink, fill_rule="evenodd")
    if name == "archer":
        body = el("g", body, path("M-10-1H7V-4L12 0 7 4V1H-10Z", ink))
    return body


def coin(fill: str, ink: str) -> str:
    return disc(0, 0, 11, fill, stroke=ink, stroke_width=1.4)


def clay(fill: str, ink: str, wet: bool) -> str:
    """A brick; wet clay carries a drop's highlight, dry clay two cracks."""
    marks = (
        "" if wet else path("M-7.6-1.6-5.6 1.4-7.4 4.4M8.4 -.6 6.4 1.6 7.8 4.6", "none", stroke=ink, stroke_width=0.9)
    )
    return path(_BRICK, fill, stroke=ink, stroke_width=1.2, stroke_linejoin="round") + marks


def drop(fill: str) -> str:
    return path(_DROP, fill)


def upgrade(ink: str) -> str:
    """A person and an arrow upwards."""
    return el("g", person(ink), transform="translate(-4 0) scale(.86)") + path("M7-11 12-4H9V10H5V-4H2Z", ink)


def flag(fill: str, ink: str) -> str:
    return path("M-8-11V12H-5.6V3H10L6-4 10-11Z", fill, stroke=ink, stroke_width=1, stroke_linejoin="round")


def tile(name: str, ink: str, soft: str) -> str:
    """The ground plan of the Mausoleum with what the Scoring tile counts; types and resources have their own sign."""
    parts = {
        "row": (-11, -2.2, 22, 4.4),
        "column": (-2.2, -9, 4.4, 18),
        "nw": (-11, -9, 9, 7),
        "ne": (2, -9, 9, 7),
        "sw": (-11, 2, 9, 7),
        "se": (2, 2, 9, 7),
    }
    frame = box(-11, -9, 22, 18, soft, stroke=ink, stroke_width=1.2)
    cross = path("M-2.2-9V9M2.2-9V9M-11-2.2H11M-11 2.2H11", "none", stroke=ink, stroke_width=0.5)
    return frame + cross + box(*parts[name], ink)
