"""The PettingZoo view: what an agent is shown, when it may act, what it is paid, how a game ends."""

from __future__ import annotations

import copy
import hashlib
import itertools
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test.api_test import api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test

from terracotta_env import terracotta_v0
from terracotta_env.aec import GameAEC
from terracotta_env.army import GAME
from terracotta_env.entry import apply_at, is_over_at, legal_at, reset_at, step_at
from terracotta_env.errors import BoardError, IllegalActionError, SetupError
from terracotta_env.game import Game
from terracotta_env.position import Position
from terracotta_env.rewards import REWARDS
from terracotta_env.table import MOST_TRIES, PENALTY
from terracotta_env.views import FORMS, ActionSpace
from tests.env.playing import act, choose, content, facts, fresh_process, play_out, walk
from tests.toy import GAME as TOY

PLAYERS = (2, 3, 4)


@pytest.fixture
def env() -> terracotta_v0.raw_env:
    env = terracotta_v0.env(players=3)
    env.reset(seed=11)
    return env


def illegal_action(env: terracotta_v0.raw_env) -> int:
    return int(np.flatnonzero(env.position.mask() == 0)[0])


def last_values(env: terracotta_v0.raw_env, seed: int = 0) -> dict[str, float]:
    """What each agent collects by `last()` when a game is played as PettingZoo prescribes."""
    total, rng = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        if termination or truncation:
            env.step(None)
        else:
            assert observation is not None
            env.step(choose(env.game, observation["action_mask"], rng))
    return total


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


# copies --------------------------------------------------------------------------------------------------------------

COPIES: list[Callable[[Any], Any]] = [
    lambda env: env.clone(),
    copy.deepcopy,
    lambda env: pickle.loads(pickle.dumps(env)),
]


def moments() -> Iterator[terracotta_v0.raw_env]:
    """Environments at their start, in the middle of chains of decisions, fined, after the end, while being drained."""
    env = terracotta_v0.env(players=3, reward="vp", illegal="penalise", observation="flat")
    yield env
    env.reset(seed=21)
    rng = np.random.default_rng(0)
    for step in itertools.count():
        if step % 12 == 0 or env.position.snapshot()["pending"] not in ({"decision": "rotate"}, {"decision": "place"}):
            yield env
        if step == 50:
            env.step(illegal_action(env))
            yield env
        if env.table.over or step > 90:
            break
        act(env, rng)
    play_out(env)
    yield env
    while env.agents:
        env.step(None)
        yield env


@pytest.mark.parametrize("duplicate", COPIES, ids=["clone", "deepcopy", "pickle"])
def test_copies_at_any_moment_are_equal_and_go_their_own_way(duplicate: Callable[[Any], Any]) -> None:
    for env in moments():
        if not env._was_reset:
            other = duplicate(env)
            other.reset(seed=1)
            with pytest.raises(AttributeError):
                _ = env.agents
            continue
        before, other = facts(env), duplicate(env)
        assert facts(other) == before
        assert other.game is env.game
        legal = env.position.legal()
        if len(legal) > 1:
            third = duplicate(env)
            other.step(GAME.action_of(legal[0]))
            third.step(GAME.action_of(legal[-1]))
            assert facts(other)["position"] != facts(third)["position"]
        other.reset(seed=5)
        assert facts(env) == before


@pytest.mark.parametrize("duplicate", COPIES, ids=["clone", "deepcopy", "pickle"])
def test_copies_draw_the_same_setups_and_samples(duplicate: Callable[[Any], Any], env: terracotta_v0.raw_env) -> None:
    other = duplicate(env)
    for agent in env.possible_agents:
        assert [env.action_space(agent).sample() for _ in range(9)] == [
            other.action_space(agent).sample() for _ in range(9)
        ]
    env.reset()
    other.reset()
    assert facts(env) == facts(other)
    play_out(env)
    assert facts(env) != facts(other)


def test_pickle_of_a_live_environment_loads_in_a_fresh_process(env: terracotta_v0.raw_env) -> None:
    play_out(env, steps=47)
    raw = pickle.dumps(env)
    code = (
        "import pickle, sys; env = pickle.loads(sys.stdin.buffer.read());"
        "from tests.env.playing import facts, play_out; import hashlib;"
        "before = facts(env); play_out(env, seed=3);"
        "print(hashlib.sha256(repr((before, facts(env))).encode()).hexdigest())"
    )
    printed = fresh_process(code, raw, PYTHONHASHSEED="7")
    before = facts(env)
    play_out(env, seed=3)
    assert printed.strip() == hashlib.sha256(repr((before, facts(env))).encode()).hexdigest()


# where games begin ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_one_seed_gives_one_setup_in_every_interface(players: int) -> None:
    for seed in (0, 7, 2**63, 2**64 - 1):
        expected = GAME.notation.setup_of(Position.from_seed(GAME, players, seed).states)
        env, gym = terracotta_v0.env(players=players), terracotta_v0.TerracottaGym(players=players, seat=0)
        env.reset(seed=seed)
        gym.reset(seed=seed)
        assert GAME.notation.setup_of(env.position.states) == expected
        after = GAME.notation.setup_of(gym.position.states)  # turned rings and later rounds aside
        assert (after["tiles"], after["turn_order"]) == (expected["tiles"], expected["turn_order"])
        assert env.position == Position.from_seed(GAME, players, seed)


