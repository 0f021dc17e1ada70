"""``net:FOLDER``: a trained actor as a bot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from terracotta_env.game import Game
from terracotta_env.position import Position

from .actor import Actor, choose, load_actor


class NetAgent:
    """Plays an actor's best action, or samples from its policy.

    Args:
        game: the rules.
        actor: the network.
        name: how records call it.
        sample: draw from the policy instead of taking its best action.
    """

    version = 1

    def __init__(self, game: Game, actor: Actor, name: str = "net", sample: bool = False) -> None:
        self.game = game
        self.actor = actor
        self.name = name
        self.sample = sample
        self.rng = np.random.default_rng(0)

    @classmethod
    def load(cls, folder: Path, game: Game, sample: bool = False) -> NetAgent:
        """The actor saved in ``folder``.  Raises ``ActorError``."""
        return cls(game, load_actor(folder, game), f"net:{folder}", sample)

    def begin(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, position: Position, mask: np.ndarray) -> int:
        seat = position.to_act
        assert seat is not None, "the game is over"
        with torch.no_grad():
            logits = self.actor(torch.from_numpy(position.observe(seat))[None]).numpy()
        return int(choose(logits, mask[None], self.rng if self.sample else None)[0])
