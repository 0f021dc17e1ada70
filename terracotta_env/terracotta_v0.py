"""Terracotta Army where PettingZoo and Gymnasium users look for it.

    >>> from terracotta_env import terracotta_v0
    >>> env = terracotta_v0.env(players=3, reward="vp")
    >>> env.reset(seed=7)

    >>> import gymnasium
    >>> learner = gymnasium.make("terracotta_env.terracotta_v0:TerracottaArmy-v0", players=2)
    >>> learners = gymnasium.make_vec(
    ...     "terracotta_env.terracotta_v0:TerracottaArmy-v0", 64, vectorization_mode="vector_entry_point"
    ... )

Much of the printed data is reconstructed, not the published print; ``env.metadata["provenance"]`` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium

from .aec import GameAEC
from .army import GAME
from .gym import DRAWN, GameGym
from .policy import Policy, Uniform
from .vector import GameVector

GYM_ID = "TerracottaArmy-v0"


class raw_env(GameAEC):  # noqa: N801 (PettingZoo's name)
    """The AEC environment; arguments as in :class:`terracotta_env.aec.GameAEC`, less the game."""

    def __init__(
        self,
        players: int = 2,
        board: str | Mapping[str, Any] = "reconstructed",
        reward: str = "rank",
        observation: str = "tensors",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__(GAME, players, board, reward, observation, illegal, render_mode)


def env(
    players: int = 2,
    board: str | Mapping[str, Any] = "reconstructed",
    reward: str = "rank",
    observation: str = "tensors",
    illegal: str = "raise",
    render_mode: str | None = None,
) -> raw_env:
    """The AEC environment.  No wrapper is needed: the class itself checks call order and actions."""
    return raw_env(players, board, reward, observation, illegal, render_mode)


class TerracottaGym(GameGym):
    """The Gymnasium view; arguments as in :class:`terracotta_env.gym.GameGym`, less the game."""

    def __init__(
        self,
        players: int = 2,
        board: str | Mapping[str, Any] = "reconstructed",
        reward: str = "rank",
        observation: str = "flat",
        illegal: str = "raise",
        seat: int | str = DRAWN,
        opponents: Sequence[Policy] | Callable[[], Policy] = Uniform,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(GAME, players, board, reward, observation, illegal, seat, opponents, render_mode)


class TerracottaVector(GameVector):
    """The Gymnasium vector view; arguments as in :class:`terracotta_env.vector.GameVector`, less the game."""

    def __init__(self, num_envs: int = 1, **settings: Any) -> None:
        super().__init__(GAME, num_envs, **settings)


if GYM_ID not in gymnasium.registry:
    gymnasium.register(
        GYM_ID,
        entry_point="terracotta_env.terracotta_v0:TerracottaGym",
        vector_entry_point="terracotta_env.terracotta_v0:TerracottaVector",
    )
