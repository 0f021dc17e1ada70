"""R18-R22: buying Masters and their abilities."""

from typing import Any

import pytest

from terracotta_env.position import Position
from tests.rules.positions import (
    ALL_WEAPONS,
    CELLS,
    MASTERS,
    at,
    cells,
    column_of,
    earned,
    filled,
    offers,
    play,
    player,
    position,
    stand,
    where,
)

SEGMENT = {"builder": 1, "clay_maker": 3, "administrator": 5, "supervisor": 7, "inspector": 9, "blacksmith": 11}
FREE = {"clay", "coin", "nothing"}


def asked(game: Position) -> str:
    found: str = game.snapshot()["pending"]["decision"]
    return found


def visit(master: str, **edits: Any) -> Position:
    """Seat 0 has performed the Master."""
    return at(SEGMENT[master], "middle", **edits).play("ring:perform")


def owner(master: str, **edits: Any) -> Position:
    """Seat 0, who owns the Master with token 6, has performed it."""
    return visit(master, masters={0: {master: 6}}, **edits)


def offered(master: str, **edits: Any) -> bool:
    """Is performing offered to seat 0, who owns it?"""
    found = offers(SEGMENT[master], "middle", masters={0: {master: 6}}, **edits)
    assert found - {"perform"} == FREE
    return "perform" in found


# R18 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("master", MASTERS)
@pytest.mark.parametrize(("coins", "tokens"), [(1, []), (2, [1, 2]), (4, [1, 2, 3, 4]), (9, [1, 2, 3, 4, 5, 6])])
def test_r18_any_token_that_can_be_paid(master: str, coins: int, tokens: list[int]) -> None:
    game = visit(master, coins={0: coins})
    if coins == 1:  # token 1 is the only option
        assert player(game, 0)["masters"] == {master: 1}
    else:
        assert game.legal() == [f"token:{price}" for price in tokens]


def test_r18_only_remaining_tokens() -> None:
    game = visit("builder", coins={0: 9}, masters={0: {"inspector": 2, "supervisor": 5}})
    assert game.legal() == ["token:1", "token:3", "token:4", "token:6"]


@pytest.mark.parametrize("price", range(1, 7))
def test_r18_the_price_is_paid_and_the_token_spent(price: int) -> None:
    game = visit("clay_maker", coins={0: 8}).play(f"token:{price}")
    assert player(game, 0)["coins"] == 8 - price
    assert player(game, 0)["tokens"] == [p for p in range(1, 7) if p != price]
    assert player(game, 0)["masters"] == {"clay_maker": price}


@pytest.mark.parametrize("master", MASTERS)
def test_r18_without_a_token_that_can_be_paid_it_is_not_offered(master: str) -> None:
    assert offers(SEGMENT[master], "middle", coins={0: 0}) == FREE
    two_left = {"builder": 1, "administrator": 2, "inspector": 3, "clay_maker": 4, "supervisor": 5, "blacksmith": 6}
    del two_left[master]
    left = next(price for price in range(1, 7) if price not in two_left.values())
    assert "perform" not in offers(SEGMENT[master], "middle", coins={0: left - 1}, masters={0: two_left})
    assert "perform" in offers(SEGMENT[master], "middle", coins={0: left}, masters={0: two_left})


def test_r18_it_is_offered_whatever_is_left_for_the_ability() -> None:
    # 3 coins in round 3: token 3 leaves nothing for the Builder
    game = visit("builder", game_round=3, coins={0: 3})
    assert game.legal() == ["token:1", "token:2", "token:3"]


def test_r18_the_ability_follows_the_purchase() -> None:
    game = visit("builder", game_round=2, coins={0: 3}).play("token:1")
    assert asked(game) == "builder_type"


@pytest.mark.parametrize(
    ("master", "edits"),
    [
        ("builder", {"game_round": 3, "coins": {0: 5}}),  # token 3 leaves 2 coins, the Builder asks 3
        ("builder", {"coins": {0: 9}, "statues": filled({0: 15})}),  # no base
        ("administrator", {"inner": 4, "coins": {0: 9}}),  # a warrior for 2 lies on segment 5, and there is no wet clay
        ("supervisor", {"coins": {0: 9}, "warehouses": (0, 0, 0, 0)}),
        ("blacksmith", {"coins": {0: 9}, "weapons": {0: ALL_WEAPONS}}),
    ],
)
def test_r18_a_new_owner_whose_ability_changes_nothing_is_not_asked(master: str, edits: dict[str, Any]) -> None:
    game = visit(master, **edits).play("token:3")
    assert player(game, 0)["masters"] == {master: 3}
    assert asked(game) in ("ring", "rotate")
    assert game.snapshot()["pending"].get("ring") != "middle"


