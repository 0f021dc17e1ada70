"""The command ``render``: what it writes, and one clear line for every mistake."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from terracotta_env import render
from terracotta_env.army import GAME
from terracotta_env.cli import cli
from terracotta_env.record import read_lines
from terracotta_env.render_command import render as command
from tests.running import Run

from .drawn import parse
from .test_film import played


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is there also where the package was installed before it was written."""
    monkeypatch.setitem(cli.commands, "render", command)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    records = [played(GAME, 2, 3), played(GAME, 3, 4)]
    cut: dict[str, Any] = {k: v for k, v in records[0].items() if k not in ("vp", "ranking")}
    records.append({**cut, "decisions": cut["decisions"][:6]})
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_help_names_every_option(run: Run) -> None:
    code, printed, errors = run("render", "--help")
    assert (code, errors) == (0, "")
    for option in command.params:
        assert (option.opts[0] if option.opts[0].startswith("-") else "RECORD") in printed


def test_svg_and_png_of_a_position(run: Run, games: Path, tmp_path: Path) -> None:
    record = next(read_lines(games))[1]
    out = tmp_path / "deep" / "end.svg"
    assert run("render", games, "--out", out) == (0, f"The end of the game in {out}\n", "")
    assert parse(out.read_text()).get("data-to-move") is None
    still = render.still_at(GAME, record, len(record["decisions"]))
    assert out.read_text() == render.svg(still.position, names=record["agents"], last=still.done)
    out = tmp_path / "at.png"
    code, printed, errors = run("render", games, "--out", out, "--at", 9, "--theme", "dark", "--width", 500)
    assert (code, printed, errors) == (0, f"The position before decision 9 in {out}\n", "")
    with Image.open(out) as image:
        assert image.width == 500
    out = tmp_path / "third.svg"
    assert run("render", games, "--out", out, "--game", 1, "--layout", "tall")[0] == 0
    assert parse(out.read_text()).get("data-layout") == "tall"


def test_film_shows_its_progress(run: Run, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    call = ("render", games, "--out", out, "--game", 2, "--every", "decision", "--width", 200, "--milliseconds", 100)
    code, printed, errors = run(*call)
    assert (code, printed) == (0, f"7 pictures in {out}\n")
    assert "7 pictures" in errors
    with Image.open(out) as film:
        assert film.n_frames == 7  # type: ignore[attr-defined]
    assert [path.name for path in tmp_path.iterdir()] == ["game.gif"]


def test_existing_file_is_replaced_only_when_asked(run: Run, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "end.svg"
    out.write_text("precious")
    code, printed, errors = run("render", games, "--out", out)
    assert (code, printed) == (1, "")
    assert f"{out} exists: choose another name, or add --overwrite" in errors
    assert out.read_text() == "precious"
    assert run("render", games, "--out", out, "--overwrite")[1] == f"The end of the game in {out} (replaced)\n"


@pytest.mark.parametrize(
    ("options", "code", "named"),
    [
        (["--out", "game.bmp"], 2, r"ends in .gif, .mp4, .png or .svg, got 'game.bmp'"),
        (["--out", "game.gif", "--at", "3"], 2, "--at has no meaning for a .gif file"),
        (["--out", "game.png", "--every", "turn"], 2, "--every has no meaning for a .png file"),
        (["--out", "game.svg", "--milliseconds", "50"], 2, "--milliseconds has no meaning for a .svg file"),
        (["--out", "game.svg", "--width", "50"], 2, "--width has no meaning for a .svg file"),
        (["--out", "game.mp4", "--theme", "auto"], 2, "--theme auto has no meaning for a .mp4 file"),
        (["--out", "game.png", "--width", "5"], 2, "--width"),
        (["--out", "game.png", "--game", "3"], 1, "has 3 games, numbered from 0: there is no game 3"),
        (["--out", "game.png", "--at", "9999"], 1, "there is no decision 9999: expected 0.."),
        ([], 2, "Missing option '--out'"),
    ],
)
def test_mistakes_are_one_clear_line(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    got, _, errors = run("render", games, *options)
    assert got == code
    [line] = [line for line in errors.splitlines() if line and not line.startswith(("Usage:", "Try "))]
    assert named in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "has 0 games"),
        ("no json\n", "line 1: is not JSON"),
        ("[1]\n", "line 1: expected a JSON object"),
        ('{"format": "letters"}\n', "'letters' is no game's record"),
        ('{"format": "terracotta-record"}\n', "record: version: is missing"),
        ('{"format": "terracotta-record", "decisions": 7}\n', "record"),
    ],
)
@pytest.mark.parametrize("ending", ["svg", "gif"])
def test_bad_records_are_one_clear_line(run: Run, tmp_path: Path, content: str, named: str, ending: str) -> None:
    source, out = tmp_path / "bad.jsonl", tmp_path / f"out.{ending}"
    source.write_text(content)
    code, printed, errors = run("render", source, "--out", out)
    assert (code, printed) == (1, "")
    assert len(errors.splitlines()) == 1
    assert named in errors
    assert not out.exists()


def test_illegal_decision_is_one_clear_line(run: Run, games: Path, tmp_path: Path) -> None:
    record = next(read_lines(games))[1]
    record["decisions"][3] = "\x1b[31mred"
    source = tmp_path / "bad.jsonl"
    source.write_text(json.dumps(record))
    code, _, errors = run("render", source, "--out", tmp_path / "out.png")
    assert code == 1
    assert "not legal" in errors
    assert "\x1b" not in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(("ending", "library"), [("png", "resvg_py"), ("gif", "PIL.Image"), ("mp4", "av")])
def test_missing_library_is_one_clear_line(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    code, _, errors = run("render", games, "--out", tmp_path / f"out.{ending}")
    assert code == 1
    assert len(errors.splitlines()) == 1
    assert f"'{library}', which is not installed: pip install 'terracotta-army[render]'" in errors


def test_folder_that_cannot_be_written_is_one_clear_line(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, errors = run("render", games, "--out", tmp_path / "file" / "out.svg")
    assert code == 1
    assert str(tmp_path / "file") in errors
    assert "Traceback" not in errors
