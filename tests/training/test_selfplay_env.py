"""Self-play side by side against the same games played one at a time, slowly, by the public API."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from terracotta_agents.neural.actor import Actor
from terracotta_env.army import GAME
from terracotta_env.generator import splitmix64, splitmix64_at
from terracotta_env.policy import stream
from terracotta_env.position import Position
from terracotta_env.rows import _BOARDS
from terracotta_training.opponents import OpponentPool
from terracotta_training.selfplay_env import SelfPlayVecEnv

N = 5
SEED = 21
BOARDS = ("reconstructed", "shuffled", "rising")


class Stub:
    """Chooses by the bytes of the position and its own number: deterministic, and different for each number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def choose(self, position: Position) -> int:
        legal = np.flatnonzero(position.mask())
        return int(legal[zlib.crc32(position.to_bytes(), self.number) % len(legal)])

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.array([self.choose(Position(GAME, states[row : row + 1])) for row in rows], np.int64)


def stub_pool() -> OpponentPool:
    """Two bots and three snapshots, all stubs."""
    pool = OpponentPool(GAME, {"random": 1, "busy": 1, "past": 2}, 3)
    torch.manual_seed(0)
    for _ in range(3):
        pool.add_snapshot(Actor([GAME.observation_size, GAME.actions]))
    for number in pool.policies:
        pool.policies[number] = Stub(number)
    return pool


class SlowGame:
    """One game of the learner, played with :class:`Position` alone."""

    def __init__(self, index: int, players: int, boards: Sequence[str], seat: int, numbers: Sequence[int]) -> None:
        self.players, self.seat, self.numbers = players, seat, numbers
        setup = int(splitmix64_at(SEED, np.array([index]))[0])
        board = boards[splitmix64(setup ^ int(_BOARDS))[1] % len(boards)]
        self.position = Position.from_seed(GAME, players, setup, board)
        self.length, self.total = 0, 0.0
        self._others()
        self.first = self.lead()
        self._paid = np.array(self.position.points())

    def _others(self) -> None:
        while (seat := self.position.to_act) is not None and seat != self.seat:
            self.position.play(Stub(self.numbers[seat]).choose(self.position))

    def lead(self) -> float:
        points = self.position.points()
        return points[self.seat] - (sum(points) - points[self.seat]) / (self.players - 1)

    @property
    def won(self) -> bool:
        return self.position.ranking()[0] == self.seat

    def payoff(self) -> float:
        return 1.0 if self.won else -1 / (self.players - 1)

    def step(self, action: int, win_share: float) -> float:
        self.position.play(action)
        self._others()
        points = np.array(self.position.points())
        gains, self._paid = points - self._paid, points
        own = gains[self.seat]
        reward = float((own - (gains.sum() - own) / (self.players - 1)) * 0.02)
        if self.position.over:
            reward += win_share * self.payoff()
        self.length += 1
        self.total += reward
        return reward


class SlowGames:
    """All games of a run, in the order in which they begin."""

    def __init__(self, players: int, boards: Sequence[str]) -> None:
        self.players, self.boards, self.pool = players, boards, stub_pool()
        self.draws = np.random.default_rng(stream(SEED, 1))
        self.begun = 0

    def begin(self) -> SlowGame:
        seat = int(splitmix64_at(stream(SEED, 0), np.array([self.begun]))[0]) % self.players
        numbers = [self.pool.draw(self.draws) for _ in range(self.players)]
        self.begun += 1
        return SlowGame(self.begun - 1, self.players, self.boards, seat, numbers)


def pick(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks], np.int64)


@pytest.mark.parametrize(("players", "boards", "win_share"), [(2, BOARDS, 1.0), (3, BOARDS[:2], 0.0), (4, BOARDS, 2.5)])
def test_games_side_by_side_equal_games_played_one_at_a_time(
    players: int, boards: Sequence[str], win_share: float
) -> None:
    env = SelfPlayVecEnv(GAME, N, players, boards, stub_pool(), SEED, win_share)
    slow = SlowGames(players, boards)
    rng = np.random.default_rng(0)
    seen = env.reset()
    games = [slow.begin() for _ in range(N)]
    terminal: list[tuple[np.ndarray, bytes]] = []
    finished = []
    for _ in range(330):
        masks = env.action_masks()
        for i, game in enumerate(games):
            assert env.vector.learner[i] == game.seat
            assert seen[i].tobytes() == game.position.observe(game.seat).tobytes()
            assert masks[i].tolist() == game.position.mask().astype(bool).tolist()
        actions = pick(masks, rng)
        seen, rewards, dones, infos = step(env, actions)
        for i, game in enumerate(games):
            reward = game.step(int(actions[i]), win_share)
            assert rewards[i] == np.float32(reward)
            assert dones[i] == game.position.over
            if not dones[i]:
                assert infos[i] == {}
                continue
            assert infos[i]["episode"] == {"r": game.total, "l": game.length, "t": 0.0}
            assert game.total == pytest.approx(0.02 * (game.lead() - game.first) + win_share * game.payoff())
            last = infos[i]["terminal_observation"]
            assert last.tobytes() == game.position.observe(game.seat).tobytes()
            terminal.append((last, last.tobytes()))
            first = game.numbers[(game.seat + 1) % players]
            finished.append((slow.pool.kind_of[first], game.won, game.lead()))
            games[i] = slow.begin()
    assert len(finished) > N
    assert {won for _, won, _ in finished} == {True, False}
    assert env.finished == finished
    assert all(array.tobytes() == before for array, before in terminal)  # ten games later still the finished one's


