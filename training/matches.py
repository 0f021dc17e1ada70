"""Matches of row policies: all games of a match side by side, every setup played from every seat.

Letters: N games, n seats of each, P seats of the game's largest player count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from terracotta_agents.rows import RowPolicy
from terracotta_env.batch import Batch
from terracotta_env.game import NOBODY, Game
from terracotta_env.policy import stream

from .evaluate import Match


@dataclass(frozen=True)
class Played:
    """Finished games.

    Attributes:
        batch: the games; nobody is to act in any.
        actions: shape ``(T, N)`` int64, action number t of each game, -1 after its end.
        deciders: shape ``(T, N)`` int64, who decided it, NOBODY after the end.
    """

    batch: Batch
    actions: np.ndarray
    deciders: np.ndarray

    def points(self) -> np.ndarray:
        """Final points by seat, shape ``(N, P)`` int64."""
        points = np.zeros((self.batch.n, self.batch.game.seats), np.int64)
        self.batch.points(points)
        return points

    def returns(self) -> np.ndarray:
        """Final payoffs by seat, shape ``(N, P)``, 1 for the first to -1 for the last."""
        returns = np.zeros((self.batch.n, self.batch.game.seats))
        self.batch.returns(returns)
        return returns


def play_seats(
    game: Game,
    policies: Sequence[RowPolicy],
    seating: np.ndarray,
    seeds: np.ndarray,
    rng: np.random.Generator,
    board: str | None = None,
) -> Played:
    """Play games to their ends.

    Args:
        game: the rules.
        policies: who plays.
        seating: shape ``(N, n)`` int64, index of the policy in each seat.
        seeds: shape ``(N,)`` uint64, the setups.
        rng: handed to the policies.
        board: printed data, None for the game's default.
    """
    n, players = seating.shape
    batch = Batch(game, n, players, board)
    batch.reset(seeds=seeds)
    rows = np.arange(n)
    actions, deciders = [], []
    while (batch.seats != NOBODY).any():
        chosen, seats = np.full(n, -1, np.int64), batch.seats.copy()
        asked = np.where(seats != NOBODY, seating[rows, seats], -1)
        for number, policy in enumerate(policies):
            part = rows[asked == number]
            if len(part):
                chosen[part] = policy.act(batch.states, part, rng)
        going = rows[seats != NOBODY]
        batch.play(chosen[going], going)
        actions.append(chosen)
        deciders.append(seats)
    return Played(batch, np.array(actions), np.array(deciders))


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
