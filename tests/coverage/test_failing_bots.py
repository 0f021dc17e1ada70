"""A bot that fails while a record is played is named, with its seat and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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


class Watching(Uniform):
    """Is told how its game goes."""

    name = "watching"

    def __init__(self, failing: str = "") -> None:
        super().__init__()
        self.failing = failing
        self.record: Mapping[str, Any] = {}
        self.result: Mapping[str, Any] = {}

    def follow(self, record: Mapping[str, Any]) -> None:
        self.record = record
        if self.failing == "follow":
            raise ZeroDivisionError("no eyes")

    def game_over(self, result: Mapping[str, Any]) -> None:
        self.result = result
        if self.failing == "game_over":
            raise ZeroDivisionError("no ears")


def test_a_policy_that_follows_is_told_decisions_and_result() -> None:
    bot = Watching()
    record = play_record(Position.from_seed(GAME, 2, 3), [bot, Uniform()])
    assert bot.record["decisions"] == record["decisions"]
    assert bot.result == {"vp": record["vp"], "ranking": record["ranking"]}


def test_a_policy_that_fails_to_follow_is_named() -> None:
    with pytest.raises(PolicyError, match=r"agent watching failed: ZeroDivisionError\('no eyes'\)"):
        play_record(Position.from_seed(GAME, 2, 3), [Uniform(), Watching("follow")])


def test_a_policy_that_fails_after_the_end_changes_nothing() -> None:
    assert play_record(Position.from_seed(GAME, 2, 3), [Uniform(), Watching("game_over")])["ranking"]


def test_the_error_of_a_bot_holds_what_was_played() -> None:
    class Late(Uniform):
        def act(self, position: Position, mask: np.ndarray) -> int:
            if position.points() != [0, 0]:
                raise ZeroDivisionError
            return super().act(position, mask)

    position = Position.from_seed(GAME, 2, 3)
    with pytest.raises(PolicyError) as caught:
        play_record(position, [Late(), Late()], trace=True)
    record = caught.value.record
    assert record is not None
    assert len(record["decisions"]) == len(record["trace"]) > 0
    again = Position.from_seed(GAME, 2, 3)
    for token in record["decisions"]:
        again.play(token)
    assert again == position
    assert "ranking" not in record
