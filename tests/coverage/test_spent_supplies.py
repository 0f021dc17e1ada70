"""Positions in which something has run out: what is observed of it, and which snapshots of it are refused."""

from __future__ import annotations

import re

import pytest

from terracotta_env.army import GAME
from terracotta_env.errors import SetupError
from terracotta_env.position import Position
from terracotta_env.views import make_observation
from tests.rules.positions import at, filled, play, position, snapshot_of

_THREE_RIDERS = "0 officer a1 b1 c1, 0 officer a2 b2 c2, 0 officer a3 b3 c3, 0 guard e1, 0 soldier g1"


def channel(game: Position, name: str) -> float:
    """What seat 0 observes in a channel of a block that has one number for each."""
    block = next(entry for entry in GAME.observation if name in [channel[0] for channel in entry.channels])
    values = make_observation(GAME, "tensors", game.states, 0, game.mask())[block.name]
    return float(values[[channel[0] for channel in block.channels].index(name)])


@pytest.mark.parametrize(
    ("statues", "left", "next_one"),
    [
        (filled({0: 11}), "left_officer", "next_vp_officer"),  # the first eleven are officers
        (filled({0: 1}, specialists=12), "left_footman", "next_cost_footman"),
    ],
)
def test_an_empty_supply_shows_no_next_figure(statues: str, left: str, next_one: str) -> None:
    full, empty = position(), position(statues=statues)
    assert channel(full, left) == 1.0
    assert channel(full, next_one) > 0
    assert channel(empty, left) == 0.0
    assert channel(empty, next_one) == 0.0


def test_a_horse_is_not_built_without_a_figure() -> None:
    game = play(at(2, "outer", statues=_THREE_RIDERS, weapons={0: "sword"}, coins={0: 9}), "ring:perform")
    snapshot = game.snapshot()
    assert snapshot["pending"]["decision"] == "horse_rider"
    assert Position.from_snapshot(GAME, snapshot).key() == game.key()
    guard = next(statue for statue in snapshot["mausoleum"] if statue["kind"] == "guard")
    guard.update(mounted=True, spaces=["e1", "e2", "e3"])
    snapshot["specialists_left"]["horse"] = 0
    with pytest.raises(SetupError, match=re.escape("a Specialist of which a figure is left, got 'horse_rider'")):
        Position.from_snapshot(GAME, snapshot)


@pytest.mark.parametrize("decision", ["rotate", "place"])
def test_nothing_is_repeated_before_a_worker_is_placed(decision: str) -> None:
    snapshot = snapshot_of()
    snapshot["pending"] = {"decision": decision, "repeating": True}
    with pytest.raises(SetupError, match=r"pending\.repeating: expected false before a worker is placed, got True"):
        Position.from_snapshot(GAME, snapshot)
