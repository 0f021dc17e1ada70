"""The schedule: every agent in every seat of every setup, nothing twice, and names that stay."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terracotta_agents.arena import setups as setups_module
from terracotta_agents.arena.schedule import ArenaError, labels, line_ups, rotations, schedule, setups_for
from terracotta_agents.arena.setups import Setups
from tests.toy import GAME

AGENTS = st.integers(2, 6)
SETUPS = st.dictionaries(st.sampled_from([2, 3, 4]), st.integers(1, 7), min_size=1)


def names(k: int) -> list[str]:
    return [f"agent{number}" for number in range(k)]


@given(k=AGENTS, setups=SETUPS)
def test_every_agent_sits_in_every_seat_of_a_setup_equally_often(k: int, setups: dict[int, int]) -> None:
    seen = Counter(
        (game.players, game.setup, agent, seat)
        for game in schedule(names(k), setups)
        for seat, agent in enumerate(game.seats)
    )
    for players, count in setups.items():
        counts = {seen[players, s, a, seat] for s in range(count) for a in range(k) for seat in range(players)}
        assert len(counts) == 1
        assert counts.pop() > 0


@given(k=AGENTS, setups=SETUPS)
def test_no_game_is_there_twice(k: int, setups: dict[int, int]) -> None:
    games = list(schedule(names(k), setups))
    assert len({game.name for game in games}) == len(games)
    assert len({(game.players, game.setup, game.seats) for game in games}) == len(games)
    assert len(games) == sum(len(line_ups(k, n)) * n * count for n, count in setups.items())


@given(k=AGENTS, more=st.integers(0, 3), setups=SETUPS)
def test_games_keep_their_names_when_agents_and_setups_are_added(k: int, more: int, setups: dict[int, int]) -> None:
    small = {game.name for game in schedule(names(k), setups)}
    large = {game.name for game in schedule(names(k + more), {n: setups.get(n, 0) + 1 for n in (2, 3, 4)})}
    if all(k >= n for n in setups) or more == 0:  # else line-ups of repeated agents are no longer needed
        assert small <= large


@given(k=AGENTS, setups=SETUPS, part=st.integers(0, 200))
def test_any_beginning_is_balanced_up_to_one_setup(k: int, setups: dict[int, int], part: int) -> None:
    games = list(schedule(names(k), setups))[:part]
    played = Counter((game.players, game.setup) for game in games)
    last = max((setup for _, setup in played), default=0)
    for players, count in setups.items():
        for setup in range(min(last, count)):
            assert played[players, setup] == len(line_ups(k, players)) * players


def test_line_ups_of_many_and_of_few() -> None:
    assert line_ups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert line_ups(3, 3) == [(0, 1, 2)]
    assert line_ups(2, 4) == [(0, 1, 1, 1), (1, 0, 0, 0)]
    with pytest.raises(ArenaError, match="at least two"):
        line_ups(1, 2)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_over_all_setups_everybody_follows_everybody_equally_often(n: int) -> None:
    cycle = list(itertools.permutations(range(n - 1)))
    before = Counter(
        (seats[seat - 1], seats[seat])
        for setup in range(len(cycle))
        for seats in rotations(range(n), setup)
        for seat in range(n)
    )
    assert len(before) == n * (n - 1)
    assert len(set(before.values())) == 1


def test_identical_agents_are_told_apart() -> None:
    assert labels(["busy", "random", "busy"]) == ["busy#1", "random", "busy#2"]
    with pytest.raises(ArenaError, match="same name"):
        labels(["a", "a", "a#1"])


def test_games_are_rounded_up_to_whole_setups() -> None:
    assert [setups_for(100, n) for n in (2, 3, 4)] == [50, 34, 25]


# setups ---------------------------------------------------------------------------------------------------------------


def test_setups_are_different_and_depend_on_seed_and_number_alone() -> None:
    drawn = Setups(GAME, "plain", 3)
    digests = [drawn.digest(2, setup) for setup in range(60)]
    assert len(set(digests)) == 60
    again = Setups(GAME, "plain", 3)
    again.start(3, 10)
    assert again.digest(2, 7) == digests[7]
    assert Setups(GAME, "plain", 4).digest(2, 7) != digests[7]


def test_a_setup_that_comes_up_again_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setups_module, "stream", lambda seed, players, candidate: candidate // 3)
    drawn = Setups(GAME, "plain", 0)
    assert len({drawn.digest(2, setup) for setup in range(20)}) == 20


def test_a_game_without_so_many_setups_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setups_module, "stream", lambda seed, players, candidate: candidate % 4)
    with pytest.raises(ArenaError, match="no more than 4 different setups for 2 players"):
        Setups(GAME, "plain", 0).start(2, 4)


def test_positions_are_fresh_each_time() -> None:
    drawn = Setups(GAME, "plain", 0)
    start = drawn.start(2, 0)
    start.play(start.legal()[0])
    assert drawn.start(2, 0) != start
