"""The learner of AlphaZero: minibatches from replay, cross-entropy with improved policies, errors of two values."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
import torch

from terracotta_agents.neural.networks import MARGIN, RANK, autocast
from terracotta_agents.neural.rows import look
from terracotta_env.game import Game
from terracotta_env.rows import to_act_rows

from .alphazero_config import AlphaZeroLearningSettings
from .collect import rotation
from .losses import entropy, explained_variance, masked_log_probabilities, value_loss
from .replay import Replay


class Part(NamedTuple):
    """A minibatch of B samples as tensors.  Seats are relative to the deciding one."""

    observations: torch.Tensor  # (B, F) int8
    masks: torch.Tensor  # (B, A) bool
    policies: torch.Tensor  # (B, A) float32, sums 1
    full: torch.Tensor  # (B,) float32, 1 = the policy is learned from
    targets: torch.Tensor  # (B, P, VALUES) float32
    present: torch.Tensor  # (B, P) bool


def read_samples(game: Game, samples: np.ndarray) -> Part:
    """What is learned from samples of :func:`terracotta_training.selfplay.sample_type`, shape ``(B,)``."""
    states = np.ascontiguousarray(samples["state"]).view(game.dtype)
    rows, seats = np.arange(len(states)), np.empty(len(states), np.int64)
    to_act_rows(states, rows, seats)
    observations, masks = look(game, states, rows, np.int8)
    players = states["players"].astype(np.int64)
    targets = np.stack([samples["returns"], samples["margins"]], 2)  # in the order of RANK and MARGIN
    targets = np.take_along_axis(targets, rotation(seats, players, game.seats)[:, :, None], 1)
    policies = samples["policy"].astype(np.float32)
    policies /= policies.sum(1, keepdims=True)
    present = np.arange(game.seats) < players[:, None]
    full = samples["full"].astype(np.float32)
    arrays = (observations, masks.astype(np.bool_), policies, full, targets, present)
    return Part._make(map(torch.from_numpy, arrays))


class AlphaZeroLearner:
    """The network, its optimiser and how they are stepped.

    Args:
        game: the rules.
        network: int8 observations to logits and values.
        settings: of learning.
        generator: draws samples.
        device: where the network is.
        half: use bfloat16 for matrix products; weights and losses stay float32.
    """

    def __init__(
        self,
        game: Game,
        network: torch.nn.Module,
        settings: AlphaZeroLearningSettings,
        generator: np.random.Generator,
        device: torch.device,
        half: bool,
    ) -> None:
        self.game, self.network, self.settings, self.generator = game, network, settings, generator
        self.device, self.half = device, half
        self.optimizer = torch.optim.AdamW(
            network.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay
        )

    def update(self, replay: Replay, new: int, done: float) -> dict[str, float]:
        """Learn for ``new`` samples that have come in; returns means over minibatches of what is worth watching.

        Args:
            done: share of the run, 0..1.
        """
        settings = self.settings
        rate = settings.learning_rate + (settings.final_learning_rate - settings.learning_rate) * done
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        watched: dict[str, list[float]] = defaultdict(list)
        for _ in range(max(1, round(new * settings.passes / settings.minibatch))):
            part = read_samples(self.game, replay.draw(settings.minibatch, self.generator))
            for name, value in self._step(Part._make(tensor.to(self.device) for tensor in part)).items():
                watched[name].append(value)
        return {name: float(np.mean(values)) for name, values in watched.items()}

    def _step(self, part: Part) -> dict[str, float]:
        settings = self.settings
        with autocast(self.half, self.device):
            logits, values = self.network(part.observations)
        logs = masked_log_probabilities(logits, part.masks)
        cross = -(part.policies * logs.masked_fill(~part.masks, 0.0)).sum(1)
        count = part.full.sum().clamp(min=1.0)
        policy = (cross * part.full).sum() / count
        errors = value_loss(values, part.targets, part.present)
        loss = policy + settings.value_weight * errors.sum()
        self.optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_grad_norm)
        self.optimizer.step()
        with torch.no_grad():
            agrees = (logs.argmax(1) == part.policies.argmax(1)).float()
            explained = {
                name: explained_variance(values[..., kind][part.present], part.targets[..., kind][part.present])
                for name, kind in (("explained_rank", RANK), ("explained_margin", MARGIN))
            }
            return {
                "agreement": float((agrees * part.full).sum() / count),
                "loss_policy": float(policy),
                "loss_rank": float(errors[RANK]),
                "loss_margin": float(errors[MARGIN]),
                "entropy": float(entropy(logs).mean()),
                "target_entropy": float(-(torch.xlogy(part.policies, part.policies).sum(1) * part.full).sum() / count),
                "gradient": float(norm),
                **explained,
            }
