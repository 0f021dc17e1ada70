"""AlphaZero by self-play for any number of players: ``terracotta train alphazero``.

One update: take the games of a job (:mod:`terracotta_training.selfplay`), put their decisions into replay
(:mod:`terracotta_training.replay`), learn from it (:mod:`terracotta_training.alphazero_learn`), and let the network,
where it passes the gate, play the next jobs.  Who plays is a :class:`Source`: this process, or actors of a Ray cluster
(:mod:`terracotta_training.ray_cluster`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from terracotta_agents.neural.loading import find_network
from terracotta_agents.neural.networks import Perceptron, Structured
from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.neural.saved import load_network
from terracotta_agents.rows import MakeRows
from terracotta_env.game import Game
from terracotta_env.policy import stream

from . import alphazero_checkpoint
from .alphazero_config import AlphaZeroConfig
from .alphazero_learn import AlphaZeroLearner, read_samples
from .checkpoint import copied
from .jobs import Job, JobLog, Ledger
from .matches import play_rows
from .replay import Replay
from .run import NETWORK, Run, check_common
from .selfplay import Block, SelfPlay, play_job, sample_type

_GAMES, _DRAWS, _GATE = range(1, 4)  # streams of random numbers that come from one seed


class Source(Protocol):
    """Who plays the jobs."""

    def publish(self) -> None:
        """Another network plays from now on: the run's ``playing``."""

    def take(self) -> list[Block]:
        """Finished jobs, at least one, that the run's ledger has given out; waits for them."""

    def watched(self) -> dict[str, float]:
        """What is worth watching of it."""


class LocalSource:
    """This process plays one job whenever it is asked.

    Args:
        run: whose jobs.
    """

    def __init__(self, run: AlphaZeroRun) -> None:
        self.run = run

    def publish(self) -> None:
        """The next job sees the network anyhow."""

    def take(self) -> list[Block]:
        run = self.run
        return [play_job(run.common, run.playing, run.version, run.ledger.give(), run.config.run.threads, run.device)]

    def watched(self) -> dict[str, float]:
        return {}


class AlphaZeroRun(Run):
    """See :class:`terracotta_training.run.Run`; bots are for evaluation.

    Attributes:
        playing: the network that plays for training, a copy.
        version: updates that it has had.
        source: who plays; this process, unless somebody sets another.
    """

    title = "AlphaZero self-play"
    config_type = AlphaZeroConfig
    config: AlphaZeroConfig

    def __init__(self, game: Game, config: AlphaZeroConfig, folder: Path, bots: Mapping[str, MakeRows]) -> None:
        super().__init__(game, config, folder, bots)
        run = config.run
        self.common = SelfPlay(
            game,
            stream(run.seed, _GAMES),
            tuple(run.boards),
            config.search.below(),
            config.search.of_root(),
            config.selfplay,
            run.half,
        )
        draws = np.random.default_rng(stream(run.seed, _DRAWS))
        self.learner = AlphaZeroLearner(game, self.network, config.learning, draws, self.device, run.half)
        self.replay = Replay(folder, sample_type(game), config.learning.window)
        self.ledger = Ledger(config.selfplay.games, run.players)
        self.log = JobLog(folder)
        self.playing: torch.nn.Module = copied(self.network)
        self.version = 0
        self.source: Source = LocalSource(self)

    def make_network(self) -> Perceptron | Structured:
        """A fresh one; the one to start from; or, in a run that has begun, one of the form that it has."""
        begun, start = self.folder / NETWORK, self.config.run.start
        if begun.exists() or start:
            network = load_network(begun if begun.exists() else _found(start), self.game)[0]
            return network.train().requires_grad_(True)
        return super().make_network()

    @classmethod
    def check(cls, game: Game, config: Any, bots: Mapping[str, MakeRows]) -> None:
        """See :meth:`terracotta_training.run.Run.check`; a network to start from is looked for when a run is made."""
        check_common(game, config)

    @classmethod
    def start(cls, game: Game, config: Any, bots: Mapping[str, MakeRows]) -> AlphaZeroRun:
        """A new run in a new folder.  Raises ``StoreError`` where there is no network to start from."""
        if config.run.start:
            load_network(_found(config.run.start), game)
        return super().start(game, config, bots)

    def warm_up(self) -> None:
        """Plays a game of its own."""
        settings = self.common.settings.model_copy(update={"trees": 1, "simulations": 1, "fast_simulations": 1})
        job = Job(0, 0, 1, self.config.run.players[0])
        samples = play_job(replace(self.common, settings=settings), self.playing, 0, job).samples
        read_samples(self.game, samples)

    def update(self) -> dict[str, float]:
        done, new, lag = self.clock.fraction(), 0, []
        self.source.publish()
        while not new:
            for block in self.source.take():
                if not self.ledger.count(block.done.job):
                    continue  # somebody thought to be gone has answered after all
                self.replay.add(block.done.job, block.samples)
                self.log.add(block.done)
                lag.append(self.updates - block.done.version)
                new += len(block.samples)
        watched = self.learner.update(self.replay, new, done)
        self.refuse_divergence(watched)
        self.clock.samples += new
        self.updates += 1
        watched |= self._let_play()
        watched |= {"games": float(self.ledger.counted * self.ledger.games), "replay": float(len(self.replay))}
        return watched | {"lag": float(np.mean(lag))} | self.source.watched()

    def _let_play(self) -> dict[str, float]:
        """Let the learner's network play the next jobs, where it passes the gate; the share of games that it won."""
        gate, row = self.config.gate, {}
        if gate.every:
            if self.updates % gate.every:
                return {}
            players = min(self.config.run.players)
            candidate, playing = (NetworkRows(self.game, copied(n), sample=False) for n in (self.network, self.playing))
            board = self.config.run.boards[0]
            seed = stream(self.config.run.seed, _GATE, self.updates)
            match = play_rows(self.game, candidate, playing, players, gate.games, seed, board=board)
            row["gate"] = share = match.win_share()[0]
            if share < gate.share * 2 / players:
                return row
        self.playing, self.version = copied(self.network), self.updates
        return row

    def save_state(self, path: Path) -> None:
        alphazero_checkpoint.save(self, path)

    def load_state(self, path: Path) -> None:
        alphazero_checkpoint.load(self, path)


def _found(start: str) -> Path:
    """The file of a network to start from: a path, or the code of a bot that plays it."""
    return find_network(start.removeprefix("net:"))
