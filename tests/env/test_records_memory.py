"""Copying records by their bytes: equal, writable, independent, aligned."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.game import Game, copy_states, whole
from tests.toy import GAME as TOY

GAMES = pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])


@GAMES
def test_copies_are_equal_writable_and_independent(game: Game) -> None:
    states = game.make_states(3)
    states.view(np.uint8)[:] = np.arange(3 * game.dtype.itemsize) % 251
    copied = copy_states(states)
    assert copied.dtype == states.dtype
    assert copied.shape == (3,)
    assert copied.tobytes() == states.tobytes()
    assert copied.flags.writeable
    assert copied.flags.aligned
    before = states.tobytes()
    copied["players"] = 99
    assert states.tobytes() == before


@GAMES
def test_rows_are_assigned_whole_in_the_same_memory(game: Game) -> None:
    states, last = game.make_states(4), game.make_states(4)
    states.view(np.uint8)[:] = 7
    untouched = last[0].tobytes()
    whole(last)[[1, 3]] = whole(states)[[1, 3]]
    assert [record.tobytes() for record in last] == [untouched, states[1].tobytes(), untouched, states[3].tobytes()]
