"""Matches of row policies: each setup from every seat, the same setups as one game after another."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_agents.rows import ROW_BOTS, RolloutRows, SingleRow
from terracotta_env.policy import stream
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM
from terracotta_training.evaluate import play_match
from terracotta_training.matches import play_rows, play_seats, rotated
from terracotta_training.rated import results_of
from tests.toy import GAME


class First:
    """Takes the first legal action: no random number decides."""

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        legal = [Position(GAME, states[row : row + 1].copy()).mask().argmax() for row in rows]
        return np.array(legal, np.int64)


@pytest.mark.parametrize("players", [2, 3])
def test_side_by_side_is_the_same_match_as_one_after_another(players: int) -> None:
    rows = play_rows(GAME, First(), First(), players, 12, 5, ("a", "b"))
    single = play_match(GAME, lambda: SingleRow(First(), "a"), lambda: SingleRow(First(), "b"), players, 12, 5)
    for name in ("won", "points", "others"):
        np.testing.assert_array_equal(getattr(rows, name), getattr(single, name))


def test_first_of_two_sits_in_each_seat_of_each_setup() -> None:
    assert rotated(2, 3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 2


def test_results_are_those_of_the_games_played_again() -> None:
    seating = rotated(4, 2)
    seeds = np.repeat(np.array([stream(1, setup) for setup in range(4)], np.uint64), 2)
    policies = (RolloutRows(GAME, UNIFORM), First())
    played = play_seats(GAME, policies, seating, seeds, np.random.default_rng(1))
    results = results_of(played, ("a", "b"), seating, np.repeat(np.arange(4), 2))
    assert [result["agents"] for result in results] == [["a", "b"], ["b", "a"]] * 4
    assert len({result["game"] for result in results}) == 8
    for row, result in enumerate(results):
        position = Position.from_seed(GAME, 2, int(seeds[row]))
        order = []
        for action in played.actions[played.actions[:, row] >= 0, row]:
            order.append(position.to_act)
            position.play(int(action))
        assert position.to_act is None
        assert result["order"] == list(dict.fromkeys(order))
        assert (result["vp"], result["ranking"]) == (position.points(), position.ranking())
        assert [sum(of) for of in result["sources"]] == result["vp"]
        assert sorted(result["ranks"]) == [1.0, 2.0]
        assert result["decisions"] == len(order)


def test_every_bot_that_plays_rows_is_known_to_the_registry() -> None:
    from terracotta_agents.registry import BOTS

    assert set(ROW_BOTS) <= set(BOTS)
