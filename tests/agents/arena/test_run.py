"""Whole arenas of the toy game: the union of results is the schedule, whatever happens on the way."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from terracotta_agents.arena.arena import Settings
from terracotta_agents.arena.folder import Folder
from terracotta_agents.arena.schedule import ArenaError
from terracotta_agents.arena.sequential import Sprt
from terracotta_env.record import read_lines, verify
from tests.toy import GAME

from .toys import play_toys, read, settings, timeless

ROOT = Path(__file__).resolve().parents[3]


def assert_whole(path: Path, wanted: Settings) -> list[dict[str, Any]]:
    """The folder holds the schedule, each game once, with matching records that verify."""
    results = read(path)
    assert Counter(result["game"] for result in results) == Counter(game.name for game in wanted.schedule())
    ended = [result for result in results if result["forfeit"] is None]
    records = [record for _, record in read_lines(path / "games.jsonl")]
    assert [record["meta"]["game"] for record in records] == [result["game"] for result in ended]
    for record, result in zip(records, ended):
        verify(GAME, record)
        assert (record["vp"], record["agents"]) == (result["vp"], result["agents"])
    forfeits = [record["meta"]["game"] for record in read(path, "forfeits.jsonl")]
    assert forfeits == [result["game"] for result in results if result["forfeit"]]
    return results


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small arena, played on one process."""
    path = tmp_path_factory.mktemp("arena") / "deep" / "finished"
    outcome = play_toys(settings(), path)
    assert outcome.finished
    assert outcome.done == outcome.total == 6 + 2 * 6
    return path


def test_results_are_the_schedule_and_do_not_depend_on_the_number_of_processes(finished: Path, tmp_path: Path) -> None:
    results = assert_whole(finished, settings())
    play_toys(settings(), tmp_path / "two", jobs=2)
    assert timeless(assert_whole(tmp_path / "two", settings())) == timeless(results)


def test_one_agent_a_seat_for_a_whole_game_and_every_seat_equally_often(finished: Path) -> None:
    seen = Counter(
        (result["players"], agent, seat) for result in read(finished) for seat, agent in enumerate(result["agents"])
    )
    for players in (2, 3):
        assert len({seen[players, agent, seat] for agent in ("plain", "first") for seat in range(players)}) == 1


def copy(finished: Path, path: Path) -> Path:
    path.mkdir()
    for file in finished.iterdir():
        (path / file.name).write_bytes(file.read_bytes())
    return path


@pytest.mark.parametrize(("kept", "torn"), [(0, 40), (5, 0)])
def test_a_torn_folder_is_gone_on_with(kept: int, torn: int, finished: Path, tmp_path: Path) -> None:
    path = copy(finished, tmp_path / "torn")
    lines = (path / "results.jsonl").read_bytes().splitlines(keepends=True)
    (path / "results.jsonl").write_bytes(b"".join(lines[:kept]) + lines[kept][:torn])
    records = (path / "games.jsonl").read_bytes().splitlines(keepends=True)
    more = kept + (torn == 0)  # a record whose result was not written
    (path / "games.jsonl").write_bytes(b"".join(records[:more]))
    play_toys(settings(), path)
    assert timeless(assert_whole(path, settings())) == timeless(read(finished))


def test_results_whose_record_is_lost_are_played_again(finished: Path, tmp_path: Path) -> None:
    path = copy(finished, tmp_path / "lost")
    records = (path / "games.jsonl").read_bytes().splitlines(keepends=True)
    (path / "games.jsonl").write_bytes(b"".join(records[:3]))
    with Folder(path).held({}, True) as results:
        assert len(results) == 3
    assert len(read(path)) == 3


def test_results_after_one_whose_record_is_another_are_played_again(finished: Path, tmp_path: Path) -> None:
    path = copy(finished, tmp_path / "mixed")
    records = (path / "games.jsonl").read_bytes().splitlines(keepends=True)
    (path / "games.jsonl").write_bytes(b"".join([*records[:3], *records[4:]]))
    with Folder(path).held({}, True) as results:
        assert len(results) == 3
    assert len(read(path)) == len(read(path, "games.jsonl")) == 3


