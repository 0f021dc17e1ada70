"""How the guard decides, from canned costs."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.bench import guard
from tests.bench.driver import LostError
from tests.bench.guard import LIMIT, Verdict, Work, compare, cost, exit_code, judge

FAST, SLOW = Work("fast", "fast", {}, 1), Work("slow", "slow", {}, 1)


class Machine:
    """Answers with costs that a function gives; counts the sessions."""

    def __init__(self, costs: Callable[[str, Work, int], float]) -> None:
        self.costs = costs
        self.sessions = 0
        self.asked: list[tuple[str, str]] = []

    @contextlib.contextmanager
    def session(self) -> Iterator[guard.Ask]:
        self.sessions += 1
        yield self.ask

    def ask(self, side: str, work: Work) -> Mapping[str, Any]:
        self.asked.append((side, work.label))
        return {"cpu": self.costs(side, work, len(self.asked)), "instructions": None}


def test_same_speed_passes_whatever_the_machine_does():
    # the machine gets ten times slower on the way: both sides of a round suffer alike
    machine = Machine(lambda side, work, asked: 1.0 + (asked - 1) // 2)
    verdicts = judge([FAST, SLOW], machine.session, 9)
    assert [verdict.median for verdict in verdicts] == [1.0, 1.0]
    assert exit_code(verdicts) == 0
    assert machine.sessions == 3, "new processes every three rounds"


def test_slower_work_fails_after_a_second_look():
    machine = Machine(lambda side, work, asked: 1.2 if (side, work) == ("tree", SLOW) else 1.0)
    verdicts = judge([FAST, SLOW], machine.session, 7)
    assert [verdict.slower for verdict in verdicts] == [False, True]
    assert exit_code(verdicts) == 1
    assert machine.asked.count(("tree", "slow")) == 7 + 14
    assert machine.asked.count(("tree", "fast")) == 7
    assert "**slower**" in verdicts[1].row()


def test_a_bad_moment_is_looked_at_again_and_forgiven():
    machine = Machine(lambda side, work, asked: 2.0 if side == "tree" and asked <= 14 else 1.0)
    verdicts = judge([FAST], machine.session, 7)
    assert exit_code(verdicts) == 0
    assert len(verdicts[0].ratios) == 14


def test_limit_is_fifteen_percent():
    assert not Verdict("w", [LIMIT - 0.01] * 7).slower
    assert Verdict("w", [LIMIT + 0.01] * 7).slower
    assert LIMIT == 1.15


def test_one_bad_round_decides_nothing():
    assert not Verdict("w", [1.0, 1.0, 1.0, 1.0, 5.0, 5.0, 5.0]).slower


def test_what_one_commit_lacks_is_reported_and_does_not_fail():
    def costs(side: str, work: Work, asked: int) -> float:
        if side == "base" and work == SLOW:
            raise LostError("base: no such work")
        return 1.0

    verdicts = judge([FAST, SLOW], Machine(costs).session, 7)
    assert verdicts[1].row()[-1] == "not compared: base: no such work"
    assert exit_code(verdicts) == 0
    assert exit_code(verdicts[1:]) == 2, "nothing could be compared"


def test_what_this_tree_cannot_do_fails():
    def costs(side: str, work: Work, asked: int) -> float:
        if side == "tree" and work == SLOW:
            raise LostError("tree died")
        return 1.0

    assert exit_code(judge([FAST, SLOW], Machine(costs).session, 7)) == 2


def test_sides_take_turns_in_going_first():
    machine = Machine(lambda side, work, asked: 1.0)
    compare([FAST], machine.session, 4)
    assert [side for side, _ in machine.asked] == ["base", "tree", "tree", "base"] * 2


def test_instructions_are_preferred():
    assert cost({"instructions": 500, "cpu": 0.1}) == (500.0, "instructions")
    assert cost({"instructions": None, "cpu": 0.1}) == (0.1, "processor time")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch) -> Path:
    root = tmp_path / "repository"
    (root / "tests" / "bench").mkdir(parents=True)
    (root / "tests" / "bench" / "worker.py").write_text("old\n")
    commands = (
        ("init", "-q", "-b", "main"),
        ("config", "user.email", "a@b"),
        ("config", "user.name", "a"),
        ("add", "."),
        ("commit", "-qm", "first"),
        ("commit", "-qm", "second", "--allow-empty"),
    )
    for words in commands:
        subprocess.run(["git", "-C", str(root), *words], check=True)
    monkeypatch.setattr(guard, "ROOT", root)
    monkeypatch.setattr(guard, "HERE", root / "tests" / "bench")
    return root


def worktrees(root: Path) -> int:
    done = subprocess.run(["git", "-C", str(root), "worktree", "list"], capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines())


def test_checkout_has_this_program_and_goes_away_also_on_failure(repository: Path):
    (repository / "tests" / "bench" / "worker.py").write_text("new\n")
    seen: list[Path] = []

    def fail_inside() -> None:
        with guard.checked_out("HEAD") as tree:
            seen.append(tree)
            assert (tree / "tests" / "bench" / "worker.py").read_text() == "new\n"
            assert worktrees(repository) == 2
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_inside()
    assert not seen[0].exists()
    assert worktrees(repository) == 1


def test_default_base(repository: Path):
    def commit_of(name: str) -> str:
        return guard.git("rev-parse", name)

    assert guard.default_base() == (commit_of("HEAD~1"), "the commit before")
    (repository / "tests" / "bench" / "worker.py").write_text("new\n")
    assert guard.default_base() == (commit_of("HEAD"), "the last commit, since this tree has changes")
    guard.git("checkout", "-q", "-b", "work")
    guard.git("commit", "-qam", "third")
    assert guard.default_base() == (commit_of("main"), "where this branch left main")


def test_unknown_commit_is_one_line(repository: Path):
    with pytest.raises(SystemExit, match="bench-guard: git rev-parse"):
        guard.git("rev-parse", "--verify", "nowhere")
