"""Statues, archers and workers in positions that only a mutant of the rules would get wrong."""

from typing import Any

import pytest

from tests.rules.positions import WARRIORS, at, cells, end_vp, offers, play, position, round_vp, stand, where


@pytest.mark.parametrize("owner", range(4))
def test_r15_an_archer_stands_beside_a_warrior_of_every_seat(owner: int) -> None:
    edits: dict[str, Any] = {"players": 4, "coins": {0: 1}, "weapons": {0: "crossbow"}}
    game = at(8, "outer", statues=f"{owner} guard a1", **edits)
    assert cells(game.play("ring:perform")) == ["a2", "b1"]


@pytest.mark.parametrize("owner", range(4))
def test_r15_an_archers_points_go_to_every_seat(owner: int) -> None:
    vp = [2 * (seat == owner) for seat in range(4)]
    assert end_vp("archer", 4, statues=f"{owner} guard a1, archer b1 w") == vp


def test_r15_an_archer_that_was_not_built_faces_nobody() -> None:
    for cell in ("h7", "i7", "a1", "b1"):
        assert end_vp("archer", statues=f"0 officer {cell}") == [0, 0]
        assert round_vp("row_inspector", row=int(cell[1]), statues=f"0 officer {cell}, 1 officer e{cell[1]}") == [3, 3]


def test_r15_each_of_four_archers_counts() -> None:
    statues = "0 officer b1, 1 officer d1, archer a1 e, archer c1 w, archer e1 w, archer d2 s"
    assert end_vp("archer", statues=statues) == [4, 4]


@pytest.mark.parametrize("faced", range(4))
def test_r15_each_of_four_riders_may_be_faced(faced: int) -> None:
    statues = [f"{int(i == faced)} guard a{row} b{row} c{row}" for i, row in enumerate((1, 3, 5, 7))]
    assert end_vp("archer", statues=", ".join([*statues, f"archer d{1 + 2 * faced} w"])) == [0, 2]


@pytest.mark.parametrize("row", [1, 3, 5, 7])
def test_r15_an_archer_may_stand_beside_each_of_four_riders(row: int) -> None:
    statues = ", ".join(f"1 guard a{r} b{r} c{r}" for r in (1, 3, 5, 7))
    game = at(8, "outer", coins={0: 1}, weapons={0: "crossbow"}, statues=statues).play("ring:perform")
    assert sorted(cells(game)) == sorted([*(f"{c}{r}" for c in "abc" for r in (2, 4, 6)), "d1", "d3", "d5", "d7"])
    assert where(game.play(f"cell:d{row}"))[f"d{row}"] == "archer w"  # the only direction: not asked


@pytest.mark.parametrize("kind", WARRIORS)
def test_r23_archers_break_ties_on_every_type(kind: str) -> None:
    on_foot, mounted = f"0 {kind} a1, 1 {kind} c1, archer b1 e", f"0 {kind} a1, 1 {kind} c1 c2 c3, archer d3 w"
    assert round_vp("tile", tile=kind, statues=on_foot) == [1, 4]
    assert round_vp("tile", tile=kind, statues=mounted) == [1, 4]


@pytest.mark.parametrize("kind", WARRIORS)
def test_r12_a_guard_moves_every_type(kind: str) -> None:
    game = at(1, wet={0: 2}, weapons={0: "halberd"}, statues=f"0 {kind} a1")
    play(game, "ring:perform", "warrior:guard", "cell:e6", "weapon:use", "cell:a1", "cell:a3")
    assert [statue["kind"] for statue in game.snapshot()["mausoleum"]] == [kind, "guard"]
    assert [statue["spaces"] for statue in game.snapshot()["mausoleum"]] == [["a3"], ["e6"]]
    assert list(game.states[0]["warriors"]) == [
        (name == kind) * 2**18 + (name == "guard") * 2**49 for name in WARRIORS
    ]  # a3 is space 18, e6 space 49


@pytest.mark.parametrize("kind", WARRIORS)
def test_r14_a_horse_carries_every_type(kind: str) -> None:
    game = at(2, "outer", coins={0: 1}, weapons={0: "sword"}, statues=f"0 {kind} a1")
    play(game, "ring:perform", "dir:e")
    assert game.snapshot()["mausoleum"][0]["kind"] == kind
    assert list(game.states[0]["rider_type"]) == [WARRIORS.index(kind), -1, -1, -1]


def test_riders_and_archers_lie_in_the_record_in_the_order_of_their_spaces() -> None:
    riders = position(statues="0 officer c3 d3 e3, 0 guard a1 b1 c1, 1 guard i7 i6 i5, 1 guard a6 b6 c6")
    assert list(riders.states[0]["rider_cell"]) == [0, 20, 45, 62]
    archers = position(statues="0 officer b2, archer b1 n, archer a2 e, archer c2 w, archer b3 s")
    assert list(archers.states[0]["archer_cell"]) == [1, 9, 11, 19]
    assert list(archers.states[0]["archer_facing"]) == [0, 1, 3, 2]


@pytest.mark.parametrize("first", ["0c", "1c"])
def test_r07_an_artisan_beside_a_craftsman_cannot_be_upgraded(first: str) -> None:
    # of the two workers on segment 7 the one placed now acts
    assert offers(7, "inner", "artisan", artisans={0: 1}, wheel={7: first}) == {"clay", "coin", "nothing"}


def test_r09_an_artisan_beside_a_craftsman_goes_on_with_its_own_actions() -> None:
    game = stand(position(artisans={0: 1}, wheel={7: "1c"}), 7, "artisan")
    workers = [{"owner": 1, "kind": "craftsman"}, {"owner": 0, "kind": "artisan"}]
    assert game.snapshot()["wheel"]["7"]["workers"] == workers
    assert game.snapshot()["pending"] == {"decision": "ring", "segment": 7, "ring": "inner"}


@pytest.mark.parametrize("faced", ["1 soldier c3", "1 soldier a3 b3 c3", "1 soldier c5 b5 a5"])
@pytest.mark.parametrize("row", [1, 7])
def test_r23_an_archer_breaks_no_tie_where_the_faced_warrior_does_not_count(faced: str, row: int) -> None:
    facing = f"archer d{faced.split()[2][1]} w"
    statues = f"0 officer e{row}, 1 guard g{row}, {faced}, {facing}"
    assert round_vp("row_inspector", row=row, statues=statues) == [3, 3]
    beside = f"0 officer e{row}, 1 guard c{row}, archer d{row} w"
    assert round_vp("row_inspector", row=row, statues=beside) == [3, 7]


def test_r23_the_last_of_four_archers_breaks_ties_too() -> None:
    # two archers on each of the tied warriors; b2 comes last in the order of the spaces
    statues = "0 officer b1, 1 guard d1, archer a1 e, archer c1 e, archer e1 w"
    assert round_vp("row_inspector", statues=statues) == [3, 7]
    assert round_vp("row_inspector", statues=f"{statues}, archer b2 s") == [3, 3]


@pytest.mark.parametrize("upgraded", range(5))
def test_r07_every_craftsman_down_to_the_last_can_be_upgraded(upgraded: int) -> None:
    assert "perform" in offers(7, "inner", "craftsman", artisans={0: upgraded})
