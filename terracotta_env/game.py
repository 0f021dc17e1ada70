"""What a game must provide, the verbs that shared machinery calls, and the table of games.

A game is a numpy record type and a set of compiled functions on one such record.  Batches, search, records, PettingZoo
and Gymnasium views call only the verbs below and read only the plain data of :class:`Game`; they know no rule of any
game.

The verbs are ordinary functions that look the record's type up in the table of games.  Inside a kernel the look-up
happens while compiling, so one shared kernel is specialised for each game by the type of its argument, costs nothing at
run time and is cached on disk; with the compiler switched off the same functions run as plain Python.

Dimension letters: P seats of this game's largest player count, A actions, K sources of points, F observation floats,
O outlook numbers.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba.core import types
from numba.extending import overload
from numba.np import numpy_support

from .kernel import compiled_from

State = Any  # one record of a game's dtype: an element `states[i]` of a structured array

NOBODY = -1  # what `to_act` says when the game is over


class Notation(Protocol):
    """The Python side of a game: text forms of its positions and setups.  Nothing here is called in inner loops."""

    def board_names(self) -> Sequence[str]:
        """Names of the printed data sets that come with the game."""

    def write_board(self, states: np.ndarray, board: str | Mapping[str, Any]) -> None:
        """Write printed data, by name, file path or content, into every record of ``states``."""

    def board_of(self, states: np.ndarray) -> str:
        """Name of the printed data in ``states[0]``."""

    def board_data_of(self, states: np.ndarray) -> dict[str, Any] | None:
        """The printed data as JSON where it is not one of the shipped sets, else None."""

    def setup_of(self, states: np.ndarray) -> dict[str, Any]:
        """The setup of ``states[0]`` as JSON; meaningful before the first decision."""

    def write_setup(self, states: np.ndarray, players: int, setup: Mapping[str, Any]) -> None:
        """Begin ``states[0]`` from a given setup instead of a seed.  Raises ``SetupError`` naming the field."""

    def snapshot(self, states: np.ndarray) -> dict[str, Any]:
        """The whole position of ``states[0]`` as JSON."""

    def write_snapshot(self, states: np.ndarray, snapshot: Mapping[str, Any]) -> None:
        """Put ``states[0]`` into a position given as JSON.  Raises ``SetupError`` naming the field."""

    def resources(self, states: np.ndarray) -> dict[str, list[int]]:
        """What a trace shows by seat beside the points."""

    def round_of(self, states: np.ndarray) -> int:
        """Number of the round, from 1."""

    def turn_order(self, states: np.ndarray) -> list[int]:
        """Seats, first to act first: what settles ties where a game is ended from outside."""

    def render(self, states: np.ndarray) -> str:
        """The position as text for a terminal."""


class Channel(NamedTuple):
    """One channel of an observation tensor."""

    name: str
    meaning: str
    low: float = 0.0  # lowest and highest value of the float32 form
    high: float = 1.0
    step: float = 1.0  # what one unit of the int8 form stands for


@dataclass(frozen=True)
class Block:
    """One named tensor of the observation: ``shape``, and one row of meaning for each channel along ``axis``.

    What remains of ``shape`` without ``axis`` is a line or a grid of places, in C order.  ``choices`` says which
    actions choose a place, for networks that answer place by place: each entry has one action id for each place.
    """

    name: str
    shape: tuple[int, ...]
    axis: int  # the axis that counts channels
    channels: tuple[Channel, ...]
    choices: tuple[tuple[int, ...], ...] = ()
    ring: bool = False  # the last place of the line is a neighbour of the first

    def __post_init__(self) -> None:
        for ids in self.choices:
            if len(ids) != self.size // len(self.channels):
                raise ValueError(f"block {self.name!r}: expected an action for each place, got {len(ids)}")

    @cached_property
    def size(self) -> int:
        return math.prod(self.shape)

    def spread(self, values: Sequence[float]) -> np.ndarray:
        """One value for each channel, written to every entry of that channel: float32 in the block's shape."""
        shape = [1] * len(self.shape)
        shape[self.axis] = len(self.channels)
        return np.broadcast_to(np.array(values, np.float32).reshape(shape), self.shape).copy()