@pytest.mark.parametrize("master", ["builder", "administrator", "inspector"])
def test_r18_builder_administrator_and_inspector_may_be_declined(master: str) -> None:
    for game in (visit(master, coins={0: 9}).play("token:2"), owner(master)):
        assert "decline" in game.legal()
        assert len(game.legal()) >= 2
        before = game.snapshot()
        after = game.play("decline").snapshot()
        for key in ("players", "mausoleum", "inspectors", "warehouses", "organizer"):
            assert after[key] == before[key]


def test_r18_the_supervisor_cannot_be_declined() -> None:
    assert "decline" not in visit("supervisor", coins={0: 9}).play("token:2").legal()
    assert "decline" not in owner("supervisor").legal()


@pytest.mark.parametrize(("coins", "game_round"), [(1, 1), (2, 2), (5, 5)])
def test_r18_owned_builder_needs_coins_for_the_round(coins: int, game_round: int) -> None:
    assert offered("builder", coins={0: coins}, game_round=game_round)
    assert not offered("builder", coins={0: coins - 1}, game_round=game_round)


def test_r18_owned_builder_needs_a_base() -> None:
    assert offered("builder", statues=filled({0: 14}))
    assert not offered("builder", statues=filled({0: 15}))


def test_r18_owned_builder_needs_a_figure() -> None:
    assert offered("builder", players=3, statues=filled({0: 13, 1: 15, 2: 15}))
    assert not offered("builder", players=3, statues=filled({0: 14, 1: 15, 2: 15}))


def test_r18_owned_builder_needs_a_space() -> None:
    full = {0: 11, 1: 11, 2: 11, 3: 10}
    assert offered("builder", players=4, statues=filled(full, riders=4, specialists=11))
    assert not offered("builder", players=4, statues=filled(full, riders=4, specialists=12))


def test_r18_owned_administrator_needs_an_inner_action_that_can_be_performed() -> None:
    # inner offset 4 puts a warrior for 2 on segment 5
    assert offered("administrator", inner=4, wet={0: 2})
    assert not offered("administrator", inner=4, wet={0: 1})
    assert offered("administrator", inner=0, wet={0: 0})  # 4 clay: always
    assert not offered("administrator", inner=1, dry={0: 0})  # soaking without dry clay
    assert offered("administrator", inner=1, dry={0: 1})


def test_r18_owned_supervisor_needs_clay_in_any_warehouse() -> None:
    assert offered("supervisor", warehouses=(0, 0, 0, 1))
    assert not offered("supervisor", warehouses=(0, 0, 0, 0))


def test_r18_owned_blacksmith_needs_an_inactive_weapon() -> None:
    assert offered("blacksmith", weapons={0: "sword halberd crossbow"})
    assert not offered("blacksmith", weapons={0: ALL_WEAPONS})


@pytest.mark.parametrize("master", ["inspector", "clay_maker"])
def test_r18_owned_inspector_and_clay_maker_are_always_offered(master: str) -> None:
    assert offered(master, coins={0: 0})


@pytest.mark.parametrize("master", MASTERS)
def test_r18_an_owned_master_is_used_without_paying_or_a_second_token(master: str) -> None:
    game = owner(master, coins={0: 9})
    assert asked(game) != "master_token"
    assert player(game, 0)["coins"] == 9
    assert player(game, 0)["masters"] == {master: 6}


def test_r18_every_player_may_own_the_same_master() -> None:
    game = visit("clay_maker", masters={1: {"clay_maker": 1}}, coins={0: 9})
    assert asked(game.play("token:1")) == "ring"
    assert column_of(game, "masters") == [{"clay_maker": 1}, {"clay_maker": 1}]


def test_r18_buying_is_performing_no_clay_or_coin_beside_it() -> None:
    game = visit("blacksmith", coins={0: 6}, weapons={0: ALL_WEAPONS}).play("token:6")
    assert (player(game, 0)["coins"], player(game, 0)["wet"]) == (0, 0)
    assert game.to_act == 1  # the Musician on the outer ring cannot be paid: the turn is over


