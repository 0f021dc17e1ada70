"""A run in one file: what follows is the same to the bit, and files that do not belong are refused in one line."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.neural.saved import load_network
from terracotta_agents.neural.store import StoreError, read_tensors, write_tensors
from terracotta_agents.rows import ROW_BOTS
from terracotta_env.army import GAME as ARMY
from terracotta_training import checkpoint
from terracotta_training.checkpoint import FILE, FORMAT
from terracotta_training.ppo import PpoRun
from terracotta_training.run import NETWORK
from tests.toy import GAME as TOY
from tests.training.kill import army
from tests.training.ppo_runs import resumed, tiny

_TIMES = ("seconds", "core_seconds", "sha256")


def held(run: PpoRun, path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Everything a run is, as its file says it, without the times."""
    checkpoint.save(run, path)
    tensors, about = read_tensors(path, FORMAT, {})
    return tensors, {key: value for key, value in about.items() if key not in _TIMES}


def assert_same(run: PpoRun, other: PpoRun, tmp_path: Path) -> None:
    (tensors, about), (tensors_other, about_other) = (held(one, tmp_path / "held") for one in (run, other))
    assert about == about_other
    assert tensors.keys() == tensors_other.keys()
    for name, tensor in tensors.items():
        assert tensor.numpy().tobytes() == tensors_other[name].numpy().tobytes(), name


def goes_on_alike(run: PpoRun, resume: Callable[[], PpoRun], tmp_path: Path, updates: int) -> None:
    run.save()
    again = resume()
    assert_same(run, again, tmp_path)
    for _ in range(updates):
        for one in (run, again):
            one.update()
    assert_same(run, again, tmp_path)


# going on -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("updates", [0, 1, 5])
@pytest.mark.parametrize("discount", ["turn", "decision"])
def test_resumed_run_goes_on_as_if_nothing_had_been(updates: int, discount: str, tmp_path: Path) -> None:
    run = tiny(tmp_path / "run", run={"samples": 2000}, learning={"discount": discount, "gamma": 0.9})
    for _ in range(updates):
        run.update()
    if updates == 5:
        assert len(run.collector.league.frozen()) == 2
    goes_on_alike(run, lambda: resumed(run.folder), tmp_path, 4)


def test_run_with_a_bot_that_remembers_and_a_teacher_goes_on_alike(tmp_path: Path) -> None:
    run = PpoRun.start(ARMY, army(tmp_path / "run"), ROW_BOTS)
    for updates in (2, 3):  # in the middle of imitation, then after it
        for _ in range(updates):
            run.update()
        goes_on_alike(run, lambda: PpoRun.resume(ARMY, run.folder, ROW_BOTS), tmp_path, 1)
    tensors, _ = read_tensors(run.folder / FILE, FORMAT, {})
    remembered = [name for name in tensors if name.startswith("bot.greedy")]
    assert any(tensors[name].any() for name in remembered)


