"""Programs in the arena: their faults are forfeits, and they are told how their games go."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from terracotta_agents.arena.playing import play
from terracotta_agents.protocol.agent import ExternalBot
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from tests.toy import GAME

from .playing import QUICK, command


def arena_game(bot: ExternalBot, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    start = Position.from_seed(GAME, 2, seed)
    return play(start, [bot, Uniform()], ["program", "random"], [1, 2], {})


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("crash", "crash: ended with exit code 3"),
        ("illegal", "illegal: 'pick:77' is not legal"),
        ("silence", "timeout: no"),
    ],
)
def test_faults_of_programs_are_forfeits(mode: str, reason: str, mark: str) -> None:
    with ExternalBot(command(mode), GAME, limits=QUICK) as bot:
        result, record = arena_game(bot, 3)
    assert result["forfeit"]["seat"] == 0
    assert re.match(reason, result["forfeit"]["reason"])
    assert result["ranking"] == [1, 0]
    assert record["forfeit"] == result["forfeit"]


def test_programs_are_told_of_the_record_and_the_result(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Mapping[str, Any]] = []
    monkeypatch.setattr(ExternalBot, "game_over", lambda self, result: told.append(result))
    with ExternalBot(command("good"), GAME, limits=QUICK) as bot:
        result, record = arena_game(bot, 3)
        assert bot._record is not None
        assert bot._record["decisions"] == record["decisions"]
    assert {"vp": result["vp"], "ranking": result["ranking"]} in told
