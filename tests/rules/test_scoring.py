"""R23-R26: Domination and Presence, the Scoring Phase, the Cleanup Phase."""

from typing import Any

import pytest

from tests.rules.positions import (
    MASTERS,
    column_of,
    earned,
    end_vp,
    idle,
    play,
    player,
    position,
    round_vp,
    stand,
)

# the row Inspector stands on row 1 (a1 .. i1), the column Inspector on column a (a1 .. a7)


def row(statues: str, players: int = 2, number: int = 1) -> list[int]:
    """VP by seat from the row Inspector: 7 for Domination, 3 for Presence."""
    return round_vp("row_inspector", players, statues=statues, row=number)


# R23: the single player with the most ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statues", "vp"),
    [
        ("", [0, 0]),  # nobody there: nobody dominates
        ("0 officer a1", [7, 0]),  # the only player
        ("0 officer b1, 0 guard c1, 1 soldier d1", [7, 3]),
        ("0 officer b1, 1 guard c1, 1 soldier d1", [3, 7]),
        ("0 officer b1, 1 guard c1", [3, 3]),  # a tie that stands
        ("0 officer b2, 1 guard c1", [0, 7]),  # not in the row
    ],
)
def test_r23_domination_and_presence_of_two(statues: str, vp: list[int]) -> None:
    assert row(statues) == vp


@pytest.mark.parametrize(
    ("statues", "vp"),
    [
        ("0 officer b1, 0 guard c1, 1 soldier d1", [7, 3, 0]),
        ("0 officer b1, 0 guard c1, 1 soldier d1, 2 soldier e1", [7, 3, 3]),
        ("0 officer b1, 1 soldier d1, 2 soldier e1", [3, 3, 3]),
        ("0 officer b1, 0 guard c1, 1 soldier d1, 1 soldier f1, 2 soldier e1", [3, 3, 3]),  # tied, and one behind them
        ("0 officer b1, 0 guard c1, 1 soldier d1, 1 soldier f1", [3, 3, 0]),
    ],
)
def test_r23_domination_and_presence_of_three(statues: str, vp: list[int]) -> None:
    assert row(statues, 3) == vp


@pytest.mark.parametrize(
    ("statues", "vp"),
    [
        ("3 officer b1, 3 guard c1, 0 soldier d1, 1 guard e1, 2 soldier f1", [3, 3, 3, 7]),
        ("3 officer b1, 2 guard c1, 0 soldier d1, 1 guard e1", [3, 3, 3, 3]),
        ("3 officer b1, 3 guard c1, 2 guard d1, 2 soldier e1, 1 guard f1", [0, 3, 3, 3]),
    ],
)
def test_r23_domination_and_presence_of_four(statues: str, vp: list[int]) -> None:
    assert row(statues, 4) == vp


def test_r23_type_does_not_matter_before_an_inspector() -> None:
    assert row("0 officer b1, 0 soldier c1, 0 guard d1, 1 crossbowman e1, 1 crossbowman f1") == [7, 3]


def test_r23_an_archer_breaks_a_tie() -> None:
    assert row("0 officer b1, 1 guard d1, archer e1 w") == [3, 7]


def test_r23_an_archer_outside_the_area_breaks_it_as_well() -> None:
    assert row("0 officer b1, 1 guard d1, archer d2 s") == [3, 7]


def test_r23_an_archer_that_faces_a_warrior_outside_the_contest_does_not() -> None:
    # the archer stands in row 1 and faces seat 1's warrior on d2, which is not in the row
    assert row("0 officer b1, 1 guard f1, 1 guard d2, archer d1 n") == [3, 3]


def test_r23_an_archer_that_faces_an_empty_space_does_not() -> None:
    assert row("0 officer b1, 1 guard d1, archer e1 e") == [3, 3]


def test_r23_equally_many_archers_leave_the_tie() -> None:
    assert row("0 officer b1, 1 guard d1, archer b2 s, archer d2 s") == [3, 3]


def test_r23_the_most_archers_break_the_tie() -> None:
    assert row("0 officer b1, 1 guard d1, archer b2 s, archer d2 s, archer e1 w") == [3, 7]


