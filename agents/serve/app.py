"""The server put together: games, threads, addresses, the page's files.  Knows no game but through its speech."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from anyio import to_thread
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from terracotta_env import __version__
from terracotta_env.game import Game
from terracotta_env.policy import Policy

from ..play.session import PERSON
from ..registry import make_agent
from . import problems
from .gate import Gate, Names
from .opening import Opener
from .pages import page_files, page_routes
from .routes import MOST_WAIT, Desk, make_router
from .speech import Speech
from .store import Limits, Store
from .thinking import Thinking
from .workers import Shelf, Workers

BOTS: Final = ("random", "busy", "greedy", "planner", "mcts:100", "mcts:1000")
ANALYSTS: Final = ("mcts:400", "mcts:2000")
HINT: Final = "planner"
REQUESTS: Final = 2  # answered at the same time
_SWEEP_SECONDS: Final = 60.0


@dataclass(frozen=True)
class Options:
    """What the operator decides.

    Attributes:
        bots: codes that visitors may play against.
        analysts: codes that visitors may ask for analyses, the first one by default.
        hint: code of the bot that gives hints.
        workers: threads that think.
        limits: how many games.
        names: under which the server may be called.
        most_wait: seconds that a request waits for a change at most.
        make: makes the bot of a code.
    """

    bots: Sequence[str] = BOTS
    analysts: Sequence[str] = ANALYSTS
    hint: str = HINT
    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    names: Names = field(default_factory=Names)
    most_wait: float = MOST_WAIT
    make: Callable[[str], Policy] = make_agent


def make_app(game: Game, speech: Speech, options: Options | None = None) -> FastAPI:
    """The application, ready to be served."""
    options = options if options is not None else Options()
    store = Store(options.limits)
    # every game has at most one turn and its visitor's few questions in the queue
    workers = Workers(options.workers, 4 * options.limits.games)
    thinking = Thinking(workers, options.make)
    opener = Opener(game, speech, list(options.bots), lambda code: _Named(code, options.make))
    desk = Desk(store, opener, thinking, speech, list(options.analysts), options.hint, options.most_wait)

    async def sweep() -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            store.forget_idle()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # few at a time: more would only take turns, and the loop that serves everybody waits for its own
        to_thread.current_default_thread_limiter().total_tokens = REQUESTS
        task = asyncio.create_task(sweep())
        yield
        task.cancel()
        store.close()
        await asyncio.to_thread(workers.stop)

    app = FastAPI(
        title="Terracotta Army in the browser",
        version=__version__,
        description="Games against bots, records to step through, analyses: all that the page does goes through here.",
        lifespan=lifespan,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        default_response_class=problems.Json,
    )
    problems.install(app)
    app.include_router(make_router(desk))
    app.router.routes += page_routes(page_files(speech.style))
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=1)
    app.add_middleware(Gate, names=options.names)
    app.state.store, app.state.workers = store, workers
    _tell_codes(app, options, game)
    return app


def warm_up(app: FastAPI, game: Game, options: Options) -> None:
    """Compile what bots and analysts need before the first visitor comes: nobody should wait for that."""
    from terracotta_env.policy import ask
    from terracotta_env.position import Position

    from .analyst import make_analyst

    shelf, position = Shelf(), Position.from_seed(game, min(game.players), 0)
    for code in dict.fromkeys([*options.bots, options.hint]):
        bot = shelf.get("bot", code, options.make)
        bot.begin(0)
        ask(bot, position)
    for code in options.analysts:
        analyst = make_analyst(code)
        analyst.analyse(position, lambda: False)
        analyst.chances(position, lambda: False)


class _Named:
    """The bot of a game as its record names it.  Who thinks are the threads' own bots: a search takes megabytes."""

    def __init__(self, code: str, make: Callable[[str], Policy]) -> None:
        bot = make(code)
        self.name, self.version = bot.name, bot.version

    def begin(self, seed: int) -> None:
        raise NotImplementedError("bots of the threads play, see terracotta_agents.serve.thinking")

    def act(self, position: Any, mask: Any) -> int:
        raise NotImplementedError("bots of the threads play, see terracotta_agents.serve.thinking")


def _tell_codes(app: FastAPI, options: Options, game: Game) -> None:
    """Say in the schema which codes and boards this server takes."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schemas = plain()["components"]["schemas"]
            for name in ("NewGame", "Branch", "OpenedText"):
                seats = schemas[name]["properties"]["seats"]
                for form in (seats, *seats.get("anyOf", ())):
                    if form.get("type") == "array":
                        form["items"]["enum"] = [PERSON, *options.bots]
                        form["minItems"], form["maxItems"] = min(game.players), max(game.players)
            for name in ("Look", "LookMany"):
                schemas[name]["properties"]["analyst"]["enum"] = list(options.analysts)
            for form in schemas["NewGame"]["properties"]["board"]["anyOf"]:
                if form.get("type") == "string":
                    form["enum"] = list(game.notation.board_names())
        schema: dict[str, Any] = app.openapi_schema or {}
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
