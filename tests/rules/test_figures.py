"""Every number the rulebook gives, named after what it counts."""

from typing import Any

import pytest

from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.rules.positions import (
    ALL_WEAPONS,
    CELLS,
    at,
    column_of,
    earned,
    end_vp,
    filled,
    idle,
    offers,
    opening,
    play,
    player,
    position,
    round_vp,
    stand,
)

# Game Components ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["officer", "guard", "crossbowman", "soldier"])
def test_11_figures_of_each_warrior(kind: str) -> None:
    assert opening()["organizer"][kind] == 11


@pytest.mark.parametrize("kind", ["horse", "footman", "archer", "musician"])
def test_4_figures_of_each_specialist(kind: str) -> None:
    assert opening()["specialists_left"][kind] == 4


def test_4_weapon_tokens_for_each_player_of_4_types() -> None:
    weapons = dict.fromkeys(("sword", "halberd", "crossbow", "spear"), False)
    assert [entry["weapons"] for entry in opening(4)["players"]] == [weapons] * 4


def test_6_master_tokens_for_each_player() -> None:
    assert [len(entry["tokens"]) for entry in opening(4)["players"]] == [6] * 4


def test_15_bases_for_each_player() -> None:
    assert [entry["bases"] for entry in opening(4)["players"]] == [15] * 4


def test_12_scoring_tiles_and_5_in_a_game() -> None:
    tiles = {tile for seed in range(60) for tile in Position.from_seed(GAME, 3, seed).snapshot()["tiles"]}
    assert len(tiles) == 12
    assert len(opening()["tiles"]) == 5


def test_2_inspectors() -> None:
    assert set(opening()["inspectors"]) == {"row", "column"}


def test_3_rings_of_12_segments() -> None:
    wheel = opening()["wheel"]
    assert list(wheel) == [str(segment) for segment in range(1, 13)]
    assert {tuple(entry) for entry in wheel.values()} == {("inner", "middle", "outer", "workers")}


@pytest.mark.parametrize(("key", "segment"), [("coins", 2), ("wet", 5)])
def test_more_than_90_coins_or_clay_are_no_limit(key: str, segment: int) -> None:
    edits: dict[str, Any] = {key: {0: 95, 1: 95}}
    game = at(segment, **edits).play("ring:perform")
    assert player(game, 0)[key] == 99


# Game Setup -----------------------------------------------------------------------------------------------------------


def test_each_of_4_warehouses_starts_with_1_dry_clay() -> None:
    assert opening()["warehouses"] == [1, 1, 1, 1]


def test_inspectors_start_on_the_first_space_of_their_tracks() -> None:
    assert opening()["inspectors"] == {"row": 1, "column": "a"}


def test_the_game_starts_in_round_1() -> None:
    assert opening()["round"] == 1
    assert opening()["tile"] == opening()["tiles"][0]


@pytest.mark.parametrize("board", ["reconstructed", "flat", "rising", "specialists-outside"])
@pytest.mark.parametrize("order", [[0, 1], [1, 0], [0, 1, 2], [1, 2, 0], [3, 0, 1, 2], [2, 0, 3, 1]])
def test_starting_resources_by_place_in_turn_order(order: list[int], board: str) -> None:
    setup = {"inner_offset": 0, "middle_offset": 0, "tiles": ["nw", "ne", "sw", "se", "row"], "turn_order": order}
    game = Position.from_setup(GAME, len(order), setup, board)
    coins, wet = (3, 3, 4, 5), (0, 1, 2, 3)  # 3 coins; then nothing, 1 wet, 2 wet and 1 coin, 3 wet and 2 coins
    for place, seat in enumerate(order):
        assert player(game, seat)["coins"] == coins[place]
        assert player(game, seat)["wet"] == wet[place]
        assert player(game, seat)["dry"] == 0


@pytest.mark.parametrize(("players", "workers"), [(2, 5), (3, 4), (4, 3)])
def test_5_4_or_3_craftsmen_and_artisans_for_2_3_or_4_players(players: int, workers: int) -> None:
    for entry in opening(players)["players"]:
        assert entry["craftsmen"] == workers
        assert entry["artisans"] == 0
        assert entry["artisans_in_supply"] == workers


