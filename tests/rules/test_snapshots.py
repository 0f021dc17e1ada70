"""Snapshots: what they hold, that they lead back to the same position, and which are refused."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from terracotta_env.army import GAME
from terracotta_env.army.board import board_data, load_board
from terracotta_env.errors import SetupError, TerracottaError
from terracotta_env.position import Position
from tests.rules.positions import ALL_WEAPONS, at, filled, idle, opening, play, position, snapshot_of

LEDGER = (
    "organizer", "officer", "guard", "crossbowman", "soldier", "row_inspector", "column_inspector", "musician", "tile",
    "footman", "group_members", "group_contest", "archer", "leftovers",
)  # fmt: skip
KEYS = (
    "format", "version", "board", "players", "to_move", "over", "round", "turn_order", "tiles", "tile", "inner_offset",
    "middle_offset", "wheel", "warehouses", "inspectors", "organizer", "specialists_left", "priority_stack",
    "mausoleum", "pending",
)  # fmt: skip
DECISIONS = {
    "rotate", "place", "ring", "warrior_type", "warrior_cell", "weapon", "officer_inspector", "guard_warrior",
    "guard_goal", "horse_rider", "horse_direction", "archer_cell", "archer_facing", "specialist_cell", "master_token",
    "builder_type", "builder_cell", "administrator", "master_inspector", "supervisor",
}  # fmt: skip

Spoil = Callable[[dict[str, Any]], object]


# What they hold -------------------------------------------------------------------------------------------------------


def test_an_opening_in_full() -> None:
    setup = {
        "inner_offset": 0,
        "middle_offset": 0,
        "tiles": ["row", "clay", "nw", "officer", "coins"],
        "turn_order": [0, 1],
    }
    snapshot = Position.from_setup(GAME, 2, setup).snapshot()
    wheel = snapshot.pop("wheel")
    player = {
        "vp": 0,
        "coins": 3,
        "wet": 0,
        "dry": 0,
        "craftsmen": 5,
        "artisans": 0,
        "artisans_in_supply": 5,
        "bases": 15,
        "weapons": {"sword": False, "halberd": False, "crossbow": False, "spear": False},
        "tokens": [1, 2, 3, 4, 5, 6],
        "masters": {},
        "priority": None,
        "ledger": dict.fromkeys(LEDGER, 0),
    }
    assert snapshot == {
        "format": "terracotta-snapshot",
        "version": 1,
        "rules": 1,
        "board": "reconstructed",
        "players": [player, {**player, "wet": 1}],
        "to_move": 0,
        "over": False,
        "round": 1,
        "turn_order": [0, 1],
        "tiles": ["row", "clay", "nw", "officer", "coins"],
        "tile": "row",
        "inner_offset": 0,
        "middle_offset": 0,
        "warehouses": [1, 1, 1, 1],
        "inspectors": {"row": 1, "column": "a"},
        "organizer": {"officer": 11, "guard": 11, "crossbowman": 11, "soldier": 11},
        "specialists_left": {"horse": 4, "footman": 4, "archer": 4, "musician": 4},
        "priority_stack": [1],
        "mausoleum": [],
        "pending": {"decision": "rotate"},
    }
    assert wheel["1"] == {"inner": "warrior:2", "middle": "master:builder", "outer": "ready:halberd", "workers": []}
    assert wheel["12"] == {"inner": "upgrade", "middle": "clay:2", "outer": "ready:crossbow", "workers": []}


def test_statues_are_sorted_by_their_first_space() -> None:
    statues = "0 officer b1, 1 guard i7 h7 g7, archer a1 e, footman e4, musician a7"
    found = position(statues=statues).snapshot()["mausoleum"]
    assert found == [
        {"kind": "archer", "owner": None, "spaces": ["a1"], "facing": "e"},
        {"kind": "musician", "owner": None, "spaces": ["a7"]},
        {"kind": "officer", "owner": 0, "mounted": False, "spaces": ["b1"]},
        {"kind": "footman", "owner": None, "spaces": ["e4"]},
        {"kind": "guard", "owner": 1, "mounted": True, "spaces": ["i7", "h7", "g7"]},
    ]


def test_the_order_of_the_statues_does_not_matter() -> None:
    snapshot = snapshot_of(statues="0 officer b1 b2 b3, 1 guard i7 h7 g7, archer a1 e, archer a7 e, footman e4")
    turned = {**snapshot, "mausoleum": snapshot["mausoleum"][::-1]}
    assert Position.from_snapshot(GAME, turned) == Position.from_snapshot(GAME, snapshot)


def test_vp_are_the_sum_of_the_ledger() -> None:
    game = idle(position(last=0, game_round=5, statues="0 officer a1, 1 officer a2, footman b2", vp={0: 30}))
    for entry in game.snapshot()["players"]:
        assert entry["vp"] == sum(entry["ledger"].values())
    assert game.points() == [entry["vp"] for entry in game.snapshot()["players"]]


def test_after_the_end_nobody_is_to_move() -> None:
    snapshot = idle(position(last=0, game_round=5)).snapshot()
    assert (snapshot["over"], snapshot["to_move"], snapshot["pending"]) == (True, None, None)
    again = Position.from_snapshot(GAME, snapshot)
    assert again.over
    assert again.snapshot() == snapshot


def test_a_forced_decision_is_resolved_when_a_snapshot_is_read() -> None:
    snapshot = snapshot_of(coins={0: 1})
    assert snapshot["pending"] == {"decision": "rotate"}
    assert Position.from_snapshot(GAME, snapshot).snapshot()["pending"] == {"decision": "place"}


def test_rules_may_be_left_out() -> None:
    snapshot = opening()
    del snapshot["rules"]
    assert Position.from_snapshot(GAME, snapshot).snapshot()["rules"] == 1


# There and back -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seed", "board"),
    [(2, 1, "reconstructed"), (3, 3, "shuffled"), (4, 5, "specialists-outside")],
)
def test_round_trip_at_every_decision_of_a_random_game(players: int, seed: int, board: str) -> None:
    choices = random.Random(seed)
    game = Position.from_seed(GAME, players, seed, board)
    while True:
        snapshot = game.snapshot()
        again = Position.from_snapshot(GAME, json.loads(json.dumps(snapshot)))
        assert again.snapshot() == snapshot
        assert again.key() == game.key()
        if game.over:
            break
        assert again.legal() == game.legal()
        token = choices.choice(game.legal())
        # "perform" where possible, so that the game gets rich
        token = "ring:perform" if "ring:perform" in game.legal() and choices.random() < 0.8 else token
        game.play(token)


def test_every_decision_occurs_in_those_snapshots() -> None:
    """Positions built by hand for each decision there is, read back."""
    rich: dict[str, Any] = {"coins": {0: 9}, "wet": {0: 9}, "weapons": {0: ALL_WEAPONS}}
    statues = "0 officer e4, 0 soldier b2, 1 guard h6"
    masters = {0: {"builder": 1, "administrator": 2, "inspector": 3, "supervisor": 4}}
    guard = play(at(1, **rich, statues=statues), "ring:perform", "warrior:guard", "cell:a7", "weapon:use")
    officer = play(at(1, **rich), "ring:perform", "warrior:officer", "cell:a7", "weapon:use")
    games = [
        position(),
        position().play("rotate:none"),
        at(1, **rich),
        at(1, **rich).play("ring:perform"),
        play(at(1, **rich), "ring:perform", "warrior:guard"),
        play(at(1, **rich), "ring:perform", "warrior:guard", "cell:a7"),
        officer,
        guard,
        guard.clone().play("cell:e4"),
        at(2, "outer", **rich, statues=statues).play("ring:perform"),
        play(at(2, "outer", **rich, statues=statues), "ring:perform", "cell:e4"),
        at(8, "outer", **rich, statues=statues).play("ring:perform"),
        play(at(8, "outer", **rich, statues="0 officer e4, 1 officer e6"), "ring:perform", "cell:e5"),
        at(5, "outer", **rich).play("ring:perform"),
        at(11, "outer", **rich).play("ring:perform"),
        at(3, "middle", **rich).play("ring:perform"),
        at(1, "middle", **rich, masters=masters).play("ring:perform"),
        play(at(1, "middle", **rich, masters=masters), "ring:perform", "warrior:guard"),
        at(5, "middle", **rich, masters=masters).play("ring:perform"),
        play(at(5, "middle", **rich, masters=masters, inner=4), "ring:perform", "ring:perform"),
        play(at(5, "middle", **rich, masters=masters, inner=4), "ring:perform", "ring:perform", "warrior:guard"),
        at(9, "middle", **rich, masters=masters).play("ring:perform"),
        at(7, "middle", **rich, masters=masters).play("ring:perform"),
    ]
    decisions = set()
    for game in games:
        snapshot = game.snapshot()
        decisions.add(snapshot["pending"]["decision"])
        again = Position.from_snapshot(GAME, snapshot)
        assert again == game
        assert again.legal() == game.legal()
    assert decisions == DECISIONS


def test_a_snapshot_on_an_own_board_is_read_with_that_board() -> None:
    own = {**board_data(load_board("flat").template), "name": "mine"}
    game = Position.from_seed(GAME, 2, 1, own)
    again = Position.from_snapshot(GAME, game.snapshot(), own)
    assert again.key() == game.key()
    assert again.snapshot()["board"] == "mine"


# Refused --------------------------------------------------------------------------------------------------------------


def rich_snapshot() -> dict[str, Any]:
    """Three players in round 3, seat 0 to rotate: statues, workers, Masters and a Priority token to spoil."""
    return snapshot_of(
        3,
        game_round=3,
        statues="0 officer b2, 0 guard e4 f4 g4, 1 guard c2, 2 soldier h7, archer b1 n, footman i1, musician a7",
        wheel={1: "1c 0a", 4: "2c"},
        artisans={0: 2},
        masters={0: {"builder": 2}, 1: {"clay_maker": 1, "supervisor": 6}},
        priority={2: 1},
        weapons={0: "sword spear"},
        wet={0: 2, 1: 1},
        dry={2: 4},
        vp={0: 12, 1: 6},
    )


def put(path: str, value: object) -> Spoil:
    """Set one value of a snapshot, e.g. ``put("players.0.coins", -1)``."""

    def spoil(snapshot: dict[str, Any]) -> None:
        *steps, last = path.split(".")
        place: Any = snapshot
        for step in steps:
            place = place[int(step) if isinstance(place, list) else step]
        if isinstance(place, list):
            place[int(last) : int(last) + 1] = [value]
        else:
            place[last] = value

    return spoil


def remove(path: str) -> Spoil:
    def spoil(snapshot: dict[str, Any]) -> None:
        *steps, last = path.split(".")
        place: Any = snapshot
        for step in steps:
            place = place[int(step) if isinstance(place, list) else step]
        del place[int(last) if isinstance(place, list) else last]

    return spoil


def statue(kind: str, owner: int | None, *spaces: str, **more: object) -> dict[str, Any]:
    return {"kind": kind, "owner": owner, "spaces": list(spaces), **more}


def add(*statues: dict[str, Any]) -> Spoil:
    def spoil(snapshot: dict[str, Any]) -> None:
        snapshot["mausoleum"] += statues

    return spoil


# statues 0..6 of the rich snapshot, sorted: a7 musician, b1 archer, b2 officer, c2 guard, e4 guard mounted, h7 soldier,
# i1 footman
WRONG: list[tuple[str, Spoil, str]] = [
    # the document
    ("format", put("format", "terracotta-record"), "format: expected one of terracotta-snapshot"),
    ("version", put("version", 2), "version: expected"),
    ("rules", put("rules", 2), "rules: expected 1"),
    ("board type", put("board", 3), "board: expected a text"),
    ("unknown key", put("colour", 1), "colour: unknown key"),
    *[(f"no {key}", remove(key), f"{key}: is missing") for key in KEYS],
    # the table
    ("round 0", put("round", 0), "round: expected a whole number in 1..5"),
    ("round 6", put("round", 6), "round: expected a whole number in 1..5"),
    ("round float", put("round", 3.0), "round: expected a whole number in 1..5"),
    ("order short", put("turn_order", [0, 1]), "turn_order: expected 3 entries, got 2"),
    ("order twice", put("turn_order", [0, 1, 1]), "turn_order: expected each seat 0..2 once"),
    ("order seat", put("turn_order", [0, 1, 3]), "turn_order[2]: expected a whole number in 0..2"),
    ("tiles short", put("tiles", ["nw"]), "tiles: expected 5 entries"),
    ("tiles word", put("tiles.1", "north"), "tiles[1]: expected one of row"),
    ("tiles twice", put("tiles.1", "nw"), "tiles: expected five different tiles"),
    ("tile", put("tile", "nw"), "tile: expected 'sw', the tile of round 3"),
    ("offset", put("inner_offset", 12), "inner_offset: expected a whole number in 0..11"),
    ("offset negative", put("middle_offset", -1), "middle_offset: expected a whole number in 0..11"),
    ("offset and rings", put("inner_offset", 1), "wheel.1.inner: expected 'upgrade'"),
    ("offset and middle", put("middle_offset", 1), "wheel.1.middle: expected 'clay:2'"),
    ("warehouses", put("warehouses", [1, 1, 1]), "warehouses: expected 4 entries"),
    ("warehouse", put("warehouses.2", -1), "warehouses[2]: expected a whole number"),
    ("inspector row", put("inspectors.row", 8), "inspectors.row: expected a whole number in 1..7"),
    ("inspector column", put("inspectors.column", "j"), "inspectors.column: expected one of a"),
    ("inspectors key", remove("inspectors.row"), "inspectors.row: is missing"),
    ("stack", put("priority_stack", [1, 2]), "priority_stack: expected [2]"),
    ("stack empty", put("priority_stack", []), "priority_stack: expected [2]"),
    ("priority gap", put("players.2.priority", 2), "players[2].priority: expected the lowest numbers held"),
    ("priority high", put("players.2.priority", 3), "players[2].priority: expected a whole number in 1..2"),
    ("priority twice", put("players.1.priority", 1), "players[1].priority: expected the lowest numbers held"),
    # organizer and specialists
    ("organizer", put("organizer.officer", 11), "organizer.officer: expected 10, as 1 stand"),
    ("organizer low", put("organizer.soldier", 9), "organizer.soldier: expected 10, as 1 stand"),
    ("organizer range", put("organizer.guard", 12), "organizer.guard: expected a whole number in 0..11"),
    ("organizer key", remove("organizer.guard"), "organizer.guard: is missing"),
    ("specialists", put("specialists_left.horse", 4), "specialists_left.horse: expected 3, as 1 stand"),
    ("specialists low", put("specialists_left.archer", 2), "specialists_left.archer: expected 3, as 1 stand"),
    ("specialists range", put("specialists_left.footman", 5), "specialists_left.footman: expected a whole number"),
    ("specialists key", put("specialists_left.king", 1), "specialists_left.king: unknown key"),
    # players
    ("one player", lambda s: s["players"].__delitem__(slice(1, None)), "players: expected 2 to 4 players, got 1"),
    ("five players", lambda s: s["players"].extend(s["players"][:2]), "players: expected 2 to 4 players, got 5"),
    ("players type", put("players", {}), "players: expected a list"),
    ("player type", put("players.1", 7), "players[1]: expected a table"),
    ("player key", remove("players.1.wet"), "players[1].wet: is missing"),
    ("player unknown key", put("players.1.gold", 1), "players[1].gold: unknown key"),
    ("coins", put("players.0.coins", -1), "players[0].coins: expected a whole number"),
    ("coins type", put("players.0.coins", "3"), "players[0].coins: expected a whole number"),
    ("wet", put("players.1.wet", -1), "players[1].wet: expected a whole number"),
    ("dry", put("players.2.dry", 1.5), "players[2].dry: expected a whole number"),
    ("coins without end", put("players.0.coins", 10**9), "players[0].coins: expected a whole number"),
    ("vp", put("players.0.vp", 13), "players[0].vp: expected 12, the sum of the ledger"),
    ("ledger", put("players.0.ledger.tile", 1), "players[0].vp: expected 13, the sum of the ledger"),
    ("ledger negative", put("players.0.ledger.tile", -1), "players[0].ledger.tile: expected a whole number"),
    ("ledger key", remove("players.0.ledger.tile"), "players[0].ledger.tile: is missing"),
    ("craftsmen", put("players.1.craftsmen", 4), "players[1].craftsmen: expected"),
    ("craftsmen range", put("players.1.craftsmen", 5), "players[1].craftsmen: expected a whole number in 0..4"),
    ("artisans", put("players.0.artisans", 2), "players[0].artisans: expected"),
    ("supply", put("players.0.artisans_in_supply", 3), "players[0].craftsmen: expected"),
    ("bases", put("players.0.bases", 15), "players[0].bases: expected 13, as 2 Warriors stand"),
    ("bases low", put("players.1.bases", 13), "players[1].bases: expected 14, as 1 Warriors stand"),
    ("bases range", put("players.1.bases", 16), "players[1].bases: expected a whole number in 0..15"),
    ("weapon", put("players.0.weapons.sword", 1), "players[0].weapons.sword: expected true or false"),
    ("weapon key", put("players.0.weapons.bow", True), "players[0].weapons.bow: unknown key"),
    ("weapon missing", remove("players.0.weapons.spear"), "players[0].weapons.spear: is missing"),
    ("tokens", put("players.0.tokens", [1, 2, 3, 4, 5, 6]), "players[0].tokens: expected with the owned Masters'"),
    ("tokens lost", put("players.0.tokens", [1, 3]), "players[0].tokens: expected with the owned Masters'"),
    ("token price", put("players.0.tokens.0", 7), "players[0].tokens[0]: expected a whole number in 1..6"),
    ("master", put("players.0.masters.emperor", 1), "players[0].masters.emperor: unknown key"),
    (
        "master price",
        put("players.0.masters.builder", 0),
        "players[0].masters.builder: expected a whole number in 1..6",
    ),
    ("master twice", put("players.1.masters.builder", 6), "players[1].tokens: expected with the owned Masters'"),
    # the wheel
    ("wheel key", remove("wheel.12"), "wheel.12: is missing"),
    ("wheel segment", put("wheel.13", {}), "wheel.13: unknown key"),
    ("wheel word", put("wheel.5.inner", "priority"), "wheel.5.inner: expected one of coins:N"),
    ("wheel other word", put("wheel.5.inner", "soak"), "wheel.5.inner: expected 'clay:4'"),
    ("wheel outer", put("wheel.2.outer", "specialist:footman"), "wheel.2.outer: expected 'specialist:horse'"),
    ("wheel no workers", remove("wheel.2.workers"), "wheel.2.workers: is missing"),
    ("worker owner", put("wheel.4.workers.0.owner", 3), "wheel.4.workers[0].owner: expected a whole number in 0..2"),
    ("worker kind", put("wheel.4.workers.0.kind", "smith"), "wheel.4.workers[0].kind: expected one of craftsman"),
    ("worker too many", put("wheel.5.workers.0", {"owner": 2, "kind": "craftsman"}), "players[2].craftsmen: expected"),
    ("worker lost", put("wheel.4.workers", []), "players[2].craftsmen: expected"),
    ("worker upgraded", put("wheel.4.workers.0.kind", "artisan"), "players[2].craftsmen: expected"),
    ("two craftsmen", put("wheel.1.workers.1.kind", "craftsman"), "wheel.1.workers: expected beside a first worker"),
    ("beside an artisan", put("wheel.1.workers.0.kind", "artisan"), "wheel.1.workers: expected beside a first worker"),
    (
        "third worker",
        put("wheel.1.workers.2", {"owner": 2, "kind": "artisan"}),
        "wheel.1.workers: expected at most two",
    ),
    # statues
    ("statue type", put("mausoleum.0", "officer"), "mausoleum[0]: expected a statue"),
    ("statue kind", put("mausoleum.2.kind", "king"), "mausoleum[2].kind: expected one of officer"),
    ("statue space", put("mausoleum.2.spaces.0", "j2"), "mausoleum[2].spaces[0]: expected a space a1..i7"),
    ("statue row", put("mausoleum.2.spaces.0", "a8"), "mausoleum[2].spaces[0]: expected a space a1..i7"),
    ("statue taken", put("mausoleum.3.spaces.0", "b2"), "mausoleum[3].spaces[0]: expected a space that holds no other"),
    ("statue on a horse", put("mausoleum.5.spaces.0", "g4"), "mausoleum[5].spaces[0]: expected a space that holds no"),
    ("statue owner", put("mausoleum.2.owner", 3), "mausoleum[2].owner: expected a whole number in 0..2"),
    ("statue of another", put("mausoleum.2.owner", 1), "players[0].bases: expected 14"),
    ("warrior without owner", put("mausoleum.2.owner", None), "mausoleum[2].owner: expected a whole number"),
    ("owned specialist", put("mausoleum.0.owner", 0), "mausoleum[0].owner: expected null"),
    ("no mounted", remove("mausoleum.2.mounted"), "mausoleum[2].mounted: is missing"),
    ("mounted on one", put("mausoleum.2.mounted", True), "mausoleum[2].spaces: expected 3 entries, got 1"),
    ("three on foot", put("mausoleum.4.mounted", False), "mausoleum[4].spaces: expected 1 entries, got 3"),
    ("bent horse", put("mausoleum.4.spaces.2", "f5"), "mausoleum[4].spaces: expected the Warrior's own space and"),
    ("gap in a horse", put("mausoleum.4.spaces.2", "h4"), "mausoleum[4].spaces: expected the Warrior's own space and"),
    ("horse on one space", put("mausoleum.4.spaces.2", "f4"), "mausoleum[4].spaces[2]: expected a space that holds no"),
    ("no facing", remove("mausoleum.1.facing"), "mausoleum[1].facing: is missing"),
    ("facing", put("mausoleum.1.facing", "ne"), "mausoleum[1].facing: expected one of n, e, s, w"),
    (
        "facing the wall",
        put("mausoleum.1.facing", "s"),
        "mausoleum[1].facing: expected a direction that does not leave",
    ),
    ("facing of a footman", put("mausoleum.6.facing", "n"), "mausoleum[6].facing: unknown key"),
    ("new statue", add(statue("guard", 1, "a2", mounted=False)), "players[1].bases: expected 13"),
    ("new footman", add(statue("footman", None, "a2")), "specialists_left.footman: expected 2"),
    (
        "five archers",
        add(*(statue("archer", None, f"{column}6", facing="e") for column in "abcd")),
        "mausoleum: more than 4 archers",
    ),
    (
        "five riders",
        add(*(statue("officer", 2, f"a{row}", f"b{row}", f"c{row}", mounted=True) for row in (3, 4, 5, 6))),
        "mausoleum: more than 4 riders",
    ),
    ("statue lost", remove("mausoleum.5"), "players[2].bases: expected 15"),
    # whose turn, and the end
    ("to_move", put("to_move", 3), "to_move: expected a whole number in 0..2"),
    ("to_move null", put("to_move", None), "to_move: expected a whole number in 0..2"),
    ("over type", put("over", "no"), "over: expected true or false"),
    ("over and to_move", put("over", True), "to_move: expected null, as the game is over"),
    # what is pending
    ("pending null", put("pending", None), "pending: expected a table"),
    ("pending without decision", put("pending", {}), "pending.decision: is missing"),
    ("pending word", put("pending.decision", "sleep"), "pending.decision: expected one of rotate"),
    ("pending over", put("pending.decision", "over"), "pending.decision: expected one of rotate"),
    ("pending key", put("pending.mood", 1), "pending.mood: unknown key"),
    ("pending segment", put("pending.segment", 4), "pending.segment: has no meaning at rotate"),
    ("pending warrior", put("pending.warrior", "guard"), "pending.warrior: has no meaning at rotate"),
    ("pending ring missing", put("pending", {"decision": "ring"}), "pending.segment: is missing at ring"),
]


def refusal(snapshot: dict[str, Any]) -> str:
    with pytest.raises(TerracottaError) as error:
        Position.from_snapshot(GAME, snapshot)
    assert isinstance(error.value, SetupError)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_snapshot_to_be_spoilt_is_good() -> None:
    assert Position.from_snapshot(GAME, rich_snapshot()).snapshot() == rich_snapshot()


@pytest.mark.parametrize(("spoil", "message"), [pytest.param(*case[1:], id=case[0]) for case in WRONG])
def test_an_impossible_snapshot_is_refused(spoil: Spoil, message: str) -> None:
    snapshot = rich_snapshot()
    spoil(snapshot)
    assert refusal(snapshot).startswith(f"snapshot: {message}")


def test_an_unknown_board_is_refused() -> None:
    with pytest.raises(TerracottaError, match="no board 'nowhere'"):
        Position.from_snapshot(GAME, {**opening(), "board": "nowhere"})


def test_a_seat_without_workers_cannot_begin_a_turn() -> None:
    snapshot = snapshot_of(last=0)
    snapshot["to_move"] = 1
    assert refusal(snapshot).startswith("snapshot: to_move: expected a seat that has a worker in hand")


def test_a_shuffled_wheel_must_hold_the_boards_actions() -> None:
    snapshot = Position.from_seed(GAME, 2, 1, "shuffled").snapshot()
    assert Position.from_snapshot(GAME, snapshot).snapshot() == snapshot
    inner = [entry["inner"] for entry in snapshot["wheel"].values()]
    first = next(segment for segment, word in enumerate(inner, 1) if word != "soak")
    snapshot["wheel"][str(first)]["inner"] = "soak"  # one soak too many
    assert refusal(snapshot).startswith("snapshot: wheel: the inner actions are not those of the board")


def _weapon() -> dict[str, Any]:
    return play(at(1, wet={0: 2}, weapons={0: "halberd"}), "ring:perform", "warrior:guard", "cell:a1").snapshot()


def _guard_goal() -> dict[str, Any]:
    game = at(1, wet={0: 2}, weapons={0: "halberd"}, statues="0 officer e4, 1 guard h7, 0 soldier b6 c6 d6")
    return play(game, "ring:perform", "warrior:guard", "cell:a1", "weapon:use", "cell:e4").snapshot()


def _archer_facing() -> dict[str, Any]:
    game = at(8, "outer", weapons={0: "crossbow"}, statues="0 officer e4, 1 guard e6")
    return play(game, "ring:perform", "cell:e5").snapshot()


def _repeating() -> dict[str, Any]:
    game = at(5, "middle", inner=4, wet={0: 4}, masters={0: {"administrator": 1}})
    return play(game, "ring:perform", "ring:perform").snapshot()


def _token() -> dict[str, Any]:
    return at(3, "middle").play("ring:perform").snapshot()


def _type() -> dict[str, Any]:
    return at(1, wet={0: 2}).play("ring:perform").snapshot()


@pytest.mark.parametrize(
    ("build", "spoil", "message"),
    [
        (_weapon, put("pending.segment", 2), "pending.segment: expected the segment on which seat 0 placed"),
        (_weapon, put("pending.segment", 13), "pending.segment: expected a whole number in 1..12"),
        (_weapon, put("pending.ring", "upper"), "pending.ring: expected one of inner, middle, outer"),
        (_weapon, put("pending.ring", "middle"), "pending.decision: expected a decision that the action"),
        (_weapon, put("pending.warrior", "officer"), "pending.cell: expected the new Warrior of the chosen type"),
        (_weapon, put("pending.warrior", "horse"), "pending.warrior: expected one of officer"),
        (_weapon, remove("pending.warrior"), "pending.warrior: is missing at weapon"),
        (_weapon, put("pending.cell", "a2"), "pending.cell: expected a Warrior on foot of the seat to move"),
        (_weapon, put("pending.cell", "z9"), "pending.cell: expected one of a1"),
        (_weapon, remove("pending.cell"), "pending.cell: is missing at weapon"),
        (_weapon, put("players.0.weapons.halberd", False), "pending.cell: expected a Warrior whose Weapon is active"),
        (_weapon, put("pending.repeating", True), "pending.repeating: expected false"),
        (_guard_goal, put("pending.cell", "h7"), "pending.cell: expected a Warrior on foot of the seat to move"),
        (_guard_goal, put("pending.cell", "c6"), "pending.cell: expected a Warrior on foot of the seat to move"),
        (_guard_goal, put("pending.decision", "builder_type"), "pending.cell: has no meaning at builder_type"),
        (_archer_facing, put("pending.cell", "e4"), "pending.cell: expected an empty space for the archer"),
        (_archer_facing, put("pending.cell", "a1"), "pending: expected a decision with at least one legal option"),
        (_archer_facing, put("pending.ring", "inner"), "pending.decision: expected a decision that the action"),
        (_repeating, put("pending.repeating", 1), "pending.repeating: expected true or false"),
        (_repeating, remove("pending.repeating"), "pending.decision: expected a decision that the action"),
        (_token, put("pending.decision", "supervisor"), "pending.decision: expected a decision that the action"),
        (_token, put("players.0.coins", 0), "pending: expected a decision with at least one legal option"),
        (_token, put("to_move", 1), "pending.segment: expected the segment on which seat 1 placed"),
        (_type, put("pending.decision", "horse_rider"), "pending.decision: expected a decision that the action"),
        (_type, put("pending.decision", "specialist_cell"), "pending.decision: expected a decision that the action"),
    ],
)
def test_an_impossible_decision_is_refused(build: Callable[[], dict[str, Any]], spoil: Spoil, message: str) -> None:
    snapshot = build()
    assert Position.from_snapshot(GAME, snapshot).snapshot() == snapshot
    spoil(snapshot)
    assert refusal(snapshot).startswith(f"snapshot: {message}")


@pytest.mark.parametrize("decision", ["warrior_cell", "builder_cell"])
def test_a_chosen_type_must_have_figures_left(decision: str) -> None:
    statues = filled({1: 11})  # all officers
    if decision == "warrior_cell":
        game = play(at(1, wet={0: 2}, statues=statues), "ring:perform", "warrior:guard")
    else:
        game = play(at(1, "middle", masters={0: {"builder": 1}}, statues=statues), "ring:perform", "warrior:guard")
    snapshot = game.snapshot()
    snapshot["pending"]["warrior"] = "officer"
    assert refusal(snapshot).startswith("snapshot: pending.warrior: expected a type with figures left")


def _spoilt(build: Callable[[], dict[str, Any]], **fields: object) -> dict[str, Any]:
    """A snapshot with entries of seat 0 or of the table replaced."""
    snapshot = build()
    for key, value in fields.items():
        (snapshot["players"][0] if key in snapshot["players"][0] else snapshot)[key] = value
    return snapshot


def _asked(decision: str, segment: int, ring: str, more: dict[str, object], **edits: Any) -> dict[str, Any]:
    """Seat 0 stands on ``segment`` and is asked ``decision`` there."""
    snapshot = snapshot_of(wheel={segment: "0c"}, **edits)
    snapshot["pending"] = {"decision": decision, "segment": segment, "ring": ring, **more}
    return snapshot


BUILDER: dict[str, Any] = {"masters": {0: {"builder": 1}}}
NO_BASE = filled({0: 15})


@pytest.mark.parametrize(
    "snapshot",
    [
        pytest.param(
            _spoilt(lambda: at(1, "middle", **BUILDER).play("ring:perform").snapshot(), coins=0), id="builder unpaid"
        ),
        pytest.param(
            _spoilt(
                lambda: (
                    at(5, "middle", inner=4, wet={0: 2}, masters={0: {"administrator": 1}})
                    .play("ring:perform")
                    .snapshot()
                ),
                wet=0,
            ),
            id="repetition unpaid",
        ),
        pytest.param(_asked("warrior_type", 1, "inner", {}, statues=NO_BASE), id="type without a base"),
        pytest.param(
            _asked("warrior_cell", 1, "inner", {"warrior": "guard"}, statues=NO_BASE), id="space without a base"
        ),
        pytest.param(_asked("builder_type", 1, "middle", {}, statues=NO_BASE, **BUILDER), id="builder without a base"),
        pytest.param(
            _asked("builder_cell", 1, "middle", {"warrior": "soldier"}, statues=NO_BASE, **BUILDER),
            id="builder's space without a base",
        ),
    ],
)
def test_a_decision_that_would_overdraw_a_supply_is_refused(snapshot: dict[str, Any]) -> None:
    assert refusal(snapshot).startswith(("snapshot: pending", "snapshot: players[0]"))


@pytest.mark.parametrize(
    "snapshot",
    [
        pytest.param(
            _asked("builder_cell", 1, "middle", {"warrior": "officer"}, statues="1 officer a1", **BUILDER),
            id="builder's type is not a most plentiful one",
        ),
        pytest.param(
            _asked("supervisor", 7, "middle", {}, masters={0: {"supervisor": 1}}, warehouses=(0, 0, 0, 0)),
            id="no clay for the Supervisor",
        ),
        pytest.param(_asked("officer_inspector", 1, "inner", {}), id="no Officer was made"),
        pytest.param(
            _asked("officer_inspector", 1, "inner", {}, statues="0 officer a1", weapons={0: "sword"}),
            id="the sword was not used",
        ),
        pytest.param(
            _asked("guard_warrior", 1, "inner", {"cell": "a1"}, statues="0 officer a1, 0 soldier e4"),
            id="the new warrior is no Guard",
        ),
        pytest.param(
            _asked("horse_rider", 2, "outer", {}, statues="0 officer a1, 0 soldier e4", weapons={0: "sword"}),
            id="the Horse's weapon was not used",
        ),
    ],
)
def test_a_decision_that_no_turn_leads_to_is_refused(snapshot: dict[str, Any]) -> None:
    assert refusal(snapshot).startswith(("snapshot: pending", "snapshot: players[0]", "snapshot: warehouses"))


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda s: s.update(round=4, tile=s["tiles"][3]), id="in round 4"),
        pytest.param(
            lambda s: (s["wheel"]["1"].update(workers=[]), s["players"][0].update(craftsmen=1)), id="a worker left"
        ),
        pytest.param(
            lambda s: (s["players"][0].update(priority=1), s.update(priority_stack=[])), id="a token not returned"
        ),
    ],
)
def test_a_game_that_is_over_has_been_played_to_its_end(spoil: Spoil) -> None:
    snapshot = idle(position(last=0, game_round=5)).snapshot()
    spoil(snapshot)
    assert re.match(r"snapshot: (over|round|priority_stack|players\[0\])", refusal(snapshot))


def test_largest_counters_a_snapshot_may_hold_do_not_overflow_when_gathered() -> None:
    """One seat soaks everything there is; sums of kernels and the record's 16 bits must hold it."""
    game = position(
        wet={0: 2000}, dry={0: 2000}, warehouses=(2000,) * 4, masters={0: {"supervisor": 1}}, coins={0: 9, 1: 0}
    )
    gathered = sum(game.snapshot()["warehouses"]) + 4000
    states = game.states
    states["wet"][0, 0] += states["dry"][0, 0] + states["warehouses"][0].sum(dtype="i2")
    assert states["wet"][0, 0] == gathered
    with pytest.raises(SetupError, match=r"players\[0\].wet: expected a whole number in 0..2000, got 2001"):
        position(wet={0: 2001})
