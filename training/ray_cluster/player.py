"""The actor that plays: one job at a time, with whatever network comes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from terracotta_agents.neural.networks import make_network

from ..jobs import Done, Job
from ..selfplay import SelfPlay, play_job

Weights = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Parts:
    """The games of a job, in objects of bounded size.

    Attributes:
        done: what they cost.
        samples: references to parts of the samples, in order; whoever has read them lets them go.
    """

    done: Done
    samples: list[Any]


class Player:
    """See :func:`terracotta_training.selfplay.play_job`.

    Args:
        common: what all jobs have in common.
        kind, options: of the network.
        threads: that play.
        device: where the network runs.
        most: bytes of an object at most.
        name: for the books.
    """

    def __init__(
        self, common: SelfPlay, kind: str, options: dict[str, int], threads: int, device: str, most: int, name: str
    ) -> None:
        torch.set_num_threads(1)
        self.common, self.threads, self.device, self.most, self.name = common, threads, device, most, name
        self.network = make_network(common.game, kind, options).eval().requires_grad_(False)

    def play(self, job: Job, version: int, weights: Weights) -> Parts:
        """Play a job with these weights."""
        import ray

        self.network.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
        block = play_job(self.common, self.network, version, job, self.threads, self.device, self.name)
        size = max(1, self.most // block.samples.dtype.itemsize)
        parts = [ray.put(block.samples[at : at + size]) for at in range(0, len(block.samples), size)]
        return Parts(block.done, parts)