def test_everybody_starts_with_0_vp_and_no_master_or_priority_token() -> None:
    for entry in opening(4)["players"]:
        assert (entry["vp"], entry["masters"], entry["priority"]) == (0, {}, None)


# Victory Points beyond the track --------------------------------------------------------------------------------------


@pytest.mark.parametrize("vp", [95, 99, 195, 199, 295])
def test_vp_go_on_beyond_100_and_200(vp: int) -> None:
    game = play(at(1, vp={0: vp}, wet={0: 2}), "ring:perform", "warrior:officer", "cell:a1")
    assert game.points() == [vp + 6, 0]


# Round Structure ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_5_rounds(players: int) -> None:
    game, rounds, turns = position(players), [], 0
    while not game.over:
        rounds.append(GAME.notation.round_of(game.states))
        idle(game)
        turns += 1
    each_round = {2: 10, 3: 12, 4: 12}[players]
    assert rounds == [number for number in (1, 2, 3, 4, 5) for _ in range(each_round)]
    assert turns == 5 * each_round


def test_2_worker_spaces_in_a_segment() -> None:
    one = position(artisans={0: 2}, wheel={5: "1c"}).play("rotate:none").legal()
    two = position(artisans={0: 2}, wheel={5: "1c 0a"}).play("rotate:none").legal()
    assert "place:artisan:5" in one
    assert "place:artisan:5" not in two


# Action Phase ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["rotate:inner", "rotate:middle"])
def test_rotation_costs_2_coins(token: str) -> None:
    assert player(position(coins={0: 7}).play(token), 0)["coins"] == 5
    assert player(position(coins={0: 7}).play("rotate:none"), 0)["coins"] == 7


def test_only_1_rotation_in_a_turn() -> None:
    game = position(coins={0: 9}).play("rotate:inner")
    assert all(token.startswith("place:") for token in game.legal())


def test_a_rotation_is_1_step() -> None:
    assert position().play("rotate:inner").snapshot()["inner_offset"] == 1
    assert position(middle=7).play("rotate:middle").snapshot()["middle_offset"] == 6


@pytest.mark.parametrize("ring", ["inner", "middle"])
def test_1_wet_clay_or_1_coin_instead_of_an_action(ring: str) -> None:
    assert player(at(4, ring).play("ring:clay"), 0)["wet"] == 1
    assert player(at(4, ring).play("ring:coin"), 0)["coins"] == 4
    nothing = player(at(4, ring).play("ring:nothing"), 0)
    assert (nothing["wet"], nothing["coins"]) == (0, 3)


@pytest.mark.parametrize(
    ("segment", "ring", "key", "number"),
    [
        (2, "inner", "coins", 4),
        (8, "inner", "coins", 3),
        (2, "middle", "coins", 2),
        (8, "middle", "coins", 3),
        (5, "inner", "wet", 4),
        (11, "inner", "wet", 4),
        (6, "middle", "wet", 2),
        (12, "middle", "wet", 2),
    ],
)
def test_receive_2_3_or_4_coins_or_2_or_4_wet_clay(segment: int, ring: str, key: str, number: int) -> None:
    game = at(segment, ring, coins={0: 1}, wet={0: 1}).play("ring:perform")
    assert player(game, 0)[key] == 1 + number


@pytest.mark.parametrize(("segment", "cost"), [(1, 2), (3, 3), (9, 3), (6, 4)])
def test_a_warrior_costs_2_3_or_4_wet_clay(segment: int, cost: int) -> None:
    assert player(at(segment, wet={0: 7}).play("ring:perform"), 0)["wet"] == 7 - cost


def test_1_of_the_paid_clay_goes_to_the_warehouse() -> None:
    assert at(6, wet={0: 4}).play("ring:perform").snapshot()["warehouses"] == [1, 2, 1, 1]


def test_soaking_turns_all_dry_clay() -> None:
    game = at(4, wet={0: 1}, dry={0: 6}).play("ring:perform")
    assert (player(game, 0)["wet"], player(game, 0)["dry"]) == (7, 0)


