"""R27 and R28: End Game Scoring and the winner."""

import pytest

from tests.rules.positions import column_of, earned, end_vp, idle, play, position, stand

# Footmen -------------------------------------------------------------------------------------------------------------


def footman(statues: str, players: int = 2) -> list[int]:
    return end_vp("footman", players, statues=statues)


@pytest.mark.parametrize("cell", ["d3", "e3", "f3", "d4", "f4", "d5", "e5", "f5"])
def test_r27_a_footman_sees_the_eight_spaces_around_it(cell: str) -> None:
    assert footman(f"0 officer {cell}, footman e4") == [8, 0]


@pytest.mark.parametrize("cell", ["c4", "g4", "e2", "e6", "c2", "g6", "a1"])
def test_r27_a_footman_sees_no_further(cell: str) -> None:
    assert footman(f"0 officer {cell}, footman e4") == [0, 0]


def test_r27_a_footman_in_the_corner_does_not_see_round_the_board() -> None:
    assert footman("0 officer a2, 1 guard i1, 1 guard i2, footman a1") == [8, 0]


@pytest.mark.parametrize(
    ("statues", "players", "vp"),
    [
        ("", 2, [0, 0]),
        ("1 guard d4", 2, [0, 8]),  # one player alone dominates
        ("1 guard d4, 1 soldier d5, 0 officer f4", 2, [2, 8]),
        ("1 guard d4, 0 officer f4", 2, [2, 2]),
        ("1 guard d4, 0 officer f4, archer c4 e", 2, [2, 8]),  # archers break ties
        ("0 guard d4, 0 guard d5, 1 guard e5, 2 soldier f5", 3, [8, 2, 2]),
        ("0 guard d4, 0 guard d5, 1 guard e5, 1 guard f4, 2 soldier f5", 3, [2, 2, 2]),
        ("3 guard d4, 3 guard d5, 1 guard e5", 4, [0, 2, 0, 8]),
    ],
)
def test_r27_footman_domination_8_presence_2(statues: str, players: int, vp: list[int]) -> None:
    assert footman(f"{statues}{', ' if statues else ''}footman e4", players) == vp


def test_r27_each_footman_is_scored() -> None:
    assert footman("0 officer b2, 1 guard d2, footman a2, footman c2") == [8 + 2, 2]


def test_r27_footmen_count_warriors_that_are_in_no_group() -> None:
    game = idle(position(last=0, game_round=5, coins={0: 0}, statues="0 officer d4, footman e4"))
    assert earned(game, 0)["footman"] == 8
    assert "group_members" not in earned(game, 0)


def test_r27_specialists_do_not_count_around_a_footman() -> None:
    # a tie for both Footmen, whatever else stands around them
    assert footman("0 officer d4, 1 guard f4, footman e4, footman e5, musician e3, archer d5 n") == [2 + 2, 2 + 2]


# Groups --------------------------------------------------------------------------------------------------------------


def members(statues: str, players: int = 2) -> list[int]:
    return end_vp("group_members", players, statues=statues)


def contest(statues: str, players: int = 2) -> list[int]:
    return end_vp("group_contest", players, statues=statues)


@pytest.mark.parametrize(
    ("statues", "vp"),
    [
        ("0 officer a1", [0, 0]),  # one miniature is no group
        ("0 officer a1, 0 officer b1", [2, 0]),
        ("0 officer a1, 0 officer b2", [0, 0]),  # not orthogonally adjacent
        ("0 officer a1, 0 guard b1", [0, 0]),  # not of one type
        ("0 officer a1, 0 officer b1, 0 officer b2", [3, 0]),  # connected through b1
        ("0 officer a1, 1 officer b1", [2, 2]),  # two players: 2 VP each
        ("0 officer a1, 0 officer b1, 1 officer c1", [4, 2]),
        ("0 officer a1, 0 officer b1, 0 officer d1, 1 officer e1", [2 + 2, 2]),  # two groups, each for itself
        ("0 officer i1, 0 officer a2", [0, 0]),  # rows do not wrap
        ("0 officer a1, 0 officer b1, footman c1, 0 officer d1", [2, 0]),  # a Specialist does not connect
    ],
)
def test_r27_each_warrior_is_worth_the_number_of_players_in_its_group(statues: str, vp: list[int]) -> None:
    assert members(statues) == vp


def test_r27_three_and_four_players_in_a_group() -> None:
    three = "0 officer a1, 0 officer b1, 1 officer c1, 2 officer d1"
    assert members(three, 3) == [6, 3, 3]
    assert members(f"{three}, 3 officer e1, 3 officer f1, 3 officer g1", 4) == [8, 4, 4, 12]


