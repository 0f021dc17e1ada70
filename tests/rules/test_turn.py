"""R5-R9: the order of decisions, what is offered and what is not, when costs are paid, workers on the wheel."""

from typing import Any

import pytest

from terracotta_env.errors import IllegalActionError
from tests.rules.positions import (
    ALL_WEAPONS,
    at,
    cells,
    column_of,
    earned,
    filled,
    idle,
    offers,
    play,
    player,
    position,
    stand,
)

TURNING = {"clay", "coin", "nothing"}  # what the Inner and Middle Ring offer beside performing
FULL = {0: 11, 1: 11, 2: 11, 3: 10}  # 43 warriors; with four riders and twelve Specialists no space is left


# R5 ------------------------------------------------------------------------------------------------------------------


def test_r05_order_of_a_turn() -> None:
    game = position()
    asked = []
    for token in ("rotate:none", "place:craftsman:2", "ring:nothing", "ring:nothing"):
        pending = game.snapshot()["pending"]
        asked.append((pending["decision"], pending.get("ring")))
        game.play(token)
    assert asked == [("rotate", None), ("place", None), ("ring", "inner"), ("ring", "middle")]
    assert game.to_act == 1  # the Horse cannot be bought: the Outer Ring is not asked


def test_r05_outer_action_comes_last() -> None:
    game = at(1, "outer")
    assert game.snapshot()["pending"] == {"decision": "ring", "segment": 1, "ring": "outer"}
    assert game.play("ring:perform").to_act == 1


def test_r05_sub_decisions_come_before_the_next_ring() -> None:
    game = at(1, wet={0: 2}, weapons={0: "spear"})
    asked = []
    for token in ("ring:perform", "warrior:soldier", "cell:a1", "weapon:use"):
        game.play(token)
        asked.append(game.snapshot()["pending"]["decision"])
    assert asked == ["warrior_type", "warrior_cell", "weapon", "ring"]
    assert game.snapshot()["pending"]["ring"] == "middle"


def test_r05_place_is_not_offered_before_the_rotation_is_decided() -> None:
    assert position().legal() == ["rotate:inner", "rotate:middle", "rotate:none"]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_r05_turns_follow_the_turn_order(order: list[int]) -> None:
    game = position(3, order=order)
    seats = []
    for _ in range(6):
        seats.append(game.to_act)
        idle(game)
    assert seats == order * 2


def test_r05_a_seat_without_workers_is_passed_over() -> None:
    game = position(3, wheel={1: "1c", 2: "1c", 3: "1c", 4: "1c"})
    assert idle(game).to_act == 2


# R6 ------------------------------------------------------------------------------------------------------------------


def test_r06_rotation_is_not_asked_without_coins() -> None:
    assert position(coins={0: 1}).snapshot()["pending"] == {"decision": "place"}


def test_r06_the_only_free_segment_is_not_asked() -> None:
    game = position(3, last=2, at=7, coins={2: 0})
    assert game.snapshot()["pending"] == {"decision": "ring", "segment": 7, "ring": "inner"}


def test_r06_outer_ring_is_not_asked_where_only_nothing_is_left() -> None:
    game = at(1, weapons={0: "halberd"})
    assert play(game, "ring:nothing", "ring:nothing").to_act == 1


def test_r06_the_only_token_that_can_be_paid_is_not_asked() -> None:
    game = play(at(3, "middle", coins={0: 1}), "ring:perform")
    assert player(game, 0)["masters"] == {"clay_maker": 1}


def test_r06_the_only_rider_is_not_asked() -> None:
    game = at(2, "outer", coins={0: 1}, weapons={0: "sword"}, statues="0 guard a1")
    assert game.play("ring:perform").snapshot()["pending"]["decision"] == "horse_direction"


def test_r06_the_only_direction_of_a_horse_is_not_asked() -> None:
    statues = "0 guard a1, 1 guard a2"  # only east is free
    game = at(2, "outer", coins={0: 1}, weapons={0: "sword"}, statues=statues)
    assert game.play("ring:perform").to_act == 1
    assert game.snapshot()["mausoleum"][0]["spaces"] == ["a1", "b1", "c1"]


