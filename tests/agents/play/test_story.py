"""The story: turns in one line, forced decisions and the ends of rounds told too."""

from __future__ import annotations

import pytest

from terracotta_agents.play.story import Story, steps
from terracotta_agents.play.things import Who
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.record import positions_of
from tests.agents.games import recorded
from tests.rules.positions import at, position


def told(start: Position, *tokens: str, own: int | None = None) -> list[str]:
    story = Story(Who(own))
    now = start.clone()
    for token in tokens:
        story.add(now, token)
        now.play(token)
    return story.lines()


@pytest.mark.parametrize("players", GAME.players)
def test_single_steps_lead_where_the_decision_leads_and_every_turn_is_told(players: int) -> None:
    record, final = recorded(players, ("busy",))
    story, turns = Story(Who()), 0
    for index, now in positions_of(GAME, record):
        if index == len(record["decisions"]):
            break
        token = record["decisions"][index]
        *_, (_, _, last) = steps(now, GAME.action_of(token))
        assert last == now.clone().play(token)
        story.add(now, token)
        turns += token.startswith("place:")
    lines = story.lines()
    assert sum(" placed a" in line for line in lines) >= turns
    assert [line[:7] for line in lines if line.startswith("Round")] == [f"Round {number}" for number in range(1, 6)]
    assert lines[-1].startswith("The game ends. ")
    assert final.over


def test_a_turn_is_one_line_with_costs_and_gains() -> None:
    start = position(wet={0: 2}, weapons={0: "spear"})
    made = ["rotate:none", "place:craftsman:1", "ring:perform", "warrior:soldier", "cell:d4", "weapon:use"]
    tokens = [*made, "ring:coin", "ring:perform"]
    line = (
        "placed a Craftsman on segment 1, paid 2 Wet Clay, made a Soldier on d4 (+6 VP), "
        "used the Spear (+1 VP, +2 Coins), took 1 Coin instead, readied the Halberd"
    )
    assert told(start, *tokens) == [f"Seat 0 {line}"]
    assert told(start, *tokens, own=0) == [f"You {line}"]


def test_masters_are_told_with_what_they_did() -> None:
    bought = at(3, coins={0: 6})
    assert told(bought, "ring:nothing", "ring:perform", "token:2") == [
        "Seat 0 bought the Master Clay Maker for 2 Coins and took 3 Wet Clay"
    ]
    builder = at(1, coins={0: 6})
    assert told(builder, "ring:nothing", "ring:perform", "token:2", "warrior:guard", "cell:a1") == [
        "Seat 0 bought the Master Builder for 2 Coins, paid 1 Coin to the Master Builder, made a Guard on a1"
    ]


def test_a_forced_rider_and_direction_are_told_though_nobody_was_asked() -> None:
    start = at(2, weapons={0: "sword"}, statues="0 guard a1, 1 officer a2")
    line = told(start, "ring:nothing", "ring:nothing", "ring:perform")[0]
    assert line == "Seat 0 paid 1 Coin and the Sword, mounted the Guard on a1 on a Horse, over b1 and c1"


def test_the_end_of_a_round_is_told_apart_from_the_last_decision() -> None:
    start = position(last=0, statues="0 officer a1, 1 guard i1", tile="officer", priority={1: 1})
    tokens = ["rotate:none", "place:craftsman:1", "ring:nothing", "ring:coin", "ring:nothing"]
    assert told(start, *tokens, own=1) == [
        "Seat 0 placed a Craftsman on segment 1, took 1 Coin instead",
        "Round 1 ends. Row Inspector (row 1): seat 0 +3, you +3; Column Inspector (column a): seat 0 +7; "
        "Musicians: nobody; Tile (Officers): seat 0 +4.",
        "New turn order: you, seat 0",
    ]
