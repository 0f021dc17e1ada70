"""The reference bot ``random``, version 1: uniform over the legal actions of any game."""

from __future__ import annotations

from terracotta_env.policy import Uniform


class Random(Uniform):
    """Uniform over the legal actions; the environment's own default opponent under the name bots are rated by."""
