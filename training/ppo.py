"""Masked PPO by self-play: ``terracotta train ppo``.

One update: play T decisions of N games (:mod:`terracotta_training.collect`), work out advantages and value targets
for every seat (:mod:`terracotta_training.returns`), pass over the samples a few times
(:mod:`terracotta_training.learn`).  For the first part of a run the network may instead learn what a bot does when it
plays itself.  Now and then the learner is frozen and enters the league (:mod:`terracotta_training.league`), the run is
saved whole (:mod:`terracotta_training.checkpoint`) and the network is rated (:mod:`terracotta_training.rating`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from terracotta_agents.neural.networks import make_network
from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.neural.saved import save_network
from terracotta_agents.rows import MakeRows, ParallelRows, RowPolicy
from terracotta_env.batch import Batch
from terracotta_env.game import Game
from terracotta_env.interrupt import Interruption
from terracotta_env.policy import stream

from . import checkpoint
from .clock import Clock
from .collect import Collector
from .config import ConfigError, dump_config, parse_config
from .league import League
from .learn import Learner
from .metrics import Metrics
from .phases import Phase, Plan
from .ppo_config import PpoConfig
from .progress import PpoProgress
from .rating import Rater
from .run_folder import new_folder, versions, write_atomically, write_json

NETWORK: Final = "net.safetensors"
_WEIGHTS, _SETUPS, _SEATS, _ACTIONS, _SHUFFLES = range(5)  # streams of random numbers that come from one seed


class Run:
    """One training run in its folder.

    Args:
        game: the rules.
        config: all settings.
        folder: of the run; must exist.
        bots: row policies by name, for the league, imitation and evaluation.
    """

    def __init__(self, game: Game, config: PpoConfig, folder: Path, bots: Mapping[str, MakeRows]) -> None:
        self.game, self.config, self.folder, self.make_bots = game, config, folder, bots
        run, learning, league = config.run, config.learning, config.league
        torch.set_num_threads(run.threads)
        self.device = _device(run.device)
        torch.manual_seed(stream(run.seed, _WEIGHTS) % 2**63)
        self.network = make_network(game, config.network.kind, config.network.options()).to(self.device)
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
        self.clock = Clock(run.minutes, run.core_minutes, run.samples)
        self.plan = Plan(learning, config.imitation)
        self.updates = 0
        self.evaluated = 0.0  # training seconds at the last evaluation

    @classmethod
    def start(cls, game: Game, config: PpoConfig, bots: Mapping[str, MakeRows]) -> Run:
        """A new run in a new folder."""
        check(game, config, bots)
        folder = new_folder(Path(config.run.folder))
        write_atomically(folder / "config.json", dump_config(config))
        write_json(folder / "versions.json", versions(game))
        return cls(game, config, folder, bots)

    @classmethod
    def resume(cls, game: Game, folder: Path, bots: Mapping[str, MakeRows]) -> Run:
        """Go on from the last whole checkpoint of a run.

        Raises:
            ConfigError: the folder holds no run of this kind.
            terracotta_agents.neural.store.StoreError: its checkpoint is damaged or of other rules.
        """
        try:
            settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ConfigError(f"{folder}: is not the folder of a training run (config.json)") from None
        config = parse_config(PpoConfig, settings, str(folder / "config.json"))
        check(game, config, bots)
        run = cls(game, config, folder, bots)
        if (folder / checkpoint.FILE).exists():
            checkpoint.load(run, folder / checkpoint.FILE)
        return run

    def _make_teacher(self) -> RowPolicy | None:
        """Who is imitated, on all threads: bots that plan turns take longer than everything else together."""
        imitation, threads = self.config.imitation, self.config.run.threads
        if not imitation.share:
            return None
        make = self.make_bots[imitation.bot]
        return ParallelRows(make, threads) if threads > 1 else make()

    def _warm_up(self) -> None:
        """Let everything that training calls be compiled, on games of its own: compiling is not training time."""
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

    def train(self) -> bool:
        """Learn until a limit is reached; returns False if it was interrupted.  Saves either way."""
        with (
            Metrics(self.folder, self.updates) as metrics,
            Rater(self) as rater,
            Interruption() as interruption,
            PpoProgress(self.clock) as progress,
        ):
            if not self.updates:
                self.save()
            self._warm_up()
            saved = self.clock.seconds
            while self.clock.fraction() < 1 and not interruption.asked:
                self.clock.start()
                row = self.update()
                self.clock.pause()
                metrics.write(self.updates, self.clock, row)
                progress.update(row)
                if self._evaluation_is_due():
                    self.evaluated = self.clock.seconds
                    progress.note(rater.rate())
                if self.clock.seconds - saved >= self.config.run.checkpoint_seconds:
                    saved = self.clock.seconds
                    self.save()
            finished = self.clock.fraction() >= 1
            if finished and self.config.evaluation.every_minutes:
                self.evaluated = self.clock.seconds
                progress.note(rater.rate())
        self.save()
        return finished

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
        if not all(map(np.isfinite, watched.values())):
            raise ConfigError("training diverged, the losses are not finite: lower learning.learning_rate")
        return watched | self.collector.results()

    def _evaluation_is_due(self) -> bool:
        every = self.config.evaluation.every_minutes * 60
        return bool(every) and self.clock.seconds - self.evaluated >= every

    def save(self) -> None:
        """Write the checkpoint and the network."""
        checkpoint.save(self, self.folder / checkpoint.FILE)
        save_network(self.folder / NETWORK, self.network, self.game, self.about())

    def about(self) -> dict[str, Any]:
        """What a network's file says of its training."""
        return {
            "samples": self.clock.samples,
            "minutes": round(self.clock.seconds / 60, 2),
            "core_minutes": round(self.clock.core_seconds / 60, 2),
            "config": self.config.model_dump(),
        }


def check(game: Game, config: PpoConfig, bots: Mapping[str, MakeRows]) -> None:
    """Refuse settings that this game or machine cannot satisfy, before anything is made.

    Raises:
        ConfigError: names the key.
    """
    imitated = {config.imitation.bot: 1} if config.imitation.share else {}
    for name in {**config.league.bots, **imitated}:
        if name not in bots:
            known = ", ".join(bots)
            raise ConfigError(f"league.bots and imitation.bot: no bot {name!r} can play many games (known: {known})")
    for players in config.run.players:
        if players not in game.players:
            raise ConfigError(f"run.players: expected some of {', '.join(map(str, game.players))}, got {players}")
    for board in config.run.boards:
        game.notation.write_board(game.make_states(1), board)
    _device(config.run.device)


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("run.device: cuda is wanted, but torch finds none: use auto or cpu")
    return torch.device(name)
