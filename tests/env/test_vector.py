"""The vector environment plays what single games play and answers as Gymnasium says; no two games are mixed up."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from terracotta_agents.busy import BUSY
from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.batch import Batch
from terracotta_env.errors import IllegalActionError
from terracotta_env.game import Game
from terracotta_env.generator import splitmix64_at
from terracotta_env.gym import GameGym
from terracotta_env.position import Position
from terracotta_env.rewards import RewardMeter
from terracotta_env.vector import GameVector, RolloutOpponents
from tests.toy import GAME as TOY

GAMES = pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])


class FirstLegal:
    """Opponents that take the first legal action, so that a game can be followed from outside."""

    def seed(self, seed: int) -> None:
        """Nothing is random."""

    def begin(self, batch: Batch, rows: np.ndarray) -> None:
        """Nothing to choose."""

    def play(self, batch: Batch, rows: np.ndarray, learner: np.ndarray) -> None:
        while len(rows := rows[(batch.seats[rows] >= 0) & (batch.seats[rows] != learner[rows])]):
            masks = np.empty((len(rows), batch.game.actions), np.int8)
            batch.legal(masks, rows)
            batch.play(masks.argmax(axis=1), rows)


class Follower:
    """One row's games, one after another, played with :class:`Position` alone."""

    def __init__(self, env: GameVector, row: int) -> None:
        self.env, self.row = env, row
        self.begin()

    def begin(self) -> None:
        row, batch = self.row, self.env.batch
        self.seat = int(self.env.learner[row])
        states = self.env.batch.states[row : row + 1].copy()
        setup = seed_of(self.env, int(batch.numbers[row]))
        self.position = Position.from_seed(self.env.game, int(batch.players[row]), setup)
        self.others()
        assert self.position.states.tobytes() == states.tobytes()
        self.meter = RewardMeter(self.env.game, self.env.meter.reward, self.position.players)
        self.meter.start(self.position.states)
        self.length, self.total = 0, 0.0

    def others(self) -> None:
        while (seat := self.position.to_act) is not None and seat != self.seat:
            self.position.play(int(self.position.mask().argmax()))

    def step(self, action: int) -> float:
        self.position.play(action)
        self.others()
        reward = float(self.meter.pay(self.position.states, self.position.over)[self.seat])
        self.length, self.total = self.length + 1, self.total + reward
        return reward


def seed_of(env: GameVector, number: int) -> int:
    return int(splitmix64_at(env.batch.seed, np.array([number]))[0])


def pick(infos: dict[str, Any], rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]], np.int64)


@pytest.mark.parametrize("reward", ["rank", "win", "vp"])
@GAMES
def test_returns_and_lengths_are_those_of_serial_play(game: Game, reward: str) -> None:
    players = [game.players[i % len(game.players)] for i in range(8)]
    bare = GameVector(game, 8, players, reward=reward, opponents=FirstLegal())
    env = RecordEpisodeStatistics(bare)
    observations, infos = env.reset(seed=3)
    games = [Follower(bare, i) for i in range(8)]
    rng, finished = np.random.default_rng(1), 0
    kept: list[tuple[np.ndarray, bytes]] = []
    for _ in range(300):
        for i, follower in enumerate(games):
            assert observations[i].tobytes() == follower.position.observe(follower.seat).tobytes()
            assert infos["action_mask"][i].tobytes() == follower.position.mask().tobytes()
            assert infos["seat"][i] == follower.seat == follower.position.to_act
        actions = pick(infos, rng)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert not truncations.any()
        assert ("final_obs" in infos) == terminations.any()
        for i, follower in enumerate(games):
            assert rewards[i] == pytest.approx(follower.step(int(actions[i])), abs=1e-12)
            assert terminations[i] == follower.position.over
            if not terminations[i]:
                continue
            finished += 1
            assert infos["_final_obs"][i]
            last = infos["final_obs"][i]
            kept.append((last, follower.position.observe(follower.seat).tobytes()))
            final = infos["final_info"]
            assert final["points"][i, : players[i]].tolist() == list(follower.position.points())
            assert (final["returns"][i, follower.seat] == 1) == (follower.position.ranking()[0] == follower.seat)
            assert final["seat"][i] == follower.seat
            assert infos["episode"]["r"][i] == pytest.approx(follower.total)
            assert infos["episode"]["l"][i] == follower.length
            follower.begin()
    assert finished > 12
    assert all(array.tobytes() == before for array, before in kept), "a last observation changed after its game"


