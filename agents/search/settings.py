"""What can be set about a search: one record that kernels read, made from checked Python values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from terracotta_env.game import Game

UCT: Final = 0
PUCT: Final = 1
RULES: Final = ("uct", "puct")
NO_LIMIT: Final = 1 << 40  # decisions; no game is that long

CONFIG: Final = np.dtype(
    (
        np.record,
        [
            ("c", "f8"),  # weight of exploration
            ("fpu", "f8"),  # first-play urgency, see the rules of selection
            ("margin", "f8"),  # share of the margin in the utility of a final position, the rest is rank
            ("scale", "f8"),  # what one point of margin counts before it is squashed
            ("mix", "f8"),  # share of the uniform distribution in the priors
            ("rule", "i8"),  # UCT or PUCT
            ("depth", "i8"),  # decisions that a roll-out plays at most before the static evaluation
            ("grid", "i8"),  # questions to the roll-out policy for the priors of a node; 0 = uniform priors
        ],
    )
)


@dataclass(frozen=True)
class Settings:
    """How a search selects and evaluates; the defaults of ``mcts``, chosen by measurements in ``docs/search.md``.

    Attributes:
        rule: ``uct`` or ``puct``.
        c: weight of exploration, for values in [-1, 1].
        fpu: UCT: score of an edge never taken, infinite = each is taken once first; PUCT: how much less than its node
            an edge never taken is worth.
        margin: utility of a final position: this share of the squashed margin, the rest is the rank payoff in [-1, 1].
        scale: squash of the margin, in units of 1 / points: margin x scale = 1 gives 0.71.  None: the game's own.
        depth: decisions after which a roll-out stops and the position is valued by its margin; None = to the end.
            60 is about a round of Terracotta Army, and stronger than the end: less noise, in a third of the time.
        grid: PUCT: number of evenly spaced questions to the roll-out policy that make the priors; 0 = uniform.
        mix: share of the uniform distribution in such priors.
    """

    rule: str = "puct"
    c: float = 1.0
    fpu: float = 0.2
    margin: float = 0.5
    scale: float | None = None
    depth: int | None = 60
    grid: int = 32
    mix: float = 0.25

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"rule: expected one of {', '.join(RULES)}, got {self.rule!r}")
        for name, low, high in (("c", 0, 1e6), ("margin", 0, 1), ("mix", 0, 1), ("grid", 0, 4096)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name}: expected a number in {low:g}..{high:g}, got {value!r}")
        if math.isnan(self.fpu):
            raise ValueError("fpu: expected a number, got nan")
        if self.scale is not None and not 0 < self.scale < math.inf:
            raise ValueError(f"scale: expected a number above 0, got {self.scale!r}")
        if self.depth is not None and self.depth < 0:
            raise ValueError(f"depth: expected a number of decisions, 0 or more, got {self.depth!r}")

    def record(self, game: Game) -> Any:
        """Shape ``(1,)``, dtype :data:`CONFIG`, read-only: what kernels get."""
        config = np.zeros(1, CONFIG)
        config["c"], config["fpu"], config["margin"], config["mix"] = self.c, self.fpu, self.margin, self.mix
        config["scale"] = game.points_scale if self.scale is None else self.scale
        config["rule"] = RULES.index(self.rule)
        config["depth"] = NO_LIMIT if self.depth is None else self.depth
        config["grid"] = self.grid if self.rule == "puct" else 0
        config.setflags(write=False)
        return config