@dataclass(frozen=True)
class Kernels:
    """The compiled verbs of one game, each on one record."""

    reset: Callable[..., Any]
    legal: Callable[..., Any]
    apply: Callable[..., Any]
    to_act: Callable[..., Any]
    is_over: Callable[..., Any]
    returns: Callable[..., Any]
    observe: Callable[..., Any]
    ledger: Callable[..., Any]
    outlook: Callable[..., Any] | None = None


@dataclass(frozen=True, eq=False)  # there is one of each: equal is the same
class Game:
    """A game as plain data and its compiled verbs."""

    name: str
    module: str  # importing it registers the game: how other processes find it
    rules_version: int
    dtype: np.dtype  # must have a field `players`, the number of seats in the game
    players: tuple[int, ...]  # possible numbers of players
    tokens: tuple[str, ...]  # token of each action id, A entries
    sources: tuple[str, ...]  # names of the K columns of the ledger
    observation: tuple[Block, ...]  # in the order in which `observe` writes them
    points_scale: float  # one unit of the `vp` reward in points
    kernels: Kernels
    notation: Notation
    make_states: Callable[[int], np.ndarray]  # n empty records
    not_in_key: tuple[str, ...] = ()  # fields that are not part of the position
    outlook: tuple[Channel, ...] = ()  # O numbers, in the order in which the verb writes them; none without the verb
    default_board: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)  # e.g. provenance, shown in `env.metadata`

    @cached_property
    def actions(self) -> int:
        return len(self.tokens)

    @cached_property
    def seats(self) -> int:
        return max(self.players)

    @cached_property
    def observation_size(self) -> int:
        return sum(block.size for block in self.observation)

    @cached_property
    def observation_views(self) -> tuple[tuple[str, tuple[int, ...], int], ...]:
        """Name, shape and first byte of each tensor within the float32 observation."""
        starts = np.cumsum([0, *(4 * block.size for block in self.observation)]).tolist()
        return tuple((block.name, block.shape, start) for block, start in zip(self.observation, starts))

    @cached_property
    def observation_steps(self) -> np.ndarray:
        """Shape ``(F,)`` float32: the float32 observation is the int8 one times this, rounded down to a step."""
        steps = (block.spread([channel.step for channel in block.channels]) for block in self.observation)
        return np.concatenate([part.ravel() for part in steps])

    def action_of(self, token: str) -> int:
        """Id of a token; raises ``KeyError`` for a word the game does not know."""
        return _IDS[self.name][token]

    def __reduce__(self) -> tuple[Any, ...]:
        # games are not copied: pickles and deep copies refer to the registered one
        return load_game, (self.module, self.name)


# modules of the games that come with the package, imported when they are asked for
_BUILT_IN = {"terracotta": "terracotta_env.army"}
_GAMES: dict[Any, Game] = {}
_BY_NAME: dict[str, Game] = {}
_IDS: dict[str, dict[str, int]] = {}


def register(game: Game) -> Game:
    """Enter a game into the table.

    Two games with the same field list would be one type to Numba, so a layout may be registered only once.
    """
    if game.name in _BY_NAME:
        raise ValueError(f"a game named {game.name!r} is registered already: choose another name")
    key = numpy_support.from_dtype(game.dtype)
    for other in _BY_NAME.values():
        if numpy_support.from_dtype(other.dtype) == key:
            raise ValueError(
                f"the record of {game.name!r} has the same fields as that of {other.name!r}, and compiled code could "
                "not tell them apart: rename a field"
            )
    compiled_from(key, *(verb for verb in vars(game.kernels).values() if verb is not None))
    _GAMES[game.dtype] = game
    _BY_NAME[game.name] = game
    _IDS[game.name] = {token: action for action, token in enumerate(game.tokens)}
    return game


def find(name: str) -> Game:
    """The game of that name: registered, or one that comes with the package."""
    if name not in _BY_NAME and name in _BUILT_IN:
        importlib.import_module(_BUILT_IN[name])
    if name not in _BY_NAME:
        raise ValueError(f"no game named {name!r}: known are {', '.join(sorted({*_BY_NAME, *_BUILT_IN}))}")
    return _BY_NAME[name]


def load_game(module: str, name: str) -> Game:
    """The game of that name, importing the module that registers it where that has not happened in this process."""
    if name not in _BY_NAME:
        importlib.import_module(module)
    return find(name)


def game_of(dtype: np.dtype) -> Game:
    """The game whose records have this dtype."""
    try:
        return _GAMES[dtype]
    except KeyError:
        raise TypeError(f"no registered game has records of dtype {dtype}") from None


