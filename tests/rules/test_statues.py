"""R10-R17: making warriors, their weapons, and the Specialists."""

from typing import Any

import pytest

from terracotta_env.position import Position
from tests.rules.positions import (
    ALL_WEAPONS,
    CELLS,
    at,
    cells,
    earned,
    end_vp,
    filled,
    idle,
    offers,
    play,
    player,
    position,
    stand,
    where,
)


def make(kind: str, cell: str, weapons: str = "", **edits: Any) -> Position:
    """Seat 0 makes a warrior on segment 1 for 2 wet clay, up to the question of its weapon if that is active."""
    game = at(1, wet={0: 2}, weapons={0: weapons}, **edits)
    return play(game, "ring:perform", f"warrior:{kind}", f"cell:{cell}")


def decision(game: Position) -> str:
    found: str = game.snapshot()["pending"]["decision"]
    return found


# R10 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("segment", "cost"), [(1, 2), (3, 3), (6, 4)])
def test_r10_a_warrior_costs_the_wet_clay_of_its_space(segment: int, cost: int) -> None:
    game = at(segment, wet={0: 5}, dry={0: 2}).play("ring:perform")
    assert player(game, 0)["wet"] == 5 - cost
    assert player(game, 0)["dry"] == 2


@pytest.mark.parametrize("segment", range(1, 13))
def test_r10_one_piece_goes_to_the_warehouse_of_the_workers_quarter(segment: int) -> None:
    # the ring is turned so that a warrior for 2 lies on the segment
    game = at(segment, inner=segment - 1, wet={0: 2}, warehouses=(0, 3, 1, 2)).play("ring:perform")
    expected = [0, 3, 1, 2]
    expected[(segment - 1) // 3] += 1
    assert game.snapshot()["warehouses"] == expected


def test_r10_order_of_the_decisions() -> None:
    game = at(1, wet={0: 2}, weapons={0: "halberd"}, statues="0 soldier e4")
    asked = []
    for token in ("ring:perform", "warrior:guard", "cell:a1", "weapon:use", "cell:e4", "cell:e7"):
        asked.append(decision(game))
        game.play(token)
    assert asked == ["ring", "warrior_type", "warrior_cell", "weapon", "guard_warrior", "guard_goal"]
    assert where(game) == {"a1": "0 guard", "e7": "0 soldier"}


def test_r10_every_empty_space_and_no_other_is_offered() -> None:
    statues = "0 officer a1, 1 guard b2 b3 b4, footman e4, musician i7, archer a2 s"
    game = play(at(1, wet={0: 2}, statues=statues), "ring:perform", "warrior:officer")
    taken = {"a1", "b2", "b3", "b4", "e4", "i7", "a2"}
    assert set(cells(game)) == set(CELLS) - taken


def test_r10_base_and_figure_are_used_up() -> None:
    game = make("guard", "c3")
    assert player(game, 0)["bases"] == 14
    assert game.snapshot()["organizer"] == {"officer": 11, "guard": 10, "crossbowman": 11, "soldier": 11}
    assert where(game) == {"c3": "0 guard"}


@pytest.mark.parametrize(("standing", "vp"), list(enumerate([6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 2])))
def test_r10_the_bottommost_figure_of_the_type_scores(standing: int, vp: int) -> None:
    statues = ", ".join(f"1 soldier {cell}" for cell in CELLS[:standing])
    assert earned(make("soldier", "i7", statues=statues), 0) == {"organizer": vp}


def test_r10_figures_of_other_types_do_not_matter_for_the_vp() -> None:
    statues = ", ".join(f"1 soldier {cell}" for cell in CELLS[:5])
    assert earned(make("officer", "i7", statues=statues), 0) == {"organizer": 6}


@pytest.mark.parametrize(
    ("kind", "weapon"),
    [("officer", "sword"), ("guard", "halberd"), ("crossbowman", "crossbow"), ("soldier", "spear")],
)
def test_r10_only_the_weapon_of_the_type_is_asked(kind: str, weapon: str) -> None:
    assert make(kind, "a1", weapon).legal() == ["weapon:keep", "weapon:use"]
    others = ALL_WEAPONS.replace(weapon, "").strip()
    assert decision(make(kind, "a1", others)) == "ring"


@pytest.mark.parametrize(
    ("kind", "weapon"),
    [("officer", "sword"), ("guard", "halberd"), ("crossbowman", "crossbow"), ("soldier", "spear")],
)
def test_r10_using_a_weapon_makes_it_inactive_and_keeping_it_does_not(kind: str, weapon: str) -> None:
    used = make(kind, "a1", ALL_WEAPONS).play("weapon:use")
    kept = make(kind, "a1", ALL_WEAPONS).play("weapon:keep")
    assert [name for name, active in player(used, 0)["weapons"].items() if not active] == [weapon]
    assert all(player(kept, 0)["weapons"].values())
    assert earned(kept, 0) == {"organizer": 6}
    assert decision(kept) == "ring"


def test_r10_the_weapon_may_be_used_where_it_is_worth_nothing() -> None:
    game = make("crossbowman", "e4", "crossbow")  # no statue anywhere
    assert game.legal() == ["weapon:keep", "weapon:use"]
    assert earned(game.play("weapon:use"), 0) == {"organizer": 6}
    assert player(game, 0)["weapons"]["crossbow"] is False


# R11 -----------------------------------------------------------------------------------------------------------------


def officer(row: int = 3, column: str = "c") -> Position:
    return make("officer", "a1", "sword", row=row, column=column).play("weapon:use")


def test_r11_officer_scores_1() -> None:
    assert earned(officer(), 0) == {"organizer": 6, "officer": 1}


def test_r11_officer_moves_one_inspector_one_step() -> None:
    assert officer().legal() == [
        "decline",
        "inspector:column+1",
        "inspector:column-1",
        "inspector:row+1",
        "inspector:row-1",
    ]


@pytest.mark.parametrize(
    ("token", "row", "column"),
    [
        ("inspector:row+1", 4, "c"),
        ("inspector:row-1", 2, "c"),
        ("inspector:column+1", 3, "d"),
        ("inspector:column-1", 3, "b"),
        ("decline", 3, "c"),
    ],
)
def test_r11_each_step_moves_only_that_inspector(token: str, row: int, column: str) -> None:
    game = officer().play(token)
    assert game.snapshot()["inspectors"] == {"row": row, "column": column}
    assert decision(game) == "ring"


def test_r11_inspectors_go_forward_from_end_to_start() -> None:
    assert officer(7, "i").play("inspector:row+1").snapshot()["inspectors"] == {"row": 1, "column": "i"}
    assert officer(7, "i").play("inspector:column+1").snapshot()["inspectors"] == {"row": 7, "column": "a"}


def test_r11_inspectors_go_backward_from_start_to_end() -> None:
    assert officer(1, "a").play("inspector:row-1").snapshot()["inspectors"] == {"row": 7, "column": "a"}
    assert officer(1, "a").play("inspector:column-1").snapshot()["inspectors"] == {"row": 1, "column": "i"}


def test_r11_declining_keeps_the_vp() -> None:
    assert earned(officer().play("decline"), 0) == {"organizer": 6, "officer": 1}


# R12 -----------------------------------------------------------------------------------------------------------------


def guard(statues: str) -> Position:
    """A new Guard of seat 0 on a7 that has used the halberd."""
    return make("guard", "a7", "halberd", statues=statues).play("weapon:use")


def test_r12_guard_scores_3() -> None:
    assert earned(guard("0 officer e4"), 0) == {"organizer": 6, "guard": 3}


def test_r12_only_other_own_warriors_may_move() -> None:
    assert guard("0 officer e4, 0 guard c2, 1 soldier g5").legal() == ["cell:c2", "cell:e4", "decline"]


def test_r12_the_new_guard_itself_may_not_move() -> None:
    game = make("guard", "a7", "halberd").play("weapon:use")
    assert decision(game) == "ring"  # nobody else to move: not asked
    assert earned(game, 0)["guard"] == 3


def test_r12_a_mounted_warrior_may_not_move() -> None:
    assert guard("0 officer e4 e5 e6, 0 soldier c1").legal() == ["cell:c1", "decline"]


def test_r12_specialists_may_not_move() -> None:
    assert guard("0 soldier c1, footman e4, musician g4, archer c2 s").legal() == ["cell:c1", "decline"]


def test_r12_any_number_of_spaces_in_a_straight_line() -> None:
    game = guard("0 officer e4").play("cell:e4")
    row, column = [f"{c}4" for c in "abcdfghi"], [f"e{r}" for r in (1, 2, 3, 5, 6, 7)]
    assert cells(game) == sorted(row + column)


@pytest.mark.parametrize("blocker", ["1 guard c4", "0 guard c4", "footman c4", "archer c4 n", "1 guard c4 c3 c2"])
def test_r12_no_statue_may_be_passed_or_landed_on(blocker: str) -> None:
    game = guard(f"0 officer e4, {blocker}").play("cell:e4")
    assert [cell for cell in cells(game) if cell.endswith("4")] == ["d4", "f4", "g4", "h4", "i4"]


def test_r12_a_move_is_at_least_one_space() -> None:
    assert "cell:e4" not in guard("0 officer e4").play("cell:e4").legal()


def test_r12_no_diagonal_move() -> None:
    assert "cell:f5" not in guard("0 officer e4").play("cell:e4").legal()


def test_r12_the_warrior_moves_and_keeps_its_type_and_owner() -> None:
    game = play(guard("0 soldier e4"), "cell:e4", "cell:h4")
    assert where(game) == {"a7": "0 guard", "h4": "0 soldier"}
    assert player(game, 0)["bases"] == 13


def test_r12_declining_moves_nobody_and_keeps_the_vp() -> None:
    game = guard("0 soldier e4").play("decline")
    assert where(game) == {"a7": "0 guard", "e4": "0 soldier"}
    assert earned(game, 0)["guard"] == 3


def test_r12_a_named_warrior_must_move() -> None:
    assert "decline" not in guard("0 soldier e4").play("cell:e4").legal()


# R13 -----------------------------------------------------------------------------------------------------------------


def test_r13_soldier_scores_1_and_takes_2_coins() -> None:
    game = make("soldier", "a1", "spear", coins={0: 5}).play("weapon:use")
    assert earned(game, 0) == {"organizer": 6, "soldier": 1}
    assert player(game, 0)["coins"] == 7


@pytest.mark.parametrize(("kind", "weapon"), [("officer", "sword"), ("guard", "halberd"), ("crossbowman", "crossbow")])
def test_r13_no_other_weapon_brings_coins(kind: str, weapon: str) -> None:
    assert player(make(kind, "a1", weapon).play("weapon:use"), 0)["coins"] == 3


# R14 -----------------------------------------------------------------------------------------------------------------


def horse(statues: str) -> Position:
    """Seat 0 has paid for a Horse."""
    return at(2, "outer", coins={0: 9}, weapons={0: "sword"}, statues=statues).play("ring:perform")


def test_r14_the_rider_is_an_own_warrior_on_foot() -> None:
    game = horse("0 officer e4, 0 soldier g2, 1 guard c2, 0 guard a5 a6 a7")
    assert cells(game) == ["e4", "g2"]
    assert "decline" not in game.legal()


@pytest.mark.parametrize(
    ("statues", "directions"),
    [
        ("0 officer e4, 0 guard i7", "nesw"),
        ("0 officer e4, 0 guard i7, 1 guard f4", "nsw"),  # first space east taken
        ("0 officer e4, 0 guard i7, 1 guard g4", "nsw"),  # second space east taken
        ("0 officer e4, 0 guard i7, footman e6", "esw"),
        ("0 officer e4, 0 guard i7, 1 guard h4", "nesw"),  # the third does not matter
        ("0 officer a1, 0 guard i7", "ne"),
        ("0 officer b2, 0 guard i7", "ne"),  # one space to the wall is not enough
        ("0 officer c3, 0 guard i7", "nesw"),
    ],
)
def test_r14_two_empty_spaces_in_one_direction(statues: str, directions: str) -> None:
    rider = statues.split()[2].strip(",")
    game = horse(statues).play(f"cell:{rider}")
    assert sorted(game.legal()) == sorted(f"dir:{d}" for d in directions)


def test_r14_the_rider_occupies_all_three_spaces() -> None:
    game = play(horse("0 officer e4, 0 guard i7"), "cell:e4", "dir:w")
    assert where(game) == {"e4": "0 officer", "d4": "0 officer", "c4": "0 officer", "i7": "0 guard"}
    assert game.snapshot()["specialists_left"]["horse"] == 3


def test_r14_no_space_of_a_rider_is_empty() -> None:
    game = play(at(1, wet={0: 2}, statues="0 officer e4 d4 c4"), "ring:perform", "warrior:guard")
    assert set(CELLS) - set(cells(game)) == {"c4", "d4", "e4"}


def test_r14_a_rider_cannot_be_mounted_again() -> None:
    assert offers(2, "outer", coins={0: 9}, weapons={0: "sword"}, statues="0 officer c4 d4 e4") == {"nothing"}


def test_r14_a_rider_keeps_its_type_and_takes_no_base_or_figure() -> None:
    game = horse("0 officer e4").play("dir:n")
    assert game.snapshot()["organizer"]["officer"] == 10
    assert player(game, 0)["bases"] == 14
    assert game.snapshot()["mausoleum"] == [
        {"kind": "officer", "owner": 0, "mounted": True, "spaces": ["e4", "e5", "e6"]}
    ]


def test_r14_a_horse_scores_nothing_by_itself() -> None:
    assert horse("0 officer e4").play("dir:n").points() == [0, 0]


# R15 -----------------------------------------------------------------------------------------------------------------


def archer(statues: str) -> Position:
    """Seat 0 has paid for a Kneeling Archer."""
    return at(8, "outer", coins={0: 9}, weapons={0: "crossbow"}, statues=statues).play("ring:perform")


def test_r15_archer_stands_beside_a_warrior_orthogonally() -> None:
    assert cells(archer("1 guard e4")) == ["d4", "e3", "e5", "f4"]


def test_r15_archer_may_face_any_of_a_riders_three_spaces() -> None:
    around = ["b4", "c3", "c5", "d3", "d5", "e3", "e5", "f4"]
    assert cells(archer("1 guard e4 d4 c4")) == around
    game = archer("1 guard e4 d4 c4").play("cell:d5")
    assert where(game)["d5"] == "archer s"


def test_r15_archer_chooses_which_warrior_it_faces() -> None:
    game = archer("1 guard e4, 0 officer d5, footman e6").play("cell:e5")
    assert game.legal() == ["dir:s", "dir:w"]  # not north to the Footman, not east to an empty space
    assert where(game.play("dir:w"))["e5"] == "archer w"


def test_r15_specialists_are_not_faced() -> None:
    assert cells(archer("footman a1, musician c1, archer e1 e, 1 guard i7")) == ["h7", "i6"]


def test_r15_the_faced_warrior_is_whoever_occupies_the_space_later() -> None:
    # the archer on d4 faces e4; seat 0's warrior there brings it 2 VP, seat 1's brings seat 1 2 VP
    assert end_vp("archer", statues="0 soldier e4, archer d4 e") == [2, 0]
    assert end_vp("archer", statues="1 soldier e4, archer d4 e") == [0, 2]


def test_r15_archer_facing_an_empty_space_does_nothing() -> None:
    assert end_vp("archer", statues="0 soldier f4, archer d4 e") == [0, 0]
    assert end_vp("group_members", statues="0 soldier d5, archer d4 e") == [0, 0]


@pytest.mark.parametrize("specialist", ["footman e4", "musician e4", "archer e4 n"])
def test_r15_archer_facing_a_specialist_does_nothing(specialist: str) -> None:
    assert end_vp("archer", statues=f"0 soldier f4, archer d4 e, {specialist}") == [0, 0]


def test_r15_the_facing_stays_when_the_faced_warrior_moves_away() -> None:
    # a Guard moves seat 0's soldier from e4, which the archer on d4 faces, to e7
    statues = "0 soldier e4, archer d4 e"
    game = position(last=0, game_round=5, wet={0: 2}, weapons={0: "halberd"}, statues=statues)
    play(stand(game, 1), "ring:perform", "warrior:guard", "cell:a1", "weapon:use", "cell:e4", "cell:e7")
    assert where(game)["d4"] == "archer e"
    play(game, "ring:nothing")
    assert earned(game, 0).get("archer") is None


def test_r15_another_warrior_may_step_into_the_faced_space() -> None:
    # the archer on d4 faces the empty e4: seat 0 puts a soldier there
    game = position(last=0, game_round=5, wet={0: 2}, statues="1 officer i7, archer d4 e")
    play(stand(game, 1), "ring:perform", "warrior:soldier", "cell:e4", "ring:nothing", "ring:nothing")
    assert game.over
    assert earned(game, 0)["archer"] == 2


# R16 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statues", "vp"),
    [
        ("", 0),  # no statue at all
        ("1 guard a1, 1 guard i7, footman f5", 0),  # none in its row or column
        ("1 guard d4", 0),  # adjacent
        ("1 guard c4", 1),
        ("1 guard b4", 2),
        ("1 guard a4", 3),
        ("1 guard i4", 3),
        ("1 guard e1", 2),
        ("1 guard e7", 2),
        ("0 guard a4", 3),  # an own statue serves as well
        ("musician a4", 3),
        ("footman a4", 3),
        ("archer a4 n", 3),
        ("1 guard a4 a3 a2", 3),
        ("1 guard a6 a5 a4", 3),  # any space of a Horse
        ("1 guard b4 c4 d4, 1 guard e7", 2),  # the Horse is adjacent in the west, two spaces in the north
        ("1 guard d4, 1 guard a4", 0),  # a statue behind the nearest is no option
        ("1 guard c4, 1 guard a4", 1),
        ("1 guard c4, 1 guard e7", 2),  # the better of two directions
        ("1 guard d4, 1 guard e3, 1 guard f4, 1 guard e5", 0),
        ("1 guard a4, 1 guard i4, 1 guard e1, 1 guard e7", 3),  # one direction only, not the sum
    ],
)
def test_r16_crossbowman_on_e4_scores_the_empty_spaces_before_the_nearest_statue(statues: str, vp: int) -> None:
    game = make("crossbowman", "e4", "crossbow", statues=statues).play("weapon:use")
    assert earned(game, 0).get("crossbowman", 0) == vp


