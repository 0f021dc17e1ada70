"""The memory of tree search: a forest of T trees as arrays that their owner makes once and kernels write into.

A tree has *nodes*, positions that were reached, and *edges*, legal actions in them.  All statistics lie on edges: an
edge knows how often it was taken and what came of it, for every seat, whether or not there was room left to store the
node it leads to.  Edge 0 of each tree leads to the root, so the root's own statistics lie there.

The edges of a node are one block, in an order drawn when the node is expanded: taking the first of equally good edges
is then a fair draw.  Nodes are numbered in the order in which they were made, so a child's number is larger than its
parent's and a subtree can be moved to the front in place (:func:`terracotta_agents.search.kernels.reroot`).

Letters: T trees, M nodes a tree can hold, E edges it can hold, P seats, A actions, K sources of points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from terracotta_env.game import Game
from terracotta_env.policy import stream

NO_NODE: Final = -1
NO_EDGE: Final = -1
ROOT: Final = 0  # number of the root among nodes, and of the edge that leads to it among edges
EDGES_PER_NODE: Final = 16  # memory for edges; where positions offer more, a tree is full a little earlier


def _record(fields: Sequence[tuple[object, ...]]) -> np.dtype:
    dtype: np.dtype = np.dtype((np.record, list(fields)))
    return dtype


# What there is of a tree.
TREE: Final = _record(
    (
        ("generator", "u8"),  # splitmix64 state: order of edges, roll-outs
        ("nodes", "i4"),  # stored so far
        ("edges", "i4"),
        ("leaf", "i4"),  # what the last selection led to: a node, or M where there was no room for one
        ("leaf_edge", "i4"),  # the edge that leads to it
    )
)

NODE: Final = _record(
    (
        ("parent_edge", "i4"),  # the edge that leads here
        ("first_edge", "i4"),  # its edges are first_edge .. first_edge + width - 1
        ("moved", "i4"),  # scratch of `reroot`: its number afterwards, NO_NODE where it is forgotten
        ("width", "i2"),  # number of its edges; 0 = over, or not expanded
        ("mover", "i2"),  # seat to act, NOBODY when the game is over
    )
)


def edge_dtype(seats: int) -> np.dtype:
    """The record of an edge in a game for at most ``seats`` players."""
    return _record(
        (
            ("value", "f8", (seats,)),  # sum of the values that came back through it, by seat
            ("prior", "f8"),  # share that the evaluator gives it among the edges of its node
            ("node", "i4"),  # the node it belongs to
            ("child", "i4"),  # the node it leads to, NO_NODE while none is stored
            ("visits", "i4"),
            ("action", "i4"),
        )
    )


@dataclass(frozen=True)
class Forest:
    """T trees of one game.

    Attributes:
        game: the rules.
        trees: shape ``(T,)``, dtype :data:`TREE`.
        nodes: shape ``(T, M + 1)``, dtype :data:`NODE`; the last one describes a leaf that there was no room for.
        edges: shape ``(T, E)``, dtype of :func:`edge_dtype`.
        states: shape ``(T, M + 2)``, records of the game: one for each node, then scratch for roll-outs.
    """

    game: Game
    trees: np.ndarray
    nodes: np.ndarray
    edges: np.ndarray
    states: np.ndarray

    @property
    def capacity(self) -> int:
        """Nodes that each tree can hold."""
        return int(self.nodes.shape[1]) - 1

    @property
    def nbytes(self) -> int:
        return int(self.trees.nbytes + self.nodes.nbytes + self.edges.nbytes + self.states.nbytes)

    def seed(self, seed: int) -> None:
        """Give each tree a generator of its own, drawn from ``seed``."""
        for tree in range(len(self.trees)):
            self.trees[tree]["generator"] = stream(seed, tree)


def make_forest(game: Game, trees: int, capacity: int) -> Forest:
    """Memory for ``trees`` trees of at most ``capacity`` nodes each.  All that a search ever holds is in here."""
    if trees < 1 or capacity < 1:
        raise ValueError(f"a forest needs a tree and a node, got {trees} trees of {capacity} nodes")
    return Forest(
        game,
        np.zeros(trees, TREE),
        np.zeros((trees, capacity + 1), NODE),
        np.zeros((trees, capacity * EDGES_PER_NODE + game.actions), edge_dtype(game.seats)),
        np.zeros((trees, capacity + 2), game.dtype),
    )
