"""``render_mode`` of the AEC and the Gymnasium view: pixels, and what a person sees with and without a display."""

from __future__ import annotations

import copy
import logging
import pickle
import sys
import types
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RenderCollection
from pettingzoo.test.render_test import render_test
from PIL import Image

from terracotta_env import render, terracotta_v0
from terracotta_env.aec import GameAEC
from terracotta_env.errors import MissingExtraError
from terracotta_env.gym import GameGym
from terracotta_env.position import Position
from terracotta_env.render import window
from terracotta_env.render.window import Screen, has_display
from tests.toy import GAME as TOY

GYM = "terracotta_env.terracotta_v0:TerracottaArmy-v0"


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests open no windows and leave no files behind."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_aec_returns_pixels() -> None:
    env = terracotta_v0.env(players=3, render_mode="rgb_array")
    env.reset(seed=4)
    first = env.render()
    assert isinstance(first, np.ndarray)
    assert first.dtype == np.uint8
    assert first.shape[2:] == (3,)
    assert np.array_equal(first, render.rgb(env.position))
    env.step(int(env.position.mask().argmax()))
    assert (first != env.render()).any()
    env.close()


def test_gymnasium_returns_pixels() -> None:
    env = gymnasium.make(GYM, players=2, render_mode="rgb_array")
    env.reset(seed=4)
    pixels: Any = env.render()
    assert np.array_equal(pixels, render.rgb(env.unwrapped.position))  # type: ignore[attr-defined]
    env.close()


def test_gymnasium_s_checker_and_wrappers_take_the_pictures() -> None:
    env = terracotta_v0.TerracottaGym(players=2, illegal="penalise", render_mode="rgb_array")
    check_env(env)
    collected = RenderCollection(terracotta_v0.TerracottaGym(players=2, render_mode="rgb_array"))
    collected.reset(seed=1)
    frames: Any = collected.render()
    assert [frame.shape[2] for frame in frames] == [3]


def test_pettingzoo_s_render_test() -> None:
    def make(render_mode: str | None = None) -> terracotta_v0.raw_env:
        return terracotta_v0.env(players=2, render_mode=render_mode)

    render_test(make)  # type: ignore[arg-type]


def test_picture_before_the_game_has_begun_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no game has begun in it: call reset\(\) first"):
        terracotta_v0.TerracottaGym(render_mode="rgb_array").render()
    with pytest.raises(AssertionError, match="reset"):
        terracotta_v0.env(render_mode="rgb_array").render()


@pytest.mark.parametrize("view", [GameAEC, GameGym])
def test_any_game_is_shown(view: Any) -> None:
    env = view(TOY, 2, render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().dtype == np.uint8


@pytest.mark.parametrize("view", [GameAEC, GameGym])
def test_missing_library_is_told_when_the_environment_is_made(monkeypatch: pytest.MonkeyPatch, view: Any) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match="render_mode='rgb_array' needs the library 'resvg_py'"):
        view(TOY, 2, render_mode="rgb_array")


@pytest.mark.parametrize("view", [GameAEC, GameGym])
def test_metadata_names_the_modes(view: Any) -> None:
    metadata = view(TOY, 2).metadata
    assert metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    assert metadata["render_fps"] == window.FPS


# without a display ----------------------------------------------------------------------------------------------------


def written(caplog: pytest.LogCaptureFixture) -> list[Path]:
    return [Path(record.getMessage().rpartition(" ")[2]) for record in caplog.records]


def test_without_a_display_the_picture_is_kept_in_a_file_named_once(caplog: pytest.LogCaptureFixture) -> None:
    env = terracotta_v0.env(players=2, render_mode="human")
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(env.position.mask().argmax()))
        [path] = written(caplog)
        assert np.array_equal(
            np.array(Image.open(path).convert("RGB")), render.rgb(env.position)[: Image.open(path).height]
        )
    assert env.render() is None
    env.close()
    assert path.exists()
    assert [other.name for other in path.parent.iterdir()] == ["board.png"]