def test_setup_option_starts_from_it(env: terracotta_v0.raw_env) -> None:
    setup = GAME.notation.setup_of(Position.from_seed(GAME, 3, 77).states)
    env.reset(seed=1, options={"setup": setup})
    assert env.position.key() == Position.from_seed(GAME, 3, 77).key()


def test_snapshot_option_starts_from_it(env: terracotta_v0.raw_env) -> None:
    for number, position in enumerate(walk(GAME, 3, 9)):
        if number % 30 == 0:
            env.reset(options={"snapshot": position.snapshot()})
            assert env.position.key() == position.key()
            assert env.agent_selection == f"player_{position.to_act}"


def test_snapshot_of_a_finished_game_starts_finished(env: terracotta_v0.raw_env) -> None:
    *_, final = walk(GAME, 3, 9)
    env.reset(options={"snapshot": final.snapshot()})
    assert set(env.terminations.values()) == {True}
    env.drain()
    assert env.agents == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"setup": {"tiles": []}}, "setup: inner_offset: is missing"),
        ({"snapshot": {"format": "x"}}, "snapshot: version: is missing"),
        ({"snapshot": Position.from_seed(GAME, 2, 0).snapshot()}, "snapshot: players: expected 3"),
    ],
)
def test_refused_start_names_the_field_and_leaves_the_game(
    env: terracotta_v0.raw_env, options: dict[str, Any], message: str
) -> None:
    before = facts(env)
    with pytest.raises(SetupError, match=message):
        env.reset(options=options)
    assert facts(env) == before


def test_refused_start_leaves_the_generators() -> None:
    one, two = terracotta_v0.env(), terracotta_v0.env()
    for env in (one, two):
        env.reset(seed=9)
    with pytest.raises(SetupError):
        one.reset(seed=5, options={"setup": {"tiles": []}})
    with pytest.raises(SetupError):
        one.reset(seed=2**64)
    assert one.action_space("player_0").sample() == two.action_space("player_0").sample()
    one.reset()
    two.reset()
    assert facts(one) == facts(two)


def test_unknown_option_is_warned_of(env: terracotta_v0.raw_env) -> None:
    with pytest.warns(UserWarning, match=r"reset option 'speed' is not known and ignored \(known: setup, snapshot\)"):
        env.reset(seed=1, options={"speed": 3})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(seed=1, options={})


@pytest.mark.parametrize("seed", [-1, 1.5, True, "7", 2**64])
def test_refused_seed_is_named_and_leaves_the_game(env: terracotta_v0.raw_env, seed: Any) -> None:
    before = facts(env)
    with pytest.raises(SetupError, match=r"seed: expected a whole number in 0\.\.2\*\*64-1, got"):
        env.reset(seed=seed)
    assert facts(env) == before


# seeding -------------------------------------------------------------------------------------------------------------


def trajectory() -> str:
    """A game of each number of players, hashed: observations, masks, rewards, flags, sampled actions."""
    digest = hashlib.sha256()
    for players in PLAYERS:
        env = terracotta_v0.env(players=players, reward="vp")
        for seed in (3, None):
            env.reset(seed=seed)
            while env.agents:
                agent = env.agent_selection
                mask = env.observe(agent)["action_mask"]
                action = None if env.table.over else env.action_space(agent).sample(mask)
                env.step(action)
                digest.update(repr((action, facts(env) if env.agents else 0)).encode())
    return digest.hexdigest()


def test_trajectory_is_the_same_in_processes_with_different_hash_seeds() -> None:
    code = "from tests.env.test_aec import trajectory; print(trajectory())"
    assert {fresh_process(code, PYTHONHASHSEED=salt) for salt in ("0", "12345")} == {f"{trajectory()}\n"}


@pytest.mark.parametrize("players", PLAYERS)
def test_different_seeds_give_different_setups(players: int) -> None:
    env = terracotta_v0.env(players=players)
    setups = set()
    for seed in range(100):
        env.reset(seed=seed)
        setups.add(str(GAME.notation.setup_of(env.position.states)))
    assert len(setups) > 95


def test_resets_without_a_seed_go_on_from_the_last_seed() -> None:
    one, two = terracotta_v0.env(), terracotta_v0.env()
    drawn: list[list[bytes]] = []
    for env in (one, two):
        env.reset(seed=9)
        first = env.position.to_bytes()
        drawn.append([first])
        for _ in range(20):
            env.reset()
            drawn[-1].append(env.position.to_bytes())
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 21
    unseeded = [terracotta_v0.env() for _ in range(5)]
    for env in unseeded:
        env.reset()
    assert len({env.position.to_bytes() for env in unseeded}) == 5


def test_global_generators_are_never_touched() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 (the global generator is what this test is about)
    before = random.getstate(), str(np.random.get_state())  # noqa: NPY002
    env, gym = terracotta_v0.env(), terracotta_v0.TerracottaGym()
    for seed in (1, None):
        env.reset(seed=seed)
        play_out(env)
        gym.reset(seed=seed)
        done = False
        while not done:
            done = gym.step(int(np.flatnonzero(gym.action_masks())[0]))[2]
    Position.from_seed(GAME, 2, 3).clone()
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002


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
