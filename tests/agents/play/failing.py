"""A bot that fails in its second turn."""

from __future__ import annotations

import numpy as np

from terracotta_env.policy import Uniform
from terracotta_env.position import Position


class Failing(Uniform):
    name = "failing"

    def act(self, position: Position, mask: np.ndarray) -> int:
        if int(position.states[0].worker_owner.max()) >= 0 and (position.states[0].worker_owner == 1).any():
            raise RuntimeError("no idea")
        return super().act(position, mask)