@pytest.mark.parametrize(
    ("statues", "players", "vp"),
    [
        ("0 officer a1, 0 officer b1", 2, [0, 0]),  # one player only: not contested
        ("0 officer a1, 0 officer b1, 1 officer c1", 2, [5, 2]),
        ("0 officer a1, 1 officer b1", 2, [2, 2]),
        ("0 officer a1, 1 officer b1, archer b2 s", 2, [2, 5]),
        ("0 officer a1, 1 officer b1, archer b2 s, archer a2 s", 2, [2, 2]),
        ("0 officer a1, 0 officer b1, 1 officer c1, 2 officer d1", 3, [5, 2, 2]),
        ("0 officer a1, 0 officer b1, 1 officer c1, 1 officer d1, 2 officer e1", 3, [2, 2, 2]),
        ("0 officer a1, 1 officer b1, 2 officer c1, 3 officer d1", 4, [2, 2, 2, 2]),
    ],
)
def test_r27_group_domination_5_presence_2(statues: str, players: int, vp: list[int]) -> None:
    assert contest(statues, players) == vp


def test_r27_no_presence_for_who_has_no_warrior_in_the_group() -> None:
    assert contest("0 officer a1, 0 officer b1, 1 officer c1, 2 guard d1, 2 officer i7", 3) == [5, 2, 0]


def test_r27_separate_groups_of_one_type_are_contested_separately() -> None:
    assert contest("0 officer a1, 0 officer b1, 1 officer c1, 0 officer e1, 1 officer f1, 1 officer g1") == [7, 7]


def test_r27_an_archer_on_a_warrior_of_another_group_does_not_break_the_tie() -> None:
    # groups a1-b1 and g1-h1; the archer on i1 faces h1
    statues = "0 officer a1, 1 officer b1, 0 officer g1, 1 officer h1, archer i1 w"
    assert contest(statues) == [2 + 2, 2 + 5]


def test_r27_archers_do_not_help_who_is_not_tied_in_the_group() -> None:
    statues = "0 officer a1, 0 officer b1, 1 officer c1, archer c2 s, archer d1 w"
    assert contest(statues) == [5, 2]


# Groups with archers


def test_r27_one_warrior_and_an_archer_facing_it_are_a_group() -> None:
    assert members("0 officer a1, archer b1 w") == [1, 0]
    assert contest("0 officer a1, archer b1 w") == [0, 0]


def test_r27_an_archer_beside_a_warrior_it_does_not_face_makes_no_group() -> None:
    assert members("0 officer a1, 1 guard c1, archer b1 e") == [0, 1]


def test_r27_an_archer_is_of_the_faced_type_on_its_own_space_and_connects() -> None:
    # the archer on b1 faces the officer on a1 and connects it with the officer on c1, but not with the guard on b2
    statues = "0 officer a1, archer b1 w, 1 officer c1, 1 guard b2"
    assert members(statues) == [2, 2]
    assert contest(statues) == [5, 2]


def test_r27_an_archer_that_faces_nobody_does_not_connect() -> None:
    assert members("0 officer a1, archer b1 n, 1 officer c1") == [0, 0]


def test_r27_an_archer_is_not_counted_as_a_warrior() -> None:
    # three archers on seat 1's officer do not make it the most; they count no member
    statues = "0 officer a1, 0 officer b1, 1 officer c1, archer c2 s, archer d1 w"
    assert members(statues) == [4, 2]


def test_r27_two_archers_connect_as_a_chain() -> None:
    # both are officers: c1 faces the officer on b1, d1 faces the officer on d2; e1 is beside d1
    assert members("0 officer b1, archer c1 w, archer d1 n, 1 officer d2, 1 officer e1") == [2, 4]


def test_r27_archers_of_different_types_do_not_connect() -> None:
    assert members("0 officer b1, archer c1 w, archer d1 n, 1 guard d2, 1 officer e1") == [1, 1]


# Groups with riders


def test_r27_a_rider_alone_is_no_group() -> None:
    assert members("0 officer a1 b1 c1") == [0, 0]


@pytest.mark.parametrize("cell", ["a2", "b2", "c2", "d1"])
def test_r27_a_rider_connects_through_all_three_spaces(cell: str) -> None:
    assert members(f"0 officer a1 b1 c1, 1 officer {cell}") == [2, 2]


def test_r27_a_rider_joins_groups_at_both_ends() -> None:
    statues = "1 officer a1, 0 officer b1 c1 d1, 1 officer e1"
    assert members(statues) == [2, 4]
    assert contest(statues) == [2, 5]


def test_r27_a_rider_keeps_its_type_in_groups() -> None:
    assert members("0 officer a1 b1 c1, 1 guard d1") == [0, 0]


def test_r27_two_riders_side_by_side_are_a_group() -> None:
    assert members("0 officer a1 b1 c1, 1 officer a2 b2 c2") == [2, 2]


def test_r27_a_rider_with_an_archer_that_faces_its_middle_space_is_a_group() -> None:
    assert members("0 officer a1 b1 c1, archer b2 s") == [1, 0]
    assert end_vp("archer", statues="0 officer a1 b1 c1, archer b2 s") == [2, 0]


# Archers -------------------------------------------------------------------------------------------------------------


