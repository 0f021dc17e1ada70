"""One game being played under a view's settings: setup options, legality policy, payments.  Shared by AEC and
Gymnasium.

There is one source of truth for whose turn it is: the record.  Views keep nothing that could disagree with it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from .entry import direct, legal_at, reset_at, to_act_at
from .errors import IllegalActionError, SetupError
from .game import NOBODY, Game, copy_states
from .position import Position, check_players, check_seed
from .rewards import RewardMeter

ILLEGAL: Final = ("raise", "end", "penalise")
PENALTY: Final = 0.05  # what one illegal try costs under "penalise"; the others share it
MOST_TRIES: Final = 10  # illegal tries in one decision after which "penalise" ends the game
OPTIONS: Final = ("setup", "snapshot")
_INTEGERS: Final = (int, np.integer)


class Table:
    """A game in progress.

    Attributes:
        states: shape ``(1,)``, the record.
        mask: shape ``(A,)`` int8, legal actions now; all 0 when the game is over.
        seat: who decides now, NOBODY when the game is over.
        rewards: payments of the last :meth:`step`, shape ``(n,)``.
        over: the game has ended, by its rules or by an illegal action.
        tries: illegal tries in this decision.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        board: str | Mapping[str, Any] | None,
        reward: str,
        illegal: str,
    ) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal: expected one of {', '.join(ILLEGAL)}, got {illegal!r}")
        self.game = game
        self.players = check_players(game, players)
        self.illegal = illegal
        self.meter = RewardMeter(game, reward, self.players)
        self.template = game.make_states(1)
        game.notation.write_board(self.template, board if board is not None else game.default_board)
        self.states = copy_states(self.template)
        self.mask = np.zeros(game.actions, np.int8)
        self._actions = game.actions
        self._step = direct(game).step
        self.rewards = np.zeros(self.players)
        self.seat = NOBODY
        self.over = True
        self.tries = 0

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_step"}  # machine code stays here

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._step = direct(self.game).step

    def reset(self, seed: int, options: Mapping[str, Any] | None) -> None:
        """Begin a game: the setup is drawn from ``seed`` unless ``options`` give a setup or a snapshot."""
        states = copy_states(self.template)
        if options is not None and not isinstance(options, Mapping):
            raise SetupError(f"options: expected a table with {' or '.join(OPTIONS)}, got {options!r}")
        options = options or {}
        for key in options:
            if key not in OPTIONS:
                warnings.warn(
                    f"reset option {key!r} is not known and ignored (known: {', '.join(OPTIONS)})", stacklevel=3
                )
        if options.get("snapshot") is not None:
            self.game.notation.write_snapshot(states, options["snapshot"])
            if int(states[0]["players"]) != self.players:
                raise SetupError(
                    f"snapshot: players: expected {self.players}, for which the environment was made, "
                    f"got {int(states[0]['players'])}"
                )
            board, made_for = (self.game.notation.board_of(position) for position in (states, self.template))
            if board != made_for:
                raise SetupError(
                    f"snapshot: board: expected {made_for!r}, for which the environment was made, got {board!r}"
                )
        elif options.get("setup") is not None:
            self.game.notation.write_setup(states, self.players, options["setup"])
        else:
            reset_at(states, 0, self.players, check_seed(seed))
        self.states = states
        self.seat = int(to_act_at(states, 0))
        legal_at(states, 0, self.mask)
        self.over = self.seat == NOBODY
        self.tries = 0
        self.rewards = np.zeros(self.players)
        self.meter.start(states)

    def step(self, action: Any) -> bool:
        """Do an action of the seat to move; returns False where it was illegal and the policy let the game go on or
        end.

        Raises:
            IllegalActionError: under ``illegal="raise"``; the state is unchanged.
        """
        if type(action) is not int or not (0 <= action < self._actions and self.mask[action]):  # the usual case first
            if not self.is_legal(action):
                self._punish(action)
                return False
            action = int(action)
        self.tries = 0
        self.seat = self._step(self.states, 0, action, self.mask)
        self.over = self.seat == NOBODY
        if self.over or not self.meter.only_at_end:
            self.rewards = self.meter.pay(self.states, self.over)
        return True

    def is_legal(self, action: Any) -> bool:
        """Is this the number of a legal action?"""
        if isinstance(action, bool) or not isinstance(action, _INTEGERS):
            return False
        return bool(0 <= action < len(self.mask) and self.mask[action])

    def _punish(self, action: Any) -> None:
        if self.illegal == "raise":
            raise IllegalActionError(self.position().complaint(action))
        self.tries += 1
        if self.illegal == "penalise" and self.tries < MOST_TRIES:
            self.rewards = self.meter.fine(self.seat, PENALTY)
            return
        self.rewards = self.meter.forfeit(self.seat)
        self.mask[:] = 0
        self.over = True

    def position(self) -> Position:
        """A copy of the position."""
        return Position(self.game, copy_states(self.states))
