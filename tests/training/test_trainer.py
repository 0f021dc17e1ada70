"""Training runs: what they leave behind, interruption and resuming, determinism, and damaged folders."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

import terracotta_training.sb3
from terracotta_agents.neural.actor import load_actor
from terracotta_agents.neural.store import read_tensors, write_tensors
from terracotta_env.army import GAME
from terracotta_training.config import ConfigError, Sb3Config, parse_config
from terracotta_training.curve import draw_curve, read_curve, summarise, write_curve
from terracotta_training.run_folder import new_folder, write_atomically
from terracotta_training.sb3 import CHECKPOINT, FORMAT, Trainer
from tests.training.settings import tiny

ROLLOUT = 8 * 16


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Trainer:
    """A finished run."""
    trainer = Trainer.start(GAME, tiny(tmp_path_factory.mktemp("done") / "run", samples=1600))
    assert trainer.train()
    return trainer


@pytest.fixture
def copied(done: Trainer, tmp_path: Path) -> Path:
    """A copy of its folder that a test may damage."""
    return Path(shutil.copytree(done.folder, tmp_path / "run"))


def parameters(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in trainer.model.policy.state_dict().items()}


def same(one: Any, other: Any) -> bool:
    """Equal in every tensor, whatever the nesting."""
    if isinstance(one, torch.Tensor):
        return isinstance(other, torch.Tensor) and torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def snapshots(trainer: Trainer) -> list[dict[str, torch.Tensor]]:
    return [trainer._actor_of(number).state_dict() for number in trainer.pool.snapshots]


def interrupt_after(steps: int, patch: pytest.MonkeyPatch, error: type[BaseException] = KeyboardInterrupt) -> None:
    """Ctrl-C, or another end, in the middle of collecting games."""
    count, step = 0, terracotta_training.sb3._Callback._on_step

    def counted(self: Any) -> bool:
        nonlocal count
        count += 1
        if count == steps:
            raise error
        return step(self)

    patch.setattr(terracotta_training.sb3._Callback, "_on_step", counted)


# what a run leaves ----------------------------------------------------------------------------------------------------


def test_run_leaves_its_files(done: Trainer) -> None:
    names = {path.name for path in done.folder.iterdir()}
    files = {"config.json", "versions.json", "checkpoint.safetensors", "state.json", "curve.csv", "curve.png"}
    assert files | {"actor", "tensorboard"} <= names
    assert not [name for name in names if name.endswith(".new")]
    assert parse_config(Sb3Config, json.loads((done.folder / "config.json").read_text()), "") == done.config
    versions = json.loads((done.folder / "versions.json").read_text())
    assert (versions["game"], versions["rules"]) == ("terracotta", 1)
    assert {"python", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"} <= versions.keys()
    state = json.loads((done.folder / "state.json").read_text())
    assert state["samples"] == done.clock.samples == 13 * ROLLOUT  # 1600 rounded up
    assert state["updates"] == 13
    assert (done.folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert [path for path in (done.folder / "tensorboard").iterdir() if path.stat().st_size > 200]
    learner = next(done.folder.glob("learner-*.csv")).read_text().splitlines()
    assert "train/loss" in learner[0]
    assert len(learner) > 10


def test_saved_actor_is_the_learner(done: Trainer) -> None:
    actor = load_actor(done.folder / "actor", GAME)
    look = torch.rand(20, GAME.observation_size)
    with torch.no_grad():
        distribution: Any = done.model.policy.get_distribution(look).distribution
    assert torch.allclose(
        torch.log_softmax(actor(look), dim=1), torch.log_softmax(distribution.logits, dim=1), atol=1e-5
    )


def test_curve_counts_every_finished_training_game(done: Trainer) -> None:
    rows = list(csv.DictReader(io.StringIO((done.folder / "curve.csv").read_text())))
    assert list(rows[0]) == ["samples", "seconds", "opponent", "games", "win_share", "margin"]
    samples = [int(row["samples"]) for row in rows]
    assert samples == sorted(samples)
    assert all(number % ROLLOUT == 0 for number in samples)
    assert {row["opponent"] for row in rows} <= {"random", "busy", "self", "past"}
    assert all(0 <= float(row["win_share"]) <= 1 for row in rows)
    assert sum(int(row["games"]) for row in rows) >= 8


def test_learning_rate_falls_to_a_tenth(done: Trainer) -> None:
    start = Trainer(GAME, done.config, done.folder)
    assert start.model.lr_schedule(1.0) == pytest.approx(1e-3)
    start.clock.samples = 800
    assert start.model.lr_schedule(1.0) == pytest.approx(1e-3 * 0.55)
    assert done.model.lr_schedule(1.0) == pytest.approx(1e-4)


def test_pool_holds_copies_that_learning_leaves_unchanged(done: Trainer) -> None:
    assert len(done.pool.snapshots) == 3
    pool_before = [{k: v.clone() for k, v in weights.items()} for weights in snapshots(done)]
    assert not same(pool_before[0], pool_before[-1])
    copy = done.actor()
    kept = {name: value.clone() for name, value in copy.state_dict().items()}
    saved = parameters(done)
    with torch.no_grad():
        for value in done.model.policy.parameters():
            value.add_(1.0)
    assert same(copy.state_dict(), kept)
    assert same(snapshots(done), pool_before)
    done.model.policy.load_state_dict(saved)


# PPO ------------------------------------------------------------------------------------------------------------------


class Nothing(BaseCallback):
    def _on_step(self) -> bool:
        return True


def test_ratio_is_one_for_stored_samples_while_parameters_are_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer.start(GAME, tiny(tmp_path / "run"))
    model = trainer.model
    _, callback = model._setup_learn(1000, Nothing())
    given: list[np.ndarray] = []
    masks_of = trainer.env.env_method

    def spied(name: str, *args: Any, **kwargs: Any) -> list[Any]:
        masks = masks_of(name, *args, **kwargs)
        given.append(np.stack(masks))
        return masks

    monkeypatch.setattr(trainer.env, "env_method", spied)
    assert model.collect_rollouts(trainer.env, callback, model.rollout_buffer, 16)
    stored = model.rollout_buffer.action_masks.reshape(16, 8, GAME.actions)
    assert (stored == np.stack(given)).all()
    assert (stored.sum(axis=2) >= 2).all()
    chosen = model.rollout_buffer.actions.reshape(16, 8).astype(int)
    assert (np.take_along_axis(stored, chosen[:, :, None], axis=2) == 1).all()
    seen = 0
    for batch in model.rollout_buffer.get(32):
        _, log_prob, _ = model.policy.evaluate_actions(
            batch.observations, batch.actions.long().flatten(), action_masks=batch.action_masks
        )
        ratio = torch.exp(log_prob - batch.old_log_prob)
        assert torch.allclose(ratio, torch.ones_like(ratio), atol=1e-5)
        seen += len(ratio)
    assert seen == ROLLOUT


# interruption and resuming --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [5, 20, 40])
def test_interrupted_run_is_saved_and_goes_on_where_it_stopped(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer.start(GAME, tiny(tmp_path / "run", samples=500))
    with monkeypatch.context() as patch:
        interrupt_after(steps, patch)
        assert not trainer.train()
    state = read_checkpoint(trainer.folder / CHECKPOINT)[1]["state"]
    resumed = Trainer.resume(GAME, trainer.folder)
    assert resumed.clock.samples == resumed.model.num_timesteps == state["samples"] == trainer.clock.samples
    assert resumed.clock.samples in (8 * steps, 8 * (steps - 1))
    assert resumed.updates == trainer.updates
    assert resumed.clock.seconds >= state["seconds"]
    assert same(parameters(resumed), parameters(trainer))
    optimizer = resumed.model.policy.optimizer.state_dict()
    assert same(optimizer, trainer.model.policy.optimizer.state_dict())
    assert bool(optimizer["state"]) == (steps > 16)
    assert same(snapshots(resumed), snapshots(trainer))
    assert resumed.env.generators() == trainer.env.generators()
    counted: list[int] = []
    step = terracotta_training.sb3._Callback._on_step

    def spied(self: Any) -> bool:
        go_on = step(self)
        counted.append(resumed.clock.samples)
        return go_on

    monkeypatch.setattr(terracotta_training.sb3._Callback, "_on_step", spied)
    before = resumed.env.vector.batch.begun
    assert resumed.train()
    rollouts = -(-(500 - state["samples"]) // ROLLOUT)  # whole ones
    end = state["samples"] + rollouts * ROLLOUT
    assert counted == list(range(state["samples"] + 8, end + 8, 8))
    assert resumed.env.vector.batch.begun >= before + 8  # new games, not the old ones again


def test_interrupt_during_an_update_is_saved_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer.start(GAME, tiny(tmp_path / "run"))
    learn, calls = trainer.model.train, 0

    def interrupted() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        learn()

    monkeypatch.setattr(trainer.model, "train", interrupted)
    assert not trainer.train()
    assert Trainer.resume(GAME, trainer.folder).clock.samples == 3 * ROLLOUT


def test_killed_run_resumes_from_its_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer.start(GAME, tiny(tmp_path / "run", checkpoint_seconds=1e-6))
    with monkeypatch.context() as patch:
        interrupt_after(40, patch, MemoryError)  # not an interrupt: nothing is saved at the end
        with pytest.raises(MemoryError):
            trainer.train()
    resumed = Trainer.resume(GAME, trainer.folder)
    assert resumed.clock.samples == 2 * ROLLOUT
    assert resumed.train()
    assert resumed.clock.samples >= 600


def test_run_killed_before_its_first_checkpoint_begins_anew(tmp_path: Path) -> None:
    trainer = Trainer.start(GAME, tiny(tmp_path / "run", samples=200))
    resumed = Trainer.resume(GAME, trainer.folder)
    assert resumed.clock.samples == 0
    assert resumed.train()


def test_resuming_a_finished_run_ends_at_once(done: Trainer, copied: Path) -> None:
    resumed = Trainer.resume(GAME, copied)
    assert resumed.train()
    assert same(parameters(resumed), parameters(done))
    assert resumed.clock.samples <= done.clock.samples + 8
    assert read_curve(copied) == read_curve(done.folder)


def test_pool_is_restored_with_its_snapshots_in_order(done: Trainer, copied: Path) -> None:
    resumed = Trainer.resume(GAME, copied)
    assert same(snapshots(resumed), snapshots(done))
    assert resumed.pool.current is not None
    assert same(resumed._actor_of(resumed.pool.current).state_dict(), done.actor().state_dict())


def test_same_seed_and_limit_give_identical_parameters(tmp_path: Path) -> None:
    made = []
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        trainer = Trainer.start(GAME, tiny(tmp_path / name, samples=400, seed=seed))
        assert trainer.train()
        made.append((parameters(trainer), trainer.env.generators()))
    assert same(made[0], made[1])
    assert not same(made[0], made[2])


def test_resuming_twice_from_the_same_checkpoint_gives_identical_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer.start(GAME, tiny(tmp_path / "a", samples=600))
    with monkeypatch.context() as patch:
        interrupt_after(40, patch)
        trainer.train()
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    made = []
    for name in ("a", "b"):
        resumed = Trainer.resume(GAME, tmp_path / name)
        np.random.random(3)  # noqa: NPY002 (others may draw from the global generator in between)
        assert resumed.train()
        made.append(parameters(resumed))
    assert same(*made)
    assert not same(made[0], parameters(trainer))


# damaged folders ------------------------------------------------------------------------------------------------------


class Malicious:
    """Makes a folder when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.marker),)


