"""What is thought of a position: candidates with probabilities, values and visits, and each seat's chance to win.

An :class:`Analyst` is made from a code.  Those of trees of search and of plain bots are here; other kinds, such as
networks, are entered in :data:`FAMILIES` by the first word of their code.  Knows no game.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

import numpy as np

from terracotta_env.batch import Batch
from terracotta_env.policy import Policy
from terracotta_env.position import Position
from terracotta_env.rollout import Rollout, find_rollout

from ..evaluation import Evaluation, Evaluator
from ..protocol.engines import Budget, analyse
from ..registry import make_agent
from ..search.agent import DEFAULT_ROLLOUT, TreeBot

PLAYOUTS: Final = 256  # games played on for a chance to win: a standard error of 3 %
_PART: Final = 64  # of them between two looks at whether to stop
Stop = Callable[[], bool]


class StoppedError(Exception):
    """The work was no longer wanted."""


@dataclass(frozen=True)
class Candidate:
    """One legal decision.

    Attributes:
        token: the decision.
        probability: how likely the analyst is to take it, 0..1; all of them sum to 1.
        visits: of a search; None from analysts that do not search.
        values: expected final payoff by seat after it, -1..1; None where it was not looked at.
    """

    token: str
    probability: float
    visits: int | None = None
    values: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Analysis:
    """What was found about a position that is not over.

    Attributes:
        analyst: name of who found it.
        candidates: all legal decisions, the most likely first.
        values: expected final payoff by seat, -1..1; None from analysts that have none.
        line: the expected line of play, the best decision first.
        simulations: done; 0 where nothing was searched.
    """

    analyst: str
    candidates: tuple[Candidate, ...]
    values: tuple[float, ...] | None
    line: tuple[str, ...]
    simulations: int


class Analyst(Protocol):
    """Looks at positions.  One thread uses it at a time; answers depend on the position only."""

    name: str

    def analyse(self, position: Position, stop: Stop) -> Analysis:
        """Look at a position that is not over; ``stop`` is asked now and then and ends it with what was found."""

    def chances(self, position: Position, stop: Stop) -> list[float]:
        """Each seat's chance to win from here, which sum to 1.  Raises :class:`StoppedError`."""


class SearchAnalyst:
    """A tree search: visits and values; chances by playing games on from the position.

    A network says how likely it would take each decision and what the position is worth; any other bot only says what
    it would do.

    Args:
        code: of a bot.
        rollout: who plays the games on.
    """

    def __init__(self, code: str, rollout: Rollout | None = None) -> None:
        self.name = code
        self.bot: Policy = make_agent(code)
        self.rollout = rollout if rollout is not None else find_rollout(DEFAULT_ROLLOUT)

    def analyse(self, position: Position, stop: Stop) -> Analysis:
        if isinstance(self.bot, Evaluator):
            return self._evaluated(position, self.bot.evaluate(position))
        found = analyse(self.bot, position, Budget(), stop)
        total = max(sum(found.visits.values()), 1)
        searched = isinstance(self.bot, TreeBot)
        candidates = [
            Candidate(
                token,
                visits / total,
                visits if searched else None,
                tuple(found.action_values[token]) if token in found.action_values else None,
            )
            for token, visits in found.visits.items()
        ]
        seat = position.to_act
        assert seat is not None
        candidates.sort(key=lambda c: (-c.probability, -(c.values[seat] if c.values else -2.0), c.token))
        values = None if found.values is None else tuple(found.values)
        return Analysis(self.name, tuple(candidates), values, tuple(found.line), found.simulations if searched else 0)

    def _evaluated(self, position: Position, found: Evaluation) -> Analysis:
        tokens = [position.game.tokens[action] for action in found.actions.tolist()]
        candidates = [Candidate(token, float(share)) for token, share in zip(tokens, found.probabilities, strict=True)]
        candidates.sort(key=lambda candidate: (-candidate.probability, candidate.token))
        values = None if found.ranks is None else tuple(map(float, found.ranks))
        return Analysis(self.name, tuple(candidates), values, (candidates[0].token,), 0)

    def chances(self, position: Position, stop: Stop) -> list[float]:
        return playouts(position, self.rollout, stop)


def playouts(position: Position, rollout: Rollout, stop: Stop, games: int = PLAYOUTS) -> list[float]:
    """Share of ``games`` that each seat wins when ``rollout`` plays on for everybody; exact where the game is over.

    Raises:
        StoppedError: ``stop`` said so.
    """
    players = position.players
    wins = np.zeros(players, np.int64)
    if position.over:
        wins[position.ranking()[0]] = 1
        return [float(share) for share in wins]
    batch = Batch(position.game, _PART, players=players)
    raw = np.frombuffer(position.to_bytes() * _PART, np.uint8)
    out = np.empty((_PART, position.game.seats))
    rows = np.arange(_PART)
    for part in range(-(-games // _PART)):
        if stop():
            raise StoppedError
        batch.states.view(np.uint8)[:] = raw
        batch.play_out(rollout, seed=part)
        batch.returns(out, rows)
        wins += np.bincount(out[:, :players].argmax(axis=1), minlength=players)
    return [float(share) for share in wins / wins.sum()]


# makers of analysts, by the first word of the code: "module:function", called with the whole code
FAMILIES: Final[Mapping[str, str]] = MappingProxyType({"mcts": "terracotta_agents.serve.analyst:SearchAnalyst"})


def make_analyst(code: str) -> Analyst:
    """The analyst of a code; of a bot that has no family of its own, one that says what the bot would do.

    Raises:
        AgentError: no bot has this code; says what is known.
    """
    word = code.partition(":")[0]
    module, _, maker = FAMILIES.get(word, FAMILIES["mcts"]).partition(":")
    made: Analyst = getattr(importlib.import_module(module), maker)(code)
    return made
