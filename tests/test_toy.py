"""The toy game by its rules, and through everything that serves any game: no shared module knows a game."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from terracotta_env import game as verbs
from terracotta_env.aec import GameAEC
from terracotta_env.errors import BoardError, IllegalActionError, SetupError
from terracotta_env.gym import GYM_FORMS, GameGym
from terracotta_env.position import Position
from terracotta_env.rewards import REWARDS
from tests.env.playing import facts, fresh_process, play_out, walk
from tests.toy import GAME
from tests.toy.solver import solve

TREES = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


def opening(players: int = 3, first: int = 0) -> Position:
    return Position.from_setup(GAME, players, {"trees": TREES, "first": first})


# rules ---------------------------------------------------------------------------------------------------------------


def test_toy_turn_is_a_chain_of_two_decisions_of_one_seat() -> None:
    game = opening()
    assert game.legal() == ["tree:1", "tree:2", "tree:3"]
    game.play("tree:3")
    assert (game.to_act, game.legal()) == (0, ["pick:1", "pick:2"])
    game.play("pick:2")
    assert (game.to_act, game.points()) == (1, [15, 0, 0])


def test_toy_last_fruit_of_a_tree_gives_three_points_and_is_picked_without_asking() -> None:
    game = opening().play("tree:1").play("pick:2")
    game.play("tree:1")  # one fruit is left there
    assert (game.to_act, game.points()) == (2, [3, 6, 0])
    assert game.legal() == ["tree:2", "tree:3"]
    out = np.empty(2, np.int64)
    assert verbs.ledger(game.states[0], 1, out) == 6
    assert out.tolist() == [3, 3]


def test_toy_only_tree_left_is_chosen_without_asking() -> None:
    game = opening()
    for token in ("tree:1", "pick:2", "tree:1", "tree:2", "pick:2", "tree:2"):
        game.play(token)
    assert (game.to_act, game.legal()) == (1, ["pick:1", "pick:2"])


def test_toy_ranks_equal_points_by_who_began_later() -> None:
    game = opening(players=2, first=1)
    snapshot = {**game.snapshot(), "picked": [3, 3, 3], "points": [[20, 0], [20, 0]], "to_move": None}
    assert Position.from_snapshot(GAME, snapshot).returns().tolist() == [1.0, -1.0]


def test_toy_payoffs_are_evenly_spaced_and_zero_before_the_end() -> None:
    for position in walk(GAME, 3, 5):
        expected = [-1.0, 0.0, 1.0] if position.over else [0.0, 0.0, 0.0]
        assert sorted(position.returns().tolist()) == expected


@pytest.mark.parametrize("players", [2, 3])
def test_toy_snapshot_goes_round_at_every_position(players: int) -> None:
    for seed in range(5):
        for position in walk(GAME, players, seed):
            again = Position.from_snapshot(GAME, position.snapshot())
            assert again.key() == position.key()
            assert again.snapshot() == position.snapshot()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"first": 3}, "setup: first: expected a whole number in 0..2, got 3"),
        ({"trees": TREES[:2]}, "setup: trees: expected 3 entries, got 2"),
        ({"trees": [[1, 1, 2], *TREES[1:]]}, "setup: trees: expected the fruits 1..9 once each"),
        ({"colour": 1}, "setup: colour: unknown key"),
    ],
)
def test_toy_refuses_a_setup_naming_the_field(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SetupError, match=complaint):
        Position.from_setup(GAME, 3, {"trees": TREES, "first": 0, **change})


def test_toy_has_one_board() -> None:
    with pytest.raises(BoardError, match="'bumpy'"):
        Position.from_seed(GAME, 2, 0, "bumpy")


def test_toy_setup_draws_every_order_and_first_seat_alike() -> None:
    setups = [Position.from_seed(GAME, 3, seed).snapshot() for seed in range(600)]
    assert len({str(s["trees"]) for s in setups}) > 590
    firsts = np.bincount([s["first"] for s in setups], minlength=3)
    fruit = np.bincount([s["trees"][1][1] for s in setups], minlength=10)[1:]
    assert firsts.min() > 150
    assert fruit.min() > 35


# the solution --------------------------------------------------------------------------------------------------------


def test_toy_solution_takes_the_better_of_two_last_picks() -> None:
    snapshot = {
        **opening(players=2).snapshot(),
        "picked": [3, 3, 1],  # 8 and 9 are left
        "points": [[0, 0], [18, 0]],
        "to_move": 0,
    }
    solution = solve(Position.from_snapshot(GAME, snapshot))
    assert solution.best == GAME.action_of("pick:2")  # both and the bonus: 20 points against 18; one alone would lose
    assert solution.values.tolist() == [1.0, -1.0]
    assert solution.clear


def test_toy_solution_is_a_fixed_point_of_max_n() -> None:
    known: dict[bytes, Any] = {}
    solve(0, 3, known)
    clear = 0
    for position in walk(GAME, 3, 0):
        mover, solution = position.to_act, solve(position, known=known)
        if mover is None:
            assert solution.values.tolist() == position.returns().tolist()
            continue
        replies = {token: solve(position.clone().play(token), known=known) for token in position.legal()}
        assert solution.best is not None
        assert solution.values[mover] == max(reply.values[mover] for reply in replies.values())
        assert (replies[GAME.tokens[solution.best]].values == solution.values).all()
        assert (solution.low <= solution.values).all()
        assert (solution.values <= solution.high).all()
        clear += solution.clear
    assert clear > 0


def worth_against_all(position: Position, root: int, known: dict[bytes, float]) -> float:
    """What ``root`` gets if all others only want to hurt it: what a two-player search would believe."""
    key = position.key()
    if key not in known:
        if position.over:
            known[key] = float(position.returns()[root])
        else:
            choose = max if position.to_act == root else min
            replies = [position.clone().play(token) for token in position.legal()]
            known[key] = choose(worth_against_all(reply, root, known) for reply in replies)
    return known[key]


def test_toy_solution_differs_from_that_of_a_two_player_search() -> None:
    differ = 0
    for position in walk(GAME, 3, 3, end=False):
        root = position.to_act
        assert root is not None
        differ += solve(position).low[root] > worth_against_all(position, root, {})
    assert differ > 0


# everything that serves any game -------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("form", ["tensors", "flat"])
def test_toy_passes_the_aec_test(players: int, form: str) -> None:
    api_test(GameAEC(GAME, players, observation=form), num_cycles=200)


def test_toy_passes_the_seed_test() -> None:
    seed_test(lambda: GameAEC(GAME, 3), num_cycles=200)


@pytest.mark.parametrize("form", GYM_FORMS)
def test_toy_passes_the_gymnasium_check(form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(GameGym(GAME, 3, observation=form, illegal="penalise"), skip_render_check=True)


@pytest.mark.parametrize("reward", REWARDS)
def test_toy_rewards_sum_to_the_payoff(reward: str) -> None:
    env = GameAEC(GAME, 3, reward=reward)
    for seed in range(10):
        env.reset(seed)
        total = np.zeros(3)
        while env.agents:
            before = env.table.over
            env.step(None if before else int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[-1]))
            if not before:
                assert abs(sum(env.rewards.values())) < 1e-12
                total += list(env.rewards.values())
        final = env.position
        expected = final.returns()
        if reward != "rank":
            expected = np.where(expected == 1, 1.0, -0.5)
        if reward == "vp":
            points = np.array(final.points())
            expected = expected + 0.05 * (points - (points.sum() - points) / 2)
        assert total == pytest.approx(expected)


def test_toy_observations_lie_in_their_spaces_and_see_the_looking_seat_first() -> None:
    env = GameAEC(GAME, 3)
    env.reset(3)
    while not env.table.over:
        for agent in env.agents:
            assert env.observation_space(agent).contains(env.observe(agent))
        seats = env.observe(env.agent_selection)["seats"]
        assert seats[1].tolist() == [1, 0, 0]
        play_out(env, seed=env.table.seat, steps=1)
    points = env.position.points()
    assert env.observe("player_1")["seats"][3] == pytest.approx(np.roll(points, -1) / 54)


def test_toy_clones_and_pickles_go_on_alike_from_every_position() -> None:
    env = GameAEC(GAME, 3, reward="vp")
    env.reset(8)
    while not env.table.over:
        before = facts(env)
        for other in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            assert facts(other) == before
            play_out(other, steps=1)
            assert facts(other) != before
        assert facts(env) == before
        play_out(env, seed=len(env.position.legal()), steps=1)
    assert facts(pickle.loads(pickle.dumps(env))) == facts(env)


def test_toy_pickle_loads_in_a_process_that_never_heard_of_it() -> None:
    env = GameAEC(GAME, 3)
    env.reset(4)
    play_out(env, steps=3)
    code = (
        "import pickle, sys; env = pickle.loads(sys.stdin.buffer.read());"
        "print(env.game.name, env.position.to_bytes().hex(), env.position.legal())"
    )
    printed = fresh_process(code, pickle.dumps(env))
    assert printed.split(maxsplit=2) == ["orchard", env.position.to_bytes().hex(), f"{env.position.legal()}\n"]


def test_toy_errors_quote_action_legal_tokens_and_position() -> None:
    with pytest.raises(IllegalActionError) as caught:
        opening().play("pick:1")
    assert str(caught.value) == (
        "illegal action 'pick:1' for seat 0: legal are tree:1, tree:2, tree:3\n"
        " 1 | 1 2 3\n 2 | 4 5 6\n 3 | 7 8 9\nseat 0: 0, seat 1: 0, seat 2: 0\nto move: seat 0"
    )


def test_toy_plays_the_same_game_without_the_compiler() -> None:
    code = "from tests.test_toy import replayed; print(replayed())"  # hashes of bytes and observations along games
    assert fresh_process(code, NUMBA_DISABLE_JIT="1") == fresh_process(code, NUMBA_DISABLE_JIT="0")


def replayed() -> str:
    """Positions, observations and payoffs of some games, hashed."""
    import hashlib

    digest = hashlib.sha256()
    for seed in (0, 1, 2**63, 2**64 - 1):
        for players in GAME.players:
            for position in walk(GAME, players, seed):
                digest.update(position.to_bytes())
                for seat in range(players):
                    digest.update(position.observe(seat).tobytes())
                digest.update(position.returns().tobytes())
    return digest.hexdigest()
