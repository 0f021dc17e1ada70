"""Budgets, threads, memory, determinism, reuse along a game."""

from __future__ import annotations

import random
import resource
import time

import numpy as np
import pytest

from terracotta_agents.busy import BUSY
from terracotta_agents.search.search import Search
from terracotta_agents.search.settings import Settings
from terracotta_agents.search.tree import NO_NODE, ROOT, make_forest
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM
from tests.agents.search.tabletree import table
from tests.env.playing import fresh_process
from tests.toy import GAME as TOY

# determinism ----------------------------------------------------------------------------------------------------------

CODE = """
import numpy as np
from terracotta_agents.busy import BUSY
from terracotta_agents.search.search import Search
from terracotta_env.army import GAME
from terracotta_env.position import Position
search = Search(GAME, rollout=BUSY, capacity=500)
search.begin(77)
position = Position.from_seed(GAME, 3, 12)
for _ in range(6):
    result = search.run(position, 150)
    print(result.actions.tolist(), result.visits.tolist(), result.values.tolist(), result.line)
    position.play(result.best)
"""


def test_the_same_seed_gives_the_same_visits_in_two_processes() -> None:
    one, other = (fresh_process(CODE, PYTHONHASHSEED=salt) for salt in ("0", "4321"))
    assert one == other
    assert one.count("\n") == 6


def test_another_seed_gives_other_visits() -> None:
    made = Search(GAME, rollout=BUSY, capacity=500)
    position = Position.from_seed(GAME, 2, 12)
    visits = []
    for seed in (1, 2, 1):
        made.begin(seed)
        visits.append(made.run(position, 200).visits.tolist())
    assert visits[0] == visits[2] != visits[1]


def global_numbers() -> tuple[str, str]:
    return str(np.random.get_state(legacy=False)), str(random.getstate())  # noqa: NPY002


def test_the_searched_position_and_global_generators_are_left_alone() -> None:
    position = Position.from_seed(GAME, 2, 3)
    before, numbers = position.to_bytes(), global_numbers()
    Search(GAME, rollout=UNIFORM, capacity=100).run(position, 100)
    assert position.to_bytes() == before
    assert global_numbers() == numbers


def test_search_runs_without_the_compiler() -> None:
    code = """
from terracotta_agents.search.search import Search
from terracotta_agents.search.settings import Settings
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM
from tests.toy import GAME
search = Search(GAME, Settings(), UNIFORM, capacity=50)
position = Position.from_seed(GAME, 3, 1)
for _ in range(2):
    result = search.run(position, 40)
    print(result.actions.tolist(), result.visits.tolist(), result.values.tolist(), result.reused)
    position.play(result.best)
"""
    assert fresh_process(code, NUMBA_DISABLE_JIT="1") == fresh_process(code, NUMBA_DISABLE_JIT="0")


# budgets and threads --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_simulations_are_counted_over_all_threads(threads: int) -> None:
    made = Search(GAME, rollout=UNIFORM, capacity=300, threads=threads, reuse=False)
    result = made.run(Position.from_seed(GAME, 2, 5), 200)
    assert result.simulations == 200
    assert result.visits.sum() == 200 - threads
    assert len({tree.tobytes() for tree in made.forest.edges}) == threads  # each has numbers of its own


def test_threads_give_the_same_visits_each_time() -> None:
    made = Search(GAME, rollout=UNIFORM, capacity=300, threads=2)
    visits = []
    for _ in range(3):
        made.begin(5)
        visits.append(made.run(Position.from_seed(GAME, 2, 5), 300).visits.tolist())
    assert visits[0] == visits[1] == visits[2]


def test_a_budget_in_milliseconds_is_used_and_kept() -> None:
    made = Search(GAME, rollout=BUSY, capacity=100_000)
    position = Position.from_seed(GAME, 2, 5)
    made.run(position, milliseconds=1)
    start = time.perf_counter()
    result = made.run(position, milliseconds=100)
    spent = time.perf_counter() - start
    assert 0.1 <= spent < 1.0  # the upper end leaves room for a busy machine
    assert result.simulations > 50
    assert made.run(position, milliseconds=0).simulations >= 1


def test_neither_or_both_budgets_are_refused() -> None:
    made = Search(TOY)
    position = Position.from_seed(TOY, 2, 1)
    for budgets in ({}, {"simulations": 5, "milliseconds": 5}):
        with pytest.raises(ValueError, match="either simulations or milliseconds"):
            made.run(position, **budgets)


def test_what_cannot_be_searched_is_refused() -> None:
    made = Search(TOY)
    with pytest.raises(ValueError, match="simulations: expected a number from 1, got 0"):
        made.run(Position.from_seed(TOY, 2, 1), 0)
    with pytest.raises(ValueError, match="made for orchard, not for terracotta"):
        made.run(Position.from_seed(GAME, 2, 1), 10)
    with pytest.raises(ValueError, match="threads: expected a number from 1, got 0"):
        Search(TOY, threads=0)


def test_one_simulation_gives_the_action_with_the_largest_prior() -> None:
    result = Search(GAME, Settings(mix=0.0), BUSY).run(Position.from_seed(GAME, 2, 1), 1)
    assert result.visits.sum() == 0
    assert result.best == result.actions[result.priors.argmax()]


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        Search(table((0, [(1.0, -1.0)])).game).run(table((1.0, -1.0)), 10)


