"""The losses of masked PPO: exact at extreme logits, worked out by hand, gradients only where they belong."""

from __future__ import annotations

import math

import pytest
import torch

from terracotta_training.losses import (
    entropy,
    explained_variance,
    masked_log_probabilities,
    normalised,
    policy_loss,
    sample,
    value_loss,
)

HUGE = 1e30


def legal(*marks: int) -> torch.Tensor:
    return torch.tensor([marks], dtype=torch.bool)


# masked log-probabilities ---------------------------------------------------------------------------------------------


def test_log_probabilities_are_those_of_the_softmax_over_legal_actions() -> None:
    logits = torch.tensor([[math.log(1.0), math.log(2.0), math.log(5.0), math.log(100.0)]])
    logs = masked_log_probabilities(logits, legal(1, 1, 1, 0))
    assert torch.allclose(logs.exp(), torch.tensor([[1 / 8, 2 / 8, 5 / 8, 0]]))
    assert logs[0, 3] == -math.inf


@pytest.mark.parametrize("illegal", [0.0, HUGE, -HUGE, math.inf, -math.inf, math.nan])
def test_logits_of_illegal_actions_mean_nothing(illegal: float) -> None:
    logits = torch.tensor([[0.0, illegal, 0.0, illegal]], requires_grad=True)
    logs = masked_log_probabilities(logits, legal(1, 0, 1, 0))
    assert logs[0, [0, 2]].tolist() == pytest.approx([math.log(0.5)] * 2)
    assert logs.exp()[0, [1, 3]].tolist() == [0, 0]
    (logs[0, 0] + entropy(logs).sum()).backward()
    assert logits.grad is not None
    assert logits.grad[0, [1, 3]].tolist() == [0, 0]
    assert torch.isfinite(logits.grad).all()


@pytest.mark.parametrize(
    ("logits", "expected"),
    [
        ([HUGE, 0, 0], [1, 0, 0]),
        ([-HUGE, 0, 0], [0, 0.5, 0.5]),
        ([HUGE, HUGE, -HUGE], [0.5, 0.5, 0]),
        ([HUGE, HUGE, HUGE], [1 / 3] * 3),
        ([-HUGE, -HUGE, -HUGE], [1 / 3] * 3),
        ([0, 0, 0], [1 / 3] * 3),
    ],
)
def test_extreme_logits_of_legal_actions(logits: list[float], expected: list[float]) -> None:
    given = torch.tensor([[*logits, 7.0]], requires_grad=True)
    logs = masked_log_probabilities(given, legal(1, 1, 1, 0))
    assert logs.exp()[0].tolist() == pytest.approx([*expected, 0])
    assert torch.isfinite(logs[0, :3]).all()
    best = int(logs[0].argmax())
    (logs[0, best] + entropy(logs).sum()).backward()
    assert given.grad is not None
    assert torch.isfinite(given.grad).all()
    assert given.grad[0, 3] == 0


@pytest.mark.parametrize("logit", [0.0, HUGE, -HUGE])
def test_only_legal_action_is_certain_and_teaches_nothing(logit: float) -> None:
    logits = torch.tensor([[3.0, logit, -3.0]], requires_grad=True)
    logs = masked_log_probabilities(logits, legal(0, 1, 0))
    assert logs[0, 1] == 0
    assert entropy(logs).item() == 0
    policy_loss(logs[:, 1], torch.zeros(1), torch.ones(1), 0.2).loss.backward(retain_graph=True)
    entropy(logs).sum().backward()
    assert logits.grad is not None
    assert logits.grad.tolist() == [[0, 0, 0]]


def test_rows_do_not_mix() -> None:
    logits = torch.randn(5, 7)
    masks = torch.rand(5, 7) < 0.5
    masks[:, 0] = True
    together = masked_log_probabilities(logits, masks)
    for row in range(5):
        assert torch.equal(together[row], masked_log_probabilities(logits[row : row + 1], masks[row : row + 1])[0])


