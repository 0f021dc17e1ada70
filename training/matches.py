"""Matches of row policies: all games of a match side by side, every setup played from every seat."""

from __future__ import annotations

import math

import numpy as np

from terracotta_env.batch import Batch
from terracotta_env.game import NOBODY, Game
from terracotta_env.policy import stream

from .evaluate import Match
from .opponents import RowPolicy


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

    Setups are those of :func:`training.evaluate.play_match` with the same ``seed``.
    """
    setups = math.ceil(games / players)
    n = setups * players
    batch = Batch(game, n, players, board)
    rows = np.arange(n)
    own = rows % players
    seeds = np.repeat(np.array([stream(seed, setup) for setup in range(setups)], np.uint64), players)
    batch.reset(seeds=seeds)
    rng = np.random.default_rng(stream(seed, setups))
    while True:
        going = rows[batch.seats != NOBODY]
        if not len(going):
            break
        mine = batch.seats[going] == own[going]
        for policy, part in ((agent, going[mine]), (opponent, going[~mine])):
            if len(part):
                batch.play(policy.act(batch.states, part, rng), part)
    points, returns = np.zeros((n, game.seats), np.int64), np.zeros((n, game.seats))
    batch.points(points)
    batch.returns(returns)
    mine_points = points[rows, own]
    others = (points.sum(1) - mine_points) / (players - 1)
    won = returns[rows, own] == 1.0
    shape = (setups, players)
    return Match(*names, players, won.reshape(shape), mine_points.reshape(shape), others.reshape(shape))
