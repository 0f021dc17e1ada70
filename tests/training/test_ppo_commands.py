"""``terracotta train ppo`` from end to end, on runs of seconds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import terracotta_training.ppo
from terracotta_training.config import dump_config, load_config
from terracotta_training.keys import markdown_table
from terracotta_training.ppo_config import PpoConfig
from tests.running import Run


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A file with the settings of a run of three updates."""
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
kind = "perceptron"
width = 16
[learning]
games = 16
steps = 8
[imitation]
share = 0
[league]
bots = {{ busy = 1.0 }}
self = 0.5
[evaluation]
opponents = ["random", "busy"]
games = 4
rating_games = 2
""",
        encoding="utf-8",
    )
    return path


def test_training_ends_with_the_table_and_the_summary(run: Run, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, printed, errors = run("train", "ppo", "--config", config, "evaluation.opponents=['random', 'busy']")
    assert code == 0, errors
    assert re.search(r"trained on [34]\d\d decisions in \d\.\d minutes", printed)
    assert "2 players, board reconstructed, setups from seed 20000, all seats; 95 % intervals (par 50%)" in printed
    cells = [[cell.strip() for cell in line.strip("│").split("│")] for line in printed.splitlines() if "│" in line]
    assert [row[:2] for row in cells] == [["random", "4"], ["busy", "4"]]
    results = json.loads((folder / "evaluation.json").read_text())
    assert [(result["agent"], result["opponent"], result["games"]) for result in results] == [
        ("net", "random", 4),
        ("net", "busy", 4),
    ]
    assert f"summary: {folder / 'summary.html'}    agent: net:{folder / 'net.safetensors'}" in printed
    assert "Strength after training" in (folder / "summary.html").read_text(encoding="utf-8")
    assert re.search(r"rated update \d+ ", errors)


def test_opponent_that_plays_one_game_at_a_time_is_played_too(run: Run, config: Path, tmp_path: Path) -> None:
    words = ("evaluation.every_minutes=0", "evaluation.games=2", "evaluation.opponents=['mcts:2']")
    code, printed, errors = run("train", "ppo", "--config", config, *words)
    assert code == 0, errors
    [result] = json.loads((tmp_path / "run" / "evaluation.json").read_text())
    assert (result["opponent"], result["games"]) == ("mcts:2", 2)
    assert "mcts:2" in printed


def test_interrupted_training_says_how_to_go_on_and_does(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train = terracotta_training.ppo.PpoRun.train

    def interrupt(self: Any) -> bool:
        self.config = self.config.model_copy(update={"run": self.config.run.model_copy(update={"samples": 100})})
        self.clock.samples_limit = 100
        train(self)
        return False

    with monkeypatch.context() as patch:
        patch.setattr(terracotta_training.ppo.PpoRun, "train", interrupt)
        code, printed, errors = run("train", "ppo", "--config", config, "evaluation.every_minutes=0")
    assert (code, printed) == (130, "")
    assert f"saved; go on with  terracotta train ppo --resume {tmp_path / 'run'}" in errors
    assert "Traceback" not in errors
    code, printed, errors = run("train", "ppo", "--resume", tmp_path / "run")
    assert code == 0, errors
    assert re.search(r"trained on [34]\d\d decisions", printed)


@pytest.mark.parametrize(
    "override",
    ["run.boards=['nowhere']", "learning.gamma=7", "evaluation.opponents=['nobody']", "run.players=[9]", "run.x=1"],
)
def test_wrong_setting_is_one_line_and_touches_no_folder(run: Run, config: Path, tmp_path: Path, override: str) -> None:
    code, printed, errors = run("train", "ppo", "--config", config, override)
    assert (code, printed) == (1, "")
    assert len([line for line in errors.splitlines() if line.startswith("error: ")]) == 1
    assert not (tmp_path / "run").exists()


def test_folder_of_nothing_and_damaged_checkpoint_are_one_line(run: Run, config: Path, tmp_path: Path) -> None:
    code, _, errors = run("train", "ppo", "--resume", tmp_path)
    assert code == 1
    assert "is not the folder of a training run" in errors
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text(dump_config(load_config(PpoConfig, config)))
    (tmp_path / "run" / "checkpoint.safetensors").write_bytes(b"nonsense")
    code, printed, errors = run("train", "ppo", "--resume", tmp_path / "run")
    assert (code, printed) == (1, "")
    assert "is not a whole safetensors file" in errors.splitlines()[-1]
    code, _, errors = run("train", "ppo", "--resume", tmp_path / "run", "run.minutes=3")
    assert code == 1
    assert "leave out --config and overrides" in errors


def test_keys_are_printed_with_their_meaning(run: Run) -> None:
    code, printed, _ = run("train", "ppo", "--keys")
    assert code == 0
    assert printed == markdown_table(PpoConfig)
