"""A real server in this process, and visitors of it."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from terracotta_agents.serve.app import Options, make_app, warm_up
from terracotta_agents.serve.army_speech import ArmySpeech
from terracotta_agents.serve.listening import listen
from terracotta_env.army import GAME

BOTS = ("random", "busy", "greedy", "mcts:100", "mcts:1000")
OPTIONS = Options(bots=BOTS, analysts=("mcts:100", "busy"), hint="busy", workers=1, most_wait=5.0)
MOST_SECONDS = 60.0


@dataclass
class Running:
    """A server that runs: its address, and what is inside it."""

    address: str
    app: FastAPI

    def visitor(self, name: str | None = None) -> Visitor:
        return Visitor(self.address, name or secrets.token_urlsafe(16))


@contextlib.contextmanager
def running(options: Options = OPTIONS, **changes: Any) -> Iterator[Running]:
    """A server on a free port of this machine, ended at the end."""
    options = replace(options, **changes)
    app = make_app(GAME, ArmySpeech(), options)
    warm_up(app, GAME, options)
    with listen("127.0.0.1", 0) as bound:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield Running(f"http://127.0.0.1:{bound.getsockname()[1]}", app)
        finally:
            app.state.store.close()
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


def wait_until(happened: Any, seconds: float = MOST_SECONDS) -> None:
    """Wait for something that comes soon."""
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.005)


class Visitor:
    """One visitor of a server, with a secret of its own; paths are below ``/api/``."""

    def __init__(self, address: str, name: str) -> None:
        self.name = name
        self.client = httpx.Client(base_url=f"{address}/api/", headers={"X-Visitor": name}, timeout=60)

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.client.get(path, params=query)

    def post(self, path: str, body: Any = None, **query: Any) -> httpx.Response:
        return self.client.post(path, json=body, params=query) if body is not None else self.client.post(path)

    def begin(self, *seats: str, **body: Any) -> dict[str, Any]:
        """A new game: its view."""
        return good(self.post("games", {"seats": list(seats), **body}), 201)

    def settled(self, view: dict[str, Any]) -> dict[str, Any]:
        """The view once the bots have moved."""
        while view["asked"] == "bot" and view["fault"] is None:
            view = good(self.get(f"games/{view['game']}", since=view["version"], wait=5))
        return view

    def decide(self, view: dict[str, Any], token: str) -> dict[str, Any]:
        """The view after a decision and the bots' answers."""
        body = {"token": token, "at": view["at"]}
        return self.settled(good(self.post(f"games/{view['game']}/decisions", body)))

    def play(self, view: dict[str, Any], decisions: int) -> dict[str, Any]:
        """The view after so many decisions of the person, the last choice each time; the end comes before."""
        view = self.settled(view)
        for _ in range(decisions):
            if view["over"]:
                break
            view = self.decide(view, view["choices"][-1]["token"])
        return view


def good(answer: httpx.Response, status: int = 200) -> dict[str, Any]:
    """The content of an answer that must be a success."""
    assert answer.status_code == status, answer.text
    content: dict[str, Any] = answer.json()
    return content


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem that an answer must be: it says what came, what was expected and what to do."""
    assert answer.status_code == status, answer.text
    content = answer.json()
    assert list(content) == ["error"]
    error: dict[str, Any] = content["error"]
    assert error["code"] == code, error
    assert error["message"]
    assert error["do"]
    return error
