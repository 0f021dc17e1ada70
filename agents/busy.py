"""The reference bot ``busy``, version 1: random with weights that make it build.

The weights are part of its version: ratings and records name it, so a change here is a new version.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from terracotta_env.army import actions as act
from terracotta_env.army.geometry import CELLS, SURROUNDING, count
from terracotta_env.army.legal import BLOCK, MAY_DECLINE, options
from terracotta_env.army.specialists import can_build
from terracotta_env.army.state import SEGMENTS, Decision, Space
from terracotta_env.army.warriors import can_place_warrior
from terracotta_env.army.wheel import inner_index
from terracotta_env.kernel import kernel
from terracotta_env.position import Position
from terracotta_env.rollout import Rollout, choose_at, register_rollout

BASE = 1.0
MAKEABLE_WARRIOR = 20.0  # added to a placement whose Inner action is a Warrior that can be made now
SOAK_OR_CLAY = 3.0  # added to a placement whose Inner action is soak or clay
BUILDABLE_SPECIALIST = 20.0  # added to a placement whose Outer action is a Specialist that can be built now
NEIGHBOUR = 3.0  # added to a space for each statue on the eight spaces around it
DECLINE = 0.5
ROTATE_NONE = 4.0
USE_WEAPON = 3.0
RING_WEIGHTS = np.array([20.0, 4.0, 2.0, 0.4])  # perform, clay, coin, nothing
RING_WEIGHTS.setflags(write=False)


@kernel
def placement_weight(state, segment):
    """Weight of standing a worker on a segment, with the rings as they are now."""
    weight = BASE
    index = inner_index(state, segment)
    space = state.inner[index]
    if space == Space.WARRIOR:
        if state.wet[state.to_move] >= state.inner_amount[index] and can_place_warrior(state):
            weight += MAKEABLE_WARRIOR
    elif space == Space.SOAK or space == Space.CLAY:
        weight += SOAK_OR_CLAY
    outer = state.outer[segment]
    if outer >= Space.SPECIALIST and can_build(state, outer - Space.SPECIALIST):
        weight += BUILDABLE_SPECIALIST
    return weight


@kernel
def weight_of(state, offset):
    """Weight of the option ``offset`` within the block of the pending decision."""
    block = BLOCK[state.decision]
    if state.decision == Decision.PLACE:
        return placement_weight(state, offset % SEGMENTS)
    if block == act.CELL:
        return BASE + NEIGHBOUR * count(state.occupied & SURROUNDING[offset])
    if block == act.RING:
        return RING_WEIGHTS[offset]
    if state.decision == Decision.ROTATE and offset == act.ROTATE_NONE:
        return ROTATE_NONE
    if state.decision == Decision.WEAPON and offset == act.USE:
        return USE_WEAPON
    return BASE


@kernel
def busy_choice(policy, state, mask, uniform):
    """The action ``busy`` takes for a number ``uniform`` in [0, 1)."""
    chosen = options(state)
    total = DECLINE * MAY_DECLINE[state.decision]
    for offset in range(CELLS):
        if chosen >> offset & 1:
            total += weight_of(state, offset)
    left = uniform * total
    last = 0
    for offset in range(CELLS):
        if chosen >> offset & 1:
            left -= weight_of(state, offset)
            last = offset
            if left < 0:
                return BLOCK[state.decision] + offset
    return act.DECLINE if MAY_DECLINE[state.decision] else BLOCK[state.decision] + last


BUSY: Final = register_rollout(
    Rollout("busy", 1, np.zeros(1, np.dtype((np.record, [("busy_policy", "i8")]))), busy_choice)
)


class Busy:
    """Plays :func:`busy_choice` with a generator of its own."""

    name = "busy"
    version = 1

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self._mask = np.empty(act.ACTIONS, np.int8)

    def begin(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, position: Position, mask: np.ndarray) -> int:
        return int(choose_at(BUSY.parameters, position.states, 0, self._mask, self.rng.random()))
