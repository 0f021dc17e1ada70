"""The printed data of a board and the names of the game's components."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WARRIORS = ("officer", "guard", "crossbowman", "soldier")
SPECIALISTS = ("horse", "footman", "archer", "musician")
WEAPONS = ("sword", "halberd", "crossbow", "spear")
WEAPON_OF = dict(zip(WARRIORS, WEAPONS, strict=True))

COIN_MASTERS = ("builder", "administrator", "inspector")
CLAY_MASTERS = ("clay_maker", "supervisor", "blacksmith")
MASTERS = COIN_MASTERS + CLAY_MASTERS

QUARTERS = ("nw", "ne", "sw", "se")
TILES = ("row", "column", *WARRIORS, *QUARTERS, "coins", "clay")

RINGS = ("inner", "middle", "outer")
SEGMENTS = range(1, 13)
ROUNDS = 5

# Which words may stand on which ring (R2); None means "a positive number".
_NUMBER = None
_RING_WORDS: dict[str, dict[str, Sequence[str] | None]] = {
    "inner": {
        "coins": _NUMBER,
        "clay": _NUMBER,
        "warrior": _NUMBER,
        "soak": (),
        "upgrade": (),
    },
    "middle": {
        "coins": _NUMBER,
        "clay": _NUMBER,
        "priority": (),
        "master": MASTERS,
    },
    "outer": {"ready": WEAPONS, "specialist": SPECIALISTS},
}


@dataclass(frozen=True)
class Board:
    """What is printed on the components, checked."""

    name: str
    rings: dict[str, list[str]]
    figures_per_type: int
    organizer_vp: list[int]
    bases: int
    specialist_figures: int
    specialist_cost: list[int]
    specialist_weapon: dict[str, str]
    token_prices: list[int]
    tile_domination: list[int]
    tile_presence: list[int]
    priority_clay: list[int]
    row_start: int
    column_start: str


def check_action(ring: str, word: object) -> None:
    """Refuse a word that cannot stand on this ring (R2)."""
    if isinstance(word, str):
        kind, _, detail = word.partition(":")
        if kind in _RING_WORDS[ring]:
            allowed = _RING_WORDS[ring][kind]
            if allowed is _NUMBER:
                if detail.isdecimal() and int(detail) > 0:
                    return
            elif detail in allowed or (not allowed and word == kind):
                return
    raise ValueError(f"{ring} ring: {word!r} cannot lie there")


def check_rings(rings: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Three lists of twelve words each, every word on a ring it may lie on (R2)."""
    checked = {}
    for ring in RINGS:
        words = list(rings[ring])
        if len(words) != len(SEGMENTS):
            raise ValueError(f"{ring} ring: {len(words)} entries instead of 12")
        for word in words:
            check_action(ring, word)
        checked[ring] = words
    return checked


def _numbers(name: str, values: Sequence[int], length: int) -> list[int]:
    if len(values) != length or not all(type(v) is int and v >= 0 for v in values):
        raise ValueError(f"{name}: {length} numbers expected, not {values!r}")
    return list(values)


def read_board(data: Mapping[str, Any]) -> Board:
    """Turn the parsed board file into a Board, refusing what does not fit."""
    mausoleum = data["mausoleum"]
    if (mausoleum["columns"], mausoleum["rows"]) != (9, 7):
        raise ValueError("mausoleum: only 9 columns and 7 rows are known (R1)")
    warriors, specialists = data["warriors"], data["specialists"]
    scoring, inspectors = data["scoring"], data["inspectors"]
    weapons = dict(specialists["weapon"])
    if set(weapons) != set(SPECIALISTS) or not set(weapons.values()) <= set(WEAPONS):
        raise ValueError(f"specialists.weapon: {weapons!r}")
    if inspectors["row_start"] not in range(1, 8):
        raise ValueError(f"inspectors.row_start: {inspectors['row_start']!r}")
    if inspectors["column_start"] not in list("abcdefghi"):
        raise ValueError(f"inspectors.column_start: {inspectors['column_start']!r}")
    figures = warriors["figures_per_type"]
    specialist_figures = specialists["figures_per_type"]
    return Board(
        name=data["name"],
        rings=check_rings(data["wheel"]),
        figures_per_type=figures,
        organizer_vp=_numbers("organizer_vp", warriors["organizer_vp"], figures),
        bases=warriors["bases_per_player"],
        specialist_figures=specialist_figures,
        specialist_cost=_numbers("cost", specialists["cost"], specialist_figures),
        specialist_weapon=weapons,
        token_prices=_numbers("token_prices", data["masters"]["token_prices"], 6),
        tile_domination=_numbers("tile_domination", scoring["tile_domination"], ROUNDS),
        tile_presence=_numbers("tile_presence", scoring["tile_presence"], ROUNDS),
        priority_clay=_numbers("priority_clay", scoring["priority_clay"], 3),
        row_start=inspectors["row_start"],
        column_start=inspectors["column_start"],
    )
