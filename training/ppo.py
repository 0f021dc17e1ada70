"""Masked PPO by self-play: ``terracotta train ppo``.

One update: play T decisions of N games (:mod:`terracotta_training.collect`), work out advantages and value targets
for every seat (:mod:`terracotta_training.returns`), pass over the samples a few times
(:mod:`terracotta_training.learn`).  For the first part of a run the network may instead learn what a bot does when it
plays itself.  Now and then the learner is frozen and enters the league (:mod:`terracotta_training.league`), the run is
saved whole (:mod:`terracotta_training.checkpoint`) and the network is rated (:mod:`terracotta_training.rating`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.rows import MakeRows, ParallelRows, RowPolicy
from terracotta_env.batch import Batch
from terracotta_env.game import Game
from terracotta_env.policy import stream

from . import checkpoint
from .collect import Collector
from .config import ConfigError
from .league import League
from .learn import Learner
from .phases import Phase, Plan
from .ppo_config import PpoConfig
from .run import Run, check_common

_SETUPS, _SEATS, _ACTIONS, _SHUFFLES = range(1, 5)  # streams of random numbers that come from one seed


class PpoRun(Run):
    """See :class:`terracotta_training.run.Run`; bots are for the league, imitation and evaluation."""

    title = "PPO self-play"
    config_type = PpoConfig
    config: PpoConfig

    def __init__(self, game: Game, config: PpoConfig, folder: Path, bots: Mapping[str, MakeRows]) -> None:
        super().__init__(game, config, folder, bots)
        run, learning, league = config.run, config.learning, config.league
        self.bots: dict[str, RowPolicy] = {name: bots[name]() for name, weight in league.bots.items() if weight > 0}
        self.teacher = self._make_teacher()
        if self.teacher is not None:
            self.bots[f"{config.imitation.bot}, imitated"] = self.teacher
        players = np.resize(run.players, learning.games)
        self.collector = Collector(
            Batch(game, learning.games, players, run.boards, stream(run.seed, _SETUPS), run.threads, checked=False),
            self.network,
            League(
                {name: (self.bots[name], weight) for name, weight in league.bots.items() if weight > 0},
                league.past,
                league.size,
                league.power,
            ),
            league.self,
            learning.steps,
            (learning.gamma, learning.gae_lambda),
            learning.discount == "turn",
            np.random.default_rng(stream(run.seed, _SEATS)),
            torch.Generator().manual_seed(stream(run.seed, _ACTIONS) % 2**63),
            run.half,
        )
        shuffles = np.random.default_rng(stream(run.seed, _SHUFFLES))
        self.learner = Learner(self.network, learning, shuffles, self.device, run.half)
        self.plan = Plan(learning, config.imitation)

    def _make_teacher(self) -> RowPolicy | None:
        """Who is imitated, on all threads: bots that plan turns take longer than everything else together."""
        imitation, threads = self.config.imitation, self.config.run.threads
        if not imitation.share:
            return None
        make = self.make_bots[imitation.bot]
        return ParallelRows(make, threads) if threads > 1 else make()

    def warm_up(self) -> None:
        """Plays games of its own."""
        used = {*self.config.league.bots, *([self.config.imitation.bot] if self.teacher is not None else [])}
        batch = Batch(self.game, 2 * len(self.game.players), np.repeat(self.game.players, 2), self.config.run.boards)
        league = League({name: (self.make_bots[name](), 1.0) for name in used}, 1.0, 1)
        rng, generator = np.random.default_rng(0), torch.Generator()
        half = self.config.run.half
        Collector(batch, self.network, league, 0.5, 4, (1.0, 1.0), False, rng, generator, half).collect()
        for member in league.members.values():
            member.policy.act(batch.states, np.arange(batch.n), rng)

    def frozen(self, weights: Mapping[str, torch.Tensor] | None = None) -> NetworkRows:
        """A real copy of the network as a player, of these weights or of those it has now."""
        network = checkpoint.copied(self.network)
        if weights is not None:
            network.load_state_dict(weights)
        return NetworkRows(self.game, network, sample=True, half=self.config.run.half)

    def update(self) -> dict[str, float]:
        """Collect and learn once; returns what is worth watching."""
        done = self.clock.fraction()
        phase = self.plan.phase(done)
        self.collector.teacher = self.teacher if phase is Phase.IMITATION else None
        self.collector.astray = self.plan.astray(done)
        samples = self.collector.collect()
        watched = self.learner.update(samples, self.plan.rates(done), imitate=phase is not Phase.SELF_PLAY)
        self.clock.samples += len(samples)
        self.updates += 1
        if phase is Phase.SELF_PLAY and self.updates % self.config.league.freeze_updates == 0:
            self.collector.league.freeze(self.frozen(), self.updates)
        self.refuse_divergence(watched)
        return watched | self.collector.results()

    def save_state(self, path: Path) -> None:
        checkpoint.save(self, path)

    def load_state(self, path: Path) -> None:
        checkpoint.load(self, path)

    @classmethod
    def check(cls, game: Game, config: Any, bots: Mapping[str, MakeRows]) -> None:
        """See :meth:`terracotta_training.run.Run.check`."""
        imitated = {config.imitation.bot: 1} if config.imitation.share else {}
        for name in {**config.league.bots, **imitated}:
            if name not in bots:
                known = ", ".join(bots)
                wrong = f"no bot {name!r} can play many games (known: {known})"
                raise ConfigError(f"league.bots and imitation.bot: {wrong}")
        check_common(game, config)