def test_gymnasium_view_shows_the_same_way(caplog: pytest.LogCaptureFixture) -> None:
    env = terracotta_v0.TerracottaGym(players=2, seat=0, render_mode="human")
    env.reset(seed=1)
    [path] = written(caplog)
    before = path.read_bytes()
    env.step(int(env.action_masks().argmax()))
    assert path.read_bytes() != before
    env.close()


def test_without_the_extra_the_file_is_an_svg(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    env = terracotta_v0.env(players=2, render_mode="human")
    env.reset(seed=1)
    [path] = written(caplog)
    assert path.read_text() == render.svg(env.position, theme="light")


def test_each_environment_and_each_copy_has_a_file_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    env = terracotta_v0.env(players=2, render_mode="human")
    env.reset(seed=1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()):
        other.render()
    assert len(set(written(caplog))) == 4


@pytest.mark.parametrize(
    ("environment", "shown"),
    [({}, False), ({"DISPLAY": ""}, False), ({"DISPLAY": ":0"}, True), ({"WAYLAND_DISPLAY": "wayland-0"}, True)],
)
def test_display_is_found_in_the_environment(environment: dict[str, str], shown: bool) -> None:
    assert has_display(environment) == (shown or sys.platform in ("win32", "darwin"))


# with a display -------------------------------------------------------------------------------------------------------


class FakeTk(types.ModuleType):
    """Stands for tkinter: counts what is shown, and can fail as Tk does."""

    class TclError(Exception):
        pass

    def __init__(self) -> None:
        super().__init__("tkinter")
        self.images: list[bytes] = []
        self.windows = 0
        self.closed = 0
        self.works = True
        outer = self

        class Window:
            def __init__(self) -> None:
                if not outer.works:
                    raise outer.TclError("couldn't connect to display")
                outer.windows += 1

            def title(self, text: str) -> None: ...

            def winfo_screenwidth(self) -> int:
                return 1000

            def update(self) -> None:
                if not outer.works:
                    raise outer.TclError("application has been destroyed")

            def destroy(self) -> None:
                outer.closed += 1

        class Label:
            def __init__(self, master: Any, borderwidth: int) -> None: ...

            def pack(self) -> None: ...

            def configure(self, image: Any) -> None: ...

        self.Tk, self.Label = Window, Label
        self.PhotoImage = lambda master, data: self.images.append(data)


@pytest.fixture
def tk(monkeypatch: pytest.MonkeyPatch) -> FakeTk:
    fake = FakeTk()
    monkeypatch.setitem(sys.modules, "tkinter", fake)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(window, "FPS", 1000)
    return fake


@pytest.fixture
def position() -> Position:
    return Position.from_seed(TOY, 2, 1)


def test_window_shows_each_position(tk: FakeTk, position: Position, caplog: pytest.LogCaptureFixture) -> None:
    screen = Screen()
    screen.show(position)
    screen.show(position.clone().play(position.legal()[0]))
    assert (tk.windows, len(tk.images), len(set(tk.images))) == (1, 2, 2)
    assert all(image.startswith(b"\x89PNG") for image in tk.images)
    assert screen.path is None
    screen.close()
    screen.close()
    assert tk.closed == 1
    assert caplog.records == []
    screen.show(position)  # an environment that was closed may be reset
    assert tk.windows == 2


def test_window_that_a_person_closes_does_not_come_back(tk: FakeTk, position: Position) -> None:
    screen = Screen()
    screen.show(position)
    tk.works = False
    screen.show(position)
    screen.show(position)
    assert tk.windows == 1
    assert screen.path is not None
    assert screen.path.exists()


def test_display_that_cannot_be_reached_leaves_the_file(
    tk: FakeTk, position: Position, caplog: pytest.LogCaptureFixture
) -> None:
    tk.works = False
    screen = Screen()
    with caplog.at_level(logging.WARNING):
        screen.show(position)
    assert screen.path is not None
    assert "couldn't connect to display" in caplog.text


def test_python_without_tk_leaves_the_file(monkeypatch: pytest.MonkeyPatch, position: Position) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setitem(sys.modules, "tkinter", None)
    screen = Screen()
    screen.show(position)
    assert screen.path is not None
