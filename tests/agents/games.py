"""Games and records for tests of bots, records and training."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from terracotta_agents.registry import make_agents
from terracotta_env.army import GAME
from terracotta_env.policy import stream
from terracotta_env.position import Position
from terracotta_env.record import play_record

BOARDS = tuple(GAME.notation.board_names())


@cache
def printed(board: str) -> dict[str, Any]:
    """The content of a shipped board file."""
    return tomllib.loads((resources.files("terracotta_env") / "boards" / f"{board}.toml").read_text(encoding="utf-8"))


def play_and_record(
    players: int,
    codes: Sequence[str],
    seed: int = 0,
    board: str = "reconstructed",
    trace: bool = False,
    snapshots: bool = False,
    meta: dict[str, Any] | None = None,
) -> tuple[dict[str, Any], Position]:
    """A whole game by bots: its record and its final position."""
    position = Position.from_seed(GAME, players, seed, board)
    policies = make_agents(codes, players)
    for seat, policy in enumerate(policies):
        policy.begin(stream(seed, 1 + seat))
    return play_record(position, policies, trace, snapshots, meta), position


@cache
def _recorded(players: int, codes: tuple[str, ...], board: str, trace: bool, snapshots: bool) -> tuple[str, bytes]:
    record, final = play_and_record(players, codes, 11, board, trace, snapshots)
    return json.dumps(record), final.to_bytes()


def recorded(
    players: int = 2,
    codes: tuple[str, ...] = ("busy",),
    board: str = "reconstructed",
    trace: bool = False,
    snapshots: bool = False,
) -> tuple[dict[str, Any], Position]:
    """A record that the caller may change, and the final position of its game; played once for all tests."""
    text, final = _recorded(players, codes, board, trace, snapshots)
    record: dict[str, Any] = json.loads(text)
    return record, Position.from_bytes(GAME, final)
