"""The command ``terracotta`` in this process: verifying toy games, plug-ins, and the exit code of every failure."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import click
import pytest

from terracotta_env import __version__
from terracotta_env.cli import GROUP, PluginGroup, cli
from terracotta_env.commands import verify
from terracotta_env.errors import SetupError
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.record import play_record
from tests.running import Run, exit_code
from tests.toy import GAME


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Calls the command: exit code, output, errors.  Its plug-ins are ``verify`` and one that cannot be imported."""
    points = {
        "verify": EntryPoint("verify", "terracotta_env.commands:verify", GROUP),
        "absent": EntryPoint("absent", "no_such_module_here:command", GROUP),
    }
    monkeypatch.setattr(PluginGroup, "_points", lambda self: points)
    return lambda *words: (exit_code(*words), *capsys.readouterr())


def toy_record(seed: int) -> dict[str, Any]:
    return play_record(Position.from_seed(GAME, 2, seed), [Uniform(), Uniform()], trace=True, snapshots=True)


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_right_records_are_counted(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", *(json.dumps(toy_record(seed)) for seed in range(3)), "")
    assert run("verify", path) == (0, "3 games verified\n", "")


def test_wrong_records_are_named_one_by_one_and_counted(run: Run, tmp_path: Path) -> None:
    good, bad, foreign = toy_record(1), toy_record(2), toy_record(3)
    bad["vp"][0] += 1
    foreign["format"] = "chess-record"
    code, out, errors = run("verify", write(tmp_path / "games.jsonl", *map(json.dumps, (good, bad, foreign))))
    assert (code, out) == (1, "")
    lines = errors.splitlines()
    assert ":2: record: vp: says" in lines[0]
    assert ":3: record: format: 'chess-record'" in lines[1]
    assert lines[2] == "Error: 2 of 3 games are wrong"


def test_a_line_that_is_no_record_ends_the_reading(run: Run, tmp_path: Path) -> None:
    code, _, errors = run("verify", write(tmp_path / "games.jsonl", json.dumps(toy_record(1)), "[1]"))
    assert code == 1
    assert "line 2: expected a JSON object, got list (1 games before it were read)" in errors


def test_version_and_help_are_no_failures(run: Run) -> None:
    assert run("--version") == (0, f"terracotta, version {__version__}\n", "")
    code, out, _ = run("--help")
    assert code == 0
    assert "verify" in out
    assert "Not available" in out, "a plug-in whose module is missing is listed as such"


def test_a_plug_in_whose_module_is_missing_says_what_to_install(run: Run) -> None:
    code, _, errors = run("absent", "--any", "thing")
    assert code == 1
    assert errors.startswith("Error: the command 'absent' is not available: it needs the module 'no_such_module_here'")


def test_a_wrong_call_has_exit_code_2(run: Run) -> None:
    assert run("nothing-of-the-kind")[0] == 2
    assert run("verify")[0] == 2


def test_commands_of_installed_packages_are_found() -> None:
    assert cli.list_commands(click.Context(cli)) == sorted(cli._points())
    assert isinstance(verify, click.Command)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (SetupError("seed: expected a number"), 1, "error: seed: expected a number"),
        (OSError(28, "No space left on device", "games.jsonl"), 1, "error: games.jsonl: No space left on device"),
        (OSError("the disk is gone"), 1, "error: the disk is gone"),
    ],
)
def test_failures_are_one_line_and_an_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(cli, "main", fail)
    assert run() == (code, "", f"{said}\n")
