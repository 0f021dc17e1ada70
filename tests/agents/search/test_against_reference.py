"""The compiled search does what the textbook says: equal visits, values and order with the same random numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from terracotta_agents.busy import BUSY
from terracotta_agents.search.search import Search, edges_of
from terracotta_agents.search.settings import Settings
from terracotta_agents.search.tree import NO_NODE, ROOT, Forest
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM, Rollout
from tests.agents.search.reference import Node, ReferenceSearch
from tests.toy import GAME as TOY

SETTINGS = {
    "uct": Settings(rule="uct", c=1.2, fpu=math.inf, margin=0.0, depth=None),
    "uct-urgency": Settings(rule="uct", c=0.3, fpu=0.5, margin=1.0),
    "puct": Settings(c=1.0, fpu=0.2, margin=0.5, grid=16, mix=0.25, depth=30),
    "puct-uniform": Settings(c=2.0, fpu=0.0, margin=0.5, grid=0, depth=3),
    "puct-static": Settings(c=0.7, fpu=-0.3, margin=0.0, grid=7, depth=0, scale=0.01),
}
CASES: list[tuple[Position, Rollout]] = [
    (Position.from_seed(TOY, 2, 5), UNIFORM),
    (Position.from_seed(TOY, 3, 6), UNIFORM),
    (Position.from_seed(GAME, 2, 7), BUSY),
    (Position.from_seed(GAME, 4, 8), UNIFORM),
]


def assert_same(forest: Forest, number: int, edge: np.void, node: Node) -> int:
    """Compare a node, the edge that leads to it, and all below; returns the nodes compared."""
    assert int(edge["visits"]) == node.visits
    assert edge["value"].tolist() == node.total.tolist()
    assert float(edge["prior"]) == node.prior
    if number == NO_NODE:
        assert node.visits == 0
        return 0
    assert forest.states[0, number].tobytes() == node.position.to_bytes()
    edges = edges_of(forest, 0, number)
    assert edges["action"].tolist() == list(node.children)
    return 1 + sum(
        assert_same(forest, int(below["child"]), below, child)
        for below, child in zip(edges, node.children.values(), strict=True)
    )


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("case", range(len(CASES)))
def test_search_is_the_textbooks(name: str, case: int) -> None:
    position, rollout = CASES[case]
    settings = SETTINGS[name]
    search = Search(position.game, settings, rollout, capacity=100)
    search.begin(9)
    reference = ReferenceSearch(position, settings, rollout, int(search.forest.trees[0]["generator"]))
    simulations = 90 if position.game is TOY else 25
    search.run(position, simulations)
    for _ in range(simulations):
        reference.simulate()
    compared = assert_same(search.forest, ROOT, search.forest.edges[0, ROOT], reference.root)
    assert compared == int(search.forest.trees[0]["nodes"]) > 10
    assert int(search.forest.trees[0]["generator"]) == reference.numbers.state
