"""Arguments of the wrong kind are refused where they come in, with what was expected."""

from __future__ import annotations

from typing import Any

import pytest

from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.errors import BoardError, SetupError
from terracotta_env.gym import GameGym
from terracotta_env.position import Position


@pytest.mark.parametrize("opponents", ["busy", 3, ["busy"], [object()]])
def test_opponents_that_are_no_policies_are_refused(opponents: Any) -> None:
    with pytest.raises(ValueError, match="opponents: expected"):
        GameGym(GAME, 2, opponents=opponents)


@pytest.mark.parametrize("seat", [0.5, None, True, 2, "first"])
def test_seats_that_are_no_seats_are_refused(seat: Any) -> None:
    with pytest.raises(ValueError, match="seat: expected"):
        GameGym(GAME, 2, seat=seat)


@pytest.mark.parametrize("options", ["setup", 5, [1]])
def test_options_that_are_no_table_are_refused(options: Any) -> None:
    with pytest.raises(SetupError, match="options: expected a table"):
        terracotta_v0.env().reset(seed=1, options=options)


def test_snapshot_of_another_board_is_refused() -> None:
    snapshot = Position.from_seed(GAME, 2, 1, "reconstructed").snapshot()
    with pytest.raises(SetupError, match=r"snapshot: board: expected 'flat', .* got 'reconstructed'"):
        terracotta_v0.env(board="flat").reset(options={"snapshot": snapshot})


@pytest.mark.parametrize("board", [3, [], b"flat", None])
def test_boards_of_the_wrong_kind_are_refused(board: Any) -> None:
    from terracotta_env.army.board import load_board

    with pytest.raises(BoardError, match="board: expected a name"):
        load_board(board)