def read_checkpoint(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    return read_tensors(path, FORMAT, {})


def rewrite(change: Callable[[dict[str, torch.Tensor], dict[str, Any]], object]) -> Callable[[Path], None]:
    """Change what the checkpoint holds, with a checksum that fits."""

    def damage(path: Path) -> None:
        tensors, about = read_checkpoint(path)
        change(tensors, about)
        write_tensors(path, FORMAT, tensors, {key: about[key] for key in about if key not in ("format", "sha256")})

    return damage


def without(prefix: str) -> Callable[[Path], None]:
    def change(tensors: dict[str, torch.Tensor], _: dict[str, Any]) -> None:
        for name in [name for name in tensors if name.startswith(prefix)]:
            del tensors[name]

    return rewrite(change)


def flip_a_bit(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) * 3 // 4] ^= 1
    path.write_bytes(raw)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
    "damage",
    [
        cut,
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"not a checkpoint"),
        lambda path: torch.save([1, 2], path),
        lambda path: write_tensors(path, FORMAT, {}, {}),
        lambda path: write_tensors(path, "other", {}, {}),
        flip_a_bit,
        without("policy."),
        without("policy.action_net.bias"),
        without("past.1."),
        without("generator"),
        rewrite(lambda tensors, _: tensors.update({"generator.torch": torch.zeros(3)})),
        rewrite(lambda tensors, _: tensors.update({"optimizer.x.step": torch.zeros(3)})),
        rewrite(lambda _, about: about.pop("snapshots")),
        rewrite(lambda _, about: about.update(snapshots="many")),
        rewrite(lambda _, about: about.update(state="{}")),
        rewrite(lambda _, about: about.update(state={})),
        rewrite(lambda _, about: about.update(rules=2)),
        rewrite(lambda _, about: about.update(game="chess")),
        rewrite(lambda _, about: about.update(version=0)),
    ],
)
def test_damaged_checkpoint_is_one_clear_line(damage: Callable[[Path], object], copied: Path) -> None:
    damage(copied / CHECKPOINT)
    with pytest.raises(ConfigError, match=r"checkpoint\.safetensors: ") as caught:
        Trainer.resume(GAME, copied)
    assert "\n" not in str(caught.value)