def test_r16_longest_shot_is_7() -> None:
    game = make("crossbowman", "a1", "crossbow", statues="1 guard i1").play("weapon:use")
    assert earned(game, 0)["crossbowman"] == 7


def test_r16_a_direction_without_a_statue_is_worth_nothing() -> None:
    # east of a1 there are eight empty spaces and no statue, north of it one space and a statue
    game = make("crossbowman", "a1", "crossbow", statues="1 guard a3").play("weapon:use")
    assert earned(game, 0)["crossbowman"] == 1


# R17 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("segment", "kind", "weapon"), [(5, "footman", "halberd"), (11, "musician", "spear")])
def test_r17_footman_and_musician_stand_on_any_empty_space(segment: int, kind: str, weapon: str) -> None:
    statues = "0 officer a1, 1 guard c3 d3 e3, archer a2 s"
    game = at(segment, "outer", coins={0: 1}, weapons={0: weapon}, statues=statues).play("ring:perform")
    assert set(CELLS) - set(cells(game)) == {"a1", "c3", "d3", "e3", "a2"}
    assert where(game.play("cell:i7"))["i7"] == kind
    assert game.snapshot()["specialists_left"][kind] == 3
    assert game.to_act == 1


def test_r17_the_last_empty_space_is_taken_without_asking() -> None:
    statues = filled({0: 11, 1: 11, 2: 11, 3: 11}, riders=4, specialists=10)  # 62 of 63 spaces
    missing = next(cell for cell in CELLS if cell not in where(position(4, statues=statues)))
    game = at(11, "outer", players=4, coins={0: 4}, weapons={0: "spear"}, statues=statues)
    assert where(game.play("ring:perform"))[missing] == "musician"
    assert game.to_act == 1


def test_r17_specialists_belong_to_nobody() -> None:
    game = at(5, "outer", coins={0: 1}, weapons={0: "halberd"})
    play(game, "ring:perform", "cell:e4")
    assert game.snapshot()["mausoleum"] == [{"kind": "footman", "owner": None, "spaces": ["e4"]}]
    assert idle(game).points() == [0, 0]
