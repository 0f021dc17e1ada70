"""What a game must provide to be shown in the browser, beside its rules: words and a picture.  Knows no game.

The server and the page show what this gives them; which game it is, only the one module that implements it knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from terracotta_env.position import Position


@dataclass(frozen=True)
class Choice:
    """A legal decision in words.

    Attributes:
        token: what records call it.
        words: what it does, in one line.
        short: the same in a word or two, for a button or a table.
    """

    token: str
    words: str
    short: str


@dataclass(frozen=True)
class Help:
    """Rules in own words: a title and paragraphs."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Fact:
    """A number or word of each seat, or what scoring would add: a row of the players' table."""

    title: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """What a picture shows beside the position.

    Attributes:
        layout: ``wide`` or ``tall``.
        legal: mark what can be chosen, each with the attribute ``data-token``.
        heat: share of each token, 0..1, drawn on its place; empty for none.
        last: the decisions that led here, to be marked.
        names: of the players by seat.
        own: the seat that looks at it; None for nobody in particular.
    """

    layout: str = "wide"
    legal: bool = False
    heat: Mapping[str, float] | None = None
    last: Sequence[str] = ()
    names: Sequence[str] = ()
    own: int | None = None


class Teller(Protocol):
    """Tells decisions as they are made, a line for each turn."""

    def add(self, position: Position, token: str) -> None:
        """A decision that is about to be made in ``position``."""

    def finished(self) -> list[str]:
        """The lines of the turns that ended since the last call."""

    def lines(self) -> list[str]:
        """The same, a turn that goes on included."""


class Speech(Protocol):
    """A game in words and pictures.  Positions given are never changed."""

    rules: Sequence[Help]  # the whole game for those who never saw it, chapter by chapter
    sources: Mapping[str, str]  # the game's sources of points and what they are called
    style: str  # the style sheet of pictures: the page allows none inside them

    def names(self, agents: Sequence[str]) -> list[str]:
        """How the players are called, by seat."""

    def question(self, position: Position) -> str:
        """What is asked, in one line."""

    def help(self, position: Position) -> Help:
        """The rules of this kind of decision."""

    def choices(self, position: Position, own: int | None) -> list[Choice]:
        """All legal decisions, in the order of their ids; ``own`` is the seat that is called *you*."""

    def words(self, position: Position, token: str, own: int | None) -> str:
        """One legal decision in one line."""

    def explain(self, position: Position, token: str, own: int | None) -> list[str]:
        """What a legal decision changes."""

    def teller(self, own: int | None, names: Sequence[str]) -> Teller:
        """Tells what happens; ``own`` is the seat that is called *you*."""

    def facts(self, position: Position) -> list[Fact]:
        """What the seats have, and what scoring at once would add."""

    def state(self, position: Position) -> str:
        """Where the game stands, in one line."""

    def describe(self, position: Position) -> str:
        """The whole board in sentences, for those who do not see the picture."""

    def picture(self, position: Position, look: Look) -> str:
        """The position as an SVG element whose colours are those of :attr:`style`."""
