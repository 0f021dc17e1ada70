"""The SVG as a document: well formed, self-contained, marked as asked, and clear refusals."""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np
import pytest

from terracotta_env import render
from terracotta_env.army import GAME
from terracotta_env.army.actions import TOKENS_BY_ID
from terracotta_env.army.snapshot import DECISION_NAMES
from terracotta_env.position import Position
from tests.toy import GAME as TOY

from .drawn import deciding, of_class, parse, sample, walk

ASKED = [name for name in DECISION_NAMES if name not in ("over", "action_done")]


def buttons(image: str) -> list[str]:
    return [e.get("data-token", "") for e in parse(image).iter() if e.get("role") == "button"]


def test_many_positions_are_well_formed_and_hold_nothing_from_outside() -> None:
    for number, position in enumerate(sample(31)):
        image = render.svg(position, theme=render.THEMES[number % 4], legal=bool(number % 2))
        parse(image)
        assert image.count("http") == image.count("http://www.w3.org/2000/svg") == 1
        assert not re.search(r"href|url\(|<script|<image|<foreignObject|@import|@font-face| on\w+=| id=| style=", image)
        assert len(image) < 250_000
        assert not re.search(r"nan|inf[^o]|None", re.sub(r"<title>.*?</title>|>[^<]*<", "><", image))


def test_same_position_same_picture() -> None:
    for position in sample()[::7]:
        assert render.svg(position) == render.svg(position.clone())
        before = position.to_bytes()
        render.svg(position, legal=True)
        assert position.to_bytes() == before


def test_every_legal_choice_is_one_button_with_a_label_and_nothing_else_is() -> None:
    for position in sample(31):
        image = render.svg(position, legal=True)
        assert sorted(buttons(image)) == ([] if position.over else position.legal())
        for element in parse(image).iter():
            if element.get("role") == "button":
                assert element.get("tabindex") == "0"
                assert len(element.get("aria-label", "")) >= 3
            elif token := element.get("data-token"):
                assert token in position.legal()  # a larger place to click, out of the way of keyboards
                assert (element.get("aria-hidden"), element.get("tabindex")) == ("true", None)


@pytest.mark.parametrize("decision", ASKED)
def test_choices_of_every_decision(decision: str) -> None:
    position = deciding(decision)
    for layout in render.LAYOUTS:
        assert sorted(buttons(render.svg(position, legal=True, layout=layout))) == position.legal()
    assert buttons(render.svg(position)) == []


def test_heat_is_drawn_on_spaces_and_segments() -> None:
    position = sample()[0]
    heat = {"cell:e4": 0.5, "a1": 1.0, "place:craftsman:3": 0.1, "place:artisan:3": 0.4, "7": 0.25, "rotate:none": 1.0}
    root = parse(render.svg(position, heat=heat))
    assert len(of_class(root, "ta-heat")) == 4
    texts = {element.text for element in root.iter()}
    assert {"50%", "100%", "40%", "25%"} <= texts
    assert not {"10%"} & texts  # of two workers on one segment the likelier counts


def test_every_token_may_carry_heat_and_be_the_last_move() -> None:
    for position in sample()[::20]:
        parse(render.svg(position, heat=dict.fromkeys(TOKENS_BY_ID, 0.3), last=TOKENS_BY_ID))


def test_last_move_is_marked() -> None:
    position = sample()[0]
    marked = ["rotate:inner", "place:craftsman:4", "ring:perform", "warrior:guard", "cell:e4", "weapon:use", "cell:a1"]
    assert len(of_class(parse(render.svg(position, last=marked)), "ta-last")) == 3
    assert len(of_class(parse(render.svg(position, last="cell:e4")), "ta-last")) == 1
    assert of_class(parse(render.svg(position)), "ta-last") == []


def test_perspective_comes_first_and_is_called_you() -> None:
    position = next(position for position in sample() if position.players == 4)
    root = parse(render.svg(position, perspective=2, names=["Ann", "Bob", "Cho", "Dee"]))
    assert [card.get("data-seat") for card in of_class(root, "ta-player")] == ["2", "3", "0", "1"]
    texts = [element.text or "" for element in root.iter()]
    assert "Cho (you)" in texts
    assert "Ann" in texts


def test_names_may_be_anything() -> None:
    names = ["<b>\"&'", "\x00\x1b[31m\ud800\uffff]]>"]
    image = render.svg(Position.from_seed(GAME, 2, 1), names=names, legal=True)
    parse(image)
    image.encode()
    assert "<b>" not in image


def test_long_names_are_cut() -> None:
    image = render.svg(Position.from_seed(GAME, 4, 1), names=["x" * 500, "y", "", "z"])
    assert "xxx…" in image


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"theme": "pink"}, "theme: expected one of auto, page, light, dark, got 'pink'"),
        ({"layout": "round"}, "layout: expected one of wide, tall, got 'round'"),
        ({"perspective": 2}, r"perspective: expected None or a seat in 0..1, got 2"),
        ({"names": ["Ann"]}, "names: expected none or one for each of the 2 seats"),
        ({"heat": {"e4": 1.5}}, r"heat of 'e4': expected a number in 0..1, got 1.5"),
        ({"heat": {"e4": float("nan")}}, "heat of 'e4'"),
        ({"heat": {"e4": "hot"}}, "heat of 'e4': expected a number in 0..1, got 'hot'"),
        ({"heat": {"j9": 0.5}}, "'j9' is neither a token of a decision nor a place"),
        ({"last": ["hop"]}, "'hop' is neither"),
    ],
)
def test_what_cannot_be_is_refused_with_the_choices(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        render.svg(Position.from_seed(GAME, 2, 1), **settings)


def test_notebooks_show_the_picture() -> None:
    position = Position.from_seed(GAME, 2, 1)
    assert position._repr_svg_() == render.svg(position)


def test_game_that_draws_nothing_is_shown_as_text() -> None:
    position = Position.from_seed(TOY, 2, 1)
    for theme in render.THEMES:
        root = parse(render.svg(position, theme=theme, legal=True))
        assert [e.text for e in root.iter() if e.tag.endswith("text")] == position.render().splitlines()
    assert render.stylesheet(TOY) == ""


def test_stylesheet_holds_every_variable_that_pictures_use() -> None:
    sheet = render.stylesheet(GAME)
    used = {
        name
        for position in sample()[::9]
        for name in re.findall(r"var\((--[\w-]+)", render.svg(position, theme="page"))
    }
    assert len(used) > 20
    for name in used:
        assert sheet.count(f"{name}:") == 4  # light and dark, each by system and by the page's own choice
    automatic = render.svg(sample()[0])
    assert f"<style>{sheet}</style>" in automatic
    assert "<style>" not in render.svg(sample()[0], theme="page")
    for theme in ("light", "dark"):
        fixed = render.svg(sample()[0], theme=theme)
        assert "<style>" not in fixed
        assert "var(" not in fixed


def test_drawing_takes_milliseconds() -> None:
    """A page shows a new board 100 ms after a click: most of that must be left to others."""
    positions = [position.clone() for position in walk(4, 5)][-40:]
    render.svg(positions[0], legal=True)
    seconds = []
    for position in positions:
        begin = time.process_time()
        render.svg(position, legal=True)
        seconds.append(time.process_time() - begin)
    assert np.median(seconds) < 0.05
