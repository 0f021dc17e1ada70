"""The Gymnasium view: one learner among policies; what it is paid between its own decisions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.errors import IllegalActionError, SetupError
from terracotta_env.gym import GYM_FORMS, GameGym
from terracotta_env.policy import Policy, Uniform, stream
from terracotta_env.position import Position
from terracotta_env.rewards import REWARDS
from terracotta_env.table import MOST_TRIES, PENALTY
from tests.env.playing import choose, content, walk

PLAYERS = (2, 3, 4)
Gym = terracotta_v0.TerracottaGym


class Recorder:
    """A uniform policy that keeps its seeds and actions."""

    name = "recorder"
    version = 1

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.actions: list[tuple[int, int]] = []  # seat, action
        self.rng = np.random.default_rng(0)

    def begin(self, seed: int) -> None:
        self.seeds.append(seed)
        self.rng = np.random.default_rng(seed)

    def act(self, position: Position, mask: np.ndarray) -> int:
        assert mask.tobytes() == position.mask().tobytes()
        action = choose(position.game, mask, self.rng)
        assert position.to_act is not None
        self.actions.append((position.to_act, action))
        return action


class First(Recorder):
    """Always the first legal action."""

    name = "first"

    def act(self, position: Position, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[0])


class Idle(Recorder):
    """Never performs anything it need not."""

    name = "idle"

    def act(self, position: Position, mask: np.ndarray) -> int:
        for token in ("ring:nothing", "rotate:none", "decline"):
            if mask[GAME.action_of(token)]:
                return GAME.action_of(token)
        return int(np.flatnonzero(mask)[0])


def play(
    env: GameGym, rng: np.random.Generator, policy: Callable[[], int] | None = None
) -> tuple[list[int], list[float]]:
    """Finish a game; the learner's actions and rewards."""
    actions, rewards, over = [], [], env.table.over
    while not over:
        actions.append(policy() if policy else choose(env.game, env.table.mask, rng))
        _, reward, over, _, _ = env.step(actions[-1])
        rewards.append(reward)
    return actions, rewards


