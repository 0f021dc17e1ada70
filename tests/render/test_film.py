"""Films of records: which moments they show, the files, and that half a film is never seen."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from terracotta_env import render
from terracotta_env.army import GAME
from terracotta_env.errors import MissingExtraError, RecordError
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.record import play_record
from terracotta_env.render.film import LAST_MILLISECONDS, names_of
from tests.toy import GAME as TOY

av = pytest.importorskip("av")


def played(game: Any, players: int, seed: int) -> dict[str, Any]:
    policies = [Uniform() for _ in range(players)]
    for seat, policy in enumerate(policies):
        policy.begin(seed + seat)
    return play_record(Position.from_seed(game, players, seed), policies)


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return played(GAME, 2, 3)


@pytest.fixture(scope="module")
def short(record: dict[str, Any]) -> dict[str, Any]:
    """A game that goes on: its first fourteen decisions."""
    return {key: value for key, value in record.items() if key not in ("vp", "ranking")} | {
        "decisions": record["decisions"][:14]
    }


def test_one_picture_for_each_decision(record: dict[str, Any]) -> None:
    shown = render.stills(GAME, record, "decision")
    assert [still.done for still in shown] == [(), *((token,) for token in record["decisions"])]
    assert shown[-1].position.points() == record["vp"]


def test_one_picture_for_each_turn(record: dict[str, Any]) -> None:
    shown = render.stills(GAME, record)
    assert [token for still in shown for token in still.done] == record["decisions"]
    assert shown[-1].position.over
    placed = [sum(token.startswith("place:") for token in still.done) for still in shown[1:]]
    assert max(placed) == 1
    assert len(shown) - 1 <= 5 * 2 * 5  # five rounds of two players with five workers
    for one, two in itertools.pairwise(shown):
        seats = {one.position.to_act}
        position = one.position.clone()
        for token in two.done:
            seats.add(position.to_act)
            position.play(token)
        assert len(seats) == 1
        assert position == two.position


def test_record_that_goes_on_and_one_of_another_game(short: dict[str, Any]) -> None:
    assert len(render.stills(GAME, short, "decision")) == 15
    toy = played(TOY, 2, 1)
    assert render.stills(TOY, toy)[-1].position.points() == toy["vp"]


def test_position_at_a_decision(record: dict[str, Any]) -> None:
    shown = render.stills(GAME, record, "decision")
    for at in (0, 7, len(record["decisions"])):
        assert render.still_at(GAME, record, at).position == shown[at].position
    for at in (-1, len(record["decisions"]) + 1):
        with pytest.raises(RecordError, match=rf"there is no decision {at}: expected 0\.\.\d+"):
            render.still_at(GAME, record, at)


def test_position_at_a_decision_knows_the_turn_that_goes_on_or_the_one_before(record: dict[str, Any]) -> None:
    turns = render.stills(GAME, record)
    at = 0
    for one, two in itertools.pairwise(turns):
        assert render.still_at(GAME, record, at) == one
        for count in range(1, len(two.done)):
            assert render.still_at(GAME, record, at + count).done == two.done[:count]
        at += len(two.done)
        if at > 30:
            break


def test_bad_records_and_settings_are_refused(record: dict[str, Any], tmp_path: Path) -> None:
    wrong = {**record, "decisions": ["rotate:none", "cell:e4"]}
    for call in (lambda: render.stills(GAME, wrong), lambda: render.still_at(GAME, wrong, 0)):
        with pytest.raises(RecordError, match=r"decision \d \(\w+:\w+\): not legal"):
            call()
    with pytest.raises(ValueError, match="every: expected one of turn, decision, got 'week'"):
        render.stills(GAME, record, "week")
    shown = render.stills(GAME, record)[:2]
    with pytest.raises(ValueError, match=r"path: expected a file name that ends in .gif or .mp4"):
        render.write_film(tmp_path / "film.avi", shown)
    with pytest.raises(ValueError, match=r"milliseconds: expected a number in 20\.\.60000, got 1"):
        render.write_film(tmp_path / "film.gif", shown, milliseconds=1)
    assert list(tmp_path.iterdir()) == []


def test_gif_shows_every_picture_as_long_as_asked(short: dict[str, Any], tmp_path: Path) -> None:
    shown = render.stills(GAME, short, "decision")
    path = tmp_path / "deep" / "film.gif"
    render.write_film(path, shown, width=320, milliseconds=700)
    with Image.open(path) as film:
        assert film.n_frames == len(shown)  # type: ignore[attr-defined]
        assert film.size[0] == 320
        durations = []
        for k in range(len(shown)):
            film.seek(k)
            durations.append(film.info["duration"])
        assert durations == [*[700] * (len(shown) - 1), LAST_MILLISECONDS]
        assert film.info["loop"] == 0
        last = np.array(film.convert("RGB")).astype(int)
    still = shown[-1]
    exact = render.rgb(still.position, width=320, last=still.done)[: len(last)]
    assert np.abs(last - exact).mean() < 3  # 160 colours are not all


def test_mp4_shows_every_picture_as_long_as_asked(short: dict[str, Any], tmp_path: Path) -> None:
    shown = render.stills(GAME, short)[:3]
    path = tmp_path / "film.mp4"
    render.write_film(path, shown, width=321, milliseconds=1000, theme="dark")
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(stream)]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert float(stream.duration * stream.time_base) == pytest.approx(2 * 1.0 + LAST_MILLISECONDS / 1000)
    exact = render.rgb(shown[0].position, width=322, theme="dark")
    assert frames[0].shape == exact.shape
    assert np.abs(frames[0] - exact).mean() < 6


def test_tall_films_and_names(short: dict[str, Any], tmp_path: Path) -> None:
    shown = render.stills(GAME, short)[:2]
    render.write_film(tmp_path / "a.gif", shown, width=200, layout="tall", names=["Ann", "Bob"])
    with Image.open(tmp_path / "a.gif") as film:
        assert film.height > film.width


def test_film_that_fails_leaves_the_old_file_and_no_other(short: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    path.write_bytes(b"old")

    def failing(pictures: Any) -> Any:
        yield next(iter(pictures))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render.write_film(path, render.stills(GAME, short), width=100, progress=failing)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_missing_library_says_what_to_install(
    short: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    with pytest.raises(MissingExtraError, match="an MP4 needs the library 'av'"):
        render.write_film(tmp_path / "film.mp4", render.stills(GAME, short)[:2], width=100)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("record", "names"),
    [
        ({"players": 2, "agents": ["a", "b"]}, ["a", "b"]),
        ({"players": 3, "agents": ["a", "b"]}, []),
        ({"players": 2, "agents": "ab"}, []),
        ({"players": 2}, []),
        ({"players": 2, "agents": None}, []),
    ],
)
def test_names_are_taken_from_the_record_where_they_fit(record: dict[str, Any], names: list[str]) -> None:
    assert names_of(record) == names
