"""The addresses of the interface.  Each reads what it is given, asks a game and answers; no rule is in here.

Whose games are meant says the header ``X-Visitor``, a secret that the page draws for itself.  Browsers send no such
header by themselves, so no page from elsewhere can act for a visitor.
"""

from __future__ import annotations

import contextlib
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Path, Query
from starlette.concurrency import run_in_threadpool

from terracotta_env import __version__

from . import models, views
from .live import Live
from .opening import Opener
from .problems import Json, Problem, ProblemError, conflict, shown
from .speech import Speech
from .store import Store
from .thinking import Thinking

MOST_WAIT: Final = 25.0  # seconds that a request waits for a change

Visitor = Annotated[
    str,
    Header(
        alias="X-Visitor",
        pattern=r"^[A-Za-z0-9_-]{22,64}$",
        description="The visitor's secret, drawn by the visitor: at least 128 random bits.",
    ),
]
GamePath = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16}$", description="Secret name of a game.")]
LayoutQuery = Annotated[views.Layout, Query(description="Form of the picture: for screens or for phones.")]
AtQuery = Annotated[int | None, Query(ge=0, le=100_000, description="Number of a decision; the present if not given.")]

_PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        400: "The request cannot be read.",
        403: "The request comes from a page that is not the server's own.",
        404: "There is no such game of this visitor.",
        409: "Not possible at this moment.",
        413: "The body is too large.",
        414: "The address is too long.",
        415: "The body is not said to be JSON.",
        421: "The server is not called by this name.",
        422: "A field cannot be what it is.",
        503: "The server has too much to do.",
    }.items()
}


class Desk:
    """What the addresses need.

    Args:
        store: the games.
        opener: makes games.
        thinking: gives work to the threads.
        speech: the game's words.
        analysts: codes that visitors may name, the first one by default.
        hint: code of the bot that gives hints.
        most_wait: seconds that a request waits for a change at most.
    """

    def __init__(
        self,
        store: Store,
        opener: Opener,
        thinking: Thinking,
        speech: Speech,
        analysts: list[str],
        hint: str,
        most_wait: float = MOST_WAIT,
    ) -> None:
        self.store, self.opener, self.thinking = store, opener, thinking
        self.speech, self.analysts, self.hint, self.most_wait = speech, analysts, hint, most_wait

    def show(self, game: Live, at: int | None, layout: views.Layout, status: int = 200) -> Json:
        """A game at a moment, as an answer; where bots are to act they are told to."""
        return Json(self.view(game, at, layout), status)

    def view(self, game: Live, at: int | None, layout: views.Layout) -> models.View:
        """The same as a model."""
        with contextlib.suppress(ProblemError):  # too much to do: who looks again tries again
            self.thinking.go_on(game)
        with game.lock:
            return views.view(game, game.check_at(at), layout)

    def check_analyst(self, code: str) -> None:
        if code not in self.analysts:
            raise ProblemError(
                422,
                "no_such_analyst",
                f"analyst: expected one of {', '.join(self.analysts)}, got {shown(code)}",
                "choose one of them",
                "analyst",
            )


