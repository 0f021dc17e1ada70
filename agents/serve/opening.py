"""Games from what visitors send: new ones, records, saved games, positions as text.  Knows no game.

Nothing that comes from outside opens a file or starts a program: bots are those that the operator allows, boards those
that come with the game, or their content.
"""

from __future__ import annotations

import base64
import binascii
import json
import secrets
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from terracotta_env.errors import RecordError, SetupError
from terracotta_env.game import Game
from terracotta_env.policy import Policy
from terracotta_env.position import Position
from terracotta_env.record import format_of, start_of, verify

from ..play.session import PERSON, Session, save_format, session_of
from .live import Live
from .problems import ProblemError, conflict, shown
from .speech import Speech
from .views import shown_name

TEXT_HEAD: Final = "terracotta-position"
TEXT_VERSION: Final = "1"
_MOST_UNPACKED: Final = 1 << 18  # bytes that a text may hold when unpacked


@dataclass(frozen=True)
class Opener:
    """Makes games.

    Attributes:
        game: the rules.
        speech: its words.
        bots: codes that visitors may name.
        make: makes the bot of a code.
    """

    game: Game
    speech: Speech
    bots: Sequence[str]
    make: Callable[[str], Policy]

    def begin(self, identity: str, owner: str, seats: Sequence[str], seed: int | None, board: str | None,
              practice: bool) -> Live:  # fmt: skip
        """A new game."""
        self._check_seats(seats, "seats")
        self._check_board(board, "board")
        if seed is None:
            seed = secrets.randbelow(1 << 32)  # short enough to be noted down
        start = Position.from_seed(self.game, len(seats), seed, board)
        session = Session(start, seats, seed, make=self.make)
        return self._live(identity, owner, session, practice, f"seed {seed}")

    def open(self, identity: str, owner: str, record: Mapping[str, Any]) -> Live:
        """A record to step through, or a saved game to go on with."""
        self._check_board_of(record)
        word = record.get("format")
        if word == save_format(self.game):
            return self._saved(identity, owner, record)
        if word != format_of(self.game):
            raise RecordError(
                f"record: format: expected {format_of(self.game)!r} or {save_format(self.game)!r}, got {shown(word)}"
            )
        # the trace is what a program said of the game while it was played; the decisions say it all
        bare = {key: value for key, value in record.items() if key != "trace"}
        verify(self.game, bare)
        names = record.get("agents") or [f"player {seat}" for seat in range(record["players"])]
        return self._watched(identity, owner, bare, [shown_name(name) for name in names], "record")

    def _saved(self, identity: str, owner: str, record: Mapping[str, Any]) -> Live:
        agents = record.get("agents")
        if isinstance(agents, list):
            self._check_seats(agents, "record.agents", range(1, 17))
        session = session_of(self.game, record, "saved game", max(self.game.players), self.make)
        return self._live(identity, owner, session, True, "saved game")

    def _watched(self, identity: str, owner: str, record: Mapping[str, Any], names: Sequence[str], title: str) -> Live:
        """A game that nobody plays on."""
        start = start_of(self.game, record, whole=False)
        session = _Watched(start, names, record["decisions"])
        return Live(identity, owner, session, self.speech, names, True, title)

    def branch(self, identity: str, origin: Live, at: int, seats: Sequence[str], practice: bool) -> Live:
        """A new game from a moment of another one; to be called under its lock."""
        start = origin.session.start
        if len(seats) != start.players:
            raise _other_players(start, seats)
        self._check_seats(seats, "seats")
        session = Session(start.clone(), seats, secrets.randbelow(1 << 32), origin.decisions[:at], self.make)
        return self._live(identity, origin.owner, session, practice, f"from decision {at}")

    # positions as text ------------------------------------------------------------------------------------------------

    def text(self, game: Live, at: int) -> str:
        """The position before decision ``at``, and how it came about, as one word of text."""
        saved = game.session.saved()
        kept = {key: saved[key] for key in ("rules", "board", "board_data", "players", "setup") if key in saved}
        content = json.dumps([kept, game.decisions[:at]], separators=(",", ":")).encode()
        packed = base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")
        return f"{TEXT_HEAD}-{TEXT_VERSION}:{packed}"

    def open_text(self, identity: str, owner: str, text: str, seats: Sequence[str] | None) -> Live:
        """The game that a text holds, to be looked at or, with ``seats``, played on."""
        kept, decisions = _unpacked("".join(text.split()))
        self._check_board_of(kept)
        record = {**kept, "format": format_of(self.game), "version": 1, "decisions": decisions}
        start = start_of(self.game, record, whole=False)
        _replayed(start, decisions)
        if seats is None:
            names = [f"player {seat}" for seat in range(start.players)]
            return self._watched(identity, owner, record, names, "shared position")
        if len(seats) != start.players:
            raise _other_players(start, seats)
        self._check_seats(seats, "seats")
        session = Session(start, seats, secrets.randbelow(1 << 32), decisions, self.make)
        return self._live(identity, owner, session, True, "shared position")

    # checks -----------------------------------------------------------------------------------------------------------

    def _live(self, identity: str, owner: str, session: Session, practice: bool, title: str) -> Live:
        return Live(identity, owner, session, self.speech, self.speech.names(session.agents), practice, title)

    def _check_seats(self, seats: Sequence[Any], where: str, allowed: Sequence[int] | None = None) -> None:
        known = [PERSON, *self.bots]
        for index, code in enumerate(seats):
            if code not in known:
                raise ProblemError(
                    422,
                    "no_such_bot",
                    f"{where}[{index}]: expected one of {', '.join(known)}, got {shown(code)}",
                    "choose one of them; whoever runs the server can allow more with --bots",
                    f"{where}[{index}]",
                )
        numbers = self.game.players if allowed is None else allowed
        if len(seats) not in numbers:
            raise ProblemError(
                422,
                "invalid",
                f"{where}: the game is for {', '.join(map(str, numbers))} players, got {len(seats)}",
                "name one for each seat",
                where,
            )

    def _check_board(self, board: object, where: str) -> None:
        """Names only: others would be read as paths."""
        names = list(self.game.notation.board_names())
        if board is not None and board not in names:
            raise ProblemError(
                422,
                "no_such_board",
                f"{where}: expected one of {', '.join(names)}, got {shown(board)}",
                "choose one of them",
                where,
            )

    def _check_board_of(self, record: Mapping[str, Any]) -> None:
        if "board_data" not in record:
            self._check_board(record.get("board", ""), "record.board")


