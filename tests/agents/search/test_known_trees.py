"""Trees made by hand and the toy game: search finds what is known to be best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from terracotta_agents.search.search import Search, SearchResult, edges_of
from terracotta_agents.search.settings import Settings
from terracotta_agents.search.tree import NO_NODE, ROOT
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM
from tests.agents.search.tabletree import table
from tests.toy import GAME as TOY
from tests.toy.solver import Solution, solve

RULES = {
    "uct": Settings(rule="uct", c=1.0, fpu=math.inf, margin=0.0, depth=None),
    "puct": Settings(rule="puct", c=1.0, fpu=0.2, margin=0.0, grid=0, depth=None),
}
WIN, LOSS, DRAW = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)


def search(position: Position, rule: str, simulations: int, seed: int = 0) -> tuple[Search, SearchResult]:
    made = Search(position.game, RULES[rule], UNIFORM, capacity=2 * simulations)
    made.begin(seed)
    return made, made.run(position, simulations)


def best(position: Position, rule: str, simulations: int, seed: int = 0) -> int:
    return search(position, rule, simulations, seed)[1].best


@pytest.mark.parametrize("rule", RULES)
def test_a_seat_that_moves_twice_finds_the_pair_of_moves(rule: str) -> None:
    # action 1 looks bad on average, and would be bad if the second decision were the opponent's
    tree = (0, [(0, [DRAW, DRAW, DRAW]), (0, [LOSS, LOSS, WIN]), (1, [WIN, WIN, LOSS])])
    right = [best(table(tree), rule, 2000, seed) == 1 for seed in range(200)]
    assert np.mean(right) >= 0.99


@pytest.mark.parametrize("rule", RULES)
def test_the_reply_that_punishes_is_seen(rule: str) -> None:
    # action 0 wins against three of four replies, action 1 draws against all
    tree = (0, [(1, [WIN, WIN, LOSS, WIN]), (1, [DRAW, DRAW, DRAW, DRAW])])
    for seed in range(20):
        assert best(table(tree), rule, 300, seed) == 1


@pytest.mark.parametrize("rule", RULES)
def test_each_of_three_seats_maximises_its_own_payoff(rule: str) -> None:
    """Seat 1 prefers its own second place to hurting seat 0, seat 2 its own win: not one "opponent" of the root."""
    low: Any = (1, [(2, [(0.0, -1.0, 1.0), (1.0, 0.0, -1.0)]), (2, [(1.0, 0.0, -1.0), (-1.0, 1.0, 0.0)])])
    # seat 0 gets -1 below action 0: seat 2 takes 0.0 rather than -1.0, so seat 1 gets 1 by its action 1
    tree = (0, [low, (1, [(0.0, 1.0, -1.0), (1.0, -1.0, 0.0)])])
    made, result = search(table(tree, players=3), rule, 2000)
    assert result.best == 1
    assert result.values[1] == pytest.approx([0.0, 1.0, -1.0], abs=0.15)
    assert result.line == ("door:1", "door:0")
    lower = edges_of(made.forest, 0, ROOT)
    node = int(lower[lower["action"] == 0]["child"][0])
    reply = edges_of(made.forest, 0, node)
    assert int(reply["action"][np.argmax(reply["visits"])]) == 1


@pytest.mark.parametrize("rule", RULES)
def test_the_win_in_one_is_found_with_50_simulations(rule: str) -> None:
    tree = (0, [(1, [WIN, WIN, LOSS]), (1, [DRAW, DRAW]), WIN, (0, [DRAW, WIN, LOSS])])
    for seed in range(40):
        assert best(table(tree), rule, 50, seed) == 2


def test_the_last_winning_decision_of_the_toy_game_is_found_with_50_simulations() -> None:
    found = 0
    rng = np.random.default_rng(3)
    for seed in range(100):
        position = Position.from_seed(TOY, 2, seed)
        while not position.over:
            before, seat = position.clone(), position.to_act
            position.play(int(rng.choice(np.flatnonzero(position.mask()))))
        assert seat is not None
        after = [before.clone().play(int(action)) for action in np.flatnonzero(before.mask())]
        outcomes = [float(end.returns()[seat]) for end in after]
        if all(end.over for end in after) and max(outcomes) > min(outcomes):
            found += 1
            result = search(before, "puct", 50, seed)[1]
            assert outcomes[result.actions.tolist().index(result.best)] == 1.0
    assert found >= 5


def test_a_finished_game_is_worth_its_own_returns() -> None:
    """To the seats as they stand there, whoever moves at the root or last."""
    tree = (2, [(-1.0, 0.0, 1.0), (1.0, -1.0, 0.0)])
    result = search(table(tree, players=3), "uct", 200)[1]
    assert result.values.tolist() == [[-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]]
    assert result.best == 0


@pytest.mark.parametrize("rule", RULES)
def test_a_corridor_of_5000_positions_is_walked_to_its_end(rule: str) -> None:
    position = table((0, [LOSS, WIN]), corridor=5000)
    _, result = search(position, rule, 5200)
    assert result.nodes >= 5003
    assert len(result.line) == 5001
    assert result.line[-1] == "door:1"


def clear_positions(games: int, first: int = 0) -> list[tuple[Position, Solution]]:
    """Positions of the toy game for three whose best action does not depend on how ties are broken."""
    found = []
    for seed in range(first, first + games):
        rng = np.random.default_rng(seed)
        known: dict[bytes, Solution] = {}
        position = Position.from_seed(TOY, 3, seed)
        for decision in range(100):
            if position.over:
                break
            if decision >= 2:  # the very first ones take a second each to solve
                solution = solve(position, known=known)
                if solution.clear:
                    found.append((position.clone(), solution))
            position.play(int(rng.choice(np.flatnonzero(position.mask()))))
    return found


@pytest.mark.parametrize("rule", RULES)
def test_the_solution_of_the_toy_game_is_found(rule: str) -> None:
    cases = clear_positions(30)
    assert len(cases) > 50
    right = [best(position, rule, 2000, number) == solution.best for number, (position, solution) in enumerate(cases)]
    assert np.mean(right) >= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_the_solution_of_the_toy_game_is_found_in_many_games(rule: str) -> None:
    cases = clear_positions(200, first=1000)
    right = [best(position, rule, 2000, number) == solution.best for number, (position, solution) in enumerate(cases)]
    assert np.mean(right) >= 0.99


def nodes_below(made: Search) -> list[tuple[int, list[int]]]:
    """Every stored node of the first tree with the actions that lead to it."""
    found, open_nodes = [], [(ROOT, list[int]())]
    while open_nodes:
        node, actions = open_nodes.pop()
        found.append((node, actions))
        for edge in edges_of(made.forest, 0, node):
            if edge["child"] != NO_NODE:
                open_nodes.append((int(edge["child"]), [*actions, int(edge["action"])]))
    return found


@pytest.mark.parametrize("players", GAME.players)
def test_edges_at_every_depth_are_the_legal_actions_there(players: int) -> None:
    root = Position.from_seed(GAME, players, 20 + players)
    made, _ = search(root, "puct", 400)
    below = nodes_below(made)
    assert len(below) == int(made.forest.trees[0]["nodes"]) == 400
    for node, actions in below:
        position = root.clone()
        for action in actions:
            position.play(action)  # raises where it is not legal
        assert made.forest.states[0, node].tobytes() == position.to_bytes()
        edges = edges_of(made.forest, 0, node)
        assert sorted(edges["action"].tolist()) == np.flatnonzero(position.mask()).tolist()
        assert int(made.forest.nodes[0, node]["mover"]) == (-1 if position.over else position.to_act)


@pytest.mark.parametrize("rule", RULES)
def test_visits_add_up_at_every_node(rule: str) -> None:
    made, result = search(Position.from_seed(GAME, 3, 4), rule, 600)
    assert result.simulations == 600
    assert result.visits.sum() == 599  # the first one evaluated the root itself
    for node, _ in nodes_below(made):
        way = made.forest.edges[0, int(made.forest.nodes[0, node]["parent_edge"])]
        below = edges_of(made.forest, 0, node)
        if len(below):
            assert int(way["visits"]) == 1 + int(below["visits"].sum())
            assert sum(below["prior"]) == pytest.approx(1.0)
