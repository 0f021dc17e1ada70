"""The ledger explains every point: who scored it, for what, and how much of it there can be."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from terracotta_env.position import Position
from tests.agents.games import printed
from tests.properties.lines import examples, line, seeds, starts

OF_TURNS = ("organizer", "officer", "guard", "crossbowman", "soldier")
OF_ROUNDS = ("row_inspector", "column_inspector", "musician", "tile")


def gains(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, int]]:
    """By seat, the points each source brought; none may have been taken away."""
    found = []
    for old, new in zip(before["players"], after["players"], strict=True):
        found.append({source: new["ledger"][source] - points for source, points in old["ledger"].items()})
        assert min(found[-1].values()) >= 0
        assert new["vp"] == sum(new["ledger"].values())
    return found


def check_gain(before: dict[str, Any], after: dict[str, Any]) -> None:
    board = printed(before["board"])
    round_over = after["over"] or after["round"] != before["round"]
    for seat, gain in enumerate(gains(before, after)):
        scored = {source: points for source, points in gain.items() if points}
        if not round_over:
            assert set(scored) <= set(OF_TURNS)
            assert seat == before["to_move"] or not scored
        elif not after["over"]:
            assert set(scored) <= {*OF_TURNS, *OF_ROUNDS}
        assert gain["organizer"] in (0, *board["warriors"]["organizer_vp"])
        assert gain["officer"] in (0, 1)
        assert gain["guard"] in (0, 3)
        assert gain["soldier"] in (0, 1)
        assert gain["crossbowman"] <= 7
        assert gain["row_inspector"] in (0, 3, 7)
        assert gain["column_inspector"] in (0, 3, 7)
        index = before["round"] - 1
        scoring = board["scoring"]
        assert gain["tile"] in (0, scoring["tile_presence"][index], scoring["tile_domination"][index])
        assert gain["archer"] % 2 == 0
        if after["over"]:
            player = after["players"][seat]
            assert gain["leftovers"] == (player["coins"] + player["wet"] + player["dry"]) // 2
    assert sum(gain["archer"] for gain in gains(before, after)) <= 8
    for source in ("row_inspector", "column_inspector"):
        assert sum(gain[source] == 7 for gain in gains(before, after)) <= 1


@examples(100)
@given(starts(), seeds)
def test_every_point_is_in_the_ledger_of_the_one_who_earned_it(position: Position, seed: int) -> None:
    before = position.snapshot()
    for number, _ in enumerate(line(position, seed, 60)):
        if number:
            after = position.snapshot()
            check_gain(before, after)
            before = after
    check_gain(before, position.snapshot())
    assert position.points() == [player["vp"] for player in position.snapshot()["players"]]


@examples(40)
@given(starts(), seeds)
def test_ranking_is_by_points_and_then_by_turn_order(position: Position, seed: int) -> None:
    for _ in line(position, seed):
        pass
    points, order = position.points(), position.snapshot()["turn_order"]
    assert position.ranking() == sorted(order, key=lambda seat: -points[seat])
    returns = position.returns().tolist()
    assert sorted(returns, reverse=True) == [returns[seat] for seat in position.ranking()]
    assert abs(sum(returns)) < 1e-9
