"""The messages of the bot protocol, version 1: those we send are made here, those a bot sends are checked here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from terracotta_env.fields import Reader
from terracotta_env.game import Game
from terracotta_env.position import Position

from ..forfeit import BotFault

PROTOCOL: Final = 1
SAFE_INTEGER: Final = (1 << 53) - 1  # the largest that programs whose numbers are all floats keep
NAME_LENGTH: Final = 64
TEXT_LENGTH: Final = 1000
DISTRIBUTION: Final = "terracotta-army"


# what we send ---------------------------------------------------------------------------------------------------------


def encode(message: Mapping[str, Any]) -> bytes:
    """One line."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode() + b"\n"


def program_version() -> str:
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:  # run from a folder that was never installed
        return "unknown"


def hello(game: Game) -> dict[str, Any]:
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "program": DISTRIBUTION,
        "program_version": program_version(),
        "game": game.name,
        "rules": game.rules_version,
    }


def new_game(
    number: int, seat: int, position: Position, seed: int, record: Mapping[str, Any] | None, limits: Mapping[str, float]
) -> dict[str, Any]:
    """The bot's place in a new game; ``record`` is what was set up, without decisions, null where nobody records."""
    told = None if record is None else {key: value for key, value in record.items() if key != "decisions"}
    return {
        "type": "new_game",
        "game": number,
        "seat": seat,
        "players": position.players,
        "seed": seed & SAFE_INTEGER,
        "limits": dict(limits),
        "record": told,
    }


def request(
    number: int, game: int, position: Position, decisions: Sequence[str] | None, legal: Sequence[str], seconds: float
) -> dict[str, Any]:
    return {
        "type": "request",
        "id": number,
        "game": game,
        "seat": position.to_act,
        "seconds": round(seconds, 3),
        "legal": list(legal),
        "decisions": None if decisions is None else list(decisions),
        "snapshot": position.snapshot(),
    }


def game_over(number: int, result: Mapping[str, Any]) -> dict[str, Any]:
    """``result`` holds ``vp``, ``ranking`` and perhaps ``forfeit``; empty where nobody tells."""
    return {
        "type": "game_over",
        "game": number,
        "vp": result.get("vp"),
        "ranking": result.get("ranking"),
        "forfeit": result.get("forfeit"),
    }


def error(fault: BotFault) -> dict[str, Any]:
    return {"type": "error", "reason": fault.reason, "message": fault.detail}


def quit_() -> dict[str, Any]:
    return {"type": "quit"}


# what a bot sends -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """Who a bot is."""

    name: str
    version: int


def shown(text: object, length: int = 80) -> str:
    """Any value in one printable line of bounded length."""
    line = repr(text)
    return line if len(line) <= length else f"{line[: length - 3]}..."


class _Junk(BotFault):
    """What :class:`Reader` raises: a fault whose reason is known."""

    def __init__(self, detail: str) -> None:
        super().__init__("junk", detail)


def decode(line: bytes) -> Reader:
    """A bot's line as a JSON object with a known ``type``; other lines are its fault."""
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise _Junk(f"a line is not UTF-8: {shown(line)}") from None
    except (ValueError, RecursionError):
        raise _Junk(f"a line is not JSON: {shown(line.decode('utf-8'))}") from None
    if not isinstance(value, dict):
        raise _Junk(f"a line is not a JSON object: {shown(value)}")
    message = Reader(value, "", _Junk, "message")
    if "type" not in value:
        raise _Junk("message: type: is missing")
    message["type"].word(("hello", "ready", "answer", "info", "error"))
    return message


def _has(message: Reader, *keys: str) -> None:
    """These fields are there; others are the bot's own affair, so that later versions can add some."""
    for key in keys:
        if key not in message:
            raise _Junk(f"{message['type'].value}: {key}: is missing")


def read_hello(message: Reader) -> Hello:
    """Check a ``hello``."""
    _expect(message, "hello")
    _has(message, "protocol", "name", "version")
    if message["protocol"].value != PROTOCOL or isinstance(message["protocol"].value, bool):
        raise message["protocol"].fail(f"{PROTOCOL}, the protocol spoken here")
    name = message["name"].text()
    if len(name) > NAME_LENGTH or not name.isprintable():
        raise message["name"].fail(f"at most {NAME_LENGTH} printable characters")
    return Hello(name, message["version"].integer(0, SAFE_INTEGER))


def read_ready(message: Reader, game: int) -> None:
    """Check a ``ready`` for that game."""
    _expect(message, "ready")
    _has(message, "game")
    if message["game"].integer(0, SAFE_INTEGER) != game:
        raise message["game"].fail(str(game))


def read_answer(message: Reader, number: int) -> str:
    """The action of the answer to request ``number``; whether it is legal is for the caller to see."""
    _expect(message, "answer")
    _has(message, "id", "action")
    if message["id"].integer(0, SAFE_INTEGER) != number:
        raise message["id"].fail(f"{number}, the request that waits for an answer")
    return message["action"].text()


def _expect(message: Reader, kind: str) -> None:
    if message["type"].value == "error":
        text = message["message"].value if "message" in message else None
        raise BotFault("crash", f"gave up: {shown(text, TEXT_LENGTH)}")
    message["type"].word((kind,))