# Gymnasium's own tests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", GYM_FORMS)
@pytest.mark.parametrize("players", PLAYERS)
def test_gymnasiums_check(players: int, form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about infinite bounds and the like
        check_env(Gym(players=players, observation=form, illegal="penalise"), skip_render_check=True)


@pytest.mark.parametrize("form", GYM_FORMS)
@pytest.mark.parametrize("players", PLAYERS)
def test_spaces_contain_what_is_returned(players: int, form: str) -> None:
    env = Gym(players=players, observation=form)
    observation, info = env.reset(seed=1)
    over, rng = False, np.random.default_rng(0)
    while not over:
        assert env.observation_space.contains(observation)
        assert info["action_mask"].tobytes() == env.action_masks().astype(np.int8).tobytes()
        observation, _, over, truncated, info = env.step(choose(GAME, info["action_mask"], rng))
        assert not truncated
    assert env.observation_space.contains(observation)
    assert not info["action_mask"].any()


def test_made_by_id() -> None:
    env = gymnasium.make("terracotta_env.terracotta_v0:TerracottaArmy-v0", players=3, observation="vector")
    observation, info = env.reset(seed=5)
    assert observation.shape == (GAME.observation_size,)
    assert info["seat"] in range(3)
    raw = env.unwrapped
    assert isinstance(raw, Gym)
    env.step(int(np.flatnonzero(raw.action_masks())[0]))


def test_registered_once_however_often_imported() -> None:
    assert [name for name in gymnasium.registry if name.startswith("Terracotta")] == ["TerracottaArmy-v0"]


# what the learner is paid --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_learner_collects_what_its_agent_collects_in_the_aec_view(players: int, reward: str) -> None:
    """The same setup and the same actions of all seats, step by step."""
    for seat in range(players):
        opponents = [Recorder() for _ in range(players - 1)]
        gym = Gym(players=players, reward=reward, seat=seat, opponents=opponents)
        env = terracotta_v0.env(players=players, reward=reward)
        gym.reset(seed=seat)
        env.reset(seed=seat)
        agent, rng = f"player_{seat}", np.random.default_rng(seat)
        queues = [opponent.actions for opponent in opponents]

        def catch_up(env: Any = env, agent: str = agent, seat: int = seat, queues: Any = queues) -> float:
            paid = 0.0
            while not env.table.over and env.agent_selection != agent:
                mover = env.table.seat
                expected, action = queues[(mover - seat) % players - 1].pop(0)
                assert expected == mover
                env.step(action)
                paid += env.rewards[agent]
            return paid

        catch_up()
        total, over = 0.0, False
        while not over:
            action = choose(GAME, gym.table.mask, rng)
            _, paid, over, _, _ = gym.step(action)
            env.step(action)
            expected = env.rewards[agent] + catch_up()
            assert paid == pytest.approx(expected, abs=1e-12)
            assert type(paid) is float
            assert gym.position == env.position
            total += paid
        assert not any(queues)
        if reward == "rank":
            assert total == pytest.approx(env.position.returns()[seat])
        if reward == "win":
            won = env.position.ranking()[0] == seat
            assert total == pytest.approx(1.0 if won else -1 / (players - 1))


def test_learner_that_always_loses_gets_minus_one() -> None:
    """The final payment reaches the learner also where an opponent makes the last move."""
    totals, last_mover_was_opponent = [], 0
    for seed in range(12):
        opponent = Recorder()
        env = Gym(reward="win", opponents=[opponent])
        env.reset(seed=seed)
        idle = Idle()
        before, over, total = 0, False, 0.0
        while not over:
            before = len(opponent.actions)
            _, reward, over, _, _ = env.step(idle.act(env.position, env.table.mask))
            total += reward
        last_mover_was_opponent += len(opponent.actions) > before
        if env.position.ranking()[0] != env.seat:
            totals.append(total)
    assert len(totals) >= 10
    assert np.mean(totals) == -1.0
    assert last_mover_was_opponent > 0


def test_what_is_paid_before_the_learners_first_decision_belongs_to_no_step() -> None:
    setup = {**GAME.notation.setup_of(Position.from_seed(GAME, 2, 3).states), "turn_order": [1, 0]}
    env = Gym(reward="vp", seat=0, opponents=[Recorder()])
    env.reset(seed=1, options={"setup": setup})
    start = np.array(env.position.points())
    _, rewards = play(env, np.random.default_rng(0))
    gained = np.array(env.position.points()) - start
    won = 1.0 if env.position.ranking()[0] == 0 else -1.0
    assert sum(rewards) == pytest.approx(0.02 * float(gained[0] - gained[1]) + won)


# seats ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_drawn_seats_are_drawn_alike_often(players: int) -> None:
    env = Gym(players=players, opponents=[First() for _ in range(players - 1)])
    env.reset(seed=0)
    seats = []
    for _ in range(120 * players):
        _, info = env.reset()
        assert info["seat"] == env.seat == env.table.seat
        seats.append(env.seat)
    counts = np.bincount(seats, minlength=players)
    assert abs(counts - 120).max() < 45  # more than four standard deviations


def test_seeded_resets_draw_different_seats_too() -> None:
    env = Gym(players=4)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(40)} == {0, 1, 2, 3}


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_fixed_seat_is_kept(seat: int) -> None:
    env = Gym(players=3, seat=seat)
    for seed in (1, 2, None):
        _, info = env.reset(seed=seed)
        assert info["seat"] == env.table.seat == seat


@pytest.mark.parametrize("seat", [3, -1, "first", True])
def test_refused_seat_is_named(seat: Any) -> None:
    with pytest.raises(ValueError, match=r"seat: expected 'drawn' or a number in 0\.\.2, got"):
        Gym(players=3, seat=seat)


