"""Supplies, rings and records in positions that only a mutant of the rules would get wrong."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.army.board import board_data
from terracotta_env.army.legal import BLOCK, MAY_DECLINE
from terracotta_env.army.state import STATE
from terracotta_env.entry import ledger_at, legal_at, reset_at, returns_at
from terracotta_env.position import Position
from tests.rules.positions import WARRIORS, at, idle, play, position

PRINTED = (
    "inner", "middle", "outer", "inner_amount", "middle_amount", "organizer_vp", "specialist_cost", "tile_domination",
    "tile_presence", "priority_clay", "specialist_weapon", "token_prices", "row_start", "column_start",
    "shuffled_rings", "board_name", "spare",
)  # fmt: skip


@pytest.mark.parametrize("kind", WARRIORS)
def test_r19_any_type_may_be_the_one_with_the_most_figures(kind: str) -> None:
    statues = ", ".join(f"1 {name} a{i}" for i, name in enumerate(WARRIORS, 1) if name != kind)
    game = at(1, "middle", masters={0: {"builder": 1}}, statues=statues).play("ring:perform")
    assert game.legal() == ["decline", f"warrior:{kind}"]


@pytest.mark.parametrize("kind", WARRIORS)
def test_r10_a_figure_of_any_type_is_enough_for_a_warrior(kind: str) -> None:
    # ten of its eleven figures and all of the other types stand
    names = [name for name in WARRIORS for _ in range(11)]
    names.remove(kind)
    cells = [f"{column}{row}" for column in "abcdefg" for row in range(1, 8)]
    statues = ", ".join(f"{1 + i // 15} {name} {cells[i]}" for i, name in enumerate(names))
    game = at(1, players=4, wet={0: 2}, statues=statues)
    assert "ring:perform" in game.legal()
    assert game.play("ring:perform").snapshot()["pending"]["warrior"] == kind  # the only type: not asked


def test_a_new_round_leaves_no_trace_of_workers() -> None:
    game = idle(position(last=0, artisans={0: 1, 1: 2}))
    assert (game.states[0]["worker_owner"] == -1).all()
    assert (game.states[0]["worker_kind"] == -1).all()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["reconstructed", "shuffled"])
@pytest.mark.parametrize("filling", [1, 3])
def test_r03_a_game_does_not_depend_on_what_its_record_held(players: int, board: str, filling: int) -> None:
    fresh = Position.from_seed(GAME, players, 9, board)
    used = Position.from_seed(GAME, 4, 3, board)
    for name in STATE.names or ():
        if name not in PRINTED:
            used.states[name] = filling
    reset_at(used.states, 0, players, np.uint64(9))
    for name in STATE.names or ():
        assert used.states[name].tolist() == fresh.states[name].tolist(), name


MADE = ("ring:perform", "warrior:guard", "cell:e4", "weapon:use")


@pytest.mark.parametrize(
    ("game", "number"),
    [
        (lambda: position(), 3),
        (lambda: position(coins={0: 1}), 12),  # the rotation is not asked
        (lambda: position(artisans={0: 1}).play("rotate:none"), 24),
        (lambda: at(1), 3),
        (lambda: at(1, wet={0: 2}).play("ring:perform"), 4),
        (lambda: play(at(1, wet={0: 2}), "ring:perform", "warrior:guard"), 63),
        (lambda: play(at(1, wet={0: 2}, weapons={0: "halberd"}), *MADE[:3]), 2),
        (lambda: play(at(1, wet={0: 2}, weapons={0: "halberd"}, statues="0 soldier a1"), *MADE), 2),
        (lambda: play(at(1, wet={0: 2}, weapons={0: "sword"}), "ring:perform", "warrior:officer", *MADE[2:]), 5),
        (lambda: at(1, "middle", masters={0: {"builder": 1}}).play("ring:perform"), 5),
        (lambda: at(5, "middle", masters={0: {"administrator": 1}}).play("ring:perform"), 2),
        (lambda: at(9, "middle", masters={0: {"inspector": 1}}).play("ring:perform"), 5),
        (lambda: at(7, "middle", masters={0: {"supervisor": 1}}).play("ring:perform"), 6),
        (lambda: idle(position(last=0, game_round=5)), 0),
    ],
)
def test_the_number_of_legal_actions_is_told_with_the_mask(game: Callable[[], Position], number: int) -> None:
    mask = np.empty(GAME.actions, np.int8)
    assert legal_at(game().states, 0, mask) == mask.sum() == number


def test_a_mask_is_written_over_whatever_it_held() -> None:
    mask = np.ones(GAME.actions, np.int8)
    legal_at(position().states, 0, mask)
    assert np.flatnonzero(mask).tolist() == [0, 1, 2]


def test_r05_a_seat_alone_with_workers_goes_on_by_itself() -> None:
    # seat 1 has no worker in hand, seat 0 two: the second of them is placed before the round ends
    segments = iter(range(2, 13))
    wheel = {next(segments): f"{seat}c" for seat in (0, 0, 0, 1, 1, 1, 1, 1)}
    game = idle(position(wheel=wheel))
    assert (game.to_act, game.snapshot()["round"]) == (0, 1)
    assert idle(game).snapshot()["round"] == 2


def test_tables_of_the_decisions_cannot_be_written() -> None:
    # compiled code holds copies of them
    assert not BLOCK.flags.writeable
    assert not MAY_DECLINE.flags.writeable


def test_a_board_may_print_a_price_on_several_tokens() -> None:
    board = board_data(Position.from_seed(GAME, 2, 1).states)
    board["name"] = "prices"
    board["masters"]["token_prices"] = [1, 1, 2, 6, 6, 6]
    for player in Position.from_seed(GAME, 2, 1, board).snapshot()["players"]:
        assert player["tokens"] == [1, 1, 2, 6, 6, 6]


@pytest.mark.parametrize(
    ("vp", "paid"),
    [
        ({0: 9, 1: 5}, [1, -1, 0, 0]),
        ({0: 5, 1: 9}, [-1, 1, 0, 0]),
        ({0: 7, 1: 7, 2: 9}, [0, -1, 1, 0]),
        ({0: 1, 1: 2, 2: 3, 3: 4}, [-1, -1 / 3, 1 / 3, 1]),
        ({0: 0, 1: 0, 2: 0, 3: 0}, [1, 1 / 3, -1 / 3, -1]),  # ties go by the turn order
    ],
)
def test_payoffs_by_rank_and_zeros_for_absent_seats(vp: dict[int, int], paid: list[float]) -> None:
    out = np.full(4, 7.0)
    game = position(len(vp), vp=vp, last=0, game_round=5, coins=dict.fromkeys(vp, 0))
    returns_at(game.states, 0, out)
    assert out.tolist() == [0, 0, 0, 0]
    idle(game)
    out[:] = 7
    returns_at(game.states, 0, out)
    assert out == pytest.approx(paid)


def test_the_ledger_verb_writes_every_source_and_returns_their_sum() -> None:
    game = position()
    game.states[0]["ledger"][0] = range(1, 15)
    game.states[0]["ledger"][1] = range(21, 35)
    for seat, first in ((0, 1), (1, 21)):
        out = np.full(14, -1, np.int64)
        assert ledger_at(game.states, 0, seat, out) == sum(range(first, first + 14))
        assert out.tolist() == list(range(first, first + 14))


def test_absent_seats_keep_zeros() -> None:
    two = Position.from_seed(GAME, 2, 4).states
    for name in ("owned", "coins", "wet", "dry", "ledger", "craftsmen", "artisans", "artisans_in_supply", "bases",
                 "weapons", "tokens", "masters", "priority"):  # fmt: skip
        assert not two[name][0, 2:].any(), name
    assert two["turn_order"][0, 2:].tolist() == [-1, -1]


@pytest.mark.parametrize("kind", WARRIORS)
def test_r19_the_builder_makes_a_warrior_of_every_type(kind: str) -> None:
    game = at(1, "middle", game_round=2, coins={0: 5}, masters={0: {"builder": 1}}).play("ring:perform")
    play(game, f"warrior:{kind}", "cell:c3")
    after = game.snapshot()
    assert after["mausoleum"] == [{"kind": kind, "owner": 0, "mounted": False, "spaces": ["c3"]}]
    assert after["organizer"] == {name: 10 if name == kind else 11 for name in WARRIORS}
    assert (after["players"][0]["coins"], after["players"][0]["bases"], game.points()) == (3, 14, [0, 0])


def test_a_finished_turn_leaves_no_trace_of_its_decisions() -> None:
    statues = "0 soldier a1, 1 soldier i7"
    edits: dict[str, Any] = {
        "coins": {0: 9},
        "wet": {0: 9},
        "weapons": {0: "sword halberd crossbow spear"},
        "statues": statues,
    }
    turns = (
        (1, "ring:perform", "warrior:guard", "cell:e4", "weapon:use", "cell:a1", "cell:a3", "ring:coin"),
        (1, "ring:perform", "warrior:guard", "cell:e4", "weapon:use", "decline", "ring:coin"),
        (1, "ring:perform", "warrior:crossbowman", "cell:e4", "weapon:use", "ring:coin"),
        (1, "ring:perform", "warrior:soldier", "cell:e4", "weapon:keep", "ring:coin"),
        (1, "ring:nothing", "ring:perform", "token:2", "warrior:officer", "cell:e4"),
        (2, "ring:coin", "ring:coin", "ring:perform", "dir:n"),
        (5, "ring:coin", "ring:perform", "token:2", "ring:perform", "ring:perform", "cell:c3"),
        (8, "ring:coin", "ring:coin", "ring:perform", "cell:a2"),
        (11, "ring:coin", "ring:coin", "ring:perform", "cell:a2"),
    )
    for segment, *tokens in turns:
        game = play(at(segment, **edits), *tokens)
        if game.to_act == 0:
            game.play("ring:nothing")
        state = game.states[0]
        assert game.to_act == 1, tokens
        assert game.snapshot()["pending"] == {"decision": "rotate"}
        for name in ("segment", "ring", "chosen_type", "chosen_cell"):
            assert state[name] == -1, (tokens, name)
        assert state["repeating"] == 0


@pytest.mark.parametrize(("pair", "dry"), [("1,2", 3), ("1,3", 5), ("1,4", 9), ("2,3", 6), ("2,4", 10), ("3,4", 12)])
def test_the_supervisor_takes_the_clay_of_each_pair(pair: str, dry: int) -> None:
    game = at(7, "middle", masters={0: {"supervisor": 1}}, warehouses=(1, 2, 4, 8)).play("ring:perform")
    after = game.play(f"warehouses:{pair}").snapshot()
    assert after["players"][0]["dry"] == dry
    left = [0 if str(i) in pair.split(",") else clay for i, clay in enumerate((1, 2, 4, 8), 1)]
    assert after["warehouses"] == left


def test_r09_both_kinds_of_worker_may_stand_anywhere_on_an_empty_wheel() -> None:
    game = position(artisans={0: 1}).play("rotate:none")
    every = {f"place:{kind}:{segment}" for kind in ("craftsman", "artisan") for segment in range(1, 13)}
    assert set(game.legal()) == every
    mask = np.zeros(GAME.actions, np.int8)
    assert legal_at(game.states, 0, mask) == 24 == mask.sum()
