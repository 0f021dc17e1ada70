"""Speed and bounds of ``greedy`` and ``planner``: ``python tests/bench/turn_bots.py [--games 40] [--seed 1]``.

Whole games with one bot in all seats, in one process, the kernels compiled before the clock starts.  Printed for each
bot and number of players: games/s (wall clock and CPU time), positions looked at in a turn (mean, largest), VP by
source.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from terracotta_agents.registry import make_agent
from terracotta_env.army import GAME
from terracotta_env.policy import stream
from terracotta_env.position import Position


def play(code: str, players: int, seed: int) -> tuple[list[int], np.ndarray]:
    """One game: positions looked at in each turn, mean ledger of the seats."""
    bots = [make_agent(code) for _ in range(players)]
    position = Position.from_seed(GAME, players, seed)
    looked = []
    while (seat := position.to_act) is not None:
        position.play(bots[seat].act(position, position.mask()))
        if bots[seat].looked:  # type: ignore[attr-defined]
            looked.append(bots[seat].looked)  # type: ignore[attr-defined]
    return looked, position.states[0]["ledger"][:players].mean(axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for code in ("greedy", "planner"):
        for players in GAME.players:
            play(code, players, 0)
            wall, cpu = time.perf_counter(), time.process_time()
            games = [play(code, players, stream(arguments.seed, game)) for game in range(arguments.games)]
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            looked = np.concatenate([turns for turns, _ in games])
            print(
                f"{code}, {players} players: {arguments.games / wall:.1f} games/s "
                f"({arguments.games / cpu:.1f} a CPU second), positions a turn: mean {looked.mean():,.0f}, "
                f"largest {looked.max():,} ({len(looked)} turns)"
            )
            ledger = np.mean([vp for _, vp in games], axis=0)
            named = ", ".join(f"{name} {vp:.1f}" for name, vp in zip(GAME.sources, ledger, strict=True))
            print(f"  VP a seat {ledger.sum():.1f}: {named}")


if __name__ == "__main__":
    main()
