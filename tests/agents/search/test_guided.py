"""Search guided by an evaluator: the visits, policies and moves of the plain reference, for both rules of the root."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_agents.search.guided import GuidedSearch, RootSettings, considered_visits
from terracotta_agents.search.settings import Settings
from terracotta_agents.search.tree import ROOT
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.policy import stream
from terracotta_env.position import Position
from tests.agents.search.guided_reference import GuidedReference, Opinion
from tests.agents.search.test_against_reference import assert_same
from tests.toy import GAME as TOY

SETTINGS = Settings(c=1.1, fpu=0.1, margin=0.5)
RULES = {
    "gumbel": RootSettings(considered=4),
    "gumbel-two": RootSettings(considered=2, visit_offset=5.0, value_scale=0.3),
    "gumbel-one": RootSettings(considered=1),
    "puct": RootSettings(rule="puct"),
}
LOUD = 2  # every so-manieth search has noise


def guided(game: Game, trees: int, rule: RootSettings, capacity: int = 400) -> GuidedSearch:
    return GuidedSearch(game, trees, capacity, SETTINGS, rule, Opinion(game))


def noise_of(rule: RootSettings, game: Game, tree: int, turn: int) -> np.ndarray:
    if (tree + turn) % LOUD:
        return np.zeros(game.actions)
    return rule.draw(np.random.default_rng([tree, turn]), game.actions)


def play_both(game: Game, rule: RootSettings, trees: int, turns: int, budgets: list[int]) -> int:
    """Play some games with the search and, beside them, the reference; returns the searches compared."""
    players = [game.players[tree % len(game.players)] for tree in range(trees)]
    roots = [Position.from_seed(game, count, tree) for tree, count in enumerate(players)]
    search, rows = guided(game, trees, rule), np.arange(trees)
    seeds = np.array([stream(7, tree) for tree in range(trees)], np.uint64)
    search.begin(rows, np.concatenate([root.states for root in roots]), seeds)
    references = [
        GuidedReference(root, SETTINGS, rule, Opinion(game), int(seed)) for root, seed in zip(roots, seeds, strict=True)
    ]
    compared = 0
    for turn in range(turns):
        rows = np.array([tree for tree in rows if not references[tree].root.position.over], np.int64)
        if not len(rows):
            break
        spent = np.array([budgets[(tree + turn) % len(budgets)] for tree in rows])
        noise = np.array([noise_of(rule, game, tree, turn) for tree in rows.tolist()])
        search.ask(rows, spent, noise)
        search.run(rows)
        found = search.found(rows)
        for k, tree in enumerate(rows.tolist()):
            reference = references[tree]
            reference.search(int(spent[k]), noise[k])
            edges = {int(e["action"]): int(e["visits"]) for e in search_edges(search, tree)}
            assert edges == {action: child.visits for action, child in reference.root.children.items()}
            expected = np.zeros(game.actions)
            for action, share in reference.policy().items():
                expected[action] = share
            np.testing.assert_allclose(found.policies[k], expected, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(found.values[k], reference.root.total / reference.root.visits, rtol=1e-12)
            assert found.actions[k] == reference.best()
            reference.advance(int(found.actions[k]))
            compared += 1
        search.advance(rows, found.actions)
    return compared


def search_edges(search: GuidedSearch, tree: int) -> np.ndarray:
    forest = search.batch.forest
    root = forest.nodes[tree, ROOT]
    edges: np.ndarray = forest.edges[tree, root["first_edge"] : root["first_edge"] + root["width"]]
    return edges


@pytest.mark.parametrize("name", RULES)
def test_search_is_the_references_over_whole_games_of_the_toy(name: str) -> None:
    assert play_both(TOY, RULES[name], 4, 30, [24, 5, 1]) > 20


@pytest.mark.parametrize("name", ["gumbel", "puct"])
def test_search_is_the_references_in_terracotta_army(name: str) -> None:
    assert play_both(GAME, RULES[name], 3, 3, [17, 40]) == 9


def test_every_node_and_value_of_a_tree_is_the_references() -> None:
    rule, root = RULES["gumbel"], Position.from_seed(TOY, 3, 5)
    search, row = guided(TOY, 1, rule), np.zeros(1, np.int64)
    reference = GuidedReference(root, SETTINGS, rule, Opinion(TOY), 3)
    search.begin(row, root.states, np.array([3], np.uint64))
    search.ask(row, np.array([60]))
    search.run(row)
    reference.search(60, np.zeros(TOY.actions))
    forest = search.batch.forest
    compared = assert_same(forest, ROOT, forest.edges[0, ROOT], reference.root)
    assert compared == int(forest.trees[0]["nodes"]) > 20


@pytest.mark.parametrize("name", ["gumbel", "puct"])
def test_a_tree_is_the_same_alone_and_among_others_so_no_virtual_loss_is_needed(name: str) -> None:
    """One leaf of a tree is out at a time: 6 trees with budgets of their own grow as each would alone."""
    rule, trees = RULES[name], 6
    roots = np.concatenate([Position.from_seed(TOY, 2 + tree % 2, tree).states for tree in range(trees)])
    budgets, seeds = np.array([30, 3, 17, 1, 30, 9]), np.arange(trees, dtype=np.uint64)
    together = guided(TOY, trees, rule)
    rows = np.arange(trees)
    together.begin(rows, roots, seeds)
    together.ask(rows, budgets)
    together.run(rows)
    for tree in range(trees):
        alone, row = guided(TOY, 1, rule), np.zeros(1, np.int64)
        alone.begin(row, roots[tree : tree + 1], seeds[tree : tree + 1])
        alone.ask(row, budgets[tree : tree + 1])
        alone.run(row)
        for name in ("trees", "nodes", "edges", "states"):
            one, other = getattr(together.batch.forest, name)[tree], getattr(alone.batch.forest, name)[0]
            assert one.tobytes() == other.tobytes()


def test_budgets_are_spent_exactly_and_a_fresh_root_costs_one_more() -> None:
    opinion = Opinion(GAME)
    search, rows = GuidedSearch(GAME, 2, 200, SETTINGS, RULES["gumbel"], opinion), np.arange(2)
    search.begin(rows, np.concatenate([Position.from_seed(GAME, 2, s).states for s in (1, 2)]), rows.astype(np.uint64))
    search.ask(rows, np.array([10, 20]))
    search.run(rows)
    assert search.simulations == opinion.asked == 11 + 21
    search.advance(rows, search.found(rows).actions)
    search.ask(rows, np.array([10, 20]))
    search.run(rows)
    assert search.simulations == 32 + 30


def test_positions_that_a_tree_holds_are_turned_to_and_others_planted() -> None:
    search, rows = guided(TOY, 2, RULES["gumbel"]), np.arange(2)
    roots = [Position.from_seed(TOY, 2, s) for s in (1, 2)]
    search.begin(rows, np.concatenate([root.states for root in roots]), rows.astype(np.uint64))
    search.ask(rows, np.array([40, 40]))
    search.run(rows)
    found = search.found(rows)
    below, visits = roots[0].clone().play(int(found.actions[0])), search.batch.visits(0)[found.actions[0]]
    strange = Position.from_seed(TOY, 2, 9)
    search.turn_to(rows, np.concatenate([below.states, strange.states]))
    forest = search.batch.forest
    assert forest.states[0, ROOT].tobytes() == below.to_bytes()
    assert forest.states[1, ROOT].tobytes() == strange.to_bytes()
    assert forest.edges["visits"][:, ROOT].tolist() == [visits, 0]


@pytest.mark.parametrize(
    ("considered", "simulations", "expected"),
    [
        (4, 8, (0, 0, 0, 0, 1, 1, 2, 2)),
        (3, 7, (0, 0, 0, 1, 1, 2, 2)),
        (1, 3, (0, 1, 2)),
        (16, 4, (0, 0, 0, 0)),
    ],
)
def test_halving_gives_each_phase_its_share(considered: int, simulations: int, expected: tuple[int, ...]) -> None:
    assert considered_visits(considered, simulations) == expected


def test_improved_policy_raises_actions_that_turn_out_better_than_the_prior_says() -> None:
    """With exact values of finished games the policy moves to the winning action."""
    from tests.agents.search.tabletree import table

    class Flat:
        def evaluate(self, leaves: object, priors: np.ndarray, values: np.ndarray) -> None:
            priors[:], values[:] = 1.0, 0.0

    position = table((0, [(-1.0, 1.0), (1.0, -1.0), (0.0, 0.0)]))
    for rule in (RootSettings(), RootSettings(rule="puct")):
        search = GuidedSearch(position.game, 1, 50, Settings(margin=0.0), rule, Flat())
        row = np.zeros(1, np.int64)
        search.begin(row, position.states, np.zeros(1, np.uint64))
        search.ask(row, np.array([30]))
        search.run(row)
        found = search.found(row)
        assert found.actions[0] == 1
        assert found.policies[0, 1] > 0.6
        assert found.policies[0].sum() == pytest.approx(1)
