"""Self-play with sb3-contrib's MaskablePPO: ``terracotta train sb3``.

The learner earns points as they are scored plus the final win, and is judged by rank.  Its opponents are drawn anew for
each game from itself, frozen snapshots of itself and the reference bots.  A run can be interrupted and resumed; what it
saves is tensors and JSON, nothing that could run code when it is read.
"""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import CSVOutputFormat, KVWriter, Logger, TensorBoardOutputFormat

from terracotta_agents.neural.actor import Actor, save_actor
from terracotta_agents.neural.store import StoreError, read_tensors, tensors_under, write_tensors
from terracotta_env.game import Game
from terracotta_env.interrupt import Interruption

from .config import ConfigError, Sb3Config, dump_config, parse_config
from .curve import CurvePoint, read_curve, summarise, write_curve
from .networks import policy_kwargs
from .opponents import OpponentPool
from .progress import Progress
from .run_folder import new_folder, versions, write_atomically, write_json
from .selfplay_env import SelfPlayVecEnv

CHECKPOINT: Final = "checkpoint.safetensors"
OLD_CHECKPOINT: Final = "checkpoint.pt"
FORMAT: Final = "terracotta-sb3-checkpoint"
VERSION: Final = 1
STATE: Final = "state.json"
ACTOR: Final = "actor"
FINAL_RATE: Final = 0.1  # of the learning rate, at the end of the run


class Clock:
    """How much of the run is done: training time and samples, carried over a resume."""

    def __init__(self, config: Sb3Config) -> None:
        self.seconds_limit = config.run.minutes * 60
        self.samples_limit = config.run.samples
        self.seconds_before = 0.0
        self.samples = 0
        self._started: float | None = None

    def start(self) -> None:
        """Begin to count: after the first step, so that compiling the game is not training time."""
        if self._started is None:
            self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        return self.seconds_before + (time.monotonic() - self._started if self._started is not None else 0.0)

    def out_of_time(self) -> bool:
        return bool(self.seconds_limit) and self.seconds >= self.seconds_limit

    def fraction(self) -> float:
        """Share of the run that is done, 0..1."""
        shares = [0.0]
        if self.seconds_limit:
            shares.append(self.seconds / self.seconds_limit)
        if self.samples_limit:
            shares.append(self.samples / self.samples_limit)
        return min(1.0, max(shares))


