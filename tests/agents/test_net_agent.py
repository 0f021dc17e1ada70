"""``net:PATH``: a network as a bot, AEC policy, Gymnasium and vector opponent, and what it tells of a position."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from terracotta_agents.evaluation import Evaluator
from terracotta_agents.neural import loading
from terracotta_agents.neural.actor import Actor, save_actor
from terracotta_agents.neural.agent import NetAgent
from terracotta_agents.neural.networks import MARGIN, RANK
from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.neural.saved import save_network
from terracotta_agents.protocol.engines import make_engine
from terracotta_agents.registry import AgentError, make_agent, split_codes
from terracotta_env.aec import GameAEC
from terracotta_env.army import GAME
from terracotta_env.game import NOBODY
from terracotta_env.gym import GameGym
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.vector import GameVector, RowOpponents
from tests.agents.games import BOARDS, play_and_record
from tests.agents.nets import compact, small_network, some_positions
from tests.toy import GAME as TOY


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run folder as ``train ppo`` leaves it."""
    folder = tmp_path / "run"
    save_network(folder / "net.safetensors", small_network(GAME, gain=100), GAME)
    return folder


# codes ----------------------------------------------------------------------------------------------------------------


def test_path_is_a_file_or_the_folder_of_a_run_or_of_an_actor(folder: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    actor = Actor([GAME.observation_size, 4, GAME.actions]).eval()
    save_actor(tmp_path / "sb3" / "actor", actor, GAME)
    position = Position.from_seed(GAME, 2, 6)
    of_run = [make_agent(f"net:{path}") for path in (folder, folder / "net.safetensors")]
    of_actor = [make_agent(f"net:{tmp_path / path}") for path in ("sb3", "sb3/actor", "sb3/actor/actor.safetensors")]
    for same in (of_run, of_actor):
        told = [bot.evaluate(position) for bot in same if isinstance(bot, NetAgent)]
        assert len(told) == len(same)
        assert all(np.array_equal(one.probabilities, told[0].probabilities) for one in told)


def test_default_is_the_network_of_the_package(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "DEFAULT_FOLDER", folder)
    bot = make_agent("net:default")
    assert bot.name == "net:default"
    monkeypatch.setattr(loading, "DEFAULT_FOLDER", tmp_path / "missing")
    with pytest.raises(AgentError, match=r"agent 'net:default': .*the default network is not in this copy") as caught:
        make_agent("net:default")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("net:", "expected the path of a network"),
        ("net:nowhere", "nowhere: no such file or folder"),
        ("net:{folder},sample=2", "sample: expected 0 or 1, got '2'"),
        ("net:{folder},sample=", "sample: expected 0 or 1"),
        ("net:{folder},colour=1", "colour: no such option; known is sample"),
        ("net:{folder},sample=1,sample=1", "sample: is given twice"),
        ("net:{folder},sample", "expected option=value"),
        ("net:{folder}/..", "expected the folder of a training run or of an actor, with one of net.safetensors"),
        ("net:{folder}/text", "is not a whole safetensors file"),
    ],
)
def test_wrong_code_is_one_clear_line(code: str, named: str, folder: Path) -> None:
    (folder / "text").write_text("a network")
    with pytest.raises(AgentError, match=named) as caught:
        make_agent(code.format(folder=folder))
    assert "\n" not in str(caught.value)


def test_codes_with_options_are_split_from_others() -> None:
    assert split_codes("busy,net:runs/a,sample=1,net:b") == ["busy", "net:runs/a,sample=1", "net:b"]


def test_other_programs_may_ask_for_no_file_but_the_default(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "DEFAULT_FOLDER", folder)
    for code in (f"net:{folder}", "net:default/../x", f"net-sample:{folder}", "net:", "net"):
        with pytest.raises(AgentError, match=r"no engine .*known are .*net:default"):
            make_engine(code)
    for code in ("net:default", "net:default,sample=1", "net-sample:default"):
        assert isinstance(make_engine(code), NetAgent)


# playing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
def test_network_plays_whole_games_of_all_sizes_on_every_board(players: int, folder: Path) -> None:
    board = BOARDS[players % len(BOARDS)]
    code = f"net:{folder},sample=1"
    record, final = play_and_record(players, [code], 4, board)
    assert final.over
    assert record["agents"] == [code] * players
    assert play_and_record(players, [code], 4, board)[0] == record


