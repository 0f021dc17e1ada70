"""One game of an arena: played, timed, and written down as a result and a record."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from terracotta_env.entry import ledger_at
from terracotta_env.errors import IllegalActionError, PolicyError, TerracottaError
from terracotta_env.game import NOBODY
from terracotta_env.policy import Policy, ask, follow_all, game_over_all
from terracotta_env.position import Position
from terracotta_env.record import Recorder

from ..forfeit import BotFault, forfeit_ranking
from .outcome import Forfeit, ranks


class Timed:
    """A policy whose time is taken, in seconds; copying the position for it is not counted.

    Args:
        policy: the agent.
        warm: it has decided before in this process.  A first decision compiles and loads what the agent needs, which
            says nothing about it and is not counted.
    """

    def __init__(self, policy: Policy, warm: bool = True) -> None:
        self.policy, self.warm = policy, warm
        self.name, self.version = policy.name, policy.version
        self.decisions, self.seconds, self.slowest = 0, 0.0, 0.0

    def begin(self, seed: int) -> None:
        self.policy.begin(seed)

    def act(self, position: Position, mask: np.ndarray) -> int:
        start = time.perf_counter()
        try:
            return self.policy.act(position, mask)
        finally:
            taken = time.perf_counter() - start
            if self.warm:
                self.decisions += 1
                self.seconds += taken
                self.slowest = max(self.slowest, taken)
            self.warm = True


class StoppedError(Exception):
    """An agent failed.

    Attributes:
        forfeit: whose fault it is and why.
    """

    def __init__(self, forfeit: Forfeit) -> None:
        super().__init__(forfeit.reason)
        self.forfeit = forfeit


class Unmade:
    """Stands in for an agent that could not be made: it fails as soon as a game begins."""

    version = 0

    def __init__(self, name: str, error: BaseException) -> None:
        self.name, self.error = name, error

    def begin(self, seed: int) -> None:
        raise self.error

    def act(self, position: Position, mask: np.ndarray) -> int:
        raise self.error


def play(
    start: Position,
    policies: Sequence[Policy],
    names: Sequence[str],
    seeds: Sequence[int],
    meta: dict[str, Any],
    asking: Callable[[int], None] = lambda seat: None,
    decided: Callable[[int], None] = lambda action: None,
    warm: Sequence[bool] = (),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play a game to its end or to the first failure of an agent: ``(result, record)``.

    Args:
        start: the position after the setup; it is played on.
        policies: by seat.
        names: labels by seat.
        seeds: by seat, for the agents' own random numbers.
        meta: for the record.
        asking: told the seat before its agent's code runs, NOBODY after it began the game.
        decided: told the action that an agent answered with.
        warm: by seat, see :class:`Timed`; without it all are.
    """
    recorder = Recorder(start, names, meta=meta)
    timed = [Timed(policy, not warm or warm[seat]) for seat, policy in enumerate(policies)]
    order: list[int] = []  # seats as they first decide
    forfeit = None
    try:
        for seat, policy in enumerate(policies):
            asking(seat)
            _begin(policy, seat, seeds[seat], recorder.record)
            asking(NOBODY)
        while (acting := start.to_act) is not None:
            if acting not in order:
                order.append(acting)
            asking(acting)
            action = _decide(timed[acting], start, acting, len(recorder.record["decisions"]))
            recorder.play(action)
            decided(action)
    except StoppedError as stopped:
        forfeit = stopped.forfeit
    if forfeit is None:
        record = recorder.finish()
    else:
        record = unfinished(recorder.record, forfeit, names, meta)
    result = result_of(start, names, recorder.record["decisions"], forfeit, order)
    told = {"vp": result["vp"], "ranking": result["ranking"]}
    game_over_all(policies, told if forfeit is None else {**told, "forfeit": _told(forfeit)})
    result["asked"] = [policy.decisions for policy in timed]
    result["seconds"] = [round(policy.seconds, 6) for policy in timed]
    result["slowest"] = [round(policy.slowest, 6) for policy in timed]
    return result, record


def _told(forfeit: Forfeit) -> dict[str, Any]:
    """A forfeit as the agents hear of it; names are not theirs to know."""
    return {"seat": forfeit.seat, "reason": forfeit.reason.partition(":")[0], "message": forfeit.reason}


def unfinished(record: dict[str, Any], forfeit: Forfeit, names: Sequence[str], meta: dict[str, Any]) -> dict[str, Any]:
    """What is written of a forfeited game: no points and no ranking, for its decisions do not lead to any."""
    return {**record, "meta": dict(meta), "forfeit": forfeit.as_json(names)}


def _begin(policy: Policy, seat: int, seed: int, record: dict[str, Any]) -> None:
    try:
        policy.begin(seed)
        follow_all([policy], record)
    except (Exception, SystemExit) as error:  # the code is not ours: it may fail in any way
        raise StoppedError(Forfeit(seat, f"failed to begin: {one_line(error)}", 0)) from error


def _decide(policy: Timed, position: Position, seat: int, decision: int) -> int:
    try:
        return ask(policy, position)
    except BotFault as fault:  # whose it is stands beside it
        raise StoppedError(Forfeit(seat, one_line(fault.detail, fault.reason), decision)) from fault
    except PolicyError as error:
        cause = error.__cause__ or error
        raise StoppedError(Forfeit(seat, f"failed: {one_line(cause)}", decision)) from error
    except (IllegalActionError, SystemExit) as error:
        raise StoppedError(Forfeit(seat, one_line(error), decision)) from error


def one_line(error: BaseException | str, reason: str = "") -> str:
    """An error as one line of at most 300 characters, without control characters."""
    if isinstance(error, str):
        return one_line(TerracottaError(f"{reason}: {error.partition(': legal are ')[0]}"))
    # errors of this project are written for people, of others the type says more than the text
    text = str(error) if isinstance(error, TerracottaError) else repr(error)
    if isinstance(error, IllegalActionError):  # what was legal can be seen by replaying the decisions
        text = text.partition(": legal are ")[0]
    text = text.splitlines()[0] if text else type(error).__name__
    return "".join(c if c.isprintable() else " " for c in text)[:300]


def result_of(
    end: Position, names: Sequence[str], decisions: Sequence[str], forfeit: Forfeit | None, order: Sequence[int]
) -> dict[str, Any]:
    """What a result line says about the outcome of a game.

    Args:
        end: the position in which the game ended or was forfeited.
        names: labels by seat.
        decisions: tokens.
        forfeit: who failed, if any.
        order: seats in the order of their first decisions; seats that made none follow.
    """
    points = end.points()
    if forfeit is None:
        ranked, places = end.ranking(), ranks(end.returns().tolist())
    else:
        ranked = forfeit_ranking(end, forfeit.seat)
        places = [float(1 + ranked.index(seat)) for seat in range(end.players)]
    ledger = np.zeros((end.players, len(end.game.sources)), np.int64)
    for seat in range(end.players):
        ledger_at(end.states, 0, seat, ledger[seat])
    return {
        "agents": list(names),
        "order": [*order, *(seat for seat in range(end.players) if seat not in order)],
        "vp": points,
        "ranking": ranked,
        "ranks": places,
        "sources": ledger.tolist(),
        "decisions": len(decisions),
        "digest": hashlib.sha256("\n".join(decisions).encode()).hexdigest()[:16],
        "forfeit": forfeit.as_json(names) if forfeit else None,
    }
