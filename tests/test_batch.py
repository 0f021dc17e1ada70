"""N games at once give what each game gives alone, for any number of threads, and refuse what cannot be."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from terracotta_agents.busy import BUSY
from terracotta_env.army import GAME
from terracotta_env.batch import SMALLEST_SLICE, Batch
from terracotta_env.errors import IllegalActionError
from terracotta_env.game import NOBODY, Game
from terracotta_env.generator import splitmix64, splitmix64_at
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM
from tests.env.playing import fresh_process
from tests.toy import GAME as TOY

GAMES = pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])
BOARDS = ["reconstructed", "shuffled"]


def actions_of(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """A random legal action in every game."""
    actions = np.empty(batch.n, np.int64)
    batch.act(UNIFORM, rng.random(batch.n), actions)
    return actions


def played(batch: Batch, steps: int, seed: int = 0) -> list[np.ndarray]:
    """The rows that ended, step by step."""
    rng = np.random.default_rng(seed)
    return [batch.step(actions_of(batch, rng)) for _ in range(steps)]


# the same as single games --------------------------------------------------------------------------------------------


@GAMES
def test_batch_plays_what_single_games_play(game: Game) -> None:
    players = [game.players[i % len(game.players)] for i in range(12)]
    batch = Batch(game, 12, players, seed=5)
    setups = splitmix64_at(5, np.arange(1000))
    single = [Position.from_seed(game, n, int(setups[i])) for i, n in enumerate(players)]
    lengths, begun, finished = np.zeros(12, int), 12, 0
    rng = np.random.default_rng(1)
    masks, seen = batch.make_masks(), batch.make_observations()
    for _ in range(450):
        batch.legal(masks)
        batch.observe(seen)
        actions = actions_of(batch, rng)
        for i, position in enumerate(single):
            assert batch.seats[i] == position.to_act
            assert masks[i].tobytes() == position.mask().tobytes()
            assert seen[i].tobytes() == position.observe(int(batch.seats[i])).tobytes()
            position.play(int(actions[i]))
        lengths += 1
        ended = batch.step(actions)
        assert ended.tolist() == [i for i, position in enumerate(single) if position.over]
        points, returns = np.empty((len(ended), game.seats), np.int64), np.empty((len(ended), game.seats))
        batch.points(points, ended, last=True)
        batch.returns(returns, ended, last=True)
        for k, i in enumerate(ended):
            assert points[k].tolist() == [*single[i].points(), *[0] * (game.seats - players[i])]
            assert returns[k, single[i].ranking()[0]] == 1
            assert batch.last[i].tobytes() == single[i].states.tobytes()
            assert batch.last_decisions[i] == lengths[i]
            single[i] = Position.from_seed(game, players[i], int(setups[begun]))
            assert batch.numbers[i] == begun
            lengths[i], begun, finished = 0, begun + 1, finished + 1
        assert batch.decisions.tolist() == lengths.tolist()
    assert finished > 12
    assert batch.begun == begun


def test_seeds_are_the_outputs_of_the_generator() -> None:
    state, outputs = 2**64 - 3, []
    for _ in range(5):
        state, output = splitmix64(state)
        outputs.append(output)
    assert splitmix64_at(2**64 - 3, np.arange(5)).tolist() == outputs


def test_last_observation_of_any_seat_outlives_the_new_game() -> None:
    batch = Batch(GAME, 4, 3, seed=2)
    while not len(ended := batch.step(actions_of(batch, np.random.default_rng(batch.decisions[0])))):
        pass
    row = ended[:1]
    final = Position(GAME, batch.last[row].copy())
    out = np.empty((1, GAME.observation_size), np.float32)
    played(batch, 10)
    for seat in range(3):
        batch.observe(out, seat, row, last=True)
        assert out[0].tobytes() == final.observe(seat).tobytes()
    ledgers = np.empty((1, len(GAME.sources)), np.int64)
    batch.ledgers(ledgers, 1, row, last=True)
    assert ledgers.sum() == final.points()[1]
    with pytest.raises(ValueError, match="seats: nobody is to act in a finished game: say who looks"):
        batch.observe(out, rows=row, last=True)


@pytest.mark.parametrize("policy", [UNIFORM, BUSY], ids=["random", "busy"])
def test_play_out_ends_every_game_and_leaves_it_ended(policy: Any) -> None:
    batch = Batch(GAME, 30, [2, 3, 4] * 10, seed=3)
    total = batch.play_out(policy, seed=8, limit=50)
    assert total == 30 * 50
    total += batch.play_out(policy, seed=9)
    assert (batch.seats == NOBODY).all()
    assert batch.decisions.sum() == total
    assert batch.play_out(policy) == 0
    returns = np.empty((30, 4))
    batch.returns(returns)
    assert (returns.max(axis=1) == 1).all()
    batch.reset([4, 7], np.array([11, 12], np.uint64))
    assert np.flatnonzero(batch.seats != NOBODY).tolist() == [4, 7]
    assert batch.states[7].tobytes() == Position.from_seed(GAME, 3, 12).states.tobytes()


def test_setups_and_boards_differ_from_game_to_game() -> None:
    batch = Batch(GAME, 400, 2, boards=BOARDS, seed=1)
    names = [GAME.notation.board_of(batch.states[i : i + 1]) for i in range(400)]
    assert 140 < names.count("shuffled") < 260
    assert len({state.tobytes() for state in batch.states}) > 390
    parity = [int(o) % 2 for o, name in zip(batch.states["middle_offset"], names, strict=True) if name == "shuffled"]
    assert 0.3 < np.mean(parity) < 0.7, "the board must not be drawn with the number that draws an offset"


def test_every_row_keeps_its_board_when_there_is_one() -> None:
    batch = Batch(GAME, 3, boards="shuffled", seed=1)
    played(batch, 300)
    assert {GAME.notation.board_of(batch.states[i : i + 1]) for i in range(3)} == {"shuffled"}


# threads -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads: int) -> None:
    n = 3 * SMALLEST_SLICE + 7
    one, several = (Batch(GAME, n, 2, BOARDS, seed=4, threads=k) for k in (1, threads))
    for batch in (one, several):
        batch.play_out(UNIFORM, seed=1, limit=100)
    assert one.states.tobytes() == several.states.tobytes()
    for ended, as_well in zip(played(one, 120), played(several, 120), strict=True):
        assert ended.tolist() == as_well.tolist()
    assert one.begun > n
    assert one.states.tobytes() == several.states.tobytes()
    assert one.last.tobytes() == several.last.tobytes()
    for make in (Batch.make_masks, lambda batch: batch.make_observations(compact=True)):
        buffers = [make(batch) for batch in (one, several)]
        for batch, buffer in zip((one, several), buffers, strict=True):
            batch.legal(buffer) if buffer.shape[1] == GAME.actions else batch.observe(buffer)
        assert buffers[0].tobytes() == buffers[1].tobytes()


def test_same_seed_gives_the_same_games_in_another_process() -> None:
    code = (
        "import hashlib\n"
        "from terracotta_env.batch import Batch\n"
        "from terracotta_env.rollout import UNIFORM\n"
        "batch = Batch('terracotta', 40, 4, seed=6)\n"
        "batch.play_out(UNIFORM, seed=7)\n"
        "print(hashlib.sha256(batch.states.tobytes()).hexdigest())"
    )
    assert fresh_process(code, PYTHONHASHSEED="1") == fresh_process(code, PYTHONHASHSEED="2")


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_live_their_own_lives(duplicate: Any) -> None:
    batch = Batch(GAME, 5, threads=2, seed=1)
    played(batch, 60)
    other = duplicate(batch)
    before = batch.states.tobytes()
    played(other, 200, seed=3)
    assert batch.states.tobytes() == before
    again = duplicate(batch)
    assert [e.tolist() for e in played(again, 200)] == [e.tolist() for e in played(batch, 200)]
    assert again.states.tobytes() == batch.states.tobytes()


# memory of the caller ------------------------------------------------------------------------------------------------


def test_memory_of_torch_is_filled_in_place() -> None:
    torch = pytest.importorskip("torch")
    batch = Batch(GAME, 6, 2, seed=1)
    masks, seen = torch.zeros((6, GAME.actions), dtype=torch.bool), torch.zeros((6, GAME.observation_size))
    expected = batch.make_masks()
    batch.legal(masks)
    batch.legal(expected)
    batch.observe(seen)
    assert masks.numpy().tolist() == expected.astype(bool).tolist()
    assert float(seen.abs().sum()) > 0
    batch.step(masks.int().argmax(dim=1))


@pytest.mark.parametrize(
    ("buffer", "got"),
    [
        (np.zeros((6, GAME.actions)), "float64"),
        (np.zeros((5, GAME.actions), np.int8), r"shape \(5, 123\)"),
        (np.zeros((GAME.actions, 6), np.int8).T, "not contiguous"),
        (np.zeros((6, 2 * GAME.actions), np.int8)[:, ::2], "not contiguous"),
    ],
)
def test_buffers_that_do_not_fit_are_refused(buffer: np.ndarray, got: str) -> None:
    batch = Batch(GAME, 6, 2)
    with pytest.raises(ValueError, match=f"masks: expected a contiguous array of shape .6, 123.*{got}"):
        batch.legal(buffer)


# refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [-1, GAME.actions, 50])
def test_illegal_action_is_refused_and_no_game_moves(wrong: int) -> None:
    batch = Batch(GAME, 6, 2, seed=1)
    actions, before = actions_of(batch, np.random.default_rng(0)), batch.states.tobytes()
    actions[3] = wrong
    with pytest.raises(IllegalActionError, match="game in row 3: "):
        batch.step(actions)
    assert batch.states.tobytes() == before
    assert batch.decisions.tolist() == [0] * 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n and threads: expected at least 1"),
        ({"threads": 0}, "n and threads: expected at least 1"),
        ({"players": 5}, "players: expected"),
        ({"players": [2, 3]}, "could not broadcast"),
        ({"boards": []}, "boards: expected at least one"),
        ({"boards": "nowhere"}, "no board 'nowhere'"),
        ({"game": "chess"}, "no game named 'chess'"),
    ],
)
def test_impossible_batches_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch(**{"game": GAME, "n": 3, **arguments})


@pytest.mark.parametrize("rows", [[6], [-1], [[0]]])
def test_rows_out_of_range_are_refused(rows: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"rows: expected a list of numbers 0\.\.5"):
        Batch(GAME, 6).reset(rows)


@pytest.mark.parametrize("seats", [2, -1, [0, 1, 0, 1, 0, 2]])
def test_seats_that_nobody_sits_in_are_refused(seats: Any) -> None:
    batch = Batch(GAME, 6, 2)
    with pytest.raises(ValueError, match="seats: expected a seat of its game"):
        batch.observe(batch.make_observations(), seats)