def test_observation_is_that_of_the_learners_seat() -> None:
    for seed in range(6):
        env = Gym(players=3, observation="vector")
        observation, _ = env.reset(seed=seed)
        assert observation.tobytes() == env.position.observe(env.seat).tobytes()


# opponents -----------------------------------------------------------------------------------------------------------


def test_each_opponent_gets_a_seed_of_its_own_in_every_game() -> None:
    opponents = [Recorder() for _ in range(3)]
    env = Gym(players=4, opponents=opponents)
    env.reset(seed=7)
    for _ in range(20):
        env.reset()
    seeds = [seed for opponent in opponents for seed in opponent.seeds]
    assert len(seeds) == len(set(seeds)) == 63
    again = [Recorder() for _ in range(3)]
    Gym(players=4, opponents=again).reset(seed=7)
    assert [opponent.seeds[0] for opponent in again] == [opponent.seeds[0] for opponent in opponents]


@pytest.mark.parametrize("make", [Recorder, First, Idle, Uniform])
def test_opponents_do_not_change_setups_or_seats(make: Callable[[], Policy]) -> None:
    def drawn(opponent: Policy) -> list[Any]:
        env, found = Gym(opponents=[opponent]), []
        for seed in (5, None, None, None):
            env.reset(seed=seed)
            setup = GAME.notation.setup_of(env.position.states)
            play(env, np.random.default_rng(0))
            found.append((setup["tiles"], setup["turn_order"], env.seat))
        return found

    assert drawn(make()) == drawn(Uniform())


def test_opponents_sit_clockwise_after_the_learner() -> None:
    opponents = [Recorder() for _ in range(2)]
    env = Gym(players=3, seat=1, opponents=opponents)
    env.reset(seed=1)
    play(env, np.random.default_rng(0))
    assert {seat for seat, _ in opponents[0].actions} == {2}
    assert {seat for seat, _ in opponents[1].actions} == {0}


def test_one_class_makes_all_opponents() -> None:
    env = Gym(players=3, opponents=Recorder)
    assert len({id(opponent) for opponent in env.opponents}) == 2


def test_wrong_number_of_opponents_is_refused() -> None:
    with pytest.raises(ValueError, match="opponents: expected 2 policies for 3 players, got 1"):
        Gym(players=3, opponents=[Uniform()])


def test_illegal_action_of_an_opponent_is_its_own_error() -> None:
    class Broken(Recorder):
        name = "broken"

        def act(self, position: Position, mask: np.ndarray) -> int:
            return int(np.flatnonzero(mask == 0)[0])

    env = Gym(seat=0, illegal="penalise", opponents=[Broken()])
    setup = GAME.notation.setup_of(Position.from_seed(GAME, 2, 3).states)
    with pytest.raises(IllegalActionError, match="agent broken in seat 1: illegal action"):
        env.reset(seed=0, options={"setup": {**setup, "turn_order": [1, 0]}})


def test_streams_are_independent_of_each_other() -> None:
    seeds = {stream(seed, game, bot) for seed in (0, 1, 2**63) for game in range(20) for bot in range(4)}
    assert len(seeds) == 240
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert stream(1, 2) == stream(1, 2) != stream(2, 1)


# illegal actions of the learner --------------------------------------------------------------------------------------


def test_illegal_actions_of_the_learner() -> None:
    for illegal in ("raise", "end", "penalise"):
        env = Gym(illegal=illegal, seat=0)
        env.reset(seed=1)
        before, action = env.position, int(np.flatnonzero(~env.action_masks())[0])
        if illegal == "raise":
            with pytest.raises(IllegalActionError):
                env.step(action)
        elif illegal == "end":
            assert env.step(action)[1:3] == (-1.0, True)
        else:
            for _ in range(MOST_TRIES - 1):
                assert env.step(action)[1:3] == (-PENALTY, False)
            assert env.step(action)[1:3] == (-1.0, True)
        assert env.position == before


