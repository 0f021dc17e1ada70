"""``terracotta record`` with programs: chaotic bots cost themselves their games, and the command goes on."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from terracotta_agents.forfeit import REASONS, forfeit_ranking
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.record import read_lines, verify
from tests.running import Run

from .playing import EXAMPLES, command, wait_until_gone

ROOT = Path(__file__).resolve().parents[3]
TERRACOTTA = [sys.executable, "-c", "from terracotta_env.cli import main; main()"]


def faulty(name: str, mode: str) -> list[str]:
    return ["--bot-cmd", f"{name}={shlex.join(command(mode))}"]


def games_of(out: Path) -> list[dict[str, Any]]:
    """All games of a run in the order in which they were played."""
    records = [record for _, record in read_lines(out)] if out.exists() else []
    forfeits = out.with_name(f"{out.name.removesuffix('.jsonl')}.forfeits.jsonl")
    if forfeits.exists():
        records += [record for _, record in read_lines(forfeits)]
    return sorted(records, key=lambda record: record["meta"]["game"])


def check_forfeit(record: dict[str, Any]) -> None:
    """The decisions lead to a position whose points and order give the ranking."""
    position = Position.from_setup(GAME, record["players"], record["setup"], record["board"])
    for token in record["decisions"]:
        position.play(token)
    offender = record["forfeit"]["seat"]
    assert position.to_act == offender
    assert record["vp"] == position.points()
    assert record["ranking"] == forfeit_ranking(position, offender)
    assert record["ranking"][-1] == offender
    assert record["forfeit"]["reason"] in REASONS


def check_chaos(
    run: Callable[[list[str]], tuple[int, str]], players: int, games: int, seed: int, out: Path
) -> Counter[str]:
    """A run of the command with chaotic bots in all seats but one; counts how the games ended."""
    bots = [word for seat in range(players - 1) for word in faulty(f"chaos{seat}", "chaos")]
    agents = ",".join(["random", *(f"chaos{seat}" for seat in range(players - 1))])
    arguments = ["record", "--players", players, "--games", games, "--seed", seed, "--agents", agents, "--out", out]
    code, errors = run([*map(str, arguments), *bots, "--bot-seconds", "0.5"])
    assert code == 0, errors
    assert "Traceback" not in errors
    records = games_of(out)
    assert [record["meta"]["game"] for record in records] == list(range(games))  # every game is scored
    for record in records:
        if record["format"] == "terracotta-record":
            verify(GAME, record)
        else:
            check_forfeit(record)
    return Counter(record.get("forfeit", {}).get("reason", "whole") for record in records)


def in_another_process(arguments: list[str]) -> tuple[int, str]:
    done = subprocess.run([*TERRACOTTA, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=590)
    return done.returncode, done.stderr


def test_twenty_games_with_chaotic_bots_are_all_scored(run: Run, mark: str, tmp_path: Path) -> None:
    def in_this_process(arguments: list[str]) -> tuple[int, str]:
        code, _, errors = run(*arguments)
        return code, errors

    ends: Counter[str] = Counter()
    for players, games in ((2, 8), (3, 6), (4, 6)):
        ends += check_chaos(in_this_process, players, games, 10 + players, tmp_path / f"{players}.jsonl")
    assert ends["whole"] >= 2
    assert sum(ends[reason] for reason in REASONS) >= 8


@pytest.mark.slow
def test_two_hundred_games_with_chaotic_bots_are_all_scored(mark: str, tmp_path: Path) -> None:
    ends: Counter[str] = Counter()
    for players, games in ((2, 70), (3, 70), (4, 60)):
        ends += check_chaos(in_another_process, players, games, 20 + players, tmp_path / f"{players}.jsonl")
    print(ends)
    assert sum(ends.values()) == 200
    assert all(ends[reason] for reason in ("whole", *REASONS))


def test_forfeits_have_a_file_of_their_own(run: Run, mark: str, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    call = ["record", "--players", 3, "--games", 2, "--seed", 4, "--agents", "busy,bad,random", *faulty("bad", "crash")]
    code, printed, errors = run(*call, "--out", out)
    forfeits = tmp_path / "games.forfeits.jsonl"
    assert (code, printed) == (0, f"0 games in {out}, 2 forfeited in {forfeits}\n")
    assert "game 0 is forfeited: bot bad in seat 1: crash: ended with exit code 3" in errors
    assert not out.exists()
    records = games_of(out)
    for record in records:
        check_forfeit(record)
        assert record["agents"] == ["busy", "bad", "random"]
        assert record["meta"]["versions"]["bad"] == 3
        assert record["forfeit"]["stderr"] == "about to crash\n"
    code, _, errors = run(*call, "--out", out)
    assert code == 1
    assert f"{forfeits} exists" in errors
    assert run("verify", forfeits)[0] == 1  # records hold whole games: this is no file of records


def test_a_resumed_run_equals_an_uninterrupted_one(run: Run, mark: str, tmp_path: Path) -> None:
    bots = ["--agents", "some,random", *faulty("some", "chaos"), "--bot-seconds", "1.5"]
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    call = ["record", "--players", 2, "--seed", 31, *bots]
    assert run(*call, "--games", 6, "--out", whole)[0] == 0
    assert run(*call, "--games", 3, "--out", part)[0] == 0
    with (tmp_path / "part.forfeits.jsonl").open("a") as file:
        file.write('{"format": "terracotta-forf')  # as if a kill had hit the middle of a line
    code, printed, _ = run(*call, "--games", 6, "--resume", "--out", part)
    assert code == 0
    assert re.fullmatch(r"\d games in .*part\.jsonl, \d forfeited in .*part\.forfeits\.jsonl\n", printed)
    assert games_of(part) == games_of(whole)
    assert {record["format"] for record in games_of(whole)} == {"terracotta-record", "terracotta-forfeit"}
    code, _, errors = run(*call[:4], 32, *bots, "--games", 7, "--resume", "--out", part)
    assert code == 1
    assert "was made with seed 31, not 32" in errors


def test_overwriting_replaces_both_files(run: Run, mark: str, tmp_path: Path) -> None:
    out, forfeits = tmp_path / "games", tmp_path / "games.forfeits.jsonl"
    call = ["record", "--players", 2, "--games", 1, "--out", out]
    assert run(*call, "--agents", "bad,random", *faulty("bad", "illegal"))[0] == 0
    assert forfeits.exists()
    assert run(*call, "--agents", "busy,random", "--overwrite")[0] == 0
    assert out.exists()
    assert not forfeits.exists()
    assert run(*call, "--agents", "bad,random", *faulty("bad", "illegal"), "--overwrite")[0] == 0
    assert (out.read_bytes(), len(games_of(out))) == (b"", 1)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_programs_in_two_languages_play(run: Run, mark: str, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    bots = [
        "--bot-cmd",
        f"js=node {EXAMPLES / 'bot.mjs'}",
        "--agents",
        f"js,cmd:{sys.executable} {EXAMPLES / 'bot.py'}",
    ]
    assert run("record", "--players", 2, "--games", 2, *bots, "--trace", "--out", out)[0] == 0
    assert run("verify", out)[1] == "2 games verified\n"
    [first, second] = games_of(out)
    assert first["agents"] == second["agents"] == ["js", "example-python"]


@pytest.mark.parametrize(
    ("bot", "code", "named"),
    [
        ("nameless", 1, "--bot-cmd 'nameless': expected NAME=COMMAND"),
        ("=command", 1, "expected NAME=COMMAND"),
        ("a b=command", 1, "expected NAME=COMMAND"),
        ("random=cat", 1, "'random' is another bot's name already"),
        ("x=", 1, "expected a program"),
        ("x='cat", 1, "No closing quotation"),
        ("x=/no/such/program", 1, "bot x: /no/such/program: cannot be started: No such file"),
    ],
)
def test_wrong_bot_command_is_one_clear_line(
    bot: str, code: int, named: str, run: Run, mark: str, tmp_path: Path
) -> None:
    call = ["record", "--players", 2, "--games", 1, "--agents", "busy,x", "--out", tmp_path / "games.jsonl"]
    got, _, errors = run(*call, "--bot-cmd", bot)
    assert got == code
    assert named in errors
    assert len(errors.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_ctrl_c_ends_the_bots_and_keeps_whole_games(mark: str, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    call = ["record", "--players", "2", "--games", "5000", "--agents", "good,random", "--out", str(out)]
    process = subprocess.Popen(
        [*TERRACOTTA, *call, *faulty("good", "good")], stderr=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ
    )
    while process.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 2):
        pass
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "go on with --resume" in errors
    assert wait_until_gone(mark, 5.0) == []
    for line in out.read_text().splitlines():
        verify(GAME, json.loads(line))