class Trainer:
    """One training run in its folder.

    Args:
        game: the rules.
        config: all settings.
        folder: of the run; must exist.
    """

    def __init__(self, game: Game, config: Sb3Config, folder: Path) -> None:
        self.game, self.config, self.folder = game, config, folder
        run, ppo, pool = config.run, config.ppo, config.pool
        shares = {"random": pool.random, "busy": pool.busy, "self": pool.self, "past": pool.past}
        self.pool = OpponentPool(game, shares, pool.size)
        self.clock = Clock(config)
        self.env = SelfPlayVecEnv(game, ppo.n_games, run.players, run.boards, self.pool, run.seed, ppo.win_share)
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            learning_rate=lambda _: ppo.learning_rate * (1 - (1 - FINAL_RATE) * self.clock.fraction()),
            n_steps=ppo.n_steps,
            batch_size=ppo.batch_size,
            n_epochs=ppo.n_epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.ent_coef,
            vf_coef=ppo.vf_coef,
            max_grad_norm=ppo.max_grad_norm,
            policy_kwargs=policy_kwargs(ppo.shared, ppo.heads),
            seed=run.seed % 2**32,
            device="cpu",
        )
        self.curve: list[CurvePoint] = []
        self.updates = 0

    @classmethod
    def start(cls, game: Game, config: Sb3Config) -> Trainer:
        """A new run in a new folder."""
        folder = new_folder(Path(config.run.folder))
        write_atomically(folder / "config.json", dump_config(config))
        write_json(folder / "versions.json", versions(game))
        trainer = cls(game, config, folder)
        trainer.pool.set_current(trainer.actor())
        return trainer

    @classmethod
    def resume(cls, game: Game, folder: Path) -> Trainer:
        """Go on from the last whole checkpoint of a run.  Games under way at that time are begun anew.

        Raises:
            ConfigError: the folder holds no run, or one of other rules.
        """
        try:
            config_data = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            rules = json.loads((folder / "versions.json").read_text(encoding="utf-8"))["rules"]
        except (OSError, ValueError, KeyError, TypeError):
            raise ConfigError(f"{folder}: is not the folder of a training run (config.json or versions.json)") from None
        if rules != game.rules_version:
            raise ConfigError(
                f"{folder}: trained under version {rules} of the rules, this program plays {game.rules_version}"
            )
        trainer = cls(game, parse_config(Sb3Config, config_data, str(folder / "config.json")), folder)
        if (folder / CHECKPOINT).exists():
            trainer._restore()
        elif (folder / OLD_CHECKPOINT).exists():
            raise ConfigError(
                f"{folder / OLD_CHECKPOINT}: holds a pickle, which is no longer read: expected {CHECKPOINT}; train anew"
            )
        else:
            trainer.pool.set_current(trainer.actor())
        return trainer

    def actor(self) -> Actor:
        """A real copy of the policy's actor."""
        return Actor.from_sb3(self.model.policy.state_dict())

    def train(self) -> bool:
        """Learn until the limit of time or samples; returns False if it was interrupted.  Saves either way."""
        finished = True
        limit = self.clock.samples_limit
        remaining = limit - self.clock.samples if limit else 2**62
        if remaining <= 0 or self.clock.fraction() >= 1.0:
            self.save()
            return True
        with (
            closing(self._open_logger()),
            Interruption() as interruption,
            Progress(self.clock) as progress,
        ):
            callback = _Callback(self, progress, interruption)
            try:
                self.model.learn(
                    total_timesteps=remaining,  # rounded up to whole rollouts, so that each is learned from
                    callback=callback,
                    reset_num_timesteps=self.clock.samples == 0,
                )
            except KeyboardInterrupt:
                finished = False
            except ValueError as error:
                if not self._diverged():
                    raise
                advice = "lower ppo.learning_rate or ppo.max_grad_norm"
                raise ConfigError(
                    f"training diverged, the network holds numbers that are not finite: {advice}"
                ) from error
        finished = finished and not interruption.asked
        self.save()
        return finished

    def _diverged(self) -> bool:
        return any(not torch.isfinite(parameter).all() for parameter in self.model.policy.parameters())

    def _open_logger(self) -> Logger:
        """TensorBoard and a CSV of their own for each start of the run."""
        formats: list[KVWriter] = [TensorBoardOutputFormat(str(self.folder / "tensorboard"))]
        formats.append(CSVOutputFormat(str(self.folder / f"learner-{int(time.time())}.csv")))
        logger = Logger(str(self.folder), formats)
        self.model.set_logger(logger)
        return logger

    def save(self) -> None:
        """Write the checkpoint, the actor and the learning curve."""
        policy = self.model.policy.state_dict()
        tensors = {f"policy.{name}": policy[name] for name in set(_first_names(policy).values())}
        for place, state in self.model.policy.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{place}.{name}": value for name, value in state.items()}
        for k, number in enumerate(self.pool.snapshots):
            tensors |= {f"past.{k}.{name}": value for name, value in self._actor_of(number).state_dict().items()}
        tensors["generator.torch"] = torch.get_rng_state()
        about = {**self._made_for(), "snapshots": len(self.pool.snapshots), "state": self._state()}
        write_tensors(self.folder / CHECKPOINT, FORMAT, tensors, about)
        write_json(self.folder / STATE, self._state())
        save_actor(self.folder / ACTOR, self.actor(), self.game, {"samples": self.clock.samples})
        write_curve(self.folder, self.curve)

    def _actor_of(self, number: int) -> Actor:
        actor: Actor = self.pool.policies[number].actor  # type: ignore[attr-defined]
        return actor

    def _state(self) -> dict[str, Any]:
        return {
            "samples": self.clock.samples,
            "seconds": self.clock.seconds,
            "updates": self.updates,
            "learning_rate": self.model.policy.optimizer.param_groups[0]["lr"],
            "generators": self.env.generators(),
        }

    def _made_for(self) -> dict[str, Any]:
        return {"version": VERSION, "game": self.game.name, "rules": self.game.rules_version}

    def _restore(self) -> None:
        path = self.folder / CHECKPOINT
        try:
            tensors, about = read_tensors(path, FORMAT, self._made_for())
        except StoreError as error:
            raise ConfigError(str(error)) from None
        try:
            self._put_back(tensors, about["snapshots"], about["state"])
        except (KeyError, ValueError, RuntimeError, TypeError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise ConfigError(f"{path}: does not fit the settings in config.json beside it ({reason})") from None

    def _put_back(self, tensors: dict[str, torch.Tensor], past: int, state: dict[str, Any]) -> None:
        policy = tensors_under("policy", tensors)
        names = _first_names(self.model.policy.state_dict())
        self.model.policy.load_state_dict({name: policy[first] for name, first in names.items()})
        optimizer = self.model.policy.optimizer
        moments: dict[int, dict[str, torch.Tensor]] = {}
        for key, value in tensors_under("optimizer", tensors).items():
            place, _, name = key.partition(".")
            moments.setdefault(int(place), {})[name] = value
        groups = [{**group, "lr": state["learning_rate"]} for group in optimizer.state_dict()["param_groups"]]
        optimizer.load_state_dict({"state": moments, "param_groups": groups})
        torch.set_rng_state(tensors["generator.torch"])
        self.updates = state["updates"]
        self.clock.samples = self.model.num_timesteps = state["samples"]
        self.clock.seconds_before = state["seconds"]
        self.env.restore_generators(state["generators"])
        np.random.seed((self.config.run.seed + self.updates) % 2**32)  # noqa: NPY002 (SB3 shuffles with the global one)
        for k in range(past):
            actor = self.actor()
            actor.load_state_dict(tensors_under(f"past.{k}", tensors))
            self.pool.add_snapshot(actor.eval())
        self.pool.set_current(self.actor())
        self.curve = read_curve(self.folder)


def _first_names(state: dict[str, torch.Tensor]) -> dict[str, str]:
    """The first name of each tensor: sb3's policies have shared layers under several, files have them once."""
    seen: dict[tuple[int, torch.Size], str] = {}
    return {name: seen.setdefault((value.data_ptr(), value.shape), name) for name, value in state.items()}


class _Callback(BaseCallback):
    """Stops the run in time, refreshes the opponents after each update, saves and reports."""

    def __init__(self, trainer: Trainer, progress: Progress, interruption: Interruption) -> None:
        super().__init__()
        self.trainer, self.progress, self.interruption = trainer, progress, interruption
        self._saved_at = trainer.clock.seconds
        self._collected = False

    def _on_step(self) -> bool:
        trainer = self.trainer
        trainer.clock.start()
        trainer.clock.samples = self.num_timesteps
        self.progress.update()
        return not (trainer.clock.out_of_time() or self.interruption.asked)

    def _on_rollout_start(self) -> None:
        trainer = self.trainer
        torch.set_num_threads(1)  # small batches: a second thread costs more than it gives
        self._after_update()
        if trainer.clock.seconds - self._saved_at > trainer.config.run.checkpoint_seconds:
            trainer.save()
            self._saved_at = trainer.clock.seconds

    def _on_training_end(self) -> None:
        self._after_update()

    def _after_update(self) -> None:
        """Take in what the last rollout taught, if it has been learned from since the last call."""
        trainer = self.trainer
        if not self._collected:
            return
        self._collected = False
        trainer.updates += 1
        actor = trainer.actor()
        trainer.pool.set_current(actor)
        if trainer.updates % trainer.config.pool.snapshot_updates == 0:
            trainer.pool.add_snapshot(actor)

    def _on_rollout_end(self) -> None:
        trainer = self.trainer
        self._collected = True
        torch.set_num_threads(trainer.config.run.threads)
        point = summarise(trainer.env.finished, trainer.clock.samples, trainer.clock.seconds)
        trainer.env.finished.clear()
        trainer.curve.append(point)
        for kind, share in point.win_share.items():
            trainer.model.logger.record(f"games/win_share_{kind}", share)
            trainer.model.logger.record(f"games/margin_{kind}", point.margin[kind])
        trainer.model.logger.record("games/seconds", trainer.clock.seconds)
        trainer.model.logger.dump(trainer.clock.samples)
        self.progress.report(trainer.curve)
