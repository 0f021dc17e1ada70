"""``terracotta train alphazero`` from end to end, on a run of seconds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from terracotta_agents.neural.loading import NETWORK
from terracotta_training.alphazero_config import AlphaZeroConfig
from terracotta_training.keys import markdown_table
from tests.running import Run


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A file with the settings of a run of one update."""
    path = tmp_path / "tiny.toml"
    path.write_text(
        f"""
[run]
samples = 300
minutes = 0
threads = 1
players = [2, 3]
folder = {json.dumps(str(tmp_path / "run"))}
[network]
width = 16
[selfplay]
games = 4
trees = 4
simulations = 3
fast_simulations = 1
[evaluation]
opponents = ["random"]
games = 4
every_minutes = 0
""",
        encoding="utf-8",
    )
    return path


def test_training_ends_with_the_table_the_summary_and_a_network_that_searches(
    run: Run, config: Path, tmp_path: Path
) -> None:
    code, printed, errors = run("train", "alphazero", "--config", config)
    assert code == 0, errors
    folder = tmp_path / "run"
    assert "│ random" in printed
    assert (folder / "summary.html").exists()
    assert f"agent: net:{folder / NETWORK}" in printed
    code, printed, errors = run("evaluate", f"az:{folder}:2", "--against", "random", "--games", "2")
    assert code == 0, errors
    code, printed, errors = run("train", "alphazero", "--resume", folder)
    assert code == 0, errors


def test_keys_are_printed(run: Run) -> None:
    code, printed, _ = run("train", "alphazero", "--keys")
    assert (code, printed) == (0, markdown_table(AlphaZeroConfig))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--actors", "2"), "--actors goes with --ray"),
        (("run.start=net:nowhere",), "nowhere: no such file"),
        (("run.players=[7]",), "run.players: expected some of 2, 3, 4, got 7"),
        (("evaluation.opponents=['nobody']",), "no agent 'nobody'"),
        (("--ray", "127.0.0.1:1"), "--ray 127.0.0.1:1: cannot be used"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    run: Run, config: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    code, printed, errors = run("train", "alphazero", "--config", config, *arguments)
    assert code != 0
    assert message in errors
    assert "Traceback" not in errors
    assert printed == ""
    assert not (tmp_path / "run").exists()
