"""Compares this engine with its peers in one run: ``make bench``, or ``python -m tests.bench --help``.

Results go to ``OUT/bench.json``, ``bench.md`` and ``bench.png``; ``--docs`` also writes the last two to docs/.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import install, pages, plots
from .bench import Bench, Settings, note_machine
from .claims import CLAIMS
from .driver import ROOT
from .report import Study, judge
from .sections import SECTIONS

QUICK = Settings(seconds=0.2, repeats=2, cold=0, games=50_000, batches=(1, 64, 1024))


def commit() -> str:
    """The commit of this tree, marked where it was changed since."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def peers_status(folder: Path) -> dict[str, dict[str, object]]:
    """How each peer of peers.txt was installed."""
    wanted = install.requirements((install.HERE / "peers.txt").read_text())
    file = folder / install.STATUS
    status = json.loads(file.read_text()) if file.exists() else {}
    missing = {"installed": False, "reason": f"{folder} does not hold it: run `make bench`"}
    return {name: status.get(name, missing) for name in wanted}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--repeats", type=int, help="rounds (default 5)")
    parser.add_argument("--seconds", type=float, help="length of a reading (default 1)")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="one section; may be given several times")
    parser.add_argument("--cold", type=int, help="how often to compile everything anew (default 1)")
    parser.add_argument("--games", type=int, help="games played to watch the memory (default 2,000,000)")
    parser.add_argument("--quick", action="store_true", help="a short run that proves it works; its figures say little")
    parser.add_argument("--peers", type=Path, default=ROOT / ".venv-peers", help="virtual environment of the peers")
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "bench", help="folder for the results")
    parser.add_argument("--docs", action="store_true", help="also write docs/benchmarks.md and its plots")
    arguments = parser.parse_args()
    if arguments.repeats is not None and arguments.repeats < 5 and not arguments.quick:
        parser.error("--repeats: at least 5, else a median says little (or --quick)")
    return arguments


def settings_of(arguments: argparse.Namespace) -> Settings:
    base = QUICK if arguments.quick else Settings()
    given = {name: getattr(arguments, name) for name in ("repeats", "seconds", "cold", "games")}
    return Settings(**{**base.__dict__, **{name: value for name, value in given.items() if value is not None}})


def write(study: Study, out: Path) -> None:
    """All results so far, so that an interrupted run keeps them."""
    judged = judge(study, CLAIMS)
    (out / "bench.json").write_text(json.dumps({**study.to_json(), "claims": judged}, indent=1))
    plots.draw(study, out / "bench.png")
    (out / "bench.md").write_text(pages.markdown(study, judged, "bench.png"))


def main() -> None:
    arguments = parse()
    settings = settings_of(arguments)
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    log = out / "bench.log"
    log.unlink(missing_ok=True)
    if len(settings.cores) > 1:
        os.sched_setaffinity(0, {settings.cores[0]})  # the driver only waits, but not on the measured core
    words = os.environ.get("BENCH_COMMAND") or " ".join(["python -m tests.bench", *sys.argv[1:]])
    study = Study(
        about={
            "command": f"`{words}`",
            "date": datetime.now(UTC).strftime("%Y-%m-%d"),
            "python": platform.python_version(),
            "commit": commit(),
            "seconds": settings.seconds,
            "repeats": settings.repeats,
            **note_machine(settings.cores),
        },
        peers=peers_status(arguments.peers),
    )
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)  # tables in a log
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        wanted = arguments.only or list(SECTIONS)
        whole = progress.add_task("sections", total=len(wanted))
        now = progress.add_task("", total=None)
        bench = Bench(
            settings,
            study,
            arguments.peers / "bin" / "python",
            log,
            lambda text: progress.update(now, description=text[:60].ljust(60), advance=1),
        )
        try:
            for name in wanted:
                progress.reset(now, total=None)
                begun, told = time.monotonic(), len(study.skipped)
                SECTIONS[name](bench)
                write(study, out)
                progress.advance(whole)
                console.print(f"{name}: {time.monotonic() - begun:.0f} s")
                for entry in study.skipped[told:]:
                    console.print(f"  not measured: {entry['side']}: {entry['reason']}", markup=False)
        finally:
            bench.close()
    console.print(Markdown((out / "bench.md").read_text().replace("<br>", "; ")))
    console.print(f"{out / 'bench.json'}, bench.md, bench.png", markup=False)
    if arguments.docs:
        text = pages.markdown(study, judge(study, CLAIMS), "benchmarks.png")
        (ROOT / "docs" / "benchmarks.md").write_text(text)
        shutil.copy(out / "bench.png", ROOT / "docs" / "benchmarks.png")


if __name__ == "__main__":
    main()
