"""The table of games, and the verbs as ordinary functions: what they refuse, and that they reach the right game."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from terracotta_env import game as verbs
from terracotta_env.game import find, game_of, load_game, register
from terracotta_env.position import Position
from tests.env.playing import fresh_process
from tests.toy import GAME as TOY


def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="a game named 'orchard' is registered already"):
        register(TOY)


def test_a_record_type_is_taken_once() -> None:
    with pytest.raises(ValueError, match="the record of 'copy' has the same fields as that of 'orchard'"):
        register(dataclasses.replace(TOY, name="copy"))


def test_games_that_come_with_the_package_are_found_by_name() -> None:
    assert find("terracotta").name == "terracotta"
    assert load_game("tests.toy", "orchard") is TOY
    with pytest.raises(ValueError, match=r"no game named 'chess': known are orchard, .*terracotta"):
        find("chess")


def test_a_game_is_found_in_a_process_that_has_not_imported_it() -> None:
    code = "from terracotta_env.game import load_game; print(load_game('tests.toy', 'orchard').name)"
    assert fresh_process(code, NUMBA_DISABLE_JIT="1") == "orchard\n"


def test_a_module_that_registers_no_such_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no game named 'chess'"):
        load_game("tests.toy", "chess")


def test_records_of_no_game_are_refused() -> None:
    with pytest.raises(TypeError, match="no registered game has records of dtype"):
        game_of(np.dtype([("other", "i8")]))


def test_verbs_on_a_single_record_do_what_a_position_does() -> None:
    position = Position.from_seed(TOY, 3, 9)
    states = TOY.make_states(1)
    TOY.notation.write_board(states, TOY.default_board)
    state, mask, out = states[0], np.zeros(TOY.actions, np.int8), np.zeros(TOY.observation_size, np.float32)
    verbs.reset(state, 3, 9)
    while not verbs.is_over(state):
        assert verbs.to_act(state) == position.to_act
        assert verbs.legal(state, mask) == len(position.legal())
        verbs.observe(state, 1, out)
        assert (out == position.observe(1)).all()
        action = int(np.flatnonzero(mask)[-1])
        position.play(action)
        verbs.apply(state, action)
    payoffs, sources = np.zeros(TOY.seats), np.zeros(len(TOY.sources), np.int64)
    verbs.returns(state, payoffs)
    assert payoffs.tolist() == position.returns().tolist()
    assert [verbs.ledger(state, seat, sources) for seat in range(3)] == position.points()
