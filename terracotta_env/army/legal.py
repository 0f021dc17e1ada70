"""What the seat to move may choose: the dispatcher over the ``options_x`` of the chapters.

The options of a decision are a set of offsets (an integer) within that decision's block of action ids, plus, for the
abilities that may be left unused, ``decline``.  Masks, the resolution of forced decisions (R6) and the checks of the
public step all derive from this one set.
"""

from __future__ import annotations

import numpy as np

from ..kernel import kernel
from . import actions as act
from .geometry import CELLS, count, lowest
from .masters import (
    can_master,
    options_administrator,
    options_builder_type,
    options_master_inspector,
    options_supervisor,
    options_token,
)
from .mausoleum import empty_cells
from .rings import can_inner, can_priority, can_ready
from .specialists import (
    can_build,
    options_archer_cell,
    options_archer_facing,
    options_horse_direction,
    options_horse_rider,
)
from .state import SEGMENTS, Decision, Ring, Space
from .warriors import options_guard_goal, options_guard_warrior, options_officer_inspector, options_warrior_type
from .wheel import middle_index, options_place, options_rotate

_BLOCKS = {
    Decision.ROTATE: act.ROTATE,
    Decision.PLACE: act.PLACE,
    Decision.RING: act.RING,
    Decision.WARRIOR_TYPE: act.WARRIOR,
    Decision.WARRIOR_CELL: act.CELL,
    Decision.WEAPON: act.WEAPON,
    Decision.OFFICER_INSPECTOR: act.INSPECTOR,
    Decision.GUARD_WARRIOR: act.CELL,
    Decision.GUARD_GOAL: act.CELL,
    Decision.HORSE_RIDER: act.CELL,
    Decision.HORSE_DIRECTION: act.DIRECTION,
    Decision.ARCHER_CELL: act.CELL,
    Decision.ARCHER_FACING: act.DIRECTION,
    Decision.SPECIALIST_CELL: act.CELL,
    Decision.MASTER_TOKEN: act.TOKEN,
    Decision.BUILDER_TYPE: act.WARRIOR,
    Decision.BUILDER_CELL: act.CELL,
    Decision.ADMINISTRATOR: act.RING,
    Decision.MASTER_INSPECTOR: act.INSPECTOR,
    Decision.SUPERVISOR: act.WAREHOUSES,
}
_MAY_DECLINE = (
    Decision.OFFICER_INSPECTOR,
    Decision.GUARD_WARRIOR,
    Decision.BUILDER_TYPE,
    Decision.ADMINISTRATOR,
    Decision.MASTER_INSPECTOR,
)

# by Decision: first action id of its block, and whether `decline` is offered beside it
BLOCK = np.array([_BLOCKS.get(d, 0) for d in Decision], np.int64)
MAY_DECLINE = np.array([d in _MAY_DECLINE for d in Decision], np.int64)
BLOCK.setflags(write=False)
MAY_DECLINE.setflags(write=False)

NOTHING = 1 << act.DO_NOTHING
CLAY_COIN_NOTHING = 1 << act.TAKE_CLAY | 1 << act.TAKE_COIN | NOTHING
USE_OR_KEEP = 0b11
FEW = 2 * SEGMENTS  # more options than placements are spaces of the Mausoleum, quicker written all at once


@kernel
def can_perform(state):
    """Can the action of the ring being resolved be performed (R7)?"""
    if state.ring == Ring.INNER:
        return can_inner(state)
    if state.ring == Ring.MIDDLE:
        space = state.middle[middle_index(state, state.segment)]
        if space == Space.PRIORITY:
            return can_priority(state)
        if space >= Space.MASTER:
            return can_master(state, space - Space.MASTER)
        return True  # coins or clay
    space = state.outer[state.segment]
    if space >= Space.SPECIALIST:
        return can_build(state, space - Space.SPECIALIST)
    return can_ready(state, space - Space.READY)


@kernel
def options_ring(state):
    """Perform if possible; Clay or Coin instead on the two turning rings only; nothing always."""
    options = NOTHING if state.ring == Ring.OUTER else CLAY_COIN_NOTHING
    if can_perform(state):
        options |= 1 << act.PERFORM
    return options


@kernel
def options(state):
    """Set of offsets within ``BLOCK[decision]`` that are legal, ``decline`` not included; 0 when the game is over."""
    decision = state.decision
    if decision == Decision.ROTATE:
        return options_rotate(state)
    if decision == Decision.PLACE:
        return options_place(state)
    if decision == Decision.RING:
        return options_ring(state)
    if decision == Decision.WARRIOR_TYPE:
        return options_warrior_type(state)
    if decision == Decision.WEAPON:
        return USE_OR_KEEP
    if decision == Decision.OFFICER_INSPECTOR:
        return options_officer_inspector(state)
    if decision == Decision.GUARD_WARRIOR:
        return options_guard_warrior(state)
    if decision == Decision.GUARD_GOAL:
        return options_guard_goal(state)
    if decision == Decision.HORSE_RIDER:
        return options_horse_rider(state)
    if decision == Decision.HORSE_DIRECTION:
        return options_horse_direction(state)
    if decision == Decision.ARCHER_CELL:
        return options_archer_cell(state)
    if decision == Decision.ARCHER_FACING:
        return options_archer_facing(state)
    if decision == Decision.MASTER_TOKEN:
        return options_token(state)
    if decision == Decision.BUILDER_TYPE:
        return options_builder_type(state)
    if decision == Decision.ADMINISTRATOR:
        return options_administrator(state)
    if decision == Decision.MASTER_INSPECTOR:
        return options_master_inspector(state)
    if decision == Decision.SUPERVISOR:
        return options_supervisor(state)
    if decision == Decision.OVER:
        return 0
    return empty_cells(state)  # WARRIOR_CELL, SPECIALIST_CELL, BUILDER_CELL


@kernel
def legal(state, mask):
    """Write the mask, shape ``(123,)`` of any integer dtype: 1 = legal, else 0; return the number of legal actions."""
    for action in range(act.ACTIONS):
        mask[action] = 0
    decision = state.decision
    chosen = options(state)
    number = count(chosen)
    base = BLOCK[decision]
    if number > FEW:
        for cell in range(CELLS):
            mask[act.CELL + cell] = (chosen >> cell) & 1
    else:
        rest = chosen
        while rest != 0:
            mask[base + lowest(rest)] = 1
            rest &= rest - 1
    mask[act.DECLINE] = MAY_DECLINE[decision]
    return number + MAY_DECLINE[decision]


@kernel
def only_option(state):
    """The one legal action of a forced decision, or -1 where there is a choice (R6)."""
    chosen = options(state)
    if MAY_DECLINE[state.decision] == 1:
        return act.DECLINE if chosen == 0 else -1
    return BLOCK[state.decision] + lowest(chosen) if chosen & (chosen - 1) == 0 else -1
