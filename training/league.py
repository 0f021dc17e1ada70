"""Who sits opposite the learner: itself, frozen past selves and bots, drawn by how hard they are to beat.

An opponent is a number; 0 is the learner as it is now.  Games hold numbers, fixed for the whole game, so nobody is
replaced in the middle of one; a past self that left the league lives on until its last game has ended.

Source: prioritised fictitious self-play, Vinyals et al. 2019 (AlphaStar).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from .opponents import RowPolicy

LEARNER: Final = 0
PAST: Final = "past"
HALF_LIFE: Final = 200  # games after which an old result counts half


@dataclass
class Member:
    """One opponent.

    Attributes:
        name: a bot's, or ``past`` and the number of the update it was frozen at.
        policy: decides for it.
        weight: of its kind, before its strength is looked at.
        share: how often the learner ended before it, 0..1, recent games first; one half while unknown.
        games: finished games against it.
    """

    name: str
    policy: RowPolicy
    weight: float
    share: float = 0.5
    games: int = 0

    @property
    def frozen(self) -> bool:
        return self.name.startswith(PAST)

    def note(self, score: float) -> None:
        """A game has ended: 1 = the learner ended before it, 0 = after it, one half = level."""
        self.games += 1
        step = max(1 - 0.5 ** (1 / HALF_LIFE), 1 / (self.games + 1))  # a mean at first, the guess counts as one game
        self.share += step * (score - self.share)


@dataclass
class League:
    """The opponents and their drawing.

    Args:
        bots: policy and weight of each bot by name.
        past_weight: of all past selves together.
        size: most past selves kept; the one beaten most often goes.
        power: how much more often hard opponents are drawn: weight times (1 - share) to this power; 0 = evenly.
        floor: smallest value of 1 - share, so that nobody is forgotten.
    """

    bots: Mapping[str, tuple[RowPolicy, float]]
    past_weight: float
    size: int
    power: float = 1.0
    floor: float = 0.05
    members: dict[int, Member] = field(default_factory=dict)
    retired: dict[int, Member] = field(default_factory=dict)
    next_number: int = 1

    def __post_init__(self) -> None:
        for name, (policy, weight) in self.bots.items():
            if weight > 0:
                self._enter(Member(name, policy, weight))

    def _enter(self, member: Member) -> int:
        number = self.next_number
        self.members[number] = member
        self.next_number += 1
        return number

    def frozen(self) -> list[int]:
        """Numbers of the past selves, oldest first."""
        return [number for number, member in self.members.items() if member.frozen]

    def freeze(self, policy: RowPolicy, update: int) -> int:
        """Enter a past self; ``policy`` must be a copy that the learner no longer changes.  Returns its number."""
        number = self._enter(Member(f"{PAST}:{update}", policy, 1.0))
        past = self.frozen()
        if len(past) > self.size:
            easiest = max(past[:-1], key=lambda other: self.members[other].share) if self.size > 1 else past[0]
            self.retired[easiest] = self.members.pop(easiest)
        return number

    def probabilities(self) -> dict[int, float]:
        """How often each member is drawn; empty where there is none."""
        past = len(self.frozen())
        weights = {
            number: (self.past_weight / past if member.frozen else member.weight)
            * max(1 - member.share, self.floor) ** self.power
            for number, member in self.members.items()
        }
        total = sum(weights.values())
        return {number: weight / total for number, weight in weights.items()} if total > 0 else {}

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        """Numbers of opponents, int64; the learner itself where the league is empty."""
        chances = self.probabilities()
        if not chances:
            return np.full(shape, LEARNER, np.int64)
        return rng.choice(np.array(list(chances), np.int64), size=shape, p=np.array(list(chances.values())))

    def of(self, number: int) -> Member:
        """A member, retired ones included."""
        return self.members[number] if number in self.members else self.retired[number]

    def forget(self, in_use: Iterable[int]) -> None:
        """Drop retired members that no game holds any more."""
        kept = set(in_use)
        self.retired = {number: member for number, member in self.retired.items() if number in kept}
