"""Searching many positions at once, with an evaluator between the kernels: for networks and for self-play.

One simulation of R trees is: select kernels of all trees lead to R leaves, whose observations and masks are written
into one buffer; the evaluator fills in priors and values; kernels expand the leaves and back the values up.

Letters: R trees taking part, A actions, P seats, F observation numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from terracotta_env import game as verbs
from terracotta_env.game import NOBODY, Game
from terracotta_env.kernel import kernel
from terracotta_env.rollout import Rollout
from terracotta_env.rows import play_out_rows

from .kernels import backup, expand, may_expand, plant, reroot, select
from .rollouts import write_priors, write_utility
from .search import edges_of
from .settings import Settings
from .tree import NO_EDGE, NO_NODE, ROOT, make_forest

ANY_ACTION: Final = -1  # of `forced`: the root chooses as every node does


@kernel
def root_edge(nodes, edges, action):
    """The root's edge of an action, NO_EDGE if there is none."""
    for e in range(nodes[ROOT].first_edge, nodes[ROOT].first_edge + nodes[ROOT].width):
        if edges[e].action == action:
            return e
    return NO_EDGE


@kernel
def select_rows(
    trees, nodes, edges, states, configs, rows, forced, leaves, masks, observations, seats, finals, sources
):
    """Select a leaf in each tree and write what an evaluator needs to know about it.

    ``forced`` shape ``(R,)``: the action to take at the root, ANY_ACTION for the tree's choice.  Of a leaf that is
    over ``seats`` gets NOBODY and ``finals`` its utility; its mask and observation are zeros.
    """
    for k in range(rows.shape[0]):
        t = rows[k]
        tree = trees[t]
        edge = root_edge(nodes[t], edges[t], forced[k])
        select(tree, nodes[t], edges[t], states[t], configs[0], edge)
        leaves[k] = states[t, tree.leaf]
        seat = nodes[t, tree.leaf].mover
        seats[k] = seat
        verbs.legal(leaves[k], masks[k])
        if seat == NOBODY:
            write_utility(leaves[k], configs[0], sources, finals[k])
            for i in range(observations.shape[1]):
                observations[k, i] = 0
        else:
            verbs.observe(leaves[k], seat, observations[k])


@kernel
def update_rows(trees, nodes, edges, rows, masks, seats, finals, priors, values):
    """Expand the selected leaves with ``priors``, shape ``(R, A)``, and back up ``values``, shape ``(R, P)``."""
    for k in range(rows.shape[0]):
        t = rows[k]
        if seats[k] == NOBODY:
            backup(trees[t], nodes[t], edges[t], finals[k])
            continue
        if may_expand(trees[t], nodes[t], edges[t], masks.shape[1]):
            expand(trees[t], nodes[t], edges[t], masks[k], priors[k])
        backup(trees[t], nodes[t], edges[t], values[k])


@kernel
def plant_rows(trees, nodes, edges, states, rows, positions):
    """Begin the trees ``rows`` with ``positions``, shape ``(R,)`` records."""
    for k in range(rows.shape[0]):
        t = rows[k]
        plant(trees[t], nodes[t], edges[t], states[t], positions[k])


@kernel
def advance_rows(trees, nodes, edges, states, rows, actions):
    """Play ``actions``, shape ``(R,)``, at the roots; what the trees hold below them is kept."""
    for k in range(rows.shape[0]):
        t = rows[k]
        edge = root_edge(nodes[t], edges[t], actions[k])
        if edge != NO_EDGE and edges[t, edge].child != NO_NODE:
            reroot(trees[t], nodes[t], edges[t], states[t], edges[t, edge].child)
            continue
        spare = states.shape[1] - 1
        states[t, spare] = states[t, ROOT]
        verbs.apply(states[t, spare], actions[k])
        plant(trees[t], nodes[t], edges[t], states[t], states[t, spare])


@kernel
def priors_rows(policies, configs, states, seats, masks, other, priors):
    """Write the priors a roll-out policy gives, uniform ones without a grid; ``priors`` shape ``(R, A)``."""
    config = configs[0]
    mix = config.mix if config.grid > 0 else 1.0
    for k in range(seats.shape[0]):
        if seats[k] != NOBODY:
            width = 0
            for action in range(masks.shape[1]):
                width += masks[k, action]
            write_priors(policies[0], states[k], config.grid, mix, masks[k], width, other, priors[k])


@kernel
def utility_rows(configs, states, sources, values):
    """Write what each position is worth by seat, ``values`` shape ``(R, P)``."""
    for k in range(values.shape[0]):
        write_utility(states[k], configs[0], sources, values[k])


@dataclass(frozen=True)
class Leaves:
    """What an evaluator is told of R leaves; those with seat NOBODY are over and need no answer.

    Attributes:
        states: shape ``(R,)``, copies of the positions, which the evaluator may play on.
        observations: shape ``(R, F)`` int8, as the seat to act sees it (:mod:`terracotta_env.observing`).
        masks: shape ``(R, A)`` int8, 1 = legal.
        seats: shape ``(R,)`` int64, seat to act.
    """

    states: np.ndarray
    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray


