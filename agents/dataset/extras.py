"""What a game adds to the tables of a data set: when a turn begins, and columns of its own.

As with games and rollout policies (:mod:`terracotta_env.rollout`) the shared kernel finds the functions by the type of
the record and is specialised while compiling.  A game without extras has turns that last while one seat decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types
from numba.extending import overload
from numba.np import numpy_support

from terracotta_env.game import Game, State
from terracotta_env.kernel import compiled_from

PLAIN: Final = np.zeros(1, np.dtype((np.record, [("nothing", "i1")])))  # a turn's row where a game adds nothing
PLAIN.setflags(write=False)


class Column(NamedTuple):
    """One column: its dtype is that of the array; with ``words`` the values are indices into them, below 0 for null."""

    name: str
    meaning: str
    words: tuple[str, ...] = ()


Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Extras:
    """Columns of one game.

    Attributes:
        game: the game.
        module: importing it registers these extras: how other processes find them.
        name, version: as the manifest names this set; a change of any column is a new version.
        blank: shape ``(1,)``, structured: the row of a turn before anything is written to it.
        turn_of: kernel ``(state) -> int``: a number that differs between two turns of one seat in a row.
        watch: kernel ``(state, action, row)``: writes what it sees of a decision, before it is done, to the row of its
            turn.
        turns: the columns of ``blank`` that are kept.
        games, of_games: columns of games; ``of_games(initial, final)`` makes their arrays, shape ``(N,)``, from
            the records after the setup and at the end, shape ``(N,)``.
        seats, of_seats: columns of ranks; ``of_seats(initial, final, players)``, arrays of shape ``(N, players)``.
    """

    game: Game
    module: str
    name: str
    version: int
    blank: np.ndarray
    turn_of: Callable[..., Any]
    watch: Callable[..., Any]
    turns: tuple[Column, ...]
    games: tuple[Column, ...]
    of_games: Callable[[np.ndarray, np.ndarray], Arrays]
    seats: tuple[Column, ...]
    of_seats: Callable[[np.ndarray, np.ndarray, int], Arrays]


_BY_DTYPE: dict[Any, Extras] = {}


def register_extras(extras: Extras) -> Extras:
    """Enter a game's extras into the table, once."""
    if extras.game.dtype in _BY_DTYPE:
        raise ValueError(f"game {extras.game.name!r} has extras already")
    extras.blank.setflags(write=False)
    _BY_DTYPE[extras.game.dtype] = extras
    compiled_from(numpy_support.from_dtype(extras.blank.dtype), extras.turn_of, extras.watch)
    return extras


def extras_of(game: Game) -> Extras | None:
    """The extras of a game, None where it has none."""
    return _BY_DTYPE.get(game.dtype)


def turn_of(state: State) -> int:
    """See :attr:`Extras.turn_of`; 0 for a game without extras."""
    extras = _BY_DTYPE.get(state.dtype)
    return 0 if extras is None else int(extras.turn_of(state))


def watch(state: State, action: int, row: Any) -> None:
    """See :attr:`Extras.watch`; nothing for a game without extras."""
    extras = _BY_DTYPE.get(state.dtype)
    if extras is not None:
        extras.watch(state, action, row)


def _extras_of_type(state: types.Type) -> Extras | None:
    for dtype, extras in _BY_DTYPE.items():
        if numpy_support.from_dtype(dtype) == state:
            return extras
    return None


@overload(turn_of)
def _turn_of(state):
    if not isinstance(state, types.Record):
        return None
    if (extras := _extras_of_type(state)) is None:
        return lambda state: 0
    function = extras.turn_of
    return lambda state: function(state)


@overload(watch)
def _watch(state, action, row):
    if not isinstance(state, types.Record):
        return None
    if (extras := _extras_of_type(state)) is None:
        return lambda state, action, row: None
    function = extras.watch
    return lambda state, action, row: function(state, action, row)
