"""The Gymnasium vector view of any game: N games in one array, one learner's seat in each.

A step is one decision of the learner in every game.  The opponents' decisions up to its next one are made in between,
and rewards of that time are summed.

Autoreset mode: ``SAME_STEP``, no other.  Where ``terminations[i]`` is set, ``observations[i]`` and the mask already
belong to the first decision of the next game; the finished one's last observation is ``infos["final_obs"][i]`` and its
facts are in ``infos["final_info"]``.  Games are never truncated.

``infos["action_mask"]``, shape ``(N, A)`` int8, goes with the observations; so does ``infos["seat"]``, the learner's
seat in each game.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .batch import Batch, Board
from .game import NOBODY, Game
from .generator import splitmix64_at
from .gym import DRAWN
from .policy import RowPolicy, stream
from .position import check_seed
from .rewards import BatchMeter
from .rollout import UNIFORM, Rollout
from .views import ActionSpace, vector_space

_SEATS, _OPPONENTS = range(2)  # streams of random numbers that come from one seed


class Opponents(Protocol):
    """Who plays the other seats."""

    def seed(self, seed: int) -> None:
        """All random numbers from now on follow from this 64-bit number."""

    def begin(self, batch: Batch, rows: np.ndarray) -> None:
        """New games begin in these rows: choose who plays them, for the whole game."""

    def play(self, batch: Batch, rows: np.ndarray, learner: np.ndarray) -> None:
        """Decide in these rows until the learner's seat (``learner``, shape ``(N,)``) is to act or the game is over."""


class RolloutOpponents:
    """One rollout policy in every other seat, run inside a kernel."""

    def __init__(self, policy: Rollout = UNIFORM) -> None:
        self.policy = policy
        self._seed = 0
        self._generators = np.zeros(0, np.uint64)

    def seed(self, seed: int) -> None:
        self._seed = seed

    def begin(self, batch: Batch, rows: np.ndarray) -> None:
        if len(self._generators) != batch.n:
            self._generators = np.zeros(batch.n, np.uint64)
        self._generators[rows] = splitmix64_at(self._seed, batch.numbers[rows])

    def play(self, batch: Batch, rows: np.ndarray, learner: np.ndarray) -> None:
        batch.play_until(self.policy, learner, self._generators, rows)


