"""The same games however they are made, and nothing lost or mixed when the making stops."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from terracotta_agents.dataset import making
from terracotta_agents.dataset.folder import DatasetError, Folder
from terracotta_agents.dataset.making import make_dataset
from terracotta_agents.dataset.reading import files_of, read
from terracotta_agents.dataset.tables import GAMES
from terracotta_env.writing import beside
from tests.agents.dataset.toys import settings

ROOT = Path(__file__).resolve().parents[3]
# argument: folder.  Plays slowly enough that a kill meets it anywhere.
SCRIPT = """
import sys, time
from pathlib import Path
from terracotta_agents.dataset.making import make_dataset
from tests.agents.dataset.toys import settings
print("ready", flush=True)
make_dataset(settings("kernel", "kernel", games=1000, part=10), Path(sys.argv[1]), progress=lambda n: time.sleep(0.003))
"""


def content(path: Path) -> dict[str, bytes]:
    """Every file of a data set that a reader sees, but the lock."""
    return {
        str(f.relative_to(path)): f.read_bytes() for f in sorted(path.rglob("*")) if f.is_file() and f.name != ".lock"
    }


def rows(path: Path, table: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = read(path, table).to_pylist()
    return found


@pytest.mark.parametrize("agents", [("kernel", "kernel"), ("rows", "rows"), ("kernel", "single")])
def test_a_game_is_the_same_in_parts_of_any_size_and_sets_of_any_length(
    tmp_path: Path, agents: tuple[str, ...]
) -> None:
    make_dataset(settings(*agents, games=150, part=150), tmp_path / "one")
    make_dataset(settings(*agents, games=110, part=37), tmp_path / "many")
    for table in ("games", "turns", "ledger", "ranks", "decisions"):
        whole = [row for row in rows(tmp_path / "one", table) if int(str(row["game"])) < 110]
        assert rows(tmp_path / "many", table) == whole


def test_parts_made_on_processes_have_the_same_bytes(tmp_path: Path) -> None:
    told: list[int] = []
    made = settings("rows", "kernel", games=100, part=30)
    assert make_dataset(made, tmp_path / "two", jobs=2, progress=told.append)
    assert sum(told) == 100
    make_dataset(made, tmp_path / "one")
    assert content(tmp_path / "two") == content(tmp_path / "one")


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    make_dataset(settings("kernel", "kernel"), tmp_path / "a")
    make_dataset(settings("kernel", "kernel", seed=8), tmp_path / "b")
    assert set(read(tmp_path / "a", "games")["setup_seed"].to_pylist()).isdisjoint(
        read(tmp_path / "b", "games")["setup_seed"].to_pylist()
    )


@pytest.mark.slow
def test_a_killed_making_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    draw = random.Random(3)
    whole, path = tmp_path / "whole", tmp_path / "killed"
    made = settings("kernel", "kernel", games=1000, part=10)
    make_dataset(made, whole)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", SCRIPT, str(path)], env=env, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            time.sleep(draw.uniform(0.1, 0.6))
            process.send_signal(signal.SIGKILL)
        if Folder(path).has(0):
            # what is there are whole parts, and as they will be
            parts = [file.name for file in files_of(path, GAMES)]
            for table in ("turns", "ledger", "ranks", "decisions"):
                for part in parts:
                    assert (path / table / part).read_bytes() == (whole / table / part).read_bytes()
    assert make_dataset(made, path)
    assert content(path) == content(whole)


def test_half_written_parts_are_made_anew(tmp_path: Path) -> None:
    made = settings("kernel", "kernel", games=60, part=20)
    make_dataset(made, tmp_path / "whole")
    make_dataset(made, tmp_path / "cut")
    (tmp_path / "cut" / "games" / "000001.parquet").unlink()
    (tmp_path / "cut" / "turns" / "000001.parquet").write_bytes(b"half")
    beside(tmp_path / "cut" / "ledger" / "000001.parquet").write_bytes(b"half")
    assert read(tmp_path / "cut", "turns").num_rows < read(tmp_path / "whole", "turns").num_rows
    make_dataset(made, tmp_path / "cut")
    assert content(tmp_path / "cut") == content(tmp_path / "whole")


def test_a_stopped_making_says_so_and_goes_on(tmp_path: Path) -> None:
    made = settings("kernel", "kernel", games=60, part=20)
    assert not make_dataset(made, tmp_path, asked=lambda: Folder(tmp_path).has(1))
    assert len(files_of(tmp_path, GAMES)) == 2
    assert make_dataset(made, tmp_path)


def test_more_games_join_a_finished_set(tmp_path: Path) -> None:
    make_dataset(settings("rows", "rows", games=50, part=20), tmp_path / "grown")
    make_dataset(settings("rows", "rows", games=90, part=20), tmp_path / "grown")
    make_dataset(settings("rows", "rows", games=90, part=20), tmp_path / "once")
    assert content(tmp_path / "grown") == content(tmp_path / "once")
    with pytest.raises(DatasetError, match="was made with games 90, not 50"):
        make_dataset(settings("rows", "rows", games=50, part=20), tmp_path / "grown")


def test_other_settings_are_refused_and_change_nothing(tmp_path: Path) -> None:
    make_dataset(settings("rows", "rows"), tmp_path)
    before = content(tmp_path)
    for other, word in (
        (settings("rows", "rows", seed=1), "seed"),
        (settings("rows", "single"), "agents"),
        (settings("rows", "rows", "rows"), "agents"),
        (settings("rows", "rows", rotate=True), "rotate"),
        (settings("rows", "rows", part=10), "part"),
        (settings("rows", "rows", decisions=False), "tables"),
    ):
        with pytest.raises(DatasetError, match=f"was made with {word} "):
            make_dataset(other, tmp_path)
    assert content(tmp_path) == before


def test_a_foreign_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(DatasetError, match=r"is not the folder of a data set, it holds 'letters\.txt'"):
        make_dataset(settings("rows", "rows"), tmp_path)
    assert content(tmp_path) == {"letters.txt": b"dear"}
    with pytest.raises(DatasetError, match="is a file"):
        make_dataset(settings("rows", "rows"), tmp_path / "letters.txt")
    (tmp_path / "dataset.json").write_text('{"format": "other"}')
    with pytest.raises(DatasetError, match="made by another program"):
        make_dataset(settings("rows", "rows"), tmp_path)


def test_two_writers_at_once_are_refused(tmp_path: Path) -> None:
    made = settings("rows", "rows")
    maker = making.Maker(made)
    with Folder(tmp_path).held(maker.manifest()), pytest.raises(DatasetError, match="is being written"):
        make_dataset(made, tmp_path)


def test_a_wrong_number_of_agents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="one for each seat, 2, 3 of them, got 1"):
        make_dataset(settings("rows"), tmp_path)


def test_reading_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"it has no dataset\.json"):
        read(tmp_path, "games")
    make_dataset(settings("rows", "rows", decisions=False, part=100), tmp_path)
    with pytest.raises(DatasetError, match="no table 'decisions'; it has turns, ledger, ranks, games"):
        read(tmp_path, "decisions")
    (tmp_path / "games" / "000000.parquet").unlink()
    with pytest.raises(DatasetError, match="holds no whole part yet"):
        read(tmp_path, "turns")


def test_the_manifest_says_who_played_what(tmp_path: Path) -> None:
    make_dataset(settings("rows", "single"), tmp_path)
    manifest = json.loads((tmp_path / "dataset.json").read_text())
    assert manifest["schema"] == 1
    assert (manifest["game"], manifest["rules"], manifest["seed"]) == ("orchard", 1, 7)
    assert manifest["agents"] == [{"code": c, "name": "random", "version": 1} for c in ("rows", "single")]


def test_long_games_get_more_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_dataset(settings("kernel", "kernel"), tmp_path / "a")
    monkeypatch.setattr("terracotta_agents.dataset.playing._AT_FIRST", 3)
    make_dataset(settings("kernel", "kernel"), tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert np.max(read(tmp_path / "b", "games")["decisions"].to_numpy()) > 3
