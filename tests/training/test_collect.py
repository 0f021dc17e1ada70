"""A collection told again from the games themselves: what was decided, by whom, what it earned and what is expected.

Each test plays with a spy that keeps every position; values and targets are worked out again from whole games.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from terracotta_agents.neural.networks import MARGIN, RANK
from terracotta_env.army import GAME
from terracotta_env.game import Game, copy_states
from terracotta_env.position import Position
from terracotta_training.collect import Collector, Samples
from terracotta_training.league import LEARNER
from terracotta_training.losses import masked_log_probabilities
from tests.agents.nets import compact, small_network
from tests.toy import GAME as TOY
from tests.training.ppo_games import small_collector


@dataclass
class Moment:
    """One step: before it, what was chosen, and the games that it ended with their last records."""

    positions: list[Position]
    seating: np.ndarray
    chosen: np.ndarray
    over: dict[int, Position]


def watched(collector: Collector) -> tuple[Samples, list[Moment]]:
    """Collect once and keep everything."""
    moments: list[Moment] = []
    batch, step = collector.batch, collector.batch.step

    def spied(actions: Any) -> np.ndarray:
        before = positions_of(collector.game, batch.states)
        seating = collector.seating.copy()
        over = step(actions)
        last = positions_of(collector.game, batch.last)
        moments.append(Moment(before, seating, np.array(actions), {int(row): last[row] for row in over}))
        return over

    batch.step = spied  # type: ignore[method-assign]
    try:
        return collector.collect(), moments
    finally:
        batch.step = step  # type: ignore[method-assign]


def positions_of(game: Game, states: np.ndarray) -> list[Position]:
    copied = copy_states(states)
    return [Position(game, copied[row : row + 1]) for row in range(len(states))]


def decisions_of(moments: list[Moment]) -> list[tuple[int, int]]:
    """Step and row of the learner's decisions, in the order of the samples."""
    return [
        (t, row)
        for t, moment in enumerate(moments)
        for row, position in enumerate(moment.positions)
        if moment.seating[row, position.to_act] == LEARNER
    ]


def margins(position: Position) -> np.ndarray:
    """Points over the mean of the others, by seat of the table."""
    points = np.array(position.points(), float)
    return points - (points.sum() - points) / (len(points) - 1)


def told_again(collector: Collector, samples: Samples, moments: list[Moment]) -> int:
    """Check targets at gamma = lambda = 1 against the games; returns how many decisions were of finished games."""
    game, network = collector.game, collector.network
    where = decisions_of(moments)
    finals = positions_of(game, collector.batch.states)
    assert len(where) == len(samples) > 0
    finished = 0
    for k, (t, row) in enumerate(where):
        position = moments[t].positions[row]
        seat, players = position.to_act, position.players
        assert seat is not None
        ended = next((moment.over[row] for moment in moments[t:] if row in moment.over), None)
        if ended is not None:
            finished += 1
            ranks = ended.returns()
            to_come = (margins(ended) - margins(position)) * game.points_scale
        else:
            final = finals[row]
            looking = final.to_act
            assert looking is not None
            with torch.no_grad():
                values = network(torch.from_numpy(compact(final))[None])[1][0].numpy()
            ahead = values[(np.arange(players) - looking) % players]
            ranks = ahead[:, RANK]
            to_come = (margins(final) - margins(position)) * game.points_scale + ahead[:, MARGIN]
        relative = (seat + np.arange(players)) % players
        np.testing.assert_allclose(samples.returns[k, :players, RANK], ranks[relative], atol=2e-4)
        np.testing.assert_allclose(samples.returns[k, :players, MARGIN], to_come[relative], atol=2e-3)
        own = samples.returns[k, 0] - samples.values[k, 0]
        np.testing.assert_allclose(samples.advantages[k], own, atol=2e-3)
        assert samples.present[k].tolist() == [place < players for place in range(game.seats)]
    return finished


