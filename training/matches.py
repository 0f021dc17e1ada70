"""Matches of row policies: all games of a match side by side, every setup played from every seat.

Letters: N games, n seats of each, P seats of the game's largest player count.
"""

from __future__ import annotations

import math

import numpy as np

from terracotta_agents.rows import RowPolicy
from terracotta_agents.side_by_side import play_seats
from terracotta_env.game import Game
from terracotta_env.policy import stream

from .evaluate import Match


def rotated(setups: int, players: int) -> np.ndarray:
    """Seating, shape ``(setups * players, players)``: 0 in each seat of each setup in turn, 1 in the others."""
    own = np.arange(setups * players) % players
    return (np.arange(players) != own[:, None]).astype(np.int64)


def play_rows(
    game: Game,
    agent: RowPolicy,
    opponent: RowPolicy,
    players: int,
    games: int,
    seed: int,
    names: tuple[str, str] = ("agent", "opponent"),
    board: str | None = None,
) -> Match:
    """Play ``games`` games (rounded up to whole setups), the agent in each seat of each setup in turn.

    Setups are those of :func:`terracotta_training.evaluate.play_match` with the same ``seed``.
    """
    setups = math.ceil(games / players)
    seeds = np.repeat(np.array([stream(seed, setup) for setup in range(setups)], np.uint64), players)
    rng = np.random.default_rng(stream(seed, setups))
    played = play_seats(game, (agent, opponent), rotated(setups, players), seeds, rng, board)
    rows = np.arange(setups * players)
    own, points = rows % players, played.points()
    mine = points[rows, own]
    others = (points.sum(1) - mine) / (players - 1)
    won = played.returns()[rows, own] == 1.0
    shape = (setups, players)
    return Match(*names, players, won.reshape(shape), mine.reshape(shape), others.reshape(shape))
