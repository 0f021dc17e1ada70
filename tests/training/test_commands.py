"""``terracotta train sb3`` and ``terracotta evaluate`` from end to end, on small runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import terracotta_training.sb3
from tests.running import Run
from tests.training.settings import TINY


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A file with the settings of a small run."""
    tables = {**TINY, "run": {**TINY["run"], "folder": str(tmp_path / "run")}}
    lines = []
    for section, table in tables.items():
        lines += [f"[{section}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    path = tmp_path / "tiny.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def rows_of(printed: str) -> list[list[str]]:
    """Cells of the table's body."""
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in printed.splitlines() if "│" in line]


def test_training_ends_with_the_table_and_the_agent_it_names_plays(run: Run, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, printed, errors = run("train", "sb3", "--config", config, "run.samples=300", "run.players=3")
    assert code == 0, errors
    assert re.search(r"trained on 384 decisions in \d\.\d minutes", printed)
    assert "3 players, board reconstructed, setups from seed 20000, all seats; 95 % intervals (par 33%)" in printed
    [[opponent, games, won, *_]] = rows_of(printed)
    assert (opponent, games) == ("random", "6")
    assert re.fullmatch(r"\d+\.\d% \(\d+\.\d% - \d+\.\d%\)", won)
    [result] = json.loads((folder / "evaluation.json").read_text())
    assert (result["games"], result["opponent"], result["players"]) == (6, "random", 3)
    assert result["win_share"]["low"] <= result["win_share"]["value"] <= result["win_share"]["high"]
    agent = re.search(r"agent: (\S+)", printed)
    assert agent is not None
    assert agent[1] == f"net:{folder / 'actor'}"
    code, printed, _ = run("evaluate", agent[1], "--against", "busy", "--players", 3, "--games", 3)
    assert code == 0
    assert len(rows_of(printed)) == 1


def test_files_that_the_end_of_a_run_names_exist(run: Run, config: Path) -> None:
    code, printed, _ = run("train", "sb3", "--config", config, "run.samples=100")
    assert code == 0
    curve = re.search(r"learning curve: (\S+)", printed)
    assert curve is None or Path(curve[1]).is_file()


def test_interrupted_training_says_how_to_go_on_and_does(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Any) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(terracotta_training.sb3._Callback, "_on_rollout_end", interrupt)
        code, printed, errors = run("train", "sb3", "--config", config)
    assert code == 130
    assert printed == ""
    assert f"saved; go on with  terracotta train sb3 --resume {tmp_path / 'run'}" in errors
    assert "Traceback" not in errors
    code, printed, _ = run("train", "sb3", "--resume", tmp_path / "run")
    assert code == 0
    assert "trained on 640 decisions" in printed


def test_second_run_takes_the_next_folder(run: Run, config: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine").write_text("precious")
    assert run("train", "sb3", "--config", config, "run.samples=100")[0] == 0
    assert (tmp_path / "run-2" / "checkpoint.safetensors").is_file()
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["mine"]


def test_damaged_checkpoint_is_one_line_with_exit_code_1(run: Run, config: Path, tmp_path: Path) -> None:
    assert run("train", "sb3", "--config", config, "run.samples=100")[0] == 0
    (tmp_path / "run" / "checkpoint.safetensors").write_bytes(b"nonsense")
    code, printed, errors = run("train", "sb3", "--resume", tmp_path / "run")
    assert (code, printed) == (1, "")
    assert len([line for line in errors.splitlines() if line.startswith("error: ")]) == 1
    assert "checkpoint.safetensors" in errors.splitlines()[-1]


def test_wrong_setting_touches_no_folder(run: Run, config: Path, tmp_path: Path) -> None:
    for override in ('run.boards=["nowhere"]', "ppo.gamma=7", 'evaluation.opponents=["nobody"]'):
        code, _, errors = run("train", "sb3", "--config", config, "run.samples=100", override)
        assert code == 1, override
        assert len([line for line in errors.splitlines() if line.startswith("error: ")]) == 1
        assert not (tmp_path / "run").exists(), override


def test_evaluate_prints_shares_and_points_of_both_sides(run: Run) -> None:
    code, printed, errors = run("evaluate", "busy", "--against", "random", "--games", 20)
    assert code == 0, errors
    [[opponent, games, won, vp, others, margin]] = rows_of(printed)
    assert (opponent, games) == ("random", "20")
    assert float(won.split("%")[0]) > 70
    mine, theirs, lead = (float(cell.split(" ±")[0]) for cell in (vp, others, margin))
    assert lead == pytest.approx(mine - theirs, abs=0.11)
    assert lead > 30


def test_evaluate_gives_one_row_for_each_opponent(run: Run) -> None:
    code, printed, _ = run("evaluate", "random", "--against", "busy, random", "--games", 8, "--players", 4)
    assert code == 0
    assert [row[:2] for row in rows_of(printed)] == [["busy", "8"], ["random", "8"]]
    assert "4 players" in printed
    assert run("evaluate", "random", "--against", "busy, random", "--games", 8, "--players", 4)[1] == printed