def test_half_precision_is_widened_before_the_sum() -> None:
    logits = torch.zeros(1, 1000, dtype=torch.bfloat16)
    logs = masked_log_probabilities(logits, torch.ones(1, 1000, dtype=torch.bool))
    assert logs.dtype == torch.float32
    assert logs[0, 0].item() == pytest.approx(-math.log(1000), abs=1e-6)


# entropy --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ([1.0, 0.0], 0.0),
        ([0.5, 0.5], math.log(2)),
        ([0.25] * 4, math.log(4)),
        ([0.5, 0.25, 0.25, 0.0], 1.5 * math.log(2)),
        ([0.9, 0.1], -0.9 * math.log(0.9) - 0.1 * math.log(0.1)),
    ],
)
def test_entropy_in_nats(probabilities: list[float], expected: float) -> None:
    assert entropy(torch.tensor([probabilities]).log()).item() == pytest.approx(expected, abs=1e-6)


def test_gradient_of_the_entropy_is_that_of_the_formula() -> None:
    logits = torch.tensor([[0.3, -1.2, 2.0, 9.0]], dtype=torch.float32, requires_grad=True)
    logs = masked_log_probabilities(logits, legal(1, 1, 1, 0))
    entropy(logs).sum().backward()
    p, h = logs.exp()[0].tolist(), entropy(logs).item()
    expected = [-p[k] * (math.log(p[k]) + h) for k in range(3)]
    assert logits.grad is not None
    assert logits.grad[0].tolist() == pytest.approx([*expected, 0], abs=1e-6)


# sampling -------------------------------------------------------------------------------------------------------------


def test_sampling_follows_the_probabilities_also_tiny_ones() -> None:
    n = 1_000_000
    shares = torch.tensor([0.6, 0.3, 0.0989, 1e-3, 1e-4, 0.0])
    logs = shares.log().expand(n, -1)
    counts = torch.bincount(sample(logs, torch.Generator().manual_seed(2)), minlength=6)
    for share, count in zip(shares.tolist(), counts.tolist(), strict=True):
        assert abs(count - n * share) <= 4.5 * math.sqrt(n * share * (1 - share))
    assert counts[5] == 0


@pytest.mark.parametrize("logit", [0.0, HUGE, -HUGE])
def test_illegal_action_is_never_drawn(logit: float) -> None:
    logits = torch.full((20_000, 40), logit)
    logits[:, 1::2] = HUGE
    masks = torch.zeros(20_000, 40, dtype=torch.bool)
    masks[:, ::2] = True
    drawn = sample(masked_log_probabilities(logits, masks), torch.Generator().manual_seed(1))
    assert (drawn % 2 == 0).all()
    assert len(torch.unique(drawn)) == 20


def test_drawing_a_time_of_zero_would_not_make_an_illegal_action_win() -> None:
    """The race of an impossible action is lost whatever its time: -inf less the log of a time is -inf, if it is > 0."""
    times = torch.empty(4_000_000).exponential_(generator=torch.Generator().manual_seed(0))
    assert times.min() > 0


def test_same_generator_draws_the_same() -> None:
    logs = masked_log_probabilities(torch.randn(100, 9), torch.ones(100, 9, dtype=torch.bool))
    drawn = [sample(logs, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2)]
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


