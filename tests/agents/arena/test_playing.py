"""One game: its result, and what happens when an agent fails in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terracotta_agents.arena.outcome import ranks, win_credit
from terracotta_agents.arena.playing import Unmade, play
from terracotta_agents.arena.setups import Setups
from terracotta_env.policy import Policy
from terracotta_env.record import verify
from tests.toy import GAME

from .toys import BOTS, First, Plain

PAYOFFS = st.lists(st.integers(0, 4), min_size=2, max_size=4)


def game_of(*policies: Policy) -> tuple[dict, dict]:
    start = Setups(GAME, "plain", 1).start(len(policies), 0)
    names = [f"{policy.name}{seat}" for seat, policy in enumerate(policies)]
    return play(start, policies, names, list(range(len(policies))), {"game": "g"})


def test_a_result_says_what_its_record_says() -> None:
    result, record = game_of(Plain(), First(), Plain())
    end = verify(GAME, record)
    assert (result["vp"], result["ranking"]) == (record["vp"], record["ranking"])
    assert result["forfeit"] is None
    assert [sum(row) for row in result["sources"]] == end.points()
    assert result["decisions"] == len(record["decisions"]) == sum(result["asked"])
    assert sorted(result["order"]) == [0, 1, 2]
    assert record["agents"] == result["agents"] == ["plain0", "first1", "plain2"]
    assert all(0 < slowest <= seconds for slowest, seconds in zip(result["slowest"], result["seconds"]))


def test_the_first_decision_in_a_process_is_not_timed() -> None:
    start = Setups(GAME, "plain", 1).start(2, 0)
    result, _ = play(start, [Plain(), Plain()], ["a", "b"], [1, 2], {}, warm=[False, True])
    assert sum(result["asked"]) == result["decisions"] - 1


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("failing", "failed: ValueError('lost\\nthe thread')"),
        ("illegal", "agent illegal in seat 1: illegal action "),
        ("leaving", "SystemExit('enough')"),
        ("unready", "failed to begin: RuntimeError('no clock')"),
    ],
)
@pytest.mark.parametrize("players", [2, 3])
def test_who_fails_comes_last_and_the_others_keep_their_order(code: str, reason: str, players: int) -> None:
    bad = BOTS[code]()
    bad.name = code
    result, record = game_of(Plain(), bad, *[Plain() for _ in range(players - 2)])
    assert result["forfeit"]["seat"] == 1
    assert reason in result["forfeit"]["reason"]
    assert "\n" not in result["forfeit"]["reason"]
    assert result["forfeit"]["decision"] == result["decisions"] == len(record["decisions"])
    assert result["ranking"][-1] == 1
    assert result["ranks"][1] == players
    others = [seat for seat in result["ranking"] if seat != 1]
    assert [result["vp"][seat] for seat in others] == sorted((result["vp"][seat] for seat in others), reverse=True)
    assert [result["ranks"][seat] for seat in result["ranking"]] == list(range(1, players + 1))
    assert record["forfeit"] == result["forfeit"]


def test_an_agent_that_cannot_be_made_fails_when_the_game_begins() -> None:
    result, _ = game_of(Plain(), Unmade("gone", OSError("no such program")))
    assert result["forfeit"]["reason"] == "failed to begin: OSError('no such program')"
    assert result["ranks"] == [1, 2]


@given(payoffs=PAYOFFS)
def test_ranks_share_ties_and_follow_the_payoffs(payoffs: list[int]) -> None:
    by_seat = ranks(payoffs)
    n = len(payoffs)
    assert sum(by_seat) == n * (n + 1) / 2
    assert sum(win_credit(by_seat)) == pytest.approx(1)
    for a in range(n):
        for b in range(n):
            assert (by_seat[a] < by_seat[b]) == (payoffs[a] > payoffs[b])


def test_ranks_of_four() -> None:
    assert ranks([5, 9, 5, 1]) == [2.5, 1, 2.5, 4]
    assert win_credit([1.5, 1.5, 3, 4]) == [0.5, 0.5, 0, 0]
