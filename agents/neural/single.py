"""One position at a time through a network, as fast as the processor allows without touching what others do.

A matrix with one row is read once and multiplied once: a second thread costs more than it gives, up to hundredfold
where the cores are busy.  torch's number of threads belongs to the process, so it is lent for the call and given back.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from terracotta_env.game import Game
from terracotta_env.position import Position

from .actor import Actor
from .inputs import write_inputs
from .networks import FirstLayer, Network, compute_type

_FIRST = np.zeros(1, np.int64)  # the one row of a position's records
_lock = threading.Lock()
_inside = 0  # calls that run on one thread now
_outside = 1  # torch's threads beside them


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread; when the last call of all threads of Python has left, as many as before."""
    global _inside, _outside
    with _lock:
        if not _inside:
            _outside = torch.get_num_threads()
            torch.set_num_threads(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                torch.set_num_threads(_outside)


class FoldedLayer(nn.Module):
    """A first layer whose weights hold the steps already: they are not multiplied anew for every position."""

    def __init__(self, layer: FirstLayer) -> None:
        super().__init__()
        self.register_buffer("weight", (layer.linear.weight * layer.steps).detach())
        self.register_buffer("bias", layer.linear.bias.detach().clone())

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        weight, bias = self.get_buffer("weight"), self.get_buffer("bias")
        dtype = compute_type(observations)
        return functional.linear(observations.to(dtype), weight.to(dtype), bias.to(dtype))


class SingleNetwork:
    """A copy of a network for one position a call.

    Args:
        game: the rules.
        network: of ``train ppo`` (int8 inputs to logits and values) or an actor (float32 to logits).
    """

    def __init__(self, game: Game, network: Network | Actor) -> None:
        self.game = game
        self.network = copy.deepcopy(network).cpu().eval().requires_grad_(False)
        self.has_values = not isinstance(network, Actor)
        if isinstance(first := getattr(self.network, "first", None), FirstLayer):
            self.network.first = FoldedLayer(first)
        size = game.observation_size if isinstance(network, Actor) else network.previews.size
        self._inputs = np.empty((1, size), np.int8 if self.has_values else np.float32)

    def ask(self, position: Position, seat: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Logits ``(A,)`` float32, and values ``(P, VALUES)`` float32 of the seats counted from ``seat``, or None."""
        write_inputs(self.game, position.states, _FIRST, np.array([seat]), position.mask()[None], self._inputs)
        with one_thread(), torch.inference_mode():
            answer = self.network(torch.from_numpy(self._inputs))
        if self.has_values:
            return answer[0][0].numpy(), answer[1][0].numpy()
        return answer[0].numpy(), None
