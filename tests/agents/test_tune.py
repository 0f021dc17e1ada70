"""``python -m terracotta_agents.tune``: its setups are its own, its fit finds what it is shown, its file is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from terracotta_agents.planner.weights import NAMES, TABLE, read_weights
from terracotta_agents.tune import CHECK, COLLECT, SCATTER, all_weights, fit, main, scattered, setup_seed, write_weights
from terracotta_env.policy import stream

FILE_MISSING = Path("no such file")


def test_tuning_setups_are_those_of_no_evaluation() -> None:
    tuning = {
        setup_seed(seed, purpose, players, number)
        for seed in range(4)
        for purpose in (COLLECT, CHECK, SCATTER)
        for players in (2, 3, 4)
        for number in range(50)
    }
    assert len(tuning) == 4 * 3 * 3 * 50
    assert not tuning & {stream(seed, setup) for seed in range(20) for setup in range(400)}


def test_fit_finds_weights_that_explain_the_results() -> None:
    rng = np.random.default_rng(1)
    weights = all_weights(FILE_MISSING)[2]
    slopes = rng.normal(size=(4000, len(NAMES)))
    true = np.zeros(len(NAMES))
    true[NAMES.index("clay")], true[NAMES.index("sword")] = 0.4, -0.5
    found = fit(slopes, slopes @ true + rng.normal(size=4000), weights, 0.01)
    assert found["clay"] - weights["clay"] == pytest.approx(0.4, abs=0.1)
    assert found["sword"] - weights["sword"] == pytest.approx(-0.5, abs=0.1)
    assert found["rival"] == weights["rival"]
    assert all(low <= found[name] <= high for name, _, low, high, _ in TABLE)


def test_scattered_weights_stay_in_their_ranges() -> None:
    weights = all_weights(FILE_MISSING)[3]
    moved = scattered(weights, np.random.default_rng(2), 1.0)
    assert moved["rival"] == weights["rival"]
    assert moved["clay"] != weights["clay"]
    assert all(low <= moved[name] <= high for name, _, low, high, _ in TABLE)


def test_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    weights = all_weights(FILE_MISSING)
    weights[4]["clay"] = 1.25
    write_weights(tmp_path / "tuned.toml", weights)
    assert read_weights(tmp_path / "tuned.toml") == weights


def test_a_small_pass_prints_what_it_did_and_keeps_the_better_weights(tmp_path: Path) -> None:
    file = tmp_path / "tuned.toml"
    arguments = ["--players", "2", "--games", "20", "--setups", "2", "--file", str(file)]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "pass 0: 20 games, 980 positions" in result.output
    assert result.output.count("ridge") == 4
    assert set(read_weights(file)) == {2, 3, 4}
