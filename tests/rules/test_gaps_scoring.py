"""Scoring and the end of the game in positions that only a mutant of the rules would get wrong."""

import pytest

from tests.rules.positions import WARRIORS, WEAPONS, at, end_vp, idle, play, position, round_vp


@pytest.mark.parametrize("tile", ["coins", "clay"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_r23_nobody_scores_for_a_resource_that_nobody_has(tile: str, players: int) -> None:
    assert round_vp("tile", players, tile=tile, coins=dict.fromkeys(range(players), 0)) == [0] * players


@pytest.mark.parametrize("cell", ["a1", "b1", "i1", "a7", "i7", "e4"])
def test_musicians_and_footmen_score_on_every_space(cell: str) -> None:
    beside = {"a1": "a2", "b1": "b2", "i1": "i2", "a7": "a6", "i7": "i6", "e4": "e5"}[cell]
    assert round_vp("musician", statues=f"1 officer {beside}, musician {cell}") == [0, 1]
    assert end_vp("footman", statues=f"1 officer {beside}, footman {cell}") == [0, 8]


@pytest.mark.parametrize("kind", WARRIORS)
def test_r27_every_type_forms_groups(kind: str) -> None:
    assert end_vp("group_members", statues=f"0 {kind} a1, 1 {kind} a2") == [2, 2]
    assert end_vp("group_members", statues=f"0 {kind} c1, 1 {kind} c2 c3 c4") == [2, 2]
    assert end_vp("group_members", statues=f"0 {kind} a1, archer b1 w") == [1, 0]


@pytest.mark.parametrize("kind", WARRIORS)
@pytest.mark.parametrize("other", WARRIORS)
def test_r27_a_group_is_of_one_type(kind: str, other: str) -> None:
    vp = [2, 2] if kind == other else [0, 0]
    assert end_vp("group_members", statues=f"0 {kind} a1, 1 {other} b1") == vp
    assert end_vp("group_members", statues=f"0 {kind} a1 b1 c1, 1 {other} d1") == vp
    assert end_vp("group_members", statues=f"0 {kind} a1 b1 c1, 1 {other} d1 e1 f1") == vp


@pytest.mark.parametrize("kind", WARRIORS)
def test_r27_warriors_that_touch_by_a_corner_are_no_group(kind: str) -> None:
    for two in ("a2 b1", "h1 i2", "a6 b7", "h7 i6", "i1 a2", "e3 e5"):
        first, second = two.split()
        assert end_vp("group_members", statues=f"0 {kind} {first}, 0 {kind} {second}") == [0, 0], two


def test_r27_each_of_four_archers_makes_a_group() -> None:
    statues = ", ".join(f"0 officer a{row}, archer b{row} w" for row in (1, 3, 5, 7))
    assert end_vp("group_members", statues=statues) == [4, 0]


def test_r27_each_of_four_riders_makes_a_group() -> None:
    statues = ", ".join(f"0 guard a{row} b{row} c{row}, 0 guard d{row}" for row in (1, 3, 5, 7))
    assert end_vp("group_members", statues=statues) == [8, 0]


@pytest.mark.parametrize("area", ["row_inspector", "tile"])
def test_r24_each_of_four_riders_counts(area: str) -> None:
    # all four touch row 1 and are guards; three warriors on foot stand against them
    statues = ", ".join(f"0 guard {column}1 {column}2 {column}3" for column in "abcd")
    statues += ", 1 guard f1, 1 guard g1, 1 guard h1"
    assert round_vp(area, tile="guard", statues=statues) == ([7, 3] if area == "row_inspector" else [4, 1])


@pytest.mark.parametrize(("kind", "vp"), list(enumerate([1, 3, 3, 1])))
def test_a_weapons_points_are_added_to_earlier_ones(kind: int, vp: int) -> None:
    # three empty spaces lie between e4 and a4; the first and second figures of a type score 6
    game = at(1, wet={0: 2}, weapons={0: WEAPONS[kind]}, statues="1 guard a4")
    game.states[0]["ledger"][:2] = 50
    play(game, "ring:perform", f"warrior:{WARRIORS[kind]}", "cell:e4", "weapon:use")
    expected = [50] * 14
    expected[0] = 56
    expected[1 + kind] = 50 + vp
    assert game.states[0]["ledger"][0].tolist() == expected
    assert game.states[0]["ledger"][1].tolist() == [50] * 14


def test_points_of_the_scoring_phase_and_the_end_are_added_to_earlier_ones() -> None:
    statues = "0 officer a1, 1 officer a2, 1 guard c2, archer b1 w, footman b2, musician a7"
    edits = {0: 5, 1: 8}
    clean = idle(position(last=0, game_round=5, tile="sw", statues=statues, coins=edits)).states[0]["ledger"]
    game = position(last=0, game_round=5, tile="sw", statues=statues, coins=edits)
    game.states[0]["ledger"][:2] = 50
    assert idle(game).states[0]["ledger"][:2].tolist() == (clean[:2] + 50).tolist()
    # sources: row and column Inspector, Musician, tile, Footman, group members and contest, archer, leftovers
    assert clean[0].tolist() == [0] * 5 + [7, 7, 1, 3, 2, 2, 5, 2, 2]
    assert clean[1].tolist() == [0] * 5 + [0, 3, 1, 8, 8, 2, 2, 0, 4]
