"""The losses of masked PPO as functions of tensors.

Letters: B samples, A actions, P seats, V kinds of value.
Source: Schulman et al. 2017 (PPO); Huang and Ontañón 2022 (a mask in the logits).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch.nn import functional


def masked_log_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Log-probabilities over legal actions, shape ``(B, A)`` float32; -inf for the others, whatever their logits.

    Args:
        logits: ``(B, A)``, finite where legal.
        masks: ``(B, A)`` bool, at least one True in each row.
    """
    return functional.log_softmax(logits.float().masked_fill(~masks, -torch.inf), dim=-1)


def entropy(log_probabilities: torch.Tensor) -> torch.Tensor:
    """Entropy in nats, shape ``(B,)``; actions of probability 0 contribute 0, also to the gradient."""
    possible = log_probabilities > -torch.inf
    finite = log_probabilities.masked_fill(~possible, 0.0)
    return -(finite.exp() * finite * possible).sum(-1)


def sample(log_probabilities: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Actions ``(B,)`` int64 drawn from their probabilities by the exponential race, exact where some are tiny."""
    races = torch.empty_like(log_probabilities).exponential_(generator=generator).log_()
    return (log_probabilities - races).argmax(-1)


class PolicyLoss(NamedTuple):
    """Means over samples."""

    loss: torch.Tensor
    clipped: torch.Tensor  # share of samples whose ratio lies outside the clip range
    kl: torch.Tensor  # estimate of KL(old, new), Schulman's k3


def policy_loss(new: torch.Tensor, old: torch.Tensor, advantages: torch.Tensor, clip_range: float) -> PolicyLoss:
    """PPO's clipped surrogate, to be minimised; all arguments ``(B,)``, ``new`` and ``old`` log-probabilities."""
    difference = new - old
    ratio = difference.exp()
    clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
    loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
    with torch.no_grad():
        outside = ((ratio - 1).abs() > clip_range).float().mean()
        kl = (ratio - 1 - difference).mean()
    return PolicyLoss(loss, outside, kl)


def value_loss(values: torch.Tensor, targets: torch.Tensor, present: torch.Tensor) -> torch.Tensor:
    """Half the mean squared error over seats that are in the game, shape ``(V,)``.

    Args:
        values, targets: ``(B, P, V)``.
        present: ``(B, P)`` bool.
    """
    squares = (values - targets).square() * present.unsqueeze(-1)
    return squares.sum((0, 1)) / present.sum() / 2


def normalised(advantages: torch.Tensor) -> torch.Tensor:
    """``advantages`` shifted and scaled to mean 0 and standard deviation 1, shape ``(B,)``."""
    return (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)


def explained_variance(values: torch.Tensor, targets: torch.Tensor) -> float:
    """1 - Var(targets - values) / Var(targets): 1 = perfect, 0 = as good as a constant; 0 where targets are equal."""
    variance = targets.var()
    return float(1 - (targets - values).var() / variance) if variance > 0 else 0.0
