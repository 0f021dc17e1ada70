"""Samples/s of learners, collecting and learning together, in turn within one run.

    python -m tests.bench.learning [--rounds 3] [--samples 100000]

A sample is one decision of the learner that was learned from.  Lines:

``perceptron``, ``structured``   `terracotta train ppo` by self-play alone, the network's other sizes as given
``ppo as sb3``                   the same with the layers and the passes of the next line
``sb3``                          `terracotta train sb3` on the vector environment: layers of 256 and 128, 4 passes
``sb3 single``                   sb3-contrib's documented recipe: MaskablePPO("MlpPolicy", env) on one environment, all
                                 its defaults (two layers of 64, 10 passes, minibatches of 64), random opponent

Ratios are medians over rounds of what stood side by side; other load on the machine shifts all of a round.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium
import torch

from terracotta_agents.rows import TEACHERS
from terracotta_env.army import GAME
from terracotta_training.config import Sb3Config, load_config
from terracotta_training.ppo import PpoRun
from terracotta_training.ppo_config import PpoConfig

SELF_PLAY = ("imitation.share=0", "league.bots={}", "run.minutes=0", "evaluation.every_minutes=0")
NETWORKS = {
    "perceptron": ("network.kind=perceptron", "network.width=512"),
    "structured": ("network.kind=structured", "network.width=512"),
    "ppo as sb3": ("network.kind=perceptron", "network.width=256", "network.blocks=0", "learning.epochs=4"),
}


def ppo(name: str, samples: int, folder: Path) -> float:
    """Samples/s of one run after everything is compiled."""
    overrides = [*SELF_PLAY, *NETWORKS[name], f"run.samples={samples}", f"run.folder={folder}"]
    run = PpoRun(GAME, load_config(PpoConfig, None, overrides), folder, TEACHERS)
    run.update()
    run.clock.samples = 0
    start = time.perf_counter()
    while run.clock.samples < samples:
        run.update()
    return run.clock.samples / (time.perf_counter() - start)


def sb3(samples: int, folder: Path) -> float:
    """Samples/s of ``train sb3`` on the vector environment."""
    from terracotta_training.sb3 import Trainer

    settings = ["run.minutes=0", f"run.samples={samples}", "run.checkpoint_seconds=1000", f"run.folder={folder}"]
    settings.append("ppo.heads=[128]")
    trainer = Trainer(GAME, load_config(Sb3Config, None, settings), folder)
    trainer.pool.set_current(trainer.actor())
    start = time.perf_counter()
    trainer.train()
    return trainer.clock.samples / (time.perf_counter() - start)


def sb3_single(samples: int) -> float:
    """Samples/s of the documented recipe on one environment."""
    from sb3_contrib import MaskablePPO

    from terracotta_agents.random_bot import Random

    torch.set_num_threads(2)
    env = gymnasium.make(
        "terracotta_env.terracotta_v0:TerracottaArmy-v0", observation="vector", reward="vp", opponents=[Random()]
    )
    model = MaskablePPO("MlpPolicy", env, device="cpu", seed=1)
    start = time.perf_counter()
    model.learn(samples)
    return model.num_timesteps / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=100_000, help="of the fast lines; a tenth and a 25th for sb3's")
    arguments = parser.parse_args()
    rates: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        lines: dict[str, Callable[[Path], float]] = {
            **{name: lambda at, name=name: ppo(name, arguments.samples, at) for name in NETWORKS},  # type: ignore[misc]
            "sb3": lambda at: sb3(arguments.samples // 10, at),
            "sb3 single": lambda at: sb3_single(arguments.samples // 25),
        }
        for number in range(arguments.rounds + 1):  # the first compiles and is not counted
            for name, measure in lines.items():
                at = Path(folder) / f"{number}-{name.replace(' ', '-')}"
                at.mkdir()
                rate = measure(at)
                if number:
                    rates.setdefault(name, []).append(rate)
    for name, values in rates.items():
        print(f"{name:12s} {statistics.median(values):9,.0f} samples/s ({min(values):,.0f} - {max(values):,.0f})")
    for above, below in (("perceptron", "sb3 single"), ("structured", "sb3 single"), ("ppo as sb3", "sb3")):
        ratio = statistics.median(a / b for a, b in zip(rates[above], rates[below], strict=True))
        print(f"{above} / {below}: {ratio:.1f}")


if __name__ == "__main__":
    main()
