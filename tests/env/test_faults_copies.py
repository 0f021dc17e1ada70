"""Faults of copying, pickling and seeding that users met in other environments; each test names the thread."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from terracotta_env import terracotta_v0
from terracotta_env.aec import GameAEC
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.gym import GameGym
from terracotta_env.position import Position
from tests.env.playing import content, facts, fresh_process, play_out, walk
from tests.toy import GAME as TOY

GAMES = pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])


def positions(game: Game, number: int) -> list[Position]:
    """That many positions of random games, in the middle of turns too."""
    found: list[Position] = []
    seed = 0
    while len(found) < number:
        found += [position.clone() for position in walk(game, game.players[seed % len(game.players)], seed, end=False)]
        seed += 1
    return [found[i] for i in np.random.default_rng(0).choice(len(found), number, replace=False)]


# PettingZoo#1307, #1186, #1271, #345: a copy that was built anew from constructor arguments
@GAMES
def test_five_hundred_clones_diverge_and_leave_the_parent(game: Game) -> None:
    for position in positions(game, 500):
        before = hash(position)
        replies = [position.clone().play(token) for token in position.legal()]
        assert len({hash(reply) for reply in replies}) == len(replies)
        assert hash(position) == before
        assert pickle.loads(pickle.dumps(position)) == position


# PettingZoo#1307 again: an environment that was not made by its constructor's defaults
@GAMES
def test_copies_keep_every_setting_and_the_live_game(game: Game) -> None:
    env = GameAEC(game, 3, reward="vp", observation="flat", illegal="penalise", render_mode="ansi")
    env.reset(seed=6)
    play_out(env, steps=5)
    env.step(int(np.flatnonzero(env.position.mask() == 0)[0]))
    for other in (copy.copy(env.clone()), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert facts(other) == facts(env)
        assert other.render() == env.render()
        assert (other.table.meter.reward, other.table.illegal, other.form) == ("vp", "penalise", "flat")
        one, two = env.clone(), other
        play_out(one, seed=1)
        play_out(two, seed=1)
        assert facts(one) == facts(two)


# PettingZoo#1307 for the other view: what a learner in a vector of environments holds
@GAMES
def test_copies_of_the_gymnasium_view_go_on_alike(game: Game) -> None:
    env = GameGym(game, 3, reward="vp", observation="vector")
    env.reset(seed=6)
    for duplicate in (copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        games = []
        for each in (duplicate(env), duplicate(env)):
            log, over = [each.seat], False
            while not over:
                observation, reward, over, _, info = each.step(int(np.flatnonzero(each.action_masks())[-1]))
                log.append(content([observation.tobytes(), reward, info["seat"]]))
            log.append(content(each.reset()[0]))
            games.append(log)
        assert games[0] == games[1]


# TAG PR#245: a copied state had a different hash
@GAMES
def test_hash_is_of_the_value_however_it_came_about(game: Game) -> None:
    sample = positions(game, 50)
    printed = fresh_process(
        "import pickle, sys; print(*(hash(p) for p in pickle.loads(sys.stdin.buffer.read())))",
        pickle.dumps(sample),
        PYTHONHASHSEED="99",
    )
    for position, elsewhere in zip(sample, printed.split(), strict=True):
        values = {hash(position), hash(position.clone()), hash(pickle.loads(pickle.dumps(position))), int(elsewhere)}
        assert len(values) == 1
        again = Position.from_snapshot(game, json.loads(json.dumps(position.snapshot())))
        again.states["generator"] = position.states["generator"]  # no part of a snapshot, drawn from at setup only
        assert hash(again) == hash(position)


# PettingZoo#1223, #558, #156: spaces were seeded apart from the environment
def test_spaces_sample_the_same_after_the_same_reset() -> None:
    drawn = []
    for _ in range(2):
        env = terracotta_v0.env(players=3)
        env.reset(seed=8)
        drawn.append([[int(env.action_space(agent).sample()) for _ in range(20)] for agent in env.agents])
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[0][1] != drawn[0][2]


# catanatron#324: a generator that was global; two environments must not share one either
def test_environments_do_not_share_a_generator() -> None:
    alone, beside, other = (terracotta_v0.env() for _ in range(3))
    setups: list[list[bytes]] = [[], []]
    for env, found in ((alone, setups[0]), (beside, setups[1])):
        env.reset(seed=1)
        for _ in range(5):
            if env is beside:
                other.reset()
                other.action_space("player_0").sample()
            env.reset()
            found.append(env.position.to_bytes())
    assert setups[0] == setups[1]


# TAG PR#275, TAG#263: bots shared the game's generator; here the rules draw nothing after the setup
@GAMES
def test_no_action_draws_from_the_games_generator(game: Game) -> None:
    for position in walk(game, 3, 3, eager=True):
        assert position.states["generator"][0] == Position.from_seed(game, 3, 3).states["generator"][0]
