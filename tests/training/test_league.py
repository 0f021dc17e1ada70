"""Who sits opposite: drawn by how hard they are to beat, bounded, real copies, kept while a game holds them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from terracotta_training.league import HALF_LIFE, LEARNER, League, Member


class Nobody:
    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        raise NotImplementedError


def league(size: int = 3, power: float = 1.0, past: float = 1.0, **bots: float) -> League:
    return League({name: (Nobody(), weight) for name, weight in bots.items()}, past, size, power)


def test_chances_are_weight_times_how_often_the_learner_lost() -> None:
    made = league(a=1.0, b=2.0)
    [a, b] = made.members
    assert made.probabilities() == pytest.approx({a: 1 / 3, b: 2 / 3})  # unknown: one half each
    made.members[a].share, made.members[b].share = 0.2, 0.9
    assert made.probabilities() == pytest.approx({a: 0.8 / 1.0, b: 0.2 / 1.0})  # 1 x 0.8 against 2 x 0.1


def test_power_sharpens_or_evens_the_chances() -> None:
    for power, expected in ((0.0, 0.5), (2.0, 0.64 / 0.68)):
        made = league(power=power, a=1.0, b=1.0)
        [a, b] = made.members
        made.members[a].share, made.members[b].share = 0.2, 0.8
        assert made.probabilities()[a] == pytest.approx(expected)


def test_nobody_is_forgotten_however_easy() -> None:
    made = league(a=1.0, b=1.0)
    [a, b] = made.members
    made.members[a].share, made.members[b].share = 1.0, 0.0
    assert made.probabilities()[a] == pytest.approx(0.05 / 1.05)


def test_past_selves_share_their_weight() -> None:
    made = league(past=3.0, bot=1.0)
    for update in range(3):
        made.freeze(Nobody(), update)
    chances = made.probabilities()
    assert chances[1] == pytest.approx(0.25)
    assert [chances[number] for number in made.frozen()] == pytest.approx([0.25] * 3)


def test_bot_without_weight_never_enters_and_an_empty_league_is_the_learner() -> None:
    made = league(a=0.0)
    assert made.members == {}
    assert (made.draw((5, 4), np.random.default_rng(0)) == LEARNER).all()


def test_drawing_follows_the_chances() -> None:
    made = league(a=1.0, b=3.0)
    drawn = made.draw((10_000, 2), np.random.default_rng(0))
    assert drawn.dtype == np.int64
    assert (drawn == 2).mean() == pytest.approx(0.75, abs=4 * np.sqrt(0.75 * 0.25 / 20_000))
    assert set(np.unique(drawn)) == {1, 2}


def test_share_is_a_mean_at_first_and_forgets_in_the_long_run() -> None:
    member = Member("bot", Nobody(), 1.0)
    for score in (1.0, 1.0, 0.0):
        member.note(score)
    assert member.share == pytest.approx((0.5 + 1 + 1 + 0) / 4)  # the guess counts as one game
    for _ in range(5000):
        member.note(1.0)
    before = member.share
    for _ in range(HALF_LIFE):
        member.note(0.0)
    assert member.share == pytest.approx(before / 2, rel=0.01)
    assert member.games == 5003 + HALF_LIFE


def test_pool_is_bounded_and_the_easiest_of_the_old_ones_goes() -> None:
    made = league(size=3)
    numbers = [made.freeze(Nobody(), update) for update in range(3)]
    for number, share in zip(numbers, (0.3, 0.9, 0.6), strict=True):
        made.members[number].share = share
    newest = made.freeze(Nobody(), 3)
    assert made.frozen() == [numbers[0], numbers[2], newest]
    for update in range(4, 60):
        made.freeze(Nobody(), update)
        made.forget([])
        assert len(made.frozen()) <= 3
        assert not made.retired


def test_league_of_one_keeps_the_newest() -> None:
    made = league(size=1)
    numbers = [made.freeze(Nobody(), update) for update in range(4)]
    assert made.frozen() == numbers[-1:]


def test_numbers_are_never_used_twice() -> None:
    made = league(size=1, a=1.0)
    numbers = []
    for update in range(20):
        numbers.append(made.freeze(Nobody(), update))
        made.forget([])
    assert len(set(numbers)) == 20
    assert LEARNER not in numbers


def test_retired_member_is_kept_until_no_game_holds_it_and_then_freed() -> None:
    made = league(size=1)
    policy: Any = Nobody()
    gone = weakref.ref(policy)
    number = made.freeze(policy, 0)
    del policy
    made.freeze(Nobody(), 1)
    assert number not in made.members
    made.forget([0, number])
    assert made.of(number).name == "past:0"
    assert number not in made.probabilities()
    made.of(number).note(1.0)
    made.forget([0])
    gc.collect()
    assert gone() is None
    with pytest.raises(KeyError):
        made.of(number)
