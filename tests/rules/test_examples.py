"""The rulebook's examples, and the points on which the second description of the game differs: the rulebook wins."""

from tests.rules.positions import (
    at,
    column_of,
    earned,
    end_vp,
    idle,
    offers,
    play,
    player,
    position,
    round_vp,
    stand,
)

# Yellow 0, Blue 1, Green 2: a single group of four Officers, two of them Yellow's
FOUR_OFFICERS = "0 officer b2, 0 officer c2, 1 officer c3, 2 officer d3"


def test_example_a_group_of_four_officers_of_three_players() -> None:
    assert end_vp("group_members", 3, statues=FOUR_OFFICERS) == [6, 3, 3]
    assert end_vp("group_contest", 3, statues=FOUR_OFFICERS) == [5, 2, 2]


def test_example_an_officer_that_is_not_adjacent_does_not_belong_to_the_group() -> None:
    statues = f"{FOUR_OFFICERS}, 1 officer f3, 2 officer e4"
    assert end_vp("group_members", 3, statues=statues) == [6, 3, 3]
    assert end_vp("group_contest", 3, statues=statues) == [5, 2, 2]


def test_example_a_soldier_is_no_part_of_a_group_of_officers() -> None:
    assert end_vp("group_members", 3, statues=f"{FOUR_OFFICERS}, 2 soldier b3") == [6, 3, 3]


def test_example_several_groups_of_one_type() -> None:
    assert end_vp("group_members", 3, statues=f"{FOUR_OFFICERS}, 2 officer h7, 2 officer i7") == [6, 3, 3 + 2]


def test_example_the_builder_pays_1_coin_in_round_1_and_2_in_round_2() -> None:
    for game_round in (1, 2):
        game = at(1, "middle", game_round=game_round, masters={0: {"builder": 1}})
        assert player(play(game, "ring:perform", "warrior:guard"), 0)["coins"] == 3 - game_round


def test_example_one_warrior_and_an_archer_facing_it_are_a_group() -> None:
    assert end_vp("group_members", statues="0 guard e4, archer e5 s") == [1, 0]


def test_example_a_horse_with_its_warrior_counts_as_one_around_a_footman() -> None:
    assert end_vp("footman", statues="0 guard d3 d4 d5, 1 guard f4, 1 soldier f5, footman e4") == [2, 8]


def test_example_a_warrior_may_score_for_two_musicians() -> None:
    assert round_vp("musician", statues="0 guard e4, musician e7, musician a4") == [2, 0]


def test_example_presence_of_all_who_are_tied() -> None:
    assert round_vp("row_inspector", 3, statues="0 guard a1, 1 guard c1, 2 guard e1") == [3, 3, 3]


def test_example_domination_brings_no_presence_as_well() -> None:
    assert round_vp("row_inspector", statues="0 guard a1") == [7, 0]
    assert end_vp("footman", statues="0 guard a1, footman a2") == [8, 0]


def test_example_a_protecting_master_does_not_wet_dry_clay() -> None:
    game = idle(position(last=1, dry={0: 3}, masters={0: {"clay_maker": 1, "supervisor": 2}}))
    assert (player(game, 0)["wet"], player(game, 0)["dry"]) == (0, 3)


def test_example_skipping_the_outer_action_brings_nothing() -> None:
    game = at(1, "outer").play("ring:nothing")
    assert (player(game, 0)["coins"], player(game, 0)["wet"]) == (3, 0)
    assert not any(player(game, 0)["weapons"].values())


# The rulebook against the second description


def test_rulebook_wins_the_rotation_comes_before_the_placement() -> None:
    game = position()
    assert game.snapshot()["pending"] == {"decision": "rotate"}
    assert stand(game, 1).snapshot()["pending"]["decision"] == "ring"


def test_rulebook_wins_the_soldier_takes_the_coins_and_the_officer_moves_an_inspector() -> None:
    game = at(1, wet={0: 2}, weapons={0: "sword spear"})
    soldier = play(game.clone(), "ring:perform", "warrior:soldier", "cell:a1", "weapon:use")
    officer = play(game.clone(), "ring:perform", "warrior:officer", "cell:a1", "weapon:use")
    assert player(soldier, 0)["coins"] == 5
    assert player(officer, 0)["coins"] == 3
    assert officer.snapshot()["pending"]["decision"] == "officer_inspector"


def test_rulebook_wins_administrator_repeats_and_supervisor_takes_clay() -> None:
    administrator = play(at(5, "middle", masters={0: {"administrator": 1}}), "ring:perform")
    supervisor = play(at(7, "middle", masters={0: {"supervisor": 1}}), "ring:perform")
    assert administrator.legal() == ["decline", "ring:perform"]
    assert supervisor.legal()[0] == "warehouses:1,2"


def test_rulebook_wins_administrator_brings_a_coin_and_supervisor_protects_clay() -> None:
    masters = {0: {"administrator": 1}, 1: {"supervisor": 1}}
    game = idle(position(last=1, wet={0: 2, 1: 2}, masters=masters))
    assert column_of(game, "coins") == [4, 3]
    assert column_of(game, "wet") == [0, 1]


def test_rulebook_wins_round_5_has_a_cleanup() -> None:
    game = idle(position(last=1, game_round=5, coins={0: 3, 1: 3}, masters={0: {"builder": 1}}))
    assert column_of(game, "coins") == [4, 3]


def test_rulebook_wins_archers_count_each_and_not_by_faced_warrior() -> None:
    assert end_vp("archer", statues="0 guard e4, archer e5 s, archer e3 n") == [4, 0]


def test_rulebook_wins_no_half_points_for_leftovers() -> None:
    assert end_vp("leftovers", coins={0: 3, 1: 0}) == [1, 0]


def test_rulebook_wins_groups_with_archers() -> None:
    # without archers the two guards would be no group
    assert end_vp("group_members", statues="0 guard a1, archer b1 w, 0 guard c1") == [2, 0]


def test_rulebook_wins_the_outer_ring_gives_no_clay_or_coin() -> None:
    assert offers(1, "outer") == {"perform", "nothing"}


def test_a_whole_round_adds_up() -> None:
    # row 1: 0 dominates; column a: a tie; the Musician on a7 sees a1 and a2; the tile `sw`: two against one
    statues = "0 guard a1, 0 soldier d1, 1 guard a2, musician a7"
    game = idle(position(last=0, tile="sw", statues=statues, vp={0: 10, 1: 20}))
    assert earned(game, 0) == {"organizer": 10, "row_inspector": 7, "column_inspector": 3, "musician": 1, "tile": 4}
    assert earned(game, 1) == {"organizer": 20, "column_inspector": 3, "musician": 1, "tile": 1}
    assert game.points() == [25, 25]
