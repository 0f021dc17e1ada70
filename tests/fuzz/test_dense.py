"""Dense positions: valid for both readers, drawn from the given generator alone, and rich in rare events."""

from __future__ import annotations

import itertools
import json
import random
from random import Random

import pytest

from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.agents.games import BOARDS, printed
from tests.fuzz.coverage import count, main
from tests.fuzz.dense import draw_dense
from tests.reference import Game

# in how many of 600 positions at least
RARE = {
    "mausoleum: 0 empty spaces": 20,
    "mausoleum: 1 empty spaces": 20,
    "mausoleum: 6 empty spaces": 5,
    "organizer: 1 types exhausted": 20,
    "organizer: 4 types exhausted": 20,
    "specialists: all sixteen placed": 20,
    "bases: 1 seats out": 20,
    "bases: 2 seats out": 20,
    "archer: 2 on one warrior": 20,
    "archer: 3 on one warrior": 2,
    "archer: faces a specialist": 3,
    "archer: faces an empty space": 3,
    "archer: faces space 2 of a rider": 20,
    "archer: faces space 3 of a rider": 20,
    "row tie of 2: broken, archers back one": 10,
    "row tie of 2: stands without archers": 10,
    "row tie of 2: stands, archers even": 1,
    "column tie of 3: broken, archers back one": 5,
    "column tie of 3: stands without archers": 5,
    "tile tie of 3: broken, archers back one": 5,
    "tile tie of 4: broken, archers back one": 1,
    "column tie of 4: stands without archers": 1,
    "footman tie of 2: broken, archers back one": 10,
    "group tie of 2: broken, archers back one": 20,
    "group tie of 3: broken, archers back one": 5,
    "tile no tie: most archers for another seat": 10,
    "row tie: archers of a seat that is not tied": 1,
    "group: 4 owners": 10,
    "group: held together only by archers": 20,
    "group: held together only by riders": 20,
    "group: one warrior and its archers": 20,
    "to move: a horse, warriors, but no room": 20,
    "to move: warriors, none of which could move": 20,
    "to move: an archer, but no space for it": 3,
    "to move: owns all masters": 20,
    "one worker left in round 1": 5,
    "one worker left in round 5": 40,
    "priority: 3 held": 10,
    "wheel: an artisan beside a craftsman": 50,
    "play: reached the end of the game": 100,
    "play: forced guard_warrior (decline)": 1,
    "play: forced horse_direction (one)": 2,
    "play: 3 forced decisions in a row": 5,
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", GAME.players)
def test_dense_positions_are_valid_and_read_alike(players: int, board: str) -> None:
    rng = Random(players)
    for _ in range(10):
        snapshot = draw_dense(rng, players, board)
        assert (len(snapshot["players"]), snapshot["board"]) == (players, board)
        again = Position.from_snapshot(GAME, json.loads(json.dumps(snapshot))).snapshot()
        second = Game.from_snapshot(printed(board), snapshot).snapshot()
        if "rotate:middle" in Game.from_snapshot(printed(board), snapshot).legal():  # else forced decisions are done
            assert {**again, "pending": None} == {**snapshot, "pending": None} == {**second, "pending": None}


def test_the_given_generator_alone_decides() -> None:
    random.seed(5)
    state = random.getstate()
    first = [draw_dense(Random(seed)) for seed in range(20)]
    random.seed(6)
    assert [draw_dense(Random(seed)) for seed in range(20)] == first
    assert all(a != b for a, b in itertools.pairwise(first))
    random.seed(5)
    assert random.getstate() == state


def test_rare_events_are_frequent() -> None:
    found = count(600, seed=1)
    assert {name: found[name] for name, least in RARE.items() if found[name] < least} == {}


def test_coverage_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--positions", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("of 20 positions")
    assert any("owners" in line for line in lines)