def test_r23_two_archers_on_one_warrior_count_two() -> None:
    assert row("0 officer b1, 0 officer h1, 1 guard d1, 1 guard f1, archer d2 s, archer e1 w, archer h2 s") == [3, 7]


def test_r23_archers_do_not_help_who_is_not_tied_for_the_most() -> None:
    # 2, 2 and 1 warriors; only the one behind has archers
    statues = "0 officer a1, 0 officer b1, 1 guard d1, 1 guard e1, 2 soldier g1, archer g2 s, archer h1 w"
    assert row(statues, 3) == [3, 3, 3]


def test_r23_archers_do_not_beat_more_warriors() -> None:
    assert row("0 officer a1, 0 officer b1, 1 guard d1, archer d2 s, archer e1 w") == [7, 3]


def test_r23_archers_of_one_behind_do_not_disturb_the_tie_break() -> None:
    statues = "0 officer a1, 1 guard d1, 1 guard f1, 0 officer c1, 2 soldier h1, archer h2 s, archer i1 w, archer d2 s"
    assert row(statues, 3) == [3, 7, 3]


def test_r23_three_tied_and_two_of_them_with_archers() -> None:
    statues = "0 officer a1, 1 guard d1, 2 soldier g1, archer a2 s, archer d2 s"
    assert row(statues, 3) == [3, 3, 3]
    assert row(f"{statues}, archer e1 w", 3) == [3, 7, 3]


def test_r23_a_rider_faced_on_a_space_outside_the_row_counts() -> None:
    # the rider stands on d1 d2 d3 and is counted in row 1; the archer faces d3
    assert row("0 officer b1, 1 guard d1 d2 d3, archer e3 w") == [3, 7]


def test_r23_an_archer_is_nobodys_warrior_before_an_inspector() -> None:
    assert row("1 guard d2, archer d1 n, archer e1 w") == [0, 0]


def test_r23_an_archer_scores_nothing_with_a_musician() -> None:
    # the archer on e1 shares row 1 with the Musician; the guard it faces shares nothing
    assert round_vp("musician", statues="1 guard e2, archer e1 n, musician h1") == [0, 0]


def test_r23_an_archer_is_nobodys_warrior_for_a_tile() -> None:
    # two archers that face seat 1's guard do not make it three against seat 0's two
    statues = "0 guard a1, 0 guard a3, 1 guard e4, archer e5 s, archer d4 e"
    assert round_vp("tile", tile="guard", statues=statues) == [4, 1]


def test_r23_an_archer_is_nobodys_warrior_around_a_footman() -> None:
    statues = "0 guard d4, 0 guard d5, 1 guard f4, archer f5 s, archer f3 n, footman e4"
    assert end_vp("footman", statues=statues) == [8, 2]


@pytest.mark.parametrize("tile", ["guard", "sw"])
def test_r23_archers_break_ties_on_tiles(tile: str) -> None:
    statues = "0 guard a1, 1 guard c1"
    assert round_vp("tile", tile=tile, statues=statues) == [1, 1]
    assert round_vp("tile", tile=tile, statues=f"{statues}, archer b1 e") == [1, 4]


def test_r23_on_a_type_tile_the_faced_warrior_must_be_of_the_type() -> None:
    statues = "0 guard a1, 1 guard c1, 1 soldier h5, archer h4 n"
    assert round_vp("tile", tile="guard", statues=statues) == [1, 1]


@pytest.mark.parametrize("tile", ["coins", "clay"])
def test_r23_contests_on_coins_and_clay_are_never_broken(tile: str) -> None:
    edits: dict[str, Any] = {"coins": {0: 5, 1: 5}, "dry": {0: 3, 1: 3}, "statues": "1 guard c1, archer b1 e"}
    assert round_vp("tile", tile=tile, **edits) == [1, 1]


@pytest.mark.parametrize(
    ("coins", "vp"),
    [
        ({0: 5, 1: 4, 2: 1}, [4, 1, 1]),
        ({0: 1, 1: 0, 2: 0}, [4, 0, 0]),
        ({0: 5, 1: 5, 2: 1}, [1, 1, 1]),
        ({0: 0, 1: 0, 2: 0}, [0, 0, 0]),  # nobody has a coin
    ],
)
def test_r23_coin_tile(coins: dict[int, int], vp: list[int]) -> None:
    # nobody's clay matters
    assert round_vp("tile", 3, tile="coins", coins=coins, wet={2: 9}) == vp


