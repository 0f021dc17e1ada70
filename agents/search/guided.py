"""Searching many positions with a network: how the root spends its simulations, and what is learned from them.

Every tree goes at its own pace: it has a budget, and when that is spent the caller reads the result, plays, and asks
anew, while the others go on.  So the batch that the network sees stays full whatever the budgets are.  Each tree has
one leaf at a time: nothing is searched that a virtual loss would have to keep apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from terracotta_env.game import Game

from .batch import BatchSearch, Evaluator
from .root_kernels import (
    RULE,
    TASK,
    halve_rows,
    improved_rows,
    open_rows,
    value_rows,
    visited_rows,
)
from .search import reuse_rows, words_of
from .settings import Settings

GUMBEL: Final = "gumbel"
ROOT_RULES: Final = (GUMBEL, "puct")


@dataclass(frozen=True)
class RootSettings:
    """What the root does; all nodes below select by the rule of :class:`terracotta_agents.search.settings.Settings`.

    Attributes:
        rule: ``gumbel``: sequential halving, the improved policy is the softmax of log-prior and completed values;
            ``puct``: as below, the improved policy is the shares of the visits.
        considered: gumbel: actions that sequential halving begins with, at most.
        visit_offset, value_scale: gumbel: a value in [0, 1] weighs (visit_offset + most visits) x value_scale beside
            the log-prior.
        alpha, share: puct: concentration of the Dirichlet noise and its share in the priors.
    """

    rule: str = GUMBEL
    considered: int = 16
    visit_offset: float = 50.0
    value_scale: float = 1.0
    alpha: float = 0.3
    share: float = 0.25

    def __post_init__(self) -> None:
        if self.rule not in ROOT_RULES:
            raise ValueError(f"rule: expected one of {', '.join(ROOT_RULES)}, got {self.rule!r}")
        if self.considered < 1:
            raise ValueError(f"considered: expected a number of actions from 1, got {self.considered!r}")

    def draw(self, rng: np.random.Generator, actions: int) -> np.ndarray:
        """Noise for the root of one search, shape ``(A,)``."""
        if self.rule == GUMBEL:
            return rng.gumbel(size=actions)
        return rng.gamma(self.alpha, size=actions)


@cache
def considered_visits(considered: int, simulations: int) -> tuple[int, ...]:
    """How many visits of this search the action has that simulation number i takes: sequential halving as a sequence.

    Each of ceil(log2(considered)) phases gives its actions equally many simulations and leaves the better half; what is
    left over goes to the last two.
    """
    if considered <= 1:
        return tuple(range(simulations))
    phases = math.ceil(math.log2(considered))
    sequence: list[int] = []
    visits, left = [0] * considered, considered
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            sequence += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return tuple(sequence[:simulations])


@dataclass(frozen=True)
class Found:
    """Results of R searches.

    Attributes:
        policies: shape ``(R, A)`` float64, the improved policy; 0 where illegal.
        actions: shape ``(R,)`` int64, what to play.
        values: shape ``(R, P)`` float64, mean value of the position by seat, in [-1, 1].
    """

    policies: np.ndarray
    actions: np.ndarray
    values: np.ndarray


class GuidedSearch:
    """T trees, each searching a position of its own with a budget of its own.

    Args:
        game: the rules.
        trees: T.
        capacity: nodes each tree can hold.
        settings: rule of selection below the root, and the utility of finished games.
        root: rule of the root.
        evaluator: asked once a simulation for all trees that take part.
    """

    def __init__(
        self, game: Game, trees: int, capacity: int, settings: Settings, root: RootSettings, evaluator: Evaluator
    ) -> None:
        self.game, self.root = game, root
        self.batch = BatchSearch(game, trees, capacity, settings, evaluator)
        self.simulations = 0  # done in all trees, those that expand a root included
        self._words = words_of(self.batch.forest.states)
        self._tasks = np.zeros(trees, TASK)
        self._noise = np.zeros((trees, game.actions))
        self._before = np.zeros((trees, game.actions), np.int32)
        self._sequences = np.zeros((trees, 0), np.int32)
        self._rules = np.zeros(1, RULE)
        self._rules[0] = (root.visit_offset, root.value_scale)
        self._mask = np.zeros(game.actions, np.int8)
        self._scores = np.zeros(game.actions)

    def begin(self, rows: np.ndarray, positions: np.ndarray, seeds: np.ndarray) -> None:
        """New games in the trees ``rows``, shape ``(R,)``: their positions ``(R,)`` and, uint64, the trees' seeds."""
        self.batch.forest.trees["generator"][rows] = seeds
        self.batch.plant(rows, positions)

    def turn_to(self, rows: np.ndarray, positions: np.ndarray) -> None:
        """Make ``positions``, shape ``(R,)`` records, the roots; what a tree holds below its own one is kept."""
        forest = self.batch.forest
        kept = np.zeros(len(rows), np.bool_)
        reuse_rows(
            forest.trees, forest.nodes, forest.edges, forest.states, self._words, rows, words_of(positions), kept
        )
        if not kept.all():
            self.batch.plant(rows[~kept], positions[~kept])

    def ask(self, rows: np.ndarray, budgets: np.ndarray, noise: np.ndarray | None = None) -> None:
        """Begin a search at the roots of the trees ``rows``, whose positions are not over.

        Args:
            budgets: shape ``(R,)``, simulations of each, at least 1; those that a kept tree has come on top.
            noise: shape ``(R, A)``, of :meth:`RootSettings.draw`; a row of zeros, or None, is none.
        """
        forest = self.batch.forest
        open_rows(forest.nodes, forest.edges, forest.states, rows, self._mask, self._tasks, self._before)
        self._tasks["budget"][rows] = budgets
        self._noise[rows] = 0.0 if noise is None else noise
        if self.root.rule != GUMBEL:
            self._stir(rows[self._tasks["done"][rows] == 0])
            return
        if (most := int(budgets.max(initial=0))) > self._sequences.shape[1]:
            self._sequences = np.pad(self._sequences, ((0, 0), (0, most - self._sequences.shape[1])))
        for row, budget, width in zip(rows.tolist(), budgets.tolist(), self._tasks["width"][rows].tolist()):
            self._sequences[row, :budget] = considered_visits(min(self.root.considered, width), budget)

    def step(self, rows: np.ndarray) -> np.ndarray:
        """One simulation in each of the trees ``rows``, which have some left; returns those whose budget is spent."""
        tasks, forced = self._tasks, None
        if self.root.rule == GUMBEL:
            forest, forced = self.batch.forest, np.empty(len(rows), np.int64)
            halve_rows(
                forest.nodes,
                forest.edges,
                rows,
                tasks,
                self._rules,
                self._noise,
                self._before,
                self._sequences,
                self._scores,
                forced,
            )
        self.batch.simulate(rows, forced)
        self.simulations += len(rows)
        tasks["done"][rows] += 1
        done = tasks["done"][rows]
        if self.root.rule != GUMBEL:
            self._stir(rows[done == 0])
        spent: np.ndarray = rows[done >= tasks["budget"][rows]]
        return spent

    def _stir(self, rows: np.ndarray) -> None:
        """Mix the noise into the priors of expanded roots."""
        for row in rows.tolist():
            if self._noise[row].any():
                self.batch.add_noise(row, self._noise[row], self.root.share)

    def run(self, rows: np.ndarray) -> None:
        """Spend the whole budgets of the trees ``rows``."""
        while len(rows):
            spent = self.step(rows)
            if len(spent):
                rows = rows[~np.isin(rows, spent)]

    def found(self, rows: np.ndarray) -> Found:
        """What the searches of the trees ``rows`` found."""
        forest, n = self.batch.forest, len(rows)
        found = Found(np.empty((n, self.game.actions)), np.empty(n, np.int64), np.empty((n, self.game.seats)))
        if self.root.rule == GUMBEL:
            improved_rows(
                forest.nodes,
                forest.edges,
                rows,
                self._rules,
                self._noise,
                self._before,
                self._scores,
                found.policies,
                found.actions,
            )
        else:
            visited_rows(forest.nodes, forest.edges, rows, found.policies, found.actions)
        value_rows(forest.nodes, forest.edges, rows, found.values)
        return found

    def advance(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play legal actions at the roots and keep what lies below."""
        self.batch.advance(rows, actions)
