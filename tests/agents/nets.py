"""Small networks for tests."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch

from terracotta_agents.neural.networks import Perceptron, Structured, make_network
from terracotta_env.game import Game
from terracotta_env.position import Position

SMALL: Final[dict[str, dict[str, int]]] = {
    "perceptron": {"width": 16, "blocks": 1},
    "structured": {"width": 16, "blocks": 1, "channels": 4, "layers": 1},
}


def small_network(game: Game, kind: str = "structured", seed: int = 0, gain: float = 1.0) -> Perceptron | Structured:
    """A fresh network; with a gain its last layers are that much stronger, so that it has an opinion."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = make_network(game, kind, SMALL[kind])
    with torch.no_grad():
        for head in (network.policy[-1], network.values.outer, *(p.out for p in getattr(network, "place_logits", ()))):
            for parameter in head.parameters():
                parameter.mul_(gain)
    return network


def some_positions(game: Game, count: int = 12, seed: int = 0) -> list[Position]:
    """Positions of all player counts, at various moments of games that are not over."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    for k in range(count):
        position = Position.from_seed(game, game.players[k % len(game.players)], k)
        for _ in range(int(rng.integers(0, 60))):
            following = position.clone().play(int(rng.choice(np.flatnonzero(position.mask()))))
            if following.over:
                break
            position = following
        found.append(position)
    return found


def compact(position: Position, seat: int | None = None) -> np.ndarray:
    """The int8 observation, of the seat to act or of another."""
    from terracotta_env.entry import observe_at

    out = np.empty(position.game.observation_size, np.int8)
    looking = position.to_act if seat is None else seat
    assert looking is not None
    observe_at(position.states, 0, looking, out)
    return out
