"""A whole AlphaZero run of the toy game: what its folder holds, going on after a stop or a kill, and the gate."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from terracotta_agents.neural.saved import load_network, save_network
from terracotta_agents.neural.store import StoreError, read_tensors
from terracotta_training import alphazero_checkpoint, checkpoint
from terracotta_training.alphazero import AlphaZeroRun
from terracotta_training.jobs import read_jobs
from terracotta_training.metrics import read_metrics
from terracotta_training.replay import FOLDER
from terracotta_training.run import NETWORK
from tests.agents.nets import small_network
from tests.toy import GAME
from tests.training.alphazero_runs import resumed, tiny

_TIMES = ("seconds", "core_seconds", "sha256")


def held(run: AlphaZeroRun) -> tuple[dict[str, bytes], dict[str, Any], list[bytes]]:
    """Everything that follows depends on, without the times."""
    path = run.folder / "held"
    alphazero_checkpoint.save(run, path)
    tensors, about = read_tensors(path, alphazero_checkpoint.FORMAT, {})
    path.unlink()
    raw = {name: tensor.numpy().tobytes() for name, tensor in tensors.items()}
    samples = [block.tobytes() for block in run.replay.blocks.values()]
    return raw, {key: value for key, value in about.items() if key not in _TIMES}, samples


def test_run_ends_rated_with_everything_in_its_folder(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run", evaluation={"every_minutes": 1.0})
    assert run.train()
    names = {path.name for path in run.folder.iterdir()}
    assert names == {
        *("config.json", "versions.json", "metrics.csv", "jobs.csv", "tensorboard", "checkpoint.safetensors", NETWORK),
        *("replay", "ratings", "snapshots", "summary.html", "summary.md", "curve.png", "losses.png"),
    }
    assert "AlphaZero" in (run.folder / "summary.md").read_text()
    assert [row["updates"] for row in read_metrics(run.folder)] == list(range(1, run.updates + 1))
    assert [line.job for line in read_jobs(run.folder)] == list(range(run.updates))
    assert sum(line.decisions for line in read_jobs(run.folder)) == run.clock.samples
    assert len(list((run.folder / FOLDER).iterdir())) == len(run.replay.blocks)
    assert load_network(run.folder / NETWORK, GAME)[1]["samples"] == run.clock.samples


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_interrupted_run_goes_on_to_the_same_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    sections: dict[str, dict[str, Any]] = {"search": {"root": rule}, "gate": {"every": 2, "games": 6, "share": 0.0}}
    whole = tiny(tmp_path / "whole", **sections)
    assert whole.train()
    run = tiny(tmp_path / "run", **sections)
    update = run.update

    def interrupted() -> dict[str, float]:
        row = update()
        if run.updates == 3:
            signal.raise_signal(signal.SIGINT)
        return row

    monkeypatch.setattr(run, "update", interrupted)
    assert not run.train()
    again = resumed(run.folder)
    assert again.updates == 3
    assert again.train()
    assert held(again) == held(whole)


def test_run_killed_between_checkpoints_goes_on_from_the_last_and_counts_each_game_once(tmp_path: Path) -> None:
    whole = tiny(tmp_path / "whole")
    assert whole.train()
    run = tiny(tmp_path / "run")
    run.save()
    for _ in range(2):
        run.update()
    run.save()
    for _ in range(3):  # the window has passed over what the checkpoint names
        run.update()
    del run
    again = resumed(tmp_path / "run")
    assert again.updates == 2
    assert again.train()
    assert held(again) == held(whole)
    games = [game for line in read_jobs(again.folder) for game in range(line.first_game, line.first_game + line.games)]
    assert games == list(range(again.ledger.counted * again.ledger.games))


def test_run_from_a_network_begins_with_its_weights_and_form_and_does_not_need_it_again(tmp_path: Path) -> None:
    start = small_network(GAME, "structured", seed=5)
    save_network(tmp_path / "start.safetensors", start, GAME)
    run = tiny(tmp_path / "run", run={"start": str(tmp_path / "start.safetensors")})
    assert all(torch.equal(value, run.network.state_dict()[name]) for name, value in start.state_dict().items())
    run.save()
    run.update()
    run.save()
    (tmp_path / "start.safetensors").unlink()
    again = resumed(run.folder)
    assert held(again) == held(run)
    again.update()
    assert any(not torch.equal(v, again.network.state_dict()[n]) for n, v in start.state_dict().items())


def test_network_to_start_from_that_is_missing_is_told_before_a_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        tiny(tmp_path / "run", run={"start": str(tmp_path / "nowhere")})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("share", "passes"), [(0.0, True), (1.0, False)])
def test_gate_decides_who_plays(tmp_path: Path, share: float, passes: bool) -> None:
    run = tiny(tmp_path / "run", gate={"every": 1, "games": 20, "share": share})
    before = {name: value.clone() for name, value in run.playing.state_dict().items()}
    row = run.update()
    assert 0 <= row["gate"] <= 1
    assert run.version == (1 if passes else 0)
    same = all(torch.equal(value, run.playing.state_dict()[name]) for name, value in before.items())
    assert same is not passes


def test_a_missing_file_of_replay_is_told_by_name(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    run.update()
    run.save()
    shutil.rmtree(run.folder / FOLDER)
    with pytest.raises(StoreError, match=r"00000000\.npy"):
        resumed(run.folder)
    assert (run.folder / checkpoint.FILE).exists()


def test_learning_fits_the_targets_of_a_fixed_replay(tmp_path: Path) -> None:
    """Cross-entropy and value errors fall when nothing new comes in."""
    run = tiny(tmp_path / "run", network={"width": 32}, learning={"learning_rate": 0.01, "window": 10_000})
    run.update()
    first = run.learner.update(run.replay, 100, 0.0)
    for _ in range(15):
        last = run.learner.update(run.replay, 1000, 0.0)
    for name in ("loss_policy", "loss_rank", "loss_margin"):
        assert last[name] < first[name], name
    assert last["agreement"] > first["agreement"]
    assert np.isfinite(list(last.values())).all()
