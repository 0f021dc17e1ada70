"""Positions to draw and SVG to look into, for the tests of pictures."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from xml.etree import ElementTree

from terracotta_env.army import GAME
from terracotta_env.position import Position

NS = "{http://www.w3.org/2000/svg}"
Element = ElementTree.Element


def parse(image: str) -> Element:
    """The root of an SVG document; anything that is not well formed is an error."""
    return ElementTree.fromstring(image)


def of_class(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if element.get("class") == name]


def walk(players: int, seed: int, board: str = "reconstructed", lavish: bool = True) -> Iterator[Position]:
    """Every position of one random game, the same object moving on.

    A lavish walk seldom takes clay, a coin or nothing instead of an action: more Statues stand at its end.
    """
    rng = random.Random(seed)
    position = Position.from_seed(GAME, players, seed, board)
    while not position.over:
        yield position
        legal = position.legal()
        if lavish and rng.random() < 0.9:
            legal = [token for token in legal if token not in ("ring:clay", "ring:coin", "ring:nothing")] or legal
        position.play(rng.choice(legal))
    yield position


@cache
def sample(every: int = 57) -> tuple[Position, ...]:
    """Positions from all boards and numbers of players: some of each game, its begin and its end among them."""
    found = []
    for board in GAME.notation.board_names():
        for players in GAME.players:
            positions = [position.clone() for position in walk(players, 100 * players + len(board), board)]
            found += [*positions[::every], positions[-1]]
    return tuple(found)


def first(players: int, seed: int, wanted: Callable[[Position], bool]) -> Position:
    """The first position of a kind in random games from ``seed`` on."""
    for number in range(seed, seed + 200):
        for position in walk(players, number):
            if wanted(position):
                return position.clone()
    raise AssertionError("no such position in 200 games")


def deciding(decision: str, players: int = 3) -> Position:
    """A position in which this is decided."""
    return first(players, 0, lambda position: (position.snapshot()["pending"] or {}).get("decision") == decision)
