"""The whole position as one SVG, drawn anew for each position: no picture of the published game is in it.

    >>> from terracotta_env import render
    >>> image = render.svg(position, theme="light", legal=True)

Nothing is loaded from elsewhere and no element has an id, so many pictures can stand in one page.  What can be told of
the elements from outside are ``data-`` attributes; ``docs/render.md`` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ..snapshot import plain, snapshot
from . import header, legend, mausoleum, players, supplies, wheel, words
from .colours import ROOT_CLASS, palette, style
from .svg import at, box, el, number, safe
from .view import View, heat_of, places

LAYOUTS: Final = ("wide", "tall")
_GAP: Final = 16


def picture(
    states: np.ndarray,
    *,
    theme: str = "auto",
    layout: str = "wide",
    perspective: int | None = None,
    names: Sequence[str] = (),
    legal: Sequence[str] = (),
    heat: Mapping[str, float] | None = None,
    last: Sequence[str] = (),
) -> str:
    """The position of ``states[0]`` as SVG; see :func:`terracotta_env.render.svg`."""
    view = View(
        plain(states),
        snapshot(states),
        palette(theme),
        frozenset(legal),
        heat_of(heat or {}),
        places(last),
        names,
        perspective,
    )
    parts, width, height = _wide(view) if layout == "wide" else _tall(view)
    return el(
        "svg",
        el("title", safe(_title(view))),
        el("desc", safe(words.description(view.snapshot))),
        el("style", style()) if theme == "auto" else "",
        box(0, 0, width, height, view.colour["page"]),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        class_=ROOT_CLASS,
        font_family="sans-serif",
        role="group",
        aria_label=_title(view),
        data_layout=layout,
        data_round=str(view.snapshot["round"]),
        data_to_move=None if view.snapshot["over"] else str(view.snapshot["to_move"]),
    )


def _title(view: View) -> str:
    snapshot = view.snapshot
    state = "over" if snapshot["over"] else f"seat {snapshot['to_move']} decides"
    return f"Terracotta Army, {len(snapshot['players'])} players, round {snapshot['round']} of 5, {state}"


def _wide(view: View) -> tuple[list[str], float, float]:
    """Wheel and Mausoleum side by side, the players below: for screens and slides."""
    cards = players.seats(view)
    width = 3 * _GAP + wheel.SIZE + mausoleum.WIDTH
    inner = width - 2 * _GAP
    y: float = _GAP
    parts = [
        at(_GAP, y, header.draw_tiles(view)),
        at(2 * _GAP + header.TILES_WIDTH, y, header.draw_order(view, inner - header.TILES_WIDTH - _GAP)),
    ]
    y += header.TILES_HEIGHT + 12
    parts.append(at(_GAP, y, header.draw_question(view, inner)))
    y += header.QUESTION_HEIGHT + 14
    parts.append(at(_GAP, y, wheel.draw(view)))
    right = 2 * _GAP + wheel.SIZE
    parts.append(at(right, y, mausoleum.draw(view)))
    y += max(wheel.SIZE, mausoleum.HEIGHT) + 14
    supply_width = supplies.ORGANIZER_WIDTH + _GAP + supplies.SPECIALISTS_WIDTH
    parts.append(at(_GAP, y, supplies.draw_organizer(view)))
    parts.append(at(2 * _GAP + supplies.ORGANIZER_WIDTH, y, supplies.draw_specialists(view)))
    parts.append(at(2 * _GAP + supply_width, y, legend.draw(view, inner - supply_width - _GAP)))
    y += supplies.ORGANIZER_HEIGHT + 14
    card = (inner - (len(cards) - 1) * _GAP) / len(cards)
    for index, seat in enumerate(cards):
        parts.append(at(_GAP + index * (card + _GAP), y, players.draw(view, seat, card)))
    return parts, width, y + players.HEIGHT + _GAP


def _tall(view: View) -> tuple[list[str], float, float]:
    """Everything below each other: for phones."""
    width = mausoleum.WIDTH + 2 * 8
    inner = width - 16
    y: float = 10
    parts = [at(8, y, header.draw_tiles(view), scale=inner / header.TILES_WIDTH)]
    y += header.TILES_HEIGHT * inner / header.TILES_WIDTH + 10
    parts.append(at(8, y, header.draw_order(view, inner)))
    y += header.ORDER_HEIGHT + 10
    parts.append(at(8, y, header.draw_question(view, inner)))
    y += header.QUESTION_HEIGHT + 14
    parts.append(at(8, y, mausoleum.draw(view)))
    y += mausoleum.HEIGHT + 6
    grow = inner / wheel.SIZE
    parts.append(at(8, y, wheel.draw(view), scale=grow))
    y += wheel.SIZE * grow + 14
    grow = inner / supplies.ORGANIZER_WIDTH
    parts.append(at(8, y, supplies.draw_organizer(view), scale=grow))
    y += supplies.ORGANIZER_HEIGHT * grow + 12
    parts.append(at(8, y, supplies.draw_specialists(view, supplies.ORGANIZER_WIDTH), scale=grow))
    y += supplies.SPECIALISTS_HEIGHT * grow + 12
    card = (inner - 10) / 2
    grow = card / players.LEAST_WIDTH
    for index, seat in enumerate(players.seats(view)):
        row, column = divmod(index, 2)
        drawn = players.draw(view, seat, players.LEAST_WIDTH)
        parts.append(at(8 + column * (card + 10), y + row * (players.HEIGHT * grow + 10), drawn, scale=grow))
    rows = (len(view.snapshot["players"]) + 1) // 2
    return parts, width, y + rows * (players.HEIGHT * grow + 10)


__all__ = ["LAYOUTS", "picture", "style"]
