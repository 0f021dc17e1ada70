"""The driver against sides that die, hang, fail or chatter: they are reported, and the others are measured."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.bench import bench as processes
from tests.bench import install
from tests.bench.bench import Bench, Settings
from tests.bench.driver import LostError, Side, Worker, read, reading, worker_command
from tests.bench.report import Study
from tests.bench.worker import aec_loop, measure

DUMMY = """
import os, sys, time
print("a library says hello")

def versions():
    return {"dummy": "1"}

def fine(n):
    def chunk():
        time.sleep(0.001)
        return {"games": n, "decisions": 10 * n}
    return chunk

def dying():
    os._exit(3)

def dying_later():
    calls = []
    def chunk():
        calls.append(1)
        if len(calls) > 1:
            print("out of cards", file=sys.stderr, flush=True)
            os._exit(4)
        return {"games": 1}
    return chunk

def hanging():
    time.sleep(100)

def failing():
    raise ValueError("no such game")

WORKS = {"fine": fine, "dying": dying, "dying_later": dying_later, "hanging": hanging, "failing": failing}
FACTS = {"bytes": lambda: {"bytes": 5}}
"""


@pytest.fixture
def dummy(tmp_path: Path) -> Path:
    path = tmp_path / "dummy.py"
    path.write_text(DUMMY)
    return path


@pytest.fixture
def worker(dummy: Path, tmp_path: Path):
    made = Worker("dummy", worker_command(sys.executable, str(dummy), []), log=tmp_path / "log")
    yield made
    made.close()


def prepare(work: str) -> dict[str, object]:
    return {"do": "prepare", "work": work, "args": {}}


def test_measures_and_keeps_prints_apart(worker: Worker, tmp_path: Path):
    assert worker.ask({"do": "hello"}) == {"versions": {"dummy": "1"}}
    assert worker.ask({"do": "fact", "fact": "bytes"}) == {"fact": {"bytes": 5}}
    side = Side("dummy", "dummy", "fine", {"n": 3})
    rates = read(worker, side, 0.02, again=0).rates
    assert rates["decisions"] == pytest.approx(10 * rates["games"])
    assert 100 < rates["games"] < 3000
    assert "a library says hello" in (tmp_path / "log").read_text()


def test_fixed_number_of_chunks(worker: Worker):
    answer = worker.ask({"do": "measure", "work": "fine", "args": {"n": 2}, "times": 4})
    assert answer["amounts"]["games"] == 8


def test_error_leaves_the_side_alive(worker: Worker):
    with pytest.raises(LostError, match="no such game"):
        worker.ask(prepare("failing"))
    with pytest.raises(LostError, match="no work 'absent'"):
        worker.ask(prepare("absent"))
    assert worker.ask({"do": "hello"})


def test_death_is_told_with_last_words_and_again_at_once(worker: Worker):
    worker.ask(prepare("dying_later"))
    with pytest.raises(LostError, match="exit code 4: out of cards"):
        worker.ask({"do": "measure", "work": "dying_later", "args": {}, "seconds": 0.1})
    with pytest.raises(LostError, match="exit code 4"):
        worker.ask({"do": "hello"})


def test_hanging_side_is_ended(worker: Worker):
    worker.ask({"do": "hello"})
    with pytest.raises(LostError, match="did not answer within"):
        worker.ask(prepare("hanging"), patience=0.3)
    assert worker.process.poll() is not None


@pytest.mark.parametrize("broken", ["dying", "hanging", "dying_later"])
def test_bench_goes_on_without_a_broken_peer(broken: str, dummy: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(processes, "PATIENCE", 0.5)
    study = Study(peers={"broken": {"installed": True}, "absent": {"installed": False, "reason": "no wheel"}})
    bench = Bench(Settings(seconds=0.02, repeats=2), study, Path(sys.executable), tmp_path / "log", lambda text: None)
    command = worker_command(sys.executable, str(dummy), [])
    bench.workers = {name: Worker(name, command, log=tmp_path / name) for name in ("ours", "broken")}
    sides = [Side("mine", "ours", "fine", {"n": 1}), Side("theirs", "broken", broken), Side("none", "absent", "fine")]
    try:
        bench.rounds("random", [(side, None) for side in sides], [("mine", "theirs"), ("mine", "none")])
    finally:
        bench.close()
    mine = study.find("random", "mine", "games")
    assert mine is not None
    assert len(mine.values) == 2
    assert study.ratios == []
    assert {entry["side"] for entry in study.skipped} == {"theirs", "none"}
    assert any("not installed: no wheel" in entry["reason"] for entry in study.skipped)


def test_rounds_pair_both_sides(dummy: Path, tmp_path: Path):
    study = Study()
    bench = Bench(Settings(seconds=0.02, repeats=3), study, Path(sys.executable), tmp_path / "log", lambda text: None)
    command = worker_command(sys.executable, str(dummy), [])
    bench.workers = {name: Worker(name, command) for name in ("ours", "peer")}
    mine, theirs = Side("mine", "ours", "fine", {"n": 4}), Side("theirs", "peer", "fine", {"n": 1})
    try:
        bench.rounds("random", [(mine, None), (theirs, None)], [("mine", "theirs")])
    finally:
        bench.close()
    ratio = study.find_ratio("random", "mine", "theirs", "games")
    assert ratio is not None
    assert len(ratio.values) == 3
    assert 2 < ratio.median < 8


def test_rates_and_share():
    now = reading({"amounts": {"games": 50}, "seconds": 2.0, "cpu": 3.0}, cores=2)
    assert now.rates == {"games": 25}
    assert now.share == 0.75


def test_instructions_are_counted_between():
    counts = iter([100, 350])
    answer = measure(lambda: {"games": 1}, None, 3, lambda: next(counts))
    assert answer["instructions"] == 250
    assert answer["amounts"] == {"games": 3}


def test_counter_reads_what_the_kernel_counts():
    from tests.bench.instructions import SOFTWARE, TASK_CLOCK, open_counter

    counter = open_counter(SOFTWARE, TASK_CLOCK)
    if counter is None:
        pytest.skip("this machine lets nobody count")
    before, start = counter(), time.thread_time()
    while time.thread_time() - start < 0.02:
        pass
    assert counter() - before == pytest.approx(2e7, rel=0.5)


def test_loop_plays_whole_games_with_none_steps():
    from terracotta_env import terracotta_v0

    for draw in ("documented", "lean"):
        amounts = aec_loop(terracotta_v0.env(), draw)()
        assert amounts["games"] == 1
        assert amounts["steps"] > 100


def test_peers_file_pins_every_version():
    wanted = install.requirements((install.HERE / "peers.txt").read_text())
    assert {"openspiel", "catanatron", "pgx", "rlcard", "envpool", "pettingzoo"} <= set(wanted)
    assert all("==" in requirement for requirements in wanted.values() for requirement in requirements)
    for name in wanted:
        assert (install.HERE / "peers" / f"{name}.py").exists()


def test_failed_install_is_noted_and_tried_again(tmp_path: Path, monkeypatch):
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    asked: list[str] = []

    def pip_install(_: Path, wanted: list[str]) -> str | None:
        asked.append(wanted[0])
        return "no wheel" if wanted[0] == "b==1" else None

    monkeypatch.setattr(install, "pip_install", pip_install)
    peers = {"a": ["a==1"], "b": ["b==1"], "c": ["c==1"]}
    status = install.install(tmp_path, peers)
    assert [entry["installed"] for entry in status.values()] == [True, False, True]
    assert status["b"]["reason"] == "no wheel"
    install.install(tmp_path, {**peers, "c": ["c==2"]})
    assert asked == ["a==1", "b==1", "c==1", "b==1", "c==2"]
