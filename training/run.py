"""What every learner's run has in common: its folder, its clock, its evaluations, going on after an interruption.

A learner adds what one update is and what its checkpoint holds.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, Self

import numpy as np
import torch

from terracotta_agents.neural.networks import Perceptron, Structured, make_network
from terracotta_agents.neural.saved import save_network
from terracotta_agents.rows import MakeRows
from terracotta_env.game import Game
from terracotta_env.interrupt import Interruption
from terracotta_env.policy import stream

from . import checkpoint
from .clock import Clock
from .config import ConfigError, Section, dump_config, parse_config
from .metrics import Metrics
from .ppo_config import NetworkSettings, PpoEvaluationSettings, PpoRunSettings
from .progress import SelfPlayProgress
from .rated import RatingCurve
from .rating import Rater
from .run_folder import new_folder, versions, write_atomically, write_json
from .summary import write_summary

NETWORK: Final = "net.safetensors"
WEIGHTS: Final = 0  # the stream of random numbers that fresh weights come from


class RunConfig(Protocol):
    """The sections that every learner's settings have."""

    @property
    def run(self) -> PpoRunSettings: ...
    @property
    def network(self) -> NetworkSettings: ...
    @property
    def evaluation(self) -> PpoEvaluationSettings: ...


class Run(ABC):
    """One training run in its folder.

    Args:
        game: the rules.
        config: all settings, of :attr:`config_type`.
        folder: of the run; must exist.
        bots: row policies by name, for training and evaluation.

    Attributes:
        network: the learner's, which is saved and evaluated.
        updates: made so far.
        evaluated: training seconds at the last evaluation.
    """

    title: ClassVar[str]  # of its summary
    config_type: ClassVar[type[Section]]

    def __init__(self, game: Game, config: Any, folder: Path, bots: Mapping[str, MakeRows]) -> None:
        self.game, self.folder, self.make_bots = game, folder, bots
        self.config: RunConfig = config
        run = config.run
        torch.set_num_threads(run.threads)
        self.device = device_of(run.device)
        torch.manual_seed(stream(run.seed, WEIGHTS) % 2**63)
        self.network = self.make_network().to(self.device)
        self.clock = Clock(run.minutes, run.core_minutes, run.samples)
        self.updates = 0
        self.evaluated = 0.0

    @classmethod
    def start(cls, game: Game, config: Any, bots: Mapping[str, MakeRows]) -> Self:
        """A new run in a new folder."""
        cls.check(game, config, bots)
        folder = new_folder(Path(config.run.folder))
        write_atomically(folder / "config.json", dump_config(config))
        write_json(folder / "versions.json", versions(game))
        return cls(game, config, folder, bots)

    @classmethod
    def resume(cls, game: Game, folder: Path, bots: Mapping[str, MakeRows]) -> Self:
        """Go on from the last whole checkpoint of a run.

        Raises:
            ConfigError: the folder holds no run of this kind.
            terracotta_agents.neural.store.StoreError: its checkpoint is damaged or of other rules.
        """
        config = cls.read_config(folder)
        cls.check(game, config, bots)
        run = cls(game, config, folder, bots)
        if (folder / checkpoint.FILE).exists():
            run.load_state(folder / checkpoint.FILE)
        return run

    @classmethod
    def read_config(cls, folder: Path) -> Any:
        """The settings of a run.  Raises ``ConfigError`` where the folder holds no run of this kind."""
        try:
            settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ConfigError(f"{folder}: is not the folder of a training run (config.json)") from None
        return parse_config(cls.config_type, settings, str(folder / "config.json"))

    @classmethod
    @abstractmethod
    def check(cls, game: Game, config: Any, bots: Mapping[str, MakeRows]) -> None:
        """Refuse settings that this game or machine cannot satisfy, before anything is made.

        Raises:
            ConfigError: names the key.
        """

    @abstractmethod
    def update(self) -> dict[str, float]:
        """Learn once; returns what is worth watching."""

    @abstractmethod
    def warm_up(self) -> None:
        """Let everything that training calls be compiled: compiling is not training time."""

    @abstractmethod
    def save_state(self, path: Path) -> None:
        """Write the checkpoint."""

    @abstractmethod
    def load_state(self, path: Path) -> None:
        """The inverse of :meth:`save_state`, for a fresh run with the same settings."""

    def make_network(self) -> Perceptron | Structured:
        """The network that the run begins with."""
        settings = self.config.network
        return make_network(self.game, settings.kind, settings.options())

    def train(self) -> bool:
        """Learn until a limit is reached; returns False if it was interrupted.  Saves either way."""
        with (
            Metrics(self.folder, self.updates) as metrics,
            Rater(self) as rater,
            Interruption() as interruption,
            SelfPlayProgress(self.clock) as progress,
        ):
            if not self.updates:
                self.save()
            self.warm_up()
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

    def refuse_divergence(self, watched: Mapping[str, float]) -> None:
        """Stop a run whose losses are not finite, before it is saved."""
        if not all(map(np.isfinite, watched.values())):
            raise ConfigError("training diverged, the losses are not finite: lower learning.learning_rate")

    def _evaluation_is_due(self) -> bool:
        every = self.config.evaluation.every_minutes * 60
        return bool(every) and self.clock.seconds - self.evaluated >= every

    def save(self) -> None:
        """Write the checkpoint and the network."""
        self.save_state(self.folder / checkpoint.FILE)
        save_network(self.folder / NETWORK, self.network, self.game, self.about())

    def summarise(self, curve: RatingCurve | None = None) -> None:
        """Write the summary; ``curve`` where it is known already."""
        write_summary(self.folder, self.title, self.config_type().model_dump(), curve)

    def about(self) -> dict[str, Any]:
        """What a network's file says of its training."""
        settings: Any = self.config
        return {
            "samples": self.clock.samples,
            "minutes": round(self.clock.seconds / 60, 2),
            "core_minutes": round(self.clock.core_seconds / 60, 2),
            "config": settings.model_dump(),
        }


def check_common(game: Game, config: RunConfig) -> None:
    """What of :meth:`Run.check` is the same for all learners."""
    for players in config.run.players:
        if players not in game.players:
            raise ConfigError(f"run.players: expected some of {', '.join(map(str, game.players))}, got {players}")
    for board in config.run.boards:
        game.notation.write_board(game.make_states(1), board)
    device_of(config.run.device)


def device_of(name: str) -> torch.device:
    """The device of a setting.  Raises ``ConfigError`` where there is none."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("run.device: cuda is wanted, but torch finds none: use auto or cpu")
    return torch.device(name)
