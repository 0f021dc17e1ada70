"""Words: every choice of real games has some, and they say what the rules do."""

from __future__ import annotations

from functools import cache

import pytest

from terracotta_agents.play import things
from terracotta_agents.play.changes import differences, explain, final_forecast, forecast, score_table
from terracotta_agents.play.listing import listing
from terracotta_agents.play.things import Who
from terracotta_agents.play.words import Choices
from terracotta_env.army import GAME
from terracotta_env.army.render import WIDTH
from terracotta_env.army.snapshot import SOURCE_NAMES
from terracotta_env.army.state import Decision
from terracotta_env.position import Position
from terracotta_env.record import positions_of
from tests.agents.games import recorded
from tests.rules.positions import at, play, position

ASKED = set(Decision) - {Decision.OVER, Decision.ACTION_DONE}
CASES = [(2, ("busy",)), (3, ("busy",)), (4, ("busy", "random", "busy", "random"))]


@cache
def positions(players: int, codes: tuple[str, ...]) -> list[Position]:
    """Every position of a game in which a seat is asked."""
    record, _ = recorded(players, codes)
    return [position.clone() for _, position in positions_of(GAME, record)][:-1]


def words(now: Position, token: str) -> str:
    return Choices(now).words(token)


# every choice ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "codes"), CASES)
def test_every_choice_of_whole_games_has_words_and_no_two_have_the_same(players: int, codes: tuple[str, ...]) -> None:
    for now in positions(players, codes):
        choices = Choices(now)
        assert sorted(choices.tokens) == now.legal()
        said = [choices.words(token) for token in choices.tokens]
        assert all(text.strip() and "\n" not in text and len(text) < 3 * WIDTH for text in said)
        assert len(set(said)) == len(said), said
        assert choices.question().strip()


def test_every_kind_of_decision_was_among_them() -> None:
    seen = {Decision(now.states[0].decision) for case in CASES for now in positions(*case)}
    assert seen == ASKED


@pytest.mark.parametrize(("players", "codes"), CASES)
def test_lists_fit_the_screen_and_name_every_choice(players: int, codes: tuple[str, ...]) -> None:
    for now in positions(players, codes)[::7]:
        choices = Choices(now)
        for everything in (False, True):
            lines = listing(choices, everything)
            assert max(map(len, lines)) <= WIDTH
            text = "\n".join(lines)
            for number, token in enumerate(choices.tokens, 1):
                assert f"\n{number:>4}  " in f"\n{text}" or f" {token.removeprefix('cell:')}" in text


@pytest.mark.parametrize(("players", "codes"), CASES)
def test_explaining_changes_nothing_and_always_says_something(players: int, codes: tuple[str, ...]) -> None:
    for now in positions(players, codes)[::9]:
        before = now.to_bytes()
        for token in now.legal()[::3]:
            assert len(explain(now, token, Who(now.to_act))) >= 3
        assert now.to_bytes() == before


# placements -----------------------------------------------------------------------------------------------------------


def test_a_placement_says_what_the_three_rings_show_and_what_cannot_be_done() -> None:
    now = play(position(wet={0: 1}), "rotate:none")
    assert words(now, "place:craftsman:1") == (
        "Craftsman on 1: Warrior for 2 Clay (not now) · Master Builder · ready the Halberd"
    )
    assert words(now, "place:craftsman:4") == (
        "Craftsman on 4: soak the Clay (not now) · Priority token 1 · ready the Sword"
    )


def test_a_placement_says_what_becomes_possible_by_its_inner_action() -> None:
    now = play(position(coins={0: 2}, masters={0: {"builder": 1}}), "rotate:none")
    assert "Horse (not now)" in words(now, "place:craftsman:2")
    armed = play(position(coins={0: 0}, weapons={0: "sword"}), "place:craftsman:2")
    assert armed.states[0].decision == Decision.RING
    unplaced = position(coins={0: 0}, weapons={0: "sword"})
    assert words(unplaced, "place:craftsman:2").startswith("Craftsman on 2: 4 Coins · 2 Coins · Horse (not now)")


def test_a_placement_beside_another_worker_says_whose_it_is() -> None:
    now = play(position(3, wheel={3: "1c"}, artisans={0: 1}), "rotate:none")
    assert words(now, "place:artisan:3").startswith("Artisan on 3 beside seat 1's Craftsman: ")


@pytest.mark.parametrize(
    ("token", "edits", "reason"),
    [
        ("place:craftsman:1", {"wet": {0: 1}}, "it takes 2 Wet Clay, you have 1"),
        ("place:craftsman:4", {}, "you have no Dry Clay"),
        ("place:artisan:7", {"artisans": {0: 1}}, "the worker is an Artisan already"),
        ("place:craftsman:4", {"priority": {0: 1}}, "you hold Priority token 1"),
        ("place:craftsman:4", {"priority": {1: 1}}, "no Priority token is left"),
        ("place:craftsman:1", {"coins": {0: 0}}, "your cheapest token costs 1, you have 0 Coins"),
        ("place:craftsman:11", {"weapons": {0: "sword halberd crossbow spear"}, "masters": {0: {"blacksmith": 1}}},
         "all your Weapons are active"),
        ("place:craftsman:1", {"weapons": {0: "halberd"}}, "it is active already"),
        ("place:craftsman:2", {}, "your Sword is inactive"),
        ("place:craftsman:5", {"weapons": {0: "halberd"}, "coins": {0: 0}}, "it costs 1 Coin, you have 0"),
        ("place:craftsman:2", {"weapons": {0: "sword"}}, "there is no place for it"),
    ],
)  # fmt: skip
def test_explaining_a_placement_says_why_an_action_is_barred(token: str, edits: dict[str, object], reason: str) -> None:
    now = position(**edits)  # type: ignore[arg-type]
    if now.states[0].decision == Decision.ROTATE:
        now.play("rotate:none")
    assert any(reason in line for line in explain(now, token, Who(0)))


