"""All games on the server: whose they are, how many there may be, when they are forgotten.  Knows no game."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass

from .live import Live
from .problems import ProblemError, conflict, not_found


@dataclass(frozen=True)
class Limits:
    """How much the server takes on.

    Attributes:
        games: at the same time, of all visitors.
        own_games: of one visitor; a new one takes the place of the one left alone longest among those that are over or
            that nobody has played in.
        idle_seconds: after which a game that nobody looks at is forgotten.
        waiting: requests that may wait for a change of one game.
    """

    games: int = 200
    own_games: int = 12
    idle_seconds: float = 4 * 3600.0
    waiting: int = 8


class Store:
    """The games by their secret names.

    Args:
        limits: how many.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._games: dict[str, Live] = {}
        self._lock = threading.Lock()

    def new_identity(self) -> str:
        """Nobody can guess it, or count the others by it."""
        return secrets.token_urlsafe(12)

    def add(self, game: Live) -> None:
        """Take in a new game.

        Raises:
            ProblemError: 409, all of the visitor's games are under way; 503, the server is full.
        """
        self.forget_idle()
        gone: Live | None = None
        with self._lock:
            own = [other for other in self._games.values() if other.owner == game.owner]
            if len(own) >= self.limits.own_games:
                gone = min((other for other in own if other.spare), key=lambda other: other.touched, default=None)
                if gone is None:
                    raise conflict(
                        "own_games",
                        f"{len(own)} of your games are under way: expected at most {self.limits.own_games}",
                        "end or forget one of them",
                    )
                del self._games[gone.identity]
            elif len(self._games) >= self.limits.games:
                raise ProblemError(
                    503,
                    "full",
                    f"the server holds {len(self._games)} games: expected fewer",
                    "end a game that you no longer need, or try again later",
                )
            self._games[game.identity] = game
        if gone is not None:
            gone.close()

    def get(self, identity: str, owner: str) -> Live:
        """A visitor's own game.

        Raises:
            ProblemError: 404, there is none, or it is somebody else's.
        """
        with self._lock:
            game = self._games.get(identity)
        if game is None or not secrets.compare_digest(game.owner, owner):
            raise not_found(identity)
        game.touched = time.monotonic()
        return game

    def of(self, owner: str) -> list[Live]:
        """A visitor's games, the newest first."""
        with self._lock:
            own = [game for game in self._games.values() if game.owner == owner]
        return sorted(own, key=lambda game: -game.began)

    def remove(self, game: Live) -> None:
        """Forget a game and stop what is done for it."""
        with self._lock:
            self._games.pop(game.identity, None)
        game.close()

    def forget_idle(self) -> None:
        """Games that were left alone are closed."""
        now = time.monotonic()
        with self._lock:
            gone = [game for game in self._games.values() if now - game.touched > self.limits.idle_seconds]
            for game in gone:
                del self._games[game.identity]
        for game in gone:
            game.close()

    def close(self) -> None:
        """Forget all."""
        with self._lock:
            games, self._games = list(self._games.values()), {}
        for game in games:
            game.close()

    def __len__(self) -> int:
        return len(self._games)