# R19 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_round", [1, 2, 3, 4, 5])
def test_r19_builder_costs_coins_equal_to_the_round(game_round: int) -> None:
    game = owner("builder", game_round=game_round, coins={0: 5}).play("warrior:guard")
    assert player(game, 0)["coins"] == 5 - game_round


@pytest.mark.parametrize(
    ("statues", "types"),
    [
        ("", ["crossbowman", "guard", "officer", "soldier"]),
        ("1 officer a1", ["crossbowman", "guard", "soldier"]),
        ("1 officer a1, 1 guard a2, 1 soldier a3, 1 soldier a4", ["crossbowman"]),
        ("1 officer a1, 1 guard a2, 1 crossbowman a3, 1 soldier a4, 1 soldier a5", ["crossbowman", "guard", "officer"]),
    ],
)
def test_r19_builder_takes_a_type_with_the_most_figures_left(statues: str, types: list[str]) -> None:
    assert owner("builder", statues=statues).legal() == ["decline", *(f"warrior:{kind}" for kind in types)]


def test_r19_builders_warrior_scores_no_vp_and_uses_no_weapon() -> None:
    game = play(owner("builder", weapons={0: ALL_WEAPONS}), "warrior:guard", "cell:e4")
    assert game.points() == [0, 0]
    assert all(player(game, 0)["weapons"].values())
    assert asked(game) != "weapon"
    assert where(game) == {"e4": "0 guard"}


def test_r19_builder_takes_no_clay_and_fills_no_warehouse() -> None:
    game = play(owner("builder", wet={0: 3}), "warrior:guard", "cell:e4")
    assert player(game, 0)["wet"] == 3
    assert game.snapshot()["warehouses"] == [1, 1, 1, 1]


def test_r19_builder_uses_up_a_base_and_a_figure() -> None:
    game = play(owner("builder"), "warrior:guard", "cell:e4")
    assert player(game, 0)["bases"] == 14
    assert game.snapshot()["organizer"]["guard"] == 10


def test_r19_builder_places_on_any_empty_space() -> None:
    game = owner("builder", statues="1 officer e4, footman a1").play("warrior:guard")
    assert set(CELLS) - set(cells(game)) == {"e4", "a1"}


# R20 -----------------------------------------------------------------------------------------------------------------


def test_r20_administrator_offers_only_performing_or_declining() -> None:
    assert owner("administrator").legal() == ["decline", "ring:perform"]


@pytest.mark.parametrize("first", ["ring:perform", "ring:clay", "ring:coin", "ring:nothing"])
def test_r20_it_does_not_matter_what_was_done_before(first: str) -> None:
    game = at(5, masters={0: {"administrator": 1}})  # inner: 4 clay
    wet = {"ring:perform": 4, "ring:clay": 1, "ring:coin": 0, "ring:nothing": 0}[first]
    play(game, first, "ring:perform", "ring:perform")
    assert player(game, 0)["wet"] == wet + 4


def test_r20_administrator_repeats_at_the_normal_cost() -> None:
    # two warriors for 2 on segment 5
    game = at(5, inner=4, wet={0: 5}, masters={0: {"administrator": 1}})
    play(game, "ring:perform", "warrior:guard", "cell:a1")
    play(game, "ring:perform", "ring:perform", "warrior:guard", "cell:a2")
    assert player(game, 0)["wet"] == 1
    assert where(game) == {"a1": "0 guard", "a2": "0 guard"}


def test_r20_a_repeated_warrior_is_like_any_other() -> None:
    game = at(5, "middle", inner=4, wet={0: 2}, weapons={0: "spear"}, masters={0: {"administrator": 1}})
    play(game, "ring:perform", "ring:perform", "warrior:soldier", "cell:a1", "weapon:use")
    assert game.snapshot()["warehouses"] == [1, 2, 1, 1]
    assert earned(game, 0) == {"organizer": 6, "soldier": 1}
    assert player(game, 0)["coins"] == 5


def test_r20_after_the_repetition_comes_the_outer_ring() -> None:
    game = at(5, "middle", weapons={0: "halberd"}, masters={0: {"administrator": 1}})
    play(game, "ring:perform", "ring:perform")
    assert game.snapshot()["pending"] == {"decision": "ring", "segment": 5, "ring": "outer"}