def test_r06_the_only_facing_of_an_archer_is_not_asked() -> None:
    game = at(8, "outer", coins={0: 1}, weapons={0: "crossbow"}, statues="1 guard a1")
    assert play(game, "ring:perform", "cell:a2").to_act == 1


def test_r06_the_last_type_with_figures_is_not_asked() -> None:
    statues = filled({0: 11, 1: 11, 2: 11})  # no officer, guard and crossbowman left
    game = at(1, players=4, to_move=3, wet={3: 2}, statues=statues).play("ring:perform")
    assert game.snapshot()["pending"] == {
        "decision": "warrior_cell",
        "segment": 1,
        "ring": "inner",
        "warrior": "soldier",
    }


def test_r06_a_builder_with_one_type_is_asked_because_of_decline() -> None:
    statues = "1 guard a1, 1 crossbowman a2, 1 soldier a3"
    game = at(1, "middle", masters={0: {"builder": 1}}, statues=statues).play("ring:perform")
    assert game.legal() == ["decline", "warrior:officer"]


# R7: what is offered, one clause after another -----------------------------------------------------------------------


@pytest.mark.parametrize(("coins", "offered"), [(0, False), (1, False), (2, True), (3, True)])
def test_r07_turning_a_ring_needs_2_coins(coins: int, offered: bool) -> None:
    legal = position(coins={0: coins}).legal()
    assert ("rotate:inner" in legal) is offered
    assert ("rotate:middle" in legal) is offered


@pytest.mark.parametrize("segment", range(1, 13))
@pytest.mark.parametrize("ring", ["inner", "middle"])
def test_r07_clay_coin_and_nothing_are_always_offered_on_inner_and_middle(segment: int, ring: str) -> None:
    # with nothing at all, and with everything
    assert offers(segment, ring, coins={0: 0}) - {"perform"} == TURNING
    rich: dict[str, Any] = {"coins": {0: 20}, "wet": {0: 20}, "dry": {0: 5}}
    assert offers(segment, ring, **rich) == TURNING | {"perform"}


@pytest.mark.parametrize("segment", range(1, 13))
def test_r07_outer_ring_offers_nothing_but_never_clay_or_coin(segment: int) -> None:
    rich: dict[str, Any] = {"coins": {0: 20}, "statues": "0 officer e4"}
    assert offers(segment, "outer", weapons={0: ""}, coins={0: 0}) <= {"perform", "nothing"}
    assert offers(segment, "outer", weapons={0: ALL_WEAPONS}, **rich) <= {"perform", "nothing"}
    assert "nothing" in offers(segment, "outer", **rich)


@pytest.mark.parametrize(("segment", "cost"), [(1, 2), (3, 3), (6, 4), (9, 3)])
def test_r07_warrior_needs_enough_wet_clay(segment: int, cost: int) -> None:
    assert "perform" in offers(segment, "inner", wet={0: cost})
    assert "perform" not in offers(segment, "inner", wet={0: cost - 1})


def test_r07_dry_clay_does_not_pay_for_a_warrior() -> None:
    assert offers(1, "inner", wet={0: 1}, dry={0: 9}) == TURNING


@pytest.mark.parametrize(("own", "offered"), [(14, True), (15, False)])
def test_r07_warrior_needs_a_base(own: int, offered: bool) -> None:
    assert ("perform" in offers(1, "inner", wet={0: 9}, statues=filled({0: own}))) is offered


@pytest.mark.parametrize(("standing", "offered"), [({0: 14, 1: 15, 2: 14}, True), ({0: 14, 1: 15, 2: 15}, False)])
def test_r07_warrior_needs_a_figure(standing: dict[int, int], offered: bool) -> None:
    # 43 and 44 of the 44 figures stand
    assert ("perform" in offers(1, "inner", players=3, wet={0: 9}, statues=filled(standing))) is offered


