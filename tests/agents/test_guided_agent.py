"""Search with a network as a player: of one game and of many, by code, and for analysis."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from terracotta_agents.neural.agent import NetAgent
from terracotta_agents.neural.evaluator import NetworkEvaluator
from terracotta_agents.neural.guided import AzAgent, GuidedRows
from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.protocol.engines import Budget, analyse, make_engine
from terracotta_agents.registry import AgentError, make_agent, make_rows
from terracotta_agents.search.batch import Leaves
from terracotta_agents.search.guided import RootSettings
from terracotta_agents.search.settings import Settings
from terracotta_agents.serve.analyst import make_analyst
from terracotta_env.army import GAME
from terracotta_env.game import NOBODY, Game
from terracotta_env.policy import ask
from terracotta_env.position import Position
from terracotta_training.evaluate import play
from terracotta_training.matches import play_rows
from tests.agents.nets import compact, small_network, some_positions
from tests.toy import GAME as TOY


def leaves_of(positions: list[Position], game: Game) -> Leaves:
    return Leaves(
        np.concatenate([position.states for position in positions]),
        np.array([compact(p, 0) if p.over else compact(p) for p in positions]),
        np.array([position.mask() for position in positions]),
        np.array([NOBODY if p.to_act is None else p.to_act for p in positions]),
    )


@pytest.mark.parametrize("game", [TOY, GAME], ids=["toy", "army"])
def test_values_are_rank_and_final_margin_by_seat_of_the_table(game: Game) -> None:
    """The network's own evaluation in points, blended as finished games are; priors are its policy."""
    network, settings = small_network(game, gain=200.0), Settings(margin=0.3, scale=0.7 * game.points_scale)
    positions = some_positions(game, 9)
    evaluator = NetworkEvaluator(game, network, settings, half=False)
    priors, values = np.zeros((9, game.actions)), np.full((9, game.seats), np.nan)
    evaluator.evaluate(leaves_of(positions, game), priors, values)
    agent = NetAgent(game, network)
    for k, position in enumerate(positions):
        told = agent.evaluate(position)
        assert told.ranks is not None
        assert told.margins is not None
        x = told.margins * settings.scale
        expected = 0.7 * told.ranks + 0.3 * x / np.sqrt(1 + x * x)
        np.testing.assert_allclose(values[k, : position.players], expected, atol=1e-4)
        assert not values[k, position.players :].any()
        np.testing.assert_allclose(priors[k][told.actions] / priors[k].sum(), told.probabilities, atol=1e-5)


def test_leaves_that_are_over_are_left_alone() -> None:
    position = Position.from_seed(TOY, 2, 1)
    while not position.over:
        position.play(int(np.flatnonzero(position.mask())[0]))
    priors, values = np.full((1, TOY.actions), 7.0), np.full((1, TOY.seats), 7.0)
    NetworkEvaluator(TOY, small_network(TOY), Settings()).evaluate(leaves_of([position], TOY), priors, values)
    assert (priors == 7).all()
    assert (values == 7).all()


def test_network_that_has_diverged_is_told() -> None:
    network = small_network(TOY)
    for parameter in network.values.parameters():
        parameter.data.fill_(math.nan)
    with pytest.raises(ValueError, match="diverged"):
        AzAgent(TOY, network, 5).act(Position.from_seed(TOY, 2, 1), np.ones(TOY.actions, np.int8))


@pytest.mark.parametrize("rule", ["puct", "gumbel"])
def test_one_game_and_many_at_once_are_searched_alike(rule: str) -> None:
    network, root = small_network(TOY, "perceptron", gain=100.0), RootSettings(rule=rule)
    positions = [position for position in some_positions(TOY, 8) if not position.over]
    rows = GuidedRows(TOY, network, 20, root=root, half=False)
    states = np.concatenate([position.states for position in positions])
    together = rows.act(states, np.arange(len(positions)), np.random.default_rng(0))
    assert together.tolist() == [ask(AzAgent(TOY, network, 20, root=root), position) for position in positions]


