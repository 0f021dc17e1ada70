"""The forfeit rule: the offender is last, the others keep their order by points at that moment, ties by turn order."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from terracotta_agents.forfeit import BotFault, forfeit_ranking, forfeit_record, forfeit_result
from terracotta_env.army import GAME as ARMY
from terracotta_env.game import Game
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from tests.toy import GAME as ORCHARD

ROOT = Path(__file__).resolve().parents[3]


def midway(game: Game, players: int, seed: int, decisions: int) -> Position:
    """A position after some random decisions."""
    position, bot = Position.from_seed(game, players, seed), Uniform()
    bot.begin(seed)
    for _ in range(decisions):
        position.play(bot.act(position, position.mask()))
    return position


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_every_seat_is_ranked_once_the_offender_last_the_others_by_points(players: int, seed: int) -> None:
    position = midway(ARMY, players, seed, 40 * seed)
    for offender in range(players):
        ranking = forfeit_ranking(position, offender)
        assert sorted(ranking) == list(range(players))
        assert ranking[-1] == offender
        points = [position.points()[seat] for seat in ranking[:-1]]
        assert points == sorted(points, reverse=True)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_ties_are_settled_by_the_turn_order(order: tuple[int, ...]) -> None:
    position = Position.from_seed(ARMY, 3, 5)
    setup = {**ARMY.notation.setup_of(position.states), "turn_order": list(order)}
    position = Position.from_setup(ARMY, 3, setup)
    assert position.points() == [0, 0, 0]
    assert position.game.notation.turn_order(position.states) == list(order)
    for offender in range(3):
        assert forfeit_ranking(position, offender) == [seat for seat in order if seat != offender] + [offender]


def test_the_turn_order_of_that_moment_counts() -> None:
    for seed in range(20):
        position = midway(ARMY, 4, seed, 100)
        order = position.game.notation.turn_order(position.states)
        assert order == position.snapshot()["turn_order"]


@pytest.mark.parametrize("players", [2, 3])
def test_the_rule_holds_for_other_games(players: int) -> None:
    position = midway(ORCHARD, players, 3, 4)
    ranking = forfeit_ranking(position, 0)
    assert ranking[-1] == 0
    assert sorted(ranking) == list(range(players))


@pytest.mark.parametrize("offender", [-1, 2, 99])
def test_offenders_are_seats(offender: int) -> None:
    with pytest.raises(ValueError, match=r"expected a seat 0\.\.1"):
        forfeit_ranking(Position.from_seed(ORCHARD, 2, 1), offender)


def test_result_and_record_hold_reason_points_and_ranking() -> None:
    position = midway(ORCHARD, 2, 3, 4)
    fault = BotFault("flood", "too much", "noisy", 1, "last words")
    result = forfeit_result(position, fault)
    assert result == {
        "vp": position.points(),
        "ranking": [0, 1],
        "forfeit": {"seat": 1, "reason": "flood", "message": "too much"},
    }
    fault.record = {"format": "orchard-record", "version": 1, "decisions": ["tree:1"], "meta": {"game": 7}}
    record = forfeit_record(position, fault)
    assert record["format"] == "orchard-forfeit"
    assert record["decisions"] == ["tree:1"]
    assert record["forfeit"]["stderr"] == "last words"
    assert record["meta"] == {"game": 7}


def test_a_fault_without_a_seat_is_that_of_the_seat_to_act() -> None:
    position = midway(ORCHARD, 2, 3, 4)
    assert forfeit_result(position, BotFault("crash", "gone"))["forfeit"]["seat"] == position.to_act


def test_points_in_a_forfeit_are_plain_numbers() -> None:
    result = forfeit_result(midway(ORCHARD, 2, 3, 4), BotFault("crash", "gone", seat=0))
    assert not any(isinstance(value, np.generic) for value in [*result["vp"], *result["ranking"]])


def test_the_module_is_light() -> None:
    """Whoever plays games can know what a fault is without what runs programs, and without the compiler."""
    heavy = ("numba", "numpy", "terracotta_agents.protocol")
    code = f"import sys, terracotta_agents.forfeit; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"
