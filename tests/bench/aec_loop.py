"""Steps/s of our AEC environment beside PettingZoo's own connect_four_v3, alternating in one run: ``make bench``.

Two loops: the documented one, which draws with ``env.action_space(agent).sample(mask)``, and a lean one that draws the
k-th legal action.  Prints medians with min-max over the repeats and the ratios of medians; other load on the machine
shifts both sides, so only the ratios say something.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from pettingzoo.classic.connect_four.connect_four import env as connect_four

from terracotta_env import terracotta_v0

Draw = Callable[[Any, str, np.ndarray], int]
_RANDOM = random.Random(1)


def documented(env: Any, agent: str, mask: np.ndarray) -> int:
    """PettingZoo's documented draw."""
    return int(env.action_space(agent).sample(mask))


def lean(env: Any, agent: str, mask: np.ndarray) -> int:
    """A uniform draw without the space."""
    legal = np.flatnonzero(mask)
    return int(legal[int(_RANDOM.random() * len(legal))])


def steps_per_second(env: Any, draw: Draw, seconds: float) -> float:
    """Whole games of the usual AEC loop, observations included, for about ``seconds``."""
    steps, game, start = 0, 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        env.reset(seed=game)
        game += 1
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else draw(env, agent, observation["action_mask"]))
            steps += 1
    return steps / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments = parser.parse_args()
    sides: dict[str, Any] = {
        "connect_four_v3": connect_four(),
        "terracotta_v0 tensors": terracotta_v0.env(observation="tensors"),
        "terracotta_v0 flat": terracotta_v0.env(observation="flat"),
    }
    for env in sides.values():
        steps_per_second(env, lean, 0.5)  # compile and warm up
    print(f"median (min-max) steps/s of {arguments.repeats} repeats of {arguments.seconds:g} s, one process")
    for draw in (documented, lean):
        measured: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(arguments.repeats):
            for name, env in sides.items():
                measured[name].append(steps_per_second(env, draw, arguments.seconds))
        base = statistics.median(measured["connect_four_v3"])
        for name, rates in measured.items():
            median = statistics.median(rates)
            spread = f"({min(rates):,.0f}-{max(rates):,.0f})"
            print(f"{draw.__name__:<11} {name:<22} {median:9,.0f} {spread:<18} x{median / base:.1f}")


if __name__ == "__main__":
    main()
