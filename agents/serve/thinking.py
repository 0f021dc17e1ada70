"""The work of threads: a bot's turn, a hint, an analysis, chances to win.  Knows no game.

Work never holds a game's lock while it thinks.  It takes what it needs, thinks on copies, and what it found is taken
only if the game is still where it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from terracotta_env.errors import TerracottaError
from terracotta_env.policy import Policy, ask, stream

from .analyst import Analysis, StoppedError, make_analyst
from .live import Live
from .problems import ProblemError
from .workers import Shelf, Urgency, Workers

Made = TypeVar("Made")
_LOG: Final = logging.getLogger(__name__)
_SECONDS: Final = 60.0  # that a request waits for its work at most


class Thinking:
    """Gives work to the threads.

    Args:
        workers: the threads.
        make: makes the bot of a code.
        make_analyst: makes the analyst of a code.
    """

    def __init__(
        self, workers: Workers, make: Callable[[str], Policy], make_analyst: Callable[[str], Any] = make_analyst
    ) -> None:
        self.workers = workers
        self._make, self._make_analyst = make, make_analyst

    # bots -------------------------------------------------------------------------------------------------------------

    def go_on(self, game: Live) -> None:
        """Have the bots' next turn played, where one is due and not on its way."""
        with game.lock:
            if game.thinking or not game.bot_to_act or game.closed.is_set():
                return
            game.thinking = True
        try:
            self.workers.submit(Urgency.TURN, lambda shelf: self._turn(game, shelf))
        except ProblemError:
            game.thinking = False  # whoever looks at the game next tries again
            raise

    def _turn(self, game: Live, shelf: Shelf) -> None:
        """One bot's turn.  The next one queues up again, so that all games go on alike."""
        try:
            self._play_turn(game, shelf)
        except TerracottaError as error:
            game.fault = str(error).splitlines()[0]
            game.changed()
        except Exception as error:
            _LOG.exception("a bot's turn failed")
            game.fault = f"the bot failed: {error!r}"
            game.changed()
        finally:
            game.thinking = False
        with contextlib.suppress(ProblemError):
            self.go_on(game)

    def _play_turn(self, game: Live, shelf: Shelf) -> None:
        with game.lock:
            if game.closed.is_set() or not game.bot_to_act:
                return
            session = game.session
            if session.undone:  # what was played before it was taken back
                seat = session.position.to_act
                while session.undone and not game.over and session.position.to_act == seat:
                    game.advance([session.undone[0]])
                return
            seat = session.position.to_act
            assert seat is not None
            version, code, turn = game.version, session.agents[seat], session.turn_start()
            position, before = game.position(turn), session.decisions[turn:]
        bot: Policy = shelf.get("bot", code, self._make)
        bot.begin(stream(session.seed, turn, seat))  # as `terracotta play` does: the same game brings the same answers
        for token in before:  # a turn that was begun: bring the bot to where it was
            if ask(bot, position) != position.action(token):
                break
            position.play(token)
        position, played = game.position(turn + len(before)), []
        while position.to_act == seat:
            if self._unwanted(game):
                return
            played.append(position.game.tokens[ask(bot, position)])
            position.play(played[-1])
        with game.lock:
            if game.version == version and not game.closed.is_set():
                game.advance(played)

    def _unwanted(self, game: Live) -> bool:
        return game.closed.is_set() or self.workers.stopping.is_set()

    # answers to requests ----------------------------------------------------------------------------------------------

    async def hint(self, game: Live, code: str) -> str:
        """The decision that a bot would make in the place of whoever is asked."""
        with game.lock:
            version, at = game.version, len(game.decisions)
            position, seed = game.position(at), game.session.seed

        def work(shelf: Shelf) -> str:
            bot: Policy = shelf.get("bot", code, self._make)
            bot.begin(stream(seed, at, HINT_STREAM))
            return position.game.tokens[ask(bot, position)]

        token = await self._answer(game, Urgency.TURN, work)
        if game.version != version:
            raise ProblemError(409, "other_moment", "the game went on meanwhile", "ask again")
        return token

    async def analysis(self, game: Live, at: int, code: str) -> Analysis:
        """What the analyst thinks of the position before decision ``at``, which is not the end."""
        with game.lock:
            known = game.analyses.get((at, code))
            position, version = game.position(at), game.raw[at]
        if known is not None:
            return known

        def work(shelf: Shelf) -> Analysis:
            found: Analysis = shelf.get("analyst", code, self._make_analyst).analyse(
                position, lambda: self._unwanted(game)
            )
            return found

        found = await self._answer(game, Urgency.ANALYSIS, work)
        with game.lock:
            if at < len(game.raw) and game.raw[at] == version:
                game.keep_analysis(at, found)
        return found

    async def chances(self, game: Live, at: int, code: str) -> list[float]:
        """Each seat's chance to win before decision ``at``."""
        with game.lock:
            known = game.chances.get((at, code))
            position, version = game.position(at), game.raw[at]
        if known is not None:
            return known

        def work(shelf: Shelf) -> list[float]:
            found: list[float] = shelf.get("analyst", code, self._make_analyst).chances(
                position, lambda: self._unwanted(game)
            )
            return found

        found = await self._answer(game, Urgency.GRAPH, work)
        with game.lock:
            if at < len(game.raw) and game.raw[at] == version:
                game.chances[at, code] = found
        return found

    async def _answer(self, game: Live, urgency: Urgency, work: Callable[[Shelf], Made]) -> Made:
        """Let a thread work and wait for it, without keeping a thread of the server."""
        future: Future[Made] = Future()

        def run(shelf: Shelf) -> None:
            if not future.set_running_or_notify_cancel():
                return  # nobody waits any more
            if self._unwanted(game):
                future.set_exception(StoppedError())
                return
            try:
                future.set_result(work(shelf))
            except Exception as error:
                future.set_exception(error)

        self.workers.submit(urgency, run)
        try:
            async with asyncio.timeout(_SECONDS):
                return await asyncio.wrap_future(future)
        except StoppedError:
            raise ProblemError(409, "ended", "the game ended while it was looked at", "begin another game") from None
        except TimeoutError:
            raise ProblemError(
                503, "busy", f"it was not done within {_SECONDS:g} seconds", "try again in a few seconds"
            ) from None
        except TerracottaError as error:
            if isinstance(error, ProblemError):
                raise
            raise ProblemError(
                409, "bot_failed", str(error).splitlines()[0], "ask another bot; the operator has to look at this one"
            ) from None


HINT_STREAM: Final = 99  # of the seeds of hints, as in `terracotta play`: no seat has this number
