"""What a network is given of a position: one int8 row.

``[observation F | outlook O | changes A x (1 + O)]``; networks that do not look at previews get the observation alone.
Letters as in :mod:`terracotta_agents.neural.networks` and :mod:`terracotta_env.outlook`.
"""

from __future__ import annotations

import numpy as np

from terracotta_env.game import Game
from terracotta_env.outlook import outlook_rows
from terracotta_env.rows import observe_rows


def input_size(game: Game, previews: bool) -> int:
    """Numbers of a row.

    Raises:
        ValueError: previews of a game that has no outlook.
    """
    if not previews:
        return game.observation_size
    numbers = len(game.outlook)
    if not numbers:
        raise ValueError(f"previews: the game {game.name!r} has no outlook: set them to 0")
    return game.observation_size + numbers + game.actions * (1 + numbers)


def write_inputs(
    game: Game, states: np.ndarray, rows: np.ndarray, seats: np.ndarray, masks: np.ndarray, out: np.ndarray
) -> None:
    """Write what ``seats`` see in ``rows``, ``out`` shape ``(R, input_size)`` int8; ``masks`` shape ``(R, A)`` int8."""
    seen = game.observation_size
    observe_rows(states, rows, seats, out[:, :seen])
    if out.shape[1] > seen:
        known = seen + len(game.outlook)
        changes = out[:, known:].reshape(len(out), game.actions, 1 + len(game.outlook))
        outlook_rows(states, rows, seats, masks, out[:, seen:known], changes)
