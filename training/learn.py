"""One PPO update: several passes over a collection in minibatches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from agents.neural.networks import MARGIN, RANK, autocast

from .collect import Samples
from .losses import entropy, explained_variance, masked_log_probabilities, normalised, policy_loss, value_loss

if TYPE_CHECKING:
    from .ppo_config import LearningSettings


@dataclass(frozen=True)
class Rates:
    """What changes over a run."""

    learning_rate: float
    entropy: float


class Learner:
    """The network, its optimiser and how they are stepped.

    Args:
        network: observations to logits and values.
        settings: of learning.
        generator: shuffles samples.
        device: where the network is.
        half: use bfloat16 for matrix products; weights and losses stay float32.
    """

    def __init__(
        self,
        network: torch.nn.Module,
        settings: LearningSettings,
        generator: np.random.Generator,
        device: torch.device,
        half: bool,
    ) -> None:
        self.network, self.settings, self.generator = network, settings, generator
        self.device, self.half = device, half
        self.imitation_epochs = 2
        self.optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate, eps=1e-5)

    def update(self, samples: Samples, rates: Rates, imitate: bool = False) -> dict[str, float]:
        """Learn from a collection; returns means over minibatches of what is worth watching."""
        settings, count = self.settings, len(samples)
        for group in self.optimizer.param_groups:
            group["lr"] = rates.learning_rate
        mixed = (
            settings.rank_weight * samples.advantages[:, RANK] + settings.margin_weight * samples.advantages[:, MARGIN]
        )
        advantages = normalised(torch.from_numpy(mixed))
        given = (samples.observations, samples.masks, samples.actions, samples.log_probabilities)
        tensors = [
            *map(torch.from_numpy, given),
            advantages,
            *map(torch.from_numpy, (samples.returns, samples.present)),
        ]
        watched: dict[str, list[float]] = defaultdict(list)
        minibatches = max(1, round(count / settings.minibatch))
        for _ in range(self.imitation_epochs if imitate else settings.epochs):
            for part in np.array_split(self.generator.permutation(count), minibatches):
                chosen = torch.from_numpy(part)
                step = self._step(*(tensor[chosen].to(self.device) for tensor in tensors), rates=rates, imitate=imitate)
                for name, value in step.items():
                    watched[name].append(value)
        seated = samples.present
        for name, kind in (("rank", RANK), ("margin", MARGIN)):
            watched[f"explained_{name}"] = [
                explained_variance(*(torch.from_numpy(a[..., kind][seated]) for a in (samples.values, samples.returns)))
            ]
        return {name: float(np.mean(values)) for name, values in watched.items()}

    def _step(
        self,
        observations: torch.Tensor,
        masks: torch.Tensor,
        actions: torch.Tensor,
        old: torch.Tensor,
        advantages: torch.Tensor,
        returns: torch.Tensor,
        present: torch.Tensor,
        rates: Rates,
        imitate: bool,
    ) -> dict[str, float]:
        settings = self.settings
        with autocast(self.half, self.device):
            logits, values = self.network(observations)
        logs = masked_log_probabilities(logits, masks)
        picked = logs.gather(1, actions[:, None])[:, 0]
        policy = policy_loss(picked, old, advantages, settings.clip_range)
        if imitate:
            policy = policy._replace(loss=-picked.mean())
        uncertainty = entropy(logs).mean()
        errors = value_loss(values, returns, present)
        loss = policy.loss + settings.value_weight * errors.sum() - rates.entropy * uncertainty
        self.optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_grad_norm)
        self.optimizer.step()
        return {
            "agreement": float((logs.argmax(1) == actions).float().mean()),
            "loss_policy": float(policy.loss.detach()),
            "loss_rank": float(errors[RANK].detach()),
            "loss_margin": float(errors[MARGIN].detach()),
            "entropy": float(uncertainty.detach()),
            "clipped": float(policy.clipped),
            "kl": float(policy.kl),
            "gradient": float(norm),
        }
