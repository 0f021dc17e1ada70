"""Domination and Presence (R23)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .mausoleum import Statue
from .state import State


@dataclass(frozen=True)
class Outcome:
    """Who dominates, if anybody, and who is merely present."""

    dominating: int | None
    present: list[int]


def leader(amounts: list[int], among: Iterable[int]) -> int | None:
    """The single seat with the most, None in a tie."""
    seats = list(among)
    most = max(amounts[seat] for seat in seats)
    leading = [seat for seat in seats if amounts[seat] == most]
    return leading[0] if len(leading) == 1 else None


def decide(amounts: list[int], archers: list[int] | None = None) -> Outcome:
    """Settle a contest; archers, if they have a say, break ties for the most."""
    taking_part = [seat for seat, amount in enumerate(amounts) if amount > 0]
    if not taking_part:
        return Outcome(None, [])
    most = max(amounts)
    tied = [seat for seat in taking_part if amounts[seat] == most]
    if len(tied) == 1:
        winner: int | None = tied[0]
    else:
        winner = None if archers is None else leader(archers, tied)
    return Outcome(winner, [seat for seat in taking_part if seat != winner])


def count_owners(state: State, warriors: Iterable[Statue]) -> list[int]:
    """Warriors by seat."""
    counts = [0] * len(state.players)
    for warrior in warriors:
        assert warrior.owner is not None
        counts[warrior.owner] += 1
    return counts


def decide_warriors(state: State, warriors: list[Statue]) -> Outcome:
    """A contest of warriors; only archers facing one of these count (R23)."""
    faced = [state.mausoleum.faced_by(a) for a in state.mausoleum.of_kind("archer")]
    # A warrior appears once per archer that faces it.
    backed = [warrior for warrior in faced if warrior and warrior in warriors]
    return decide(count_owners(state, warriors), count_owners(state, backed))


def warriors_where(state: State, test: Callable[[Statue], bool]) -> list[Statue]:
    """All warriors that pass a test, each once (R24)."""
    return [warrior for warrior in state.mausoleum.warriors() if test(warrior)]


def award(state: State, outcome: Outcome, source: str, domination: int, presence: int) -> None:
    """Give out the points of a contest; domination excludes presence."""
    if outcome.dominating is not None:
        state.players[outcome.dominating].score(source, domination)
    for seat in outcome.present:
        state.players[seat].score(source, presence)
