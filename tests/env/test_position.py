"""Positions: what people, bots and records hold in their hands."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any, cast

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.errors import IllegalActionError, SetupError, TerracottaError
from terracotta_env.game import Game, find, game_of, load_game
from terracotta_env.position import Position, check_players, check_seed
from tests.env.playing import fresh_process, walk
from tests.toy import GAME as TOY

HELD = [position.clone() for position in walk(GAME, 3, 1)][::25]


@pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])
def test_bytes_pickles_and_copies_are_equal_and_hash_alike(game: Game) -> None:
    for position in walk(game, 3, 2):
        for other in (
            position.clone(),
            copy.copy(position),
            copy.deepcopy(position),
            pickle.loads(pickle.dumps(position)),
            Position.from_bytes(game, position.to_bytes()),
        ):
            assert other == position
            assert hash(other) == hash(position)
            assert other.game is game
            assert not np.shares_memory(other.states, position.states)


def test_hash_is_the_same_in_another_process() -> None:
    code = "import pickle, sys; print([hash(p) for p in pickle.loads(sys.stdin.buffer.read())])"
    for salt in ("1", "2"):
        assert fresh_process(code, pickle.dumps(HELD), PYTHONHASHSEED=salt) == f"{[hash(p) for p in HELD]}\n"


def test_hash_and_equality_are_of_the_value() -> None:
    assert len({hash(position) for position in HELD}) == len(HELD)
    assert HELD[0] != HELD[1]
    assert HELD[0] != "position"
    assert Position.from_seed(GAME, 2, 5) == Position.from_seed(GAME, 2, 5)


def test_snapshots_go_round_through_json() -> None:
    for position in HELD:
        again = Position.from_snapshot(GAME, json.loads(json.dumps(position.snapshot())))
        assert again.key() == position.key()
        assert again.points() == position.points()


def test_setup_of_a_drawn_game_starts_the_same_game() -> None:
    for players in GAME.players:
        for seed in range(20):
            drawn = Position.from_seed(GAME, players, seed)
            again = Position.from_setup(GAME, players, GAME.notation.setup_of(drawn.states))
            assert again.key() == drawn.key()


def test_key_leaves_out_what_is_not_part_of_the_position() -> None:
    position = HELD[3].clone()
    other = position.clone()
    other.states["generator"] += np.uint64(1)
    other.states["ledger"][0, 0, 0] += 1
    other.states["ledger"][0, 0, 1] -= 1
    assert other.key() == position.key()
    assert other != position


def test_key_does_not_change_the_position() -> None:
    before = HELD[2].to_bytes()
    HELD[2].key()
    assert HELD[2].to_bytes() == before


def test_mask_and_tokens_agree_with_ids() -> None:
    for position in HELD:
        tokens = [GAME.tokens[action] for action in np.flatnonzero(position.mask())]
        assert position.legal() == sorted(tokens)
        assert position.mask().dtype == np.int8


def test_actions_are_taken_by_id_and_by_token_alike() -> None:
    for position in HELD[:-1]:
        token = position.legal()[0]
        action = GAME.action_of(token)
        by_id = position.clone().play(action)
        assert by_id == position.clone().play(token)
        assert by_id == position.clone().play(cast(int, np.int16(action)))


@pytest.mark.parametrize("action", ["nonsense", "ring:perform", -1, 123, 3.0, True, None, 10**30])
def test_refused_action_leaves_the_position_and_is_quoted(action: Any) -> None:
    position = Position.from_seed(GAME, 2, 0)
    before = position.to_bytes()
    with pytest.raises(IllegalActionError) as caught:
        position.play(action)
    assert position.to_bytes() == before
    for part in (repr(action), "seat", ", ".join(position.legal()), position.render()):
        assert part in str(caught.value)


def test_nothing_is_legal_after_the_end_and_the_error_says_so() -> None:
    over = HELD[-1] if HELD[-1].over else list(walk(GAME, 3, 1))[-1]
    assert (over.to_act, over.legal(), over.over) == (None, [], True)
    with pytest.raises(IllegalActionError, match="the game is over"):
        over.play(0)


def test_ranking_lists_all_seats_best_first_and_only_at_the_end() -> None:
    over = list(walk(GAME, 4, 1))[-1]
    assert sorted(over.ranking()) == [0, 1, 2, 3]
    points = [over.points()[seat] for seat in over.ranking()]
    assert points == sorted(points, reverse=True)
    assert over.returns()[over.ranking()] == pytest.approx([1, 1 / 3, -1 / 3, -1])
    with pytest.raises(ValueError, match="not over"):
        HELD[0].ranking()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, True, None, "7"])
def test_refused_seed_is_named(seed: Any) -> None:
    with pytest.raises(SetupError, match=r"seed: expected a whole number in 0\.\.2\*\*64-1"):
        check_seed(seed)


@pytest.mark.parametrize("seed", [0, 2**63, 2**64 - 1, np.int64(5), np.uint64(2**64 - 1)])
def test_whole_range_of_seeds_starts_games(seed: Any) -> None:
    assert Position.from_seed(GAME, 2, seed) == Position.from_seed(GAME, 2, int(seed))


@pytest.mark.parametrize("players", [0, 1, 5, 2.0, True, "2"])
def test_refused_number_of_players_is_named(players: Any) -> None:
    with pytest.raises(SetupError, match="players: expected one of 2, 3, 4"):
        check_players(GAME, players)


def test_wrong_number_of_bytes_and_wrong_seat_are_refused() -> None:
    with pytest.raises(SetupError, match=f"has {GAME.dtype.itemsize} bytes, got 3"):
        Position.from_bytes(GAME, b"abc")
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=r"seat: expected 0\.\.2"):
            HELD[0].observe(seat)


def test_returned_arrays_do_not_alias_the_position() -> None:
    position = HELD[1].clone()
    mask, observation, returns = position.mask(), position.observe(0), position.returns()
    for array in (mask, observation, returns):
        array[:] = 77
    assert position == HELD[1]
    assert position.mask().max() == 1


def test_errors_have_a_common_base() -> None:
    for error in (IllegalActionError, SetupError):
        assert issubclass(error, TerracottaError)
        assert issubclass(error, ValueError)


def test_games_are_found_by_name_module_and_record() -> None:
    assert find("terracotta") is GAME
    assert load_game("tests.toy", "orchard") is TOY
    assert game_of(GAME.dtype) is GAME
    assert pickle.loads(pickle.dumps(GAME)) is GAME
    assert copy.deepcopy(GAME) is GAME
    with pytest.raises(ValueError, match=r"no game named 'chess': known are orchard, .*terracotta"):
        find("chess")
    with pytest.raises(TypeError, match="no registered game"):
        game_of(np.dtype("i4"))


def test_token_of_another_game_is_unknown() -> None:
    with pytest.raises(KeyError):
        GAME.action_of("tree:1")