@pytest.mark.parametrize(("number", "clay"), [(1, 0), (2, 1), (3, 2)])
def test_priority_tokens_bring_the_clay_printed_on_them(number: int, clay: int) -> None:
    held = {seat: seat for seat in range(1, number)}
    game = at(4, "middle", players=4, priority=held).play("ring:perform")
    assert player(game, 0)["priority"] == number
    assert player(game, 0)["wet"] == clay
    assert game.snapshot()["priority_stack"] == list(range(number + 1, 4))


@pytest.mark.parametrize(("segment", "weapon"), [(4, "sword"), (1, "halberd"), (3, "crossbow"), (6, "spear")])
def test_ready_flips_1_weapon(segment: int, weapon: str) -> None:
    game = at(segment, "outer").play("ring:perform")
    assert [name for name, active in player(game, 0)["weapons"].items() if active] == [weapon]


# Statues --------------------------------------------------------------------------------------------------------------

ORGANIZERS = {
    "reconstructed": [6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 2],
    "flat": [4] * 11,
    "rising": [2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6],
    "specialists-outside": [6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 2],
}


@pytest.mark.parametrize("board", list(ORGANIZERS))
def test_organizer_vp_of_the_11_figures(board: str) -> None:
    for standing, vp in enumerate(ORGANIZERS[board]):
        statues = ", ".join(f"1 guard {cell}" for cell in CELLS[:standing])
        game = play(at(1, wet={0: 2}, board=board, statues=statues), "ring:perform", "warrior:guard", "cell:i7")
        assert game.points() == [vp, 0]


@pytest.mark.parametrize(
    ("kind", "weapon", "vp"), [("officer", "sword", 1), ("guard", "halberd", 3), ("soldier", "spear", 1)]
)
def test_weapon_vp_officer_1_guard_3_soldier_1(kind: str, weapon: str, vp: int) -> None:
    game = play(at(1, wet={0: 2}, weapons={0: weapon}), "ring:perform", f"warrior:{kind}", "cell:a1", "weapon:use")
    assert earned(game, 0) == {"organizer": 6, kind: vp}


@pytest.mark.parametrize("gap", range(8))
def test_crossbowman_scores_1_for_each_empty_space(gap: int) -> None:
    target = f"1 guard {'bcdefghi'[gap]}1"
    game = at(1, wet={0: 2}, weapons={0: "crossbow"}, statues=target)
    play(game, "ring:perform", "warrior:crossbowman", "cell:a1", "weapon:use")
    assert earned(game, 0).get("crossbowman", 0) == gap


def test_soldier_takes_2_coins() -> None:
    game = at(1, wet={0: 2}, weapons={0: "spear"}, coins={0: 1})
    play(game, "ring:perform", "warrior:soldier", "cell:a1", "weapon:use")
    assert player(game, 0)["coins"] == 3


def test_officer_moves_an_inspector_up_to_1_step() -> None:
    game = at(1, wet={0: 2}, weapons={0: "sword"}).play("ring:perform")
    play(game, "warrior:officer", "cell:a1", "weapon:use")
    assert not [token for token in game.legal() if token.endswith("2")]
    assert "decline" in game.legal()


# segment, weapon, and a statue of the kind in a row
SPECIALISTS = {
    "horse": (2, "sword", "1 guard a{0} b{0} c{0}"),
    "footman": (5, "halberd", "footman a{0}"),
    "archer": (8, "crossbow", "archer a{0} e"),
    "musician": (11, "spear", "musician a{0}"),
}


@pytest.mark.parametrize("kind", list(SPECIALISTS))
@pytest.mark.parametrize("standing", [0, 1, 2, 3])
def test_specialists_cost_1_2_3_4_coins_as_more_of_the_type_stand(kind: str, standing: int) -> None:
    segment, weapon, entry = SPECIALISTS[kind]
    statues = ", ".join(["0 guard h7", *(entry.format(row) for row in range(1, standing + 1))])
    game = at(segment, "outer", coins={0: 10}, weapons={0: weapon}, statues=statues).play("ring:perform")
    assert player(game, 0)["coins"] == 10 - (standing + 1)


@pytest.mark.parametrize("kind", list(SPECIALISTS))
def test_each_specialist_uses_its_weapon(kind: str) -> None:
    segment, weapon, _ = SPECIALISTS[kind]
    game = at(segment, "outer", weapons={0: ALL_WEAPONS}, statues="0 guard h7").play("ring:perform")
    assert [name for name, active in player(game, 0)["weapons"].items() if not active] == [weapon]


