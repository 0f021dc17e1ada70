"""R1-R4 and R29: the Mausoleum, the wheel, tiles, Priority tokens, number of players."""

import re

import pytest

from terracotta_env.army import GAME
from terracotta_env.army.board import board_data, load_board
from terracotta_env.errors import BoardError, SetupError
from terracotta_env.position import Position
from tests.rules.positions import CELLS, at, cells, idle, opening, play, position, round_vp, stand

SETUP = {"inner_offset": 0, "middle_offset": 0, "tiles": ["nw", "ne", "sw", "se", "row"], "turn_order": [0, 1]}


def ring(game: Position, name: str) -> list[str]:
    """What a ring shows on segments 1..12 now."""
    return [entry[name] for entry in game.snapshot()["wheel"].values()]


# R1 ------------------------------------------------------------------------------------------------------------------


def test_r01_mausoleum_has_63_spaces() -> None:
    game = play(at(1, wet={0: 2}), "ring:perform", "warrior:soldier")
    assert len(CELLS) == 63
    assert sorted(cells(game)) == sorted(CELLS)


def test_r01_mausoleum_is_empty_at_the_start() -> None:
    assert opening()["mausoleum"] == []


@pytest.mark.parametrize(
    ("tile", "inside", "outside"),
    [
        ("row", "a4 e4 i4", "e3 e5 a5 i3"),
        ("column", "e1 e4 e7", "d4 f4 d1 f7"),
        ("nw", "a5 d5 a7 d7", "a4 d4 e5 e7 f7"),
        ("ne", "f5 i5 f7 i7", "f4 i4 e5 e7 d7"),
        ("sw", "a1 d1 a3 d3", "a4 d4 e1 e3 f1"),
        ("se", "f1 i1 f3 i3", "f4 i4 e1 e3 d1"),
    ],
)
def test_r01_areas_of_the_tiles(tile: str, inside: str, outside: str) -> None:
    for cell in inside.split():
        assert round_vp("tile", tile=tile, statues=f"1 guard {cell}") == [0, 4], cell
    for cell in outside.split():
        assert round_vp("tile", tile=tile, statues=f"1 guard {cell}") == [0, 0], cell


def test_r01_north_is_towards_row_7_and_east_towards_column_i() -> None:
    game = play(at(2, "outer", coins={0: 1}, weapons={0: "sword"}, statues="0 officer e4"), "ring:perform")
    assert game.legal() == ["dir:e", "dir:n", "dir:s", "dir:w"]
    assert play(game.clone(), "dir:n").snapshot()["mausoleum"][0]["spaces"] == ["e4", "e5", "e6"]
    assert play(game.clone(), "dir:e").snapshot()["mausoleum"][0]["spaces"] == ["e4", "f4", "g4"]
    assert play(game.clone(), "dir:s").snapshot()["mausoleum"][0]["spaces"] == ["e4", "e3", "e2"]
    assert play(game.clone(), "dir:w").snapshot()["mausoleum"][0]["spaces"] == ["e4", "d4", "c4"]


# R2 ------------------------------------------------------------------------------------------------------------------


def test_r02_inner_ring_turns_clockwise() -> None:
    game = position()
    before = ring(game, "inner")
    after = ring(game.play("rotate:inner"), "inner")
    assert after[1:] == before[:11]  # from segment g to g + 1
    assert after[0] == before[11]  # from 12 to 1


def test_r02_middle_ring_turns_counterclockwise() -> None:
    game = position()
    before = ring(game, "middle")
    after = ring(game.play("rotate:middle"), "middle")
    assert after[:11] == before[1:]  # from segment g to g - 1
    assert after[11] == before[0]  # from 1 to 12


@pytest.mark.parametrize(("token", "still"), [("rotate:inner", "middle"), ("rotate:middle", "inner")])
def test_r02_turning_one_ring_leaves_the_others(token: str, still: str) -> None:
    game = position()
    before = ring(game, still), ring(game, "outer")
    game.play(token)
    assert (ring(game, still), ring(game, "outer")) == before


def test_r02_offset_k_puts_the_first_entry_on_segment_1_plus_k() -> None:
    game = position(inner=3, middle=11)
    assert ring(game, "inner")[3] == "warrior:2"
    assert ring(game, "middle")[11] == "master:builder"


