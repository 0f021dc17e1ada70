"""From decisions to arrays: games are replayed once, inside a kernel, whoever played them.

Letters: N games, D decisions of all games, M turns of all games, P seats in the games, K sources of points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from terracotta_env import game as verbs
from terracotta_env.batch import Batch, Board
from terracotta_env.game import NOBODY, Game, copy_states
from terracotta_env.kernel import kernel
from terracotta_env.rows import points_rows, returns_rows, to_act_rows

from .extras import PLAIN, Extras, extras_of, turn_of, watch


@dataclass(frozen=True)
class Played:
    """Decisions of N whole games, one game after another.

    Attributes:
        seeds: shape ``(N,)`` uint64, the setups.
        actions: shape ``(D,)`` int16.
        starts: shape ``(N + 1,)`` int64: those of game k are ``actions[starts[k] : starts[k + 1]]``.
    """

    seeds: np.ndarray
    actions: np.ndarray
    starts: np.ndarray


@dataclass(frozen=True)
class Collected:
    """What a data set keeps of N games.

    Attributes:
        initial, final: shape ``(N,)``, the records after the setup and at the end.
        seats: shape ``(D,)`` int8, who decided.
        turn_game: shape ``(M,)`` int64, index of each turn's game.
        turn_seat: shape ``(M,)`` int8, whose turn it was.
        turn_start: shape ``(M + 1,)`` int64, index of each turn's first decision.
        gains: shape ``(M, P, K)`` int16, points of each seat by source from the first decision of a turn to that of
            the next one; with the first turn those of the setup.
        rows: shape ``(M,)``, what the game's extras saw.
        points: shape ``(N, P)`` int64, final.
        returns: shape ``(N, P)`` float64, final payoffs, 1 for the first to -1 for the last.
    """

    initial: np.ndarray
    final: np.ndarray
    seats: np.ndarray
    turn_game: np.ndarray
    turn_seat: np.ndarray
    turn_start: np.ndarray
    gains: np.ndarray
    rows: np.ndarray
    points: np.ndarray
    returns: np.ndarray


@kernel
def book(state, held, gains):
    """Write what each seat has gained since ``held``, which moves on; both of shape ``(P, K)``."""
    for seat in range(held.shape[0]):
        verbs.ledger(state, seat, gains[seat])
        for source in range(held.shape[1]):
            now = gains[seat, source]
            gains[seat, source] = now - held[seat, source]
            held[seat, source] = now


@kernel
def replay_rows(states, actions, starts, blank, held, seats, turn_game, turn_seat, turn_start, gains, rows):
    """Play the games of ``states`` to their ends and write their turns; returns their number M.

    ``held`` is scratch of shape ``(P, K)`` int16; the arrays of turns must be long enough.
    """
    turns = 0
    for k in range(states.shape[0]):
        state = states[k]
        held[:] = 0
        seat_before, turn_before = NOBODY, -1
        for at in range(starts[k], starts[k + 1]):
            seat, turn = verbs.to_act(state), turn_of(state)
            if seat != seat_before or turn != turn_before:
                if at > starts[k]:
                    book(state, held, gains[turns - 1])
                turn_game[turns], turn_seat[turns], turn_start[turns] = k, seat, at
                rows[turns] = blank[0]
                turns += 1
                seat_before, turn_before = seat, turn
            seats[at] = seat
            watch(state, actions[at], rows[turns - 1])
            verbs.apply(state, actions[at])
        if starts[k + 1] > starts[k]:
            book(state, held, gains[turns - 1])
    turn_start[turns] = starts[-1]
    return turns


def collect(game: Game, players: int, board: Board | None, played: Played) -> Collected:
    """Replay whole games.

    Raises:
        ValueError: a game is not at its end after its decisions.
    """
    batch = Batch(game, len(played.seeds), players, board)
    batch.reset(seeds=played.seeds)
    initial, states = batch.states, copy_states(batch.states)
    extras: Extras | None = extras_of(game)
    blank = PLAIN if extras is None else extras.blank
    most = len(played.actions)
    seats = np.empty(most, np.int8)
    turn_game, turn_seat, turn_start = np.empty(most, np.int64), np.empty(most, np.int8), np.empty(most + 1, np.int64)
    gains = np.empty((most, players, len(game.sources)), np.int16)
    rows = np.empty(most, blank.dtype)
    held = np.empty(gains.shape[1:], np.int16)
    m = replay_rows(
        states, played.actions, played.starts, blank, held, seats, turn_game, turn_seat, turn_start, gains, rows
    )
    every = np.arange(batch.n)
    points, returns = np.empty((batch.n, game.seats), np.int64), np.empty((batch.n, game.seats))
    deciding = np.empty(batch.n, np.int64)
    to_act_rows(states, every, deciding)
    if (deciding != NOBODY).any():
        raise ValueError(f"game {int((deciding != NOBODY).argmax())} is not over after its decisions")
    points_rows(states, every, np.empty(len(game.sources), np.int64), points)
    returns_rows(states, every, returns)
    return Collected(
        initial, states, seats, turn_game[:m], turn_seat[:m], turn_start[: m + 1], gains[:m], rows[:m],
        points[:, :players], returns[:, :players],
    )  # fmt: skip
