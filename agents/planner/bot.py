"""The reference bot ``planner``, version 1: the turn after which its expected final Victory Points stand best."""

from __future__ import annotations

from collections.abc import Mapping

from terracotta_agents.turns.remember import TurnBot, TurnRows
from terracotta_agents.turns.scratch import PLANNER, make_settings

from .weights import make_weights, read_weights

SETTINGS = make_settings(
    valuation=PLANNER,
    limit=20_000,
    narrow_cells=3,
    narrow_beam=2,
    wide_cells=10,
    wide_beam=6,
    wide_placements=6,
    moves=3,
    rotations=1,
    per_placement=2,
    candidates=12,
    ahead=1,
)
SKETCH = make_settings(
    valuation=PLANNER,
    limit=500,
    narrow_cells=1,
    narrow_beam=1,
    wide_placements=0,
    moves=1,
    rotations=0,
    per_placement=1,
)


class Planner(TurnBot):
    """Maximises :func:`terracotta_agents.planner.value.planner_value` over its own turn."""

    name = "planner"
    version = 1

    def __init__(self, values: Mapping[int, Mapping[str, float]] | None = None) -> None:
        super().__init__(SETTINGS, SKETCH, make_weights(read_weights() if values is None else values))


class PlannerRows(TurnRows):
    """``planner`` in many games at once."""

    def __init__(self) -> None:
        super().__init__(SETTINGS, SKETCH, make_weights(read_weights()))


class QuickPlannerRows(TurnRows):
    """``planner`` without its look at the opponents' answers, in many games at once: a fifth of its time, weaker."""

    def __init__(self) -> None:
        settings = SETTINGS.copy()
        settings["candidates"] = settings["ahead"] = 0
        super().__init__(settings, SKETCH, make_weights(read_weights()))