def test_r20_an_artisan_cannot_be_upgraded_a_second_time() -> None:
    # upgrade on segment 5; after it the Administrator has nothing to do
    game = at(5, inner=10, masters={0: {"administrator": 1}})
    assert game.snapshot()["wheel"]["5"]["inner"] == "upgrade"
    play(game, "ring:perform")
    assert "ring:perform" not in game.legal()


def test_r20_administrator_may_upgrade_where_it_was_not_done() -> None:
    game = play(at(5, "middle", inner=10, masters={0: {"administrator": 1}}), "ring:perform", "ring:perform")
    assert game.snapshot()["wheel"]["5"]["workers"] == [{"owner": 0, "kind": "artisan"}]


def test_r20_an_artisan_has_nothing_to_upgrade() -> None:
    game = at(5, "middle", inner=10, coins={0: 6}, artisans={0: 1}, worker="artisan").play("ring:perform")
    assert asked(game.play("token:2")) != "administrator"


def test_r20_the_ring_as_it_stands_after_the_rotation() -> None:
    # turning the Inner Ring brings the soaking from segment 4 to segment 5, in place of the clay
    game = stand(position(masters={0: {"administrator": 1}}, dry={0: 2}), 5, rotate="inner")
    play(game, "ring:nothing", "ring:perform", "ring:perform")
    assert (player(game, 0)["wet"], player(game, 0)["dry"]) == (2, 0)


# R21 -----------------------------------------------------------------------------------------------------------------


def test_r21_inspector_moves_one_pawn_1_or_2_steps_forward() -> None:
    assert owner("inspector").legal() == [
        "decline",
        "inspector:column+1",
        "inspector:column+2",
        "inspector:row+1",
        "inspector:row+2",
    ]


@pytest.mark.parametrize(
    ("token", "start", "goal"),
    [
        ("inspector:row+1", (3, "c"), (4, "c")),
        ("inspector:row+2", (3, "c"), (5, "c")),
        ("inspector:column+1", (3, "c"), (3, "d")),
        ("inspector:column+2", (3, "c"), (3, "e")),
        ("inspector:row+2", (6, "h"), (1, "h")),
        ("inspector:row+2", (7, "h"), (2, "h")),
        ("inspector:column+2", (6, "h"), (6, "a")),
        ("inspector:column+2", (6, "i"), (6, "b")),
    ],
)
def test_r21_steps_go_round_the_track(token: str, start: tuple[int, str], goal: tuple[int, str]) -> None:
    game = owner("inspector", row=start[0], column=start[1]).play(token)
    assert game.snapshot()["inspectors"] == {"row": goal[0], "column": goal[1]}
    assert game.points() == [0, 0]


# R22 -----------------------------------------------------------------------------------------------------------------

PAIRS = ["1,2", "1,3", "1,4", "2,3", "2,4", "3,4"]


@pytest.mark.parametrize("warehouses", [(1, 1, 1, 1), (0, 0, 0, 5), (2, 0, 0, 3)])
def test_r22_all_six_pairs_are_offered(warehouses: tuple[int, ...]) -> None:
    assert owner("supervisor", warehouses=warehouses).legal() == [f"warehouses:{pair}" for pair in PAIRS]


@pytest.mark.parametrize("pair", PAIRS)
def test_r22_supervisor_takes_all_clay_of_both_dry(pair: str) -> None:
    game = owner("supervisor", warehouses=(1, 2, 4, 8), wet={0: 1}, dry={0: 1}).play(f"warehouses:{pair}")
    named = [int(number) - 1 for number in pair.split(",")]
    assert player(game, 0)["dry"] == 1 + sum((1, 2, 4, 8)[i] for i in named)
    assert player(game, 0)["wet"] == 1
    assert game.snapshot()["warehouses"] == [0 if i in named else (1, 2, 4, 8)[i] for i in range(4)]


def test_r22_clay_maker_gives_3_wet_clay() -> None:
    assert player(owner("clay_maker", wet={0: 1}, dry={0: 1}), 0)["wet"] == 4


@pytest.mark.parametrize("active", ["", "sword", "halberd crossbow spear"])
def test_r22_blacksmith_readies_all_weapons(active: str) -> None:
    assert all(player(owner("blacksmith", weapons={0: active}), 0)["weapons"].values())
