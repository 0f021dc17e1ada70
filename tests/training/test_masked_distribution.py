"""The masked distribution that MaskablePPO learns with stays exact at extreme logits, with validation left on.

Elsewhere wide masked categoricals failed their own simplex check and users were told to switch validation off, which
hides divergence (sb3-contrib#81, #247, #195, #221, #322; stable-baselines3#1553; pytorch#87468, #81027).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from terracotta_env.army import GAME

ACTIONS = GAME.actions


def masked(logits: torch.Tensor, legal: np.ndarray) -> MaskableCategoricalDistribution:
    distribution = MaskableCategoricalDistribution(ACTIONS).proba_distribution(logits[None])
    mask = np.zeros((1, ACTIONS), bool)
    mask[0, legal] = True
    distribution.apply_masking(mask)
    return distribution


@pytest.mark.parametrize("legal", [[5], [5, 122], range(ACTIONS)], ids=["one", "two", "all"])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1e4, -1e4])
def test_probabilities_are_finite_and_sum_to_one_over_the_legal_actions(scale: float, legal: list[int]) -> None:
    logits = torch.linspace(-1, 1, ACTIONS) * scale
    distribution = masked(logits, np.array(legal))
    actions = torch.tensor(legal)
    log_probabilities = distribution.log_prob(actions)
    assert math.isclose(float(log_probabilities.exp().sum()), 1.0, abs_tol=1e-5)
    entropy = distribution.entropy()
    assert entropy is not None
    assert torch.isfinite(entropy).all()
    assert 0 <= float(entropy) <= math.log(len(legal)) + 1e-5
    for _ in range(20):
        assert int(distribution.sample()) in legal


def test_not_a_number_is_an_error_and_not_an_action() -> None:
    logits = torch.zeros(ACTIONS)
    logits[7] = math.nan
    with pytest.raises(ValueError, match="invalid values"):
        masked(logits, np.arange(ACTIONS))