# memory ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [TOY, GAME], ids=["orchard", "terracotta"])
@pytest.mark.parametrize("capacity", [1, 2, 7, 60])
def test_a_full_tree_goes_on_searching(game: Game, capacity: int) -> None:
    made = Search(game, Settings(), UNIFORM, capacity)
    result = made.run(Position.from_seed(game, 2, 5), 500)
    assert result.nodes == capacity
    assert result.visits.sum() == 499
    assert int(made.forest.trees[0]["edges"]) <= made.forest.edges.shape[1]


def test_edges_that_run_out_stop_expansion_only() -> None:
    made = Search(GAME, Settings(), UNIFORM, 400)
    object.__setattr__(made.forest, "edges", made.forest.edges[:, : GAME.actions + 90].copy())
    result = made.run(Position.from_seed(GAME, 2, 5), 1000)
    assert int(made.forest.trees[0]["edges"]) <= GAME.actions + 90
    assert result.visits.sum() == 999


def test_a_forest_needs_a_tree_and_a_node() -> None:
    for trees, capacity in ((0, 5), (5, 0)):
        with pytest.raises(ValueError, match="a forest needs a tree and a node"):
            make_forest(TOY, trees, capacity)


def test_memory_does_not_grow_over_200_games() -> None:
    made = Search(TOY, Settings(), UNIFORM, 200, threads=2)
    peaks = []
    for game in range(220):
        made.begin(game)
        position = Position.from_seed(TOY, 3, game)
        while not position.over:
            position.play(made.run(position, 60).best)
        if game in (19, 219):
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)  # KiB
    assert peaks[1] - peaks[0] < 2048


# reuse ----------------------------------------------------------------------------------------------------------------


def check_tree(made: Search, root: Position) -> None:
    """Links, positions and counts of a tree after it was moved."""
    forest = made.forest
    stored = int(forest.trees[0]["nodes"])
    assert forest.states[0, ROOT].tobytes() == root.to_bytes()
    seen, used = set(), 1
    for node in range(stored):
        record = forest.nodes[0, node]
        way = forest.edges[0, int(record["parent_edge"])]
        assert int(way["child"]) == node
        edges = forest.edges[0, int(record["first_edge"]) : int(record["first_edge"]) + int(record["width"])]
        used += len(edges)
        position = Position(root.game, forest.states[0, node : node + 1].copy())
        if len(edges):
            assert sorted(edges["action"].tolist()) == np.flatnonzero(position.mask()).tolist()
            assert int(way["visits"]) == 1 + int(edges["visits"].sum())
        for edge in edges:
            assert int(edge["node"]) == node
            child = int(edge["child"])
            if child != NO_NODE:
                assert node < child < stored
                seen.add(child)
                below = position.clone().play(int(edge["action"]))
                assert forest.states[0, child].tobytes() == below.to_bytes()
    assert seen == set(range(1, stored))
    assert used == int(forest.trees[0]["edges"])


def test_what_lies_below_the_actions_played_is_kept() -> None:
    made = Search(GAME, Settings(), BUSY, 3000)
    position = Position.from_seed(GAME, 2, 6)
    kept = expected = 0
    for decision in range(12):
        result = made.run(position, 300)
        check_tree(made, position)
        assert result.reused == expected
        kept += result.reused
        assert result.simulations == 300
        if decision % 3:
            expected = int(result.visits.max())
            position.play(result.best)
        else:  # two decisions at once, as when others have moved
            for token in result.line[:2]:
                position.play(token)
            nodes = [i for i in range(result.nodes) if made.forest.states[0, i].tobytes() == position.to_bytes()]
            expected = max(int(made.forest.edges[0, made.forest.nodes[0, i]["parent_edge"]]["visits"]) for i in nodes)
    assert kept > 1000


def test_a_position_that_was_not_reached_begins_a_new_tree() -> None:
    made = Search(GAME, Settings(), BUSY, 500)
    made.run(Position.from_seed(GAME, 2, 6), 100)
    result = made.run(Position.from_seed(GAME, 2, 7), 100)
    assert result.reused == 0
    assert result.nodes == 100


def test_the_same_position_again_goes_on_where_it_was() -> None:
    made = Search(GAME, Settings(), BUSY, 500)
    position = Position.from_seed(GAME, 2, 6)
    made.run(position, 100)
    split = made.run(position, 100)
    assert split.reused == 100
    made.begin(0)
    whole = made.run(position, 200)
    assert split.visits.tolist() == whole.visits.tolist()


def test_without_reuse_nothing_is_kept() -> None:
    made = Search(GAME, Settings(), BUSY, 500, reuse=False)
    position = Position.from_seed(GAME, 2, 6)
    for _ in range(3):
        result = made.run(position, 100)
        assert (result.reused, result.nodes) == (0, 100)
        position.play(result.best)


@pytest.mark.parametrize("game", [TOY, GAME], ids=["orchard", "terracotta"])
@pytest.mark.parametrize("reuse", [True, False], ids=["reuse", "fresh"])
@pytest.mark.parametrize("capacity", [20, 200])
def test_whole_games_are_legal(game: Game, reuse: bool, capacity: int) -> None:
    rollout = BUSY if game is GAME else UNIFORM
    made = Search(game, Settings(depth=8), rollout, capacity, reuse=reuse)
    for players in game.players:
        made.begin(players)
        position = Position.from_seed(game, players, 40 + players)
        while not position.over:
            position.play(made.run(position, 25).best)  # raises where it is not legal