def test_best_action_is_the_most_probable_and_draws_nothing(folder: Path) -> None:
    bot = NetAgent.load(folder, GAME)
    for position in some_positions(GAME):
        before = bot.rng.bit_generator.state
        told = bot.evaluate(position)
        assert bot.act(position, position.mask()) == told.actions[told.probabilities.argmax()]
        assert bot.rng.bit_generator.state == before


def test_sampling_follows_the_probabilities_and_the_seed(folder: Path) -> None:
    [bot, other] = [make_agent(code.format(folder)) for code in ("net:{},sample=1", "net-sample:{}")]
    assert isinstance(bot, NetAgent)
    position = some_positions(GAME, 1, seed=3)[0]
    told = bot.evaluate(position)
    drawn = []
    for seed in (1, 1, 2):
        bot.begin(seed)
        drawn.append([bot.act(position, position.mask()) for _ in range(600)])
    other.begin(1)
    assert drawn[0] == drawn[1] == [other.act(position, position.mask()) for _ in range(600)]
    assert drawn[0] != drawn[2]
    counts = np.array([(drawn[0] + drawn[2]).count(action) for action in told.actions])
    spread = np.sqrt(1200 * told.probabilities * (1 - told.probabilities))
    assert (np.abs(counts - 1200 * told.probabilities) <= 4.5 * spread + 1).all()


@pytest.mark.parametrize("kind", ["perceptron", "structured"])
def test_bot_and_rows_choose_the_same_best_action(kind: str) -> None:
    network = small_network(GAME, kind, gain=100)
    bot, rows = NetAgent(GAME, network), NetworkRows(GAME, network, sample=False)
    positions = some_positions(GAME)
    states = np.concatenate([position.states for position in positions])
    chosen = rows.act(states, np.arange(len(states)), np.random.default_rng(0))
    assert chosen.tolist() == [bot.act(position, position.mask()) for position in positions]


def test_playing_leaves_torch_as_it_was(folder: Path) -> None:
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    bot = make_agent(f"net:{folder},sample=1")
    bot.begin(1)
    position = Position.from_seed(GAME, 2, 6)
    bot.act(position, position.mask())
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    assert torch.is_grad_enabled()
    assert not torch.is_inference_mode_enabled()


# evaluating -----------------------------------------------------------------------------------------------------------


def test_evaluation_is_what_the_network_says_by_seat_of_the_table(folder: Path) -> None:
    network = small_network(GAME, gain=100)
    bot = NetAgent(GAME, network)
    assert isinstance(bot, Evaluator)
    for position in some_positions(GAME, 24):
        seat, players = position.to_act, position.players
        assert seat is not None
        told = bot.evaluate(position)
        logits, values = (out[0].detach().numpy() for out in network(torch.from_numpy(compact(position))[None]))
        assert told.actions.tolist() == np.flatnonzero(position.mask()).tolist()
        exact = np.exp(logits[told.actions].astype(float))
        np.testing.assert_allclose(told.probabilities, exact / exact.sum(), atol=1e-5)
        assert told.ranks is not None
        assert told.margins is not None
        assert told.ranks.shape == told.margins.shape == (players,)
        points = position.points()
        for relative in range(players):
            absolute = (seat + relative) % players
            assert told.ranks[absolute] == pytest.approx(np.clip(values[relative, RANK], -1, 1), abs=1e-4)
            others = [points[other] for other in range(players) if other != absolute]
            so_far = points[absolute] - sum(others) / len(others)
            expected = so_far + values[relative, MARGIN] / GAME.points_scale
            assert told.margins[absolute] == pytest.approx(expected, abs=1e-2)


def test_actor_has_probabilities_and_no_values() -> None:
    torch.manual_seed(0)
    bot = NetAgent(GAME, Actor([GAME.observation_size, 4, GAME.actions]))
    told = bot.evaluate(Position.from_seed(GAME, 3, 6))
    assert told.probabilities.sum() == pytest.approx(1)
    assert (told.ranks, told.margins) == (None, None)


def test_evaluating_neither_draws_nor_plays() -> None:
    bot = NetAgent(TOY, small_network(TOY, gain=100), sample=True)
    position = some_positions(TOY, 1)[0]
    raw, before = position.to_bytes(), bot.rng.bit_generator.state
    bot.evaluate(position)
    assert position.to_bytes() == raw
    assert bot.rng.bit_generator.state == before


