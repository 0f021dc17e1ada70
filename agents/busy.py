"""The reference bot ``busy``, version 1: random with weights that make it build.

The weights are part of its version: ratings and records name it, so a change here is a new version.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from terracotta_env.army import actions as act
from terracotta_env.army.geometry import SURROUNDING
from terracotta_env.army.legal import BLOCK, MAY_DECLINE, options
from terracotta_env.army.specialists import can_build
from terracotta_env.army.state import SEGMENTS, Decision, Space, Specialist
from terracotta_env.army.warriors import can_place_warrior
from terracotta_env.army.wheel import inner_index
from terracotta_env.bits import count, lowest
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
SPECIALISTS = len(Specialist)
RING_WEIGHTS.setflags(write=False)


@kernel
def warrior_segments(state):
    """Set of the segments whose Inner action is a Warrior that the seat to move can make now."""
    segments = 0
    if can_place_warrior(state):
        for segment in range(SEGMENTS):
            index = inner_index(state, segment)
            if state.inner[index] == Space.WARRIOR and state.wet[state.to_move] >= state.inner_amount[index]:
                segments |= 1 << segment
    return segments


@kernel
def clay_segments(state):
    """Set of the segments whose Inner action is soak or clay."""
    segments = 0
    for segment in range(SEGMENTS):
        space = state.inner[inner_index(state, segment)]
        if space == Space.SOAK or space == Space.CLAY:
            segments |= 1 << segment
    return segments


@kernel
def specialist_segments(state):
    """Set of the segments whose Outer action is a Specialist that the seat to move can build now."""
    buildable = 0
    for specialist in range(SPECIALISTS):
        if can_build(state, specialist):
            buildable |= 1 << specialist
    segments = 0
    if buildable != 0:
        for segment in range(SEGMENTS):
            outer = state.outer[segment]
            if outer >= Space.SPECIALIST and buildable >> (outer - Space.SPECIALIST) & 1:
                segments |= 1 << segment
    return segments


@kernel
def choose_placement(state, chosen, uniform):
    """Offset of the placement for a number in [0, 1); with the rings as they are now."""
    both = 1 | 1 << SEGMENTS  # a Craftsman's offset and an Artisan's for the same segment
    warriors = warrior_segments(state) * both
    clay = clay_segments(state) * both
    specialists = specialist_segments(state) * both
    total = (
        BASE * count(chosen)
        + MAKEABLE_WARRIOR * count(chosen & warriors)
        + SOAK_OR_CLAY * count(chosen & clay)
        + BUILDABLE_SPECIALIST * count(chosen & specialists)
    )
    left = uniform * total
    rest, offset = chosen, 0
    while rest != 0:
        offset = lowest(rest)
        rest &= rest - 1
        left -= BASE
        left -= MAKEABLE_WARRIOR * (warriors >> offset & 1)
        left -= SOAK_OR_CLAY * (clay >> offset & 1)
        left -= BUILDABLE_SPECIALIST * (specialists >> offset & 1)
        if left < 0:
            break
    return offset


@kernel
def choose_cell(state, chosen, declining, uniform):
    """The space for a number in [0, 1), -1 to decline; ``declining`` is the weight of that."""
    total = declining
    rest = chosen
    while rest != 0:
        total += BASE + NEIGHBOUR * count(state.occupied & SURROUNDING[lowest(rest)])
        rest &= rest - 1
    left = uniform * total
    rest, cell = chosen, -1
    while rest != 0:
        cell = lowest(rest)
        rest &= rest - 1
        left -= BASE + NEIGHBOUR * count(state.occupied & SURROUNDING[cell])
        if left < 0:
            return cell
    return -1 if declining > 0 else cell


@kernel
def weight_of(decision, offset):
    """Weight of an option that is neither a placement nor a space."""
    if BLOCK[decision] == act.RING:
        return RING_WEIGHTS[offset]
    if decision == Decision.ROTATE and offset == act.ROTATE_NONE:
        return ROTATE_NONE
    if decision == Decision.WEAPON and offset == act.USE:
        return USE_WEAPON
    return BASE


@kernel
def choose_other(decision, chosen, declining, uniform):
    """Like :func:`choose_cell` for the decisions that are not about a space."""
    total = declining
    rest = chosen
    while rest != 0:
        total += weight_of(decision, lowest(rest))
        rest &= rest - 1
    left = uniform * total
    rest, offset = chosen, -1
    while rest != 0:
        offset = lowest(rest)
        rest &= rest - 1
        left -= weight_of(decision, offset)
        if left < 0:
            return offset
    return -1 if declining > 0 else offset


@kernel
def busy_choice(policy, state, mask, uniform):
    """The action ``busy`` takes for a number ``uniform`` in [0, 1)."""
    decision = state.decision
    chosen = options(state)
    declining = DECLINE * MAY_DECLINE[decision]
    if decision == Decision.PLACE:
        offset = choose_placement(state, chosen, uniform)
    elif BLOCK[decision] == act.CELL:
        offset = choose_cell(state, chosen, declining, uniform)
    else:
        offset = choose_other(decision, chosen, declining, uniform)
    return act.DECLINE if offset < 0 else BLOCK[decision] + offset


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
