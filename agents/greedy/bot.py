"""The reference bot ``greedy``, version 1: the turn that gains it the most VP, with a price for its means."""

from __future__ import annotations

from terracotta_agents.planner.weights import make_weights
from terracotta_agents.turns.remember import TurnBot, TurnRows
from terracotta_agents.turns.scratch import GREEDY, make_settings

SETTINGS = make_settings(
    valuation=GREEDY,
    limit=20_000,
    narrow_cells=2,
    narrow_beam=2,
    wide_cells=6,
    wide_beam=4,
    wide_placements=4,
    moves=2,
    rotations=1,
    per_placement=1,
    candidates=0,
)


class Greedy(TurnBot):
    """Maximises :func:`terracotta_agents.greedy.value.greedy_value` over its own turn."""

    name = "greedy"
    version = 1

    def __init__(self) -> None:
        super().__init__(SETTINGS, SETTINGS, make_weights())


class GreedyRows(TurnRows):
    """``greedy`` in many games at once."""

    def __init__(self) -> None:
        super().__init__(SETTINGS, SETTINGS, make_weights())
