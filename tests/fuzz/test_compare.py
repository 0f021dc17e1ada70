"""The short form of the comparison, and that it would notice what it is there to notice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from terracotta_env.army import GAME
from terracotta_env.army.board import PRINTED_FIELDS
from terracotta_env.army.state import STATE
from tests.agents.games import BOARDS
from tests.fuzz.compare import DifferenceError, Pair, play_on
from tests.fuzz.dense import draw_dense
from tests.fuzz.flat import FIELDS, fields_that_differ, flat_engine, flat_reference
from tests.fuzz.players import PLAYERS
from tests.fuzz.shrink import replay
from tests.fuzz.units import draw_setup, run_game, run_position

SEED = 20
CASES = 3 * len(BOARDS)  # numbers of players and boards
GAMES, POSITIONS, LINES = 12, 60, 2  # of each case: 180 games, 900 positions


def dense_pair(seed: int, **given: Any) -> Pair:
    return Pair({"snapshot": draw_dense(Random(seed), **given)})


@pytest.mark.parametrize("case", range(CASES))
def test_both_implementations_agree_in_whole_games(case: int) -> None:
    for number in range(GAMES):
        assert run_game(SEED, case + CASES * number) > 100


@pytest.mark.parametrize("case", range(CASES))
def test_both_implementations_agree_from_dense_positions(case: int) -> None:
    decisions = sum(run_position(SEED, case + CASES * number, LINES) for number in range(POSITIONS))
    assert decisions > 5 * POSITIONS


def test_games_are_reproducible_and_differ_by_seed_and_number() -> None:
    assert run_game(1, 7) == run_game(1, 7)
    assert len({(run_game(1, 4), run_position(1, 4)), (run_game(1, 5), run_position(1, 5))}) == 2


def test_setups_hold_any_order_of_the_seats() -> None:
    orders = {tuple(draw_setup(Random(seed), 3, "flat")["turn_order"]) for seed in range(60)}
    assert len(orders) == 6


def test_flat_numbers_leave_out_only_what_is_printed_or_pending() -> None:
    pending = {"decision", "segment", "ring", "repeating", "chosen_type", "chosen_cell"}
    assert set(STATE.names or ()) - set(FIELDS) - {"spare"} == {"generator", *PRINTED_FIELDS, *pending}


@pytest.mark.parametrize("field", FIELDS)
def test_flat_numbers_show_a_change_of_every_field(field: str) -> None:
    pair = dense_pair(3, players=4)
    before = flat_engine(pair.position.states)
    assert before == flat_reference(pair.game.state)
    numbers = pair.position.states[field].reshape(1, -1)
    numbers[0, -1] += 1
    assert fields_that_differ(before, flat_engine(pair.position.states)) == [field]


def _coin(pair: Pair) -> None:
    pair.position.states["coins"][0, 1] += 1


def _figure(pair: Pair) -> None:
    pair.game.state.organizer["guard"] += 1


def _inspector(pair: Pair) -> None:
    pair.game.state.move_inspector("row", 1)


def _point(pair: Pair) -> None:
    pair.game.state.players[0].score("tile", 2)


def _legal(pair: Pair) -> None:
    assert pair.game._decision is not None
    pair.game._decision.options.pop()


def _printed(pair: Pair) -> None:
    pair.game.state.rings["outer"][4] = "ready:sword"


@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (_coin, "players.coins"),
        (_figure, "organizer.guard"),
        (_inspector, "inspectors.row"),
        (_point, "players.ledger.tile"),
        (_legal, "legal"),
    ],
)
def test_a_single_change_is_noticed_and_named(spoil: Callable[[Pair], None], where: str) -> None:
    pair = dense_pair(5, players=3)
    pair.compare()
    spoil(pair)
    with pytest.raises(DifferenceError) as caught:
        pair.compare()
    assert caught.value.where == where


def test_a_changed_ring_is_noticed_when_whole_snapshots_are_compared() -> None:
    pair = dense_pair(6, players=2, board="reconstructed")
    _printed(pair)
    with pytest.raises(DifferenceError) as caught:
        pair.compare(whole=True)
    assert caught.value.where == "wheel.outer"


def test_an_error_of_the_second_implementation_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise IndexError("nothing there")

    pair = dense_pair(7, players=4)
    monkeypatch.setattr("tests.reference.turn.placements", broken)
    with pytest.raises(DifferenceError, match=r"error\.IndexError: the second implementation: nothing there"):
        play_on(pair, PLAYERS["eager"], Random(1))


def test_a_snapshot_that_the_engine_refuses_is_a_difference() -> None:
    snapshot = draw_dense(Random(8))
    snapshot["players"][0]["bases"] += 1
    found = replay({"start": {"snapshot": snapshot}, "decisions": []}).found
    assert found is not None
    assert found.where == "refused"
    assert "players[0].bases" in found.what


@pytest.mark.parametrize("name", PLAYERS)
def test_players_choose_legal_tokens_and_leave_the_game_alone(name: str) -> None:
    rng = Random(4)
    pair = dense_pair(9, players=4)
    while not pair.over and len(pair.decisions) < 40:
        before, numbers = pair.position.to_bytes(), flat_reference(pair.game.state)
        token = PLAYERS[name](rng, pair.game, pair.position.states, pair.legal)
        assert token in pair.legal
        assert token in GAME.tokens
        assert (pair.position.to_bytes(), flat_reference(pair.game.state)) == (before, numbers)
        pair.play(token)
