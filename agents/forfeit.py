"""A bot's fault that ends its game, and the ranking that follows from it.  For everything that plays games.

The forfeit rule, for any number of players: the first fault ends the game; the offender takes the last rank, the others
keep their order by points at that moment, ties settled by the turn order at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from terracotta_env.errors import PolicyError

if TYPE_CHECKING:
    from terracotta_env.position import Position

REASONS: Final = ("crash", "timeout", "illegal", "junk", "flood")
VERSION: Final = 1


class BotFault(PolicyError):  # noqa: N818  a fault in the sense of the rules of play, as in tennis
    """A bot's fault that costs it the game.

    Attributes:
        reason: one of :data:`REASONS`.
        detail: what happened, in one line.
        bot: its name.
        seat: its place in the game.
        stderr: the last it wrote to standard error.
    """

    def __init__(self, reason: str, detail: str, bot: str = "", seat: int | None = None, stderr: str = "") -> None:
        super().__init__(reason, detail, bot, seat, stderr)
        self.reason, self.detail, self.bot, self.seat, self.stderr = reason, detail, bot, seat, stderr

    def __str__(self) -> str:
        who = f"bot {self.bot}" if self.bot else "bot"
        return f"{who}{'' if self.seat is None else f' in seat {self.seat}'}: {self.reason}: {self.detail}"


def forfeit_ranking(position: Position, offender: int) -> list[int]:
    """Seats, best first, of a game that ``offender`` ended by a fault at ``position``."""
    if not 0 <= offender < position.players:
        raise ValueError(f"offender: expected a seat 0..{position.players - 1}, got {offender!r}")
    points, order = position.points(), position.game.notation.turn_order(position.states)
    others = [seat for seat in order if seat != offender]
    return [*sorted(others, key=lambda seat: -points[seat]), offender]


def forfeit_result(position: Position, fault: BotFault) -> dict[str, Any]:
    """``vp``, ``ranking`` and ``forfeit`` of a game that ``fault`` ended at ``position``."""
    offender = fault.seat if fault.seat is not None else position.to_act
    assert offender is not None
    return {
        "vp": position.points(),
        "ranking": forfeit_ranking(position, offender),
        "forfeit": {"seat": offender, "reason": fault.reason, "message": fault.detail},
    }


def forfeit_record(position: Position, fault: BotFault) -> dict[str, Any]:
    """A forfeited game as JSON: its record up to the fault, with the result in place of that of a whole game.

    It has a format of its own, since records hold whole games: ``vp`` are points at the moment of the fault.
    """
    record: Mapping[str, Any] = fault.record or {}
    end = forfeit_result(position, fault)
    if fault.stderr:
        end["forfeit"]["stderr"] = fault.stderr
    return {**record, "format": forfeit_format(position.game.name), "version": VERSION, **end}


def forfeit_format(game: str) -> str:
    """The word in the ``format`` field of a forfeited game."""
    return f"{game}-forfeit"
