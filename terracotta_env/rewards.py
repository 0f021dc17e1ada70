"""Rewards of any game: three ways of paying the seats, zero-sum each.

``rank``
    nothing until the end, then evenly spaced from 1 (best) to -1 (last) by final rank.
``win``
    nothing until the end, then +1 for the winner and -1/(n-1) for the others.
``vp``
    points as they are earned: each seat gets (its new points - the mean of the others' new points) x the game's
    ``points_scale``; at the end ``win`` comes on top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .entry import points_at, returns_at
from .game import Game

if TYPE_CHECKING:
    from .batch import Batch

REWARDS: Final = ("rank", "win", "vp")


def check_reward(reward: str) -> str:
    """``reward`` itself, or a ``ValueError`` that names the choices."""
    if reward not in REWARDS:
        raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, got {reward!r}")
    return reward


def win_payoff(returns: np.ndarray) -> np.ndarray:
    """``win`` payoffs from rank payoffs, shape ``(n,)``; seats that tie for the best share what the winner gets."""
    best = returns == returns.max()
    winners, n = int(best.sum()), len(returns)
    return np.where(best, (1 - (winners - 1) / (n - 1)) / winners, -1 / (n - 1))


def relative(gains: np.ndarray) -> np.ndarray:
    """Each seat's gain less the mean of the others' gains, shape ``(n,)``; sums to zero."""
    n = len(gains)
    result: np.ndarray = gains - (gains.sum() - gains) / (n - 1)
    return result


class BatchMeter:
    """Pays one seat in each of N games.

    Args:
        batch: the games.
        reward: one of :data:`REWARDS`.
        win_share: weight of ``win`` on top of the points in the reward ``vp``.
    """

    def __init__(self, batch: Batch, reward: str, win_share: float = 1.0) -> None:
        self.batch, self.reward, self.win_share = batch, check_reward(reward), win_share
        self._paid = np.zeros((batch.n, batch.game.seats), np.int64)

    def start(self, rows: np.ndarray) -> None:
        """Games begin in these rows: points scored before are not paid."""
        if self.reward == "vp":
            self._paid[rows] = self._points(rows)

    def _points(self, rows: np.ndarray) -> np.ndarray:
        points = np.empty((len(rows), self.batch.game.seats), np.int64)
        self.batch.points(points, rows)
        return points

    def pay(self, seats: np.ndarray, ended: np.ndarray) -> np.ndarray:
        """What a seat of each game has earned since the last call, shape ``(N,)`` float64.

        Args:
            seats: shape ``(N,)``, who is paid.
            ended: the rows whose games are over.
        """
        every = np.arange(self.batch.n)
        rewards = np.zeros(self.batch.n)
        if self.reward == "vp":
            points = self._points(every)
            gains = points - self._paid  # zero for absent seats
            self._paid = points
            own = gains[every, seats]
            rewards = (own - (gains.sum(axis=1) - own) / (self.batch.players - 1)) * self.batch.game.points_scale
        if len(ended):
            final = self._final(ended)[np.arange(len(ended)), seats[ended]]
            rewards[ended] += final * (self.win_share if self.reward == "vp" else 1.0)
        return rewards

    def _final(self, rows: np.ndarray) -> np.ndarray:
        """Payments at the end by seat, shape ``(R, P)``."""
        returns = np.empty((len(rows), self.batch.game.seats))
        self.batch.returns(returns, rows)
        if self.reward != "rank":
            for k, players in enumerate(self.batch.players[rows]):
                returns[k, :players] = win_payoff(returns[k, :players])
        return returns


class RewardMeter:
    """Pays one game: remembers the points already paid.

    Args:
        game: the rules.
        reward: one of :data:`REWARDS`.
        players: number of players n.
    """

    def __init__(self, game: Game, reward: str, players: int) -> None:
        self.game = game
        self.reward = check_reward(reward)
        self.players = players
        self._scratch = np.zeros(len(game.sources), np.int64)
        self._returns = np.zeros(game.seats)
        self._paid = np.zeros(players, np.int64)
        self._points = np.zeros(players, np.int64)

    @property
    def only_at_end(self) -> bool:
        """True if every payment before the end is zero."""
        return self.reward != "vp"

    def start(self, states: np.ndarray) -> None:
        """Begin with the position in ``states[0]``: points scored before are not paid again."""
        points_at(states, 0, self.players, self._scratch, self._paid)

    def pay(self, states: np.ndarray, over: bool) -> np.ndarray:
        """Rewards of all seats since the last call, a fresh array of shape ``(n,)``, float64."""
        if self.reward == "vp":
            points_at(states, 0, self.players, self._scratch, self._points)
            rewards = relative((self._points - self._paid) * self.game.points_scale)
            self._paid[:] = self._points
        else:
            rewards = np.zeros(self.players)
        if over:
            returns_at(states, 0, self._returns)
            final = self._returns[: self.players]
            rewards += final if self.reward == "rank" else win_payoff(final)
        return rewards

    def forfeit(self, offender: int) -> np.ndarray:
        """Rewards when the game ends by an illegal action: -1 for the offender, the others share +1."""
        return self.fine(offender, 1.0)

    def fine(self, offender: int, amount: float) -> np.ndarray:
        """Take ``amount`` from one seat and share it among the others."""
        rewards = np.full(self.players, amount / (self.players - 1))
        rewards[offender] = -amount
        return rewards
