"""Fails where this tree is slower than another commit: ``make bench-guard BASE=<commit>``.

The commit is checked out into a temporary folder, with this tree's tests/bench over its own, so that both run the same
program.  Both do the same fixed works, in turn.  Compared are instructions where this machine counts them, else the
processor time; a work's figure is the median over the rounds of the ratio within a round, never an absolute time.  A
work over the limit is measured once more, with twice the rounds, before it counts as slower.  What the commit cannot
do is reported and does not fail; what this tree cannot do, does.

Exit codes: 0 not slower, 1 slower, 2 this tree cannot do a work, or nothing could be compared.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markdown import Markdown

from tests.packages import lay_links

from .driver import HERE, PREPARE_PATIENCE, ROOT, LostError, Worker, patience_for, worker_command
from .report import table

LIMIT: Final = 1.15
ROUNDS: Final = 9
FEWEST: Final = 7
BLOCK: Final = 3  # rounds of one pair of processes
MAIN: Final = "main"


@dataclass(frozen=True)
class Work:
    """A fixed load: so many chunks of a side's work, some 200 ms in all."""

    label: str
    work: str
    args: Mapping[str, Any]
    times: int


WORKS: Final = (
    Work("random games, 2 players", "random_games", {"players": 2, "games": 500}, 15),
    Work("random games, 4 players", "random_games", {"players": 4, "games": 400}, 15),
    Work("busy games, 2 players", "policy_games", {"players": 2, "games": 200}, 15),
    Work("busy games, 4 players", "policy_games", {"players": 4, "games": 150}, 15),
    Work("random games of a batch", "whole_games", {"players": 2}, 15),
    Work("batch step, masks, observations", "batch", {"batch": 1024, "observe": "float32"}, 60),
    Work("masks", "masks", {"times": 200_000}, 15),
    Work("observations from Python", "observations", {"times": 10_000}, 15),
    Work("PettingZoo's loop, tensors", "tensors", {"draw": "lean"}, 100),
)


@dataclass
class Verdict:
    """How one work fared.

    Attributes:
        ratios: this tree over the base of each round: above 1 is slower.
        unit: what was compared.
        missing: why it was not, else None.
        broken: it is this tree that cannot.
    """

    label: str
    ratios: list[float]
    unit: str = ""
    missing: str | None = None
    broken: bool = False

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    @property
    def slower(self) -> bool:
        return self.missing is None and self.median > LIMIT

    def row(self) -> list[str]:
        if self.missing is not None:
            return [self.label, "–", "–", "not compared: " + self.missing]
        spread = f"{self.median:.3f} ({min(self.ratios):.3f} - {max(self.ratios):.3f})"
        return [self.label, self.unit, spread, "**slower**" if self.slower else "ok"]


def cost(answer: Mapping[str, Any]) -> tuple[float, str]:
    """What a work cost, and in which unit."""
    if answer.get("instructions"):
        return float(answer["instructions"]), "instructions"
    return float(answer["cpu"]), "processor time"


Ask = Callable[[str, Work], Mapping[str, Any]]
Session = Callable[[], contextlib.AbstractContextManager[Ask]]  # new processes for both sides


def one_round(work: Work, ask: Ask, index: int, verdict: Verdict) -> None:
    """Ask ``base`` and ``tree`` in turn, every second round the other way round."""
    got: dict[str, float] = {}
    for side in ("base", "tree") if index % 2 == 0 else ("tree", "base"):
        try:
            got[side], verdict.unit = cost(ask(side, work))
        except LostError as error:
            verdict.missing, verdict.broken = str(error), side == "tree"
            return
    verdict.ratios.append(got["tree"] / got["base"])


def compare(works: Sequence[Work], session: Session, rounds: int) -> list[Verdict]:
    """All works in all rounds.  Processes are new every few rounds: where code lies in memory is luck that differs."""
    verdicts = [Verdict(work.label, []) for work in works]
    for first in range(0, rounds, BLOCK):
        with session() as ask:
            for work, verdict in zip(works, verdicts):
                for index in range(first, min(first + BLOCK, rounds)):
                    if verdict.missing is None:
                        one_round(work, ask, index, verdict)
    return verdicts


