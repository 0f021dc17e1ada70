"""Leading the workers of an arena: hands out games, appends what comes back, outlives agents that crash or hang."""

from __future__ import annotations

import json
import signal
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawValue
from time import monotonic
from typing import Any, Final

from terracotta_env.game import NOBODY
from terracotta_env.record import Recorder

from .outcome import Forfeit
from .playing import result_of, unfinished
from .processes import prepared
from .schedule import ArenaError, Scheduled
from .worker import Doing, Job, to_line, work

AHEAD: Final = 3  # games a worker has been given, so that it never waits for the next one
_POLL_SECONDS: Final = 0.5
_LEAVE_SECONDS: Final = 5.0
_TRIES: Final = 3  # how often a worker may end without an agent's doing before the arena gives up

Finished = Callable[[str, str | None, dict[str, Any]], bool]


@dataclass
class Worker:
    """One process.

    Attributes:
        connection: the leading end.
        doing: what it is doing, in shared memory.
        given: games that it has and has not sent back, the one in play first.
        ready: its agents are made.
        returned: number of games that it has sent back.
        too_slow: it was ended because an agent took too long.
    """

    process: BaseProcess
    connection: Connection
    doing: Any
    given: deque[Scheduled] = field(default_factory=deque)
    ready: bool = False
    returned: int = 0
    too_slow: bool = False


class Leader:
    """Plays games on several processes.

    Args:
        job: what the games have in common.
        jobs: number of processes.
        finished: told result line, record line and result of each game; False ends the arena after it.
        ready: told once what only workers know (names and versions of agents, rules); may raise to stop everything.
        asked: should the arena stop now?  Games in play are given up.
        move_seconds: longest time an agent may take for one decision; None = any.
    """

    def __init__(
        self,
        job: Job,
        jobs: int,
        finished: Finished,
        ready: Callable[[dict[str, Any]], None] = lambda facts: None,
        asked: Callable[[], bool] = lambda: False,
        move_seconds: float | None = None,
    ) -> None:
        self.job, self.jobs, self.finished, self.ready, self.asked = job, jobs, finished, ready, asked
        self.move_seconds = move_seconds
        self._context = prepared([job.game_module, job.make_agent.__module__])
        self._workers: list[Worker] = []
        self._again: deque[Scheduled] = deque()  # games of workers that ended
        self._known = False
        self._deaths = 0

    def play(self, games: Iterable[Scheduled]) -> bool:
        """Play all games; False if it was stopped before."""
        todo = iter(games)
        try:
            self._workers = [self._start() for _ in range(self.jobs)]
            while True:
                for worker in list(self._workers):
                    self._hand_out(worker, todo)
                if all(worker.ready and not worker.given for worker in self._workers):
                    return True
                if self.asked():
                    return False
                for connection in wait([worker.connection for worker in self._workers], _POLL_SECONDS):
                    worker = next(worker for worker in self._workers if worker.connection is connection)
                    if not self._hear(worker):
                        return False
                self._watch()
        finally:
            self._leave()

    def _start(self) -> Worker:
        ours, theirs = self._context.Pipe()
        doing = RawValue(Doing)
        doing.seat = NOBODY
        process = self._context.Process(target=work, args=(theirs, doing, self.job), daemon=True)
        process.start()
        theirs.close()  # the worker has its own: when it is gone, the connection ends
        return Worker(process, ours, doing)

    def _hand_out(self, worker: Worker, todo: Iterable[Scheduled]) -> None:
        while worker.ready and len(worker.given) < AHEAD:
            game = self._again.popleft() if self._again else next(iter(todo), None)
            if game is None:
                return
            worker.given.append(game)
            try:
                worker.connection.send(game)
            except OSError:  # it has ended; heard of in its turn
                return

    def _hear(self, worker: Worker) -> bool:
        """Take what a worker sent; False to stop."""
        try:
            kind, *content = worker.connection.recv()
        except (EOFError, OSError):
            return self._bury(worker)
        if kind == "error":
            raise ArenaError(content[1])
        if kind == "ready":
            if not self._known:
                self._known = True
                self.ready(content[0])
            worker.ready = True
            return True
        result, record = content
        worker.given.popleft()
        worker.returned += 1
        self._deaths = 0
        return self.finished(result, record, json.loads(result))

    def _watch(self) -> None:
        """End the worker whose agent takes too long."""
        if self.move_seconds is None:
            return
        for worker in self._workers:
            if worker.ready and worker.doing.seat != NOBODY and monotonic() - worker.doing.since > self.move_seconds:
                worker.too_slow = True
                worker.process.kill()

    def _bury(self, worker: Worker) -> bool:
        """A worker has ended by itself: whoever it was asking forfeits, its other games are played by another one."""
        worker.process.join()
        worker.connection.close()
        self._workers.remove(worker)
        how = _how(worker.process.exitcode)
        if not worker.ready:
            raise ArenaError(f"a process of the arena {how} while it made the agents")
        playing = worker.doing.game > worker.returned
        seat = int(worker.doing.seat)
        go_on = True
        if playing and worker.given and seat != NOBODY:
            game = worker.given.popleft()
            reason = f"took more than {self.move_seconds:g} s" if worker.too_slow else f"its process {how}"
            result, record = self._forfeited(game, worker.doing, seat, reason)
            go_on = self.finished(to_line(result), to_line(record) if self.job.records else None, result)
        else:
            self._deaths += 1
            if self._deaths >= _TRIES:
                raise ArenaError(f"processes of the arena keep ending: the last one {how}")
        self._again.extendleft(reversed(worker.given))
        self._workers.append(self._start())
        return go_on

    def _forfeited(self, game: Scheduled, doing: Any, seat: int, reason: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Result and record of a game whose process is gone: played again up to the decision that it stood at."""
        setups = self.job.setups()
        names = [self.job.names[agent] for agent in game.seats]
        recorder = Recorder(setups.start(game.players, game.setup), names)
        order: list[int] = []
        for action in doing.actions[: min(doing.decisions, len(doing.actions))]:
            acting = recorder.position.to_act
            assert acting is not None
            order.extend([] if acting in order else [acting])
            recorder.play(action)
        forfeit = Forfeit(seat, reason, int(doing.decisions))
        record = unfinished(recorder.record, forfeit, names, self.job.meta(game))
        result = result_of(recorder.position, names, recorder.record["decisions"], forfeit, order)
        untimed = {"asked": [0] * game.players, "seconds": [0.0] * game.players, "slowest": [0.0] * game.players}
        return {**self.job.head(game, setups), **result, **untimed}, record

    def _leave(self) -> None:
        """Let the workers go: those that wait end by themselves, the others are ended."""
        for worker in self._workers:
            try:
                worker.connection.send(None)
            except OSError:
                continue
        deadline = monotonic() + _LEAVE_SECONDS
        for worker in self._workers:
            busy = bool(worker.given) or not worker.ready
            worker.process.join(0 if busy else max(0.0, deadline - monotonic()))
            if worker.process.is_alive():
                worker.process.terminate()
                worker.process.join(1.0)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.connection.close()
        self._workers.clear()


def _how(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"
    return f"ended with exit code {code}"
