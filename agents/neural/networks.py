"""Networks for any game: an int8 row of inputs in, logits of all actions and a value for every seat out.

Letters: N rows, F observation numbers, O outlook numbers, A actions, P seats of the game's largest player count.
A row is an observation, of networks with previews followed by what :mod:`terracotta_agents.neural.inputs` says.

A network has two values for each relative seat (0 = who looks, then clockwise), both of the time from now on:
``RANK``, the rank payoff of the final ranking (1 best to -1 last), and ``MARGIN``, points to come less the mean of the
others' points to come, times the game's ``points_scale``.  Values of seats that are not in the game mean nothing.

Observations come as the game's int8 form.  They hold small whole numbers, which bfloat16 has exactly; each channel's
step is multiplied into the weights that meet it, so no float copy of an observation is made.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from terracotta_env.game import Block, Game
from terracotta_env.outlook import LEGAL

from .inputs import input_size

RANK, MARGIN = range(2)
VALUES: Final = 2
SMALL: Final = 0.01  # gain of the last layers: a fresh network is nearly uniform over actions and values nothing


def _orthogonal(layer: nn.Module, gain: float) -> Any:
    """The usual start of PPO networks (Andrychowicz et al. 2021): orthogonal weights, no bias."""
    weight, bias = layer.weight, layer.bias
    assert isinstance(weight, torch.Tensor)
    assert isinstance(bias, torch.Tensor)
    nn.init.orthogonal_(weight, gain)
    nn.init.zeros_(bias)
    return layer


def _linear(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    layer: nn.Linear = _orthogonal(nn.Linear(inputs, outputs), gain)
    return layer


def compute_type(tensor: torch.Tensor) -> torch.dtype:
    """In what matrices are multiplied: bfloat16 inside :func:`autocast`."""
    return torch.bfloat16 if torch.is_autocast_enabled(tensor.device.type) else torch.float32


class FirstLayer(nn.Module):
    """Linear layer on int8 numbers ``(N, F)`` of the given steps, to ``(N, outputs)``."""

    steps: torch.Tensor

    def __init__(self, steps: np.ndarray, outputs: int) -> None:
        super().__init__()
        self.linear = _linear(len(steps), outputs)
        self.register_buffer("steps", torch.from_numpy(steps), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        dtype = compute_type(observations)
        weight = self.linear.weight * self.steps
        return functional.linear(observations.to(dtype), weight.to(dtype), self.linear.bias.to(dtype))


class Residual(nn.Module):
    """``x + f(norm(x))`` with one hidden layer in f."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = _linear(width, width)
        self.outer = _linear(width, width, gain=0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        update: torch.Tensor = self.outer(functional.relu(self.inner(self.norm(x))))
        return x + update


class Values(nn.Module):
    """Values by seat ``(N, P, VALUES)`` from features ``(N, width)``."""

    def __init__(self, width: int, hidden: int, seats: int) -> None:
        super().__init__()
        self.seats = seats
        self.inner = _linear(width, hidden)
        self.outer = _linear(hidden, seats * VALUES, SMALL)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        values: torch.Tensor = self.outer(functional.relu(self.inner(x)))
        return values.float().unflatten(1, (self.seats, VALUES))


class ActionLogits(nn.Module):
    """Logits of actions from what each would change at once, judged in the light of the whole position.

    A sum of changes with weights that depend on the position, and a small perceptron, both only for legal actions.

    Args:
        steps: what one unit of each of the O numbers of a change stands for.
        width: of the features of the whole position.
        hidden: of the perceptron.
    """

    steps: torch.Tensor

    def __init__(self, steps: np.ndarray, width: int, hidden: int) -> None:
        super().__init__()
        self.weights = _linear(width, len(steps), SMALL)
        self.of_change = _linear(len(steps), hidden)
        self.of_whole = _linear(width, hidden, 1.0)
        self.inner = _linear(hidden, hidden)
        self.outer = _linear(hidden, 1, SMALL)
        self.register_buffer("steps", torch.from_numpy(steps), persistent=False)

    def forward(self, logits: torch.Tensor, changes: torch.Tensor, whole: torch.Tensor) -> torch.Tensor:
        """``logits (N, A)`` float32 and more, from ``changes (N, A, 1 + O)`` int8 and ``whole (N, width)``."""
        dtype = compute_type(changes)
        row, action = changes[:, :, LEGAL].nonzero(as_tuple=True)
        change = changes[row, action, LEGAL + 1 :].to(dtype) * self.steps.to(dtype)
        weighed = (self.weights(whole).index_select(0, row) * change).float().sum(1)
        x = functional.relu(self.of_change(change) + self.of_whole(whole).index_select(0, row))
        x = self.outer(functional.relu(self.inner(x)))[:, 0].float()
        return logits + torch.zeros_like(logits).index_put((row, action), weighed + x)


class Previews(nn.Module):
    """The part of a network that looks at what actions change; adds nothing where it is switched off.

    Args:
        game: whose inputs are read.
        width: of the features of the whole position.
        hidden: 0 = off.
    """

    def __init__(self, game: Game, width: int, hidden: int) -> None:
        super().__init__()
        steps = np.array([channel.step for channel in game.outlook], np.float32)
        self.size = input_size(game, hidden > 0)
        self.changes = self.size - game.actions * (1 + len(steps)) if hidden else self.size
        self.shape = (game.actions, 1 + len(steps))
        self.seen = np.concatenate([game.observation_steps, steps]) if hidden else game.observation_steps
        self.head = ActionLogits(steps, width, hidden) if hidden else None

    def forward(self, logits: torch.Tensor, inputs: torch.Tensor, whole: torch.Tensor) -> torch.Tensor:
        """``logits (N, A)`` and what previews add to them."""
        if self.head is None:
            return logits
        more: torch.Tensor = self.head(logits, inputs[:, self.changes :].unflatten(1, self.shape), whole)
        return more


class Perceptron(nn.Module):
    """A shared stack of fully connected layers with a policy and a value head.

    Args:
        game: whose inputs it reads.
        width: of the shared layers.
        blocks: residual blocks after the first layer.
        previews: hidden units that judge what each action changes; 0 = it is not looked at.
    """

    kind = "perceptron"

    def __init__(self, game: Game, width: int = 512, blocks: int = 1, previews: int = 0) -> None:
        super().__init__()
        self.options = {"width": width, "blocks": blocks, "previews": previews}
        self.previews = Previews(game, width, previews)
        self.first = FirstLayer(self.previews.seen, width)
        self.blocks = nn.Sequential(*(Residual(width) for _ in range(blocks)))
        self.policy = nn.Sequential(_linear(width, width // 2), nn.ReLU(), _linear(width // 2, game.actions, SMALL))
        self.values = Values(width, width // 2, game.seats)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``(N, A)`` and values ``(N, P, VALUES)``, float32, of int8 inputs ``(N, previews.size)``."""
        x = self.blocks(functional.relu(self.first(inputs[:, : self.previews.changes])))
        return self.previews(self.policy(x).float(), inputs, x), self.values(x)


class RingTower(nn.Module):
    """Features of each place of a line of places from its neighbours.

    Args:
        block: of the observation, with one axis of places; its ``ring`` makes the last a neighbour of the first.
        channels: C, features of a place.
        layers: residual layers, each of which looks one place further.
    """

    steps: torch.Tensor

    def __init__(self, block: Block, channels: int, layers: int) -> None:
        super().__init__()
        self.axis, self.shape, self.ring = block.axis, block.shape, block.ring
        self.first = _linear(3 * len(block.channels), channels)
        self.layers = nn.ModuleList(_linear(3 * channels, channels, 0.5) for _ in range(layers))
        steps = torch.tensor([channel.step for channel in block.channels], dtype=torch.float32)
        self.register_buffer("steps", steps, persistent=False)

    def _with_neighbours(self, x: torch.Tensor) -> torch.Tensor:
        if self.ring:
            before, after = x.roll(1, 1), x.roll(-1, 1)
        else:
            before, after = functional.pad(x, (0, 0, 1, 0))[:, :-1], functional.pad(x, (0, 0, 0, 1))[:, 1:]
        return torch.cat([before, x, after], 2)

    def forward(self, part: torch.Tensor) -> torch.Tensor:
        """``(N, size of the block)`` int8 to ``(N, places, C)``."""
        dtype = compute_type(part)
        x = part.unflatten(1, self.shape).movedim(1 + self.axis, 2).to(dtype) * self.steps.to(dtype)
        x = functional.relu(self.first(self._with_neighbours(x)))
        for layer in self.layers:
            x = x + functional.relu(layer(self._with_neighbours(x)))
        return x


class GridTower(nn.Module):
    """Features of each place of a grid from the places around it, its row and its column.

    Args:
        block: of the observation, with two axes of places.
        channels: C, features of a place.
        layers: residual convolutions of 3 x 3 places.
    """

    steps: torch.Tensor

    def __init__(self, block: Block, channels: int, layers: int) -> None:
        super().__init__()
        self.axis, self.shape = block.axis, block.shape
        self.first = _orthogonal(nn.Conv2d(len(block.channels), channels, 3, padding=1), 2**0.5)
        self.lines = nn.ModuleList(_linear(channels, channels, 0.5) for _ in range(2))
        self.layers = nn.ModuleList(
            _orthogonal(nn.Conv2d(channels, channels, 3, padding=1), 0.5) for _ in range(layers)
        )
        steps = torch.tensor([channel.step for channel in block.channels], dtype=torch.float32)
        self.register_buffer("steps", steps.view(-1, 1, 1), persistent=False)

    def forward(self, part: torch.Tensor) -> torch.Tensor:
        """``(N, size of the block)`` int8 to ``(N, places, C)``."""
        dtype = compute_type(part)
        x = part.unflatten(1, self.shape).movedim(1 + self.axis, 1).to(dtype) * self.steps.to(dtype)
        x = functional.relu(self.first(x.contiguous(memory_format=torch.channels_last)))
        for axis, line in zip((2, 3), self.lines, strict=True):
            means = line(x.mean(axis, keepdim=True).permute(0, 2, 3, 1))
            x = x + functional.relu(means).permute(0, 3, 1, 2)
        for layer in self.layers:
            x = x + functional.relu(layer(x))
        return x.permute(0, 2, 3, 1).flatten(1, 2)


class PlaceLogits(nn.Module):
    """Logits of the actions that choose a place, from the place's features and those of the whole position."""

    ids: torch.Tensor

    def __init__(self, block: Block, channels: int, width: int) -> None:
        super().__init__()
        self.of_place = _linear(channels, channels)
        self.of_whole = _linear(width, channels, 1.0)
        self.inner = _linear(channels, channels)
        self.out = _linear(channels, len(block.choices), SMALL)
        self.register_buffer("ids", torch.tensor(block.choices).flatten(), persistent=False)

    def forward(self, places: torch.Tensor, whole: torch.Tensor) -> torch.Tensor:
        """``(N, places, C)`` and ``(N, width)`` to ``(N, choices x places)``, in the order of ``ids``."""
        x = functional.relu(self.of_place(places) + self.of_whole(whole).unsqueeze(1))
        logits: torch.Tensor = self.out(functional.relu(self.inner(x))).transpose(1, 2).flatten(1)
        return logits


class Structured(nn.Module):
    """Places seen by their neighbourhood beside a perceptron over everything; places answer for the actions on them.

    Blocks of the game with ``choices`` get a tower each.  The perceptron reads the whole observation and what the
    towers found, mean and maximum over places.

    Args:
        game: whose observations it reads.
        width: of the shared layers.
        blocks: residual blocks of the perceptron.
        channels: features of a place.
        layers: residual convolutions of a tower.
        grids: 1 = grids get towers too, which cost several times as much as those of lines; 0 = lines only.
        previews: hidden units that judge what each action changes; 0 = it is not looked at.
    """

    kind = "structured"

    def __init__(
        self,
        game: Game,
        width: int = 512,
        blocks: int = 1,
        channels: int = 32,
        layers: int = 2,
        grids: int = 1,
        previews: int = 0,
    ) -> None:
        super().__init__()
        self.options = {
            "width": width, "blocks": blocks, "channels": channels, "layers": layers, "grids": grids,
            "previews": previews,
        }  # fmt: skip
        self.previews = Previews(game, width, previews)
        starts = np.cumsum([0, *(block.size for block in game.observation)]).tolist()
        with_places = [
            (block, at)
            for block, at in zip(game.observation, starts, strict=False)
            if block.choices and (grids or len(block.shape) == 2)
        ]
        self.parts = [(at, at + block.size) for block, at in with_places]
        self.towers = nn.ModuleList(
            (RingTower if len(block.shape) == 2 else GridTower)(block, channels, layers) for block, _ in with_places
        )
        self.first = FirstLayer(self.previews.seen, width)
        self.pooled = nn.ModuleList(_linear(channels, width) for _ in with_places)
        self.blocks = nn.Sequential(*(Residual(width) for _ in range(blocks)))
        self.policy = nn.Sequential(_linear(width, width // 2), nn.ReLU(), _linear(width // 2, game.actions, SMALL))
        self.place_logits = nn.ModuleList(PlaceLogits(block, channels, width) for block, _ in with_places)
        self.values = Values(width, width // 2, game.seats)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``(N, A)`` and values ``(N, P, VALUES)``, float32, of int8 inputs ``(N, previews.size)``."""
        x = self.first(inputs[:, : self.previews.changes])
        towers = []
        for (low, high), tower, pooled in zip(self.parts, self.towers, self.pooled, strict=True):
            places = tower(inputs[:, low:high])
            x = x + pooled(places.mean(1))
            towers.append(places)
        x = self.blocks(functional.relu(x))
        logits = self.policy(x).float()
        for places, head in zip(towers, self.place_logits, strict=True):
            logits = logits.index_add(1, head.ids, head(places, x).float())
        return self.previews(logits, inputs, x), self.values(x)


Network = Perceptron | Structured
NETWORKS: Final[dict[str, type[Network]]] = {network.kind: network for network in (Perceptron, Structured)}


def make_network(game: Game, kind: str, options: dict[str, int]) -> Network:
    """A fresh network, its weights drawn from torch's global generator.

    Raises:
        ValueError: the kind or an option is not known.
    """
    if kind not in NETWORKS:
        raise ValueError(f"network: expected one of {', '.join(NETWORKS)}, got {kind!r}")
    try:
        return NETWORKS[kind](game, **options)
    except TypeError:
        raise ValueError(f"network {kind}: unknown option among {', '.join(options)}") from None


def autocast(enabled: bool, device: torch.device | str = "cpu") -> torch.autocast:
    """bfloat16 matrix products: on the CPU twice as fast where the processor has them."""
    return torch.autocast(torch.device(device).type, torch.bfloat16, enabled=enabled)
