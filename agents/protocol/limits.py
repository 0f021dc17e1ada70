"""How long a bot may take and how much it may write."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """Limits of one bot; documented in ``docs/protocol.md``.

    Attributes:
        start: seconds from the start of its process to its ``hello``, and from ``new_game`` to ``ready``.
        answer: seconds from a request to its answer.
        game: seconds for all answers of a game together.
        quit: seconds from ``quit`` to its end, before it is sent SIGTERM.
        term: seconds from SIGTERM to SIGKILL.
        line: bytes of one message of the bot.
        output: bytes it may write from one thing it is asked to the next, on standard output and error each.
    """

    start: float = 30.0
    answer: float = 10.0
    game: float = 600.0
    quit: float = 1.0
    term: float = 0.5
    line: int = 1 << 16
    output: int = 1 << 20

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not value > 0:
                raise ValueError(f"{field.name}: expected a number above 0, got {value!r}")


DEFAULT_LIMITS = Limits()