@pytest.mark.parametrize(
    ("wet", "dry", "vp"),
    [
        ({0: 2}, {0: 2, 1: 3}, [4, 1, 0]),  # wet and dry alike
        ({0: 2}, {1: 2}, [1, 1, 0]),
        ({2: 1}, {}, [0, 0, 4]),
        ({}, {}, [0, 0, 0]),
    ],
)
def test_r23_clay_tile(wet: dict[int, int], dry: dict[int, int], vp: list[int]) -> None:
    # coins and the clay in warehouses do not matter
    assert round_vp("tile", 3, tile="clay", wet=wet, dry=dry, coins={1: 20}, warehouses=(9, 9, 9, 9)) == vp


# R24: a rider is one warrior ------------------------------------------------------------------------------------------


def test_r24_a_rider_along_a_row_counts_once_there() -> None:
    assert row("0 officer b1 c1 d1, 1 guard f1") == [3, 3]


def test_r24_a_rider_counts_in_every_row_it_touches() -> None:
    for number in (1, 2, 3):
        assert row("0 officer b1 b2 b3", number=number) == [7, 0]
    assert row("0 officer b1 b2 b3", number=4) == [0, 0]


def test_r24_a_rider_counts_in_every_column_it_touches() -> None:
    for column, vp in zip("abcdef", (0, 7, 7, 7, 0, 0), strict=True):
        assert round_vp("column_inspector", column=column, statues="0 officer b1 c1 d1") == [vp, 0]


def test_r24_a_rider_counts_once_in_every_quarter_it_touches() -> None:
    # from d1 over e1 to f1: SW, the middle column and SE
    for tile in ("sw", "se", "column"):
        assert round_vp("tile", tile=tile, statues="0 officer d1 e1 f1") == [4, 0]
    for tile in ("nw", "ne", "row"):
        assert round_vp("tile", tile=tile, statues="0 officer d1 e1 f1") == [0, 0]
    assert round_vp("tile", tile="sw", statues="0 officer a1 b1 c1, 1 guard a3") == [1, 1]


def test_r24_a_rider_counts_once_on_its_types_tile() -> None:
    statues = "0 officer a1 b1 c1, 1 officer a3, 1 guard a5"
    assert round_vp("tile", tile="officer", statues=statues) == [1, 1]
    assert round_vp("tile", tile="guard", statues=statues) == [0, 4]


@pytest.mark.parametrize(
    ("rider", "vp"),
    [
        ("d1 d2 d3", 1),  # three spaces in the column of d6
        ("a4 b4 c4", 1),  # three spaces in the row of h4
        ("d2 e2 f2", 1),  # one space in the column of d6
        ("c3 c4 c5", 1),  # one space in the row of h4
        ("d4 d3 d2", 2),  # in the column of d6, and in the row of h4
        ("a1 b1 c1", 0),
    ],
)
def test_r24_a_rider_brings_at_most_1_vp_per_musician(rider: str, vp: int) -> None:
    assert round_vp("musician", statues=f"0 officer {rider}, musician d6, musician h4") == [vp, 0]


def test_r24_a_rider_counts_once_around_a_footman() -> None:
    assert end_vp("footman", statues="0 officer d3 d4 d5, 1 guard f4, footman e4") == [2, 2]


def test_r24_a_rider_touching_the_surrounding_with_one_space_counts() -> None:
    assert end_vp("footman", statues="0 officer d5 c5 b5, footman e4") == [8, 0]


def test_r24_a_rider_counts_once_in_a_group() -> None:
    # the rider a1 b1 c1 and the officer on d1: two warriors of one player
    assert end_vp("group_members", statues="0 officer a1 b1 c1, 0 officer d1") == [2, 0]


# R25 -----------------------------------------------------------------------------------------------------------------