def test_a_finished_arena_is_left_as_it_is(finished: Path) -> None:
    before = (finished / "results.jsonl").read_bytes()
    started = time.monotonic()
    assert play_toys(settings(), finished).finished
    assert time.monotonic() - started < 1  # no process is started
    assert (finished / "results.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 6}, "seed 5, not 6"),
        ({"games": 12}, "games 6, not 12"),
        ({"players": (2,)}, r"players \[2, 3\], not \[2\]"),
        ({"codes": ("first", "plain")}, "codes .*plain.*, not .*first"),
        ({"records": False}, "records true, not false"),
        ({"move_seconds": 3.0}, "move_seconds null, not 3.0"),
    ],
)
def test_going_on_with_other_settings_is_refused(change: dict[str, Any], named: str, finished: Path) -> None:
    before = (finished / "results.jsonl").read_bytes()
    with pytest.raises(ArenaError, match=f"was made with {named}"):
        play_toys(replace(settings(), **change), finished)
    assert (finished / "results.jsonl").read_bytes() == before


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(ArenaError, match="is not the folder of an arena"):
        play_toys(settings(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_arena_killed_as_it_began_is_begun_again(tmp_path: Path) -> None:
    for name in (".lock", ".config.json.new", "results.jsonl", "games.jsonl", "forfeits.jsonl"):
        (tmp_path / name).write_text("{" if name.startswith(".config") else "")
    with Folder(tmp_path).held({}, True) as results:
        assert results == []


def test_two_arenas_do_not_write_into_one_folder(finished: Path) -> None:
    with Folder(finished).held({}, True), pytest.raises(ArenaError, match="in use"):
        play_toys(settings(), finished)


def test_an_agent_that_cannot_be_made_ends_the_arena_before_it_begins(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="nobody"):
        play_toys(settings(("plain", "nobody")), tmp_path / "new")


def test_failing_agents_lose_their_games_and_nothing_else(tmp_path: Path) -> None:
    wanted = settings(("plain", "failing", "crashing"), players=(2, 3), games=2)
    outcome = play_toys(wanted, tmp_path, jobs=2)
    assert outcome.finished
    results = assert_whole(tmp_path, wanted)
    for result in results:
        forfeit = result["forfeit"]
        assert forfeit is not None
        assert forfeit["agent"] in ("failing", "crashing")
        assert result["agents"][forfeit["seat"]] == forfeit["agent"]
        assert result["ranks"][forfeit["seat"]] == result["players"]
        wanted_reason = "failed: ValueError" if forfeit["agent"] == "failing" else "its process ended with exit code 3"
        assert wanted_reason in forfeit["reason"]
        assert 0 < forfeit["decision"] == result["decisions"]
    records = {record["meta"]["game"]: record for record in read(tmp_path, "forfeits.jsonl")}
    for result in results:
        assert len(records[result["game"]]["decisions"]) == result["decisions"]


def test_an_agent_that_never_answers_loses_by_time(tmp_path: Path) -> None:
    wanted = settings(("plain", "hanging"), players=(2,), games=2, move_seconds=0.3)
    assert play_toys(wanted, tmp_path, jobs=2).finished
    results = assert_whole(tmp_path, wanted)
    assert {result["forfeit"]["reason"] for result in results} == {"took more than 0.3 s"}
    assert {result["forfeit"]["agent"] for result in results} == {"hanging"}


def test_without_records_none_are_written(tmp_path: Path) -> None:
    wanted = settings(players=(2,), games=2, records=False)
    play_toys(wanted, tmp_path)
    assert len(read(tmp_path)) == 2
    assert (tmp_path / "games.jsonl").read_bytes() == b""


def test_a_sequential_test_stops_early_and_at_the_same_setup_again(tmp_path: Path) -> None:
    test = Sprt(-400, 400)
    wanted = settings(("plain", "plain"), players=(2,), games=2000, sprt=test, records=False)
    outcome = play_toys(wanted, tmp_path, jobs=2)
    assert outcome.finished
    assert outcome.done < outcome.total
    before = (tmp_path / "results.jsonl").read_bytes()
    assert play_toys(wanted, tmp_path).finished  # decided: nothing more is played
    assert (tmp_path / "results.jsonl").read_bytes() == before


# kill -9 --------------------------------------------------------------------------------------------------------------


def start(path: Path, games: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.agents.arena.toys", str(path), "2", str(games)]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE)


def lines(path: Path) -> int:
    file = path / "results.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def kill_at_random_moments(path: Path, kills: int, games: int, seed: int) -> None:
    rng = random.Random(seed)
    for kill in range(kills):
        process = start(path, games)
        if kill == 0:  # this one while it is still starting
            time.sleep(rng.uniform(0, 2))
        else:
            aim = lines(path) + rng.randint(1, max(1, 2 * games // kills))
            while process.poll() is None and lines(path) < aim:
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.03))
        below = _below(process.pid)
        process.kill()
        process.communicate()
        assert_end(below)


def _below(process: int) -> list[int]:
    """Processes that a process started, and those that they did."""
    try:
        children = [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except FileNotFoundError:
        return []
    return children + [below for child in children for below in _below(child)]


def assert_end(processes: list[int]) -> None:
    """The workers of an arena that was killed end by themselves."""
    deadline = time.monotonic() + 30
    while any(_runs(process) for process in processes):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _runs(child: int) -> bool:
    try:
        return Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("kills", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_killed_arena_is_resumed_without_loss_or_repeats(kills: int, tmp_path: Path) -> None:
    games = 12 * kills
    kill_at_random_moments(tmp_path / "killed", kills, games, seed=kills)
    wanted = settings(("sleepy", "plain"), games=games)
    before = lines(tmp_path / "killed")
    assert 0 < before < len(wanted.schedule())
    play_toys(wanted, tmp_path / "killed", jobs=2)
    results = assert_whole(tmp_path / "killed", wanted)
    play_toys(wanted, tmp_path / "anew", jobs=2)
    assert timeless(results) == timeless(read(tmp_path / "anew"))


def test_interrupted_arena_says_so_and_goes_on(tmp_path: Path) -> None:
    process = start(tmp_path / "stopped", 200)
    while lines(tmp_path / "stopped") < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=30)[1]
    assert process.returncode == 0  # `play` returns; the command makes 130 of it
    assert b"Traceback" not in errors
    kept = read(tmp_path / "stopped")
    assert 3 <= len(kept) < 600