def test_search_plays_the_toy_better_than_the_network_alone() -> None:
    network = small_network(TOY, "perceptron")
    match = play_rows(TOY, GuidedRows(TOY, network, 100, half=False), NetworkRows(TOY, network, False), 2, 100, 5)
    assert match.win_share()[1] > 0.6


def test_same_seed_same_game_and_a_kept_tree_counts_on() -> None:
    network = small_network(TOY, "perceptron")
    ends = []
    for _ in range(2):
        agents = [AzAgent(TOY, network, 15), AzAgent(TOY, network, 15)]
        for seat, agent in enumerate(agents):
            agent.begin(seat)
        ends.append(play(Position.from_seed(TOY, 2, 3), agents).to_bytes())
    assert ends[0] == ends[1]
    agent, position = AzAgent(TOY, network, 40), Position.from_seed(TOY, 2, 3)
    position.play(ask(agent, position))
    ask(agent, position)
    assert agent.last is not None
    assert agent.last.reused > 0
    assert agent.last.simulations == 40


# codes ----------------------------------------------------------------------------------------------------------------


def test_default_network_searches_by_its_code() -> None:
    agent = make_agent("az:default:4,c=0.8,rule=gumbel")
    position = Position.from_seed(GAME, 4, 1)
    assert position.mask()[ask(agent, position)]
    assert agent.name == "az:default:4,c=0.8,rule=gumbel"
    rows = make_rows("az:default:4,threads=2")
    assert rows is not None
    states = np.concatenate([Position.from_seed(GAME, 3, seed).states for seed in range(4)])
    chosen = rows().act(states, np.arange(4), np.random.default_rng(0))
    assert all(Position(GAME, states[k : k + 1]).mask()[chosen[k]] for k in range(4))


def test_milliseconds_end_a_search_and_play_one_game_at_a_time() -> None:
    agent = make_agent("az:default:30ms")
    assert isinstance(agent, AzAgent)
    ask(agent, Position.from_seed(GAME, 2, 1))
    assert agent.last is not None
    assert agent.last.simulations >= 1
    assert make_rows("az:default:30ms") is None


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("az:default", r"expected PATH:SIMULATIONS"),
        ("az:default:none", r"budget: expected simulations"),
        ("az:default:0", r"budget: expected simulations"),
        ("az:nowhere:10", r"nowhere: no such file"),
        ("az:default:10,speed=2", r"speed: no such option; known are rule, c"),
        ("az:default:10,rule=uct", r"rule: expected one of gumbel, puct, got 'uct'"),
        ("az:default:10ms,rule=gumbel", r"rule: gumbel shares out a number of simulations"),
    ],
)
def test_wrong_codes_are_refused_with_what_is_allowed(code: str, message: str) -> None:
    for make in (make_agent, make_rows):
        with pytest.raises(AgentError, match=message):
            make(code)


# analysis -------------------------------------------------------------------------------------------------------------


def test_search_analyses_with_visits_and_values_and_stops_at_its_budget() -> None:
    position = Position.from_seed(GAME, 3, 2)
    found = analyse(make_engine("az:default:16"), position, Budget(40), lambda: False)
    assert sum(found.visits.values()) == found.simulations == 40
    assert found.values is not None
    assert len(found.values) == 3
    assert found.line[0] == found.best
    assert set(found.visits) == set(position.legal())


def test_networks_analyse_with_values_and_analysts_with_probabilities() -> None:
    position = Position.from_seed(GAME, 3, 2)
    found = analyse(make_engine("net:default"), position, Budget(), lambda: False)
    assert found.values is not None
    assert len(found.values) == 3
    seen = make_analyst("net:default").analyse(position, lambda: False)
    assert sum(candidate.probability for candidate in seen.candidates) == pytest.approx(1)
    assert seen.candidates[0].token == found.best
    assert seen.values == pytest.approx(found.values, abs=1e-5)
    searched = make_analyst("az:default:8").analyse(position, lambda: False)
    assert sum(candidate.visits or 0 for candidate in searched.candidates) == 8


@pytest.mark.parametrize("code", ["az:runs/x:10", "az:default:x:10", "net:runs/x", "az:/etc/passwd:1"])
def test_engines_for_others_open_no_files(code: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="az:default:SIMULATIONS"):
        make_engine(code)
