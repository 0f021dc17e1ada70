"""The mask and the public step say the same, copies are independent, and everything leads back to itself as text."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terracotta_agents.random_bot import Random as RandomBot
from terracotta_env.army import GAME
from terracotta_env.errors import IllegalActionError
from terracotta_env.position import Position
from terracotta_env.record import play_record, verify
from tests.properties.lines import boards, dense_snapshots, examples, line, openings, players, seeds, starts


@examples(20)
@given(starts(), seeds, st.integers(0, 25))
def test_exactly_the_masked_actions_can_be_played(position: Position, seed: int, after: int) -> None:
    for _ in line(position, seed, after):
        pass
    mask, raw = position.mask(), position.to_bytes()
    assert [GAME.tokens[action] for action in range(GAME.actions) if mask[action]] == sorted(
        position.legal(), key=GAME.action_of
    )
    for action, token in enumerate(GAME.tokens):
        clone = position.clone()
        if mask[action]:
            assert clone.play(action).to_bytes() == position.clone().play(token).to_bytes()
            assert clone.to_bytes() != raw
        else:
            with pytest.raises(IllegalActionError):
                clone.play(action)
            assert clone.to_bytes() == raw
    assert position.to_bytes() == raw
    assert position.over or mask.sum() > 1  # a single option is not asked (R6)


@examples(50)
@given(starts(), seeds, seeds)
def test_clones_go_their_own_ways(position: Position, one: int, other: int) -> None:
    raw, clone = position.to_bytes(), position.clone()
    for _ in line(clone, one, 30):
        pass
    assert position.to_bytes() == raw
    again = position.clone()
    for _ in line(again, one, 30):
        pass
    assert again == clone
    assert hash(again) == hash(clone)
    for _ in line(position, other, 30):
        pass
    assert again == clone


@examples(50)
@given(starts(), seeds, st.integers(0, 40))
def test_snapshots_lead_back_to_the_same_position(position: Position, seed: int, after: int) -> None:
    for _ in line(position, seed, after):
        pass
    snapshot = position.snapshot()
    again = Position.from_snapshot(GAME, json.loads(json.dumps(snapshot)))
    assert again.snapshot() == snapshot
    assert again.key() == position.key()
    assert again.legal() == position.legal()
    ahead = list(line(position, seed, 30))
    assert list(line(again, seed, 30)) == ahead
    assert again.snapshot() == position.snapshot()
    assert pickle.loads(pickle.dumps(position)) == position
    assert Position.from_bytes(GAME, position.to_bytes()) == position


@examples(60)
@given(dense_snapshots())
def test_order_and_pending_of_dense_snapshots_do_not_matter_to_the_position(snapshot: dict[str, Any]) -> None:
    position = Position.from_snapshot(GAME, snapshot)
    turned = {**snapshot, "mausoleum": snapshot["mausoleum"][::-1]}
    assert Position.from_snapshot(GAME, turned) == position
    shown = position.snapshot()
    assert {**shown, "pending": None, "wheel": None} == {**snapshot, "pending": None, "wheel": None} or (
        shown["pending"]["decision"] != "rotate"  # forced decisions were made at once
    )


@examples(12)
@given(players, seeds, boards, st.booleans())
def test_records_lead_back_to_the_same_game(count: int, seed: int, board: str, snapshots: bool) -> None:
    position = Position.from_seed(GAME, count, seed, board)
    bots = [RandomBot() for _ in range(count)]
    for seat, bot in enumerate(bots):
        bot.begin(seed + seat)
    record = play_record(position, bots, trace=True, snapshots=snapshots and seed % 4 == 0)
    again = verify(GAME, json.loads(json.dumps(record)))
    assert again.key() == position.key()
    assert (again.points(), again.ranking()) == (record["vp"], record["ranking"])


@examples(20)
@given(openings())
def test_setups_lead_back_to_the_same_opening(position: Position) -> None:
    setup = GAME.notation.setup_of(position.states)
    board = GAME.notation.board_of(position.states)
    again = Position.from_setup(GAME, position.players, json.loads(json.dumps(setup)), board)
    assert again.key() == position.key()
