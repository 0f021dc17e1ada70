"""What each part of ``train ppo`` brings: runs that lack one part each, several seeds, the same processor time.

    python -m tests.bench.ablations --folder runs/ablations [--minutes 3] [--seeds 3] [--only base,no-pool]

Every run learns with 2, 3 and 4 players mixed, unless that is what changes, on one thread for so many minutes of
processor time, and ends with 400 games of its best action against ``greedy`` with 2 players on the printed board.
Finished runs are kept and unfinished ones gone on with, so the program can be stopped and called again.  The intervals
are Student's over seeds.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from scipy import stats

from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.rows import ROW_BOTS, TEACHERS
from terracotta_env.army import GAME
from terracotta_training.checkpoint import copied
from terracotta_training.config import load_config
from terracotta_training.matches import play_rows
from terracotta_training.ppo import PpoRun
from terracotta_training.ppo_config import PpoConfig
from terracotta_training.run_folder import write_json

BASE: Final = ("run.threads=1", "run.minutes=0", "run.players=[2, 3, 4]", "evaluation.every_minutes=0")
VARIANTS: Final = {
    "base": ((), "all parts"),
    "no-pool": (("league.self=1.0",), "without pool: the learner in all seats"),
    "rank-only": (("learning.rank_weight=1.0", "learning.margin_weight=0.0"), "rank reward only"),
    "two-players": (("run.players=[2]",), "one number of players only: 2"),
    "shuffled": (('run.boards=["shuffled"]',), "boards shuffled: rings drawn anew in every game"),
    "no-previews": (("network.previews=0", "network.grids=1"), "without previews, with a tower for the grid"),
    "no-imitation": (("imitation.share=0",), "without imitation: self-play from the start"),
    "perceptron": (("network.kind=perceptron",), "the perceptron"),
}
RESULT: Final = "ablation.json"
GAMES: Final = 400
SETUPS: Final = 31_000  # seed of the setups of the matches


def measure(name: str, seed: int, minutes: float, folder: Path) -> tuple[float, float, int]:
    """Share of games won against greedy, mean VP and samples of one run, which is made where it is not there yet."""
    result = folder / RESULT
    if not result.exists():
        overrides = [*BASE, *VARIANTS[name][0], f"run.seed={seed}", f"run.core_minutes={minutes}"]
        if (folder / "config.json").exists():
            run = PpoRun.resume(GAME, folder, TEACHERS)
        else:
            run = PpoRun.start(GAME, load_config(PpoConfig, None, [*overrides, f"run.folder={folder}"]), TEACHERS)
        if not run.train():
            raise SystemExit("interrupted")
        agent = NetworkRows(GAME, copied(run.network), sample=False)
        match = play_rows(GAME, agent, ROW_BOTS["greedy"](), 2, GAMES, SETUPS)
        found = {"won": float(match.won.mean()), "vp": float(match.points.mean()), "samples": run.clock.samples}
        write_json(result, found)
    found = json.loads(result.read_text(encoding="utf-8"))
    return found["won"], found["vp"], found["samples"]


def interval(values: Sequence[float]) -> float:
    """Half of Student's 95 % interval of the mean."""
    if len(values) < 2:
        return math.nan
    return float(stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("runs/ablations"))
    parser.add_argument("--minutes", type=float, default=3.0, help="processor time of each run")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default=",".join(VARIANTS), help="variants, separated by commas")
    arguments = parser.parse_args()
    names = arguments.only.split(",")
    results: dict[str, list[tuple[float, float, int]]] = {name: [] for name in names}
    for seed in range(1, arguments.seeds + 1):
        for name in names:
            results[name].append(measure(name, seed, arguments.minutes, arguments.folder / f"{name}-{seed}"))
            won, vp, samples = results[name][-1]
            print(f"{name} {seed}: {won:.1%} of {GAMES} games, {vp:.1f} VP, {samples:,} samples", flush=True)
    print("\n| run | games won against greedy, by seed | mean | mean VP | samples |\n|---|---|---|---|---|")
    for name, runs in results.items():
        shares, points, counts = (list(column) for column in zip(*runs, strict=True))
        each = ", ".join(f"{share:.1%}" for share in shares)
        print(
            f"| {VARIANTS[name][1]} | {each} | {np.mean(shares):.1%} ± {interval(shares):.1%} | "
            f"{np.mean(points):.1f} ± {interval(points):.1f} | {np.mean(counts):,.0f} |"
        )


if __name__ == "__main__":
    main()
