"""Self-play of ``train alphazero``: games, decisions and simulations a second by threads here, and by actors on Ray.

    python -m tests.bench.selfplay_speed run.start=net:default --threads 1 2
    python -m tests.bench.selfplay_speed --config configs/alphazero.toml --actors 1 2

Each line plays ``--jobs`` jobs (for every actor) after one that warms up.  Seconds of threads and of the learner are
those of the processor, all threads together, so that other load on the machine does not count; those of actors are of
the wall clock.  On Ray the learner only takes games here: what is printed is what actors make.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from terracotta_agents.rows import ROW_BOTS
from terracotta_env.army import GAME
from terracotta_training.alphazero import AlphaZeroRun, LocalSource, Source
from terracotta_training.alphazero_config import AlphaZeroConfig
from terracotta_training.config import load_config
from terracotta_training.jobs import Done


def measure(
    run: AlphaZeroRun, source: Source, warm: int, jobs: int, clock: Callable[[], float]
) -> tuple[list[Done], float]:
    """Take ``warm`` jobs, then ``jobs``: what those cost and the seconds between."""
    done: list[Done] = []
    start = clock()
    while len(done) < warm + jobs:
        for block in source.take():
            run.ledger.count(block.done.job)
            done.append(block.done)
            if len(done) == warm:
                start = clock()
    return done[warm:], clock() - start


def line(name: str, done: Sequence[Done], seconds: float) -> str:
    games, decisions, simulations = (
        sum(getattr(one, key) for one in done) / seconds for key in ("games", "decisions", "simulations")
    )
    return f"{name:<22} {games:8.2f} games/s {decisions:9,.0f} decisions/s {simulations:10,.0f} simulations/s"


def learning(run: AlphaZeroRun) -> str:
    """Samples that the learner passes over in a second of the processor, on ``run.threads`` threads."""
    run.update()
    updates, start = 3, time.process_time()
    count = updates * 8 * run.config.learning.minibatch
    for _ in range(updates):
        run.learner.update(run.replay, round(count / updates / run.config.learning.passes), 0.0)
    rate = count / (time.process_time() - start)
    passes = run.config.learning.passes
    new = f"{rate / passes:,.0f} new decisions/s at {passes:g} passes"
    return f"{'learner':<22} {rate:8,.0f} samples/s, that is {new}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("overrides", nargs="*", metavar="SECTION.KEY=VALUE")
    parser.add_argument("--config", type=Path)
    parser.add_argument("--threads", type=int, nargs="*", default=[])
    parser.add_argument("--actors", type=int, nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--learner", action="store_true", help="measure the learner as well")
    arguments = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as place:

        def new(*more: str) -> AlphaZeroRun:
            folder = f"run.folder={place}/run"
            overrides = [*arguments.overrides, *more, folder]
            config = load_config(AlphaZeroConfig, arguments.config, overrides)
            return AlphaZeroRun.start(GAME, config, ROW_BOTS)

        def say(name: str, run: AlphaZeroRun, source: Source, workers: int, clock: Callable[[], float]) -> None:
            print(line(name, *measure(run, source, workers, workers * arguments.jobs, clock)), flush=True)

        for threads in arguments.threads:
            run = new(f"run.threads={threads}")
            say(f"threads {threads}", run, LocalSource(run), 1, time.process_time)
        for actors in arguments.actors:
            from terracotta_training.ray_cluster.cluster import LOCAL, cluster
            from terracotta_training.ray_cluster.source import RaySource

            run = new(f"ray.actors={actors}")
            with cluster(LOCAL, run.config.ray), closing(RaySource(run, run.config.ray)) as source:
                say(f"actors {actors}", run, source, actors, time.perf_counter)
        if arguments.learner:
            print(learning(new()), flush=True)


if __name__ == "__main__":
    main()
