"""Fixtures of the tests of environments."""

from __future__ import annotations

import pytest

from terracotta_env import terracotta_v0


@pytest.fixture
def env() -> terracotta_v0.raw_env:
    """Three players, at the first decision."""
    env = terracotta_v0.env(players=3)
    env.reset(seed=11)
    return env
