"""One position of any game, for people: a record with methods that check what they are given.

Engines and training loops work on arrays of records and the verbs of ``game.py``; this class is for bots, records,
tools and notebooks, where clarity and safety count more than the last microsecond.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from .entry import apply_at, is_over_at, ledger_at, legal_at, observe_at, reset_at, returns_at, to_act_at
from .errors import IllegalActionError, SetupError
from .game import NOBODY, Game, copy_states

SEED_LIMIT = 1 << 64


def check_players(game: Game, players: int) -> int:
    """``players`` as int, or a :class:`SetupError` that says how many the game takes."""
    if isinstance(players, bool) or not isinstance(players, int | np.integer) or int(players) not in game.players:
        raise SetupError(f"players: expected one of {', '.join(map(str, game.players))}, got {players!r}")
    return int(players)


def check_seed(seed: int) -> np.uint64:
    """``seed`` as 64-bit number, or a :class:`SetupError`."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) < SEED_LIMIT:
        raise SetupError(f"seed: expected a whole number in 0..2**64-1, got {seed!r}")
    return np.uint64(seed)


class Position:
    """A game at any moment, also in the middle of a turn.

    Attributes:
        game: the rules.
        states: shape ``(1,)``, the record itself (not a copy).
    """

    __slots__ = ("game", "states")

    def __init__(self, game: Game, states: np.ndarray) -> None:
        self.game = game
        self.states = states

    @classmethod
    def from_seed(cls, game: Game, players: int, seed: int, board: str | Mapping[str, Any] | None = None) -> Position:
        """The position after the setup that ``seed`` (0..2**64-1) draws."""
        players, number = check_players(game, players), check_seed(seed)
        position = cls._empty(game, board)
        reset_at(position.states, 0, players, number)
        return position

    @classmethod
    def from_setup(
        cls, game: Game, players: int, setup: Mapping[str, Any], board: str | Mapping[str, Any] | None = None
    ) -> Position:
        """The position after a given setup, as in a record."""
        position = cls._empty(game, board)
        game.notation.write_setup(position.states, check_players(game, players), setup)
        return position

    @classmethod
    def from_snapshot(
        cls, game: Game, snapshot: Mapping[str, Any], board: str | Mapping[str, Any] | None = None
    ) -> Position:
        """A position given as JSON; ``board`` where its printed data is not a shipped set."""
        position = cls(game, game.make_states(1))
        if board is not None:
            game.notation.write_board(position.states, board)
        game.notation.write_snapshot(position.states, snapshot)
        return position

    @classmethod
    def from_bytes(cls, game: Game, raw: bytes) -> Position:
        """The inverse of :meth:`to_bytes`.  Only the length is checked: the bytes must come from ``to_bytes``."""
        if len(raw) != game.dtype.itemsize:
            raise SetupError(f"a position of {game.name} has {game.dtype.itemsize} bytes, got {len(raw)}")
        return cls(game, np.frombuffer(raw, game.dtype, 1).copy())

    @classmethod
    def _empty(cls, game: Game, board: str | Mapping[str, Any] | None) -> Position:
        states = game.make_states(1)
        game.notation.write_board(states, board if board is not None else game.default_board)
        return cls(game, states)

    @property
    def players(self) -> int:
        """Number of players."""
        return int(self.states[0]["players"])

    @property
    def to_act(self) -> int | None:
        """Seat that decides now; None when the game is over."""
        seat = int(to_act_at(self.states, 0))
        return None if seat == NOBODY else seat

    @property
    def over(self) -> bool:
        return bool(is_over_at(self.states, 0))

    def mask(self) -> np.ndarray:
        """A fresh action mask, shape ``(A,)`` int8, 1 = legal."""
        mask = np.empty(self.game.actions, np.int8)
        legal_at(self.states, 0, mask)
        return mask

    def legal(self) -> list[str]:
        """Tokens of all legal actions, in code-point order."""
        return sorted(self.game.tokens[action] for action in np.flatnonzero(self.mask()))

    def play(self, action: int | str) -> Position:
        """Do an action, given by id or token, in place; returns itself.

        Raises:
            IllegalActionError: the action is not legal; the position is unchanged.
        """
        apply_at(self.states, 0, self.action(action))
        return self

    def action(self, action: int | str) -> int:
        """Id of a legal action given by id or token, or :class:`IllegalActionError`."""
        number: Any = action
        if isinstance(action, str):
            number = self.game.action_of(action) if action in self.game.tokens else NOBODY
        if (
            isinstance(number, bool)
            or not isinstance(number, int | np.integer)
            or not 0 <= number < self.game.actions
            or not self.mask()[number]
        ):
            raise IllegalActionError(self.complaint(action))
        return int(number)

    def complaint(self, action: object) -> str:
        """Why ``action`` cannot be done here: it, the legal tokens and the position."""
        shown = repr(action)
        if isinstance(action, int | np.integer) and not isinstance(action, bool) and 0 <= action < self.game.actions:
            shown = f"{int(action)} ({self.game.tokens[int(action)]})"
        if self.over:
            return f"illegal action {shown}: the game is over\n{self.render()}"
        return f"illegal action {shown} for seat {self.to_act}: legal are {', '.join(self.legal())}\n{self.render()}"

    def points(self) -> list[int]:
        """Points by seat."""
        out = np.empty(len(self.game.sources), np.int64)
        return [int(ledger_at(self.states, 0, seat, out)) for seat in range(self.players)]

    def returns(self) -> np.ndarray:
        """Payoffs by seat, shape ``(players,)`` float64; zeros before the end."""
        out = np.empty(self.game.seats)
        returns_at(self.states, 0, out)
        return out[: self.players]

    def ranking(self) -> list[int]:
        """Seats, best first.  Raises ``ValueError`` before the end."""
        if not self.over:
            raise ValueError("the game is not over: there is no ranking yet")
        return sorted(range(self.players), key=self.returns().__getitem__, reverse=True)

    def observe(self, seat: int) -> np.ndarray:
        """A fresh observation of ``seat``, shape ``(F,)`` float32."""
        if not 0 <= seat < self.players:
            raise ValueError(f"seat: expected 0..{self.players - 1}, got {seat!r}")
        out = np.empty(self.game.observation_size, np.float32)
        observe_at(self.states, 0, seat, out)
        return out

    def clone(self) -> Position:
        """An independent copy."""
        return Position(self.game, copy_states(self.states))

    def snapshot(self) -> dict[str, Any]:
        """The whole position as JSON."""
        return self.game.notation.snapshot(self.states)

    def render(self) -> str:
        """The position as text."""
        return self.game.notation.render(self.states)

    def _repr_svg_(self) -> str:
        """What notebooks show: the position as a picture, light or dark as the reader's system is."""
        from .render import svg  # few who play need pictures

        return svg(self)

    def to_bytes(self) -> bytes:
        """All there is: printed data, generator and ledger included."""
        return self.states.tobytes()

    def key(self) -> bytes:
        """The position without generator and ledger: equal keys are the same position, whatever was scored before."""
        states = copy_states(self.states)
        for field in self.game.not_in_key:
            states[field] = 0
        return states.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        # Python's own hash of bytes is salted for each process, this one is the same everywhere
        return int.from_bytes(hashlib.blake2b(self.to_bytes(), digest_size=7).digest(), "little")

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.from_bytes, (self.game, self.to_bytes())

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}, {self.players} players, to act: {self.to_act}>"
