"""Which bot's valuation a search maximises."""

from __future__ import annotations

from terracotta_agents.greedy.value import greedy_value
from terracotta_agents.planner.value import planner_value
from terracotta_env.kernel import kernel

from .scratch import GREEDY


@kernel
def value_of(scratch, i):
    """Value of ``scratch.states[i]`` to the seat that plans."""
    work = scratch.work[0]
    if scratch.settings[0].valuation == GREEDY:
        return greedy_value(scratch.states[i], work.seat)
    state = scratch.states[i]
    return planner_value(state, work, scratch.weights[state.players - 2], work.seat)
