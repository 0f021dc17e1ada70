"""Roll-outs/s of tree search from the opening of a two-player game, one core; OpenSpiel's C++ search beside it.

    python -m tests.bench.search_speed
    python -m tests.bench.search_speed --spiel /path/to/other/venv/bin/python

OpenSpiel is no dependency of this project: give the interpreter of an environment of its own
(``pip install open_spiel`` there).  Its search is the C++ ``MCTSBot`` with uniform roll-outs of whole games, as is ours
in the first line.  Sides alternate in one run; other load on the machine shifts all, so only the ratios say something.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
from collections.abc import Callable

from terracotta_agents.busy import BUSY
from terracotta_agents.search.search import Search
from terracotta_agents.search.settings import Settings
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM, Rollout

SEED = 1
UCT = Settings(rule="uct", c=1.4, fpu=math.inf, margin=0.0, depth=None)

# run by the other interpreter; arguments: game, simulations
SPIEL = """
import sys, time
import pyspiel
game = pyspiel.load_game(sys.argv[1])
simulations = int(sys.argv[2])
evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[0])
start = time.perf_counter()
bot.mcts_search(state)
print(simulations / (time.perf_counter() - start))
"""


def ours(settings: Settings, rollout: Rollout, simulations: int) -> Callable[[], float]:
    position = Position.from_seed(GAME, 2, SEED)
    search = Search(GAME, settings, rollout, capacity=simulations, reuse=False)
    search.run(position, 10)  # compile

    def measure() -> float:
        return simulations / search.run(position, simulations).seconds

    return measure


def spiel(interpreter: str, game: str, simulations: int) -> Callable[[], float]:
    def measure() -> float:
        command = [interpreter, "-c", SPIEL, game, str(simulations)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--spiel", help="Python interpreter that can import pyspiel")
    arguments = parser.parse_args()
    full = Settings(depth=None)
    n = arguments.simulations
    sides = {
        "uct, random to the end": ours(UCT, UNIFORM, n),
        "puct, random to the end": ours(full, UNIFORM, n),
        "puct, busy to the end": ours(full, BUSY, n),
        f"defaults (busy, depth {Settings().depth})": ours(Settings(), BUSY, n),
    }
    if arguments.spiel:
        for game in ("chess", "backgammon"):
            sides[f"OpenSpiel {game}"] = spiel(arguments.spiel, game, max(100, n // 20))
    measured: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(arguments.repeats):
        for name, measure in sides.items():
            measured[name].append(measure())
    print(f"median (min-max) roll-outs/s of {arguments.repeats} repeats of {n:,} simulations, one thread")
    base = statistics.median(measured["OpenSpiel chess"]) if arguments.spiel else math.nan
    for name, rates in measured.items():
        median = statistics.median(rates)
        ratio = f"x{median / base:.1f}" if arguments.spiel else ""
        print(f"{name:<26} {median:9,.0f}  ({min(rates):,.0f}-{max(rates):,.0f})  {ratio}")


if __name__ == "__main__":
    main()
