"""Training runs killed at random moments and resumed: ``python -m tests.training.kill --kills 20``.

Each kill has a run of its own.  It is killed (SIGKILL) at a moment drawn uniformly from the time that the run takes,
resumed, and must end with the very tensors, generators and counters of a run that nobody disturbed.  Runs are forks of
this process, which never starts a thread, so a run costs a second.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from terracotta_agents.neural.store import read_tensors
from terracotta_agents.rows import ROW_BOTS
from terracotta_env.army import GAME as ARMY
from terracotta_training import checkpoint
from terracotta_training.metrics import read_metrics
from terracotta_training.ppo import PpoRun
from terracotta_training.ppo_config import PpoConfig
from terracotta_training.run import NETWORK
from tests.toy import GAME as TOY

from .ppo_runs import BOTS, settings

_TIMES: Final = {"seconds", "core_seconds", "sha256"}  # what differs from run to run
_OFTEN: Final = {"checkpoint_seconds": 1e-6}


def toy(folder: Path) -> PpoConfig:
    """Many short updates, past selves in the league, the discount by turn."""
    return settings(
        folder,
        run={**_OFTEN, "samples": 2000},
        learning={"discount": "turn", "gamma": 0.99},
        evaluation={"every_minutes": 0},
    )


def army(folder: Path) -> PpoConfig:
    """All player counts, a bot that remembers its plans, imitated at first and an opponent later, both precisions."""
    return settings(
        folder,
        run={**_OFTEN, "samples": 700, "players": [2, 3, 4], "boards": ["reconstructed", "flat"], "half": True},
        network={"kind": "structured", "channels": 4, "layers": 1},
        learning={"games": 6, "steps": 16},
        imitation={"share": 0.4, "bot": "greedy", "epochs": 1},
        league={"bots": {"greedy": 1.0, "busy": 1.0}, "self": 0.3},
        evaluation={"every_minutes": 0},
    )


CASES: Final[dict[str, tuple[Any, Any, Callable[[Path], PpoConfig]]]] = {
    "toy": (TOY, BOTS, toy),
    "army": (ARMY, ROW_BOTS, army),
}


def go_on(case: str, folder: Path) -> None:
    """Begin the run, or go on with it, to its end."""
    game, bots, config = CASES[case]
    if (folder / "config.json").exists():
        run = PpoRun.resume(game, folder, bots)
    else:  # killed before it was a run
        shutil.rmtree(folder, ignore_errors=True)
        run = PpoRun.start(game, config(folder), bots)
    if not run.train():
        raise SystemExit("the run did not reach its end")


def _quietly(case: str, folder: Path) -> None:
    with open(os.devnull, "w") as nowhere, redirect_stderr(nowhere):
        go_on(case, folder)


def _forked(case: str, folder: Path) -> multiprocessing.process.BaseProcess:
    process = multiprocessing.get_context("fork").Process(target=_quietly, args=(case, folder))
    process.start()
    return process


def _to_the_end(case: str, folder: Path) -> float:
    """Let a run end; seconds it took."""
    start = time.perf_counter()
    process = _forked(case, folder)
    process.join()
    if process.exitcode != 0:
        raise RuntimeError(f"{folder}: the run ended with exit code {process.exitcode}")
    return time.perf_counter() - start


def differences(folder: Path, whole: Path) -> list[str]:
    """Names of everything that a run ended differently in; empty: bit-equal."""
    found = []
    for name, kind in ((checkpoint.FILE, checkpoint.FORMAT), (NETWORK, "terracotta-network")):
        (one, about), (other, about_other) = (read_tensors(path / name, kind, {}) for path in (folder, whole))
        found += [f"{name}: {key}" for key in one.keys() ^ other.keys()]
        found += [
            f"{name}: {key}"
            for key in one.keys() & other.keys()
            if one[key].dtype != other[key].dtype or not _same_bytes(one[key], other[key])
        ]
        if name == checkpoint.FILE:
            found += [f"{name}: {key}" for key in about if key not in _TIMES and about[key] != about_other.get(key)]
    updates = [[row["updates"] for row in read_metrics(path)] for path in (folder, whole)]
    return found + (["metrics: updates"] if updates[0] != updates[1] else [])


def _same_bytes(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and one.contiguous().numpy().tobytes() == other.contiguous().numpy().tobytes()


def kill_once(case: str, folder: Path, moment: float) -> bool:
    """Begin a run, kill it after so many seconds, resume it to its end; False where it had ended before."""
    process = _forked(case, folder)
    process.join(moment)
    alive = process.exitcode is None
    process.kill()
    process.join()
    _to_the_end(case, folder)
    return alive


def main(kills: int, cases: list[str], seed: int) -> int:
    """Print what became of each kill; the number of runs that ended differently."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        for case in cases:
            game, bots, config = CASES[case]
            PpoRun(game, config(Path(place) / "warm"), Path(place), bots).update()  # compiles before anything is timed
            whole, again = (Path(place) / f"{case}-{name}" for name in ("whole", "again"))
            _to_the_end(case, whole)
            seconds = _to_the_end(case, again)  # with everything compiled
            wrong += bool(differences(again, whole))
            print(f"{case}: a whole run takes {seconds:.2f} s", flush=True)
            for kill in range(kills):
                folder = Path(place) / f"{case}-{kill}"
                moment = float(rng.uniform(0.05, 0.95)) * seconds
                alive = kill_once(case, folder, moment)
                different = differences(folder, whole)
                wrong += bool(different)
                told = f"differs in {', '.join(different[:5])}" if different else "bit-equal"
                print(f"{case} {kill + 1}: {'killed' if alive else 'ended before'} {moment:.2f} s: {told}", flush=True)
                shutil.rmtree(folder)
    print(f"{kills * len(cases)} kills, {wrong} runs ended differently")
    return wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=20, help="of each case")
    parser.add_argument("--case", choices=list(CASES), action="append", help="which runs; all if not given")
    parser.add_argument("--seed", type=int, default=0, help="draws the moments")
    arguments = parser.parse_args()
    sys.exit(bool(main(arguments.kills, arguments.case or list(CASES), arguments.seed)))