def test_retired_members_are_saved_while_a_game_holds_them(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run", run={"samples": 10_000}, league={"freeze_updates": 1, "size": 1, "self": 0.0})
    for _ in range(30):
        run.update()
        if run.collector.league.retired:
            break
    assert run.collector.league.retired
    goes_on_alike(run, lambda: resumed(run.folder), tmp_path, 3)


def test_snapshots_are_real_copies_that_learning_leaves_alone(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run", run={"samples": 5000}, league={"freeze_updates": 1, "size": 8})
    frozen = []
    for _ in range(4):
        run.update()
        policy = run.collector.league.members[run.collector.league.frozen()[-1]].policy
        assert isinstance(policy, NetworkRows)
        frozen.append((policy.network, {k: v.clone() for k, v in policy.network.state_dict().items()}))
    for network, kept in frozen:
        assert all(torch.equal(value, kept[name]) for name, value in network.state_dict().items())
        assert not any(parameter.requires_grad for parameter in network.parameters())
    own = {value.data_ptr() for value in run.network.state_dict().values()}
    assert not own & {value.data_ptr() for network, _ in frozen for value in network.state_dict().values()}
    newest, oldest = frozen[-1][1], frozen[0][1]
    assert not all(torch.equal(newest[name], oldest[name]) for name in newest)


def test_saved_network_is_the_learner_and_plays_after_the_run(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    run.update()
    run.save()
    network, note = load_network(run.folder / NETWORK, TOY)
    assert note["samples"] == run.clock.samples
    assert all(torch.equal(value, network.state_dict()[name]) for name, value in run.network.state_dict().items())


def test_saving_changes_nothing(tmp_path: Path) -> None:
    run, other = (tiny(tmp_path / name, run={"samples": 2000}) for name in ("a", "b"))
    for _ in range(3):
        run.update()
        run.save()
        other.update()
    assert_same(run, other, tmp_path)


# what is refused ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of three updates."""
    run = tiny(tmp_path_factory.mktemp("saved") / "run", run={"samples": 2000})
    for _ in range(3):
        run.update()
    run.save()
    return run.folder


class Malicious:
    """Makes a folder when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.marker),)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(share: float) -> Callable[[Path], None]:
    def flip(path: Path) -> None:
        raw = bytearray(path.read_bytes())
        raw[int(len(raw) * share)] ^= 4
        path.write_bytes(raw)

    return flip


def retold(**changes: Any) -> Callable[[Path], None]:
    """Other descriptions of the same tensors, with a checksum that fits."""

    def change(path: Path) -> None:
        tensors, about = read_tensors(path, FORMAT, {})
        about = {**about, **changes}
        kind, _ = about.pop("format"), about.pop("sha256")
        write_tensors(path, kind, tensors, {key: value for key, value in about.items() if value is not ...})

    return change


def replaced(name: str, value: torch.Tensor | None) -> Callable[[Path], None]:
    """One tensor is another or, None, missing, with a checksum that fits."""

    def change(path: Path) -> None:
        tensors, about = read_tensors(path, FORMAT, {})
        assert name in tensors
        kind, _ = about.pop("format"), about.pop("sha256")
        if value is None:
            del tensors[name]
        else:
            tensors[name] = value
        write_tensors(path, kind, tensors, about)

    return change


def setting(section: str, **values: Any) -> Callable[[Path], None]:
    """Other settings beside the checkpoint."""

    def change(path: Path) -> None:
        file = path.with_name("config.json")
        config = json.loads(file.read_text())
        config[section].update(values)
        file.write_text(json.dumps(config))

    return change


DAMAGES: list[tuple[Callable[[Path], object], str]] = [
    (cut, "is not a whole safetensors file"),
    (lambda path: path.write_bytes(b""), "is not a whole safetensors file"),
    (lambda path: path.write_bytes(path.read_bytes()[:-1]), "is not a whole safetensors file"),
    (flipped(0.5), "damaged"),
    (flipped(0.9), "damaged"),
    (flipped(0.0), "is not a whole safetensors file"),
    (lambda path: shutil.copy(path.with_name(NETWORK), path), "expected a terracotta-ppo-checkpoint, got terracotta-n"),
    (retold(rules=2), "made for rules 2, this program has 1"),
    (retold(game="terracotta"), "made for game 'terracotta', this program has 'orchard'"),
    (retold(version=99), "made for version 99"),
    (retold(members=...), "does not fit the settings"),
    (retold(members={"1": {"name": "nobody", "weight": 1, "share": 0.5, "games": 0}}), "does not fit the settings"),
    (retold(generators={}), "does not fit the settings"),
    (replaced("network.first.linear.bias", None), "does not fit the settings"),
    (replaced("network.first.linear.bias", torch.zeros(3)), "does not fit the settings"),
    (replaced("games.states", torch.zeros(3, dtype=torch.uint8)), "does not fit the settings"),
    (replaced("collector.seating", None), "does not fit the settings"),
    (replaced("generator.actions", torch.zeros(3)), "does not fit the settings"),
    (setting("network", width=16), "does not fit the settings"),
    (setting("network", blocks=1), "does not fit the settings"),
    (setting("learning", games=8), "does not fit the settings"),
    (setting("league", bots={}), "does not fit the settings"),
]


@pytest.mark.parametrize(("damage", "named"), DAMAGES)
def test_file_that_does_not_belong_is_refused_in_one_line_and_nothing_is_touched(
    damage: Callable[[Path], object], named: str, saved: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(saved, tmp_path / "run"))
    damage(folder / FILE)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(StoreError, match=named) as caught:
        resumed(folder)
    assert "\n" not in str(caught.value)
    assert FILE in str(caught.value)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("form", ["pickle", "torch"])
def test_file_that_would_run_code_is_refused_and_runs_nothing(form: str, saved: Path, tmp_path: Path) -> None:
    folder, marker = Path(shutil.copytree(saved, tmp_path / "run")), tmp_path / "ran"
    for name in (FILE, NETWORK):
        if form == "torch":
            torch.save({"network": Malicious(marker)}, folder / name)
        else:
            (folder / name).write_bytes(pickle.dumps(Malicious(marker)))
    with pytest.raises(StoreError, match=r"is not a whole safetensors file .*pickles are never read") as caught:
        resumed(folder)
    assert "\n" not in str(caught.value)
    with pytest.raises(StoreError, match="pickles are never read"):
        load_network(folder / NETWORK, TOY)
    assert not marker.exists()


def test_file_of_tensors_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_tensors(path, "kind", {"a": torch.zeros(3)}, {"n": 1})
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_tensors(path, "kind", {"a": torch.ones(3)}, {"n": 2})
    tensors, about = read_tensors(path, "kind", {})
    assert tensors["a"].tolist() == [0, 0, 0]
    assert about["n"] == 1


def test_tensors_of_all_kinds_come_back_as_they_were(tmp_path: Path) -> None:
    given = {
        "number": torch.tensor(1.5),
        "none": torch.zeros(0, 3),
        "flags": torch.tensor([True, False]),
        "half": torch.ones(2, dtype=torch.bfloat16),
        "whole": torch.tensor([-(2**62)]),
        "strided": torch.arange(6).reshape(2, 3).T,
        "not a number": torch.tensor([np.nan, np.inf]),
    }
    write_tensors(tmp_path / "file", "kind", given, {"text": "ü\n", "list": [1, None]})
    tensors, about = read_tensors(tmp_path / "file", "kind", {"list": [1, None]})
    assert about["text"] == "ü\n"
    for name, tensor in given.items():
        assert tensors[name].dtype == tensor.dtype
        assert torch.equal(tensors[name].nan_to_num(), tensor.nan_to_num())


# killed ---------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks of a process")
def test_run_killed_at_a_random_moment_ends_bit_equal_after_resuming() -> None:
    words = [sys.executable, "-m", "tests.training.kill", "--kills", "2", "--case", "toy"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "2 kills, 0 runs ended differently"