class _Watched(Session):
    """A session without anybody who plays on: its players are names only."""

    def __init__(self, start: Position, names: Sequence[str], decisions: Sequence[str]) -> None:
        super().__init__(start, [PERSON] * len(names), 0, decisions)
        self.people, self.own = frozenset(), None
        self.agents = list(names)

    def record(self) -> dict[str, Any]:
        return {**super().record(), "agents": self.agents}

    def saved(self) -> dict[str, Any]:
        return {**super().saved(), "agents": [PERSON] * self.start.players}  # whoever opens it may play on


def _other_players(start: Position, seats: Sequence[str]) -> ProblemError:
    came = f"seats: the game is of {start.players} players, got {len(seats)} seats"
    return conflict("other_players", came, "name one for each seat", "seats")


def _replayed(start: Position, decisions: Sequence[str]) -> None:
    position = start.clone()
    for index, token in enumerate(decisions):
        if position.over or token not in position.legal():
            raise RecordError(f"text: decision {index} ({shown(token)}) is not legal")
        position.play(token)


def _unpacked(text: str) -> tuple[dict[str, Any], list[str]]:
    """What a text holds; nothing of it is trusted."""
    head, separator, packed = text.partition(":")
    if not separator or head != f"{TEXT_HEAD}-{TEXT_VERSION}":
        raise SetupError(f"text: expected it to begin with {TEXT_HEAD}-{TEXT_VERSION}:, got {shown(text[:60])}")
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(raw, _MOST_UNPACKED)
        if unpacker.unconsumed_tail:
            raise SetupError(f"text: holds more than {_MOST_UNPACKED} bytes: no position is that long")
        kept, decisions = json.loads(content)
    except (binascii.Error, zlib.error, ValueError, TypeError, RecursionError) as error:
        if isinstance(error, SetupError):
            raise
        raise SetupError("text: is cut off or changed: copy the whole text again") from None
    if not isinstance(kept, dict) or not isinstance(decisions, list):
        raise SetupError("text: is cut off or changed (expected a table and a list)")
    unknown = set(kept) - {"rules", "board", "board_data", "players", "setup"}
    if unknown:
        raise SetupError(f"text: unknown key {shown(sorted(unknown)[0])}")
    return kept, decisions
