"""Self-play for Stable-Baselines3: its ``VecEnv`` interface on top of :class:`terracotta_env.vector.GameVector`.

Rewards are ``vp`` (see :mod:`terracotta_env.rewards`), summed between the learner's own decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env.base_vec_env import VecEnv

from terracotta_env.game import Game
from terracotta_env.vector import GameVector

from .opponents import OpponentPool, PoolOpponents


class SelfPlayVecEnv(VecEnv):
    """See the module.

    Args:
        game: the rules.
        n_games: N, games played side by side.
        players: number of players n.
        boards: printed data by name, file or content; each new game draws one.
        pool: the opponents.
        seed: draws setups, seats and opponents, each from a stream of its own.
        win_share: weight of the final ``win`` beside the points as they are earned.
        threads: threads that share the work of the engine.

    Attributes:
        vector: the games.
        finished: ``(kind of the first opponent, won, points margin)`` of every game ended since the list was last
            emptied.
    """

    render_mode = None

    def __init__(
        self,
        game: Game,
        n_games: int,
        players: int,
        boards: Sequence[str],
        pool: OpponentPool,
        seed: int,
        win_share: float = 1.0,
        threads: int = 1,
    ) -> None:
        self.pool, self.win_share, self.players = pool, win_share, players
        self.opponents = PoolOpponents(pool, n_games, game.seats)
        self.vector = GameVector(
            game, n_games, players, boards, "vp", opponents=self.opponents, win_share=win_share, threads=threads
        )
        super().__init__(n_games, self.vector.single_observation_space, self.vector.single_action_space)
        self.finished: list[tuple[str, bool, float]] = []
        self._seed: int | None = seed
        self._length = np.zeros(n_games, np.int64)
        self._return = np.zeros(n_games)
        self._actions = np.zeros(n_games, np.int64)

    def generators(self) -> dict[str, Any]:
        """State of all random numbers, as JSON."""
        return {"begun": self.vector.batch.begun, "opponents": self.opponents.rng.bit_generator.state}

    def restore_generators(self, state: dict[str, Any]) -> None:
        """Go on with the random numbers of :meth:`generators`; games under way then are begun anew."""
        self.vector.reset(seed=self._seed)
        self._seed = None
        self.vector.batch.begun = state["begun"]
        self.opponents.rng.bit_generator.state = state["opponents"]

    def reset(self) -> np.ndarray:
        """Begin new games; after the first time, the next ones of the seed."""
        observations: np.ndarray = self.vector.reset(seed=self._seed)[0]
        self._seed = None
        self._length[:] = 0
        self._return[:] = 0.0
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        kinds = self.opponents.kinds.copy()
        observations, rewards, dones, _, infos = self.vector.step(self._actions)
        self._length += 1
        self._return += rewards
        for_sb3: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            for_sb3[i] = {
                "terminal_observation": infos["final_obs"][i],
                "episode": {"r": float(self._return[i]), "l": int(self._length[i]), "t": 0.0},
            }
            self._note(kinds[i], {name: values[i] for name, values in infos["final_info"].items()})
        self._length[dones] = 0
        self._return[dones] = 0.0
        return observations, rewards.astype(np.float32), dones, for_sb3

    def _note(self, kinds: np.ndarray, final: dict[str, Any]) -> None:
        """Remember how a finished game went, by the kind of the opponent that sat after the learner."""
        seat, points = final["seat"], final["points"][: self.players]
        margin = float(points[seat] - (points.sum() - points[seat]) / (self.players - 1))
        self.finished.append((kinds[(seat + 1) % self.players], bool(final["returns"][seat] == 1), margin))

    def action_masks(self) -> np.ndarray:
        """Shape ``(N, A)`` bool."""
        return self.vector.masks.astype(bool)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Only ``action_masks``, as sb3-contrib asks for it."""
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name!r}")
        return list(self.action_masks()[self._indices(indices)])

    def _indices(self, indices: int | Iterable[int] | None) -> list[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self, attr_name)
        return [value for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError("the games of a self-play environment share their settings: set them when making it")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._indices(indices)]

    def close(self) -> None:
        self.vector.close()