def test_a_horse_takes_3_spaces() -> None:
    game = at(2, "outer", weapons={0: "sword"}, statues="0 guard e4")
    play(game, "ring:perform", "dir:e")
    assert game.snapshot()["mausoleum"][0]["spaces"] == ["e4", "f4", "g4"]


# Masters --------------------------------------------------------------------------------------------------------------


def test_token_prices_1_to_6() -> None:
    assert opening()["players"][0]["tokens"] == [1, 2, 3, 4, 5, 6]
    game = at(3, "middle", coins={0: 6}).play("ring:perform")
    assert game.legal() == [f"token:{price}" for price in range(1, 7)]


@pytest.mark.parametrize("game_round", [1, 2, 3, 4, 5])
def test_builder_costs_1_coin_in_round_1_and_5_in_round_5(game_round: int) -> None:
    game = at(1, "middle", game_round=game_round, coins={0: 9}, masters={0: {"builder": 1}})
    play(game, "ring:perform", "warrior:guard")
    assert player(game, 0)["coins"] == 9 - game_round


def test_inspector_moves_1_or_2_steps() -> None:
    game = at(9, "middle", masters={0: {"inspector": 1}}).play("ring:perform")
    assert {token[-2:] for token in game.legal() if token != "decline"} == {"+1", "+2"}


def test_clay_maker_gives_3_wet_clay() -> None:
    assert player(at(3, "middle", masters={0: {"clay_maker": 1}}).play("ring:perform"), 0)["wet"] == 3


def test_supervisor_empties_2_warehouses() -> None:
    game = at(7, "middle", masters={0: {"supervisor": 1}}, warehouses=(2, 3, 4, 5)).play("ring:perform")
    assert game.play("warehouses:2,4").snapshot()["warehouses"] == [2, 0, 4, 0]
    assert player(game, 0)["dry"] == 8


def test_blacksmith_readies_4_weapons() -> None:
    game = at(11, "middle", masters={0: {"blacksmith": 1}}).play("ring:perform")
    assert sum(player(game, 0)["weapons"].values()) == 4


@pytest.mark.parametrize("master", ["builder", "administrator", "inspector"])
def test_cleanup_bonus_of_1_coin(master: str) -> None:
    assert player(idle(position(last=1, masters={0: {master: 1}})), 0)["coins"] == 4


@pytest.mark.parametrize("master", ["clay_maker", "supervisor", "blacksmith"])
def test_cleanup_bonus_protects_1_wet_clay(master: str) -> None:
    game = idle(position(last=1, wet={0: 5}, masters={0: {master: 1}}))
    assert (player(game, 0)["wet"], player(game, 0)["dry"], player(game, 0)["coins"]) == (1, 4, 3)


# Scoring Phase --------------------------------------------------------------------------------------------------------

ROW_OF_TWO = "0 officer b1, 0 officer d1, 1 guard f1"
COLUMN_OF_TWO = "0 officer a2, 0 officer a4, 1 guard a6"


def test_inspector_domination_scores_7() -> None:
    assert round_vp("row_inspector", statues=ROW_OF_TWO)[0] == 7
    assert round_vp("column_inspector", statues=COLUMN_OF_TWO)[0] == 7


def test_inspector_presence_scores_3() -> None:
    assert round_vp("row_inspector", statues=ROW_OF_TWO)[1] == 3
    assert round_vp("column_inspector", statues=COLUMN_OF_TWO)[1] == 3


def test_inspectors_step_1_forward() -> None:
    assert idle(position(last=0, row=2, column="c")).snapshot()["inspectors"] == {"row": 3, "column": "d"}


def test_musician_scores_1_for_each_warrior_in_its_row_or_column() -> None:
    statues = "0 officer a4, 0 guard h4, 0 soldier e7, 1 soldier e1, 1 soldier f5, musician e4"
    assert round_vp("musician", statues=statues) == [3, 1]


def test_each_musician_scores_separately() -> None:
    assert round_vp("musician", statues="0 officer a4, musician e4, musician a7, musician b1") == [2, 0]


