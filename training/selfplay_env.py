"""Self-play as a Stable-Baselines3 vector environment: N games in one array, one learner's seat in each.

A step is one decision of the learner in every game; the opponents' decisions up to its next one are made in between,
all games that wait for the same opponent together.  Rewards are ``vp`` (see :mod:`terracotta_env.rewards`), summed
between own decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env.base_vec_env import VecEnv

from terracotta_env.game import NOBODY, Game
from terracotta_env.policy import stream
from terracotta_env.rewards import win_payoff
from terracotta_env.rows import (
    apply_rows,
    legal_rows,
    observe_rows,
    points_rows,
    reset_rows,
    returns_rows,
    to_act_rows,
)
from terracotta_env.views import vector_space

from .opponents import OpponentPool

# streams of random numbers that come from one seed
_SETUPS, _SEATS, _OPPONENTS = range(3)


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

    Attributes:
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
    ) -> None:
        super().__init__(n_games, vector_space(game), spaces.Discrete(game.actions))
        self.game, self.players, self.pool, self.win_share = game, players, pool, win_share
        self.templates = game.make_states(len(boards))
        for i, board in enumerate(boards):
            game.notation.write_board(self.templates[i : i + 1], board)
        self.states = game.make_states(n_games)
        self.learner = np.zeros(n_games, np.int64)
        self.opponents = np.zeros((n_games, game.seats), np.int64)  # numbers in the pool, by seat
        self.masks = np.zeros((n_games, game.actions), np.int8)
        self.finished: list[tuple[str, bool, float]] = []
        self._seed = seed
        self._begun = 0  # games begun so far: the index of the next setup
        self._seat_rng = np.random.default_rng(stream(seed, _SEATS))
        self._opponent_rng = np.random.default_rng(stream(seed, _OPPONENTS))
        self._all = np.arange(n_games, dtype=np.int64)
        self._paid = np.zeros((n_games, game.seats), np.int64)
        self._scratch = np.zeros(len(game.sources), np.int64)
        self._length = np.zeros(n_games, np.int64)
        self._return = np.zeros(n_games)
        self._actions = np.zeros(n_games, np.int64)

    def generators(self) -> dict[str, Any]:
        """State of all random numbers, as JSON."""
        return {
            "begun": self._begun,
            "seats": self._seat_rng.bit_generator.state,
            "opponents": self._opponent_rng.bit_generator.state,
        }

    def restore_generators(self, state: dict[str, Any]) -> None:
        """Go on with the random numbers of :meth:`generators`; games under way then are begun anew."""
        self._begun = state["begun"]
        self._seat_rng.bit_generator.state = state["seats"]
        self._opponent_rng.bit_generator.state = state["opponents"]

    def reset(self) -> np.ndarray:
        self._begin(self._all)
        return self._look()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        apply_rows(self.states, self._all, self._actions)
        self._play_opponents(self._all)
        rewards = self._earned()
        seats = np.empty(self.num_envs, np.int64)
        to_act_rows(self.states, self._all, seats)
        dones = seats == NOBODY
        self._length += 1
        ended = np.flatnonzero(dones)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if len(ended):
            last = np.empty((len(ended), self.game.observation_size), np.float32)
            observe_rows(self.states, ended, self.learner[ended], last)
            self._pay_winners(ended, rewards)
        self._return += rewards
        for k, i in enumerate(ended):
            infos[i] = {
                "terminal_observation": last[k],
                "episode": {"r": float(self._return[i]), "l": int(self._length[i]), "t": 0.0},
            }
        if len(ended):
            self._begin(ended)
        return self._look(), rewards.astype(np.float32), dones, infos

    def _begin(self, rows: np.ndarray) -> None:
        """Begin new games in these rows and play up to the learner's first decision."""
        seeds = np.empty(len(rows), np.uint64)
        for k, i in enumerate(rows):
            seeds[k] = stream(self._seed, _SETUPS, self._begun)
            self.states[i] = self.templates[self._begun % len(self.templates)]
            self._begun += 1
            self.learner[i] = self._seat_rng.integers(self.players)
            for seat in range(self.players):
                self.opponents[i, seat] = self.pool.draw(self._opponent_rng)
        reset_rows(self.states, rows, np.full(len(rows), self.players), seeds)
        self._length[rows] = 0
        self._return[rows] = 0.0
        self.pool.free(self.opponents)
        self._play_opponents(rows)
        points = np.empty((len(rows), self.game.seats), np.int64)
        points_rows(self.states, rows, self._scratch, points)
        self._paid[rows] = points

    def _play_opponents(self, rows: np.ndarray) -> None:
        """Let the opponents decide in these rows until the learner is to act or the game is over."""
        while len(rows):
            seats = np.empty(len(rows), np.int64)
            to_act_rows(self.states, rows, seats)
            waiting = (seats != NOBODY) & (seats != self.learner[rows])
            rows, seats = rows[waiting], seats[waiting]
            numbers = self.opponents[rows, seats]
            for number in np.unique(numbers):
                own = rows[numbers == number]
                apply_rows(self.states, own, self.pool.policies[int(number)].act(self.states, own, self._opponent_rng))

    def _earned(self) -> np.ndarray:
        """The learner's points since the last payment, relative to the mean of the others', scaled; shape ``(N,)``."""
        points = np.empty((self.num_envs, self.game.seats), np.int64)
        points_rows(self.states, self._all, self._scratch, points)
        gains = (points - self._paid)[:, : self.players]
        self._paid = points
        own = gains[self._all, self.learner]
        earned: np.ndarray = (own - (gains.sum(axis=1) - own) / (self.players - 1)) * self.game.points_scale
        return earned

    def _pay_winners(self, ended: np.ndarray, rewards: np.ndarray) -> None:
        returns = np.empty((len(ended), self.game.seats))
        returns_rows(self.states, ended, returns)
        for k, i in enumerate(ended):
            seat, points = self.learner[i], self._paid[i, : self.players]
            payoff = win_payoff(returns[k, : self.players])[seat]
            rewards[i] += self.win_share * payoff
            first = self.opponents[i, (seat + 1) % self.players]
            margin = float(points[seat] - (points.sum() - points[seat]) / (self.players - 1))
            self.finished.append((self.pool.kind_of[int(first)], bool(returns[k, seat] == 1), margin))

    def _look(self) -> np.ndarray:
        """Fresh observations of the learners, shape ``(N, F)``; the masks go with them."""
        observations = np.empty((self.num_envs, self.game.observation_size), np.float32)
        observe_rows(self.states, self._all, self.learner, observations)
        legal_rows(self.states, self._all, self.masks)
        return observations

    def action_masks(self) -> np.ndarray:
        """Shape ``(N, A)`` bool."""
        return self.masks.astype(bool)

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
        """Nothing to release."""
