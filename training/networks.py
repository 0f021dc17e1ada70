"""Network parts for sb3-contrib policies."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn


class SharedLayers(BaseFeaturesExtractor):
    """First layers shared by actor and critic: a stack of linear layers with ReLU on the flat observation ``(N, F)``.

    Args:
        observation_space: Box of shape ``(F,)``.
        hidden: sizes of the shared layers.
    """

    def __init__(self, observation_space: spaces.Box, hidden: Sequence[int]) -> None:
        super().__init__(observation_space, hidden[-1])
        sizes = [observation_space.shape[0], *hidden]
        layers: list[nn.Module] = []
        for a, b in itertools.pairwise(sizes):
            layers += [nn.Linear(a, b), nn.ReLU()]
        self.net = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        features: torch.Tensor = self.net(observations)
        return features


def policy_kwargs(shared: Sequence[int], heads: Sequence[int]) -> dict[str, Any]:
    """Keyword arguments of ``MaskablePPO`` for shared layers and separate heads of actor and critic."""
    return {
        "features_extractor_class": SharedLayers,
        "features_extractor_kwargs": {"hidden": list(shared)},
        "net_arch": {"pi": list(heads), "vf": list(heads)},
        "activation_fn": nn.ReLU,
        "optimizer_kwargs": {"eps": 1e-5},
    }