def _game_of_type(state: types.Type) -> Game | None:
    """The game of a Numba record type; None lets Numba report an ordinary typing error."""
    if isinstance(state, types.Record):
        for game in _BY_NAME.values():
            if numpy_support.from_dtype(game.dtype) == state:
                return game
    return None


def copy_states(states: np.ndarray) -> np.ndarray:
    """A copy of records, shape ``(n,)``, by their bytes: numpy itself goes field by field, forty times slower."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def whole(states: np.ndarray) -> np.ndarray:
    """The same memory with each record as one value, for quick indexing and assignment of rows."""
    return states.view(np.dtype((np.void, states.dtype.itemsize)))


def reset(state: State, players: int, seed: int) -> None:
    """Begin a new game for ``players`` from a 64-bit ``seed`` on the printed data in the record."""
    game_of(state.dtype).kernels.reset(state, players, seed)


def legal(state: State, mask: np.ndarray) -> int:
    """Write the action mask, shape ``(A,)``: 1 = legal.  Returns the number of legal actions (0 only when over)."""
    count: int = game_of(state.dtype).kernels.legal(state, mask)
    return count


def apply(state: State, action: int) -> None:
    """Do a legal action and everything automatic after it.  Precondition: ``action`` is legal; nothing is checked."""
    game_of(state.dtype).kernels.apply(state, action)


def to_act(state: State) -> int:
    """Seat that decides now, NOBODY when the game is over."""
    seat: int = game_of(state.dtype).kernels.to_act(state)
    return seat


def is_over(state: State) -> bool:
    """Has the game ended?"""
    over: bool = game_of(state.dtype).kernels.is_over(state)
    return over


def returns(state: State, out: np.ndarray) -> None:
    """Write the final payoffs by seat, shape ``(P,)``: evenly spaced from 1 (best) to -1; zeros before the end."""
    game_of(state.dtype).kernels.returns(state, out)


def observe(state: State, seat: int, out: np.ndarray) -> None:
    """Write what ``seat`` sees, shape ``(F,)``: the blocks of :attr:`Game.observation` one after another.

    ``out`` is float32, or int8 for the compact form of :mod:`terracotta_env.observing`.
    """
    game_of(state.dtype).kernels.observe(state, seat, out)


def ledger(state: State, seat: int, out: np.ndarray) -> int:
    """Write the points of ``seat`` by source, shape ``(K,)``; returns their sum."""
    points: int = game_of(state.dtype).kernels.ledger(state, seat, out)
    return points


def outlook(state: State, scratch: np.ndarray, seat: int, out: np.ndarray) -> None:
    """Write what ``seat`` has in sight if nothing more is done, shape ``(O,)`` int64: see :attr:`Game.outlook`.

    Only of games that have the verb.  ``scratch`` shape ``(1,)`` is a record that may be overwritten.
    """
    verb = game_of(state.dtype).kernels.outlook
    assert verb is not None, "the game has no outlook"
    verb(state, scratch, seat, out)


# The same verbs for compiled callers.  Numba wants one overload with matching argument names for each.


@overload(reset)
def _reset(state, players, seed):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.reset
    return lambda state, players, seed: verb(state, players, seed)


@overload(legal)
def _legal(state, mask):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.legal
    return lambda state, mask: verb(state, mask)


@overload(apply)
def _apply(state, action):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.apply
    return lambda state, action: verb(state, action)


@overload(to_act)
def _to_act(state):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.to_act
    return lambda state: verb(state)


@overload(is_over)
def _is_over(state):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.is_over
    return lambda state: verb(state)


@overload(returns)
def _returns(state, out):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.returns
    return lambda state, out: verb(state, out)


@overload(observe)
def _observe(state, seat, out):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.observe
    return lambda state, seat, out: verb(state, seat, out)


@overload(ledger)
def _ledger(state, seat, out):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None:
        return None
    verb = game.kernels.ledger
    return lambda state, seat, out: verb(state, seat, out)


@overload(outlook)
def _outlook(state, scratch, seat, out):  # type: ignore[no-untyped-def]
    if (game := _game_of_type(state)) is None or (verb := game.kernels.outlook) is None:
        return None
    return lambda state, scratch, seat, out: verb(state, scratch, seat, out)