class RowOpponents:
    """Policies that decide for many games in one call, e.g. networks, in the other seats.

    Args:
        policies: in clockwise order after the learner, for whole games; with fewer than there are opponents the first
            follows the last.  One that remembers what it planned may sit in several seats.
    """

    def __init__(self, policies: Sequence[RowPolicy]) -> None:
        if isinstance(policies, str) or not isinstance(policies, Sequence) or not policies:
            raise ValueError(f"policies: expected a list of at least one row policy, got {policies!r}")
        for policy in policies:
            if not hasattr(policy, "act"):
                raise ValueError(f"policies: expected row policies with act(states, rows, rng), got {policy!r}")
        self.policies = list(policies)
        self._rng = np.random.default_rng(0)

    def seed(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def begin(self, batch: Batch, rows: np.ndarray) -> None:
        pass  # seats are counted from the learner's, so there is nothing to choose

    def play(self, batch: Batch, rows: np.ndarray, learner: np.ndarray) -> None:
        while True:
            seats = batch.seats[rows]
            waiting = (seats != NOBODY) & (seats != learner[rows])
            rows, seats = rows[waiting], seats[waiting]
            if not len(rows):
                return
            places = ((seats - learner[rows]) % batch.players[rows] - 1) % len(self.policies)
            for place in np.unique(places):
                own = rows[places == place]
                batch.play(self.policies[place].act(batch.states, own, self._rng), own)


class GameVector(VectorEnv[Any, Any, Any]):
    """See the module.

    Args:
        game: the rules.
        num_envs: N.
        players: seats in every game, or shape ``(N,)``.
        boards: printed data: one, or several to draw from for each game; None for the default.
        reward: ``rank``, ``win`` or ``vp``, see :mod:`terracotta_env.rewards`.
        seat: the learner's seat, or ``drawn`` anew for each game.
        opponents: who plays the other seats; None for uniformly random play.
        win_share: weight of ``win`` beside the points in the reward ``vp``.
        threads: threads that share the work.
        compact: observations as int8 (:mod:`terracotta_env.observing`) instead of float32.
        copy: hand out fresh arrays; without it observations and masks are overwritten by the next step.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        num_envs: int,
        players: int | Sequence[int] = 2,
        boards: Board | Sequence[Board] | None = None,
        reward: str = "rank",
        seat: int | str = DRAWN,
        opponents: Opponents | None = None,
        win_share: float = 1.0,
        threads: int = 1,
        compact: bool = False,
        copy: bool = True,
    ) -> None:
        self.batch = Batch(game, num_envs, players, boards, threads=threads)
        fewest = int(self.batch.players.min())
        if seat != DRAWN and (isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < fewest):
            raise ValueError(f"seat: expected {DRAWN!r} or a number in 0..{fewest - 1}, got {seat!r}")
        self.game, self.num_envs, self.seat, self.copy = game, num_envs, seat, copy
        self.opponents: Opponents = opponents if opponents is not None else RolloutOpponents()
        self.meter = BatchMeter(self.batch, reward, win_share)
        self.single_observation_space = compact_space(game) if compact else vector_space(game)
        self.single_action_space = ActionSpace(game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {**type(self).metadata, "rules_version": game.rules_version, **game.notes}
        self.learner = np.zeros(num_envs, np.int64)
        self.masks = self.batch.make_masks()
        self.observations = self.batch.make_observations(compact)
        self._seats_seed = 0
        self._all = np.arange(num_envs, dtype=np.int64)
        self._begun = False

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin new games in all rows.

        Args:
            seed: 64-bit number that everything random follows from; None goes on with the next games of the last seed,
                or, the first time, draws one.
            options: none are known.
        """
        for key in options or {}:
            warnings.warn(f"reset option {key!r} is not known and ignored", stacklevel=2)
        if seed is not None or not self._begun:
            super().reset(seed=seed)
            drawn = seed if seed is not None else int(self.np_random.integers(1 << 64, dtype=np.uint64))
            self.batch.seed, self.batch.begun = int(check_seed(drawn)), 0
            self._seats_seed = stream(self.batch.seed, _SEATS)
            self.opponents.seed(stream(self.batch.seed, _OPPONENTS))
            self._begun = True
        self.batch.reset()
        self._begin(self._all)
        return self._look()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision of every learner; ``actions`` shape ``(N,)``.

        Raises:
            IllegalActionError: an action is not legal; no game has moved.
        """
        if not self._begun:
            raise ValueError("call reset() first")
        self.batch.play(np.ascontiguousarray(actions, np.int64))
        self.opponents.play(self.batch, self._all, self.learner)
        ended = np.flatnonzero(self.batch.seats == NOBODY)
        rewards = self.meter.pay(self.learner, ended)
        terminations = np.zeros(self.num_envs, bool)
        terminations[ended] = True
        final = self._final(ended, terminations) if len(ended) else {}
        if len(ended):
            self.batch.restart(ended)
            self._begin(ended)
        observations, infos = self._look()
        return observations, rewards, terminations, np.zeros(self.num_envs, bool), {**infos, **final}

    def _begin(self, rows: np.ndarray) -> None:
        """Seat the learners of new games and play up to their first decisions."""
        if self.seat == DRAWN:
            draws = splitmix64_at(self._seats_seed, self.batch.numbers[rows])
            self.learner[rows] = draws % self.batch.players[rows].astype(np.uint64)
        else:
            self.learner[rows] = self.seat
        self.opponents.begin(self.batch, rows)
        self.opponents.play(self.batch, rows, self.learner)
        self.meter.start(rows)
        over = rows[self.batch.seats[rows] == NOBODY]
        if len(over):  # a game that ended before its learner could decide is none of its
            self.batch.restart(over)
            self._begin(over)

    def _final(self, ended: np.ndarray, terminations: np.ndarray) -> dict[str, Any]:
        """What Gymnasium calls ``final_obs`` and ``final_info`` of the games that are over."""
        game, n = self.game, len(ended)
        last = np.empty((n, game.observation_size), self.observations.dtype)
        self.batch.observe(last, self.learner[ended], ended)
        observations = np.full(self.num_envs, None, dtype=object)
        for k, row in enumerate(ended):
            observations[row] = last[k]
        info: dict[str, Any] = {}
        reads = (("points", self.batch.points, np.int64), ("returns", self.batch.returns, np.float64))
        for name, write, dtype in reads:
            by_seat = np.zeros((n, game.seats), dtype)
            write(by_seat, ended)
            info[name] = np.zeros((self.num_envs, game.seats), dtype)
            info[name][ended] = by_seat
        info["seat"] = self.learner.copy()
        info["decisions"] = self.batch.decisions.copy()
        info = {**info, **{f"_{name}": terminations.copy() for name in info}}
        masked = {"_final_obs": terminations.copy(), "_final_info": terminations.copy()}
        return {"final_obs": observations, "final_info": info, **masked}

    def _look(self) -> tuple[np.ndarray, dict[str, Any]]:
        if self.copy:
            self.observations = np.empty_like(self.observations)
            self.masks = np.empty_like(self.masks)
        self.batch.observe(self.observations, self.learner)
        self.batch.legal(self.masks)
        infos = {"action_mask": self.masks, "seat": self.learner.copy()}
        return self.observations, {**infos, **{f"_{name}": np.ones(self.num_envs, bool) for name in infos}}


def compact_space(game: Game) -> spaces.Box:
    """Space of the int8 form, shape ``(F,)``."""
    exact = vector_space(game)
    return spaces.Box(
        np.zeros_like(exact.low, np.int8),
        np.minimum(np.ceil(exact.high / game.observation_steps), 127).astype(np.int8),
        dtype=np.int8,
    )
