"""Analysis for other programs: requests as JSON lines in, what a search finds out as JSON lines out.

One thread reads, one searches, so a request to cancel is heard while a search runs.  Requests are searched in the order
in which they came.  The messages are described in ``docs/protocol.md``.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import Queue
from typing import Any, Final, Protocol

from terracotta_env.errors import IllegalActionError, TerracottaError
from terracotta_env.fields import Reader
from terracotta_env.game import Game
from terracotta_env.policy import Policy
from terracotta_env.position import Position
from terracotta_env.record import position_after

from ..search.agent import MOST_SIMULATIONS
from .engines import Budget, analyse, make_engine
from .messages import PROTOCOL

Id = str | int

SOURCES: Final = ("snapshot", "record", "seed")
REQUEST: Final = ("id", *SOURCES, "players", "board", "tokens", "engine", "max_simulations", "deadline_ms")
CANCEL: Final = ("cancel",)
LINE: Final = 4 << 20  # bytes of one request
ID_LENGTH: Final = 256
MOST_TOKENS: Final = 100_000
MOST_MILLISECONDS: Final = 86_400_000
WAITING: Final = 10_000  # requests read ahead; then reading waits
ENGINES_KEPT: Final = 4


class RequestError(TerracottaError, ValueError):
    """A request that cannot be: ``field`` names what is wrong with it.

    It is made of the messages of :class:`Reader`, ``request: FIELD: expected ...``.
    """

    def __init__(self, text: str, where: str | None = None) -> None:
        path, separator, rest = text.removeprefix("request: ").partition(": ")
        if where is None and separator and re.fullmatch(r"[\w.\[\]]+", path):
            where, text = path, rest
        super().__init__(text)
        self.field = where


@dataclass
class Task:
    """A request that waits or is searched."""

    id: Id
    position: Position
    engine: str
    budget: Budget
    cancelled: threading.Event = field(default_factory=threading.Event)


class Lines(Protocol):
    """Where requests come from, e.g. ``sys.stdin.buffer``."""

    def readline(self, size: int = -1, /) -> bytes: ...


class Analyzer:
    """Reads requests and writes results until there are no more.

    Args:
        game: the rules.
        lines: where requests come from.
        write: takes each line that is said, from two threads but never two at a time.
        engine: code of the engine of requests that name none.
    """

    def __init__(self, game: Game, lines: Lines, write: Callable[[str], None], engine: str) -> None:
        self.game, self.lines, self.engine = game, lines, engine
        self._write, self._lock = write, threading.Lock()
        self._queue: Queue[Task | None] = Queue(WAITING)
        self._open: dict[Id, Task] = {}  # those that wait or are searched; changed under the lock
        self._engines: OrderedDict[tuple[str, int | None], Policy] = OrderedDict()
        self._failed: BaseException | None = None  # of writing: nobody listens any more

    def run(self) -> None:
        """Serve until the last line; what was asked is answered first.

        Raises:
            OSError: what is said can no longer be written.
        """
        self._warm_up()
        searcher = threading.Thread(target=self._search_all, name="analyze", daemon=True)
        searcher.start()
        try:
            self._read_all()
        except BaseException:
            self._cancel_all()
            raise
        finally:
            self._queue.put(None)
            searcher.join()
        if self._failed is not None:
            raise self._failed

    def _warm_up(self) -> None:
        """Compile what searches before saying that we are ready: no deadline must be missed for that."""
        make_engine(self.engine)  # a bad default is told at once
        position = Position.from_seed(self.game, min(self.game.players), 0)
        analyse(self._engine(self.engine, 1), position, Budget(1), lambda: False)
        ready = {"game": self.game.name, "rules": self.game.rules_version, "engine": self.engine}
        self._say({"ready": True, "protocol": PROTOCOL, **ready})

    # reading ----------------------------------------------------------------------------------------------------------

    def _read_all(self) -> None:
        number = 0
        while line := self.lines.readline(LINE + 1):
            number += 1
            if len(line) > LINE:
                self._complain(None, None, f"line {number}: is longer than {LINE} bytes")
                while line and not line.endswith(b"\n"):
                    line = self.lines.readline(LINE)
            elif line.strip():
                self._hear(number, line)
            if self._failed is not None:
                self._cancel_all()
                return

    def _hear(self, number: int, line: bytes) -> None:
        try:
            value = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            self._complain(None, None, f"line {number}: is not JSON ({error})")
            return
        if not isinstance(value, dict):
            self._complain(None, None, f"line {number}: expected a JSON object, got {type(value).__name__}")
            return
        given = value.get("cancel", value.get("id"))
        id_ = given if isinstance(given, str | int) and not isinstance(given, bool) else None
        try:
            if "cancel" in value:
                self._warn_unknown(id_, value, CANCEL)
                self._cancel(read_id(value, "cancel"))
            else:
                self._warn_unknown(id_, value, REQUEST)
                self._enqueue(read_request(self.game, value, self.engine))
        except RequestError as error:
            self._complain(id_, error.field, str(error))

    def _enqueue(self, task: Task) -> None:
        with self._lock:
            taken = task.id in self._open
            self._open.setdefault(task.id, task)
        if taken:
            raise RequestError(f"id: {task.id!r} is being analysed: choose another, or wait for its answer")
        self._queue.put(task)

    def _cancel(self, id_: Id) -> None:
        with self._lock:
            task = self._open.get(id_)
        self._say({"cancel": id_, "found": task is not None})
        if task is not None:
            task.cancelled.set()

    def _cancel_all(self) -> None:
        with self._lock:
            for task in self._open.values():
                task.cancelled.set()

    # searching --------------------------------------------------------------------------------------------------------

    def _search_all(self) -> None:
        while (task := self._queue.get()) is not None:
            start = time.perf_counter()
            try:
                said = self._search(task)
            except Exception as error:  # bots may fail in any way; the next request is another one
                said = {"error": {"field": "engine", "message": f"{task.engine}: {error}"}}
            with self._lock:
                del self._open[task.id]  # before the answer is read: the id may be used again then
            self._say({"id": task.id, **said, "seconds": round(time.perf_counter() - start, 6), "done": True})

    def _search(self, task: Task) -> dict[str, Any]:
        head = {"seat": task.position.to_act}
        if task.cancelled.is_set():
            return {**head, "stopped": "cancelled"}
        engine = self._engine(task.engine, task.budget.simulations)
        found = analyse(engine, task.position, task.budget, task.cancelled.is_set)
        return {
            **head,
            "best": found.best,
            "visits": found.visits,
            "values": found.values,
            "action_values": found.action_values,
            "line": found.line,
            "simulations": found.simulations,
            "stopped": found.stopped,
        }

    def _engine(self, code: str, simulations: int | None) -> Policy:
        """The engine of a code and the room that it needs; the last few are kept."""
        key = code, simulations
        if key not in self._engines:
            self._engines[key] = make_engine(code)
        self._engines.move_to_end(key)
        while len(self._engines) > ENGINES_KEPT:
            self._engines.popitem(last=False)
        return self._engines[key]

    # saying -----------------------------------------------------------------------------------------------------------

    def _say(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=True, allow_nan=False) + "\n"
        with self._lock:
            if self._failed is None:
                try:
                    self._write(line)
                except (OSError, ValueError) as error:  # closed
                    self._failed = error

    def _complain(self, id_: Id | None, where: str | None, message: str) -> None:
        self._say({"id": id_, "error": {"field": where, "message": message}})

    def _warn_unknown(self, id_: Id | None, value: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in value:
            if key not in known:
                message = f"unknown field, passed over (known: {', '.join(known)})"
                self._say({"id": id_, "warning": {"field": key, "message": message}})


# requests -------------------------------------------------------------------------------------------------------------


def read_id(value: Mapping[str, Any], key: str) -> Id:
    """The id that stands in a field, or a :class:`RequestError`."""
    doc = Reader(value, "", RequestError, "request")
    if key not in doc:
        raise RequestError(f"{key}: is missing", None)
    given = value[key]
    if isinstance(given, bool) or not isinstance(given, str | int) or not 0 < len(str(given)) <= ID_LENGTH:
        raise doc[key].fail(f"a text of at most {ID_LENGTH} characters or a whole number")
    return given


def read_request(game: Game, value: Mapping[str, Any], engine: str) -> Task:
    """The task of a request, or a :class:`RequestError` that names the field."""
    doc = Reader(value, "", RequestError, "request")
    id_ = read_id(value, "id")
    code = doc["engine"].text() if "engine" in doc else engine
    try:
        make_engine(code)
    except TerracottaError as error:
        raise RequestError(str(error), "engine") from None
    simulations = doc["max_simulations"].integer(1, MOST_SIMULATIONS) if "max_simulations" in doc else None
    milliseconds = None
    if "deadline_ms" in doc:
        milliseconds = value["deadline_ms"]
        if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float):
            raise doc["deadline_ms"].fail("milliseconds")
        if not 0 < milliseconds <= MOST_MILLISECONDS:
            raise doc["deadline_ms"].fail(f"milliseconds in 0..{MOST_MILLISECONDS}")
    source, position = _read_position(game, doc)
    if "tokens" in doc:
        source = "tokens"
        _play_tokens(position, doc["tokens"])
    if position.over:
        raise RequestError("the game is over: there is nothing to analyse", source)
    return Task(id_, position, code, Budget(simulations, milliseconds))


def _read_position(game: Game, doc: Reader) -> tuple[str, Position]:
    """The position of a request and the field that gave it."""
    given = [key for key in SOURCES if key in doc]
    if len(given) != 1:
        got = " and ".join(given) or "none"
        raise RequestError(
            f"expected exactly one of {', '.join(SOURCES)}, got {got}", given[1] if given else SOURCES[0]
        )
    source = given[0]
    for key, belongs in (("players", ("seed",)), ("board", ("seed", "snapshot"))):
        if key in doc and source not in belongs:
            raise RequestError(f"{key}: goes with {' or '.join(belongs)}, not with {source}")
    board = doc["board"].value if "board" in doc else None
    _check_board(game, board, "board")
    try:
        if source == "seed":
            if "players" not in doc:
                raise RequestError("players: is missing")
            return source, Position.from_seed(game, doc["players"].value, doc["seed"].value, board)
        document = doc[source].value
        if not isinstance(document, Mapping):
            raise doc[source].fail("a JSON object")
        if "board_data" not in document and board is None:
            _check_board(game, document.get("board"), f"{source}.board")
        if source == "snapshot":
            return source, Position.from_snapshot(game, document, board)
        return source, position_after(game, document)
    except RequestError:
        raise
    except TerracottaError as error:
        raise _of_document(str(error).splitlines()[0], source) from None


def _check_board(game: Game, board: object, where: str) -> None:
    """Shipped boards and tables only: a request is not to make us read files."""
    if isinstance(board, str) and board not in game.notation.board_names():
        names = ", ".join(game.notation.board_names())
        raise RequestError(f"no board {board!r}: expected one of {names}, or a table with its content", where)


def _of_document(text: str, source: str) -> RequestError:
    """An error of a reader of positions: ``snapshot: players[0].vp: ...`` is about ``snapshot.players[0].vp``."""
    steps = [] if source == "seed" else [source]
    rest = text.removeprefix(f"{source}: ")
    while (found := re.match(r"([\w.\[\]]+): ", rest)) is not None:  # a setup within a record is named in two steps
        steps.append(found[1])
        rest = rest[found.end() :]
    return RequestError(rest, ".".join(steps) or source)


def _play_tokens(position: Position, tokens: Reader) -> None:
    entries = tokens.items()
    if len(entries) > MOST_TOKENS:
        raise tokens.fail(f"at most {MOST_TOKENS} tokens")
    for entry in entries:
        try:
            position.play(entry.text())
        except IllegalActionError as error:
            raise RequestError(str(error).splitlines()[0], entry.path) from None
