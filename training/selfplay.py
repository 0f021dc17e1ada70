"""Games that a search guided by a network plays against itself, as a pure function of a job.

All games of a job are played with one network.  Each part of a job, one a thread, grows its own trees and asks the
network for its own leaves, so the kernels of one part run while the network answers another.  Some decisions, drawn at
random, get a full search with noise, from which the policy is to learn; the others a fast one without (playout cap
randomisation, Wu 2019).

Letters: K decisions, G games, A actions, P seats.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import nn

from terracotta_agents.neural.evaluator import NetworkEvaluator
from terracotta_agents.neural.single import one_thread
from terracotta_agents.search.guided import GuidedSearch, RootSettings
from terracotta_agents.search.settings import Settings
from terracotta_env.batch import Batch
from terracotta_env.game import NOBODY, Game, whole
from terracotta_env.policy import stream

from .alphazero_config import SelfPlaySettings
from .jobs import Done, Job

_SETUPS, _TREES, _CHOICES = range(3)  # streams of random numbers of a game
_ROOM: Final = 64  # nodes beside twice the simulations of a full search: what is kept and what is new


def sample_type(game: Game) -> np.dtype:
    """The record of a decision.

    Fields:
        state: bytes of the position; who decides, what it sees and may do follow from it.
        policy: ``(A,)`` float16, the improved policy.
        full: it came from a full search.
        returns: ``(P,)`` float32, payoff of the final ranking by seat of the table.
        margins: ``(P,)`` float32, points to come less the mean of the others', times the game's ``points_scale``.
        game: id.
    """
    return np.dtype(
        [
            ("state", f"V{game.dtype.itemsize}"),
            ("policy", "f2", (game.actions,)),
            ("full", "?"),
            ("returns", "f4", (game.seats,)),
            ("margins", "f4", (game.seats,)),
            ("game", "i8"),
        ]
    )


@dataclass(frozen=True)
class SelfPlay:
    """What all jobs of a run have in common.

    Attributes:
        game: the rules.
        seed: of the run.
        boards: printed data, drawn for each game.
        search, root: settings.
        settings: of self-play.
        half: use bfloat16.
    """

    game: Game
    seed: int
    boards: tuple[str, ...]
    search: Settings
    root: RootSettings
    settings: SelfPlaySettings
    half: bool


@dataclass(frozen=True)
class Block:
    """The games of a job.

    Attributes:
        done: what they cost.
        samples: shape ``(K,)`` of :func:`sample_type`, all decisions.
    """

    done: Done
    samples: np.ndarray


def play_job(
    common: SelfPlay,
    network: nn.Module,
    version: int,
    job: Job,
    threads: int = 1,
    device: torch.device | str = "cpu",
    worker: str = "local",
) -> Block:
    """Play a job's games to their ends.

    Args:
        network: int8 observations to logits and values; it is copied.
        version: of the network, for the books.
        threads: parts that are played at the same time; they decide which games share a batch.
        device: where the network runs.
        worker: who plays, for the books.
    """
    start = time.perf_counter()
    ids = np.arange(job.first_game, job.first_game + job.games)
    parts = [ids[part::threads] for part in range(min(threads, job.games))]
    trees = max(1, common.settings.trees // len(parts))
    players = [_Part(common, network, own, job.players, min(trees, len(own)), device) for own in parts]
    with one_thread(), ThreadPoolExecutor(len(parts), "selfplay") as pool:
        samples = np.concatenate(list(pool.map(_Part.play, players)))
    done = Done(
        job.number,
        job.first_game,
        job.games,
        job.players,
        version,
        len(samples),
        int(samples["full"].sum()),
        sum(part.search.simulations for part in players),
        round(time.perf_counter() - start, 3),
        worker,
    )
    return Block(done, samples)


class _Part:
    """Some games of a job, on one thread: as many as there are trees at a time, then the next ones in their places."""

    def __init__(
        self,
        common: SelfPlay,
        network: nn.Module,
        ids: np.ndarray,
        players: int,
        trees: int,
        device: torch.device | str,
    ) -> None:
        game = common.game
        self.common, self.ids, self.players = common, ids, players
        self.batch = Batch(game, trees, players, common.boards, checked=False)
        evaluator = NetworkEvaluator(game, network, common.search, device, common.half)
        capacity = 2 * common.settings.simulations + _ROOM
        self.search = GuidedSearch(game, trees, capacity, common.search, common.root, evaluator)
        self.number = np.zeros(trees, np.int64)  # which of `ids` each tree plays
        self.full = np.zeros(trees, np.bool_)
        self.rngs = [np.random.default_rng(0)] * trees
        self.begun = 0
        self.returns = np.zeros((len(ids), game.seats), np.float32)
        self.points = np.zeros((len(ids), game.seats), np.int64)
        self.kept: list[tuple[np.ndarray, ...]] = []

    def play(self) -> np.ndarray:
        """All games; their decisions in the order in which they were made."""
        going = self._begin(np.arange(self.batch.n))
        while len(going):
            spent = self.search.step(going)
            if not len(spent):
                continue
            over = self._decide(spent)
            if len(over):
                begun = self._begin(over)
                going = going[~np.isin(going, np.setdiff1d(over, begun))]
        return self._samples()

    def _seed(self, purpose: int, row: int) -> int:
        return stream(self.common.seed, purpose, int(self.ids[self.number[row]]))

    def _begin(self, rows: np.ndarray) -> np.ndarray:
        """Begin the next games in these rows; returns those for which there was one."""
        rows = rows[: len(self.ids) - self.begun]
        if len(rows):
            self.number[rows] = np.arange(self.begun, self.begun + len(rows))
            self.begun += len(rows)
            self.batch.reset(rows, np.array([self._seed(_SETUPS, row) for row in rows], np.uint64))
            seeds = np.array([self._seed(_TREES, row) for row in rows], np.uint64)
            for row in rows.tolist():
                self.rngs[row] = np.random.default_rng(self._seed(_CHOICES, row))
            self.search.begin(rows, self._states(rows), seeds)
            self._ask(rows)
        return rows

    def _states(self, rows: np.ndarray) -> np.ndarray:
        states: np.ndarray = whole(self.batch.states)[rows].view(self.batch.states.dtype)
        return states

    def _ask(self, rows: np.ndarray) -> None:
        """Draw how each decision is searched, and begin to."""
        settings, root, actions = self.common.settings, self.common.root, self.common.game.actions
        noise = np.zeros((len(rows), actions))
        for k, row in enumerate(rows.tolist()):
            self.full[row] = full = self.rngs[row].random() < settings.full_share
            if full:
                noise[k] = root.draw(self.rngs[row], actions)
        budgets = np.where(self.full[rows], settings.simulations, settings.fast_simulations)
        self.search.ask(rows, budgets, noise)

    def _decide(self, rows: np.ndarray) -> np.ndarray:
        """Play what these searches found and write it down; returns the rows whose games are over."""
        batch, found = self.batch, self.search.found(rows)
        actions = found.actions
        for k in np.flatnonzero(batch.decisions[rows] < self.common.settings.drawn).tolist():
            actions[k] = self.rngs[rows[k]].choice(len(found.policies[k]), p=found.policies[k])
        points = np.zeros((len(rows), self.common.game.seats), np.int64)
        batch.points(points, rows)
        policies = found.policies.astype(np.float16)
        self.kept.append((whole(batch.states)[rows], policies, self.full[rows], self.number[rows], points))
        batch.play(actions, rows)
        over: np.ndarray = rows[batch.seats[rows] == NOBODY]
        if len(over):
            ends = self.number[over]
            returns, final = np.zeros((len(over), points.shape[1]), np.float32), np.zeros_like(points[: len(over)])
            batch.returns(returns, over)
            batch.points(final, over)
            self.returns[ends], self.points[ends] = returns, final
        on = ~np.isin(rows, over)
        if on.any():
            self.search.advance(rows[on], actions[on])
            self._ask(rows[on])
        return over

    def _samples(self) -> np.ndarray:
        states, policies, full, numbers, points = (np.concatenate(column) for column in zip(*self.kept, strict=True))
        game = self.common.game
        to_come = self.points[numbers] - points
        margins = to_come - (to_come.sum(1, keepdims=True) - to_come) / (self.players - 1)
        margins[:, self.players :] = 0.0
        samples = np.empty(len(states), sample_type(game))
        samples["state"], samples["policy"], samples["full"] = states, policies, full
        samples["returns"] = self.returns[numbers]
        samples["margins"] = margins * game.points_scale
        samples["game"] = self.ids[numbers]
        return samples