# PPO ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "gradient"),
    [
        # gradient by the log-probability: -ratio x advantage, or 0 where clipped
        (1.0, 2.0, -2.0, -2.0),
        (1.1, 2.0, -2.2, -2.2),
        (1.5, 2.0, -2.4, 0.0),  # already more likely: no more of it
        (0.5, 2.0, -1.0, -1.0),  # less likely though good: not clipped
        (1.0, -2.0, 2.0, 2.0),
        (0.9, -2.0, 1.8, 1.8),
        (0.5, -2.0, 1.6, 0.0),  # already less likely
        (1.5, -2.0, 3.0, 3.0),  # more likely though bad: not clipped
        (1.5, 0.0, 0.0, 0.0),
    ],
)
def test_clipped_surrogate(ratio: float, advantage: float, loss: float, gradient: float) -> None:
    old = torch.tensor([-1.5])
    new = (old + math.log(ratio)).requires_grad_()
    result = policy_loss(new, old, torch.tensor([advantage]), 0.2)
    assert result.loss.item() == pytest.approx(loss, abs=1e-6)
    result.loss.backward()
    assert new.grad is not None
    assert new.grad.item() == pytest.approx(gradient, abs=1e-5)
    assert result.clipped.item() == (1.0 if abs(ratio - 1) > 0.2 else 0.0)
    assert result.kl.item() == pytest.approx(ratio - 1 - math.log(ratio), abs=1e-6)


def test_surrogate_is_the_mean_over_samples() -> None:
    old = torch.zeros(3)
    new = torch.tensor([1.0, 1.5, 0.5]).log()
    result = policy_loss(new, old, torch.tensor([3.0, 3.0, 3.0]), 0.2)
    assert result.loss.item() == pytest.approx(-(3 + 3.6 + 1.5) / 3)
    assert result.clipped.item() == pytest.approx(2 / 3)
    assert result.kl.item() > 0


def test_unchanged_policy_has_ratio_one_no_divergence_and_the_plain_gradient() -> None:
    new = torch.tensor([-0.1, -3.0], requires_grad=True)
    result = policy_loss(new, new.detach(), torch.tensor([1.0, -2.0]), 0.2)
    result.loss.backward()
    assert (result.clipped.item(), result.kl.item()) == (0, 0)
    assert new.grad is not None
    assert new.grad.tolist() == [-0.5, 1.0]


# values ---------------------------------------------------------------------------------------------------------------


def test_value_loss_counts_seats_in_the_game_only() -> None:
    values = torch.tensor([[[1.0, 0.0], [3.0, 1.0]], [[2.0, 2.0], [100.0, -100.0]]], requires_grad=True)
    targets = torch.zeros(2, 2, 2)
    present = torch.tensor([[True, True], [True, False]])
    loss = value_loss(values, targets, present)
    assert loss.tolist() == pytest.approx([(1 + 9 + 4) / 3 / 2, (0 + 1 + 4) / 3 / 2])
    loss.sum().backward()
    assert values.grad is not None
    assert values.grad[1, 1].tolist() == [0, 0]
    assert values.grad[0, 1].tolist() == pytest.approx([3 / 3, 1 / 3])


def test_advantages_are_normalised() -> None:
    out = normalised(torch.tensor([1.0, 2.0, 3.0, 6.0]))
    assert out.mean().item() == pytest.approx(0, abs=1e-6)
    assert out.std(correction=0).item() == pytest.approx(1, abs=1e-6)
    assert normalised(torch.full((4,), 7.0)).tolist() == [0, 0, 0, 0]
    assert normalised(torch.tensor([7.0])).tolist() == [0]


@pytest.mark.parametrize(
    ("values", "targets", "expected"),
    [
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 1.0),
        ([5.0, 6.0, 7.0], [1.0, 2.0, 3.0], 1.0),  # a constant apart
        ([2.0, 2.0, 2.0], [1.0, 2.0, 3.0], 0.0),
        ([3.0, 2.0, 1.0], [1.0, 2.0, 3.0], -3.0),
        ([1.0, 2.0, 3.0], [4.0, 4.0, 4.0], 0.0),  # nothing to explain
    ],
)
def test_explained_variance(values: list[float], targets: list[float], expected: float) -> None:
    assert explained_variance(torch.tensor(values), torch.tensor(targets)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.filterwarnings("ignore:var")
def test_explained_variance_of_one_target_is_nothing() -> None:
    assert explained_variance(torch.tensor([1.0]), torch.tensor([2.0])) == 0.0