@pytest.mark.parametrize("board", GAME.notation.board_names())
def test_r02_each_ring_holds_only_its_kinds(board: str) -> None:
    game = position(board=board) if board != "shuffled" else Position.from_seed(GAME, 2, 1, board)
    assert {re.sub(":.*", "", word) for word in ring(game, "inner")} == {"coins", "clay", "warrior", "soak", "upgrade"}
    assert {re.sub(":.*", "", word) for word in ring(game, "middle")} == {"coins", "clay", "priority", "master"}
    assert {re.sub(":.*", "", word) for word in ring(game, "outer")} == {"ready", "specialist"}


@pytest.mark.parametrize(
    ("name", "word"), [("inner", "priority"), ("middle", "warrior:2"), ("middle", "soak"), ("outer", "coins:2")]
)
def test_r02_another_board_is_rejected(name: str, word: str) -> None:
    data = board_data(load_board("flat").template)
    data["wheel"][name][0] = word
    with pytest.raises(BoardError, match=rf"wheel\.{name}\[0\]: expected one of .*, got '{word}'"):
        load_board(data)


# R3 (the draws themselves are tested in test_setup.py) ---------------------------------------------------------------


@pytest.mark.parametrize("order", [[2, 0, 1], [0, 2, 1], [2, 1, 0]])
def test_r03_any_order_of_the_seats_is_accepted(order: list[int]) -> None:
    game = Position.from_setup(GAME, 3, {**SETUP, "turn_order": order})
    assert game.snapshot()["turn_order"] == order
    assert game.to_act == order[0]


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (4, 4), (4, 5)])
def test_r03_the_others_follow_the_starting_seat_clockwise(players: int, seed: int) -> None:
    order = Position.from_seed(GAME, players, seed).snapshot()["turn_order"]
    assert order == [(order[0] + place) % players for place in range(players)]


def test_r03_five_different_tiles_are_drawn() -> None:
    for seed in range(50):
        assert len(set(Position.from_seed(GAME, 2, seed).snapshot()["tiles"])) == 5


# R4 ------------------------------------------------------------------------------------------------------------------


def test_r04_there_are_twelve_scoring_tiles() -> None:
    tiles = ["row", "column", "officer", "guard", "crossbowman", "soldier", "nw", "ne", "sw", "se", "coins", "clay"]
    drawn = {tile for seed in range(50) for tile in Position.from_seed(GAME, 2, seed).snapshot()["tiles"]}
    assert drawn == set(tiles)
    assert len(drawn) == 12


def test_r04_no_other_tile_is_accepted() -> None:
    with pytest.raises(SetupError, match=r"tiles\[4\]: expected one of .*, got 'horse'"):
        Position.from_setup(GAME, 2, {**SETUP, "tiles": ["nw", "ne", "sw", "se", "horse"]})


@pytest.mark.parametrize(("players", "stack"), [(2, [1]), (3, [1, 2]), (4, [1, 2, 3])])
def test_r04_priority_tokens_in_play_by_number_of_players(players: int, stack: list[int]) -> None:
    assert opening(players)["priority_stack"] == stack


# R29 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r29_two_to_four_players(players: int) -> None:
    assert Position.from_seed(GAME, players, 0).players == players


@pytest.mark.parametrize("players", [0, 1, 5])
def test_r29_no_solo_mode_and_no_five_players(players: int) -> None:
    with pytest.raises(SetupError, match="players: expected one of 2, 3, 4"):
        Position.from_seed(GAME, players, 0)


def test_r29_no_snapshot_with_one_player() -> None:
    snapshot = opening()
    snapshot["players"].pop()
    with pytest.raises(SetupError, match="players: expected 2 to 4"):
        Position.from_snapshot(GAME, snapshot)


def test_r02_rings_turn_one_step_each_at_the_end_of_a_round() -> None:
    game = position(last=0, inner=11, middle=0)
    idle(game)
    assert game.snapshot()["inner_offset"] == 0  # clockwise, past 12
    assert game.snapshot()["middle_offset"] == 11  # counterclockwise, past 1
    assert stand(game, 1).snapshot()["wheel"]["1"]["inner"] == "warrior:2"