def judge(works: Sequence[Work], session: Session, rounds: int) -> list[Verdict]:
    """Compare all works; those that look slower once more, since a machine has bad moments."""
    verdicts = compare(works, session, rounds)
    doubtful = [work for work, verdict in zip(works, verdicts) if verdict.slower]
    if doubtful:
        second = {verdict.label: verdict for verdict in compare(doubtful, session, 2 * rounds)}
        verdicts = [second.get(verdict.label, verdict) for verdict in verdicts]
    return verdicts


def exit_code(verdicts: Sequence[Verdict]) -> int:
    if any(verdict.slower for verdict in verdicts):
        return 1
    nothing = all(verdict.missing is not None for verdict in verdicts)
    return 2 if nothing or any(verdict.broken for verdict in verdicts) else 0


# Commits


def git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench-guard: git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def default_base() -> tuple[str, str]:
    """The commit to compare with, and why that one."""
    head = git("rev-parse", "HEAD")
    if git("status", "--porcelain", "--untracked-files=no"):
        return head, "the last commit, since this tree has changes"
    known = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--verify", "-q", MAIN], capture_output=True)
    if known.returncode == 0 and (base := git("merge-base", "HEAD", MAIN)) != head:
        return base, f"where this branch left {MAIN}"
    return git("rev-parse", "HEAD~1"), "the commit before"


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The commit in a temporary folder, with this tree's tests/bench."""
    folder = Path(tempfile.mkdtemp(prefix="bench-guard-"))
    tree = folder / "base"
    try:
        git("worktree", "add", "--detach", "--quiet", str(tree), commit)
        shutil.copytree(
            HERE, tree / "tests" / "bench", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )
        yield tree
    finally:
        subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(tree)], capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def start(name: str, tree: Path, cores: Sequence[int], log: Path) -> Worker:
    command = worker_command(sys.executable, "tests.bench.guard_work", cores, "--path", str(tree), "--instructions")
    # no rounds are won by the order in which a process hashes its strings
    path = os.pathsep.join(map(str, (tree, lay_links(tree))))
    return Worker(name, command, {"PYTHONHASHSEED": "0", "PYTHONPATH": path}, log, cwd=tree)


def run(base: str, rounds: int, log: Path, console: Console) -> list[Verdict]:
    core = sorted(os.sched_getaffinity(0))[-1:] if hasattr(os, "sched_getaffinity") else []
    with checked_out(base) as tree:

        @contextlib.contextmanager
        def session(text: str = "measuring") -> Iterator[Ask]:
            console.print(f"{text} ...")
            with contextlib.ExitStack() as stack:
                workers = {"base": start("base", tree, core, log), "tree": start("tree", ROOT, core, log)}
                for worker in workers.values():
                    stack.callback(worker.close)

                def ask(side: str, work: Work) -> Mapping[str, Any]:
                    request = {"do": "measure", "work": work.work, "args": dict(work.args), "times": work.times}
                    workers[side].ask({**request, "do": "prepare"}, PREPARE_PATIENCE)
                    return workers[side].ask(request, patience_for(10.0))

                yield ask

        # processes that compile are not measured: both sides load what is compiled
        compare([replace(work, times=1) for work in WORKS], lambda: session("compiling both"), 1)
        return judge(WORKS, session, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.guard", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--base", help="commit to compare with (default: where this branch left main, or the one before)"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"at least {FEWEST}, default {ROUNDS}")
    parser.add_argument("--log", type=Path, default=ROOT / "runs" / "bench-guard.log", help="what the two sides print")
    arguments = parser.parse_args()
    if arguments.rounds < FEWEST:
        parser.error(f"--rounds: at least {FEWEST}")
    arguments.log.parent.mkdir(parents=True, exist_ok=True)
    arguments.log.unlink(missing_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that the temporary folder goes
    base, why = (git("rev-parse", arguments.base), "as asked") if arguments.base else default_base()
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)
    console.print(f"this tree against {git('log', '-1', '--format=%h %s', base)} ({why})", markup=False)
    verdicts = run(base, arguments.rounds, arguments.log, console)
    header = ["work", "compared", f"this tree over the base, fails over {LIMIT:g}", ""]
    console.print(Markdown("\n".join(table(header, [verdict.row() for verdict in verdicts]))))
    sys.exit(exit_code(verdicts))


if __name__ == "__main__":
    main()
