"""Arrays of games as typed Arrow tables, and what every column means.

Tables join on ``game``; ``turns``, ``decisions`` and ``ledger`` also on ``turn``.  Rows are in the order of play.
Words are dictionaries, so a column of them takes a byte a row in memory and less on disk.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from terracotta_env.game import Game

from .collect import Collected, Played
from .extras import PLAIN, Column, extras_of

SCHEMA_VERSION: Final = 1
GAMES, TURNS, LEDGER, RANKS, DECISIONS = "games", "turns", "ledger", "ranks", "decisions"
ROW_GROUP: Final = 1 << 20  # rows that a reader takes at once
_LEVEL: Final = 3  # of zstd: a higher one saves 3 % and takes twice the time

_GAME: Final = Column("game", "number of the game within the data set, from 0")
_TURN: Final = Column("turn", "number of the turn within the game, from 0")
_SEAT: Final = "seat of the table, from 0"

Columns = dict[str, tuple[Column, np.ndarray]]


class Shape:
    """The tables of a data set as its settings make them.

    Args:
        game: the rules.
        agents: codes of the agents by seat of the first game, n of them.
        board: name of the printed data.
        decisions: keep the decisions too.
    """

    def __init__(self, game: Game, agents: Sequence[str], board: str, decisions: bool) -> None:
        self.game, self.agents, self.board, self.decisions = game, tuple(agents), board, decisions
        self.extras = extras_of(game)
        self._words = tuple(dict.fromkeys(self.agents))
        self._codes = np.array([self._words.index(agent) for agent in self.agents], np.int8)

    def tables(self, first: int, played: Played, collected: Collected, seating: np.ndarray) -> dict[str, pa.Table]:
        """The tables of consecutive games.

        Args:
            first: number of the first game.
            played, collected: N games.
            seating: shape ``(N, n)`` int64, index of the agent in each seat.
        """
        made = self._columns(first, played, collected, seating)
        return {
            name: pa.table({key: _array(*value) for key, value in columns.items()}) for name, columns in made.items()
        }

    def describe(self) -> dict[str, list[dict[str, str]]]:
        """Name, type and meaning of every column of every table."""
        n, none = len(self.agents), np.empty(0, np.int64)
        states = self.game.make_states(0)
        blank = PLAIN if self.extras is None else self.extras.blank
        collected = Collected(
            initial=states,
            final=states,
            seats=none.astype(np.int8),
            turn_game=none,
            turn_seat=none.astype(np.int8),
            turn_start=np.zeros(1, np.int64),
            gains=np.empty((0, n, len(self.game.sources)), np.int16),
            rows=blank[:0],
            points=np.empty((0, n), np.int64),
            returns=np.empty((0, n)),
        )
        played = Played(np.empty(0, np.uint64), np.empty(0, np.int16), np.zeros(1, np.int64))
        made = self._columns(0, played, collected, np.empty((0, n), np.int64))
        return {
            name: [
                {"name": key, "type": str(_array(column, values).type), "meaning": column.meaning}
                for key, (column, values) in columns.items()
            ]
            for name, columns in made.items()
        }

    def _columns(self, first: int, played: Played, collected: Collected, seating: np.ndarray) -> dict[str, Columns]:
        games = np.arange(first, first + len(played.seeds)).astype(np.int32)
        begun = np.searchsorted(collected.turn_game, np.arange(len(games)))  # first turn of each game
        turn = (np.arange(len(collected.turn_game)) - begun[collected.turn_game]).astype(np.int16)
        made = {
            TURNS: self._turns(games, turn, collected),
            LEDGER: self._ledger(games, turn, collected),
            RANKS: self._ranks(games, collected, seating),
            GAMES: self._games(games, played, collected),  # the last: its file says that a part is whole
        }
        return {DECISIONS: self._decisions(games, turn, played, collected), **made} if self.decisions else made

    def _games(self, games: np.ndarray, played: Played, collected: Collected) -> Columns:
        turns = np.bincount(collected.turn_game, minlength=len(games)).astype(np.int16)
        few = np.zeros(len(games), np.int8)
        columns = [
            (_GAME, games),
            (Column("setup_seed", "64-bit seed of the setup, for Position.from_seed"), played.seeds),
            (Column("players", "number of players"), few + np.int8(len(self.agents))),
            (Column("board", "name of the printed data", (self.board,)), few),
            (Column("turns", "number of turns with a decision"), turns),
            (Column("decisions", "number of decisions that were asked"), np.diff(played.starts).astype(np.int16)),
        ]
        if self.extras is not None:
            made = self.extras.of_games(collected.initial, collected.final)
            columns += [(column, made[column.name]) for column in self.extras.games]
        return _by_name(columns)

    def _turns(self, games: np.ndarray, turn: np.ndarray, collected: Collected) -> Columns:
        at, who = np.arange(len(turn)), collected.turn_seat
        gained = collected.gains.sum(2, dtype=np.int64)
        totals = np.cumsum(gained, axis=0)
        # points before a turn: all so far, less those of the games before and of the turn itself
        before = totals - gained
        before -= before[turn == 0][collected.turn_game]
        columns = [
            (_GAME, games[collected.turn_game]),
            (_TURN, turn),
            (Column("seat", f"whose turn it is: {_SEAT}"), who),
            (Column("decisions", "number of decisions in it"), np.diff(collected.turn_start).astype(np.int16)),
            (Column("points", "points of the seat before the turn"), before[at, who].astype(np.int16)),
            (
                Column("gained", "points of the seat until the next turn begins: a scoring after the turn counts"),
                gained[at, who].astype(np.int16),
            ),
        ]
        if self.extras is not None:
            columns += [(column, collected.rows[column.name]) for column in self.extras.turns]
        return _by_name(columns)

    def _ledger(self, games: np.ndarray, turn: np.ndarray, collected: Collected) -> Columns:
        at, seat, source = np.nonzero(collected.gains)
        return _by_name(
            [
                (_GAME, games[collected.turn_game[at]]),
                (Column("turn", "turn in or after which the points were scored"), turn[at]),
                (Column("seat", f"who scored: {_SEAT}"), seat.astype(np.int8)),
                (Column("source", "where the points came from", self.game.sources), source.astype(np.int8)),
                (
                    Column("points", "points of this seat from this source in this turn"),
                    collected.gains[at, seat, source],
                ),
            ]
        )

    def _ranks(self, games: np.ndarray, collected: Collected, seating: np.ndarray) -> Columns:
        n = len(self.agents)
        seats = np.tile(np.arange(n, dtype=np.int8), len(games))
        ranks = 1 + (1 - collected.returns) * (n - 1) / 2
        columns = [
            (_GAME, np.repeat(games, n)),
            (Column("seat", _SEAT), seats),
            (Column("agent", "code of who played", self._words), self._codes[seating.ravel()]),
            (Column("points", "final points"), collected.points.ravel().astype(np.int16)),
            (
                Column("rank", "final rank, 1 = winner; the mean of the ranks that tied seats share"),
                ranks.ravel().astype(np.float32),
            ),
        ]
        if self.extras is not None:
            made = self.extras.of_seats(collected.initial, collected.final, n)
            columns += [(column, made[column.name].ravel()) for column in self.extras.seats]
        return _by_name(columns)

    def _decisions(self, games: np.ndarray, turn: np.ndarray, played: Played, collected: Collected) -> Columns:
        turns = np.repeat(np.arange(len(turn)), np.diff(collected.turn_start))
        token = played.actions.astype(np.int8) if self.game.actions <= 128 else played.actions
        return _by_name(
            [
                (_GAME, games[collected.turn_game[turns]]),
                (_TURN, turn[turns]),
                (Column("seat", f"who decided: {_SEAT}"), collected.seats),
                (Column("token", "the action", self.game.tokens), token),
            ]
        )


def _by_name(columns: Sequence[tuple[Column, np.ndarray]]) -> Columns:
    return {column.name: (column, values) for column, values in columns}


def _array(column: Column, values: np.ndarray) -> pa.Array:
    values = np.ascontiguousarray(values)
    if not column.words:
        return pa.array(values)
    codes = pa.array(values, mask=values < 0)
    return pa.DictionaryArray.from_arrays(codes, pa.array(column.words))


_ENCODINGS: Final[Mapping[str, str]] = MappingProxyType({"game": "DELTA_BINARY_PACKED"})  # ascending: next to nothing


def parquet(table: pa.Table) -> bytes:
    """The table as a Parquet file: the same table gives the same bytes."""
    file = io.BytesIO()
    settings: dict[str, Any] = {
        "compression": "zstd",
        "compression_level": _LEVEL,
        "row_group_size": ROW_GROUP,
        "use_dictionary": [name for name in table.column_names if name not in _ENCODINGS],
        "column_encoding": dict(_ENCODINGS),
    }
    pq.write_table(table, file, **settings)
    return file.getvalue()
