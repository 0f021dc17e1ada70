"""Games are bounded: how many, whose, how long."""

from __future__ import annotations

import gc
import time
import weakref
from dataclasses import replace

import pytest

from terracotta_agents.play.session import Session
from terracotta_agents.serve.army_speech import ArmySpeech
from terracotta_agents.serve.live import Live
from terracotta_agents.serve.problems import ProblemError
from terracotta_agents.serve.store import Limits, Store
from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.agents.serve.serving import OPTIONS, good, problem, running, wait_until


def live(store: Store, owner: str = "a" * 22) -> Live:
    session = Session(Position.from_seed(GAME, 2, 1), ["human", "human"], 1)
    return Live(store.new_identity(), owner, session, ArmySpeech(), ["one", "two"])


def test_identities_are_long_and_never_the_same() -> None:
    store = Store(Limits())
    found = {store.new_identity() for _ in range(10_000)}
    assert len(found) == 10_000
    assert {len(identity) for identity in found} == {16}


def test_a_visitors_oldest_game_makes_room_for_a_new_one() -> None:
    store = Store(Limits(own_games=3))
    games = [live(store) for _ in range(5)]
    for game in games:
        store.add(game)
        time.sleep(0.002)
    assert [game.closed.is_set() for game in games] == [True, True, False, False, False]
    assert len(store) == 3


def test_a_game_under_way_never_makes_room() -> None:
    store = Store(Limits(own_games=2))
    games = [live(store) for _ in range(2)]
    for game in games:
        store.add(game)
        game.session.play(game.session.position.legal()[0])
    with pytest.raises(ProblemError) as refused:
        store.add(live(store))
    assert refused.value.status == 409
    assert not any(game.closed.is_set() for game in games)
    games[0].session.deciders.clear()
    store.add(live(store))
    assert [game.closed.is_set() for game in games] == [True, False]


def test_a_full_server_refuses_others_and_says_so() -> None:
    store = Store(Limits(games=2))
    for owner in ("a", "b"):
        store.add(live(store, owner * 22))
    with pytest.raises(ProblemError) as refused:
        store.add(live(store, "c" * 22))
    assert refused.value.status == 503
    assert refused.value.body["do"]


def test_games_left_alone_are_forgotten() -> None:
    store = Store(Limits(idle_seconds=0.05))
    old = live(store)
    store.add(old)
    time.sleep(0.08)
    fresh = live(store)
    store.add(fresh)
    assert old.closed.is_set()
    with pytest.raises(ProblemError):
        store.get(old.identity, old.owner)
    assert store.get(fresh.identity, fresh.owner) is fresh


def test_forgotten_games_leave_no_memory_behind() -> None:
    store = Store(Limits(own_games=2))
    gone = []
    for _ in range(20):
        game = live(store)
        gone.append(weakref.ref(game))
        store.add(game)
    del game
    gc.collect()
    assert sum(reference() is not None for reference in gone) == 2


def test_waiting_requests_end_with_their_game() -> None:
    with running(OPTIONS) as server:
        visitor, other = server.visitor("w" * 22), server.visitor("w" * 22)
        view = visitor.begin("human", "human")
        store = server.app.state.store
        game = store.get(view["game"], "w" * 22)
        import threading

        answers: list[int] = []
        path = f"games/{view['game']}"
        thread = threading.Thread(target=lambda: answers.append(other.get(path, since=0, wait=5).status_code))
        thread.start()
        wait_until(lambda: game.waiters == 1)
        assert visitor.client.delete(path).status_code == 204
        thread.join(3)
        assert answers == [404]
        problem(visitor.get(path), 404, "no_such_game")


def test_requests_that_wait_are_bounded_and_come_back() -> None:
    limits = Limits(waiting=0)
    with running(replace(OPTIONS, limits=limits)) as server:
        visitor = server.visitor()
        view = visitor.begin("human", "human")
        start = time.monotonic()
        good(visitor.get(f"games/{view['game']}", since=99, wait=5))  # nobody may wait: answered at once
        assert time.monotonic() - start < 2
    with running(replace(OPTIONS, most_wait=0.2)) as server:
        visitor = server.visitor()
        view = visitor.begin("human", "human")
        start = time.monotonic()
        good(visitor.get(f"games/{view['game']}", since=99, wait=20))
        assert 0.15 < time.monotonic() - start < 2
