"""Matches of one agent against others: every setup played from every seat, results with 95 % intervals.

The interval of the win share is Wilson's, with the number of games divided by the design effect of playing one setup
several times; that of a mean is 1.96 standard errors over setups, whose games are not independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from terracotta_env.game import Game
from terracotta_env.policy import Policy, ask, stream
from terracotta_env.position import Position

Z_95 = 1.96


@dataclass(frozen=True)
class Match:
    """Results of one agent, by setup and by the seat it sat in.

    Attributes:
        agent, opponent: names.
        players: number of players n.
        won: shape ``(setups, n)`` bool.
        points: shape ``(setups, n)``, the agent's final points.
        others: shape ``(setups, n)``, the mean of the other seats' final points.
    """

    agent: str
    opponent: str
    players: int
    won: np.ndarray
    points: np.ndarray
    others: np.ndarray

    @property
    def games(self) -> int:
        return int(self.won.size)

    def win_share(self) -> tuple[float, float, float]:
        """``(share, low, high)``."""
        return wilson(self.won)

    def mean(self, values: np.ndarray) -> tuple[float, float]:
        """``(mean, half width of its interval)``."""
        by_setup = values.mean(axis=1)
        spread = float(by_setup.std(ddof=1)) if len(by_setup) > 1 else math.nan
        return float(by_setup.mean()), Z_95 * spread / math.sqrt(len(by_setup))


def wilson(won: np.ndarray) -> tuple[float, float, float]:
    """Share of wins with Wilson's 95 % interval; ``won`` has one row a setup, whose games may depend on each other."""
    setups = len(won)
    share = float(won.mean())
    effective = float(won.size)
    if setups > 1 and 0 < share < 1:
        # variance of the share as the setups show it, over that of independent games
        effect = won.mean(axis=1).var(ddof=1) / setups / (share * (1 - share) / won.size)
        effective = won.size / max(1.0, float(effect))
    z2 = Z_95**2 / effective
    middle = (share + z2 / 2) / (1 + z2)
    half = Z_95 * math.sqrt(share * (1 - share) / effective + z2 / (4 * effective)) / (1 + z2)
    return share, max(0.0, middle - half), min(1.0, middle + half)


def play_match(
    game: Game,
    make_agent: Callable[[], Policy],
    make_opponent: Callable[[], Policy],
    players: int,
    games: int,
    seed: int,
    board: str | None = None,
    progress: Callable[[Iterator[int]], Iterator[int]] = lambda setups: setups,
) -> Match:
    """Play ``games`` games (rounded up to whole setups), the agent in each seat of each setup in turn."""
    setups = math.ceil(games / players)
    won = np.zeros((setups, players), bool)
    points = np.zeros((setups, players))
    others = np.zeros((setups, players))
    agent, opponents = make_agent(), [make_opponent() for _ in range(players - 1)]
    for setup in progress(iter(range(setups))):
        for seat in range(players):
            policies = [*opponents[:seat], agent, *opponents[seat:]]
            for place, policy in enumerate(policies):
                policy.begin(stream(seed, setup, seat, 1 + place))
            final = play(Position.from_seed(game, players, stream(seed, setup), board), policies)
            vp = final.points()
            won[setup, seat] = final.ranking()[0] == seat
            points[setup, seat] = vp[seat]
            others[setup, seat] = (sum(vp) - vp[seat]) / (players - 1)
    return Match(agent.name, opponents[0].name, players, won, points, others)


def play(position: Position, policies: Sequence[Policy]) -> Position:
    """Play a game to its end, one policy a seat; returns the final position."""
    while (seat := position.to_act) is not None:
        position.play(ask(policies[seat], position))
    return position
