"""The Gymnasium view with the toy game: settings, opponents, rendering, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from terracotta_env.errors import IllegalActionError
from terracotta_env.gym import GameGym
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from tests.toy import GAME


class Stubborn(Uniform):
    """Chooses to pick a fruit of the tree that it has not chosen."""

    name = "stubborn"

    def act(self, position: Position, mask: np.ndarray) -> int:
        return GAME.action_of("pick:1")


def play_out(env: GameGym, seed: int) -> tuple[float, int]:
    """``(sum of the rewards, decisions)`` of one game of the first legal actions."""
    env.reset(seed=seed)
    total, steps, over = 0.0, 0, False
    while not over:
        _, reward, over, truncated, info = env.step(int(env.action_masks().argmax()))
        assert not truncated
        assert over == (not info["action_mask"].any())
        total, steps = total + reward, steps + 1
    return total, steps


@pytest.mark.parametrize("seat", [0, 1, 2, "drawn"])
@pytest.mark.parametrize("reward", ["rank", "win", "vp"])
def test_a_game_is_played_to_its_end_and_pays(seat: int | str, reward: str) -> None:
    env = GameGym(GAME, 3, reward=reward, seat=seat)
    total, steps = play_out(env, 5)
    assert steps > 0
    assert total != 0.0
    assert env.seat in range(3) if seat == "drawn" else env.seat == seat
    assert env.position.over


def test_a_finished_game_takes_no_step() -> None:
    env = GameGym(GAME, 2)
    play_out(env, 1)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        env.step(0)


@pytest.mark.parametrize("seat", [-1, 3, True, "first"])
def test_a_seat_that_is_not_in_the_game_is_refused(seat: Any) -> None:
    with pytest.raises(ValueError, match=r"seat: expected 'drawn' or a number in 0\.\.2"):
        GameGym(GAME, 3, seat=seat)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_every_other_seat_needs_an_opponent(number: int) -> None:
    with pytest.raises(ValueError, match=f"expected 2 policies for 3 players, got {number}"):
        GameGym(GAME, 3, opponents=[Uniform() for _ in range(number)])


def test_opponents_are_made_or_taken_as_given() -> None:
    assert [type(opponent) for opponent in GameGym(GAME, 3, opponents=Stubborn).opponents] == [Stubborn, Stubborn]
    given = [Uniform(), Stubborn()]
    assert GameGym(GAME, 3, opponents=given).opponents == given


def test_an_opponents_illegal_action_is_named() -> None:
    env = GameGym(GAME, 2, opponents=Stubborn, seat=1)
    setup = {"trees": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "first": 1}
    env.reset(options={"setup": setup})
    env.step(GAME.action_of("tree:1"))
    with pytest.raises(IllegalActionError, match=r"agent stubborn in seat 0: illegal action 3 \(pick:1\)"):
        env.step(GAME.action_of("pick:2"))


def test_actions_come_as_arrays_without_axes_too() -> None:
    env = GameGym(GAME, 2, seat=0)
    env.reset(seed=3)
    env.step(np.array(env.action_masks().argmax()))


@pytest.mark.parametrize(("illegal", "over"), [("end", True), ("penalise", False)])
def test_the_learners_illegal_action_costs(illegal: str, over: bool) -> None:
    env = GameGym(GAME, 3, illegal=illegal, seat=0)
    env.reset(seed=3)
    _, reward, terminated, _, _ = env.step(GAME.actions)
    assert reward < 0
    assert terminated is over


def test_a_seed_is_drawn_where_none_is_given() -> None:
    env = GameGym(GAME, 2)
    env.reset(seed=4)
    setups = []
    for _ in range(8):
        env.reset()
        setups.append(env.position.to_bytes())
    assert len(set(setups)) > 1


def test_forms_of_the_observation() -> None:
    for form in ("tensors", "flat", "vector"):
        env = GameGym(GAME, 2, observation=form)
        observation, _ = env.reset(seed=1)
        assert env.observation_space.contains(observation)
        assert isinstance(observation, np.ndarray) == (form == "vector")
    with pytest.raises(ValueError, match="observation: expected one of tensors, flat, vector"):
        GameGym(GAME, 2, observation="text")


def test_rendering_returns_shows_or_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("terracotta_env.render.window.has_display", lambda: False)
    env = GameGym(GAME, 2, render_mode="ansi", seat=0)
    env.reset(seed=1)
    assert env.render() == env.position.render()
    human = GameGym(GAME, 2, render_mode="human", seat=0)
    human.reset(seed=1)
    human.step(int(human.action_masks().argmax()))
    assert len(list(tmp_path.glob("*/board.*"))) == 1
    warned: list[str] = []
    monkeypatch.setattr(gymnasium.logger, "warn", warned.append)
    assert GameGym(GAME, 2).render() is None
    assert "render_mode" in warned[0]