def step(env: SelfPlayVecEnv, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
    """A step with the types it really has."""
    env.step_async(actions)
    return env.step_wait()


def environment(players: int = 2, pool: OpponentPool | None = None, boards: Sequence[str] = BOARDS) -> SelfPlayVecEnv:
    return SelfPlayVecEnv(GAME, 8, players, boards, pool or stub_pool(), SEED)


@pytest.mark.parametrize("players", GAME.players)
def test_learner_sits_in_every_seat_alike(players: int) -> None:
    env = environment(players)
    seats = []
    for _ in range(60):
        env.reset()
        seats += env.vector.learner.tolist()
    expected = len(seats) / players
    counts = np.bincount(seats, minlength=players)
    assert counts.sum() == len(seats)
    assert (np.abs(counts - expected) < 4 * np.sqrt(expected * (1 - 1 / players))).all()


def test_boards_are_drawn_and_setups_differ() -> None:
    env = environment()
    boards, setups = [], set()
    for _ in range(6):
        env.reset()
        for i in range(env.num_envs):
            states = env.vector.batch.states[i : i + 1]
            boards.append(GAME.notation.board_of(states))
            setups.add(json.dumps(GAME.notation.setup_of(states), sort_keys=True))
    assert all(8 <= boards.count(board) <= 24 for board in BOARDS)
    assert len(setups) == 48


def test_opponents_stay_for_a_whole_game_while_the_pool_moves_on() -> None:
    pool = OpponentPool(GAME, {"self": 1, "past": 1}, 2)
    torch.manual_seed(1)

    def actor() -> Actor:
        return Actor([GAME.observation_size, 4, GAME.actions]).eval()

    pool.set_current(actor())
    env = SelfPlayVecEnv(GAME, 4, 3, ["flat"], pool, 2)
    env.reset()
    rng = np.random.default_rng(0)
    before, changes, most = env.opponents.numbers.copy(), 0, 0
    for turn in range(220):
        if turn % 7 == 0:
            pool.set_current(actor())
            pool.add_snapshot(actor())
        held = {number: pool.policies[number] for number in env.opponents.numbers[:, :3].ravel().tolist()}
        _, _, dones, _ = step(env, pick(env.action_masks(), rng))
        for i, done in enumerate(dones):
            if not done:
                assert env.opponents.numbers[i].tolist() == before[i].tolist()
                assert all(pool.policies[number] is held[number] for number in env.opponents.numbers[i, :3].tolist())
        changes += int(dones.sum())
        before = env.opponents.numbers.copy()
        most = max(most, len(pool.policies))
    assert changes >= 4
    assert most <= 2 + 1 + 2 + 4 * 3 + 220 // 7 * 2  # freed at the latest when games begin
    env.reset()
    assert len(pool.policies) <= 2 + 1 + 2


def test_observations_and_masks_are_fresh_arrays() -> None:
    env = environment()
    rng = np.random.default_rng(0)
    kept: list[tuple[np.ndarray, bytes]] = []
    seen = env.reset()
    for _ in range(10):
        masks = env.action_masks()
        kept += [(array, array.tobytes()) for array in (seen, masks)]
        seen, rewards, dones, _ = step(env, pick(masks, rng))
        kept += [(array, array.tobytes()) for array in (rewards, dones)]
    assert all(array.tobytes() == before for array, before in kept)
    assert [array.dtype.name for array in (seen, rewards, dones)] == ["float32", "float32", "bool"]
    assert env.observation_space.contains(seen[0])


def test_masks_are_offered_as_sb3_contrib_asks_for_them() -> None:
    env = environment()
    env.reset()
    assert is_masking_supported(env)
    assert get_action_masks(env).tolist() == env.action_masks().tolist()
    assert env.env_method("action_masks", indices=[2])[0].tolist() == env.action_masks()[2].tolist()
    with pytest.raises(AttributeError, match="no method 'seed_all'"):
        env.env_method("seed_all")
    with pytest.raises(AttributeError, match="share their settings"):
        env.set_attr("win_share", 2)
    assert env.get_attr("win_share", [0, 1]) == [1.0, 1.0]
    assert env.env_is_wrapped(object) == [False] * 8


def facts_after(env: SelfPlayVecEnv, steps: int) -> Iterator[Any]:
    rng = np.random.default_rng(5)
    for _ in range(steps):
        seen, rewards, dones, _ = step(env, pick(env.action_masks(), rng))
        yield seen.tobytes(), rewards.tobytes(), dones.tobytes()


def test_same_seed_gives_the_same_run_and_another_seed_another() -> None:
    def run_of(seed: int) -> list[Any]:
        pool = OpponentPool(GAME, {"random": 1, "busy": 1}, 1)
        env = SelfPlayVecEnv(GAME, 4, 3, ["flat"], pool, seed)
        return [env.reset().tobytes(), *facts_after(env, 60)]

    assert run_of(1) == run_of(1)
    assert run_of(1)[0] != run_of(2)[0]


def test_saved_generators_go_on_with_new_setups_not_the_old_ones() -> None:
    env = environment()
    env.reset()
    state = json.loads(json.dumps(env.generators()))
    used = {GAME.notation.setup_of(env.vector.batch.states[i : i + 1])["inner_offset"] for i in range(8)}
    first = env.reset().tobytes()
    other = environment()
    other.restore_generators(state)
    assert other.reset().tobytes() == first
    assert other.vector.learner.tolist() == env.vector.learner.tolist()
    assert other.opponents.numbers.tolist() == env.opponents.numbers.tolist()
    assert used  # the games of the first reset came before
    assert environment().reset().tobytes() != first
