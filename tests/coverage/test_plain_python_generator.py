"""The kernels of the generator as plain Python, where numpy warns of the wrapping that is meant."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_env import generator
from terracotta_env.generator import advance, below, splitmix64
from terracotta_env.kernel import interpreted


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_every_form_of_the_generator_draws_the_same(seed: int) -> None:
    state, output = splitmix64(seed)
    drawn = np.uint64(advance(np.uint64(seed)))
    assert int(drawn) == state
    with np.errstate(over="ignore"):
        assert int(interpreted(generator._advance)(np.uint64(seed))) == state
        assert int(interpreted(generator._mix)(np.uint64(state))) == output
    for n in (1, 2, 12, 1000):
        assert int(below(drawn, n)) == int(interpreted(generator._below)(np.uint64(output), n)) == output % n
