"""Replay: bounded, on disk, and whole at any moment."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from terracotta_agents.neural.store import StoreError
from terracotta_training.replay import FOLDER, Replay

KIND = np.dtype([("value", "i8")])


def samples(*values: int) -> np.ndarray:
    return np.array([(value,) for value in values], KIND)


def held(replay: Replay) -> set[int]:
    return {int(value) for block in replay.blocks.values() for value in block["value"]}


def files(folder: Path) -> list[int]:
    return sorted(int(path.stem) for path in (folder / FOLDER).iterdir())


def test_window_passes_over_whole_jobs_and_never_holds_fewer_samples_than_it_should(tmp_path: Path) -> None:
    replay = Replay(tmp_path, KIND, 5)
    for number in range(6):
        replay.add(number, samples(*range(3 * number, 3 * number + 3)))
        assert min(5, 3 * number + 3) <= len(replay) < 5 + 3
    assert held(replay) == set(range(12, 18))


def test_files_stay_until_the_run_is_saved_without_them(tmp_path: Path) -> None:
    replay = Replay(tmp_path, KIND, 2)
    for number in range(4):
        replay.add(number, samples(number, number))
    assert files(tmp_path) == [0, 1, 2, 3]
    replay.tidy()
    assert files(tmp_path) == [3]


def test_put_back_reads_what_a_checkpoint_names_and_removes_what_came_later(tmp_path: Path) -> None:
    replay = Replay(tmp_path, KIND, 4)
    for number in (3, 1, 2):  # in the order in which jobs came in
        replay.add(number, samples(number, number))
    named = list(replay.blocks)
    replay.add(4, samples(4, 4, 4))
    again = Replay(tmp_path, KIND, 4)
    again.put_back(named)
    assert list(again.blocks) == named == [1, 2]
    assert files(tmp_path) == [1, 2]


def test_draws_are_even_over_all_samples_and_follow_the_generator(tmp_path: Path) -> None:
    replay = Replay(tmp_path, KIND, 100)
    replay.add(0, samples(0))
    replay.add(1, samples(1, 2, 3))
    drawn = replay.draw(8000, np.random.default_rng(0))["value"]
    assert np.abs(np.bincount(drawn) / 8000 - 0.25).max() < 0.02
    again = replay.draw(8000, np.random.default_rng(0))["value"]
    np.testing.assert_array_equal(drawn, again)


@pytest.mark.parametrize("harm", ["missing", "cut", "other"])
def test_a_file_that_is_not_what_the_checkpoint_names_is_refused_by_name(tmp_path: Path, harm: str) -> None:
    replay = Replay(tmp_path, KIND, 100)
    replay.add(7, samples(1, 2, 3))
    path = tmp_path / FOLDER / "00000007.npy"
    if harm == "missing":
        path.unlink()
    elif harm == "cut":
        path.write_bytes(path.read_bytes()[:-5])
    else:
        np.save(path, np.zeros(3))
    with pytest.raises(StoreError, match=r"00000007\.npy"):
        Replay(tmp_path, KIND, 100).put_back([7])
