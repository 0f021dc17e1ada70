"""A game that is a table: trees made by hand for tests of search.

A position is a place in a table of up to 40 places.  Each place belongs to a seat and has up to 4 actions, ``0`` to
``3``, each leading to another place; a place without actions is an end with payoffs.  Before the table comes a corridor
of any length, where each position has one action.  Points are scores written beside the places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from terracotta_env.game import NOBODY, Block, Channel, Game, Kernels, register
from terracotta_env.kernel import kernel
from terracotta_env.position import Position

SEATS: Final = 3
PLACES: Final = 40
WIDTH: Final = 4
NOWHERE: Final = -1

STATE: Final = np.dtype(
    (
        np.record,
        [
            ("payoff", "f8", (PLACES, SEATS)),
            ("place", "i8"),
            ("corridor", "i8"),  # positions left before the table
            ("players", "i8"),
            ("score", "i2", (PLACES, SEATS)),  # points at a place, an end or not
            ("door", "i2", (PLACES, WIDTH)),  # where an action leads, NOWHERE = not legal
            ("mover", "i2", (PLACES,)),
        ],
    )
)


@kernel
def is_over(state):
    return to_act(state) == NOBODY


@kernel
def to_act(state):
    if state.corridor > 0:
        return state.corridor % state.players
    for action in range(WIDTH):
        if state.door[state.place, action] != NOWHERE:
            return np.int64(state.mover[state.place])
    return NOBODY


@kernel
def legal(state, mask):
    if state.corridor > 0:
        for action in range(WIDTH):
            mask[action] = 0
        mask[0] = 1
        return 1
    number = 0
    for action in range(WIDTH):
        mask[action] = state.door[state.place, action] != NOWHERE
        number += mask[action]
    return number


@kernel
def apply(state, action):
    if state.corridor > 0:
        state.corridor -= 1
    else:
        state.place = state.door[state.place, action]


@kernel
def returns(state, out):
    over = is_over(state)
    for seat in range(SEATS):
        out[seat] = state.payoff[state.place, seat] if over else 0.0


@kernel
def ledger(state, seat, out):
    out[0] = state.score[state.place, seat]
    return out[0]


@kernel
def observe(state, seat, out):
    out[0] = state.place
    out[1] = seat


@kernel
def reset(state, players, seed):
    state.players = players
    state.place = 0
    state.corridor = 0


def make_states(n: int) -> np.ndarray:
    states = np.zeros(n, STATE)
    states["door"] = NOWHERE
    return states


class TableNotation:
    """Only what positions made by hand need."""

    def board_names(self) -> Sequence[str]:
        return ("plain",)

    def write_board(self, states: np.ndarray, board: str | Mapping[str, Any]) -> None: ...

    def board_of(self, states: np.ndarray) -> str:
        return "plain"

    def board_data_of(self, states: np.ndarray) -> dict[str, Any] | None:
        return None

    def setup_of(self, states: np.ndarray) -> dict[str, Any]:
        return {}

    def write_setup(self, states: np.ndarray, players: int, setup: Mapping[str, Any]) -> None: ...

    def snapshot(self, states: np.ndarray) -> dict[str, Any]:
        return {}

    def write_snapshot(self, states: np.ndarray, snapshot: Mapping[str, Any]) -> None: ...

    def resources(self, states: np.ndarray) -> dict[str, list[int]]:
        return {}

    def turn_order(self, states: np.ndarray) -> list[int]:
        return list(range(int(states[0]["players"])))

    def round_of(self, states: np.ndarray) -> int:
        return 1

    def render(self, states: np.ndarray) -> str:
        return f"place {int(states[0].place)}"


GAME = register(
    Game(
        name="tabletree",
        module=__name__,
        rules_version=1,
        dtype=STATE,
        players=(2, 3),
        tokens=tuple(f"door:{action}" for action in range(WIDTH)),
        sources=("score",),
        observation=(Block("all", (2,), 0, (Channel("place", "where", 0, PLACES), Channel("seat", "who", 0, SEATS))),),
        points_scale=0.1,
        kernels=Kernels(
            reset=reset,
            legal=legal,
            apply=apply,
            to_act=to_act,
            is_over=is_over,
            returns=returns,
            observe=observe,
            ledger=ledger,
        ),
        notation=TableNotation(),
        make_states=make_states,
        default_board="plain",
    )
)

Branch = tuple[int, list[Any]]  # seat to act and what each of its actions leads to
End = tuple[float, ...]  # payoffs by seat


def table(tree: Any, players: int = 2, corridor: int = 0) -> Position:
    """The root of a tree given as nested pairs: ``(seat, [below, below, ..])``, ends as tuples of payoffs by seat."""
    states = make_states(1)
    state = states[0]
    state.players, state.corridor = players, corridor
    number = 0

    def write(below: Any) -> int:
        nonlocal number
        place, number = number, number + 1
        if isinstance(below[1], list):
            state.mover[place] = below[0]
            for action, rest in enumerate(below[1]):
                state.door[place, action] = write(rest)
        else:
            state.payoff[place, : len(below)] = below
        return place

    write(tree)
    return Position(GAME, states)
