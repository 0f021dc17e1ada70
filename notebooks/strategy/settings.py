"""The data sets of the notebooks, in their small and their full form."""

from __future__ import annotations

import itertools
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LEVELS: Final = ("small", "full")
SEED: Final = 1
LADDER: Final = ("planner", "net:default", "greedy", "mcts:100,rollout=busy", "busy")
SMALL_LADDER: Final = ("greedy", "busy", "random")
DEFAULT_BOARD: Final = "reconstructed"
BOARDS: Final = ("reconstructed", "flat", "rising", "shuffled", "specialists-outside")


def level() -> str:
    """``small`` or ``full``."""
    chosen = os.environ.get("TERRACOTTA_NOTEBOOK", LEVELS[0])
    if chosen not in LEVELS:
        raise ValueError(f"TERRACOTTA_NOTEBOOK: expected one of {', '.join(LEVELS)}, got {chosen!r}")
    return chosen


def full() -> bool:
    return level() == "full"


def folder() -> Path:
    """Where the data sets of this level lie."""
    return Path(os.environ.get("TERRACOTTA_NOTEBOOK_DATA", ROOT / "runs" / "notebooks")) / level()


@dataclass(frozen=True)
class Wanted:
    """One data set: agents by seat, number of games, board, and whether each setup is played from every seat."""

    agents: tuple[str, ...]
    games: int
    board: str = DEFAULT_BOARD
    rotate: bool = False

    @property
    def command(self) -> str:
        """The command that makes it."""
        words = [f"terracotta dataset --agents {','.join(self.agents)} --games {self.games} --seed {SEED}"]
        words += [f"--board {self.board}"] if self.board != DEFAULT_BOARD else []
        words += ["--rotate"] if self.rotate else []
        return " ".join([*words, "--decisions"])


def strong() -> str:
    """The agent whose games the questions are asked of."""
    return "planner" if full() else "greedy"


def ladder() -> tuple[str, ...]:
    """The agents that are compared, strongest first as far as known."""
    return LADDER if full() else SMALL_LADDER


def pair_name(one: str, other: str) -> str:
    return re.sub(r"[^a-z0-9-]+", "_", f"pair-{one}-{other}")


def wanted() -> dict[str, Wanted]:
    """Every data set of this level by name."""
    games = {2: 512, 3: 128, 4: 128} if full() else {2: 32, 3: 16, 4: 16}
    sets = {f"strong-{n}": Wanted((strong(),) * n, count) for n, count in games.items()}
    for board in BOARDS[1:]:
        sets[f"board-{board}"] = Wanted((strong(),) * 2, 64 if full() else 16, board)
    for one, other in itertools.combinations(ladder(), 2):
        few = 32 if any(agent.startswith("mcts") for agent in (one, other)) else 64  # singly played: slow
        sets[pair_name(one, other)] = Wanted((one, other), few if full() else 16, rotate=True)
    sets |= {f"greedy-{n}": Wanted(("greedy",) * n, 512 if full() else 16) for n in games}
    sets |= {f"busy-{n}": Wanted(("busy",) * n, 20_000 if full() else 32) for n in games}
    network, few = ("net:default", 128) if full() else ("busy", 32)
    sets["other-2"] = Wanted((network,) * 2, few)
    return sets
