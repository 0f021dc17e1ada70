"""The AEC view with the toy game: order of calls, illegal actions, the end, copies and rendering."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from terracotta_env import terracotta_v0
from terracotta_env.aec import GameAEC
from terracotta_env.errors import IllegalActionError, SetupError
from tests.toy import GAME

SETUP = {"trees": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "first": 0}


def begun(**settings: Any) -> GameAEC:
    env = GameAEC(GAME, 3, **settings)
    env.reset(seed=1, options={"setup": SETUP})
    return env


def play(env: GameAEC, *tokens: str) -> GameAEC:
    for token in tokens:
        env.step(GAME.action_of(token))
    return env


def play_out(env: GameAEC) -> GameAEC:
    while not env.table.over:
        env.step(int(env.table.mask.argmax()))
    return env


@pytest.mark.parametrize("name", ["step", "observe", "state", "render", "agent_iter"])
def test_nothing_is_called_before_the_reset(name: str) -> None:
    env = GameAEC(GAME, 2)
    arguments = {"step": (0,), "observe": ("player_0",)}.get(name, ())
    with pytest.raises(Exception, match=r"reset\(\) needs to be called before"):
        list(getattr(env, name)(*arguments))


@pytest.mark.parametrize("reward", ["rank", "win", "vp"])
def test_rewards_are_paid_when_they_are_earned(reward: str) -> None:
    env = play(begun(reward=reward), "tree:1", "pick:1")
    assert any(env.rewards.values()) == (reward == "vp")
    play_out(env)
    assert sum(env.rewards.values()) == pytest.approx(0.0)
    assert env.agents == env.possible_agents
    assert all(env.terminations.values())
    env.drain()
    assert not env.agents
    env.step(None)  # warns only
    with pytest.raises(ValueError, match="the game is over for all agents"):
        env.step(0)


def test_a_game_that_goes_on_is_neither_drained_nor_stepped_without_an_action() -> None:
    env = begun()
    with pytest.raises(ValueError, match="only finished games can be drained"):
        env.drain()
    with pytest.raises(ValueError, match=r"player_0 is to act: expected an action 0\.\.4, got None"):
        env.step(None)


def test_only_the_agent_to_act_has_legal_actions() -> None:
    env = begun(observation="flat")
    masks = [env.observe(agent)["action_mask"].sum() for agent in env.possible_agents]
    assert masks == [3, 0, 0]
    assert (env.state() == env.observe("player_0")["observation"]).all()
    assert env.state_space.contains(env.state())
    assert env.observation_space("player_1").contains(env.observe("player_1"))
    assert env.action_space("player_1") == gymnasium.spaces.Discrete(GAME.actions)


def test_an_illegal_action_is_refused_ends_the_game_or_costs() -> None:
    with pytest.raises(IllegalActionError, match=r"illegal action 3 \(pick:1\)"):
        play(begun(illegal="raise"), "pick:1")
    assert play(begun(illegal="end"), "pick:1").rewards == {"player_0": -1.0, "player_1": 0.5, "player_2": 0.5}
    env = begun(illegal="penalise")
    for tries in range(1, 10):
        play(env, "pick:1")
        assert env.table.tries == tries
        assert not any(env.terminations.values())
    play(env, "pick:1")
    assert all(env.terminations.values())


@pytest.mark.parametrize("action", [True, 1.0, "tree:1", -1, 5])
def test_only_the_number_of_a_legal_action_is_an_action(action: Any) -> None:
    env = begun(illegal="raise")
    before = env.position
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert env.position == before


def test_a_penalty_is_not_paid_again_with_the_next_action() -> None:
    env = play(begun(illegal="penalise"), "pick:1")
    assert env.rewards["player_0"] == -0.05
    play(env, "tree:1")
    assert set(env.rewards.values()) == {0.0}


def test_copies_go_their_own_way() -> None:
    env = begun()
    for copy in (env.clone(), pickle.loads(pickle.dumps(env))):
        play(copy, "tree:1")
        assert copy.position != env.position
        assert not copy._no_action.flags.writeable


def test_rendering_returns_shows_or_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("terracotta_env.render.window.has_display", lambda: False)
    assert begun(render_mode="ansi").render() == begun().position.render()
    play(begun(render_mode="human"), "tree:1")
    assert len(list(tmp_path.glob("*/board.*"))) == 1
    warned: list[str] = []
    monkeypatch.setattr("terracotta_env.aec.logger.warn", warned.append)
    assert begun().render() is None
    assert "render_mode" in warned[0]
    env = begun()
    env.close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"render_mode": "video"}, "render_mode: expected None or one of"),
        ({"reward": "gold"}, "reward: expected one of"),
        ({"illegal": "ignore"}, "illegal: expected one of raise, end, penalise"),
        ({"observation": "text"}, "observation: expected one of tensors, flat"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GameAEC(GAME, 2, **settings)


def test_a_game_begins_from_a_snapshot_of_as_many_players() -> None:
    env = play(begun(), "tree:2")
    other = GameAEC(GAME, 3)
    other.reset(options={"snapshot": env.position.snapshot()})
    assert other.position.key() == env.position.key()
    with pytest.raises(SetupError, match="players: expected 2, for which the environment was made, got 3"):
        GameAEC(GAME, 2).reset(options={"snapshot": env.position.snapshot()})


def test_an_unknown_option_is_ignored_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="reset option 'speed' is not known and ignored"):
        begun().reset(seed=2, options={"speed": 3})


def test_unknown_attributes_and_those_of_a_game_not_begun_are_named() -> None:
    env = GameAEC(GAME, 2)
    with pytest.raises(AttributeError, match="agent_selection cannot be accessed before reset"):
        _ = env.agent_selection
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        _ = env.colour


def test_a_position_says_what_it_is() -> None:
    assert repr(begun().position) == "<Position of orchard, 3 players, to act: 0>"


def test_the_facade_makes_both_views_of_the_army_game() -> None:
    env = terracotta_v0.env(3, observation="flat")
    env.reset(seed=7)
    learner = gymnasium.make(f"terracotta_env.terracotta_v0:{terracotta_v0.GYM_ID}", seat=0)
    observation, info = learner.reset(seed=7)
    assert env.metadata["board"] == "reconstructed"
    assert isinstance(learner.unwrapped, terracotta_v0.TerracottaGym)
    assert (observation["action_mask"] == info["action_mask"]).all()
    assert np.isfinite(env.state()).all()


def test_the_iterator_hands_out_every_agent_until_each_has_taken_its_last_step() -> None:
    env, last = begun(), []
    for agent in env.agent_iter():
        _, _, over, _, info = env.last()
        if over:
            last.append(agent)
        env.step(None if over else int(info["action_mask"].argmax()))
    assert sorted(last) == env.possible_agents
