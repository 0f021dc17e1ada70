"""Where every kind of statue stands in the observation, and what marks it."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.views import make_observation
from tests.rules.positions import at, play, position

STATUES = "0 officer a1, 1 guard c1 c2 c3, archer b1 w, footman e4, musician f6"


def marked(game: Position, name: str, seat: int = 0) -> set[str]:
    """Spaces that a channel of the Mausoleum marks for a seat."""
    block = next(entry for entry in GAME.observation if entry.name == "mausoleum")
    index = [channel[0] for channel in block.channels].index(name)
    plane = make_observation(GAME, "tensors", game.states, seat, game.mask())["mausoleum"][index]
    return {f"{'abcdefghi'[column]}{row + 1}" for row, column in np.argwhere(plane > 0)}


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("officer", {"a1"}),
        ("guard", {"c1", "c2", "c3"}),
        ("seat_0", {"a1"}),
        ("seat_1", {"c1", "c2", "c3"}),
        ("mounted", {"c1", "c2", "c3"}),
        ("horse_n", {"c1"}),
        ("horse_s", set()),
        ("archer", {"b1"}),
        ("footman", {"e4"}),
        ("musician", {"f6"}),
        ("soldier", set()),
    ],
)
def test_every_statue_is_marked_on_its_spaces(name: str, cells: set[str]) -> None:
    assert marked(position(statues=STATUES), name) == cells


def test_seats_are_counted_from_the_one_that_looks() -> None:
    game = position(statues=STATUES)
    assert marked(game, "seat_0", seat=1) == {"c1", "c2", "c3"}
    assert marked(game, "seat_1", seat=1) == {"a1"}


def test_a_priority_token_and_a_chosen_type_and_space_are_observed() -> None:
    before = position(3, priority={0: 1})
    without = position(3)
    assert (before.observe(0) != without.observe(0)).any()
    typed = play(at(1, wet={0: 2}, weapons={0: "halberd"}), "ring:perform", "warrior:guard")
    other = play(at(1, wet={0: 2}, weapons={0: "halberd"}), "ring:perform", "warrior:soldier")
    assert (typed.observe(0) != other.observe(0)).any()
    placed = play(typed, "cell:d4")
    assert marked(placed, "chosen") == {"d4"}
