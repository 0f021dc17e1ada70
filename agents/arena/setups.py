"""The setups of an arena: drawn from a seed, all different, or given by a suite.

Setup K for n players depends on the seed, K and n alone: neither agents nor the number of games change it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from terracotta_env.game import Game
from terracotta_env.policy import stream
from terracotta_env.position import Position

from .schedule import ArenaError

_PATIENCE: Final = 2000  # draws in a row that bring nothing new before a game is taken to have no other setup


def digest_of(value: Any) -> str:
    """Digest of anything JSON can hold."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


class Setups:
    """Positions to start from, by number of players and setup.

    Args:
        game: the rules.
        board: printed data, by name or path.
        seed: draws the setups.
        given: instead of drawn ones, setups as in a record, by number of players.
    """

    def __init__(
        self, game: Game, board: str, seed: int, given: Mapping[int, Sequence[Mapping[str, Any]]] | None = None
    ) -> None:
        self.game, self.board, self.seed, self.given = game, board, seed, given
        self._starts: dict[int, list[Position]] = {}
        self._digests: dict[int, list[str]] = {}
        self._next: dict[int, int] = {}  # the next candidate to draw

    def start(self, players: int, setup: int) -> Position:
        """A fresh position after setup number ``setup``."""
        return self._made(players, setup)[0].clone()

    def digest(self, players: int, setup: int) -> str:
        """Digest of the setup as in a record: equal ones are the same setup."""
        return self._made(players, setup)[1]

    def _made(self, players: int, setup: int) -> tuple[Position, str]:
        starts, digests = self._starts.setdefault(players, []), self._digests.setdefault(players, [])
        while len(starts) <= setup:
            position = self._new(players, set(digests))
            starts.append(position)
            digests.append(digest_of(self.game.notation.setup_of(position.states)))
        return starts[setup], digests[setup]

    def _new(self, players: int, known: set[str]) -> Position:
        if self.given is not None:
            return Position.from_setup(self.game, players, self.given[players][len(known)], self.board)
        first = self._next.get(players, 0)
        for candidate in range(first, first + _PATIENCE):
            self._next[players] = candidate + 1
            position = Position.from_seed(self.game, players, stream(self.seed, players, candidate), self.board)
            if digest_of(self.game.notation.setup_of(position.states)) not in known:
                return position
        raise ArenaError(f"games: no more than {len(known)} different setups for {players} players: ask for fewer")
