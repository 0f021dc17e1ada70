"""What is in sight: by the second implementation of the rules, and what single actions do to it."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import numpy as np
import pytest

from terracotta_agents.neural.inputs import input_size, write_inputs
from terracotta_env.army import GAME
from terracotta_env.army.outlook import SCORED
from terracotta_env.entry import apply_at, observe_at
from terracotta_env.game import Game
from terracotta_env.outlook import LEGAL, outlook_rows
from terracotta_env.position import Position
from tests.fuzz.compare import Pair
from tests.reference.final import score_game_end
from tests.reference.rounds import score_round
from tests.reference.state import State
from tests.toy import GAME as TOY

NAMES = [channel.name for channel in GAME.outlook]
ROW = np.zeros(1, np.int64)


def looked(game: Game, position: Position, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """What a seat has in sight, shape ``(O,)``, and the changes by action, shape ``(A, 1 + O)``."""
    outlooks = np.full((1, len(game.outlook)), 99, np.int8)
    changes = np.full((1, game.actions, 1 + len(game.outlook)), 99, np.int8)
    outlook_rows(position.states, ROW, np.array([seat]), position.mask()[None], outlooks, changes)
    return outlooks[0], changes[0]


def by_source(state: State, seat: int) -> dict[str, int]:
    return dict(state.players[seat].ledger)


def expected(state: State, seat: int) -> list[int]:
    """The numbers in sight for a seat in points, by scoring everything with the second implementation."""
    before = by_source(state, seat)
    steps = []
    rounds = 6 - state.round
    for _ in range(rounds):
        score_round(state)
        state.round += 1
        steps.append(by_source(state, seat))
    gained = [
        {source: after[source] - earlier[source] for source in after}
        for earlier, after in zip([before, *steps], steps, strict=False)
    ]
    lines = [one["row_inspector"] + one["column_inspector"] for one in gained]
    tiles = [one["tile"] for one in gained]
    score_game_end(state)
    end = by_source(state, seat)
    last = {source: end[source] - steps[-1][source] for source in end}
    return [
        sum(before.values()),
        gained[0]["row_inspector"],
        gained[0]["column_inspector"],
        tiles[0],
        sum(lines[1:2]),
        sum(tiles[1:2]),
        sum(lines[2:]),
        sum(tiles[2:]),
        sum(one["musician"] for one in gained),
        last["footman"],
        last["group_members"],
        last["group_contest"],
        last["archer"],
    ]


@pytest.mark.parametrize("players", GAME.players)
def test_points_in_sight_are_those_that_the_second_implementation_would_give(players: int) -> None:
    rng = Random(players)
    start = Position.from_seed(GAME, players, players)
    pair = Pair({"board": "reconstructed", "players": players, "setup": GAME.notation.setup_of(start.states)})
    seen = 0
    while not pair.over:
        if rng.random() < 0.2:
            seat = pair.position.to_act
            assert seat is not None
            own, *rivals = (expected(deepcopy(pair.game.state), (seat + k) % players) for k in range(players))
            outlook, _ = looked(GAME, pair.position, seat)
            assert outlook[:SCORED].tolist() == [min(number, 127) for number in own], seen
            assert outlook[SCORED : 2 * SCORED].tolist() == [min(sum(column), 127) for column in zip(*rivals)]
            seen += 1
        pair.play(rng.choice(pair.legal))
    assert seen > 10


@pytest.mark.parametrize("game", [GAME, TOY], ids=lambda game: game.name)
def test_changes_are_the_differences_that_playing_the_action_makes(game: Game) -> None:
    rng = np.random.default_rng(3)
    position = Position.from_seed(game, 2, 5)
    while (seat := position.to_act) is not None:
        outlook, changes = looked(game, position, seat)
        mask = position.mask()
        assert (changes[:, LEGAL] == mask).all()
        assert not changes[mask == 0].any()
        legal = np.flatnonzero(mask)
        action = int(rng.choice(legal))
        after = position.states.copy()
        apply_at(after, 0, action)
        following = Position(game, after)
        if len(legal) > 1 and (np.abs(outlook) < 127).all():
            then, _ = looked(game, following, seat)
            assert (changes[action, 1:] == np.clip(then.astype(int) - outlook, -127, 127)).all() or (then == 127).any()
        elif len(legal) == 1:
            assert not changes[action, 1:].any()
        position = following


def test_the_position_is_not_touched_and_leads_count_warriors() -> None:
    position = Position.from_seed(GAME, 3, 2)
    before = position.states.tobytes()
    outlook, _ = looked(GAME, position, 1)
    assert position.states.tobytes() == before
    assert not outlook[[NAMES.index(name) for name in NAMES if name.startswith("lead_")]].any()


@pytest.mark.parametrize("previews", [False, True])
def test_inputs_begin_with_the_observation(previews: bool) -> None:
    position = Position.from_seed(GAME, 2, 1)
    seat = position.to_act
    assert seat is not None
    inputs = np.full((1, input_size(GAME, previews)), 99, np.int8)
    write_inputs(GAME, position.states, ROW, np.array([seat]), position.mask()[None], inputs)
    observation = np.zeros(GAME.observation_size, np.int8)
    observe_at(position.states, 0, seat, observation)
    assert (inputs[0, : GAME.observation_size] == observation).all()
    if previews:
        outlook, changes = looked(GAME, position, seat)
        assert (inputs[0, GAME.observation_size :] == np.concatenate([outlook, changes.ravel()])).all()
    assert np.abs(inputs).max() < 99 or previews
