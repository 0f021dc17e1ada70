"""The PettingZoo view: what an agent is shown, and the space of its actions."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.entry import apply_at, is_over_at, legal_at, reset_at
from terracotta_env.views import FORMS, ActionSpace
from tests.env.playing import act, choose, content, facts, play_out

PLAYERS = (2, 3, 4)


# observations --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("players", PLAYERS)
def test_spaces_contain_what_is_returned(players: int, form: str) -> None:
    env = terracotta_v0.env(players=players, observation=form)
    env.reset(seed=players)
    rng = np.random.default_rng(0)
    while not env.table.over:
        for agent in env.agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            assert {name: value.dtype.str for name, value in observation.items()} == {
                name: "|i1" if name == "action_mask" else "<f4" for name in observation
            }
        assert env.state_space.contains(env.state())
        act(env, rng)
    for agent in env.agents:
        assert env.observation_space(agent).contains(env.observe(agent))


def test_spaces_are_the_same_objects_at_every_call(env: terracotta_v0.raw_env) -> None:
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert env.action_space("player_0") is not env.action_space("player_1")


def test_only_the_agent_to_move_has_legal_actions(env: terracotta_v0.raw_env) -> None:
    rng = np.random.default_rng(1)
    while not env.table.over:
        for agent in env.agents:
            masks = env.observe(agent)["action_mask"], env.infos[agent]["action_mask"]
            assert masks[0].tobytes() == masks[1].tobytes()
            assert masks[0].any() == (agent == env.agent_selection)
        assert env.observe(env.agent_selection)["action_mask"].tobytes() == env.position.mask().tobytes()
        act(env, rng)
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)


def test_last_gives_observation_and_info_of_the_agent_to_move(env: terracotta_v0.raw_env) -> None:
    observation, reward, termination, truncation, info = env.last()
    assert content(observation) == content(env.observe(env.agent_selection))
    assert info["action_mask"].tobytes() == env.position.mask().tobytes()
    assert (reward, termination, truncation) == (0.0, False, False)
    assert env.last(observe=False)[0] is None


def test_state_is_the_flat_observation_of_seat_0(env: terracotta_v0.raw_env) -> None:
    play_out(env, steps=40)
    assert env.state().tobytes() == env.position.observe(0).tobytes()
    assert env.state().shape == env.state_space.shape


def test_nothing_returned_aliases_what_the_environment_keeps(env: terracotta_v0.raw_env) -> None:
    def returned() -> list[Any]:
        kept = [env.observe(agent) for agent in env.possible_agents]
        masks = [info["action_mask"] for info in env.infos.values()]
        return [*kept, *masks, env.state(), env.last(), env.position.states, dict(env.rewards)]

    kept, bytes_then = [], []
    rng = np.random.default_rng(2)
    for _ in range(60):
        kept.append(returned())
        bytes_then.append([content(value if not isinstance(value, tuple) else value[0]) for value in kept[-1]])
        act(env, rng)
    now = [[content(value if not isinstance(value, tuple) else value[0]) for value in moment] for moment in kept]
    assert now == bytes_then


@pytest.mark.parametrize(
    "copied",
    [lambda env: env, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))],
    ids=["made", "deepcopy", "pickle"],
)
def test_writing_into_what_is_returned_changes_nothing(env: terracotta_v0.raw_env, copied: Callable[..., Any]) -> None:
    env = copied(env)
    before = facts(env)
    arrays = [array for agent in env.agents for array in env.observe(agent).values()]
    arrays += [env.state(), *(info["action_mask"] for info in env.infos.values())]
    for array in arrays:
        if array.flags.writeable:
            array[:] = 1
    play_out(env, steps=1)
    other = terracotta_v0.env(players=3)
    other.reset(seed=11)
    play_out(other, steps=1)
    assert before != facts(env)
    assert facts(env) == facts(other)


def test_terminal_observation_is_kept_over_a_reset(env: terracotta_v0.raw_env) -> None:
    play_out(env)
    kept: list[Any] = [env.last()[0], *(env.observe(agent) for agent in env.agents), env.state()]
    before = [content(value) for value in kept]
    env.drain()
    env.reset(seed=99)
    play_out(env, steps=20)
    assert [content(value) for value in kept] == before


@pytest.mark.parametrize("players", PLAYERS)
def test_legal_actions_exist_exactly_until_the_game_is_over(players: int) -> None:
    """Tens of thousands of states of random games."""
    states, mask, rng = GAME.make_states(1), np.empty(GAME.actions, np.int8), np.random.default_rng(players)
    GAME.notation.write_board(states, "shuffled" if players == 3 else GAME.default_board)
    visited = 0
    for seed in itertools.count():
        reset_at(states, 0, players, np.uint64(seed))
        while True:
            assert legal_at(states, 0, mask) == mask.sum()
            assert mask.any() != is_over_at(states, 0)
            visited += 1
            if not mask.any():
                break
            apply_at(states, 0, choose(GAME, mask, rng))
        if visited > 20_000:
            return


# the action space ----------------------------------------------------------------------------------------------------


def test_masked_draw_is_uniform_over_the_allowed_and_follows_the_seed() -> None:
    space, again = ActionSpace(GAME.actions), ActionSpace(GAME.actions)
    assert space == spaces.Discrete(GAME.actions)
    mask = np.zeros(GAME.actions, np.int8)
    mask[[3, 40, 122]] = 1
    for one in (space, again):
        one.seed(5)
    drawn = [space.sample(mask) for _ in range(3000)]
    assert [again.sample(mask) for _ in range(3000)] == drawn
    assert {int(action) for action in drawn} == {3, 40, 122}
    assert np.bincount(drawn)[[3, 40, 122]].min() > 850
    assert all(space.contains(action) for action in drawn[:10])


@pytest.mark.parametrize("mask", [np.full(GAME.actions, 2, np.int8), np.ones(3, np.int8), np.ones(GAME.actions)])
def test_masks_that_gymnasium_refuses_are_refused(mask: np.ndarray) -> None:
    with pytest.raises(AssertionError, match="sample mask"):
        ActionSpace(GAME.actions).sample(mask)


def test_draw_without_a_legal_action_is_gymnasiums() -> None:
    nothing = np.zeros(GAME.actions, np.int8)
    assert ActionSpace(GAME.actions).sample(nothing) == spaces.Discrete(GAME.actions).sample(nothing) == 0
    assert 0 <= ActionSpace(GAME.actions).sample() < GAME.actions