def test_a_statue_between_musician_and_warrior_hides_nothing() -> None:
    assert round_vp("musician", statues="0 officer a4, 1 guard b4, footman c4, musician e4") == [1, 1]


@pytest.mark.parametrize(
    ("game_round", "domination", "presence"), [(1, 4, 1), (2, 5, 2), (3, 6, 2), (4, 7, 3), (5, 8, 3)]
)
@pytest.mark.parametrize(
    ("tile", "statues"),
    [
        ("row", "0 officer b4, 0 guard d4, 1 guard f4"),
        ("column", "0 officer e1, 0 guard e3, 1 guard e5"),
        ("officer", "0 officer b4, 0 officer d4, 1 officer f4"),
        ("guard", "0 guard b4, 0 guard d4, 1 guard f4"),
        ("crossbowman", "0 crossbowman b4, 0 crossbowman d4, 1 crossbowman f4"),
        ("soldier", "0 soldier b4, 0 soldier d4, 1 soldier f4"),
        ("nw", "0 officer a5, 0 guard d7, 1 guard b6"),
        ("ne", "0 officer f5, 0 guard i7, 1 guard g6"),
        ("sw", "0 officer a1, 0 guard d3, 1 guard b2"),
        ("se", "0 officer f1, 0 guard i3, 1 guard g2"),
        ("coins", ""),
        ("clay", ""),
    ],
)
def test_tile_scores_by_round(tile: str, statues: str, game_round: int, domination: int, presence: int) -> None:
    edits: dict[str, Any] = {"coins": {0: 5, 1: 1}, "wet": {0: 1, 1: 1}, "dry": {0: 4}}
    vp = round_vp("tile", tile=tile, game_round=game_round, statues=statues, **edits)
    assert vp == [domination, presence]


# Cleanup Phase --------------------------------------------------------------------------------------------------------


def test_rings_turn_1_step_in_the_cleanup() -> None:
    after = idle(position(last=0, inner=4, middle=4)).snapshot()
    assert (after["inner_offset"], after["middle_offset"]) == (5, 3)


# End Game Scoring -----------------------------------------------------------------------------------------------------

AROUND_E4 = "0 officer d4, 0 guard d5, 1 soldier f3, footman e4"


def test_footman_domination_scores_8() -> None:
    assert end_vp("footman", statues=AROUND_E4)[0] == 8


def test_footman_presence_scores_2() -> None:
    assert end_vp("footman", statues=AROUND_E4)[1] == 2


def test_footman_sees_8_spaces() -> None:
    seen = [cell for cell in CELLS if cell != "e4" and end_vp("footman", statues=f"0 guard {cell}, footman e4")[0]]
    assert seen == ["d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]


GROUP = "0 officer a1, 0 officer b1, 1 officer c1"


def test_group_members_score_1_for_each_player_in_the_group() -> None:
    assert end_vp("group_members", statues=GROUP) == [2 * 2, 2]


def test_group_domination_scores_5() -> None:
    assert end_vp("group_contest", statues=GROUP)[0] == 5


def test_group_presence_scores_2() -> None:
    assert end_vp("group_contest", statues=GROUP)[1] == 2


def test_a_group_is_2_or_more_miniatures() -> None:
    assert end_vp("group_members", statues="0 officer a1") == [0, 0]
    assert end_vp("group_members", statues="0 officer a1, 0 officer a2") == [2, 0]


def test_archer_scores_2() -> None:
    assert end_vp("archer", statues="1 officer a1, archer a2 s") == [0, 2]


@pytest.mark.parametrize(("coins", "vp"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (11, 5)])
def test_leftovers_score_1_for_every_2(coins: int, vp: int) -> None:
    assert end_vp("leftovers", coins={0: coins, 1: 0}) == [vp, 0]


def test_15_bases_are_the_limit() -> None:
    assert offers(1, "inner", wet={0: 2}, statues=filled({0: 15})) == {"clay", "coin", "nothing"}


def test_the_second_player_acts_after_the_first() -> None:
    game = position()
    play(stand(game, 1), "ring:nothing", "ring:nothing", "ring:nothing")
    assert game.to_act == 1
    assert column_of(game, "craftsmen") == [4, 5]