def test_r25_all_parts_of_the_scoring_phase() -> None:
    game = idle(position(last=0, tile="sw", row=2, column="b", statues="0 officer b2, 1 guard b3, musician b7"))
    assert earned(game, 0) == {"row_inspector": 7, "column_inspector": 3, "musician": 1, "tile": 1}
    assert earned(game, 1) == {"column_inspector": 3, "musician": 1, "tile": 1}


@pytest.mark.parametrize(
    ("start", "goal"), [((1, "a"), (2, "b")), ((6, "h"), (7, "i")), ((7, "i"), (1, "a")), ((7, "c"), (1, "d"))]
)
def test_r25_inspectors_score_and_then_step_forward(start: tuple[int, str], goal: tuple[int, str]) -> None:
    # seat 0 stands where they are, seat 1 where they go
    statues = f"0 officer e{start[0]}, 1 officer f{goal[0]}"
    game = idle(position(last=0, row=start[0], column=start[1], statues=statues))
    assert game.snapshot()["inspectors"] == {"row": goal[0], "column": goal[1]}
    assert earned(game, 0)["row_inspector"] == 7
    assert "row_inspector" not in earned(game, 1)


def test_r25_inspectors_step_in_round_5_too() -> None:
    game = idle(position(last=0, game_round=5, row=3, column="c"))
    assert game.over
    assert game.snapshot()["inspectors"] == {"row": 4, "column": "d"}


def test_r25_the_tile_is_scored_before_masters_bring_coins() -> None:
    # 3 coins each when the tile is scored; the Cleanup gives seat 1 one more
    assert round_vp("tile", tile="coins", masters={1: {"builder": 1}}) == [1, 1]


def test_r25_each_round_has_its_own_tile() -> None:
    statues = "0 officer a7, 1 guard i7"
    tiles = ("nw", "ne", "sw", "se", "row")
    assert round_vp("tile", tiles=tiles, game_round=1, statues=statues) == [4, 0]
    assert round_vp("tile", tiles=tiles, game_round=2, statues=statues) == [0, 5]
    assert round_vp("tile", tiles=tiles, game_round=3, statues=statues) == [0, 0]


def test_r25_nothing_is_scored_before_the_last_worker() -> None:
    game = idle(position(statues="0 officer a1, 0 officer a2, musician a7"))
    assert game.points() == [0, 0]


# R26 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "priority", "after"),
    [
        ([0, 1], {}, [0, 1]),
        ([0, 1], {1: 1}, [1, 0]),
        ([0, 1], {0: 1}, [0, 1]),
        ([0, 1, 2], {}, [0, 1, 2]),
        ([0, 1, 2], {2: 1}, [2, 0, 1]),
        ([0, 1, 2], {2: 1, 1: 2}, [2, 1, 0]),
        ([2, 0, 1], {1: 1}, [1, 2, 0]),  # the others keep their order
        ([0, 1, 2, 3], {3: 1}, [3, 0, 1, 2]),
        ([0, 1, 2, 3], {2: 1, 0: 2}, [2, 0, 1, 3]),
        ([3, 2, 1, 0], {1: 1, 3: 2, 0: 3}, [1, 3, 0, 2]),
        ([3, 2, 1, 0], {}, [3, 2, 1, 0]),
    ],
)
def test_r26_priority_tokens_make_the_new_turn_order(
    order: list[int], priority: dict[int, int], after: list[int]
) -> None:
    players = len(order)
    game = idle(position(players, order=order, priority=priority, last=order[-1]))
    assert game.snapshot()["turn_order"] == after
    assert game.to_act == after[0]


def test_r26_priority_tokens_go_back_to_the_stack() -> None:
    game = idle(position(4, priority={1: 1, 3: 2, 0: 3}, last=0))
    assert game.snapshot()["priority_stack"] == [1, 2, 3]
    assert column_of(game, "priority") == [None] * 4


CLAY_MASTERS = {"clay_maker": 1, "supervisor": 2, "blacksmith": 3}


