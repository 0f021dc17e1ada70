"""The process that plays: it makes the agents once and reuses them, and sends back each game as two lines of JSON.

What an agent is doing is written into shared memory before its code runs, so that the leading process can tell whose
fault it is when this one is gone: an agent may crash the interpreter, exit it or never answer.
"""

from __future__ import annotations

import ctypes
import json
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final

from terracotta_env.game import NOBODY, load_game
from terracotta_env.policy import Policy, stream

from .playing import Unmade, play
from .schedule import Scheduled, number_of
from .setups import Setups, digest_of

_KEPT_DECISIONS: Final = 1 << 16


class Doing(ctypes.Structure):
    """What a worker is doing, in memory shared with the leading process.

    Fields: game (how many games this worker has begun), seat (whose code runs, NOBODY = the arena's own), since (its
    start, seconds of ``time.monotonic``), decisions (number of decisions made), actions (their ids, those that fit).
    """

    _fields_ = (
        ("since", ctypes.c_double),
        ("game", ctypes.c_int64),
        ("seat", ctypes.c_int64),
        ("decisions", ctypes.c_int64),
        ("actions", ctypes.c_int32 * _KEPT_DECISIONS),
    )


@dataclass(frozen=True)
class Job:
    """What all games of an arena have in common; goes to the workers as it is.

    Attributes:
        game_module, game_name: where the rules are found.
        board: printed data, by name or path.
        seed: draws setups and agents' random numbers.
        names, codes: label and code of each agent.
        make_agent: an agent from its code.
        given: setups instead of drawn ones, by number of players.
        records: send records too.
    """

    game_module: str
    game_name: str
    board: str
    seed: int
    names: Sequence[str]
    codes: Sequence[str]
    make_agent: Callable[[str], Policy]
    given: Mapping[int, Sequence[Mapping[str, Any]]] | None = None
    records: bool = True

    def setups(self) -> Setups:
        return Setups(load_game(self.game_module, self.game_name), self.board, self.seed, self.given)

    def meta(self, scheduled: Scheduled) -> dict[str, Any]:
        """For the record of a game."""
        return {"game": scheduled.name, "seed": self.seed, "setup": scheduled.setup}

    def head(self, scheduled: Scheduled, setups: Setups) -> dict[str, Any]:
        """First fields of a result line."""
        digest = setups.digest(scheduled.players, scheduled.setup)
        return {
            "game": scheduled.name,
            "players": scheduled.players,
            "setup": scheduled.setup,
            "setup_digest": digest,
        }


class Bench:
    """The agents of a worker: one object for each seat that an agent can take at the same time."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._agents: dict[tuple[int, int], Policy] = {}
        self._warm: set[int] = set()

    def warm(self, seats: Sequence[int]) -> list[bool]:
        """By seat: has the agent played in this process before?  From now on it has."""
        before = [agent in self._warm for agent in seats]
        self._warm.update(seats)
        return before

    def seated(self, seats: Sequence[int]) -> list[Policy]:
        """Policies by seat.  One that cannot be made is there all the same, and fails when the game begins."""
        return [self.agent(agent, seats[:seat].count(agent)) for seat, agent in enumerate(seats)]

    def agent(self, agent: int, copy: int = 0) -> Policy:
        """The given copy of an agent."""
        if (agent, copy) not in self._agents:
            try:
                self._agents[agent, copy] = self.job.make_agent(self.job.codes[agent])
            except (Exception, SystemExit) as error:  # it could be made before: what fails now is this game's matter
                return Unmade(self.job.names[agent], error)
        return self._agents[agent, copy]

    def renew(self, agent: int, copy: int) -> None:
        """After a failure the agent is made anew: nobody knows what state it is in."""
        _close(self._agents.pop((agent, copy), None))

    def close(self) -> None:
        for agent in self._agents.values():
            _close(agent)
        self._agents.clear()


def _close(agent: Policy | None) -> None:
    """Agents that hold more than memory may have a method ``close``."""
    close = getattr(agent, "close", None)
    if callable(close):
        with suppress(Exception):
            close()


def work(connection: Connection, doing: Any, job: Job) -> None:
    """Main function of a worker.

    Sends ``("ready", facts)`` or ``("error", type, text)``, then for each game it is given ``("game", result line,
    record line or None)``; ends when it is given None or nobody leads it any more.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the leading process decides
    doing.seat = NOBODY
    try:
        setups, bench = job.setups(), Bench(job)
        connection.send(("ready", _facts(job, setups)))
    except (Exception, SystemExit) as error:  # told in one line by the leading process
        connection.send(("error", type(error).__name__, str(error)))
        return
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while (scheduled := connection.recv()) is not None:
            connection.send(("game", *_play(job, scheduled, setups, bench, doing)))
    bench.close()


def _facts(job: Job, setups: Setups) -> dict[str, Any]:
    """What only the one who loads game and agents knows; it becomes part of the arena's settings."""
    game = setups.game
    states = game.make_states(1)
    game.notation.write_board(states, job.board)
    agents = []
    for name, code in zip(job.names, job.codes):
        policy = job.make_agent(code)
        agents.append({"label": name, "code": code, "name": policy.name, "version": policy.version})
        _close(policy)
    data = game.notation.board_data_of(states)
    return {
        "rules": game.rules_version,
        "board": game.notation.board_of(states),
        "board_digest": None if data is None else digest_of(data),
        "sources": list(game.sources),
        "agents": agents,
    }


def _play(job: Job, scheduled: Scheduled, setups: Setups, bench: Bench, doing: Any) -> tuple[str, str | None]:
    def asking(seat: int) -> None:
        doing.since = monotonic()
        doing.seat = seat

    def decided(action: int) -> None:
        doing.seat = NOBODY
        if doing.decisions < _KEPT_DECISIONS:
            doing.actions[doing.decisions] = action
        doing.decisions += 1

    doing.decisions = 0
    doing.game += 1
    seats = scheduled.seats
    names = [job.names[agent] for agent in seats]
    number = number_of(scheduled.name)
    seeds = [stream(job.seed, number, 1 + seat) for seat in range(scheduled.players)]
    start = setups.start(scheduled.players, scheduled.setup)
    policies, warm = bench.seated(seats), bench.warm(seats)
    meta = {**job.meta(scheduled), "versions": {name: policy.version for name, policy in zip(names, policies)}}
    result, record = play(start, policies, names, seeds, meta, asking, decided, warm)
    doing.seat = NOBODY
    if result["forfeit"] is not None:
        seat = result["forfeit"]["seat"]
        bench.renew(seats[seat], seats[:seat].count(seats[seat]))
    return to_line({**job.head(scheduled, setups), **result}), to_line(record) if job.records else None


def to_line(value: Mapping[str, Any]) -> str:
    """JSON on one line, as :func:`terracotta_env.record.write_line` writes it."""
    return json.dumps(value, separators=(", ", ": "), ensure_ascii=False) + "\n"
