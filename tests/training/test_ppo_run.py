"""A whole run of the toy game: what its folder holds, and going on after an interruption."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
import torch

from terracotta_training.metrics import read_metrics
from terracotta_training.rated import RatedGames
from tests.training.ppo_runs import resumed, tiny


def test_run_ends_rated_with_everything_in_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tiny(tmp_path / "run")
    assert run.train()
    names = {path.name for path in run.folder.iterdir()}
    assert names == {
        *("config.json", "versions.json", "metrics.csv", "tensorboard", "checkpoint.safetensors", "net.safetensors"),
        *("ratings", "snapshots", "summary.html", "summary.md", "curve.png", "losses.png"),
    }
    assert [row["updates"] for row in read_metrics(run.folder)] == list(range(1, run.updates + 1))
    assert [snapshot.update for snapshot in RatedGames(run.folder).snapshots] == [run.updates]
    shown = capsys.readouterr().err
    assert "training 100%" in shown
    assert f"rated update {run.updates}" in shown


def test_interrupted_run_goes_on_to_the_same_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tiny(tmp_path / "whole", evaluation={"every_minutes": 0})
    assert whole.train()
    run = tiny(tmp_path / "run", evaluation={"every_minutes": 0})
    update = run.update

    def interrupted() -> dict[str, float]:
        row = update()
        if run.updates == 2:
            signal.raise_signal(signal.SIGINT)
        return row

    monkeypatch.setattr(run, "update", interrupted)
    assert not run.train()
    again = resumed(run.folder)
    assert again.updates == 2
    assert again.train()
    assert [row["updates"] for row in read_metrics(run.folder)] == list(range(1, whole.updates + 1))
    ends = whole.network.state_dict(), again.network.state_dict()
    assert all(torch.equal(ends[0][key], ends[1][key]) for key in ends[0])


def test_finished_run_that_is_resumed_changes_nothing(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    assert run.train()
    results = (run.folder / "ratings" / "results.jsonl").read_bytes()
    metrics = (run.folder / "metrics.csv").read_bytes()
    assert resumed(run.folder).train()
    assert (run.folder / "ratings" / "results.jsonl").read_bytes() == results
    assert (run.folder / "metrics.csv").read_bytes() == metrics