def make_router(desk: Desk) -> APIRouter:
    """All addresses under ``/api``."""
    router = APIRouter(prefix="/api", responses=_PROBLEMS)
    store, opener, thinking = desk.store, desk.opener, desk.thinking

    @router.get("/about", response_model=models.About)
    async def about() -> models.About:
        """What the server offers: bots, boards, analysts, and the rules in words."""
        return models.About(
            game=opener.game.name,
            version=__version__,
            players=list(opener.game.players),
            boards=list(opener.game.notation.board_names()),
            bots=list(opener.bots),
            analysts=desk.analysts,
            hint=desk.hint,
            rules=[views.help_view(chapter) for chapter in desk.speech.rules],
        )

    # games ------------------------------------------------------------------------------------------------------------

    @router.get("/games", response_model=list[models.GameItem])
    async def games(visitor: Visitor) -> list[models.GameItem]:
        """The visitor's games, the newest first."""
        return [views.item(game) for game in store.of(visitor)]

    @router.post("/games", status_code=201, response_model=models.View)
    def begin(visitor: Visitor, body: models.NewGame, layout: LayoutQuery = "wide") -> Json:
        """Begin a game."""
        game = opener.begin(store.new_identity(), visitor, body.seats, body.seed, body.board, body.practice)
        return _added(game, layout)

    @router.post("/records", status_code=201, response_model=models.View)
    def open_record(visitor: Visitor, body: models.Opened, layout: LayoutQuery = "wide") -> Json:
        """Open a record to step through, or a saved game to go on with."""
        return _added(opener.open(store.new_identity(), visitor, body.record), layout)

    @router.post("/positions", status_code=201, response_model=models.View)
    def open_text(visitor: Visitor, body: models.OpenedText, layout: LayoutQuery = "wide") -> Json:
        """Open a position that was shared as text."""
        return _added(opener.open_text(store.new_identity(), visitor, body.text, body.seats), layout)

    @router.post("/games/{game}/branches", status_code=201, response_model=models.View)
    def branch(visitor: Visitor, game: GamePath, body: models.Branch, layout: LayoutQuery = "wide") -> Json:
        """Begin a new game from a moment of another one."""
        origin = store.get(game, visitor)
        with origin.lock:
            at = origin.check_at(body.at)
            made = opener.branch(store.new_identity(), origin, at, body.seats, body.practice)
        return _added(made, layout)

    def _added(game: Live, layout: views.Layout) -> Json:
        store.add(game)
        return desk.show(game, None, layout, 201)

    @router.get("/games/{game}", response_model=models.View)
    async def look(
        visitor: Visitor,
        game: GamePath,
        at: AtQuery = None,
        layout: LayoutQuery = "wide",
        since: Annotated[int, Query(ge=-1, le=2**53, description="Wait for a version above this one.")] = -1,
        wait: Annotated[float, Query(ge=0, le=MOST_WAIT, description="Seconds to wait at most.")] = 0.0,
    ) -> Json:
        """A game at a moment; with `since` and `wait` only when something has changed."""
        found = store.get(game, visitor)
        if wait and since >= found.version and found.waiters < store.limits.waiting:
            await found.wait(since, min(wait, desk.most_wait))
            found = store.get(game, visitor)
        return await run_in_threadpool(desk.show, found, at, layout)

    @router.delete("/games/{game}", status_code=204)
    def end(visitor: Visitor, game: GamePath) -> None:
        """Forget a game."""
        store.remove(store.get(game, visitor))

    # playing ----------------------------------------------------------------------------------------------------------

    @router.post("/games/{game}/decisions", response_model=models.View)
    def decide(visitor: Visitor, game: GamePath, body: models.Decide, layout: LayoutQuery = "wide") -> Json:
        """Decide for the person who is asked."""
        found = store.get(game, visitor)
        with found.lock:
            found.play(body.token, body.at)
        return desk.show(found, None, layout)

    @router.post("/games/{game}/undo", response_model=models.Taken)
    def undo(visitor: Visitor, game: GamePath, layout: LayoutQuery = "wide") -> models.Taken:
        """Take back the last decision of a person, and all since."""
        found = store.get(game, visitor)
        with found.lock:
            taken = found.undo()
        return models.Taken(taken=taken, view=desk.view(found, None, layout))

    @router.post("/games/{game}/redo", response_model=models.View)
    def redo(visitor: Visitor, game: GamePath, layout: LayoutQuery = "wide") -> Json:
        """Make the decision again that was taken back."""
        found = store.get(game, visitor)
        with found.lock:
            found.redo()
        return desk.show(found, None, layout)

    @router.get("/games/{game}/explanation", response_model=models.Explanation)
    def explain(
        visitor: Visitor,
        game: GamePath,
        token: Annotated[str, Query(min_length=1, max_length=40)],
        at: AtQuery = None,
    ) -> models.Explanation:
        """What a choice would change."""
        found = store.get(game, visitor)
        with found.lock:
            position, own = found.position(found.check_at(at)), found.own
        if position.over or token not in position.legal():
            raise conflict("illegal", f"token: {shown(token)} is not legal here", "choose a legal one", "token")
        lines = desk.speech.explain(position, token, own if own is not None else position.to_act)
        return models.Explanation(token=token, lines=lines)

    @router.post("/games/{game}/hint", response_model=models.HintView)
    async def hint(visitor: Visitor, game: GamePath) -> models.HintView:
        """What a bot would do in the place of the person who is asked."""
        found = store.get(game, visitor)
        with found.lock:
            found.check_open("a hint")
            if not found.session.own_turn:
                raise conflict("not_asked", "no person is asked now", "wait until a person is asked")
            position = found.position(len(found.decisions))
        token = await thinking.hint(found, desk.hint)
        own = found.own if found.own is not None else position.to_act
        return models.HintView(bot=desk.hint, token=token, words=desk.speech.words(position, token, own))

    # looking closer ---------------------------------------------------------------------------------------------------

    @router.post("/games/{game}/analysis", response_model=models.AnalysisView)
    async def analyse(
        visitor: Visitor, game: GamePath, body: models.Look, layout: LayoutQuery = "wide"
    ) -> models.AnalysisView:
        """Candidates, values and chances at a moment."""
        desk.check_analyst(body.analyst)
        found = store.get(game, visitor)
        with found.lock:
            found.check_open("an analysis")
            at = found.check_at(body.at)
            position = found.position(at)
        if position.over:
            raise conflict(
                "over", "the game is over there: nothing is to be decided", "ask for an earlier moment", "at"
            )
        analysis = await thinking.analysis(found, at, body.analyst)
        chances = await thinking.chances(found, at, body.analyst)

        def shown_view() -> models.AnalysisView:
            with found.lock:
                if at >= len(found.raw) or found.raw[at] != position.to_bytes():
                    raise conflict("other_moment", "the game went another way meanwhile", "ask again", "at")
                return views.analysis_view(found, at, analysis, chances, layout)

        return await run_in_threadpool(shown_view)

    @router.post("/games/{game}/chances", response_model=list[models.Chance])
    async def chances(visitor: Visitor, game: GamePath, body: models.LookMany) -> list[models.Chance]:
        """Each seat's chance to win, at several moments."""
        desk.check_analyst(body.analyst)
        found = store.get(game, visitor)
        with found.lock:
            found.check_open("an analysis")
            asked = [found.check_at(at) for at in body.at]
        return [models.Chance(at=at, chances=await thinking.chances(found, at, body.analyst)) for at in asked]

    @router.get("/games/{game}/graph", response_model=models.Graph)
    def graph(visitor: Visitor, game: GamePath, analyst: Annotated[str, Query(max_length=200)] = "") -> models.Graph:
        """Points by decision, turns, rounds, and the chances that are known."""
        found = store.get(game, visitor)
        with found.lock:
            return views.graph(found, analyst)

    # taking away ------------------------------------------------------------------------------------------------------

    @router.get("/games/{game}/record", response_model=dict[str, Any])
    def record(visitor: Visitor, game: GamePath) -> dict[str, Any]:
        """The record of a game that is over; else the saved game."""
        found = store.get(game, visitor)
        with found.lock:
            return found.record()

    @router.get("/games/{game}/text", response_model=models.PositionText)
    def text(visitor: Visitor, game: GamePath, at: AtQuery = None) -> models.PositionText:
        """A moment of the game as text, to be shared."""
        found = store.get(game, visitor)
        with found.lock:
            return models.PositionText(text=opener.text(found, found.check_at(at)))

    return router
