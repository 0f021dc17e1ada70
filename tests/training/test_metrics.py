"""Metrics: every update once, whatever was killed; columns may come later."""

from __future__ import annotations

from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from terracotta_training.clock import Clock
from terracotta_training.metrics import FILE, TENSORBOARD, Metrics, read_metrics


def clock_at(update: int) -> Clock:
    """Ten samples and two seconds an update."""
    clock = Clock(1, 0, 0)
    clock.samples, clock.seconds, clock.core_seconds = 10 * update, 2.0 * update, 3.0 * update
    return clock


def write(folder: Path, done: int, until: int, **more: float) -> None:
    with Metrics(folder, done) as metrics:
        for update in range(done + 1, until + 1):
            metrics.write(update, clock_at(update), {"entropy": 1 / update, **more})


def test_row_says_what_it_cost_and_what_was_watched(tmp_path: Path) -> None:
    write(tmp_path, 0, 3)
    header, first, *_ = (tmp_path / FILE).read_text().splitlines()
    assert header == "updates,samples,seconds,core_seconds,samples_per_second,entropy"
    assert first == "1,10,2,3,5,1"
    assert [row["entropy"] for row in read_metrics(tmp_path)] == pytest.approx([1, 1 / 2, 1 / 3], rel=1e-6)


def test_resumed_run_has_each_update_once(tmp_path: Path) -> None:
    write(tmp_path, 0, 7)
    write(tmp_path, 4, 6, entropy=9.0)
    rows = read_metrics(tmp_path)
    assert [row["updates"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert [row["entropy"] for row in rows[3:]] == [1 / 4, 9, 9]
    assert {row["samples_per_second"] for row in rows} == {5}


def test_line_cut_by_a_kill_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, 0, 12)
    path = tmp_path / FILE
    path.write_text(path.read_text() + "1")  # the beginning of 13, not update 1 again
    assert len(read_metrics(tmp_path)) == 12
    write(tmp_path, 12, 13)
    assert [row["updates"] for row in read_metrics(tmp_path)] == list(range(1, 14))


def test_new_column_leaves_old_rows_without_it(tmp_path: Path) -> None:
    write(tmp_path, 0, 2)
    write(tmp_path, 2, 3, score_busy=0.5)
    write(tmp_path, 3, 4)
    assert [row.get("score_busy") for row in read_metrics(tmp_path)] == [None, None, 0.5, None]
    assert len({line.count(",") for line in (tmp_path / FILE).read_text().splitlines()}) == 1


def test_tensorboard_hides_what_was_made_again(tmp_path: Path) -> None:
    write(tmp_path, 0, 5)
    write(tmp_path, 3, 6, entropy=9.0)
    events = EventAccumulator(str(tmp_path / TENSORBOARD))
    events.Reload()
    scalars = events.Scalars("learning/entropy")
    assert [scalar.step for scalar in scalars] == [10, 20, 30, 40, 50, 60]
    assert [scalar.value for scalar in scalars][3:] == [9, 9, 9]
    assert "cost/core_seconds" in events.Tags()["scalars"]
