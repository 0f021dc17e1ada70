"""A network that decides in many games at once."""

from __future__ import annotations

import numpy as np
import torch

from terracotta_env.game import Game
from terracotta_env.rows import legal_rows, to_act_rows

from .actor import choose
from .inputs import write_inputs
from .networks import Network, autocast


def look(
    game: Game, states: np.ndarray, rows: np.ndarray, size: int, dtype: type[np.int8] | type[np.float32] = np.int8
) -> tuple[np.ndarray, np.ndarray]:
    """What the seats to act see and may do: inputs ``(R, size)`` of ``dtype`` and masks ``(R, A)`` int8."""
    n = len(rows)
    seats = np.empty(n, np.int64)
    inputs = np.empty((n, size), dtype)
    masks = np.empty((n, game.actions), np.int8)
    to_act_rows(states, rows, seats)
    legal_rows(states, rows, masks)
    write_inputs(game, states, rows, seats, masks, inputs)
    return inputs, masks


class NetworkRows:
    """A network as a row policy: samples from its policy or takes the best action.

    Args:
        game: the rules.
        network: inputs to logits and values; not changed by anybody else.
        sample: draw, or take the best action.
        half: use bfloat16.
    """

    def __init__(self, game: Game, network: Network, sample: bool = True, half: bool = False) -> None:
        self.game, self.network, self.sample, self.half = game, network, sample, half

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Legal actions, shape ``(R,)`` int64, one for each of ``rows``."""
        inputs, masks = look(self.game, states, rows, self.network.previews.size)
        device = next(self.network.parameters()).device
        with torch.no_grad(), autocast(self.half, device):
            logits: np.ndarray = self.network(torch.from_numpy(inputs).to(device))[0].cpu().numpy()
        return choose(logits, masks, rng if self.sample else None)