# other decisions ------------------------------------------------------------------------------------------------------


def test_rings_say_cost_and_gain() -> None:
    assert words(at(1, wet={0: 2}), "ring:perform") == (
        "make a Warrior for 2 Wet Clay, one piece of it goes to the warehouse"
    )
    assert words(at(4, dry={0: 3}), "ring:perform") == "soak the Clay: your 3 Dry Clay becomes Wet"
    priority = play(at(4), "ring:nothing")
    assert words(priority, "ring:perform") == "take Priority token 1: place 1 in the next round's order"
    master = play(at(1), "ring:nothing")
    assert words(master, "ring:perform").startswith("buy the Master Builder with one of your tokens")
    assert {words(master, f"ring:{what}") for what in ("clay", "coin", "nothing")} == {
        "take 1 Wet Clay instead", "take 1 Coin instead", "do nothing",
    }  # fmt: skip


def test_warriors_say_the_vp_of_the_next_figure_and_whether_the_weapon_is_active() -> None:
    now = play(at(1, wet={0: 2}, weapons={0: "spear"}, statues="0 officer a1, 1 officer b1"), "ring:perform")
    assert words(now, "warrior:officer") == "Officer: 5 VP (9 left); your Sword is inactive"
    assert words(now, "warrior:soldier") == "Soldier: 6 VP (11 left); Spear active: 1 VP and 2 Coins"


def test_spaces_say_inspectors_tile_group_neighbours_and_shots() -> None:
    statues = "0 officer a1, 1 guard c1 c2 c3, archer a2 s, musician e5, footman g1"
    now = at(1, wet={0: 4}, weapons={0: "crossbow"}, statues=statues, row=4, column="b", tile="row")
    now.play("ring:perform")
    officer = play(now.clone(), "warrior:officer")
    assert words(officer, "cell:b4") == "b4: row Inspector; column Inspector; this round's tile"
    assert words(officer, "cell:b1") == (
        "b1: column Inspector; group with your 1 Officer, 1 Archer; beside seat 1's mounted Guard on c1"
    )
    assert words(officer, "cell:e7") == "e7: 1 Musician"
    assert words(officer, "cell:h1") == "h1: beside the Footman on g1; near 1 Footman"
    assert words(officer, "cell:i7") == "i7: nothing around"
    shooter = play(now, "warrior:crossbowman")
    assert words(shooter, "cell:f3").endswith("Crossbow 2 VP")


def test_quarters_are_those_of_the_tile() -> None:
    for tile, inside in (("nw", "a7"), ("ne", "i7"), ("sw", "a1"), ("se", "i1")):
        now = play(at(1, wet={0: 2}, tile=tile), "ring:perform", "warrior:officer")
        corners = [cell for cell in ("a7", "i7", "a1", "i1") if "this round's tile" in words(now, f"cell:{cell}")]
        assert corners == [inside]
        assert "tile" not in words(now, "cell:e7") + words(now, "cell:a4")


def test_inspectors_say_from_where_to_where_around_the_ends() -> None:
    now = play(at(1, wet={0: 2}, weapons={0: "sword"}), "ring:perform", "warrior:officer", "cell:d4", "weapon:use")
    assert words(now, "inspector:row-1") == "row Inspector 1 step backward: from row 1 to 7"
    assert words(now, "inspector:column+1") == "column Inspector 1 step forward: from column a to b"


def test_warehouses_say_how_much_lies_there() -> None:
    now = play(at(7, "middle", warehouses=(1, 2, 3, 4), masters={0: {"supervisor": 1}}), "ring:perform")
    assert words(now, "warehouses:2,4") == "take 6 Dry Clay: 2 from warehouse 2, 4 from 4"


# differences and forecasts --------------------------------------------------------------------------------------------


def test_differences_name_resources_weapons_points_and_statues() -> None:
    before = play(at(1, wet={0: 2}, weapons={0: "spear"}), "ring:perform", "warrior:soldier")
    after = play(before.clone(), "cell:d4", "weapon:use")
    assert differences(before, after, Who(0)) == [
        "You: VP 0 -> 7 (making Warriors +6, Soldiers' Spears +1), Coins 3 -> 5, Warrior bases 15 -> 14, "
        "Spear inactive",
        "Board: soldier figures left 11 -> 10, Soldier of seat 0 stands on d4",
    ]
    assert differences(before, before.clone(), Who(0)) == []


def test_forecasts_are_what_the_scorings_would_give_and_change_nothing() -> None:
    now = position(statues="0 officer a1, 0 officer a2, 1 guard i7", tile="officer")
    before = now.to_bytes()
    assert forecast(now) == [7 + 7 + 4, 0]  # row 1, column a, the tile
    assert final_forecast(now) == [2 + 1, 1]  # two Warriors of a group; 3 Coins
    assert now.to_bytes() == before


def test_scores_name_sources_and_seats() -> None:
    lines = score_table(position(vp={0: 5, 1: 12}), ["0 you", "1 busy"])
    assert lines[0].split() == ["VP", "by", "source", "0", "you", "1", "busy"]
    assert [line.split()[-2:] for line in lines if line.startswith(("making", "total"))] == [["5", "12"], ["5", "12"]]


def test_all_names_of_the_game_are_there() -> None:
    assert tuple(things.SOURCES) == SOURCE_NAMES
    assert (len(things.MASTERS), len(things.ABILITIES), len(things.WEAPON_EFFECTS)) == (6, 6, 4)