@pytest.mark.parametrize("self_share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("by_turn", [False, True])
def test_targets_are_what_the_games_brought_to_every_seat(self_share: float, by_turn: bool) -> None:
    collector = small_collector(TOY, self_share=self_share, by_turn=by_turn)
    finished = sum(told_again(collector, *watched(collector)) for _ in range(3))
    assert finished > 100


def test_targets_in_the_army_game_at_all_player_counts() -> None:
    collector = small_collector(GAME, games=6, steps=300, self_share=0.6)
    finished = told_again(collector, *watched(collector))
    assert finished > 100
    assert set(collector.batch.players) == {2, 3, 4}


@pytest.mark.parametrize("game", [GAME, TOY], ids=lambda game: game.name)
def test_samples_are_the_learners_decisions_with_their_masks_and_probabilities(game: Game) -> None:
    collector = small_collector(game, steps=20)
    samples, moments = watched(collector)
    for k, (t, row) in enumerate(decisions_of(moments)):
        position = moments[t].positions[row]
        assert np.array_equal(samples.observations[k], compact(position))
        assert np.array_equal(samples.masks[k], position.mask().astype(bool))
        assert samples.actions[k] == moments[t].chosen[row]
    assert samples.masks[np.arange(len(samples)), samples.actions].all()
    with torch.no_grad():
        logits, values = collector.network(torch.from_numpy(samples.observations))
        logs = masked_log_probabilities(logits, torch.from_numpy(samples.masks))
    picked = logs.gather(1, torch.from_numpy(samples.actions)[:, None])[:, 0]
    assert torch.allclose((picked - torch.from_numpy(samples.log_probabilities)).exp(), torch.ones(()), atol=1e-4)
    np.testing.assert_allclose(values, samples.values, atol=1e-4)


def test_everybody_chooses_legally_also_opponents() -> None:
    _, moments = watched(small_collector(GAME, steps=30, self_share=0.2))
    for moment in moments:
        for row, position in enumerate(moment.positions):
            assert position.mask()[moment.chosen[row]]


def test_opponents_are_fixed_for_a_whole_game_while_the_league_changes() -> None:
    collector = small_collector(TOY, self_share=0.0, steps=5)
    moments: list[Moment] = []
    held: set[int] = set()
    for update in range(30):
        moments += watched(collector)[1]
        collector.league.freeze(_Copy(collector), update)
        held |= set(collector.seating.ravel().tolist())
        assert len(collector.league.frozen()) <= 2
        alive = set(collector.league.members) | set(collector.league.retired) | {LEARNER}
        assert set(collector.seating.ravel().tolist()) <= alive
    for moment, following in itertools.pairwise(moments):
        for row in range(len(moment.positions)):
            if row not in moment.over:
                assert (moment.seating[row] == following.seating[row]).all()
    assert len(held) > 5
    assert len(collector.league.retired) <= collector.batch.n * TOY.seats


class _Copy:
    """A frozen self."""

    def __init__(self, collector: Collector) -> None:
        from terracotta_agents.neural.rows import NetworkRows

        self.rows = NetworkRows(collector.game, small_network(collector.game, seed=collector.games))

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return self.rows.act(states, rows, rng)


def test_learner_sits_in_all_seats_or_in_one_drawn_seat() -> None:
    collector = small_collector(TOY, games=600, steps=1, self_share=0.25)
    players = collector.batch.players
    own = collector.seating == LEARNER
    inside = np.arange(TOY.seats) < players[:, None]
    count = (own & inside).sum(1)
    assert set(np.unique(count)) <= {1, 2, 3}
    everywhere = count == players
    assert everywhere.mean() == pytest.approx(0.25, abs=0.08)
    alone = own[~everywhere & (players == 3)]
    assert (alone.sum(0) / len(alone)).tolist() == pytest.approx([1 / 3] * 3, abs=0.12)


class First:
    """Always takes the first legal action."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.array([Position(self.game, states[row : row + 1]).mask().argmax() for row in rows], np.int64)


@pytest.mark.parametrize("astray", [0.0, 0.5, 1.0])
def test_teacher_shows_and_the_learner_plays_in_the_share_of_games_that_goes_astray(astray: float) -> None:
    collector = small_collector(TOY, self_share=1.0, steps=12)
    collector.teacher, collector.astray = First(TOY), astray
    samples, moments = watched(collector)
    differs = np.zeros(collector.batch.n, int)
    for k, (t, row) in enumerate(decisions_of(moments)):
        shown = moments[t].positions[row].mask().argmax()
        assert samples.actions[k] == shown
        differs[row] += moments[t].chosen[row] != shown
    led = int(astray * collector.batch.n)
    assert (differs[led:] == 0).all()
    assert (differs[:led] > 0).mean() > 0.5 if led else True
    if astray < 1:
        finished = told_again(collector, samples, moments)
        assert finished > 20


def test_returns_of_ranks_sum_to_zero_and_absent_seats_get_nothing() -> None:
    samples, _ = watched(small_collector(TOY, games=30, steps=40, self_share=1.0))
    absent = ~samples.present
    assert absent.any()
    ended = np.abs(np.abs(samples.returns[:, 0, RANK]) - 1) < 1e-5
    sums = (samples.returns * samples.present[..., None]).sum(1)
    assert np.abs(sums[ended][:, RANK]).max() < 1e-4


def test_results_are_scores_by_opponent_since_the_last_call() -> None:
    collector = small_collector(TOY, self_share=0.0, steps=40)
    collector.collect()
    told = collector.results()
    assert told["games"] == collector.games > 10
    assert 0 <= told["score_random"] <= 1
    member = collector.league.members[1]
    assert member.games > 10
    assert collector.results() == {"games": float(collector.games)}


def test_same_generators_collect_the_same_and_a_copy_goes_on_alike() -> None:
    one, other = small_collector(TOY), small_collector(TOY)
    for _ in range(2):
        first, second = one.collect(), other.collect()
        for name in ("observations", "actions", "returns", "advantages"):
            assert np.array_equal(getattr(first, name), getattr(second, name))
    assert not np.array_equal(small_collector(TOY, seed=2).collect().actions, small_collector(TOY).collect().actions)


def test_memory_is_a_copy() -> None:
    collector = small_collector(TOY)
    memory = collector.memory()
    kept = {name: value.copy() for name, value in memory.items()}
    collector.collect()
    assert all(np.array_equal(memory[name], kept[name]) for name in kept)
    collector.put_back(memory)
    assert all(np.array_equal(collector.memory()[name], kept[name]) for name in kept)
