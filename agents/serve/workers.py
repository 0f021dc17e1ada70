"""Threads that think: a bounded number of them, a bounded queue, fair to all games.  Knows no game.

Requests are answered by other threads, which never think, so a long search makes nobody wait but its own game.  The
compiled parts of bots let other threads run meanwhile.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from queue import PriorityQueue
from typing import Any, Final

from .problems import ProblemError

BOTS_KEPT: Final = 8  # by each thread: a tree of a search takes megabytes
_LOG: Final = logging.getLogger(__name__)


class Urgency(IntEnum):
    """Who comes first; among equals the first to come."""

    STOP = -1
    TURN = 0  # a bot's turn, or a hint: somebody is waiting
    ANALYSIS = 1
    GRAPH = 2


class Shelf:
    """What one thread keeps between jobs, the last few used: bots and engines by their code."""

    def __init__(self) -> None:
        self._things: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def get(self, kind: str, code: str, make: Callable[[str], Any]) -> Any:
        """The thing of that code, made where there is none."""
        key = (kind, code)
        if key not in self._things:
            self._things[key] = make(code)
        self._things.move_to_end(key)
        while len(self._things) > BOTS_KEPT:
            self._things.popitem(last=False)
        return self._things[key]


@dataclass(order=True)
class _Job:
    urgency: Urgency
    number: int
    work: Callable[[Shelf], None] = field(compare=False)


class Workers:
    """The pool.

    Args:
        threads: how many think at the same time.
        most_waiting: jobs in the queue; more are refused.
    """

    def __init__(self, threads: int, most_waiting: int) -> None:
        if threads < 1 or most_waiting < 1:
            raise ValueError(f"workers: expected at least one thread and place, got {threads} and {most_waiting}")
        self.most_waiting = most_waiting
        self.stopping = threading.Event()
        self._numbers = itertools.count()
        self._queue: PriorityQueue[_Job] = PriorityQueue()
        self._threads = [threading.Thread(target=self._run, name=f"think-{i}", daemon=True) for i in range(threads)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Jobs in the queue."""
        return self._queue.qsize()

    def submit(self, urgency: Urgency, work: Callable[[Shelf], None]) -> None:
        """Have ``work`` done by a thread.  It must look after its own errors; what it lets out is logged.

        Raises:
            ProblemError: 503, too many jobs are waiting.
        """
        if self.waiting >= self.most_waiting:
            raise ProblemError(
                503,
                "busy",
                f"{self.most_waiting} jobs are waiting already: expected less to do",
                "try again in a few seconds",
            )
        self._queue.put(_Job(urgency, next(self._numbers), work))

    def stop(self, seconds: float = 5.0) -> None:
        """Let the threads end; jobs that wait are dropped, those under way are asked to stop."""
        self.stopping.set()
        for _ in self._threads:
            self._queue.put(_Job(Urgency.STOP, next(self._numbers), lambda shelf: None))
        for thread in self._threads:
            thread.join(seconds / len(self._threads))

    def _run(self) -> None:
        shelf = Shelf()
        while not self.stopping.is_set():
            job = self._queue.get()
            if self.stopping.is_set():
                return
            try:
                job.work(shelf)
            except Exception:  # the thread must go on for the other games
                _LOG.exception("a job failed")
