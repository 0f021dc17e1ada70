"""Faults of legality and masks that users met in other environments; each test names the thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from terracotta_env import terracotta_v0
from terracotta_env.aec import GameAEC
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.gym import GameGym
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from tests.env.playing import choose, walk
from tests.toy import GAME as TOY


# PettingZoo#1176: the illegal-move wrapper and the environment disagreed on whose turn it is
@pytest.mark.parametrize("wrapper", [BaseWrapper, OrderEnforcingWrapper])
@pytest.mark.parametrize("illegal", ["end", "penalise"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_wrapped_and_inner_environment_agree_on_the_turn_after_an_illegal_action(
    wrapper: Any, illegal: str, players: int
) -> None:
    inner = terracotta_v0.env(players=players, illegal=illegal)
    env = wrapper(inner)
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for number, agent in enumerate(env.agent_iter()):
        assert agent == env.agent_selection == env.unwrapped.agent_selection
        _, _, over, _, info = env.last()
        if over:
            env.step(None)
        elif number % 7 == 3:
            env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
        else:
            env.step(choose(GAME, info["action_mask"], rng))
    assert env.agents == inner.agents == []


# PettingZoo#1176 again: its own wrapper around this environment
def test_terminate_illegal_wrapper_reaches_the_end() -> None:
    env: Any = TerminateIllegalWrapper(terracotta_v0.env(players=3), illegal_reward=-1)
    env.reset(seed=1)
    offender = env.agent_selection
    env.last()
    env.step(int(np.flatnonzero(env.unwrapped.position.mask() == 0)[0]))
    total = {}
    while env.agents:
        assert env.agent_selection in env.agents
        total[env.agent_selection] = env.last()[1]
        env.step(None)
    assert total[offender] == -1


# PettingZoo#1416: a conformance test that ignores the mask; this one only samples what is legal
@pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])
def test_hundred_games_of_masked_samples_raise_nothing(game: Game) -> None:
    for seed in range(100):
        env = GameAEC(game, game.players[seed % len(game.players)], observation="flat")
        env.reset(seed=seed)
        while not env.table.over:
            agent = env.agent_selection
            env.step(int(env.action_space(agent).sample(env.infos[agent]["action_mask"])))
        env.drain()
        assert env.agents == []


# sb3-contrib#212, #226, #142: evaluation that forgot the mask
def test_policies_cannot_act_without_a_mask_and_the_gymnasium_view_always_gives_one() -> None:
    position = Position.from_seed(GAME, 2, 1)
    with pytest.raises(TypeError, match="mask"):
        Uniform().act(position)  # type: ignore[call-arg]
    given = []

    class Spy(Uniform):
        def act(self, position: Position, mask: np.ndarray) -> int:
            given.append(mask.any() and mask.tobytes() == position.mask().tobytes())
            return super().act(position, mask)

    env = GameGym(GAME, 2, seat=0, opponents=[Spy()])
    env.reset(seed=1)
    over, moves = False, 0
    while not over:
        before = len(given)
        over = env.step(choose(GAME, env.table.mask, np.random.default_rng(moves)))[2]
        moves += len(given) - before
    assert moves > 0
    assert all(given)


# PettingZoo#181, #185: what an illegal move does is a choice, and none of the choices touches the position
@pytest.mark.parametrize("illegal", ["raise", "end", "penalise"])
def test_no_policy_lets_an_illegal_action_touch_the_record(illegal: str) -> None:
    env = terracotta_v0.env(illegal=illegal)
    for seed in range(20):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(seed):
            env.step(choose(GAME, env.position.mask(), rng))
        before, raised = hash(env.position), False
        try:
            env.step(int(np.flatnonzero(env.position.mask() == 0)[seed]))
        except ValueError:
            raised = True
        assert raised == (illegal == "raise")
        assert hash(env.position) == before


# MicroRTS-Py#8: a mask of zeros in the middle of a game; a forced decision must never be asked at all
@pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])
def test_no_decision_is_asked_that_has_fewer_than_two_answers(game: Game) -> None:
    for seed in range(20):
        for position in walk(game, game.players[seed % len(game.players)], seed, eager=bool(seed % 2)):
            assert (position.mask().sum() >= 2) != position.over