def test_checkpoint_that_would_run_code_is_refused_and_runs_nothing(copied: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    torch.save({"policy": Malicious(marker)}, copied / CHECKPOINT)
    with pytest.raises(ConfigError, match=r"checkpoint\.safetensors: .*pickles are never read") as caught:
        Trainer.resume(GAME, copied)
    assert "\n" not in str(caught.value)
    assert not marker.exists()


def test_run_of_before_is_refused_with_what_to_do(copied: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    (copied / CHECKPOINT).unlink()
    torch.save({"policy": Malicious(marker)}, copied / "checkpoint.pt")
    with pytest.raises(ConfigError, match=r"checkpoint\.pt: holds a pickle, .* train anew"):
        Trainer.resume(GAME, copied)
    assert not marker.exists()


def edited(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        data = json.loads((folder / name).read_text())
        change(data)
        (folder / name).write_text(json.dumps(data))

    return damage


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (edited("versions.json", lambda data: data.update(rules=2)), "trained under version 2 of the rules.* plays 1"),
        (edited("versions.json", lambda data: data.pop("rules")), "is not the folder of a training run"),
        (lambda folder: (folder / "versions.json").unlink(), "is not the folder of a training run"),
        (lambda folder: (folder / "versions.json").write_text("[]"), "is not the folder of a training run"),
        (lambda folder: (folder / "config.json").write_text("{"), "is not the folder of a training run"),
        (lambda folder: (folder / "config.json").write_text("[]"), "config"),
        (edited("config.json", lambda data: data["run"].update(colour=1)), r"config\.json: run\.colour: unknown key"),
        (edited("config.json", lambda data: data["ppo"].update(shared=[9])), r"checkpoint\.safetensors: "),
    ],
)
def test_damaged_folder_is_named(damage: Callable[[Path], object], named: str, copied: Path) -> None:
    damage(copied)
    with pytest.raises(ConfigError, match=named) as caught:
        Trainer.resume(GAME, copied)
    assert "\n" not in str(caught.value)


# files ----------------------------------------------------------------------------------------------------------------


def test_new_run_never_takes_an_existing_folder(tmp_path: Path) -> None:
    wanted = tmp_path / "deep" / "run"
    made = [new_folder(wanted) for _ in range(3)]
    assert made == [wanted, tmp_path / "deep" / "run-2", tmp_path / "deep" / "run-3"]


def test_interrupted_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.json"
    write_atomically(path, "old")

    def killed(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"


def test_curve_reads_back_as_written(tmp_path: Path) -> None:
    finished = [("busy", True, 4.5), ("busy", False, -1.25), ("random", True, 30.0)]
    curve = [summarise(finished, 128, 1.5), summarise([], 256, 2.0), summarise(finished[:1], 384, 3.0)]
    assert curve[0].games == {"busy": 2, "random": 1}
    assert curve[0].win_share == {"busy": 0.5, "random": 1.0}
    assert curve[0].margin == {"busy": 1.625, "random": 30.0}
    write_curve(tmp_path, curve)
    assert read_curve(tmp_path) == [curve[0], curve[2]]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("finished", [[], [("busy", True, 4.5)]])
def test_curve_is_drawn_whatever_it_holds(finished: list[tuple[str, bool, float]]) -> None:
    assert draw_curve([summarise(finished, 128, 1.0)]).startswith(b"\x89PNG")
