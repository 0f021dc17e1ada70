"""Contrast as WCAG 2 computes it, on the colours that pictures really use, in both themes; owners without colour."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from terracotta_env import render
from terracotta_env.army.picture.colours import DARK, LIGHT, ON_COIN, PREFIX, style
from terracotta_env.army.picture.figures import shape

from .drawn import Element, of_class, parse, sample

THEMES = {"light": LIGHT, "dark": DARK}
GROUNDS = ("page", "panel", "space", "middle", "inner", "ring", "outer", "band", "hub")
# on which grounds each is drawn
TEXTS = {
    "ink": GROUNDS,
    "muted": ("page", "panel", "band", "hub"),
    **{f"on_seat{seat}": (f"seat{seat}",) for seat in range(4)},
    "on_wet": ("wet",),
    "on_stone": ("stone",),
}
SHAPES = {
    **{f"seat{seat}": ("panel", "space", "middle", "band") for seat in range(4)},
    "stone": ("space", "middle", "outer", "panel"),
    "line": ("panel", "band", "hub"),
    "choice": ("page", "panel", "space", "middle", "band", "inner", "ring", "outer"),
    "last": ("space", "middle", "band"),
    "water": ("inner",),
    "wet": ("inner", "ring", "panel"),
    "ink": GROUNDS,
}


def luminance(colour: str) -> float:
    values = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_wcag_says() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_a_contrast_of_4_5(theme: str) -> None:
    colours = THEMES[theme]
    poor = {
        (text, ground): round(contrast(colours[text], colours[ground]), 2)
        for text, grounds in TEXTS.items()
        for ground in grounds
        if contrast(colours[text], colours[ground]) < 4.5
    }
    assert poor == {}
    for ground in ("coin", "dry"):
        assert contrast(ON_COIN, colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_shapes_have_a_contrast_of_3(theme: str) -> None:
    colours = THEMES[theme]
    poor = {
        (shape, ground): round(contrast(colours[shape], colours[ground]), 2)
        for shape, grounds in SHAPES.items()
        for ground in grounds
        if contrast(colours[shape], colours[ground]) < 3
    }
    assert poor == {}


def texts_with_ground(element: Element, ground: str, fill: str) -> Iterator[tuple[str, str]]:
    """``(letters, ground)`` of every text: the ground is the last solid shape drawn in its group or around it."""
    for child in element:
        name = child.tag.rpartition("}")[2]
        fill = child.get("fill", "none")
        if name == "text":
            yield fill, ground
        elif name == "g":
            yield from texts_with_ground(child, ground, fill)
        elif name in ("rect", "circle", "path") and fill.startswith("#") and not child.get("fill-opacity"):
            ground = fill


@pytest.mark.parametrize("theme", THEMES)
def test_colours_of_pictures_are_those_of_the_theme(theme: str) -> None:
    known = {*THEMES[theme].values(), ON_COIN, "none"}
    for position in sample()[::11]:
        root = parse(render.svg(position, theme=theme, legal=True))
        assert {element.get("fill", "none") for element in root.iter()} <= known
        assert {element.get("stroke", "none") for element in root.iter()} <= known


@pytest.mark.parametrize("theme", THEMES)
def test_texts_of_pieces_stand_out_from_what_is_under_them(theme: str) -> None:
    for position in sample()[::11]:
        root = parse(render.svg(position, theme=theme))
        for name in ("ta-statue", "ta-worker", "ta-order", "ta-tile"):
            for piece in of_class(root, name):
                for letters, ground in texts_with_ground(piece, THEMES[theme]["panel"], "none"):
                    assert contrast(letters, ground) >= 4.5, (name, letters, ground)


def test_both_themes_name_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()
    for name in LIGHT:
        assert f"{PREFIX}{name.replace('_', '-')}:" in style()


def test_owners_differ_in_shape_and_number_not_in_colour_alone() -> None:
    outlines = [shape(seat, 10, "#000000", "#000000") for seat in range(4)]
    assert all(one != other for one, other in itertools.combinations(outlines, 2))
    for position in sample()[::11]:
        for name in ("ta-statue", "ta-worker"):
            for piece in of_class(parse(render.svg(position)), name):
                if (owner := piece.get("data-owner")) is not None:
                    assert owner in [element.text for element in piece.iter()]