def test_step_after_the_end_raises() -> None:
    env = Gym(illegal="end")
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(~env.action_masks())[0]))
    with pytest.raises(ValueError, match=r"the game is over: call reset\(\) first"):
        env.step(0)


# seeding and starts --------------------------------------------------------------------------------------------------


def test_same_seed_gives_the_same_games() -> None:
    games = []
    for _ in range(2):
        env = Gym(players=3, reward="vp")
        env.reset(seed=4)
        log: list[Any] = [play(env, np.random.default_rng(1)), env.position.to_bytes()]
        env.reset()
        log += [play(env, np.random.default_rng(1)), env.position.to_bytes(), env.seat]
        log.append([int(env.action_space.sample()) for _ in range(5)])
        games.append(log)
    assert games[0] == games[1]
    assert games[0][1] != games[0][3]


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_refused_seed_is_named(seed: Any) -> None:
    with pytest.raises(SetupError, match=r"seed: expected a whole number in 0\.\.2\*\*64-1, got"):
        Gym().reset(seed=seed)


def test_snapshot_of_the_learners_turn_starts_there() -> None:
    for number, position in enumerate(walk(GAME, 2, 9)):
        if number % 40 == 0 and not position.over:
            env = Gym(seat=position.to_act)  # type: ignore[arg-type]
            env.reset(seed=0, options={"snapshot": position.snapshot()})
            assert env.position.key() == position.key()


def test_kept_observations_do_not_change() -> None:
    for form in GYM_FORMS:
        env, rng, kept = Gym(observation=form), np.random.default_rng(0), []
        observation, info = env.reset(seed=2)
        over = False
        while not over:
            moment = (observation, info, env.action_masks())
            kept.append((moment, [content(value) for value in moment]))
            observation, _, over, _, info = env.step(choose(GAME, info["action_mask"], rng))
        final, before = observation, content(observation)
        env.reset(seed=3)
        assert content(final) == before
        assert all([content(value) for value in moment] == then for moment, then in kept)


def test_rendering() -> None:
    env = Gym(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.position.render()
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert Gym().render() is None


# Stable-Baselines3 ---------------------------------------------------------------------------------------------------


def make_vector_gym() -> GameGym:
    """A module-level factory: it can be sent to another process."""
    return Gym(players=2, observation="vector", reward="vp")


def make_flat_gym() -> GameGym:
    return Gym(players=3, observation="flat", reward="vp")


def make_tensor_gym() -> GameGym:
    return Gym(players=4, observation="tensors", reward="vp")


def test_factories_give_distinct_environments() -> None:
    assert len({id(env.table) for env in [make_vector_gym() for _ in range(4)]}) == 4


@pytest.mark.slow
def test_spawned_processes_play() -> None:
    vec = pytest.importorskip("stable_baselines3.common.vec_env")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        envs = vec.SubprocVecEnv([make_vector_gym, make_vector_gym], start_method="spawn")
        try:
            envs.seed(3)
            observations = envs.reset()
            assert observations.shape == (2, GAME.observation_size)
            assert (observations[0] != observations[1]).any()
            rng = np.random.default_rng(0)
            for _ in range(20):
                masks = np.stack(envs.env_method("action_masks"))
                _, rewards, _, _ = envs.step([choose(GAME, mask, rng) for mask in masks])
                assert rewards.shape == (2,)
        finally:
            envs.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "policy"),
    [(make_vector_gym, "MlpPolicy"), (make_flat_gym, "MultiInputPolicy"), (make_tensor_gym, "MultiInputPolicy")],
)
def test_maskable_ppo_learns(make: Callable[[], GameGym], policy: str) -> None:
    sb3_contrib = pytest.importorskip("sb3_contrib")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = sb3_contrib.MaskablePPO(
            policy,
            make(),
            n_steps=128,
            batch_size=64,
            n_epochs=1,
            seed=0,
            device="cpu",
            policy_kwargs={"net_arch": [32]},
        )
        model.learn(256)  # under illegal="raise": one unmasked action would stop it
    assert model.num_timesteps == 256
