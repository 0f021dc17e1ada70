"""Pictures in pixels: shapes, the same bytes everywhere, and what happens where a library is missing."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import pytest
from PIL import Image

from terracotta_env import render
from terracotta_env.army import GAME
from terracotta_env.errors import MissingExtraError
from terracotta_env.position import Position
from tests.toy import GAME as TOY

from .drawn import sample


@pytest.fixture
def position() -> Position:
    return sample()[-1]


@pytest.mark.parametrize("layout", render.LAYOUTS)
@pytest.mark.parametrize("width", [320, 1001])
def test_pixels_have_the_width_asked_for_and_an_even_height(position: Position, width: int, layout: str) -> None:
    pixels = render.rgb(position, width=width, layout=layout)
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (width, 3)
    assert pixels.shape[0] % 2 == 0
    assert (pixels.shape[0] > width) == (layout == "tall")


def test_same_position_same_pixels(position: Position) -> None:
    assert render.png(position, width=640) == render.png(position.clone(), width=640)


def test_png_holds_the_same_picture(position: Position) -> None:
    image = Image.open(io.BytesIO(render.png(position, width=640)))
    assert image.format == "PNG"
    pixels = render.rgb(position, width=640)
    assert np.array_equal(np.array(image.convert("RGB")), pixels[: image.height])


def test_themes_differ_as_day_and_night(position: Position) -> None:
    light, dark = (render.rgb(position, width=320, theme=theme).mean() for theme in ("light", "dark"))
    assert light > 180
    assert dark < 75
    assert np.array_equal(render.rgb(position, width=320, theme="auto"), render.rgb(position, width=320, theme="light"))


def test_letters_are_drawn_without_the_system_s_fonts() -> None:
    """Of a game shown as text nothing else is drawn; and nothing of it may depend on the machine."""
    position = Position.from_seed(TOY, 2, 1)
    pixels = render.rgb(position, width=400)
    assert (pixels < 128).mean() > 0.01
    one, other = (render.svg(sample()[0], theme="light").replace("sans-serif", family) for family in ("serif", "x"))
    assert render.png_of(one, 300) == render.png_of(other, 300)


def test_every_letter_of_the_pictures_is_in_the_fonts() -> None:
    from importlib.resources import files

    from fontTools.ttLib import TTFont

    letters = {c for p in sample()[::9] for layout in render.LAYOUTS for c in render.svg(p, legal=True, layout=layout)}
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        known = TTFont(files("terracotta_env.render") / "fonts" / name).getBestCmap()
        assert {c for c in letters if ord(c) not in known} == set()


@pytest.mark.parametrize("width", [0, -5, 15, 8193, 1.5, True, "wide"])
def test_width_that_cannot_be_is_refused(position: Position, width: Any) -> None:
    with pytest.raises(ValueError, match=r"width: expected a number of pixels in 16..8192"):
        render.rgb(position, width=width)


def test_text_that_is_no_svg_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\w"):
        render.png_of("no picture")


@pytest.mark.parametrize("library", ["resvg_py", "PIL.Image"])
def test_missing_library_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, library: str, position: Position
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=rf"'{library}', which is not installed: pip install 'terracotta-army"):
        render.rgb(position)
    render.svg(position)  # needs nothing


def test_drawing_changes_nothing() -> None:
    position = Position.from_seed(GAME, 2, 1)
    before = position.to_bytes()
    render.rgb(position, width=100)
    assert position.to_bytes() == before
