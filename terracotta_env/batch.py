"""N games of any kind side by side in one array, on one or more threads, into memory that the caller owns.

A loop over all of them::

    batch = Batch("terracotta", 4096, players=2, seed=1, threads=2)
    masks, observations = batch.make_masks(), batch.make_observations()
    while True:
        batch.legal(masks)
        batch.observe(observations)                  # of the seat to act in each game
        ended = batch.step(policy(observations, masks))
        batch.returns(payoffs[: len(ended)], ended, last=True)

Games are numbered in the order in which they begin.  Number and batch seed give each its setup and, where there are
several boards, its board, so what is played does not depend on the number of threads.  A game that ends is begun anew
at once (:meth:`Batch.step`); its final record is kept in ``last`` until the next one of that row ends, and whatever can
be read of a game (points by source, payoffs, any seat's observation) can be read of ``last``.

Buffers are C-contiguous numpy arrays, or anything that shares its memory with numpy, such as a CPU tensor of torch;
they are filled in place and never copied.  Letters: N games, R chosen rows, P seats of the game's largest player count,
A actions, F observation numbers, K sources of points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import numpy as np

from . import rows as kernels
from .errors import IllegalActionError
from .game import NOBODY, Game, find, whole
from .generator import splitmix64_at
from .position import Position, check_players
from .rollout import Rollout

Board = str | Mapping[str, Any]
NO_LIMIT: Final = 2**62
SMALLEST_SLICE: Final = 512  # games a thread is woken for: waking costs as much as some hundred legal masks


class Batch:
    """See the module.

    Args:
        game: a game or the name of one.
        n: N, the number of games.
        players: seats in every game, or shape ``(N,)``: in the games of each row.
        boards: printed data of each game: one name, path or content, or several to draw from; None for the default.
        seed: 0..2**64 - 1, draws every setup.
        threads: threads that share the work; 1 = the calling one.
        checked: refuse illegal actions, for about a third of the cost of a step.  Without it the caller must be right.

    Attributes:
        states: shape ``(N,)``, the records.
        last: shape ``(N,)``, the record of the last finished game of each row.
        seats: shape ``(N,)`` int64, who is to act; NOBODY where a game is over (after :meth:`play_out` only).
        numbers: shape ``(N,)`` int64, the number of each row's game.
        decisions: shape ``(N,)`` int64, decisions taken in each row's game.
        last_decisions: the same of the game in ``last``.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        players: int | Sequence[int] | np.ndarray = 2,
        boards: Board | Sequence[Board] | None = None,
        seed: int = 0,
        threads: int = 1,
        checked: bool = True,
    ) -> None:
        self.game = find(game) if isinstance(game, str) else game
        if n < 1 or threads < 1:
            raise ValueError(f"n and threads: expected at least 1, got {n} and {threads}")
        self.n, self.threads, self.checked = n, threads, checked
        self.players = np.empty(n, np.int64)
        self.players[:] = players  # numpy says what does not fit
        for count in np.unique(self.players):
            check_players(self.game, int(count))
        self._boards = self._make_boards(boards)
        self.states = self.game.make_states(n)
        self.last = self.game.make_states(n)
        self.seats = np.full(n, NOBODY, np.int64)
        self.numbers = np.full(n, -1, np.int64)
        self.decisions = np.zeros(n, np.int64)
        self.last_decisions = np.zeros(n, np.int64)
        self.seed = seed
        self.begun = 0  # games begun: the number of the next one
        self._all = np.arange(n, dtype=np.int64)
        self._pool = self._make_pool()
        self.reset()

    def _make_pool(self) -> ThreadPoolExecutor | None:
        return ThreadPoolExecutor(self.threads - 1, "batch") if self.threads > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._pool = self._make_pool()

    def _make_boards(self, boards: Board | Sequence[Board] | None) -> np.ndarray:
        if boards is None or isinstance(boards, str | Mapping):
            boards = [boards if boards is not None else self.game.default_board]
        if not boards:
            raise ValueError("boards: expected at least one, got none")
        templates = self.game.make_states(len(boards))
        for i, board in enumerate(boards):
            self.game.notation.write_board(templates[i : i + 1], board)
        return templates

    # buffers ----------------------------------------------------------------------------------------------------------

    def make_masks(self) -> np.ndarray:
        """A buffer for :meth:`legal`, shape ``(N, A)`` int8."""
        return np.zeros((self.n, self.game.actions), np.int8)

    def make_observations(self, compact: bool = False) -> np.ndarray:
        """A buffer for :meth:`observe`, shape ``(N, F)``, float32 or, ``compact``, int8."""
        return np.zeros((self.n, self.game.observation_size), np.int8 if compact else np.float32)

    # playing ----------------------------------------------------------------------------------------------------------

    def reset(self, rows: Any = None, seeds: Any = None) -> None:
        """Begin new games.

        Args:
            rows: which; None for all.
            seeds: shape ``(R,)`` uint64, their setups; None for those that belong to the games' numbers.
        """
        rows = self._rows(rows)
        numbers = np.arange(self.begun, self.begun + len(rows))
        self.begun += len(rows)
        if seeds is None:
            seeds = splitmix64_at(self.seed, numbers)
        else:
            seeds = np.ascontiguousarray(seeds, np.uint64)
            if seeds.shape != rows.shape:
                raise ValueError(f"seeds: expected one for each of {len(rows)} games, got shape {seeds.shape}")
        self.numbers[rows] = numbers
        self.decisions[rows] = 0
        players = self.players[rows]
        self._share(partial(kernels.begin_rows, self._boards, self.states), rows, players, seeds)
        self._look(rows)

    def step(self, actions: Any) -> np.ndarray:
        """Do one action in every game; those that end are begun anew in the same step.

        Args:
            actions: shape ``(N,)`` int64.

        Returns:
            The rows whose games have ended, ascending, a fresh int64 array of shape ``(E,)``: see ``last``.

        Raises:
            IllegalActionError: an action is not legal; no game has moved.
        """
        self.play(actions)
        ended: np.ndarray = np.flatnonzero(self.seats == NOBODY)
        if len(ended):
            self.restart(ended)
        return ended

    def play(self, actions: Any, rows: Any = None) -> None:
        """Do one action in each of these games, and begin none anew: for those who play only some games at a time.

        Args:
            actions: shape ``(R,)`` int64.
            rows: which games; None for all.

        Raises:
            IllegalActionError: an action is not legal; no game has moved.
        """
        rows = self._rows(rows)
        actions = self._given(actions, "actions", np.int64, rows.shape)
        if self.checked:
            self._refuse_illegal(actions, rows)
        self._share(partial(kernels.apply_rows, self.states), rows, actions)
        self.decisions[rows] += 1
        self._look(rows)

    def restart(self, rows: np.ndarray) -> None:
        """Keep these finished games in ``last`` and begin new ones in their rows."""
        whole(self.last)[rows] = whole(self.states)[rows]
        self.last_decisions[rows] = self.decisions[rows]
        self.reset(rows)

    def play_out(self, policy: Rollout, seed: int = 0, limit: int | None = None) -> int:
        """Play every game on with one policy in all seats, to its end; games that are over stay as they are.

        Args:
            policy: e.g. :data:`terracotta_env.rollout.UNIFORM`.
            seed: draws the policy's random numbers, a stream for each row.
            limit: most decisions in each game.

        Returns:
            Number of decisions taken in all games.
        """
        generators = splitmix64_at(seed, self._all)
        decisions = np.zeros(self.n, np.int64)

        def play(low: int, high: int) -> None:
            part = slice(low, high)
            mask = np.empty(self.game.actions, np.int8)
            most = NO_LIMIT if limit is None else limit
            kernels.play_out_rows(
                policy.parameters, self.states, self._all[part], generators[part], mask, most, decisions[part]
            )

        self.split(self.n, play)
        self.decisions += decisions
        self._look(self._all)
        return int(decisions.sum())

    def play_until(self, policy: Rollout, seats: np.ndarray, generators: np.ndarray, rows: Any = None) -> None:
        """Play games on with one policy until a given seat is to act, or to the end.

        Args:
            policy: decides for all other seats.
            seats: shape ``(N,)`` int64, whom each row's game stops for.
            generators: shape ``(N,)`` uint64, each row's state of random numbers; moved on.
            rows: which games; None for all.
        """
        rows = self._rows(rows)

        def play(low: int, high: int) -> None:
            mask = np.empty(self.game.actions, np.int8)
            kernels.play_until_rows(
                policy.parameters, self.states, rows[low:high], seats, generators, mask, self.decisions
            )

        self.split(len(rows), play)
        self._look(rows)

    def act(self, policy: Rollout, uniforms: Any, actions: Any, rows: Any = None) -> None:
        """Write the action of a policy in each game; ``uniforms`` shape ``(R,)`` in [0, 1), ``actions`` int64."""
        rows = self._rows(rows)
        uniforms = self._given(uniforms, "uniforms", np.float64, rows.shape)
        actions = self._given(actions, "actions", np.int64, rows.shape)

        def decide(low: int, high: int) -> None:
            part = slice(low, high)
            mask = np.empty(self.game.actions, np.int8)
            kernels.act_rows(policy.parameters, self.states, rows[part], uniforms[part], mask, actions[part])

        self.split(len(rows), decide)

    # reading ----------------------------------------------------------------------------------------------------------

    def legal(self, masks: Any, rows: Any = None) -> None:
        """Write the action masks, shape ``(R, A)`` int8 (or uint8, bool): 1 = legal."""
        rows = self._rows(rows)
        masks = self._given(masks, "masks", (np.int8, np.uint8, np.bool_), (len(rows), self.game.actions))
        if masks.dtype == np.bool_:
            masks = masks.view(np.int8)
        self._share(partial(kernels.legal_rows, self.states), rows, masks)

    def observe(self, observations: Any, seats: Any = None, rows: Any = None, last: bool = False) -> None:
        """Write observations.

        Args:
            observations: shape ``(R, F)``, float32 or int8 (:mod:`terracotta_env.observing`).
            seats: shape ``(R,)`` int64, who looks; None for the seat to act.
            rows: which games; None for all.
            last: of the finished games in ``last``; needs ``seats``.
        """
        rows = self._rows(rows)
        out = self._given(observations, "observations", (np.float32, np.int8), (len(rows), self.game.observation_size))
        if seats is None and last:
            raise ValueError("seats: nobody is to act in a finished game: say who looks")
        looking = self._seats(seats, rows)
        self._share(partial(kernels.observe_rows, self._source(last)), rows, looking, out)

    def points(self, points: Any, rows: Any = None, last: bool = False) -> None:
        """Write the points by seat, shape ``(R, P)`` int64; 0 for absent seats."""
        rows = self._rows(rows)
        out = self._given(points, "points", np.int64, (len(rows), self.game.seats))
        scratch = np.empty(len(self.game.sources), np.int64)
        kernels.points_rows(self._source(last), rows, scratch, out)

    def ledgers(self, ledgers: Any, seats: Any = None, rows: Any = None, last: bool = False) -> None:
        """Write one seat's points by source, shape ``(R, K)`` int64."""
        rows = self._rows(rows)
        out = self._given(ledgers, "ledgers", np.int64, (len(rows), len(self.game.sources)))
        self._share(partial(kernels.ledger_rows, self._source(last)), rows, self._seats(seats, rows), out)

    def returns(self, returns: Any, rows: Any = None, last: bool = False) -> None:
        """Write the final payoffs by seat, shape ``(R, P)`` float64 or float32, evenly spaced from 1 to -1 by rank."""
        rows = self._rows(rows)
        out = self._given(returns, "returns", (np.float64, np.float32), (len(rows), self.game.seats))
        self._share(partial(kernels.returns_rows, self._source(last)), rows, out)

    def split(self, count: int, task: Callable[[int, int], None]) -> None:
        """Run ``task(low, high)`` on equal slices of ``range(count)``, on the batch's threads."""
        parts = min(self.threads, count // SMALLEST_SLICE)
        if self._pool is None or parts < 2:
            task(0, count)
            return
        bounds = [count * part // parts for part in range(parts + 1)]
        others = [self._pool.submit(task, bounds[i], bounds[i + 1]) for i in range(parts - 1)]
        task(bounds[-2], bounds[-1])
        for other in others:
            other.result()

    # inside -----------------------------------------------------------------------------------------------------------

    def _source(self, last: bool) -> np.ndarray:
        return self.last if last else self.states

    def _look(self, rows: np.ndarray) -> None:
        seats = np.empty(len(rows), np.int64)
        kernels.to_act_rows(self.states, rows, seats)
        self.seats[rows] = seats

    def _refuse_illegal(self, actions: np.ndarray, rows: np.ndarray) -> None:
        wrong = np.empty(len(rows), np.bool_)

        def find_wrong(low: int, high: int) -> None:
            part, mask = slice(low, high), np.empty(self.game.actions, np.int8)
            kernels.illegal_rows(self.states, rows[part], actions[part], mask, wrong[part])

        self.split(len(rows), find_wrong)
        if wrong.any():
            k = int(wrong.argmax())
            row = int(rows[k])
            complaint = Position(self.game, self.states[row : row + 1].copy()).complaint(int(actions[k]))
            raise IllegalActionError(f"game in row {row}: {complaint}")

    def _rows(self, rows: Any) -> np.ndarray:
        if rows is None:
            return self._all
        chosen: np.ndarray = np.ascontiguousarray(rows, np.int64)
        if chosen.ndim != 1 or not ((chosen >= 0) & (chosen < self.n)).all():
            raise ValueError(f"rows: expected a list of numbers 0..{self.n - 1}, got {rows!r}")
        return chosen

    def _seats(self, seats: Any, rows: np.ndarray) -> np.ndarray:
        if seats is None:
            chosen: np.ndarray = self.seats[rows]
        else:
            chosen = np.empty(len(rows), np.int64)
            chosen[:] = seats
        if not ((chosen >= 0) & (chosen < self.players[rows])).all():
            raise ValueError("seats: expected a seat of its game for each row (a game that is over has none to act)")
        return chosen

    def _given(self, buffer: Any, name: str, dtypes: Any, shape: tuple[int, ...]) -> np.ndarray:
        """The memory of the caller's buffer as an array; refuses what would have to be copied."""
        allowed = [np.dtype(dtype) for dtype in (dtypes if isinstance(dtypes, tuple) else (dtypes,))]
        array = np.asarray(buffer)
        if array.dtype not in allowed or array.shape != shape or not array.flags.c_contiguous:
            kinds = " or ".join(str(dtype) for dtype in allowed)
            raise ValueError(
                f"{name}: expected a contiguous array of shape {shape}, {kinds}; got shape {array.shape}, {array.dtype}"
                + ("" if array.flags.c_contiguous else ", not contiguous")
            )
        return array

    def _share(self, kernel: Callable[..., Any], rows: np.ndarray, *arrays: np.ndarray) -> None:
        """Run a kernel on slices of its row-wise arguments."""
        self.split(len(rows), lambda low, high: kernel(rows[low:high], *(array[low:high] for array in arrays)))
