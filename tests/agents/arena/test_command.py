"""``terracotta arena``: its options, one clear line for every mistake, and a small arena of the real game."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from terracotta_agents.arena.commands import spread
from terracotta_agents.arena.ratings import fit
from terracotta_env.army import GAME
from terracotta_env.record import read_lines, verify
from tests.running import exit_code

from .toys import read


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return exit_code("arena", *words), *capsys.readouterr()


@pytest.mark.parametrize(
    ("call", "spread_out"),
    [
        ("--agents a b c --seed 1", "--agents a --agents b --agents c --seed 1"),
        ("--agents a --agents b", "--agents a --agents b"),
        ("report DIR", "report DIR"),
        ("--seed 1 --players 2 3", "--seed 1 --players 2 --players 3"),
    ],
)
def test_lists_of_words_follow_an_option(call: str, spread_out: str) -> None:
    assert spread(call.split(), ("--agents", "--players")) == spread_out.split()


def test_arena_of_the_real_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "arena"
    words = ["--agents", "busy", "random", "busy", "--players", "2,4", "--games", 4, "--seed", 3, "--jobs", 2]
    code, text, errors = run(capsys, *words, "--out", out)
    assert (code, errors.replace("\n", "")) == (0, "") or "compiling" in errors
    assert "Ratings" in text
    results = read(out)
    assert Counter(result["players"] for result in results) == {2: 3 * 4, 4: 6 * 4}
    assert {agent for result in results for agent in result["agents"]} == {"busy#1", "busy#2", "random"}
    for _, record in read_lines(out / "games.jsonl"):
        verify(GAME, record)
    # the same setups for every line-up, all different
    digests = {(result["players"], result["setup"]): result["setup_digest"] for result in results}
    assert len(set(digests.values())) == len(digests) == 3
    assert {path.name for path in out.iterdir()} >= {"report.md", "report.html", "report.json"}
    # again: nothing is played; the report can be made anew
    code, again, _ = run(capsys, *words, "--out", out)
    assert (code, again) == (0, text)
    assert run(capsys, "report", out)[:2] == (0, text)
    # other settings are refused in one line
    code, _, errors = run(capsys, *words, "--seed", 4, "--out", out)
    assert code == 1
    assert (
        errors == f"error: {out} was made with seed 3, not 4: go on with the same settings or choose another folder\n"
    )


def test_suite_of_the_real_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agents", "random", "random", "--suite", "v1", "--players", 3, "--games", 6, "--out", tmp_path / "a")
    assert run(capsys, *words)[0] == 0
    config = json.loads((tmp_path / "a" / "config.json").read_text())
    assert config["suite"] == {"name": "v1", "digest": "1a71a418025ea621"}
    assert len(read(tmp_path / "a")) == 2 * 6


GOOD: dict[str, Any] = {"--agents": ["random", "busy"], "--games": [1]}


@pytest.mark.parametrize(
    ("change", "code", "named"),
    [
        ({"--agents": ["random", "nobody"]}, 1, "error: no agent 'nobody': known are "),
        ({"--agents": ["random"]}, 1, "error: agents: at least two are needed"),
        ({"--agents": None}, 2, "Missing option '--agents'"),
        ({"--out": None}, 2, "Missing option '--out'"),
        ({"--players": ["2,5"]}, 2, "'--players': expected some of 2, 3, 4, got '5'"),
        ({"--players": ["two"]}, 2, "'--players'.*got 'two'"),
        ({"--games": [0]}, 2, "'--games'"),
        ({"--jobs": [0]}, 2, "'--jobs'"),
        ({"--board": ["nowhere"]}, 1, "no board 'nowhere'"),
        ({"--suite": ["v9"]}, 1, "no suite 'v9': known are v1"),
        ({"--suite": ["v1"], "--board": ["flat"]}, 1, "suite v1: is for board 'reconstructed', not 'flat'"),
        ({"--sprt": [35, 0], "--players": [2]}, 1, "sprt: expected the smaller difference first"),
        ({"--sprt": [0, 35]}, 1, "sprt: the test is for two agents and one number of players"),
    ],
)
def test_wrong_call_is_one_clear_line(
    change: dict[str, Any], code: int, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {**GOOD, "--out": [tmp_path / "arena"], **change}
    words = [word for option, values in options.items() if values is not None for word in (option, *values)]
    got, text, errors = run(capsys, *words)
    assert (got, text) == (code, "")
    lines = [line for line in errors.splitlines() if line and not line.startswith(("Usage:", "Try "))]
    assert len(lines) == 1, errors
    assert re.search(named, lines[0])


def test_a_missing_library_is_told_before_a_game_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "statsmodels" else found(name))
    code, _, errors = run(capsys, "--agents", "random", "busy", "--out", tmp_path / "arena")
    assert code == 1
    assert errors == "Error: the arena needs the module 'statsmodels': pip install 'terracotta-army[arena]'\n"
    assert not (tmp_path / "arena").exists()


@pytest.mark.slow
def test_identical_agents_of_the_real_game_are_at_par(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agents", "busy", "busy", "--games", 240, "--seed", 11, "--jobs", 2, "--no-records")
    assert run(capsys, *words, "--out", tmp_path)[0] == 0
    results = read(tmp_path)
    names = ["busy#1", "busy#2"]
    for players in (2, 3, 4):
        fitted = fit([result for result in results if result["players"] == players], names)
        assert all(estimate.holds(0) for estimate in fitted.agents.values())
    shares = {
        (row["players"], row["agent"]): row["win_share"]
        for row in json.loads((tmp_path / "report.json").read_text())["agents"]
    }
    assert all(share["low"] <= 1 / players <= share["high"] for (players, _), share in shares.items())
