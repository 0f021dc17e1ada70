"""The PettingZoo view: what an agent is paid, and what an illegal action costs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.entry import step_at
from terracotta_env.errors import IllegalActionError
from terracotta_env.position import Position
from terracotta_env.rewards import REWARDS
from terracotta_env.table import MOST_TRIES, PENALTY
from tests.env.playing import act, choose, facts, illegal_action, last_values, play_out, walk

PLAYERS = (2, 3, 4)


# rewards -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_last_sums_to_the_payoff(players: int, reward: str) -> None:
    env = terracotta_v0.env(players=players, reward=reward)
    for seed in range(2):
        env.reset(seed=seed)
        total = np.array(list(last_values(env, seed).values()))
        final = env.position
        rank = final.returns()
        expected = rank if reward == "rank" else np.where(rank == 1, 1.0, -1 / (players - 1))
        if reward == "vp":
            points = np.array(final.points())
            expected = expected + 0.02 * (points - (points.sum() - points) / (players - 1))
        assert total == pytest.approx(expected)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_rewards_are_plain_floats_and_zero_sum_at_every_step(players: int, reward: str) -> None:
    env = terracotta_v0.env(players=players, reward=reward)
    env.reset(seed=3)
    rng, paid_before_the_end = np.random.default_rng(3), 0
    while not env.table.over:
        act(env, rng)
        assert all(type(value) is float for value in env.rewards.values())
        assert abs(sum(env.rewards.values())) < 1e-12
        paid_before_the_end += any(env.rewards.values()) and not env.table.over
    assert any(env.rewards.values())
    assert (paid_before_the_end > 0) == (reward == "vp")


def test_points_are_paid_at_the_step_that_earns_them() -> None:
    """A first warrior in a two-player game: 1 VP at once, so +0.02 for its owner and -0.02 for the other."""
    env = terracotta_v0.env(reward="vp")
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    before = env.position.points()
    while env.position.points() == before:
        assert set(env.rewards.values()) == {0.0}
        env.step(choose(GAME, env.position.mask(), rng, eager=True))
    gains = np.subtract(env.position.points(), before)
    difference = 0.02 * float(gains[0] - gains[1])
    assert list(env.rewards.values()) == pytest.approx([difference, -difference])


def test_payoff_follows_the_seats_not_the_turn_order() -> None:
    """One finished position with the seats exchanged: the payoffs are exchanged."""
    *_, final = walk(GAME, 2, 4)
    snapshot = final.snapshot()
    swapped = copy.deepcopy(snapshot)
    swapped["players"] = snapshot["players"][::-1]
    swapped["turn_order"] = [1 - seat for seat in snapshot["turn_order"]]
    for part in [
        *swapped["mausoleum"],
        *(worker for entry in swapped["wheel"].values() for worker in entry["workers"]),
    ]:
        if part["owner"] is not None:
            part["owner"] = 1 - part["owner"]
    assert Position.from_snapshot(GAME, swapped).returns().tolist() == final.returns().tolist()[::-1]


# illegal actions -----------------------------------------------------------------------------------------------------


def test_raise_quotes_action_legal_tokens_and_position_and_changes_nothing(env: terracotta_v0.raw_env) -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        before, action = facts(env), illegal_action(env)
        with pytest.raises(IllegalActionError) as caught:
            env.step(action)
        assert facts(env) == before
        for part in (f"{action} ({GAME.tokens[action]})", ", ".join(env.position.legal()), env.position.render()):
            assert part in str(caught.value)
        act(env, rng)


@pytest.mark.parametrize("action", [-1, 123, 10**30, 1.0, 0.5, float("nan"), "rotate:none", True, np.array([0]), [0]])
@pytest.mark.parametrize("illegal", ["raise", "end", "penalise"])
def test_wrong_types_are_illegal_actions(action: Any, illegal: str) -> None:
    env = terracotta_v0.env(illegal=illegal)
    env.reset(seed=1)
    before = env.position
    if illegal == "raise":
        with pytest.raises(IllegalActionError):
            env.step(action)
    else:
        env.step(action)
        assert min(env.rewards.values()) == (-1.0 if illegal == "end" else -PENALTY)
    assert env.position == before


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.uint8])
def test_whole_numbers_of_any_type_are_actions(env: terracotta_v0.raw_env, kind: Callable[[int], Any]) -> None:
    action = int(np.flatnonzero(env.position.mask())[-1])
    expected = env.position.play(action)
    env.step(kind(action))
    assert env.position == expected


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled here")
def test_other_whole_number_types_compile_nothing_anew(env: terracotta_v0.raw_env) -> None:
    play_out(env, steps=1)
    compiled = len(step_at.signatures)  # type: ignore[attr-defined]
    kinds: list[Any] = [np.int8, np.int16, np.int32, np.uint8]
    for kind in kinds:
        env.step(kind(np.flatnonzero(env.position.mask())[0]))
    assert len(step_at.signatures) == compiled  # type: ignore[attr-defined]


def test_sampled_actions_are_actions(env: terracotta_v0.raw_env) -> None:
    while not env.table.over:
        agent = env.agent_selection
        env.step(env.action_space(agent).sample(env.observe(agent)["action_mask"]))


@pytest.mark.parametrize("illegal", ["raise", "end", "penalise"])
def test_none_of_a_live_agent_raises(illegal: str) -> None:
    env = terracotta_v0.env(illegal=illegal)
    env.reset(seed=1)
    before = facts(env)
    with pytest.raises(ValueError, match=r"player_\d is to act: expected an action 0..122, got None"):
        env.step(None)
    assert facts(env) == before


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("steps", [0, 1, 33])
def test_end_makes_the_offender_pay_all_others_alike(players: int, steps: int) -> None:
    env = terracotta_v0.env(players=players, illegal="end")
    env.reset(seed=2)
    play_out(env, steps=steps)
    offender, before = env.agent_selection, env.position
    env.step(illegal_action(env))
    assert env.position == before
    assert env.rewards == {agent: -1.0 if agent == offender else 1 / (players - 1) for agent in env.agents}
    assert set(env.terminations.values()) == {True}
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    total = last_values(env)
    assert [agent for agent, value in total.items() if value == -1.0] == [offender]
    assert env.agents == []


@pytest.mark.parametrize("players", PLAYERS)
def test_penalise_costs_and_leaves_the_same_agent_to_move(players: int) -> None:
    env = terracotta_v0.env(players=players, illegal="penalise")
    env.reset(seed=2)
    play_out(env, steps=20)
    offender, before, mask = env.agent_selection, env.position, env.position.mask()
    for tries in range(1, MOST_TRIES):
        env.step(illegal_action(env))
        assert env.table.tries == tries
        assert (env.agent_selection, env.position) == (offender, before)
        assert env.observe(offender)["action_mask"].tobytes() == mask.tobytes()
        assert env.last()[1] == -PENALTY
        assert env.rewards == pytest.approx(
            {agent: -PENALTY if agent == offender else PENALTY / (players - 1) for agent in env.agents}
        )
        assert set(env.terminations.values()) == {False}
    env.step(illegal_action(env))
    assert env.rewards[offender] == -1.0
    assert set(env.terminations.values()) == {True}
    env.drain()


def test_penalise_counts_the_tries_of_each_decision_anew() -> None:
    env = terracotta_v0.env(illegal="penalise")
    env.reset(seed=2)
    for _ in range(3):
        for _ in range(MOST_TRIES - 1):
            env.step(illegal_action(env))
        play_out(env, steps=1)
        assert env.rewards == dict.fromkeys(env.agents, 0.0)
    assert not env.table.over


@pytest.mark.parametrize("reward", REWARDS)
def test_penalties_are_part_of_what_last_sums_to(reward: str) -> None:
    clean, fined = (
        terracotta_v0.env(players=3, reward=reward),
        terracotta_v0.env(players=3, reward=reward, illegal="penalise"),
    )
    totals = []
    for env in (clean, fined):
        env.reset(seed=4)
        total, paid, rng = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0), np.random.default_rng(4)
        while env.agents:
            agent = env.agent_selection
            total[agent] += env.last()[1]
            if env.table.over:
                env.step(None)
                continue
            if env is fined and agent == "player_1" and env.table.tries == 0:
                env.step(illegal_action(env))
            else:
                act(env, rng)
            for name, value in env.rewards.items():
                paid[name] += value
        assert total == pytest.approx(paid)
        assert sum(total.values()) == pytest.approx(0)
        totals.append(total)
    assert totals[1]["player_1"] < totals[0]["player_1"] - 1