@pytest.mark.parametrize(
    ("masters", "wet", "stays"),
    [
        ([], 4, 0),
        (["clay_maker"], 4, 1),
        (["supervisor"], 4, 1),
        (["blacksmith"], 4, 1),
        (["clay_maker", "blacksmith"], 4, 2),
        (["clay_maker", "supervisor", "blacksmith"], 4, 3),
        (["clay_maker", "supervisor", "blacksmith"], 2, 2),
        (["clay_maker", "supervisor", "blacksmith"], 0, 0),  # dry clay stays dry
    ],
)
def test_r26_clay_dries_but_for_one_per_protecting_master(masters: list[str], wet: int, stays: int) -> None:
    owned = {0: {name: CLAY_MASTERS[name] for name in masters}}
    game = idle(position(last=1, wet={0: wet}, dry={0: 2}, masters=owned))
    assert player(game, 0)["wet"] == stays
    assert player(game, 0)["dry"] == 2 + wet - stays


@pytest.mark.parametrize("master", ["builder", "administrator", "inspector"])
def test_r26_coin_masters_do_not_protect_clay(master: str) -> None:
    game = idle(position(last=1, wet={0: 2}, masters={0: {master: 1}}))
    assert player(game, 0)["wet"] == 0


@pytest.mark.parametrize(
    ("masters", "coins"),
    [
        ([], 0),
        (["builder"], 1),
        (["administrator"], 1),
        (["inspector"], 1),
        (["builder", "administrator", "inspector"], 3),
        (["clay_maker", "supervisor", "blacksmith"], 0),
        (list(MASTERS), 3),
    ],
)
def test_r26_one_coin_for_each_coin_master(masters: list[str], coins: int) -> None:
    owned = {0: {name: price for price, name in enumerate(masters, 1)}}
    game = idle(position(last=1, coins={0: 4, 1: 4}, masters=owned))
    assert column_of(game, "coins") == [4 + coins, 4]


def test_r26_cleanup_of_rounds_1_to_4_prepares_the_next_round() -> None:
    game = idle(position(4, last=2, game_round=4, inner=5, middle=5, artisans={1: 2}))
    after = game.snapshot()
    assert after["round"] == 5
    assert after["tile"] == after["tiles"][4]
    assert (after["inner_offset"], after["middle_offset"]) == (6, 4)
    assert all(entry["workers"] == [] for entry in after["wheel"].values())
    assert column_of(game, "craftsmen") == [3, 1, 3, 3]
    assert column_of(game, "artisans") == [0, 2, 0, 0]


def test_r26_cleanup_happens_in_round_5_but_the_rings_stay() -> None:
    masters = {0: {"builder": 1, "clay_maker": 2}}
    game = idle(position(last=0, game_round=5, priority={1: 1}, wet={0: 3}, coins={0: 3}, masters=masters))
    after = game.snapshot()
    assert after["over"]
    assert after["turn_order"] == [1, 0]
    assert after["priority_stack"] == [1]
    assert (player(game, 0)["wet"], player(game, 0)["dry"], player(game, 0)["coins"]) == (1, 2, 4)
    assert (after["round"], after["inner_offset"], after["middle_offset"]) == (5, 0, 0)


def test_r26_the_coins_of_round_5_count_as_leftovers() -> None:
    # 3 coins, and one from the Builder in the last Cleanup: 4 / 2
    assert end_vp("leftovers", coins={0: 3}, masters={0: {"builder": 1}}, last=1)[0] == 2


def test_r26_clay_stays_with_its_player_when_it_dries() -> None:
    game = idle(position(last=1, wet={0: 2}, dry={0: 5}, warehouses=(1, 2, 3, 4)))
    assert game.snapshot()["warehouses"] == [1, 2, 3, 4]


def test_r26_weapons_stay_as_they_are() -> None:
    game = idle(position(last=1, weapons={0: "sword spear"}))
    assert player(game, 0)["weapons"] == {"sword": True, "halberd": False, "crossbow": False, "spear": True}


def test_r26_the_new_round_follows_the_new_turn_order() -> None:
    game = idle(position(3, last=2, priority={1: 1}))
    seats = []
    for segment in (1, 2, 3):
        seats.append(game.to_act)
        play(stand(game, segment), "ring:nothing", "ring:nothing")
        if "ring:nothing" in game.legal():
            game.play("ring:nothing")
    assert seats == [1, 0, 2]