class Evaluator(Protocol):
    """Says what positions are worth and which actions look good."""

    def evaluate(self, leaves: Leaves, priors: np.ndarray, values: np.ndarray) -> None:
        """Write answers into given buffers.

        Args:
            priors: shape ``(R, A)`` float64, weights of 0 or more of the actions; illegal ones are ignored.
            values: shape ``(R, P)`` float64, value for each seat (not relative to who acts), in [-1, 1].
        """


class RolloutEvaluator:
    """Roll-outs as an evaluator: what the kernel of :mod:`terracotta_agents.search.rollouts` does, for many leaves.

    Args:
        game, settings, rollout: as of :class:`terracotta_agents.search.search.Search`.
        seed: of the roll-outs' random numbers.
    """

    def __init__(self, game: Game, settings: Settings, rollout: Rollout, seed: int = 0) -> None:
        self.rollout = rollout
        self._config = settings.record(game)
        self._generator = np.array([seed], np.uint64)
        self._mask = np.zeros(game.actions, np.int8)
        self._sources = np.zeros(len(game.sources), np.int64)

    def evaluate(self, leaves: Leaves, priors: np.ndarray, values: np.ndarray) -> None:
        policy, config = self.rollout.parameters, self._config
        priors_rows(policy, config, leaves.states, leaves.seats, leaves.masks, self._mask, priors)
        depth = int(config[0]["depth"])
        for k in range(len(leaves.seats) if depth else 0):
            row = np.array([k])
            play_out_rows(policy, leaves.states, row, self._generator, self._mask, depth, np.zeros(1, np.int64))
        utility_rows(config, leaves.states, self._sources, values)


class BatchSearch:
    """T trees grown together.  All memory is made once.

    Args:
        game: the rules.
        trees: T.
        capacity: nodes each tree can hold.
        settings: rule of selection and utility of finished games.
        evaluator: asked once for all trees in each simulation.
        seed: of the order of edges.
    """

    def __init__(
        self, game: Game, trees: int, capacity: int, settings: Settings, evaluator: Evaluator, seed: int = 0
    ) -> None:
        self.game = game
        self.forest = make_forest(game, trees, capacity)
        self.forest.seed(seed)
        self.evaluator = evaluator
        self._config = settings.record(game)
        self._leaves = Leaves(
            np.zeros(trees, game.dtype),
            np.zeros((trees, game.observation_size), np.int8),
            np.zeros((trees, game.actions), np.int8),
            np.zeros(trees, np.int64),
        )
        self._finals = np.zeros((trees, game.seats))
        self._priors = np.zeros((trees, game.actions))
        self._values = np.zeros((trees, game.seats))
        self._sources = np.zeros(len(game.sources), np.int64)

    def plant(self, rows: np.ndarray, positions: np.ndarray) -> None:
        """Begin the trees ``rows``, shape ``(R,)`` int64, with ``positions``, shape ``(R,)`` records."""
        f = self.forest
        plant_rows(f.trees, f.nodes, f.edges, f.states, rows, positions)

    def advance(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play legal actions at the roots and keep what lies below; both shape ``(R,)`` int64."""
        f = self.forest
        advance_rows(f.trees, f.nodes, f.edges, f.states, rows, actions)

    def simulate(self, rows: np.ndarray, forced: np.ndarray | None = None) -> None:
        """One simulation in each of the trees ``rows``, shape ``(R,)`` int64.

        Args:
            forced: shape ``(R,)`` int64, actions to take at the roots, ANY_ACTION where the tree chooses: how a root
                rule of another kind, such as sequential halving, spends its simulations.
        """
        f, n = self.forest, len(rows)
        if forced is None:
            forced = np.full(n, ANY_ACTION)
        leaves = Leaves(
            self._leaves.states[:n], self._leaves.observations[:n], self._leaves.masks[:n], self._leaves.seats[:n]
        )
        finals, priors, values = self._finals[:n], self._priors[:n], self._values[:n]
        select_rows(
            f.trees,
            f.nodes,
            f.edges,
            f.states,
            self._config,
            rows,
            forced,
            leaves.states,
            leaves.masks,
            leaves.observations,
            leaves.seats,
            finals,
            self._sources,
        )
        self.evaluator.evaluate(leaves, priors, values)
        update_rows(f.trees, f.nodes, f.edges, rows, leaves.masks, leaves.seats, finals, priors, values)

    def add_noise(self, tree: int, noise: np.ndarray, share: float) -> None:
        """Mix ``noise``, shape ``(A,)``, into the priors of an expanded root; its legal part is made to sum to 1."""
        edges = edges_of(self.forest, tree, ROOT)
        legal = noise[edges["action"]]
        edges["prior"] = (1 - share) * edges["prior"] + share * legal / legal.sum()

    def visits(self, tree: int) -> np.ndarray:
        """Visits of the root's actions, a fresh array of shape ``(A,)`` int64."""
        edges = edges_of(self.forest, tree, ROOT)
        out = np.zeros(self.game.actions, np.int64)
        out[edges["action"]] = edges["visits"]
        return out

    def values(self, tree: int) -> np.ndarray:
        """Mean values of the root's actions by seat, fresh, shape ``(A, P)``; NaN where never taken."""
        edges = edges_of(self.forest, tree, ROOT)
        out = np.full((self.game.actions, self.game.seats), np.nan)
        taken = edges[edges["visits"] > 0]
        out[taken["action"]] = taken["value"] / taken["visits"][:, None]
        return out