def test_finished_game_and_diverged_network_are_named() -> None:
    network = small_network(TOY)
    bot = NetAgent(TOY, network)
    position = Position.from_seed(TOY, 2, 1)
    while not position.over:
        position.play(bot.act(position, position.mask()))
    with pytest.raises(ValueError, match="the game is over"):
        bot.evaluate(position)
    with torch.no_grad():
        list(network.policy.parameters())[-1].fill_(float("nan"))
    broken = NetAgent(TOY, network)
    fresh = Position.from_seed(TOY, 2, 1)
    with pytest.raises(ValueError, match="diverged"):
        broken.evaluate(fresh)
    with pytest.raises(ValueError, match="diverged"):
        broken.act(fresh, fresh.mask())


# in the environments --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
def test_network_plays_the_aec_view(players: int, folder: Path) -> None:
    env = GameAEC(GAME, players)
    env.reset(seed=5)
    bots = {agent: make_agent(f"net:{folder}") for agent in env.possible_agents}
    for agent in env.agent_iter():
        _, _, over, cut, _ = env.last()
        if over or cut:
            env.step(None)
            continue
        position = env.position
        env.step(bots[agent].act(position, position.mask()))
    assert not env.agents


@pytest.mark.parametrize("players", GAME.players)
def test_network_is_a_gymnasium_opponent(players: int, folder: Path) -> None:
    env = GameGym(GAME, players, opponents=partial(make_agent, f"net:{folder},sample=1"), observation="vector")
    played = []
    for _ in range(1 + (players == 2)):
        env.reset(seed=7)
        me, total, over, actions = Uniform(), 0.0, False, []
        me.begin(3)
        while not over:
            actions.append(me.act(env.position, env.action_masks()))
            _, reward, over, _, _ = env.step(actions[-1])
            total += reward
        played.append((actions, env.position.to_bytes()))
        assert total == env.position.returns()[env.seat]
    assert played[0] == played[-1]


def play_vector(game: Any, opponents: RowOpponents, seed: int, steps: int, players: Any) -> tuple[Any, ...]:
    env = GameVector(game, len(players), players, opponents=opponents)
    rng = np.random.default_rng(1)
    _, infos = env.reset(seed=seed)
    seen, finished = [], 0
    for _ in range(steps):
        masks = infos["action_mask"]
        actions = (masks * rng.random(masks.shape)).argmax(1)
        assert (env.batch.seats == env.learner).all()
        _, rewards, over, _, infos = env.step(actions)
        finished += int(over.sum())
        seen.append((rewards.tolist(), over.tolist()))
    return seen, finished, env.batch.states.tobytes()


@pytest.mark.parametrize("game", [GAME, TOY], ids=lambda game: game.name)
def test_networks_are_vector_opponents_at_mixed_player_counts(game: Any) -> None:
    players = np.resize(game.players, 6)
    rows = [NetworkRows(game, small_network(game, seed=seed, gain=50)) for seed in (1, 2)]
    one = play_vector(game, RowOpponents(rows), 4, 20, players)
    assert one == play_vector(game, RowOpponents(rows), 4, 20, players)
    assert one != play_vector(game, RowOpponents(rows), 5, 20, players)
    if game is TOY:
        assert one[1] > 5


class Watcher:
    """Plays the first legal action and notes whose turn it was."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.asked: list[tuple[int, int | None]] = []

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        positions = [Position(self.game, states[row : row + 1]) for row in rows]
        self.asked += [(int(row), position.to_act) for row, position in zip(rows, positions, strict=True)]
        return np.array([position.mask().argmax() for position in positions], np.int64)


def test_policies_sit_clockwise_after_the_learner_and_never_in_its_seat() -> None:
    first, second = Watcher(TOY), Watcher(TOY)
    env = GameVector(TOY, 8, [2, 3] * 4, opponents=RowOpponents([first, second]))
    _, infos = env.reset(seed=2)
    for _ in range(30):
        learner, players = env.learner.copy(), env.batch.players
        first.asked.clear()
        second.asked.clear()
        _, _, over, _, infos = env.step(infos["action_mask"].argmax(1))
        for place, watcher in ((1, first), (2, second)):
            for row, seat in watcher.asked:
                if not over[row]:  # the seat belongs to the game that goes on
                    assert seat == (learner[row] + place) % players[row]
        assert (env.batch.seats != NOBODY).all()


@pytest.mark.parametrize("policies", [[], "net", None, [3]])
def test_wrong_row_opponents_are_refused(policies: Any) -> None:
    with pytest.raises(ValueError, match="policies: expected"):
        RowOpponents(policies)
