"""What the parts of the picture are drawn from: the position, the colours, and which places are marked.

A place is a word: ``e4`` for a space of the Mausoleum, ``4`` for a segment, else the decision's own token
(``rotate:inner``, ``inspector:row+1``, ``warrior:guard`` ...).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final, SupportsFloat

from ..actions import ID_OF_TOKEN
from ..geometry import CELL_OF_NAME
from ..state import SEGMENTS
from .svg import el

_SEGMENTS: Final = tuple(str(number + 1) for number in range(SEGMENTS))


def place_of(token: str) -> str:
    """``cell:e4`` -> ``e4``, ``place:artisan:4`` -> ``4``; other tokens and places are themselves.

    Raises:
        ValueError: neither a token nor a place.
    """
    if token in CELL_OF_NAME or token in _SEGMENTS:
        return token
    if token not in ID_OF_TOKEN:
        raise ValueError(
            f"{token!r} is neither a token of a decision nor a place: expected e.g. 'cell:e4', 'place:craftsman:4', "
            "'e4' or '4'"
        )
    if token.startswith(("cell:", "place:")):
        return token.rpartition(":")[2]
    return token


def heat_of(given: Mapping[str, float]) -> dict[str, float]:
    """Heat by place; of several tokens that mean one place the greatest counts.

    Raises:
        ValueError: an unknown word, or a value outside 0..1.
    """
    found: dict[str, float] = {}
    for token, value in given.items():
        place = place_of(token)
        if not isinstance(value, SupportsFloat) or not 0.0 <= float(value) <= 1.0:
            raise ValueError(f"heat of {token!r}: expected a number in 0..1, got {value!r}")
        found[place] = max(float(value), found.get(place, 0.0))
    return found


@dataclass(frozen=True)
class View:
    """One picture's material.

    Attributes:
        s: the record's fields as plain numbers and lists, see :func:`terracotta_env.army.snapshot.plain`.
        snapshot: the position as JSON.
        colour: colour by name, see ``colours.py``.
        legal: tokens that may be chosen.
        heat: 0..1 by place.
        last: places of the last move.
        names: the players by seat; empty where they are not known.
        perspective: the seat that looks at the picture, shown first and called "you"; None for nobody's.
    """

    s: SimpleNamespace
    snapshot: Mapping[str, Any]
    colour: Mapping[str, str]
    legal: frozenset[str] = frozenset()
    heat: Mapping[str, float] = field(default_factory=dict)
    last: frozenset[str] = frozenset()
    names: Sequence[str] = ()
    perspective: int | None = None

    @property
    def pending(self) -> Mapping[str, Any]:
        """What is being decided; empty when the game is over."""
        return self.snapshot["pending"] or {}

    def name(self, seat: int) -> str:
        """What a seat is called: ``seat 1``, its player's name beside it where it is known."""
        you = " (you)" if seat == self.perspective else ""
        return f"seat {seat}: {self.names[seat]}{you}" if self.names else f"seat {seat}{you}"

    def choice(self, token: str, label: str, *shape: str, focus: bool = True) -> str:
        """``shape`` as something that may be chosen; nothing where the token is not legal.

        ``focus`` is False for a second, larger place to click that stands for the same token.
        """
        if token not in self.legal:
            return ""
        if not focus:
            return el("g", *shape, class_="ta-area", data_token=token, aria_hidden="true")
        return el(
            "g",
            el("title", label),
            *shape,
            class_="ta-choice",
            data_token=token,
            role="button",
            tabindex="0",
            aria_label=label,
        )


def places(tokens: Iterable[str]) -> frozenset[str]:
    return frozenset(place_of(token) for token in tokens)
