"""The section of starts: from the start of a process, with nothing compiled and with everything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .bench import COLD_PATIENCE, OURS, Bench
from .driver import ROOT, LostError, Side


@contextmanager
def temporary_cache() -> Iterator[dict[str, str]]:
    folder = tempfile.mkdtemp(prefix="bench-cold-")
    try:
        yield {"NUMBA_CACHE_DIR": folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stages(bench: Bench, label: str, environment: Mapping[str, str], names: Sequence[tuple[str, str]]) -> None:
    """Ask a new process for one thing after another; what is noted is the time since it was started."""
    start = time.perf_counter()
    worker = bench.start(f"{OURS} {label}", environment, "tests.bench.start")
    try:
        for fact, text in names:
            bench.tick(f"{label}: {text}")
            worker.ask({"do": "fact", "fact": fact}, COLD_PATIENCE)
            bench.study.add("start", f"{label}: {text}", "s", time.perf_counter() - start)
    except LostError as error:
        bench.study.skip("start", label, str(error))
    finally:
        worker.close()


FIRST: Final = ("first_step", "first position and first step")
VERBS: Final = ("verbs_and_batch", "all verbs and the batch")
EVERYTHING: Final = ("everything", "everything")
FILL: Final = "fill the cache"  # done before warm starts, not reported


def start(bench: Bench) -> None:
    """From the start of a process: with nothing compiled, with all compiled, and the peers."""
    for _ in range(bench.settings.cold):
        with temporary_cache() as environment:
            stages(bench, "cold", environment, [VERBS, EVERYTHING])
    stages(bench, FILL, {}, [VERBS, EVERYTHING])
    bench.study.series = [series for series in bench.study.series if not series.side.startswith(FILL)]
    command = Path(sys.executable).with_name("terracotta")
    for _ in range(bench.settings.repeats):
        if command.exists():
            bench.tick("terracotta --help")
            begun = time.perf_counter()
            done = subprocess.run(
                [str(command), "--help"], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=ROOT
            )
            if done.returncode == 0:
                bench.study.add("start", "terracotta --help", "s", time.perf_counter() - begun)
        stages(bench, "warm", {}, [FIRST])
        stages(bench, "warm, all at once", {}, [VERBS, EVERYTHING])
        for side in FIRST_GAMES:
            first_game(bench, side)


FIRST_GAMES: Final = (
    Side("OpenSpiel, backgammon", "openspiel", "python", {"game": "backgammon"}),
    Side("Catanatron, 4 players", "catanatron", "random", {"players": 4}),
    Side("RLCard, limit-holdem", "rlcard", "random", {"game": "limit-holdem"}),
    Side("PettingZoo, connect_four_v3", "pettingzoo", "connect_four_v3", {"draw": "lean"}),
    Side("EnvPool, ConnectFour-v1", "envpool", "random", {"game": "ConnectFour-v1", "batch": 1, "length_of": 1}),
    Side(
        "Pgx, connect_four, batch 64",
        "pgx",
        "random",
        {"game": "connect_four", "batch": 64, "steps": 64, "length_of": 64},
    ),
)


def first_game(bench: Bench, side: Side) -> None:
    label = f"first whole game: {side.label}"
    bench.tick(label)
    begun = time.perf_counter()
    try:
        worker = bench.start(side.worker)
    except LostError as error:
        bench.study.skip("start", label, str(error))
        return
    try:
        worker.ask({"do": "prepare", "work": side.work, "args": dict(side.args)})
        bench.study.add("start", label, "s", time.perf_counter() - begun)
    except LostError as error:
        bench.study.skip("start", label, str(error))
    finally:
        worker.close()