def test_shape_of_the_answers_is_that_of_gymnasiums_own_vector_environment() -> None:
    own = SyncVectorEnv([lambda: GameGym(GAME, observation="vector")] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    ours = GameVector(GAME, 3)
    assert ours.metadata["autoreset_mode"] == own.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert ours.single_observation_space == own.single_observation_space
    assert ours.observation_space == own.observation_space
    assert ours.action_space == own.action_space
    answers = []
    for env in (own, ours):
        observations, infos = env.reset(seed=1)
        assert set(infos) == {"action_mask", "_action_mask", "seat", "_seat"}
        rng, ended = np.random.default_rng(2), None
        while ended is None:
            observations, rewards, terminations, truncations, infos = env.step(pick(infos, rng))
            ended = infos if terminations.any() else None
        arrays = (observations, rewards, terminations, truncations, infos["action_mask"])
        answers.append([(array.shape, array.dtype) for array in arrays])
        assert {"final_obs", "_final_obs", "final_info", "_final_info"} <= set(infos)
        row = int(terminations.argmax())
        assert infos["final_obs"][row].shape == (GAME.observation_size,)
        assert all(infos["final_obs"][i] is None for i in range(3) if not terminations[i])
    assert answers[0] == answers[1]


def test_it_is_made_by_name() -> None:
    env = gymnasium.make_vec(
        "terracotta_env.terracotta_v0:TerracottaArmy-v0",
        num_envs=4,
        vectorization_mode="vector_entry_point",
        players=3,
        reward="vp",
    )
    assert isinstance(env.unwrapped, terracotta_v0.TerracottaVector)
    observations, _ = env.reset(seed=1)
    assert env.observation_space.contains(observations)


def run(env: GameVector, steps: int, seed: int | None = 1) -> list[bytes]:
    observations, infos = env.reset(seed=seed)
    rng, facts = np.random.default_rng(0), [observations.tobytes()]
    for _ in range(steps):
        observations, rewards, terminations, _, infos = env.step(pick(infos, rng))
        facts.append(observations.tobytes() + rewards.tobytes() + terminations.tobytes())
    return facts


def test_same_seed_gives_the_same_run_with_any_number_of_threads() -> None:
    made = [GameVector(GAME, 40, [2, 4] * 20, opponents=RolloutOpponents(BUSY), threads=k) for k in (1, 1, 2)]
    runs = [run(env, 130) for env in made]
    assert runs[0] == runs[1] == runs[2]
    assert run(made[0], 130) == runs[0], "a seeded reset must forget the past"
    assert run(made[0], 3, seed=2) != runs[0][:4]
    following = run(made[1], 3, seed=None)
    assert following != runs[0][:4], "an unseeded reset must go on with new games"
    assert len(set(following) & set(runs[0])) == 0


@pytest.mark.parametrize("players", GAME.players)
def test_learner_sits_in_every_seat_alike(players: int) -> None:
    env = GameVector(GAME, 600, players)
    counts = np.bincount(env.reset(seed=4)[1]["seat"], minlength=players)
    expected = 600 / players
    assert (np.abs(counts - expected) < 4 * np.sqrt(expected)).all()
    assert (GameVector(GAME, 5, players, seat=1).reset(seed=1)[1]["seat"] == 1).all()


def test_arrays_are_fresh_unless_that_is_switched_off() -> None:
    env = GameVector(GAME, 4)
    kept = []
    observations, infos = env.reset(seed=1)
    for _ in range(10):
        arrays = [observations, infos["action_mask"], infos["seat"]]
        kept += [(array, array.tobytes()) for array in arrays]
        observations, rewards, terminations, _, infos = env.step(pick(infos, np.random.default_rng(0)))
        kept += [(array, array.tobytes()) for array in (rewards, terminations)]
    assert all(array.tobytes() == before for array, before in kept)
    shared = GameVector(GAME, 4, copy=False)
    first, infos = shared.reset(seed=1)
    assert shared.step(pick(infos, np.random.default_rng(0)))[0] is first


def test_compact_observations_lie_in_their_space() -> None:
    env = GameVector(GAME, 6, 3, compact=True)
    observations, infos = env.reset(seed=1)
    for _ in range(120):
        assert observations.dtype == np.int8
        assert env.observation_space.contains(observations)
        observations, _, _, _, infos = env.step(pick(infos, np.random.default_rng(1)))


def test_mistakes_are_told() -> None:
    env = GameVector(GAME, 2)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        env.step([0, 0])
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    with pytest.raises(IllegalActionError, match="game in row 1"):
        env.step([0, 122])
    assert env.batch.states.tobytes() == before
    with pytest.raises(ValueError, match=r"seat: expected 'drawn' or a number in 0\.\.1, got 2"):
        GameVector(GAME, 2, seat=2)
    with pytest.raises(ValueError, match="reward: expected one of"):
        GameVector(GAME, 2, reward="money")
    with pytest.warns(UserWarning, match="reset option 'setup' is not known"):
        env.reset(options={"setup": {}})
