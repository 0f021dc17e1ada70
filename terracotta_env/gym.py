"""The Gymnasium view of any game: one learner's seat, the others played by policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import gymnasium
import numpy as np

from .game import Game
from .policy import Policy, Uniform, ask, stream
from .position import Position, check_seed
from .render.modes import RENDER_MODES, check_render_mode, rendered
from .render.window import FPS, Screen
from .table import Table
from .views import (
    FORMS,
    ActionSpace,
    check_form,
    make_observation,
    make_vector,
    observation_space,
    vector_space,
)

GYM_FORMS: Final = (*FORMS, "vector")
DRAWN: Final = "drawn"


class GameGym(gymnasium.Env[Any, Any]):
    """A game as seen by one learner.

    A step is one decision of the learner's seat; the opponents' decisions up to its next one are played inside.
    Rewards of all seats in between are summed for the learner, the last payment of the game included.

    Args:
        game: the rules.
        players: number of players n.
        board: printed data: a shipped name, a path, or its content; None for the game's default.
        reward: ``rank``, ``win`` or ``vp``, see :mod:`terracotta_env.rewards`.
        observation: ``tensors`` or ``flat`` (dictionaries with ``action_mask``), or ``vector``: the flat float32 vector
            alone, for policies that take the mask from :meth:`action_masks`.
        illegal: ``raise``, ``end`` or ``penalise``, see :class:`terracotta_env.aec.GameAEC`.
        seat: the learner's seat, or ``drawn``: anew in each game, from the environment's generator.
        opponents: n - 1 policies, in clockwise order after the learner; or one class or function that makes them.  Each
            keeps its place for a whole game.  The default is uniform over the legal actions.
        render_mode: None, ``ansi``, ``rgb_array`` or ``human``, see :class:`terracotta_env.aec.GameAEC`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": FPS}  # noqa: RUF012 (Gymnasium's own)

    def __init__(
        self,
        game: Game,
        players: int = 2,
        board: str | Mapping[str, Any] | None = None,
        reward: str = "rank",
        observation: str = "flat",
        illegal: str = "raise",
        seat: int | str = DRAWN,
        opponents: Sequence[Policy] | Callable[[], Policy] = Uniform,
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.form = check_form(observation, GYM_FORMS)
        self.render_mode = check_render_mode(render_mode)
        self._screen = Screen()
        self.table = Table(game, players, board, reward, illegal)
        if seat != DRAWN and (isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players):
            raise ValueError(f"seat: expected {DRAWN!r} or a number in 0..{players - 1}, got {seat!r}")
        self.seat_setting = seat
        if isinstance(opponents, str) or not (isinstance(opponents, Sequence) or callable(opponents)):
            raise ValueError(f"opponents: expected a list of policies, or a class that makes them, got {opponents!r}")
        if isinstance(opponents, Sequence):
            self.opponents = list(opponents)
        else:
            self.opponents = [opponents() for _ in range(players - 1)]
        if len(self.opponents) != players - 1:
            raise ValueError(
                f"opponents: expected {players - 1} policies for {players} players, got {len(self.opponents)}"
            )
        for opponent in self.opponents:
            if not (hasattr(opponent, "begin") and hasattr(opponent, "act")):
                raise ValueError(
                    f"opponents: expected policies with begin(seed) and act(position, mask), got {opponent!r}"
                )
        if self.form == "vector":
            self.observation_space = vector_space(game)
        else:
            self.observation_space = observation_space(game, self.form)
        self.action_space = ActionSpace(game.actions)
        self.metadata = {
            **type(self).metadata,
            "board": game.notation.board_of(self.table.states),
            "rules_version": game.rules_version,
            **game.notes,
        }
        self.seat = 0
        self._reward = 0.0

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game and play up to the learner's first decision.

        Args:
            seed: 64-bit number that draws the setup, the same in every interface; None draws one from the environment's
                generator.  The opponents' generators are seeded from it, each with a stream of its own.
            options: ``setup`` or ``snapshot`` to start from.
        """
        if seed is not None:
            self.table.reset(int(check_seed(seed)), options)  # a refused setup must leave the generators as they were
        super().reset(seed=seed)
        setup_seed = int(seed) if seed is not None else int(self.np_random.integers(1 << 64, dtype=np.uint64))
        if seed is None:
            self.table.reset(setup_seed, options)
        if seed is not None:
            self.action_space.seed(setup_seed % (1 << 32))
        players = self.table.players
        self.seat = int(self.np_random.integers(players)) if self.seat_setting == DRAWN else int(self.seat_setting)
        for place, opponent in enumerate(self.opponents):
            opponent.begin(stream(setup_seed, 1 + place))
        self._reward = 0.0
        self._play_opponents()
        self._reward = 0.0  # what was paid before the learner's first decision is not its doing and belongs to no step
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do one decision of the learner and everything up to its next one."""
        if self.table.over:
            raise ValueError("the game is over: call reset() first")
        self._reward = 0.0
        self._step(int(action) if isinstance(action, np.ndarray) and action.ndim == 0 else action)
        self._play_opponents()
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._reward, self.table.over, False, self._info()

    def _step(self, action: Any) -> None:
        table = self.table
        legal = table.step(action)
        if table.over or not table.meter.only_at_end or not legal:
            self._reward += float(table.rewards[self.seat])

    def _play_opponents(self) -> None:
        table = self.table
        while not table.over and table.seat != self.seat:
            opponent = self.opponents[(table.seat - self.seat) % table.players - 1]
            action = ask(opponent, Position(self.game, table.states))
            self._step(action)

    def action_masks(self) -> np.ndarray:
        """Fresh mask of the learner's legal actions, shape ``(A,)`` bool, for sb3-contrib."""
        return self.table.mask.astype(bool)

    def _observation(self) -> Any:
        if self.form == "vector":
            return make_vector(self.game, self.table.states, self.seat)
        return make_observation(self.game, self.form, self.table.states, self.seat, self.table.mask.copy())

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.table.mask.copy(), "seat": self.seat}

    def render(self) -> Any:
        """The position as text (``ansi``) or as ``(H, W, 3)`` uint8 pixels (``rgb_array``); ``human`` shows it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: use render_mode='ansi'")
            return None
        return rendered(Position(self.game, self.table.states), self.render_mode, self._screen)

    def close(self) -> None:
        """Close the window of ``human``, if there is one."""
        self._screen.close()

    @property
    def position(self) -> Position:
        """A copy of the position, for bots and tools."""
        return self.table.position()
