"""Searching one position: budgets, threads, reuse of the tree along a game, and what was found.

``Search`` owns a forest with one tree for each thread.  Its memory is made once, for the capacity it is given, and
never grows; a tree that is full goes on searching without storing new nodes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from terracotta_env.game import Game
from terracotta_env.kernel import kernel
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM, Rollout

from .kernels import find_node, plant, reroot
from .rollouts import grow
from .settings import Settings
from .tree import NO_NODE, ROOT, Forest, make_forest

CHUNK: Final = 64  # simulations between two looks at the clock, at most
CHUNK_SECONDS: Final = 0.002  # what a chunk should take


@kernel
def plant_at(trees, nodes, edges, states, t, positions, i):
    """Begin tree ``t`` with the position ``positions[i]`` as its root."""
    plant(trees[t], nodes[t], edges[t], states[t], positions[i])


@kernel
def reuse_at(trees, nodes, edges, states, words, t, wanted):
    """Make the node whose record is ``wanted`` the root of tree ``t``; False where there is none."""
    node = find_node(trees[t], edges[t], nodes[t], words[t], wanted)
    if node == NO_NODE:
        return False
    if node != ROOT:
        reroot(trees[t], nodes[t], edges[t], states[t], node)
    return True


@kernel
def reuse_rows(trees, nodes, edges, states, words, rows, wanted, kept):
    """:func:`reuse_at` for the trees ``rows``; ``wanted`` shape ``(R, W)``, ``kept`` shape ``(R,)`` is written."""
    for k in range(rows.shape[0]):
        kept[k] = reuse_at(trees, nodes, edges, states, words, rows[k], wanted[k])


@dataclass(frozen=True)
class SearchResult:
    """What a search found; n = number of legal actions, in the order of their ids.

    Attributes:
        actions: shape ``(n,)`` int64.
        visits: shape ``(n,)`` int64, over all threads.
        values: shape ``(n, players)``, mean value by seat; NaN for actions never tried.
        priors: shape ``(n,)``, shares given by the evaluator.
        value: shape ``(players,)``, mean value of the position by seat.
        simulations: done in this search.
        reused: visits of the root that came from earlier searches.
        nodes: stored in all trees.
        seconds: wall clock.
        line: tokens of the most visited line of play.
        mover: seat to act.
    """

    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray
    priors: np.ndarray
    value: np.ndarray
    simulations: int
    reused: int
    nodes: int
    seconds: float
    line: tuple[str, ...]
    mover: int

    @property
    def best(self) -> int:
        """The action with the most visits; of equals the higher value for the mover, then prior, then the lower id."""
        own = np.where(np.isnan(self.values[:, self.mover]), -np.inf, self.values[:, self.mover])
        return int(self.actions[np.lexsort((self.actions, -self.priors, -own, -self.visits))[0]])


class Search:
    """Monte Carlo tree search with roll-outs.

    Args:
        game: the rules.
        settings: how to select and evaluate.
        rollout: who plays the roll-outs and gives the priors.
        capacity: nodes each tree can hold.
        threads: independent trees, grown at the same time, whose visits are added up.
        reuse: keep what an earlier search found below the position that is searched now.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        rollout: Rollout = UNIFORM,
        capacity: int = 4096,
        threads: int = 1,
        reuse: bool = True,
    ) -> None:
        if threads < 1:
            raise ValueError(f"threads: expected a number from 1, got {threads!r}")
        self.game = game
        self.settings = settings if settings is not None else Settings()
        self.rollout = rollout
        self.threads = threads
        self.reuse = reuse
        self.forest: Forest = make_forest(game, threads, capacity)
        self._config = self.settings.record(game)
        self._words = words_of(self.forest.states)
        self._scratch = [_scratch(game) for _ in range(threads)]
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Forget everything and seed the generators of the trees."""
        self.forest.seed(seed)
        self.forest.trees["nodes"] = 0

    def run(
        self, position: Position, simulations: int | None = None, milliseconds: float | None = None
    ) -> SearchResult:
        """Search a position that is not over.

        Args:
            simulations: how many to do, shared among the threads; visits that were kept do not count.
            milliseconds: or how long to search; at least one simulation in each tree is done.
        """
        if (simulations is None) == (milliseconds is None):
            raise ValueError("give a search either simulations or milliseconds")
        if simulations is not None and simulations < 1:
            raise ValueError(f"simulations: expected a number from 1, got {simulations!r}")
        if position.game is not self.game:
            raise ValueError(f"this search was made for {self.game.name}, not for {position.game.name}")
        if position.over:
            raise ValueError("the game is over: there is nothing to search")
        start = time.perf_counter()
        self._root(position.states)
        reused = int(self.forest.edges["visits"][:, ROOT].sum())
        if simulations is not None:
            shares = [simulations // self.threads + (t < simulations % self.threads) for t in range(self.threads)]
            self._each(lambda t: self._grow(t, shares[t]))
        else:
            assert milliseconds is not None
            deadline = start + milliseconds / 1000
            self._each(lambda t: self._grow_until(t, deadline))
        return read_result(self.forest, reused, time.perf_counter() - start)

    def _each(self, work: Callable[[int], None]) -> None:
        """``work`` for each tree, every one on a thread of its own (kernels hold no lock)."""
        if self.threads == 1:
            work(0)
            return
        self._grow(0, 0)  # compiles, before several threads would
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(self.threads)))

    def _grow(self, tree: int, simulations: int) -> None:
        f = self.forest
        grow(
            f.trees,
            f.nodes,
            f.edges,
            f.states,
            tree,
            self.rollout.parameters,
            self._config,
            simulations,
            *self._scratch[tree],
        )

    def _grow_until(self, tree: int, deadline: float) -> None:
        chunk = 1
        while True:
            start = time.perf_counter()
            self._grow(tree, chunk)
            now = time.perf_counter()
            if now >= deadline:
                return
            pace = max(now - start, 1e-7) / chunk
            chunk = max(1, min(CHUNK, 2 * chunk, int(min(CHUNK_SECONDS, deadline - now) / pace)))

    def _root(self, states: np.ndarray) -> None:
        f, wanted = self.forest, words_of(states)[0]
        for tree in range(self.threads):
            kept = self.reuse and reuse_at(f.trees, f.nodes, f.edges, f.states, self._words, tree, wanted)
            if not kept:
                plant_at(f.trees, f.nodes, f.edges, f.states, tree, states, 0)


def words_of(states: np.ndarray) -> np.ndarray:
    """The records as plain numbers, a view: shape ``(*states.shape, W)``."""
    kind = np.dtype(np.int64 if states.dtype.itemsize % 8 == 0 else np.uint8)
    return states.view(kind).reshape(*states.shape, -1)


def _scratch(game: Game) -> tuple[np.ndarray, ...]:
    """What :func:`terracotta_agents.search.rollouts.grow` writes into on its way."""
    return (
        np.zeros(game.actions, np.int8),
        np.zeros(game.actions, np.int8),
        np.zeros(game.actions),
        np.zeros(len(game.sources), np.int64),
        np.zeros(game.seats),
    )


def read_result(forest: Forest, reused: int, seconds: float) -> SearchResult:
    """What the trees of a forest, all with the same root, found together."""
    game = forest.game
    players = int(forest.states[0, ROOT]["players"])
    count = np.zeros(game.actions, np.int64)
    total = np.zeros((game.actions, game.seats))
    priors = np.zeros(game.actions)
    legal = np.zeros(game.actions, bool)
    for tree in range(len(forest.trees)):
        edges = edges_of(forest, tree, ROOT)
        actions = edges["action"]
        count[actions] += edges["visits"]
        total[actions] += edges["value"]
        priors[actions] = edges["prior"]
        legal[actions] = True
    found = np.flatnonzero(legal)
    tried = np.where(count[found] > 0, count[found], 1)[:, None]
    values = np.where(count[found, None] > 0, total[found] / tried, np.nan)[:, :players]
    roots = forest.edges[:, ROOT]
    visits = int(roots["visits"].sum())
    return SearchResult(
        actions=found,
        visits=count[found],
        values=values,
        priors=priors[found],
        value=roots["value"].sum(axis=0)[:players] / visits,
        simulations=visits - reused,
        reused=reused,
        nodes=int(forest.trees["nodes"].sum()),
        seconds=seconds,
        line=principal_line(forest, int(np.argmax(roots["visits"]))),
        mover=int(forest.nodes[0, ROOT]["mover"]),
    )


def edges_of(forest: Forest, tree: int, node: int) -> np.ndarray:
    """The edges of a node, a view: shape ``(width,)``."""
    record = forest.nodes[tree, node]
    first = int(record["first_edge"])
    return forest.edges[tree, first : first + int(record["width"])]


def principal_line(forest: Forest, tree: int) -> tuple[str, ...]:
    """Tokens of the line that follows the most visited edge from the root on."""
    node, tokens = ROOT, []
    while node != NO_NODE and len(edges := edges_of(forest, tree, node)):
        edge = edges[int(np.argmax(edges["visits"]))]
        if edge["visits"] == 0:
            break
        tokens.append(forest.game.tokens[int(edge["action"])])
        node = int(edge["child"])
    return tuple(tokens)
