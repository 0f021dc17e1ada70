"""Opponents of a learner: bots and frozen copies of itself, deciding for many games at once.

A pool names each opponent by a number.  Games hold numbers, fixed for the whole game, so an opponent is never replaced
in the middle of one; a snapshot that left the pool lives on until its last game has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import torch

from terracotta_agents.busy import BUSY
from terracotta_agents.neural.actor import Actor, choose
from terracotta_agents.neural.rows import look
from terracotta_agents.rows import RolloutRows as RolloutRows
from terracotta_env.batch import Batch
from terracotta_env.game import NOBODY, Game
from terracotta_env.policy import RowPolicy as RowPolicy  # other modules of training take it from here
from terracotta_env.rollout import UNIFORM


class ActorRows:
    """A network, sampling from its policy (or taking its best action)."""

    def __init__(self, game: Game, actor: Actor, sample: bool = True) -> None:
        self.game = game
        self.actor = actor
        self.sample = sample

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        observations, masks = look(self.game, states, rows, np.float32)
        with torch.no_grad():
            logits = self.actor(torch.from_numpy(observations)).numpy()
        return choose(logits, masks, rng if self.sample else None)


CURRENT: Final = "self"
PAST: Final = "past"


class OpponentPool:
    """Who may sit opposite the learner, and how often.

    Args:
        game: the rules.
        shares: weight of each kind: ``random``, ``busy``, ``self`` (the learner as of the last update), ``past``
            (uniform over the snapshots; counts as ``self`` while there is none).
        size: most snapshots kept; beyond it the oldest but one goes, so a trace of the beginning remains.
    """

    def __init__(self, game: Game, shares: Mapping[str, float], size: int) -> None:
        self.game = game
        self.size = size
        self.kinds = [kind for kind, share in shares.items() if share > 0]
        weights = np.array([shares[kind] for kind in self.kinds])
        self.probabilities = weights / weights.sum()
        self.policies: dict[int, RowPolicy] = {0: RolloutRows(game, UNIFORM), 1: RolloutRows(game, BUSY)}
        self.kind_of: dict[int, str] = {0: "random", 1: "busy"}
        self.current: int | None = None
        self.snapshots: list[int] = []
        self._next = 2

    def _enter(self, actor: Actor, kind: str) -> int:
        number, self._next = self._next, self._next + 1
        self.policies[number] = ActorRows(self.game, actor)
        self.kind_of[number] = kind
        return number

    def set_current(self, actor: Actor) -> None:
        """The learner as it is now; games begun earlier keep the copy they began with."""
        self.current = self._enter(actor, CURRENT)

    def add_snapshot(self, actor: Actor) -> None:
        """Freeze a copy of the learner."""
        self.snapshots.append(self._enter(actor, PAST))
        if len(self.snapshots) > self.size:
            del self.snapshots[1 if self.size > 1 else 0]

    def draw(self, rng: np.random.Generator) -> int:
        """Number of an opponent for one seat of a new game."""
        kind = self.kinds[rng.choice(len(self.kinds), p=self.probabilities)]
        if kind == PAST and self.snapshots:
            return self.snapshots[rng.integers(len(self.snapshots))]
        if kind in (PAST, CURRENT):
            return self.current if self.current is not None else 0
        return 0 if kind == "random" else 1

    def free(self, in_use: np.ndarray) -> None:
        """Forget networks that neither the pool nor a game (numbers in ``in_use``) holds any more."""
        kept = {0, 1, self.current, *self.snapshots, *in_use.ravel().tolist()}
        for number in [number for number in self.policies if number not in kept]:
            del self.policies[number]
            del self.kind_of[number]


class PoolOpponents:
    """Seats the pool's opponents in the games of a vector environment (:class:`terracotta_env.vector.Opponents`).

    Attributes:
        numbers: shape ``(N, P)``, who sits in each seat: numbers of the pool, the learner's own seat included.
        kinds: shape ``(N, P)``, of what kind each of them is (or was: an evicted one plays its games to the end).
    """

    def __init__(self, pool: OpponentPool, n_games: int, seats: int) -> None:
        self.pool = pool
        self.numbers = np.zeros((n_games, seats), np.int64)
        self.kinds = np.full((n_games, seats), "", dtype=object)
        self.rng = np.random.default_rng(0)

    def seed(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def begin(self, batch: Batch, rows: np.ndarray) -> None:
        for row in rows:
            for seat in range(batch.players[row]):
                self.numbers[row, seat] = number = self.pool.draw(self.rng)
                self.kinds[row, seat] = self.pool.kind_of[number]
        self.pool.free(self.numbers)

    def play(self, batch: Batch, rows: np.ndarray, learner: np.ndarray) -> None:
        while len(rows):
            seats = batch.seats[rows]
            waiting = (seats != NOBODY) & (seats != learner[rows])
            rows, seats = rows[waiting], seats[waiting]
            numbers = self.numbers[rows, seats]
            for number in np.unique(numbers):
                own = rows[numbers == number]
                batch.play(self.pool.policies[int(number)].act(batch.states, own, self.rng), own)
