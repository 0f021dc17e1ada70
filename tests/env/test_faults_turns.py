"""Faults of turn order, ends and rewards that users met in other environments; each test names the thread."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_env import terracotta_v0
from terracotta_env.aec import GameAEC
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.rewards import REWARDS
from tests.env.playing import choose, play_out, walk
from tests.toy import GAME as TOY

GAMES = pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])


# PettingZoo#1085: a finished game without end flags
@GAMES
def test_no_step_finishes_the_rules_without_raising_every_flag(game: Game) -> None:
    for seed in range(10):
        env = GameAEC(game, game.players[seed % len(game.players)])
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while True:
            over = env.position.over
            assert list(env.terminations.values()) == [over] * env.num_agents
            assert not any(env.truncations.values())
            if over:
                break
            env.step(choose(game, env.position.mask(), rng))


# PettingZoo#1244: `agents` empties only after the None steps
@GAMES
def test_last_real_step_leaves_all_agents_and_each_takes_one_none_step(game: Game) -> None:
    for players in game.players:
        env = GameAEC(game, players)
        env.reset(seed=1)
        play_out(env)
        assert env.agents == env.possible_agents
        for _ in range(players):
            assert env.agents
            assert env.last()[2]
            env.step(None)
        assert env.agents == []
        assert list(env.agent_iter()) == []


# PettingZoo#1147: the loser's last reward was not delivered
@pytest.mark.parametrize("reward", REWARDS)
def test_every_agent_finds_its_final_reward_in_last(reward: str) -> None:
    env = terracotta_v0.env(players=4, reward=reward)
    env.reset(seed=2)
    play_out(env)
    final = dict(env.rewards)
    assert all(final.values())
    waiting = dict(env._cumulative_rewards)
    while env.agents:
        agent = env.agent_selection
        assert env.last()[1] == waiting[agent]
        if reward != "vp":  # points earned since the agent's own last step wait there too
            assert waiting[agent] == final[agent]
        env.step(None)


# SuperSuit#114, #99, PettingZoo#661, #209, #221: agents that finish at different times, or are missing
@GAMES
def test_all_agents_are_there_until_all_are_finished(game: Game) -> None:
    for players in game.players:
        env = GameAEC(game, players)
        env.reset(seed=3)
        rng = np.random.default_rng(3)
        while not env.table.over:
            shown = (env.agents, [*env.rewards], [*env.terminations], [*env.truncations], [*env.infos])
            assert all(part == env.possible_agents for part in shown)
            env.step(choose(game, env.position.mask(), rng))


# RLHive PR#205: a game may end before an agent ever acted
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seat_that_never_acted_is_paid_and_finished(players: int) -> None:
    env = terracotta_v0.env(players=players, illegal="end")
    env.reset(seed=4)
    offender = env.agent_selection
    env.step(int(np.flatnonzero(env.position.mask() == 0)[0]))
    seen = {}
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        assert over
        assert observation is not None
        assert env.observation_space(agent).contains(observation)
        assert not info["action_mask"].any()
        seen[agent] = reward
        env.step(None)
    assert seen == {agent: -1.0 if agent == offender else 1 / (players - 1) for agent in env.possible_agents}


# open_spiel PR#612, PR#1396: returns of the wrong seat
@GAMES
def test_payoffs_stand_at_their_seat_whoever_moved_last(game: Game) -> None:
    for seed in range(10):
        *_, last, final = [position.clone() for position in walk(game, 3, seed)]
        returns, points = final.returns(), final.points()
        assert points[int(np.argmax(returns))] == max(points)
        assert points[int(np.argmin(returns))] == min(points)
        assert last.returns().tolist() == [0, 0, 0]
