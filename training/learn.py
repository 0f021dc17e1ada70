"""One PPO update: several passes over a collection in minibatches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from terracotta_agents.neural.networks import MARGIN, RANK, autocast

from .collect import Samples
from .losses import entropy, explained_variance, masked_log_probabilities, normalised, policy_loss, value_loss

if TYPE_CHECKING:
    from .ppo_config import LearningSettings


@dataclass(frozen=True)
class Rates:
    """What changes over a run."""

    learning_rate: float
    entropy: float
    epochs: int | None = None  # where they are not those of the settings


class Part(NamedTuple):
    """A minibatch of :class:`terracotta_training.collect.Samples` as tensors, or all of them."""

    observations: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probabilities: torch.Tensor
    returns: torch.Tensor
    present: torch.Tensor
    advantages: torch.Tensor  # ``(B,)``, mixed and normalised


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
        self.optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate, eps=1e-5)

    def update(self, samples: Samples, rates: Rates, imitate: bool = False) -> dict[str, float]:
        """Learn from a collection; returns means over minibatches of what is worth watching.

        Args:
            imitate: raise the probability of the actions that were recorded, whatever came of them.
        """
        settings, count = self.settings, len(samples)
        for group in self.optimizer.param_groups:
            group["lr"] = rates.learning_rate
        mixed = (
            settings.rank_weight * samples.advantages[:, RANK] + settings.margin_weight * samples.advantages[:, MARGIN]
        )
        advantages = normalised(torch.from_numpy(mixed))
        given = (samples.observations, samples.masks, samples.actions, samples.log_probabilities)
        whole = Part._make([*map(torch.from_numpy, (*given, samples.returns, samples.present)), advantages])
        watched: dict[str, list[float]] = defaultdict(list)
        minibatches = max(1, round(count / settings.minibatch))
        for _ in range(rates.epochs or settings.epochs):
            for chosen in np.array_split(self.generator.permutation(count), minibatches):
                places = torch.from_numpy(chosen)
                part = Part._make(tensor[places].to(self.device) for tensor in whole)
                for name, value in self._step(part, rates, imitate).items():
                    watched[name].append(value)
        seated = samples.present
        for name, kind in (("rank", RANK), ("margin", MARGIN)):
            watched[f"explained_{name}"] = [
                explained_variance(*(torch.from_numpy(a[..., kind][seated]) for a in (samples.values, samples.returns)))
            ]
        return {name: float(np.mean(values)) for name, values in watched.items()}

    def _step(self, part: Part, rates: Rates, imitate: bool) -> dict[str, float]:
        settings = self.settings
        with autocast(self.half, self.device):
            logits, values = self.network(part.observations)
        logs = masked_log_probabilities(logits, part.masks)
        picked = logs.gather(1, part.actions[:, None])[:, 0]
        policy = policy_loss(picked, part.log_probabilities, part.advantages, settings.clip_range)
        if imitate:
            policy = policy._replace(loss=-picked.mean())
        uncertainty = entropy(logs).mean()
        errors = value_loss(values, part.returns, part.present)
        loss = policy.loss + settings.value_weight * errors.sum() - rates.entropy * uncertainty
        self.optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_grad_norm)
        self.optimizer.step()
        return {
            "agreement": float((logs.argmax(1) == part.actions).float().mean()),
            "loss_policy": float(policy.loss.detach()),
            "loss_rank": float(errors[RANK].detach()),
            "loss_margin": float(errors[MARGIN].detach()),
            "entropy": float(uncertainty.detach()),
            "clipped": float(policy.clipped),
            "kl": float(policy.kl),
            "gradient": float(norm),
        }
