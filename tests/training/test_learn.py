"""One update teaches what it should: the better action, the teacher's action, the value of every seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from terracotta_agents.neural.networks import VALUES
from terracotta_training.collect import Samples
from terracotta_training.learn import Learner, Rates
from terracotta_training.losses import masked_log_probabilities
from terracotta_training.ppo_config import LearningSettings
from tests.agents.nets import compact, small_network, some_positions
from tests.toy import GAME

RATES = Rates(0.01, 0.0)


def learner(kind: str = "perceptron", seed: int = 0, **settings: Any) -> Learner:
    network = small_network(GAME, kind)
    chosen = LearningSettings.model_validate({"minibatch": 64, "epochs": 2, "max_grad_norm": 10.0, **settings})
    return Learner(network, chosen, np.random.default_rng(seed), torch.device("cpu"), half=False)


def chances(network: torch.nn.Module, samples: Samples) -> np.ndarray:
    with torch.no_grad():
        logits = network(torch.from_numpy(samples.observations))[0]
    return masked_log_probabilities(logits, torch.from_numpy(samples.masks)).exp().numpy()


def bandit(network: torch.nn.Module, count: int = 128, seed: int = 0) -> tuple[Samples, int, int]:
    """One position again and again, actions as the network draws them; the first legal one is good, the rest is bad."""
    position = some_positions(GAME, 1)[0]
    mask = position.mask().astype(bool)
    legal = np.flatnonzero(mask)
    assert len(legal) >= 2
    look = np.tile(compact(position), (count, 1))
    masks = np.tile(mask, (count, 1))
    with torch.no_grad():
        logits, values = network(torch.from_numpy(look))
        logs = masked_log_probabilities(logits, torch.from_numpy(masks)).numpy()
    actions = np.random.default_rng(seed).choice(legal, count)
    good = actions == legal[0]
    advantages = np.zeros((count, VALUES), np.float32)
    advantages[:, 0] = np.where(good, 1.0, -1.0)
    returns = np.zeros((count, GAME.seats, VALUES), np.float32)
    returns[:, 0, 0], returns[:, 1, 0], returns[:, 1, 1] = 0.5, -0.5, 0.25
    present = np.arange(GAME.seats) < np.full((count, 1), 2)
    samples = Samples(
        look, masks, actions, logs[np.arange(count), actions], values.numpy(), advantages, returns, present
    )
    return samples, int(legal[0]), int(legal[1])


@pytest.mark.parametrize("kind", ["perceptron", "structured"])
def test_better_action_becomes_likely(kind: str) -> None:
    made = learner(kind)
    for update in range(12):
        samples, good, bad = bandit(made.network, seed=update)
        before = chances(made.network, samples)[0]
        made.update(samples, RATES)
        after = chances(made.network, samples)[0]
        if update == 0:
            assert after[good] > before[good]
            assert after[bad] < before[bad]
    assert after[good] > 0.9
    assert after[~samples.masks[0]].max() == 0


def test_values_of_all_seats_come_nearer_and_absent_seats_are_left_alone() -> None:
    made = learner(value_weight=1.0)
    samples, _, _ = bandit(made.network)
    samples.returns[:, 2] = 1000.0  # seat 2 is not in the game
    for _ in range(150):
        watched = made.update(samples, RATES)
    with torch.no_grad():
        values = made.network(torch.from_numpy(samples.observations[:1]))[1][0]
    assert torch.allclose(values[:2], torch.from_numpy(samples.returns[0, :2]), atol=0.05)
    assert values[2].abs().max() < 5
    assert watched["loss_rank"] < 1e-2


def test_clipping_bounds_one_update() -> None:
    ends = []
    for clip_range in (0.1, 1000.0):
        made = learner(epochs=50, clip_range=clip_range)
        samples, good, _ = bandit(made.network)
        before = chances(made.network, samples)[0, good]
        watched = made.update(samples, Rates(0.001, 0.0))
        ends.append(chances(made.network, samples)[0, good] / before)
        assert (watched["clipped"] > 0.2) == (clip_range < 1)
    assert 1 < ends[0] < 1.5 < ends[1]


def test_entropy_bonus_keeps_the_choice_open() -> None:
    ends = []
    for bonus in (0.0, 5.0):
        made = learner()
        for update in range(8):
            samples, good, _ = bandit(made.network, seed=update)
            made.update(samples, Rates(0.01, bonus))
        ends.append(chances(made.network, samples)[0, good])
    assert ends[1] < 0.7 < ends[0]


@pytest.mark.parametrize("kind", ["perceptron", "structured"])
def test_imitation_makes_the_teachers_action_likely_whatever_it_brought(kind: str) -> None:
    made = learner(kind)
    samples, _, bad = bandit(made.network)
    samples.actions[:] = bad
    samples.advantages[:] = -1
    before = chances(made.network, samples)[0]
    for _ in range(10):
        watched = made.update(samples, RATES, imitate=True)
    after = chances(made.network, samples)[0]
    assert after[bad] > 0.9 > before[bad]
    assert watched["agreement"] == 1


def test_weights_of_rank_and_margin_decide_what_counts() -> None:
    for rank, margin, rises in ((1.0, 0.0, True), (0.0, 1.0, False), (1.0, 3.0, False)):
        made = learner(rank_weight=rank, margin_weight=margin)
        samples, good, _ = bandit(made.network)
        samples.advantages[:, 1] = -samples.advantages[:, 0]
        before = chances(made.network, samples)[0, good]
        made.update(samples, RATES)
        assert (chances(made.network, samples)[0, good] > before) == rises


@pytest.mark.parametrize("count", [1, 2, 63, 65, 200])
def test_any_number_of_samples_is_learned_from_and_finite(count: int) -> None:
    made = learner()
    samples, _, _ = bandit(made.network, count)
    watched = made.update(samples, RATES)
    assert all(np.isfinite(value) for value in watched.values())
    assert all(torch.isfinite(parameter).all() for parameter in made.network.parameters())


def test_update_follows_from_samples_and_generator() -> None:
    ends = []
    for seed in (1, 1, 2):
        made = learner(seed=seed)
        made.update(bandit(made.network, 200)[0], RATES)
        ends.append(torch.cat([parameter.detach().flatten() for parameter in made.network.parameters()]))
    assert torch.equal(ends[0], ends[1])
    assert not torch.equal(ends[0], ends[2])


def test_first_pass_sees_the_policy_that_collected() -> None:
    made = learner(epochs=1, minibatch=10_000)
    watched = made.update(bandit(made.network)[0], RATES)
    assert watched["clipped"] == 0
    assert abs(watched["kl"]) < 1e-6
