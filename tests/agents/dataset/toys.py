"""Data sets of the toy game: its bots, and settings for quick ones."""

from __future__ import annotations

from typing import Any

from terracotta_agents.dataset.making import Settings
from terracotta_agents.dataset.players import Player
from terracotta_agents.rows import RolloutRows
from terracotta_env.policy import Uniform
from terracotta_env.rollout import UNIFORM
from tests.toy import GAME


class Rows(RolloutRows):
    """The uniform bot for many games at once."""

    def __init__(self) -> None:
        super().__init__(GAME, UNIFORM)


PLAYERS = {
    "kernel": Player("kernel", "random", 1, Uniform, rows=Rows, rollout=UNIFORM),
    "rows": Player("rows", "random", 1, Uniform, rows=Rows),
    "single": Player("single", "random", 1, Uniform),
}


def find(code: str) -> Player:
    return PLAYERS[code]


def settings(*agents: str, games: int = 100, **others: Any) -> Settings:
    return Settings(GAME.module, GAME.name, agents, games, **{"seed": 7, "find": find, "decisions": True, **others})
