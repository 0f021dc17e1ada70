"""One game on the server: its session, every position so far, what was told of it; changed under its lock only.

Knows no game.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from terracotta_env.errors import IllegalActionError
from terracotta_env.position import Position

from ..play.session import NothingToUndoError, Session
from .analyst import Analysis
from .problems import conflict, shown
from .speech import Speech

_KEPT_ANALYSES: Final = 256  # of a game; the oldest go


@dataclass(frozen=True)
class Told:
    """A line of the story: it tells the decisions ``first`` .. ``last - 1``."""

    first: int
    last: int
    text: str


class Live:
    """A game in progress, or a record to step through.

    Args:
        identity: its secret name.
        owner: the visitor whose game it is.
        session: setup and decisions.
        speech: the game's words.
        names: of the players by seat.
        practice: may decisions be taken back, and bots be asked, before the end?
        titles: where the game comes from, for the list of games.

    Attributes:
        lock: held by whoever reads or changes anything here.
        version: grows with every change.
        fault: what stopped the game's bot, if anything did.
        closed: the game is gone; whoever works on it stops.
    """

    def __init__(
        self,
        identity: str,
        owner: str,
        session: Session,
        speech: Speech,
        names: Sequence[str],
        practice: bool = True,
        title: str = "",
    ) -> None:
        self.identity, self.owner = identity, owner
        self.session, self.speech = session, speech
        self.names = list(names)
        self.practice, self.title = practice, title
        self.lock = threading.RLock()
        self.version = 0
        self.fault: str | None = None
        self.closed = threading.Event()
        self.thinking = False  # a bot's turn is in the queue or under way
        self.began = time.time()
        self.touched = time.monotonic()
        self.analyses: OrderedDict[tuple[int, str], Analysis] = OrderedDict()
        self.chances: dict[tuple[int, str], list[float]] = {}
        self._waiters: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self.raw: list[bytes] = []  # the positions before each decision, and now
        self.told: list[Told] = []
        self._tell_all()

    # reading ----------------------------------------------------------------------------------------------------------

    @property
    def own(self) -> int | None:
        """The seat that is called *you*: that of the only person."""
        return self.session.own if len(self.session.people) == 1 else None

    @property
    def decisions(self) -> list[str]:
        return self.session.decisions

    @property
    def over(self) -> bool:
        return self.session.position.over

    @property
    def spare(self) -> bool:
        """May it go to make room: is it over, or has no person decided anything in it?"""
        return self.over or self.session.people.isdisjoint(self.session.deciders)

    @property
    def bot_to_act(self) -> bool:
        """Does the game go on by itself?"""
        return not self.over and not self.session.own_turn and self.fault is None and bool(self.session.bots)

    def check_at(self, at: int | None) -> int:
        """Number of a decision, the current one where none is given.

        Raises:
            ProblemError: the game has no such decision.
        """
        last = len(self.decisions)
        if at is None:
            return last
        if at > last:
            raise conflict(
                "no_such_decision",
                f"at: the game has the decisions 0..{last - 1} and {last} is its present, got {at}",
                f"ask for one in 0..{last}",
                "at",
            )
        return at

    def position(self, at: int) -> Position:
        """A copy of the position before decision ``at``."""
        return Position.from_bytes(self.session.position.game, self.raw[at])

    def check_open(self, what: str) -> None:
        """Bots' advice and taking back are for practice, and for games that are over."""
        if not self.practice and not self.over:
            raise conflict(
                "no_practice",
                f"{what} is for practice games, and for games that are over",
                "finish the game, or begin one with practice",
            )

    # changing ---------------------------------------------------------------------------------------------------------

    def play(self, token: str, at: int) -> None:
        """A person's decision; ``at`` says for which moment it is meant.

        Raises:
            ProblemError: it is meant for another moment, no person is asked, or it is not legal.
        """
        if at != len(self.decisions):
            raise conflict(
                "other_moment",
                f"at: the decision is meant for number {at}, but number {len(self.decisions)} is asked now",
                "look at the game again and decide anew",
                "at",
            )
        if not self.session.own_turn:
            why = "the game is over" if self.over else f"seat {self.session.position.to_act} is played by a bot"
            raise conflict("not_asked", f"no person is asked now: {why}", "wait until a person is asked", "token")
        try:
            self.session.position.action(token)
        except IllegalActionError:
            legal = ", ".join(self.session.position.legal())
            raise conflict(
                "illegal", f"token: {shown(token)} is not legal now: legal are {legal}", "choose a legal one", "token"
            ) from None
        self.advance([token])

    def advance(self, tokens: Sequence[str]) -> None:
        """Make decisions that are legal, whoever makes them."""
        for token in tokens:
            self._tell(self.session.position, token)
            self.session.play(token)
            self._keep()
        self.changed()

    def undo(self) -> int:
        """Take back the last decision of a person and all since; returns how many decisions that were."""
        self.check_open("taking back")
        try:
            taken = self.session.undo()
        except NothingToUndoError:
            raise conflict(
                "nothing_to_undo", "there is no decision of a person to take back", "decide something first"
            ) from None
        self.fault = None
        self._tell_all()
        last = len(self.decisions)
        for key in [key for key in self.analyses if key[0] > last]:
            del self.analyses[key]
        for key in [key for key in self.chances if key[0] > last]:
            del self.chances[key]
        self.changed()
        return taken

    def redo(self) -> None:
        """Make the first decision again that was taken back."""
        self.check_open("taking back")
        try:
            token = self.session.redo()
        except NothingToUndoError:
            raise conflict(
                "nothing_to_redo", "nothing was taken back since the last decision", "decide something new"
            ) from None
        self.advance([token])

    def keep_analysis(self, at: int, analysis: Analysis) -> None:
        self.analyses[at, analysis.analyst] = analysis
        while len(self.analyses) > _KEPT_ANALYSES:
            self.analyses.popitem(last=False)

    def close(self) -> None:
        """The game is gone; waiting requests and work end."""
        self.closed.set()
        self.changed()

    # waiting ----------------------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Wake up who waits for something to happen; from any thread."""
        with self.lock:
            self.version += 1
            waiters = list(self._waiters)
        for loop, event in waiters:
            loop.call_soon_threadsafe(event.set)

    async def wait(self, since: int, seconds: float) -> None:
        """Until the version is above ``since``, the game is gone, or the time is over."""
        event = asyncio.Event()
        waiter = (asyncio.get_running_loop(), event)
        with self.lock:
            self._waiters.add(waiter)
            happened = self.version > since or self.closed.is_set()
        try:
            if not happened:
                async with asyncio.timeout(seconds):
                    await event.wait()
        except TimeoutError:
            pass
        finally:
            with self.lock:
                self._waiters.discard(waiter)

    @property
    def waiters(self) -> int:
        return len(self._waiters)

    # telling ----------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        self.raw.append(self.session.position.to_bytes())

    def _tell_all(self) -> None:
        """The story from the beginning, after something was taken back."""
        self.told, self.raw = [], []
        self._teller = self.speech.teller(self.own, self.names)
        self._first = self._made = 0
        for position, token in self.session.positions(0):
            self.raw.append(position.to_bytes())
            self._tell(position, token)
        self._keep()

    def _tell(self, position: Position, token: str) -> None:
        """A decision that is about to be made."""
        self._teller.add(position, token)
        self._made += 1
        lines = self._teller.finished()
        if position.clone().play(token).over:
            lines += self._teller.lines()
        for line in lines:
            self.told.append(Told(self._first, self._made, line))
        if lines:
            self._first = self._made

    def record(self) -> dict[str, Any]:
        """The record of a game that is over, else the saved game."""
        return self.session.record() if self.over else self.session.saved()
