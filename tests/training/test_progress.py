"""The display of a run: plain lines where there is no terminal."""

from __future__ import annotations

import pytest

from terracotta_training.clock import Clock
from terracotta_training.progress import SelfPlayProgress


def test_plain_lines_say_how_far_how_fast_and_how_well(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock(0, 0, 1000)
    with SelfPlayProgress(clock) as progress:
        clock.samples, clock.seconds = 500, 2.0
        progress.update({"entropy": 1.25, "score_busy": 0.25, "score_past": 0.5})
        progress.update({"entropy": 1.2, "score_busy": 0.75})  # too soon for a second line
        progress.note("rated: [all] well")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "training  50% 500 samples, 250/s · entropy 1.25 · ahead of busy 25%  past 50%",
        "rated: [all] well",
        "training  50% 500 samples, 250/s · entropy 1.20 · ahead of busy 50%  past 50%",
    ]
