"""Both implementations side by side through one game, and what a difference between them is.

After every decision the legal sets and the positions are compared (flat.py); the snapshots in full at the start, after
every few decisions, after every round and at the end, there with points and ranking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress
from random import Random
from typing import Any

import numpy as np

from terracotta_env.army import GAME
from terracotta_env.entry import legal_at, step_at
from terracotta_env.errors import TerracottaError
from terracotta_env.position import Position
from tests.agents.games import printed
from tests.fuzz.flat import fields_that_differ, flat_engine, flat_reference
from tests.fuzz.players import Player
from tests.reference import Game

EVERY = 24  # decisions from one comparison of whole snapshots to the next

_ORDER = np.array(sorted(range(GAME.actions), key=lambda action: GAME.tokens[action]))
_SORTED = [GAME.tokens[action] for action in _ORDER]
_ID = {token: action for action, token in enumerate(GAME.tokens)}


class DifferenceError(AssertionError):
    """What the two say differently.

    Attributes:
        where: the place in the snapshot, seats and spaces left out: what is kept while a failing case is made smaller.
        decisions: tokens played from the start up to there.
    """

    def __init__(self, where: str, what: str, decisions: list[str]) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where
        self.what = what
        self.decisions = decisions


class Pair:
    """One game in both implementations.

    Args:
        start: ``{"snapshot": ...}`` of the start of a turn, or ``{"board": ..., "players": ..., "setup": ...}``.
        position: what the engine has already made of the start; it moves on with the game.
    """

    def __init__(self, start: Mapping[str, Any], position: Position | None = None) -> None:
        self.decisions: list[str] = []
        if "snapshot" in start:
            snapshot = start["snapshot"]
            self.position = position or self._engine(Position.from_snapshot, GAME, snapshot)
            self.game = self._second(Game.from_snapshot, printed(snapshot["board"]), snapshot)
        else:
            board, players, setup = start["board"], start["players"], start["setup"]
            self.position = position or self._engine(Position.from_setup, GAME, players, setup, board)
            self.game = self._second(Game.from_setup, printed(board), players, setup)
        self.mask = np.empty(GAME.actions, np.int8)
        legal_at(self.position.states, 0, self.mask)
        self.legal: list[str] = []
        self.compare(whole=True)

    def _engine(self, make: Any, *arguments: Any) -> Any:
        try:
            return make(*arguments)
        except TerracottaError as error:
            raise DifferenceError("refused", f"by the engine: {error}", self.decisions) from None

    def _second(self, make: Any, *arguments: Any) -> Any:
        """Call the second implementation; whatever it stumbles over is a difference."""
        try:
            return make(*arguments)
        except Exception as error:
            kind = type(error).__name__
            raise DifferenceError(f"error.{kind}", f"the second implementation: {error}", self.decisions) from error

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def at_turn_start(self) -> bool:
        """Is a turn about to begin?  (With less than two coins its first question is where to place.)"""
        first = self.legal[0] if self.legal else ""
        after_rotation = bool(self.decisions) and self.decisions[-1].startswith("rotate:")
        return first.startswith("rotate:") or (first.startswith("place:") and not after_rotation)

    def play(self, token: str) -> None:
        """Do a decision that is legal in both, and compare what comes of it."""
        before = self.game.state.round
        self.decisions.append(token)
        self._second(self.game.apply, token)
        step_at(self.position.states, 0, _ID[token], self.mask)
        new_round = self.game.state.round != before
        self.compare(whole=new_round or self.game.over or len(self.decisions) % EVERY == 0)

    def compare(self, whole: bool = False) -> None:
        """Raise :class:`DifferenceError` where the two are not alike."""
        self.legal = self.game.legal()
        same = flat_engine(self.position.states) == flat_reference(self.game.state)
        legal = list(compress(_SORTED, self.mask[_ORDER].tolist()))
        if same and legal == self.legal and not whole:
            return
        for where, what in differences(self.position, self.game):
            raise DifferenceError(where, what, self.decisions)
        if not same:
            fields = fields_that_differ(flat_engine(self.position.states), flat_reference(self.game.state))
            raise DifferenceError("flat", f"{fields} differ though the snapshots agree", self.decisions)


def differences(position: Position, game: Game) -> Iterator[tuple[str, str]]:
    """Everything that the two say differently: where, with seats and spaces left out, and what."""
    if position.over != game.over:
        yield "over", f"engine {position.over}, second {game.over}"
        return
    ours, theirs = position.snapshot(), game.snapshot()
    yield from _unlike(ours, theirs, "", "")
    if position.legal() != game.legal():
        mine, other = set(position.legal()), set(game.legal())
        yield "legal", f"engine only {sorted(mine - other)}, second only {sorted(other - mine)}"
    if position.points() != game.vp():
        yield "vp", f"engine {position.points()}, second {game.vp()}"
    if position.over and position.ranking() != game.ranking():
        yield "ranking", f"engine {position.ranking()}, second {game.ranking()}"


def _unlike(ours: Any, theirs: Any, where: str, path: str) -> Iterator[tuple[str, str]]:
    """The differing leaves of two JSON values; totals (``vp``) come after what they are made of."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        for key in sorted(ours, key=lambda key: key == "vp"):
            if path or key != "pending":
                step = "" if key.isdecimal() else f".{key}"
                yield from _unlike(ours[key], theirs[key], f"{where}{step}", f"{path}.{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _unlike(one, other, where, f"{path}[{i}]")
    elif type(ours) is not type(theirs) or ours != theirs:
        yield where.lstrip("."), f"{path.lstrip('.')}: engine {ours!r}, second {theirs!r}"


def play_on(pair: Pair, player: Player, rng: Random, turns: int | None = None) -> int:
    """Play to the end of the game; with ``turns``, to the end of the round or for so many turns.  Returns decisions."""
    game = pair.game
    first_round = game.state.round
    while not game.over:
        if turns is not None and pair.at_turn_start:
            if game.state.round != first_round or turns == 0:
                break
            turns -= 1
        pair.play(player(rng, game, pair.position.states, pair.legal))
    return len(pair.decisions)
