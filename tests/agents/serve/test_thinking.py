"""Bots think in threads of their own: nobody else waits, failures stay with their game, ended games are let go."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from terracotta_agents.play.session import Session
from terracotta_agents.registry import make_agent
from terracotta_agents.serve.problems import ProblemError
from terracotta_agents.serve.workers import BOTS_KEPT, Shelf, Urgency, Workers
from terracotta_env.army import GAME
from terracotta_env.policy import Policy
from terracotta_env.position import Position
from tests.agents.serve.serving import OPTIONS, Running, good, problem, running, wait_until


class Slow:
    """Takes its time for each decision, until it is let go."""

    name, version = "slow", 1
    free = threading.Event()
    begun = threading.Event()
    decisions = 0

    def begin(self, seed: int) -> None:
        pass

    def act(self, position: Position, mask: np.ndarray) -> int:
        type(self).decisions += 1
        self.begun.set()
        self.free.wait(20)
        return int(np.flatnonzero(mask)[0])


class Failing(Slow):
    """Fails, in one way or another."""

    name = "failing"

    def act(self, position: Position, mask: np.ndarray) -> int:
        raise RuntimeError("out of ideas")


class Illegal(Slow):
    name = "illegal"

    def act(self, position: Position, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask == 0)[0])


OWN: dict[str, type[Slow]] = {"slow": Slow, "failing": Failing, "illegal": Illegal}


def make(code: str) -> Policy:
    return OWN[code]() if code in OWN else make_agent(code)


@pytest.fixture
def own() -> Iterator[Running]:
    """A server with bots that misbehave, and two threads."""
    Slow.free.clear()
    Slow.begun.clear()
    Slow.decisions = 0
    Slow.free.set()  # for the warming up
    options = {"bots": ("busy", *OWN), "make": Misbehaving(), "workers": 2}
    with running(OPTIONS, **options) as server:
        Slow.free.clear()
        Slow.begun.clear()
        Slow.decisions = 0
        yield server
        Slow.free.set()


class Misbehaving:
    """Makes good bots while the server warms up, then those asked for."""

    def __init__(self) -> None:
        self.warm = {"slow", "failing", "illegal"}

    def __call__(self, code: str) -> Policy:
        if code in self.warm:
            self.warm.discard(code)
            return make_agent("busy")
        return make(code)


def test_a_long_thought_keeps_nobody_else_waiting(own: Running) -> None:
    thinking = own.visitor()
    slow = thinking.begin("slow", "human", seed=3)
    slow = thinking.begin("slow", "slow", seed=3)
    Slow.begun.wait(10)
    other = own.visitor()
    times = []
    for _ in range(20):
        start = time.perf_counter()
        good(other.get("about"))
        good(thinking.get(f"games/{slow['game']}"))  # and its own visitor can look
        times.append(time.perf_counter() - start)
    assert np.median(times) < 0.5
    view = other.play(other.begin("human", "human"), 3)
    assert view["decisions"] == 3


def test_a_game_that_is_ended_is_thought_about_no_longer(own: Running) -> None:
    visitor = own.visitor()
    view = visitor.begin("slow", "slow")
    assert Slow.begun.wait(10)
    before = Slow.decisions
    assert visitor.client.delete(f"games/{view['game']}").status_code == 204
    Slow.free.set()
    wait_until(lambda: own.app.state.workers.waiting == 0)
    time.sleep(0.2)
    assert Slow.decisions <= before + 1


def test_taking_back_while_a_bot_thinks_drops_its_thought(own: Running) -> None:
    visitor = own.visitor()
    view = visitor.begin("human", "slow", seed=1)
    if view["to_act"] != 0:
        Slow.free.set()
        view = visitor.settled(view)
        Slow.free.clear()
    while view["asked"] == "person":
        body = {"token": view["choices"][0]["token"], "at": view["at"]}
        view = good(visitor.post(f"games/{view['game']}/decisions", body))
    taken = good(visitor.post(f"games/{view['game']}/undo"))
    now = taken["view"]
    assert now["asked"] == "person"
    Slow.free.set()
    time.sleep(0.3)
    assert good(visitor.get(f"games/{view['game']}"))["decisions"] == now["decisions"]


@pytest.mark.parametrize("code", ["failing", "illegal"])
def test_a_bot_that_fails_stops_its_own_game_only(own: Running, code: str) -> None:
    visitor = own.visitor()
    view = visitor.settled(visitor.begin(code, code, seed=1))
    assert code in view["fault"]
    Slow.free.set()
    other = own.visitor()
    assert other.settled(other.begin("busy", "busy", seed=1))["over"]
    assert good(visitor.get(f"games/{view['game']}"))["fault"] == view["fault"]


def test_answers_are_those_of_the_terminal(server: Running) -> None:
    """The same setup, seed and choices bring the same game here and in ``terracotta play``."""
    visitor = server.visitor()
    view = visitor.play(visitor.begin("human", "mcts:100", seed=31), 25)
    saved = good(visitor.get(f"games/{view['game']}/record"))
    session = Session(Position.from_seed(GAME, 2, 31), ["human", "mcts:100"], 31)
    for token in saved["decisions"]:
        session.play(token if session.own_turn else session.bot_decision())
    assert session.decisions == saved["decisions"]


def test_too_many_jobs_are_refused() -> None:
    workers = Workers(1, 2)
    go, begun = threading.Event(), threading.Event()

    def block(shelf: Shelf) -> None:
        begun.set()
        go.wait(10)

    workers.submit(Urgency.TURN, block)
    assert begun.wait(5)
    for _ in range(2):
        workers.submit(Urgency.GRAPH, lambda shelf: None)
    with pytest.raises(ProblemError) as refused:
        workers.submit(Urgency.TURN, lambda shelf: None)
    assert refused.value.status == 503
    go.set()
    workers.stop()


def test_turns_come_before_analyses_and_a_failing_job_ends_nothing() -> None:
    workers = Workers(1, 10)
    go, begun, done = threading.Event(), threading.Event(), []

    def block(shelf: Shelf) -> None:
        begun.set()
        go.wait(10)

    def fail(shelf: Shelf) -> None:
        raise RuntimeError("a job's own fault")

    workers.submit(Urgency.TURN, block)
    assert begun.wait(5)
    workers.submit(Urgency.GRAPH, lambda shelf: done.append("graph"))
    workers.submit(Urgency.ANALYSIS, lambda shelf: done.append("analysis"))
    workers.submit(Urgency.TURN, fail)
    workers.submit(Urgency.TURN, lambda shelf: done.append("turn"))
    go.set()
    wait_until(lambda: len(done) == 3)
    assert done == ["turn", "analysis", "graph"]
    workers.stop()


def test_500_starts_and_stops_leave_no_thread() -> None:
    before = threading.active_count()
    for _ in range(500):
        workers = Workers(1, 1)
        workers.stop()
        workers.stop()
    assert threading.active_count() == before


def test_a_thread_keeps_few_bots() -> None:
    shelf, made = Shelf(), []

    def make_it(code: str) -> Any:
        made.append(code)
        return object()

    for number in range(3 * BOTS_KEPT):
        shelf.get("bot", str(number), make_it)
    newest = shelf.get("bot", str(3 * BOTS_KEPT - 1), make_it)
    assert shelf.get("bot", str(3 * BOTS_KEPT - 1), make_it) is newest
    assert len(made) == 3 * BOTS_KEPT
    shelf.get("bot", "0", make_it)
    assert made[-1] == "0"


def test_hints_of_failing_bots_are_told(own: Running) -> None:
    options = {"bots": ("busy",), "hint": "failing", "make": Misbehaving()}
    with running(OPTIONS, **options) as server:
        visitor = server.visitor()
        view = visitor.begin("human", "human")
        error = problem(visitor.post(f"games/{view['game']}/hint"), 409, "bot_failed")
        assert "out of ideas" in error["message"]
