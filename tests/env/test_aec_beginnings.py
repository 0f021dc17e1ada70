"""The PettingZoo view: copies, where games begin, and seeds."""

from __future__ import annotations

import copy
import hashlib
import itertools
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.errors import SetupError
from terracotta_env.position import Position
from tests.env.playing import act, facts, fresh_process, illegal_action, play_out, walk

PLAYERS = (2, 3, 4)


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
    code = "from tests.env.test_aec_beginnings import trajectory; print(trajectory())"
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
