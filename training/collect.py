"""Self-play on the batch engine: N games side by side, everything a learner needs to know of its decisions.

In each step every game makes one decision.  In most games the learner sits in all seats; in the others it has one seat
and members of the league have the rest, for the whole game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch

from terracotta_agents.neural.networks import MARGIN, RANK, VALUES, autocast
from terracotta_env.batch import Batch
from terracotta_env.game import Game

from .league import LEARNER, PAST, League
from .losses import masked_log_probabilities, sample
from .opponents import RowPolicy
from .returns import advantages_and_returns


@dataclass(frozen=True)
class Samples:
    """The learner's decisions of one collection.  Letters: K decisions, F observation numbers, A actions, P seats.

    Attributes:
        observations: ``(K, F)`` int8.
        masks: ``(K, A)`` bool.
        actions: ``(K,)`` int64.
        log_probabilities: ``(K,)`` float32, of the actions when they were drawn.
        values: ``(K, P, VALUES)`` float32, as estimated then; seats relative to the deciding one here and below.
        advantages: ``(K, VALUES)`` float32, of the deciding seat.
        returns: ``(K, P, VALUES)`` float32, value targets.
        present: ``(K, P)`` bool, seats in the game.
    """

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    log_probabilities: np.ndarray
    values: np.ndarray
    advantages: np.ndarray
    returns: np.ndarray
    present: np.ndarray

    def __len__(self) -> int:
        return len(self.actions)


class Collector:
    """Plays the games.

    Args:
        batch: the games; its ``players`` may differ by row.
        network: of the learner: observations to logits and values.
        league: the other opponents.
        self_share: share of games that the learner plays against itself in all seats.
        steps: T, decisions of each game in one collection.
        discounts: gamma and lambda.
        by_turn: see :func:`terracotta_training.returns.advantages_and_returns`.
        rng: draws seats and opponents.
        generator: draws the learner's actions.
        half: use bfloat16.
    """

    def __init__(
        self,
        batch: Batch,
        network: torch.nn.Module,
        league: League,
        self_share: float,
        steps: int,
        discounts: tuple[float, float],
        by_turn: bool,
        rng: np.random.Generator,
        generator: torch.Generator,
        half: bool,
    ) -> None:
        self.batch, self.network, self.league = batch, network, league
        self.self_share, self.steps, self.by_turn, self.half = self_share, steps, by_turn, half
        self.discounts = np.array(discounts)
        self.rng, self.generator = rng, generator
        self.device = next(network.parameters()).device
        game, n = batch.game, batch.n
        self.seating = np.zeros((n, game.seats), np.int64)
        self.turns = np.zeros(n, np.int64)
        self._paid = np.zeros((n, game.seats), np.int64)
        self._all = np.arange(n)
        self.teacher: RowPolicy | None = None
        self.astray = 0.0
        self.finished: list[tuple[str, float]] = []  # an opponent's name and the learner's score against it
        self.games = 0  # finished
        capacity = n * steps
        self._observations = np.zeros((capacity, game.observation_size), np.int8)
        self._masks = np.zeros((capacity, game.actions), np.bool_)
        self._seat_out(self._all)
        batch.points(self._paid)

    @property
    def game(self) -> Game:
        return self.batch.game

    def _seat_out(self, rows: np.ndarray) -> None:
        """Choose who plays new games in these rows."""
        players = self.batch.players[rows]
        against = self.rng.random(len(rows)) >= self.self_share
        own = (self.rng.random(len(rows)) * players).astype(np.int64)
        drawn = self.league.draw((len(rows), self.game.seats), self.rng)
        drawn[~against] = LEARNER
        drawn[np.arange(len(rows)), own] = LEARNER
        self.seating[rows] = drawn

    def collect(self) -> Samples:
        """Play T steps and work out advantages and value targets."""
        batch, n, steps, seats = self.batch, self.batch.n, self.steps, self.game.seats
        decisions = np.full((steps, n), -1, np.int64)
        turns = np.empty((steps + 1, n), np.int64)
        rewards = np.zeros((steps, n, seats, VALUES), np.float32)
        ended = np.zeros((steps, n), np.bool_)
        deciders = np.empty(n * steps, np.int64)
        players = np.empty(n * steps, np.int64)
        actions = np.empty(n * steps, np.int64)
        log_probabilities = np.empty(n * steps, np.float32)
        values = np.empty((n * steps, seats, VALUES), np.float32)
        made = 0
        chosen = np.empty(n, np.int64)
        for t in range(steps):
            turns[t] = self.turns
            who = self.seating[self._all, batch.seats]
            rows = np.flatnonzero(who == LEARNER)
            part = slice(made, made + len(rows))
            if len(rows):
                batch.observe(self._observations[part], rows=rows)
                batch.legal(self._masks[part], rows=rows)
                own, log_probabilities[part], values[part] = self._ask(self._observations[part], self._masks[part])
                chosen[rows] = actions[part] = own
                if self.teacher is not None:
                    actions[part] = shown = self.teacher.act(batch.states, rows, self.rng)
                    chosen[rows] = np.where(rows < self.astray * batch.n, own, shown)
                deciders[part], players[part] = batch.seats[rows], batch.players[rows]
                decisions[t, rows] = np.arange(made, made + len(rows))
                made += len(rows)
            for number in np.unique(who[who != LEARNER]).tolist():
                rows = np.flatnonzero(who == number)
                chosen[rows] = self.league.of(number).policy.act(batch.states, rows, self.rng)
            before = batch.seats.copy()
            over = batch.step(chosen)
            self.turns += batch.seats != before
            ended[t, over] = True
            self._pay(rewards[t], over)
            if len(over):
                self._note(over)
                self.turns[over] += 1
                self._seat_out(over)
                self.league.forget(self.seating.ravel().tolist())
        turns[steps] = self.turns
        to_table = rotation(deciders[:made], players[:made], seats, back=True)
        in_table = np.take_along_axis(values[:made], to_table[:, :, None], 1)
        advantages = np.empty((made, VALUES), np.float32)
        returns = np.empty((made, seats, VALUES), np.float32)
        advantages_and_returns(
            decisions,
            deciders[:made],
            turns,
            rewards,
            ended,
            in_table,
            self._last_values(),
            self.discounts,
            self.by_turn,
            advantages,
            returns,
        )
        to_relative = rotation(deciders[:made], players[:made], seats)
        return Samples(
            self._observations[:made],
            self._masks[:made],
            actions[:made],
            log_probabilities[:made],
            values[:made],
            advantages,
            np.take_along_axis(returns, to_relative[:, :, None], 1),
            np.arange(seats) < players[:made, None],
        )

    def _ask(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions, their log-probabilities and the values by relative seat."""
        with torch.no_grad(), autocast(self.half, self.device):
            logits, values = (out.cpu() for out in self.network(torch.from_numpy(observations).to(self.device)))
            logs = masked_log_probabilities(logits, torch.from_numpy(masks))
            actions = sample(logs, self.generator)
            picked = logs.gather(1, actions[:, None])[:, 0]
        return actions.numpy(), picked.numpy(), values.numpy()

    def _last_values(self) -> np.ndarray:
        """Values of the positions the games stand in, seats of the table."""
        observations = self.batch.make_observations(compact=True)
        self.batch.observe(observations)
        with torch.no_grad(), autocast(self.half, self.device):
            values = self.network(torch.from_numpy(observations).to(self.device))[1].cpu().numpy()
        back = rotation(self.batch.seats, self.batch.players, self.game.seats, back=True)
        return np.take_along_axis(values, back[:, :, None], 1)

    def _pay(self, rewards: np.ndarray, over: np.ndarray) -> None:
        """Write what all seats earned in this step, ``(N, P, VALUES)``."""
        batch = self.batch
        points = np.empty((batch.n, self.game.seats), np.int64)
        batch.points(points)
        earned = points - self._paid
        self._paid = points
        if len(over):
            final = np.empty((len(over), self.game.seats), np.int64)
            batch.points(final, over, last=True)
            # points holds the new games' here, so the finished ones' are what was paid plus earned
            earned[over] = final - (points[over] - earned[over])
            returns = np.zeros((len(over), self.game.seats), np.float32)
            batch.returns(returns, over, last=True)
            rewards[over, :, RANK] = returns
        others = (earned.sum(1, keepdims=True) - earned) / (batch.players[:, None] - 1)
        present = np.arange(self.game.seats) < batch.players[:, None]
        rewards[:, :, MARGIN] = (earned - others) * present * self.game.points_scale

    def _note(self, over: np.ndarray) -> None:
        """Tell the league how games against its members went."""
        self.games += len(over)
        returns = np.zeros((len(over), self.game.seats))
        self.batch.returns(returns, over, last=True)
        for k, row in enumerate(over):
            numbers = self.seating[row, : self.batch.players[row]]
            if not numbers.any():
                continue
            own = returns[k, int(np.flatnonzero(numbers == LEARNER)[0])]
            for seat in np.flatnonzero(numbers != LEARNER):
                score = 0.5 + 0.5 * float(np.sign(own - returns[k, seat]))
                member = self.league.of(int(numbers[seat]))
                member.note(score)
                self.finished.append((PAST if member.frozen else member.name, score))

    def results(self) -> dict[str, float]:
        """Games finished so far and the learner's mean score by opponent since the last call."""
        scores: dict[str, list[float]] = defaultdict(list)
        for name, score in self.finished:
            scores[name].append(score)
        self.finished.clear()
        return {"games": float(self.games)} | {f"score_{name}": float(np.mean(of)) for name, of in scores.items()}

    def memory(self) -> dict[str, np.ndarray]:
        """What a collection leaves for the next one, beside games, league and generators."""
        return {"seating": self.seating.copy(), "turns": self.turns.copy(), "paid": self._paid.copy()}

    def put_back(self, memory: Mapping[str, np.ndarray]) -> None:
        """The inverse of :meth:`memory`."""
        self.seating[:], self.turns[:], self._paid[:] = memory["seating"], memory["turns"], memory["paid"]


def rotation(seats: np.ndarray, players: np.ndarray, size: int, back: bool = False) -> np.ndarray:
    """Indices ``(K, P)``: which seat of the table each relative seat is, or, ``back``, the other way round.

    Absent seats stay where they are.
    """
    order = np.arange(size)[None]
    count, seat = players[:, None], seats[:, None]
    turned = (order - seat) % count if back else (order + seat) % count
    return np.where(order < count, turned, order)
