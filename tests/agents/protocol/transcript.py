"""The transcript in ``docs/protocol.md``: what is said in a real game, shortened.

``python -m tests.agents.protocol.transcript`` prints it, and a test compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from terracotta_agents.protocol.agent import ExternalBot
from terracotta_agents.protocol.process import BotProcess
from terracotta_env.army import GAME
from terracotta_env.policy import Uniform

from .playing import EXAMPLES, play

SEED = 7
REQUESTS_SHOWN = 2
VALUES_SHOWN = 4  # of a list of tokens
DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"


def overheard() -> list[tuple[str, dict[str, Any]]]:
    """``(">" to the bot or "<" from it, message)`` of a game of the example bot in Python against random."""
    said: list[tuple[str, dict[str, Any]]] = []
    send, receive = BotProcess.send, BotProcess.receive

    def log_send(process: BotProcess, line: bytes, deadline: float) -> None:
        said.append((">", json.loads(line)))
        send(process, line, deadline)

    def log_receive(process: BotProcess, deadline: float) -> bytes:
        line = receive(process, deadline)
        said.append(("<", json.loads(line)))
        return line

    with (
        patch.object(BotProcess, "send", log_send),
        patch.object(BotProcess, "receive", log_receive),
        ExternalBot([sys.executable, "-I", "-S", str(EXAMPLES / "bot.py")], GAME) as bot,
    ):
        play(GAME, [bot, Uniform()], SEED)
    return said


def shortened(message: Mapping[str, Any]) -> str:
    """A message on one line; snapshots and long lists cut where three dots stand."""
    text = {}
    for key, value in message.items():
        if key == "snapshot":
            text[key] = "{...}"
        elif isinstance(value, list) and len(value) > VALUES_SHOWN and isinstance(value[0], str):
            text[key] = json.dumps(value[:VALUES_SHOWN])[:-1] + ", ...]"
        else:
            text[key] = json.dumps(value)
    return "{" + ", ".join(f'"{key}": {value}' for key, value in text.items()) + "}"


def transcript() -> str:
    """The beginning and the end of that game."""
    said = overheard()
    requests = [k for k, (_, message) in enumerate(said) if message["type"] == "request"]
    middle = requests[REQUESTS_SHOWN]
    lines = [f"{who} {shortened(message)}" for who, message in said]
    return "\n".join([*lines[:middle], "...", *lines[requests[-1] :]])


if __name__ == "__main__":
    print(transcript())
