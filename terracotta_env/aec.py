"""The PettingZoo AEC view of any game.

Call order is checked here, with PettingZoo's usual messages, so no wrapper stands between the loop and the game.  All
agents of a game end in the same step; after it each of them takes one ``None`` step, as AEC prescribes (``drain`` does
them all).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from .game import Game
from .position import Position, check_seed
from .render.modes import RENDER_MODES, check_render_mode, rendered
from .render.window import FPS, Screen
from .table import Table
from .views import ActionSpace, Observer, check_form, make_vector, observation_space, vector_space

# attributes that exist only after reset()
_AFTER_RESET = (
    "agents",
    "num_agents",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "agent_selection",
    "_cumulative_rewards",
)


class GameAEC(AECEnv[str, Any, Any]):
    """A game for 2 or more players, one agent a seat, acting when the rules say so (also several times in a row).

    Args:
        game: the rules.
        players: number of players n; agents are ``player_0`` .. ``player_{n-1}``, the seats of the rules.
        board: printed data: a shipped name, a path, or its content; None for the game's default.
        reward: ``rank``, ``win`` or ``vp``, see :mod:`terracotta_env.rewards`.
        observation: ``tensors`` or ``flat``, see :mod:`terracotta_env.views`.
        illegal: what an illegal action does.  ``raise``: an ``IllegalActionError`` that quotes the action, the legal
            tokens and the position, state unchanged.  ``end``: the game ends for all, the offender gets -1, the others
            share +1.  ``penalise``: the offender pays 0.05, which the others share, and tries again; the tenth illegal
            try in one decision ends the game as ``end`` does.
        render_mode: None; ``ansi``: ``render()`` returns a text; ``rgb_array``: it returns the picture, shape
            ``(H, W, 3)`` uint8 (needs the extra ``render``); ``human``: the picture is shown after reset and each step,
            in a window, or without a display in a file, see :mod:`terracotta_env.render.window`.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: Game,
        players: int = 2,
        board: str | Mapping[str, Any] | None = None,
        reward: str = "rank",
        observation: str = "tensors",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.form = check_form(observation)
        self.render_mode = check_render_mode(render_mode)
        self._screen = Screen()
        self.table = Table(game, players, board, reward, illegal)
        self._observed = Observer(game, self.form)
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": FPS,
            "board": game.notation.board_of(self.table.states),
            "rules_version": game.rules_version,
            **game.notes,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(game, self.form) for agent in self.possible_agents}
        self.action_spaces = {agent: ActionSpace(game.actions) for agent in self.possible_agents}
        self.state_space = vector_space(game)
        self._no_action = np.zeros(game.actions, np.int8)
        self._no_action.setflags(write=False)  # handed out to every agent that is not to move
        self._seeds: np.random.Generator | None = None
        self._was_reset = False
        self._pays_always = not self.table.meter.only_at_end
        self._paid = False  # the last step left rewards that the next one must clear

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._no_action.setflags(write=False)  # copies and pickles of arrays come back writable

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Space of the agent's observations; the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """``Discrete(A)``; the same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: 64-bit number that draws the setup, the same in every interface; also seeds the action spaces.  None
                draws a new one from the generator that the last given seed started (from the system if there was none).
            options: ``setup`` (as in a record) or ``snapshot`` to start from instead of a drawn setup.

        Raises:
            SetupError: the seed, setup or snapshot cannot be; names the field.
        """
        if seed is not None:
            setup_seed = int(check_seed(seed))
            seeds = np.random.default_rng(setup_seed)
        else:
            seeds = self._seeds or np.random.default_rng()
            setup_seed = int(seeds.integers(1 << 64, dtype=np.uint64))
        self.table.reset(setup_seed, options)  # a refused setup must leave the generators as they were
        self._seeds = seeds
        if seed is not None:
            for seat, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed((setup_seed + seat) % (1 << 32))
        self._was_reset = True
        self._paid = False
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self.table.over  # only a snapshot of a finished game is over at once
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_action} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self.agent_selection = agent = self.agents[0 if over else self.table.seat]
        if not over:
            self.infos[agent] = {"action_mask": self.table.mask.copy()}
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | np.integer | None) -> None:
        """Do an action of ``agent_selection``; ``None`` once the game is over.

        Raises:
            IllegalActionError: the action is illegal under ``illegal="raise"``; nothing has changed.
            ValueError: an action for an agent whose game is over, or ``None`` for one that is to act.
        """
        if not self._was_reset:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            if action is not None:
                raise ValueError("the game is over for all agents, the only valid action is None: call reset()")
            return
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act: expected an action 0..{self.game.actions - 1}, got None")
        table = self.table
        legal = table.step(action)
        self._cumulative_rewards[agent] = 0.0
        if table.over or self._pays_always or self._paid or not legal:
            self._pay(legal)
        self.infos[agent] = {"action_mask": self._no_action}
        if table.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = agent = self.possible_agents[table.seat]
            self.infos[agent] = {"action_mask": table.mask.copy()}
        if self.render_mode == "human":
            self.render()

    def _pay(self, legal: bool) -> None:
        table = self.table
        nothing = legal and not table.over and table.meter.only_at_end
        for seat, agent in enumerate(self.possible_agents):
            reward = 0.0 if nothing else float(table.rewards[seat])
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        self._paid = not nothing

    def drain(self) -> None:
        """Take the ``None`` steps of all agents after the game is over; ``agents`` is empty then."""
        while self.agents:
            if not self.terminations[self.agent_selection]:
                raise ValueError("the game is not over: only finished games can be drained")
            self.step(None)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, rewards since its last turn, end flags and info of the agent to act."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """A fresh observation of ``agent``; its ``action_mask`` is all 0 unless it is to act."""
        if not self._was_reset:
            EnvLogger.error_observe_before_reset()
        table, seat = self.table, self._seat_of[agent]
        mask = table.mask if seat == table.seat and not table.over else self._no_action
        return self._observed(table.states, seat, mask.copy())

    def state(self) -> np.ndarray:
        """The whole position for central critics: the flat vector with seat 0 first, shape ``(F,)`` float32."""
        if not self._was_reset:
            EnvLogger.error_state_before_reset()
        return make_vector(self.game, self.table.states, 0)

    def render(self) -> str | np.ndarray | None:
        """The position as text (``ansi``) or as ``(H, W, 3)`` uint8 pixels (``rgb_array``); ``human`` shows it."""
        if not self._was_reset:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode: make the environment with render_mode='ansi'")
            return None
        return rendered(Position(self.game, self.table.states), self.render_mode, self._screen)

    def close(self) -> None:
        """Close the window of ``human``, if there is one."""
        self._screen.close()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """PettingZoo's iterator over the agents as they act."""
        if not self._was_reset:
            EnvLogger.error_agent_iter_before_reset()
        return super().agent_iter(max_iter)

    @property
    def position(self) -> Position:
        """A copy of the position, for bots and tools."""
        return self.table.position()

    def clone(self) -> GameAEC:
        """An independent copy of the live game, generators included."""
        return copy.deepcopy(self)