def test_r27_an_archer_brings_2_vp_to_the_faced_player() -> None:
    assert end_vp("archer", 3, statues="0 officer a1, 2 guard c1, archer b1 e") == [0, 0, 2]


def test_r27_each_archer_counts_also_on_the_same_warrior() -> None:
    assert end_vp("archer", statues="1 guard b2, archer a2 e, archer b1 n, archer c2 w") == [0, 6]


def test_r27_archers_bring_nothing_before_the_end() -> None:
    assert end_vp("archer", statues="1 guard c1, archer b1 e") == [0, 2]
    game = idle(position(last=0, game_round=4, statues="1 guard c1, archer b1 e"))
    assert "archer" not in earned(game, 1)


# Leftovers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coins", "wet", "dry", "vp"),
    [(0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 2, 1), (1, 1, 0, 1), (1, 1, 1, 1), (1, 1, 2, 2), (3, 4, 2, 4), (0, 7, 0, 3)],
)
def test_r27_one_vp_for_every_two_leftovers(coins: int, wet: int, dry: int, vp: int) -> None:
    # of the sum: one coin and one clay make a pair; half points are not given
    assert end_vp("leftovers", coins={0: coins, 1: 0}, wet={0: wet}, dry={0: dry}) == [vp, 0]


def test_r27_clay_in_warehouses_belongs_to_nobody() -> None:
    assert end_vp("leftovers", coins={0: 0, 1: 0}, warehouses=(8, 8, 8, 8)) == [0, 0]


def test_r27_the_end_is_scored_once_after_round_5_only() -> None:
    statues = "0 officer a1, 1 officer b1, archer c1 w, footman b2"
    sources = ("footman", "group_members", "group_contest", "archer", "leftovers")
    early = idle(position(last=0, game_round=4, statues=statues))
    assert not any(ledger[source] for ledger in column_of(early, "ledger") for source in sources)
    late = idle(position(last=0, game_round=5, statues=statues))
    assert {source: vp for source, vp in earned(late, 1).items() if source in sources} == {
        "footman": 8,
        "group_members": 2,
        "group_contest": 5,
        "archer": 2,
        "leftovers": 1,
    }


def test_r27_nothing_can_be_played_after_the_end() -> None:
    game = idle(position(last=0, game_round=5))
    assert game.over
    assert game.to_act is None
    assert game.legal() == []


# R28 -----------------------------------------------------------------------------------------------------------------

NO_LEFTOVERS = dict.fromkeys(range(4), 0)


@pytest.mark.parametrize(
    ("vp", "order", "ranking"),
    [
        ([10, 20], [0, 1], [1, 0]),
        ([20, 10], [1, 0], [0, 1]),
        ([10, 10], [0, 1], [0, 1]),
        ([10, 10], [1, 0], [1, 0]),
        ([5, 9, 7], [0, 1, 2], [1, 2, 0]),
        ([9, 9, 9], [2, 0, 1], [2, 0, 1]),
        ([9, 12, 9], [2, 0, 1], [1, 2, 0]),  # a tie for the second place
        ([9, 12, 9], [0, 1, 2], [1, 0, 2]),
        ([1, 2, 2, 3], [3, 2, 1, 0], [3, 2, 1, 0]),
        ([3, 3, 0, 0], [3, 1, 2, 0], [1, 0, 3, 2]),
        ([7, 7, 7, 7], [1, 3, 0, 2], [1, 3, 0, 2]),
    ],
)
def test_r28_most_vp_then_the_place_in_the_turn_order(vp: list[int], order: list[int], ranking: list[int]) -> None:
    game = position(len(vp), game_round=5, last=order[-1], order=order, vp=dict(enumerate(vp)), coins=NO_LEFTOVERS)
    assert idle(game).ranking() == ranking


def test_r28_the_final_turn_order_decides_a_tie() -> None:
    # seat 1 holds the "1" and is first after the last Cleanup
    game = idle(position(3, game_round=5, last=2, priority={1: 1}, vp={0: 9, 1: 9, 2: 9}, coins=NO_LEFTOVERS))
    assert game.snapshot()["turn_order"] == [1, 0, 2]
    assert game.ranking() == [1, 0, 2]


def test_r28_a_priority_token_taken_with_the_last_worker_decides_a_tie() -> None:
    game = position(game_round=5, last=1, at=4, vp={0: 9, 1: 9}, coins=NO_LEFTOVERS)
    play(stand(game, 4), "ring:nothing", "ring:perform", "ring:nothing")
    assert game.over
    assert game.ranking() == [1, 0]


def test_r28_the_payoffs_rank_without_ties() -> None:
    game = idle(position(4, game_round=5, last=3, vp={0: 9, 1: 9, 2: 9, 3: 1}, coins=NO_LEFTOVERS))
    assert game.returns().tolist() == [1, pytest.approx(1 / 3), pytest.approx(-1 / 3), -1]


def test_r28_no_ranking_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        position().ranking()