@pytest.mark.parametrize(("specialists", "offered"), [(11, True), (12, False)])
def test_r07_warrior_needs_a_space(specialists: int, offered: bool) -> None:
    statues = filled(FULL, riders=4, specialists=specialists)
    assert ("perform" in offers(1, "inner", players=4, wet={0: 9}, statues=statues)) is offered


def test_r07_only_types_with_figures_left_are_offered() -> None:
    statues = filled({0: 11, 1: 1})  # all officers, one guard
    game = at(1, wet={1: 2}, to_move=1, statues=statues).play("ring:perform")
    assert game.legal() == ["warrior:crossbowman", "warrior:guard", "warrior:soldier"]


def test_r07_upgrade_needs_a_craftsman() -> None:
    assert "perform" in offers(7, "inner", "craftsman", artisans={0: 1})
    assert offers(7, "inner", "artisan", artisans={0: 1}) == TURNING


@pytest.mark.parametrize(("dry", "offered"), [(0, False), (1, True)])
def test_r07_soaking_needs_dry_clay(dry: int, offered: bool) -> None:
    assert ("perform" in offers(4, "inner", wet={0: 3}, dry={0: dry})) is offered


@pytest.mark.parametrize(("segment", "weapon"), [(4, "sword"), (1, "halberd"), (3, "crossbow"), (6, "spear")])
def test_r07_readying_needs_the_inactive_weapon(segment: int, weapon: str) -> None:
    others = ALL_WEAPONS.replace(weapon, "").strip()
    assert offers(segment, "outer", weapons={0: others}) == {"perform", "nothing"}
    assert offers(segment, "outer", weapons={0: weapon}) == {"nothing"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r07_priority_token_needs_one_left(players: int) -> None:
    held = {seat: seat for seat in range(1, players)}  # all others hold one: none is left
    assert offers(4, "middle", players=players) == TURNING | {"perform"}
    assert offers(4, "middle", players=players, priority=held) == TURNING


@pytest.mark.parametrize("players", [3, 4])
def test_r07_no_second_priority_token_for_one_player(players: int) -> None:
    assert offers(4, "middle", players=players, priority={0: 1}) == TURNING
    assert offers(4, "middle", players=players, priority={1: 1}) == TURNING | {"perform"}


SPECIALISTS = [(2, "horse", "sword"), (5, "footman", "halberd"), (8, "archer", "crossbow"), (11, "musician", "spear")]


@pytest.mark.parametrize(("segment", "kind", "weapon"), SPECIALISTS)
def test_r07_specialist_needs_its_weapon_active(segment: int, kind: str, weapon: str) -> None:
    others = ALL_WEAPONS.replace(weapon, "").strip()
    assert offers(segment, "outer", weapons={0: weapon}, statues="0 guard e4") == {"perform", "nothing"}
    assert offers(segment, "outer", weapons={0: others}, statues="0 guard e4") == {"nothing"}


FOUR_OF = {
    "horse": "1 guard a1 b1 c1, 1 guard a2 b2 c2, 1 guard a3 b3 c3, 1 guard a4 b4 c4",
    "footman": "footman a1, footman a2, footman a3, footman a4",
    "archer": "archer a1 e, archer a2 e, archer a3 e, archer a4 e",
    "musician": "musician a1, musician a2, musician a3, musician a4",
}


@pytest.mark.parametrize(("segment", "kind", "weapon"), SPECIALISTS)
@pytest.mark.parametrize("standing", [0, 1, 2, 3])
def test_r07_specialist_needs_the_coins(segment: int, kind: str, weapon: str, standing: int) -> None:
    statues = ", ".join(["0 guard h4", *FOUR_OF[kind].split(", ")[:standing]])
    cost = standing + 1
    enough = offers(segment, "outer", weapons={0: weapon}, statues=statues, coins={0: cost})
    short = offers(segment, "outer", weapons={0: weapon}, statues=statues, coins={0: cost - 1})
    assert enough == {"perform", "nothing"}
    assert short == {"nothing"}


@pytest.mark.parametrize(("segment", "kind", "weapon"), SPECIALISTS)
def test_r07_specialist_needs_a_figure(segment: int, kind: str, weapon: str) -> None:
    statues = f"0 guard h4, {FOUR_OF[kind]}"
    assert offers(segment, "outer", weapons={0: weapon}, statues=statues, coins={0: 99}) == {"nothing"}


@pytest.mark.parametrize(("segment", "specialists"), [(5, 12), (11, 12)])
def test_r07_specialist_needs_a_space(segment: int, specialists: int) -> None:
    # 44 warriors, four of them mounted, and eleven Specialists: no space; the kind in question has one figure left
    missing = "footman" if segment == 5 else "musician"
    entries = filled({0: 11, 1: 11, 2: 11, 3: 11}, riders=4, specialists=12 - 1).split(", ")
    kinds = [entry.split()[0] for entry in entries]
    if kinds.count(missing) == 4:  # let an archer take the place of one
        i = kinds.index(missing)
        entries[i] = f"archer {entries[i].split()[1]} e"
    edits: dict[str, Any] = {"players": 4, "coins": {0: 20}, "weapons": {0: ALL_WEAPONS}}
    assert offers(segment, "outer", statues=", ".join(entries), **edits) == {"nothing"}
    assert offers(segment, "outer", statues=", ".join(entries[1:]), **edits) == {"perform", "nothing"}


def test_r07_guard_names_only_a_warrior_that_can_move() -> None:
    # a1 is shut in by a2 and b1; i7 and both of those can move; the enemy's d4 is not ours
    statues = "0 officer a1, 0 officer a2, 0 officer b1, 0 officer i7, 1 officer d4"
    game = at(1, wet={0: 2}, weapons={0: "halberd"}, statues=statues)
    play(game, "ring:perform", "warrior:guard", "cell:e6", "weapon:use")
    assert game.legal() == ["cell:a2", "cell:b1", "cell:i7", "decline"]


def test_r07_guard_without_a_warrior_that_can_move_is_not_asked() -> None:
    game = at(1, wet={0: 2}, weapons={0: "halberd"}, statues="0 officer a1, 1 officer a2, 1 officer b1")
    play(game, "ring:perform", "warrior:guard", "cell:e6", "weapon:use")
    assert game.snapshot()["pending"]["ring"] == "middle"
    assert earned(game, 0)["guard"] == 3


def test_r07_horse_names_only_a_rider_with_two_free_spaces() -> None:
    # a1: b1, c1 free; c3: every direction has a statue on the first or second space; i7: h7, g7 free
    statues = "0 officer a1, 1 guard a2, 0 officer c3, 1 guard d3, 1 guard b3, 1 guard c5, 1 guard c2, 0 soldier i7"
    game = at(2, "outer", coins={0: 1}, weapons={0: "sword"}, statues=statues).play("ring:perform")
    assert cells(game) == ["a1", "i7"]


def test_r07_horse_is_not_offered_without_a_rider_that_has_room() -> None:
    lone = "1 guard a1"  # the enemy's
    shut = "0 guard b1, 1 guard b2, 1 guard d1"  # west one space, east one space, north none
    mounted = "0 guard a1 b1 c1"
    for statues in ("", lone, shut, mounted):
        assert offers(2, "outer", coins={0: 9}, weapons={0: "sword"}, statues=statues) == {"nothing"}


@pytest.mark.parametrize("owner", [0, 1])
def test_r07_archer_stands_only_beside_a_warrior_of_any_player(owner: int) -> None:
    game = at(8, "outer", coins={0: 1}, weapons={0: "crossbow"}, statues=f"{owner} guard a1, footman e4")
    assert cells(game.play("ring:perform")) == ["a2", "b1"]


def test_r07_archer_is_not_offered_without_a_warrior_beside_an_empty_space() -> None:
    shut = "1 guard a1, footman a2, footman b1"
    for statues in ("", "footman e4", shut):
        assert offers(8, "outer", coins={0: 9}, weapons={0: "crossbow"}, statues=statues) == {"nothing"}


# R8: costs at the first moment after which the player is bound --------------------------------------------------------


@pytest.mark.parametrize("token", ["rotate:inner", "rotate:middle"])
def test_r08_rotation_is_paid_with_its_token(token: str) -> None:
    assert player(position(coins={0: 5}).play(token), 0)["coins"] == 3


def test_r08_warrior_is_paid_before_its_type_is_chosen() -> None:
    game = at(6, wet={0: 6}).play("ring:perform")
    assert game.snapshot()["pending"]["decision"] == "warrior_type"
    assert player(game, 0)["wet"] == 2
    assert game.snapshot()["warehouses"] == [1, 2, 1, 1]


def test_r08_specialist_is_paid_before_its_space_is_chosen() -> None:
    game = at(5, "outer", coins={0: 4}, weapons={0: "halberd"}).play("ring:perform")
    assert game.snapshot()["pending"]["decision"] == "specialist_cell"
    assert player(game, 0)["coins"] == 3
    assert player(game, 0)["weapons"]["halberd"] is False


def test_r08_master_is_paid_with_its_token() -> None:
    game = at(9, "middle", coins={0: 5}).play("ring:perform")
    assert player(game, 0)["coins"] == 5
    game.play("token:4")
    assert game.snapshot()["pending"]["decision"] == "master_inspector"
    assert player(game, 0)["coins"] == 1


def test_r08_builder_is_paid_with_the_type() -> None:
    game = at(1, "middle", game_round=3, coins={0: 5}, masters={0: {"builder": 1}}).play("ring:perform")
    assert player(game, 0)["coins"] == 5
    game.play("warrior:soldier")
    assert game.snapshot()["pending"]["decision"] == "builder_cell"
    assert player(game, 0)["coins"] == 2


def test_r08_organizer_vp_are_scored_with_the_space() -> None:
    game = play(at(1, wet={0: 2}, weapons={0: "sword"}), "ring:perform", "warrior:officer")
    assert game.points() == [0, 0]
    assert game.play("cell:a1").points() == [6, 0]
    assert game.snapshot()["pending"]["decision"] == "weapon"


def test_r08_weapon_vp_are_scored_before_the_move_is_chosen() -> None:
    game = at(1, wet={0: 2}, weapons={0: "halberd"}, statues="0 officer e4")
    play(game, "ring:perform", "warrior:guard", "cell:a1", "weapon:use")
    assert game.snapshot()["pending"]["decision"] == "guard_warrior"
    assert earned(game, 0) == {"organizer": 6, "guard": 3}


@pytest.mark.parametrize(
    ("segment", "ring", "edits", "key", "value"),
    [
        (2, "inner", {}, "coins", 7),
        (5, "inner", {}, "wet", 4),
        (4, "inner", {"dry": {0: 3}}, "wet", 3),
        (7, "inner", {}, "artisans_in_supply", 4),
        (2, "middle", {}, "coins", 5),
        (6, "middle", {}, "wet", 2),
        (4, "middle", {}, "priority", 1),
        (3, "middle", {"masters": {0: {"clay_maker": 1}}}, "wet", 3),
        (11, "middle", {"masters": {0: {"blacksmith": 1}}}, "weapons", dict.fromkeys(ALL_WEAPONS.split(), True)),
    ],
)
def test_r08_what_has_no_alternative_is_automatic(
    segment: int, ring: str, edits: dict[str, Any], key: str, value: object
) -> None:
    game = at(segment, ring, **edits).play("ring:perform")
    assert player(game, 0)[key] == value
    assert game.snapshot()["pending"].get("ring") != ring  # nothing more is asked on this ring


def test_r08_readying_is_automatic() -> None:
    game = at(4, "outer").play("ring:perform")
    assert player(game, 0)["weapons"] == {"sword": True, "halberd": False, "crossbow": False, "spear": False}
    assert game.to_act == 1


@pytest.mark.parametrize(("segment", "master"), [(3, "clay_maker"), (11, "blacksmith")])
def test_r08_clay_maker_and_blacksmith_cannot_be_declined(segment: int, master: str) -> None:
    game = at(segment, "middle").play("ring:perform")
    with pytest.raises(IllegalActionError):
        game.play("decline")
    assert game.play("token:2").snapshot()["pending"].get("ring") != "middle"
    assert player(game, 0)["masters"] == {master: 2}


def test_r08_crossbowmans_best_direction_is_automatic() -> None:
    # west 3 empty spaces to a4, north 2 to e7
    game = at(1, wet={0: 2}, weapons={0: "crossbow"}, statues="1 guard a4, 1 guard e7")
    play(game, "ring:perform", "warrior:crossbowman", "cell:e4", "weapon:use")
    assert earned(game, 0)["crossbowman"] == 3
    assert game.snapshot()["pending"]["ring"] == "middle"


def test_r08_protecting_clay_is_automatic() -> None:
    game = idle(position(last=0, wet={0: 3}, masters={0: {"supervisor": 1}}))
    assert (player(game, 0)["wet"], player(game, 0)["dry"]) == (1, 2)
    assert game.snapshot()["round"] == 2


# R9 ------------------------------------------------------------------------------------------------------------------


def places(game_places: list[str], kind: str) -> set[int]:
    """Segments offered to a kind of worker."""
    return {int(token.split(":")[2]) for token in game_places if token.startswith(f"place:{kind}:")}


def test_r09_empty_segments_take_any_worker() -> None:
    legal = position(artisans={0: 1}).play("rotate:none").legal()
    assert places(legal, "craftsman") == places(legal, "artisan") == set(range(1, 13))


@pytest.mark.parametrize("owner", [0, 1])
def test_r09_beside_a_craftsman_of_anybody_only_an_artisan(owner: int) -> None:
    legal = position(artisans={0: 1}, wheel={5: f"{owner}c"}).play("rotate:none").legal()
    assert 5 not in places(legal, "craftsman")
    assert 5 in places(legal, "artisan")


@pytest.mark.parametrize("owner", [0, 1])
def test_r09_an_artisan_closes_its_segment(owner: int) -> None:
    legal = position(artisans={0: 2, 1: 1}, wheel={5: f"{owner}a"}).play("rotate:none").legal()
    assert 5 not in places(legal, "craftsman") | places(legal, "artisan")


def test_r09_two_workers_fill_a_segment() -> None:
    legal = position(artisans={0: 2}, wheel={5: "1c 0a"}).play("rotate:none").legal()
    assert 5 not in places(legal, "craftsman") | places(legal, "artisan")


def test_r09_a_worker_in_hand_is_needed_of_that_kind() -> None:
    legal = position(artisans={0: 5}).play("rotate:none").legal()
    assert places(legal, "craftsman") == set()
    legal = position().play("rotate:none").legal()
    assert places(legal, "artisan") == set()


def test_r09_the_second_worker_gets_the_whole_segment() -> None:
    game = at(5, "inner", "artisan", artisans={0: 1}, wheel={5: "1c"}).play("ring:perform")
    assert player(game, 0)["wet"] == 4
    assert game.snapshot()["wheel"]["5"]["workers"] == [
        {"owner": 1, "kind": "craftsman"},
        {"owner": 0, "kind": "artisan"},
    ]


def test_r09_an_upgraded_worker_closes_its_segment_at_once() -> None:
    game = at(7, artisans={1: 1}).play("ring:perform")
    assert game.snapshot()["wheel"]["7"]["workers"] == [{"owner": 0, "kind": "artisan"}]
    play(game, "ring:nothing", "ring:nothing", "rotate:none")
    assert 7 not in places(game.legal(), "artisan")


def test_r09_the_upgraded_craftsman_leaves_for_good_and_the_artisan_stays() -> None:
    game = play(position(last=0, at=7), "rotate:none", "place:craftsman:7", "ring:perform", "ring:nothing")
    game.play("ring:nothing")
    assert game.snapshot()["round"] == 2
    assert column_of(game, "craftsmen") == [4, 5]
    assert column_of(game, "artisans") == [1, 0]
    assert column_of(game, "artisans_in_supply") == [4, 5]


def test_r09_the_turn_goes_on_for_an_upgraded_worker() -> None:
    game = stand(position(), 7).play("ring:perform")
    assert game.to_act == 0
    assert game.snapshot()["pending"]["ring"] == "middle"
