"""How a game ended: ranks with ties, and the ruling for one that an agent could not finish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Forfeit:
    """An agent that failed.

    Attributes:
        seat: where it sat.
        reason: what happened, one line.
        decision: number of decisions that had been made in the game.
    """

    seat: int
    reason: str
    decision: int

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        return {"seat": self.seat, "agent": names[self.seat], "reason": self.reason, "decision": self.decision}


def ranks(payoffs: Sequence[float]) -> list[float]:
    """Rank of each seat, 1 = best; equal payoffs share the mean of their ranks."""
    return [
        1 + sum(other > own for other in payoffs) + (sum(other == own for other in payoffs) - 1) / 2 for own in payoffs
    ]


def win_credit(by_seat: Sequence[float]) -> list[float]:
    """1 for the first, shared equally where several are."""
    best = min(by_seat)
    winners = sum(rank == best for rank in by_seat)
    return [1 / winners if rank == best else 0.0 for rank in by_seat]
