"""The PettingZoo view: its own tests, when an agent may act, how a game ends, what it says about itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test

from terracotta_env import terracotta_v0
from terracotta_env.aec import GameAEC
from terracotta_env.army import GAME
from terracotta_env.errors import BoardError
from terracotta_env.game import Game
from terracotta_env.views import FORMS
from tests.env.playing import act, facts, play_out
from tests.toy import GAME as TOY

PLAYERS = (2, 3, 4)


# PettingZoo's own tests ----------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("players", PLAYERS)
def test_api(players: int, form: str) -> None:
    api_test(terracotta_v0.env(players=players, observation=form), num_cycles=400)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("illegal", ["end", "penalise"])
def test_api_of_the_milder_policies(illegal: str) -> None:
    api_test(terracotta_v0.env(illegal=illegal, reward="vp"), num_cycles=200)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("players", PLAYERS)
def test_seeds(players: int, form: str) -> None:
    seed_test(lambda: terracotta_v0.env(players=players, observation=form), num_cycles=150)


@pytest.mark.parametrize("players", PLAYERS)
def test_rendering(players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("terracotta_env.render.window.has_display", lambda: False)

    def make(render_mode: str | None = None) -> terracotta_v0.raw_env:
        return terracotta_v0.env(players=players, render_mode=render_mode)

    render_test(make)  # type: ignore[arg-type]  # its annotation leaves the render_mode out
    assert [path.name for path in tmp_path.glob("*/*")] == ["board.png"]


# turn order and end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_agent_selection_is_the_seat_of_the_rules(players: int) -> None:
    env = terracotta_v0.env(players=players)
    env.reset(seed=5)
    assert env.agents == env.possible_agents == [f"player_{seat}" for seat in range(players)]
    assert env.max_num_agents == env.num_agents == players
    mirror, rng = env.position, np.random.default_rng(0)
    in_a_row, longest, seen = 0, 0, set()
    while not env.table.over:
        assert env.agent_selection == f"player_{mirror.to_act}"
        before = env.agent_selection
        mirror.play(act(env, rng))
        seen.add(before)
        in_a_row = in_a_row + 1 if env.agent_selection == before else 0
        longest = max(longest, in_a_row)
    assert mirror.over
    assert seen == set(env.possible_agents)
    assert longest >= 3  # a turn is a chain of decisions of one agent


@pytest.mark.parametrize("players", PLAYERS)
def test_end_flags_are_equal_across_seats_at_every_step(players: int) -> None:
    env = terracotta_v0.env(players=players)
    env.reset(seed=6)
    rng = np.random.default_rng(0)
    while not env.table.over:
        assert set(env.terminations.values()) == {False}
        assert not env.position.over
        act(env, rng)
        assert set(env.truncations.values()) == {False}
    assert env.position.over
    assert set(env.terminations.values()) == {True}


@pytest.mark.parametrize("players", PLAYERS)
def test_exactly_one_none_step_of_each_agent_empties_agents(players: int) -> None:
    env = terracotta_v0.env(players=players)
    env.reset(seed=7)
    play_out(env)
    acted = []
    for left in range(players, 0, -1):
        assert len(env.agents) == left
        acted.append(env.agent_selection)
        env.step(None)
    assert env.agents == []
    assert sorted(acted) == env.possible_agents
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)


def test_action_of_a_finished_agent_raises(env: terracotta_v0.raw_env) -> None:
    play_out(env)
    before = facts(env)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    assert facts(env) == before


def test_drain_takes_the_none_steps_and_refuses_a_live_game(env: terracotta_v0.raw_env) -> None:
    with pytest.raises(ValueError, match="the game is not over"):
        env.drain()
    play_out(env)
    env.step(None)
    env.drain()
    assert env.agents == []
    env.drain()


def test_a_drained_environment_can_be_reset(env: terracotta_v0.raw_env) -> None:
    fresh = facts(env)
    play_out(env)
    env.drain()
    env.reset(seed=11)
    assert facts(env) == fresh


# call order ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda env: env.step(0), "reset() needs to be called before step."),
        (lambda env: env.observe("player_0"), "reset() needs to be called before observe."),
        (lambda env: env.state(), "reset() needs to be called before state."),
        (lambda env: env.render(), "reset() needs to be called before render."),
        (lambda env: next(iter(env.agent_iter())), "reset() needs to be called before agent_iter()."),
    ],
)
def test_calls_before_reset_say_what_is_missing(call: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        call(terracotta_v0.env())
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "name", ["agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"]
)
def test_attributes_before_reset_say_what_is_missing(name: str) -> None:
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        getattr(terracotta_v0.env(), name)


def test_unknown_attributes_are_unknown(env: terracotta_v0.raw_env) -> None:
    with pytest.raises(AttributeError, match="'raw_env' object has no attribute 'wings'"):
        _ = env.wings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 5}, "players: expected one of 2, 3, 4, got 5"),
        ({"reward": "money"}, "reward: expected one of rank, win, vp, got 'money'"),
        ({"observation": "vector"}, "observation: expected one of tensors, flat, got 'vector'"),
        ({"illegal": "ignore"}, "illegal: expected one of raise, end, penalise, got 'ignore'"),
        ({"render_mode": "video"}, "render_mode: expected None or one of ansi, human, rgb_array, got 'video'"),
        ({"board": "nowhere"}, "no board 'nowhere'"),
    ],
)
def test_unknown_settings_are_refused_with_the_choices(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        terracotta_v0.env(**settings)
    assert issubclass(BoardError, ValueError)


# what it says about itself -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", GAME.notation.board_names())
def test_metadata_names_board_and_provenance(board: str) -> None:
    metadata = terracotta_v0.env(board=board).metadata
    assert metadata["board"] == board
    assert "reconstructed" in metadata["provenance"]
    assert metadata["name"] == "terracotta_v0"
    assert metadata["rules_version"] == GAME.rules_version
    assert metadata["is_parallelizable"] is False


def test_metadata_of_one_environment_is_not_that_of_another() -> None:
    one, two = terracotta_v0.env(), terracotta_v0.env(board="flat")
    one.metadata["render_modes"].clear()
    assert two.metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    assert one.metadata["board"] != two.metadata["board"]


@pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])
def test_rendering_as_text_returns_it(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    env = GameAEC(game, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text == env.position.render()
    assert capsys.readouterr().out == ""


def test_rendering_without_a_mode_warns(env: terracotta_v0.raw_env) -> None:
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None
