"""What a run does when: imitation first, then only values, then PPO.

After imitation the network plays like the bot but knows what the bot's games were worth, not its own.  Learning from
advantages at once would undo what was imitated, so for a while the policy is held where it is, by imitation of the
actions that it draws itself, and the values come to those of its own games.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .learn import Rates
from .ppo_config import ImitationSettings, LearningSettings


class Phase(Enum):
    """A part of a run."""

    IMITATION = "imitation"
    SETTLING = "settling"
    SELF_PLAY = "self-play"


@dataclass(frozen=True)
class Plan:
    """The phases of a run by the share of it that is done."""

    learning: LearningSettings
    imitation: ImitationSettings

    def _ends(self) -> tuple[float, float]:
        """Shares at which imitation and settling end; settling belongs to imitation."""
        share = self.imitation.share
        return share, min(1.0, share + self.imitation.settle) if share else 0.0

    def phase(self, done: float) -> Phase:
        """The phase at ``done``, 0..1."""
        imitated, settled = self._ends()
        if done < imitated:
            return Phase.IMITATION
        return Phase.SETTLING if done < settled else Phase.SELF_PLAY

    def astray(self, done: float) -> float:
        """Share of games that the learner plays itself while it imitates, 0..1: none at first, when it plays anyhow."""
        begun = done >= self.imitation.astray_from * self.imitation.share
        return self.imitation.astray if begun else 0.0

    def rates(self, done: float) -> Rates:
        """Learning rate, entropy bonus and passes at ``done``; rates are linear within a phase."""
        learning, imitation = self.learning, self.imitation
        imitated, settled = self._ends()
        phase = self.phase(done)
        if phase is Phase.IMITATION:
            rate = _between(imitation.learning_rate, imitation.final_learning_rate, done / imitated)
            return Rates(rate, 0.0, imitation.epochs)
        if phase is Phase.SETTLING:
            return Rates(imitation.final_learning_rate, 0.0)
        at = (done - settled) / (1 - settled) if settled < 1 else 1.0
        return Rates(
            _between(learning.learning_rate, learning.final_learning_rate, at),
            _between(learning.entropy, learning.final_entropy, at),
        )


def _between(first: float, last: float, at: float) -> float:
    return first + (last - first) * at
