"""Many trees at once with an evaluator in the middle: the same search as the fused kernel, told about its leaves."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_agents.busy import BUSY
from terracotta_agents.search.batch import ANY_ACTION, BatchSearch, Leaves, RolloutEvaluator
from terracotta_agents.search.search import Search, edges_of
from terracotta_agents.search.settings import Settings
from terracotta_agents.search.tree import NO_NODE, ROOT
from terracotta_env.army import GAME
from terracotta_env.game import NOBODY
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM
from tests.agents.nets import compact
from tests.agents.search.tabletree import table

STATIC = Settings(depth=0, grid=16)  # draws nothing in roll-outs, so trees do not depend on what is beside them


def positions(n: int) -> np.ndarray:
    """Openings for 2, 3, 4, 2, .. players."""
    return np.concatenate([Position.from_seed(GAME, 2 + k % 3, k).states for k in range(n)])


class Flat:
    """A stand-in for a network: equal priors, values from a table by seat; keeps what it was told."""

    def __init__(self, value: tuple[float, ...] = (0.0,)) -> None:
        self.value = value
        self.seen: list[Leaves] = []

    def evaluate(self, leaves: Leaves, priors: np.ndarray, values: np.ndarray) -> None:
        self.seen.append(Leaves(*(getattr(leaves, name).copy() for name in Leaves.__dataclass_fields__)))
        priors[:] = 1.0
        values[:] = 0.0
        values[:, : len(self.value)] = self.value


def test_trees_side_by_side_are_the_trees_of_the_fused_kernel() -> None:
    roots = positions(6)
    batch = BatchSearch(GAME, 6, 200, STATIC, RolloutEvaluator(GAME, STATIC, BUSY), seed=4)
    single = Search(GAME, STATIC, BUSY, 200, reuse=False)
    rows = np.arange(6)
    generators = batch.forest.trees["generator"].copy()
    batch.plant(rows, roots)
    for _ in range(150):
        batch.simulate(rows)
    for tree in range(6):
        single.forest.trees["generator"] = generators[tree]
        result = single.run(Position(GAME, roots[tree : tree + 1]), 150)
        assert batch.visits(tree)[result.actions].tolist() == result.visits.tolist()
        assert batch.visits(tree).sum() == 149
        players = int(roots[tree]["players"])
        np.testing.assert_array_equal(batch.values(tree)[result.actions, :players], result.values)


def test_rollouts_as_evaluator_find_what_the_fused_kernel_finds() -> None:
    settings = Settings(margin=0.0)
    position = table((0, [(1, [(1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)]), (1, [(0.0, 0.0), (0.0, 0.0)])]))
    game = position.game
    batch = BatchSearch(game, 2, 300, settings, RolloutEvaluator(game, settings, UNIFORM))
    rows = np.arange(2)
    batch.plant(rows, np.concatenate([position.states, position.states]))
    for _ in range(300):
        batch.simulate(rows)
    assert [int(np.argmax(batch.visits(tree))) for tree in (0, 1)] == [1, 1]


def test_an_evaluator_is_told_position_observation_mask_and_seat_of_each_leaf() -> None:
    evaluator = Flat()
    batch = BatchSearch(GAME, 3, 50, Settings(), evaluator)
    batch.plant(np.arange(3), positions(3))
    for _ in range(20):
        batch.simulate(np.arange(3))
    for leaves in evaluator.seen:
        for k in range(3):
            position = Position(GAME, leaves.states[k : k + 1])
            seat = position.to_act
            assert seat is not None
            assert leaves.seats[k] == seat
            np.testing.assert_array_equal(leaves.masks[k], position.mask())
            np.testing.assert_array_equal(leaves.observations[k], compact(position, seat))


def test_a_finished_leaf_is_worth_its_own_returns_whatever_the_evaluator_says() -> None:
    evaluator = Flat((0.9, 0.9, 0.9))
    position = table((2, [(-1.0, 0.0, 1.0), (1.0, -1.0, 0.0)]), players=3)
    batch = BatchSearch(position.game, 1, 50, Settings(margin=0.0), evaluator)
    batch.plant(np.zeros(1, np.int64), position.states)
    for _ in range(30):
        batch.simulate(np.zeros(1, np.int64))
    assert batch.values(0)[:2].tolist() == [[-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]]
    assert {int(leaves.seats[0]) for leaves in evaluator.seen} == {2, NOBODY}
    ends = [leaves for leaves in evaluator.seen if leaves.seats[0] == NOBODY]
    assert all(not leaves.masks.any() and not leaves.observations.any() for leaves in ends)


def test_values_are_kept_by_seat_on_the_whole_way() -> None:
    batch = BatchSearch(GAME, 2, 100, Settings(), Flat((0.1, 0.2)))
    batch.plant(np.arange(2), np.concatenate([Position.from_seed(GAME, 2, 1).states] * 2))
    for _ in range(60):
        batch.simulate(np.arange(2))
    for tree in range(2):
        for edge in batch.forest.edges[tree, : int(batch.forest.trees[tree]["edges"])]:
            np.testing.assert_allclose(edge["value"][:2], np.array([0.1, 0.2]) * edge["visits"], rtol=1e-12)


def test_forced_root_actions_get_their_simulations() -> None:
    batch = BatchSearch(GAME, 2, 100, Settings(), Flat())
    rows = np.arange(2)
    roots = positions(2)
    batch.plant(rows, roots)
    batch.simulate(rows)
    legal = [np.flatnonzero(Position(GAME, roots[k : k + 1]).mask()) for k in rows]
    for turn in range(12):
        batch.simulate(rows, np.array([legal[0][turn % len(legal[0])], ANY_ACTION]))
    assert batch.visits(0)[legal[0]].tolist() == [12 // len(legal[0])] * len(legal[0])
    assert batch.visits(1).sum() == 12


def test_noise_is_mixed_into_the_priors_of_the_root_alone() -> None:
    batch = BatchSearch(GAME, 1, 100, Settings(), Flat())
    rows = np.zeros(1, np.int64)
    batch.plant(rows, positions(1))
    batch.simulate(rows)
    batch.simulate(rows)
    edges = edges_of(batch.forest, 0, ROOT)
    before, below = edges["prior"].copy(), batch.forest.edges[0, 1 + len(edges) :].copy()
    noise = np.zeros(GAME.actions)
    noise[edges["action"][0]] = 5.0
    batch.add_noise(0, noise, 0.25)
    expected = 0.75 * before
    expected[0] += 0.25
    np.testing.assert_allclose(edges["prior"], expected)
    assert batch.forest.edges[0, 1 + len(edges) :].tobytes() == below.tobytes()


@pytest.mark.parametrize("stored", [True, False])
def test_advancing_plays_the_action_and_keeps_what_is_stored_below(stored: bool) -> None:
    batch = BatchSearch(GAME, 2, 100, Settings(), Flat())
    rows, roots = np.arange(2), positions(2)
    batch.plant(rows, roots)
    for _ in range(30 if stored else 1):
        batch.simulate(rows)
    actions = np.array([int(np.flatnonzero(Position(GAME, roots[k : k + 1]).mask())[0]) for k in rows])
    visits = [int(batch.visits(k)[actions[k]]) for k in (0, 1)]
    batch.advance(rows, actions)
    for k in rows:
        expected = Position(GAME, roots[k : k + 1].copy()).play(int(actions[k]))
        assert batch.forest.states[k, ROOT].tobytes() == expected.to_bytes()
        assert int(batch.forest.edges[k, ROOT]["visits"]) == visits[k]
    batch.simulate(rows)
    assert (batch.forest.nodes["width"][:, ROOT] > 0).all()


def test_trees_that_do_not_take_part_stay_as_they_are() -> None:
    batch = BatchSearch(GAME, 3, 100, Settings(), Flat())
    batch.plant(np.arange(3), positions(3))
    for _ in range(10):
        batch.simulate(np.arange(3))
    before = [batch.visits(tree).tolist() for tree in range(3)]
    for _ in range(10):
        batch.simulate(np.array([2, 0]))
    assert batch.visits(1).tolist() == before[1]
    assert batch.visits(0).sum() == batch.visits(2).sum() == 19


def test_full_trees_go_on_without_new_nodes() -> None:
    batch = BatchSearch(GAME, 2, 5, Settings(), Flat())
    batch.plant(np.arange(2), positions(2))
    for _ in range(100):
        batch.simulate(np.arange(2))
    assert batch.forest.trees["nodes"].tolist() == [5, 5]
    assert batch.visits(0).sum() == 99
    for tree in range(2):
        known = batch.forest.edges[tree, : int(batch.forest.trees[tree]["edges"])]
        assert int((known["child"] != NO_NODE).sum()) == 5
