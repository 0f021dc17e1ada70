"""A bot that fails while a record is played is named, with its seat and what went wrong."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_env.errors import IllegalActionError, PolicyError
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.record import play_record
from tests.toy import GAME


class Broken(Uniform):
    """Fails at its first decision."""

    name = "broken"

    def act(self, position: Position, mask: np.ndarray) -> int:
        raise ZeroDivisionError("no weights")


class Blind(Uniform):
    """Chooses an action that is not legal."""

    name = "blind"

    def act(self, position: Position, mask: np.ndarray) -> int:
        return int(mask.argmin())


def test_a_bot_that_raises_is_named() -> None:
    with pytest.raises(PolicyError, match=r"agent broken in seat [01] failed: ZeroDivisionError\('no weights'\)"):
        play_record(Position.from_seed(GAME, 2, 3), [Broken(), Broken()])


def test_a_bot_that_chooses_an_illegal_action_is_named() -> None:
    with pytest.raises(IllegalActionError, match=r"agent blind in seat [01]: illegal action"):
        play_record(Position.from_seed(GAME, 2, 3), [Blind(), Blind()])
