"""The Warrior Organizer with the VP of the figures that are left, and the Specialists with their prices."""

from __future__ import annotations

from typing import Final

from ..actions import SPECIALIST_NAMES, WARRIOR_NAMES, WEAPON_NAMES
from ..state import FIGURES_PER_TYPE, SPECIALISTS_PER_TYPE
from . import figures, icons, words
from .colours import ON_COIN
from .svg import at, box, disc, el, path, text
from .view import View

_LINE: Final = 44
ORGANIZER_WIDTH: Final = 556
ORGANIZER_HEIGHT: Final = 30 + 4 * _LINE + 8
SPECIALISTS_WIDTH: Final = 400
SPECIALISTS_HEIGHT: Final = ORGANIZER_HEIGHT
_CELL: Final = 27


def draw_organizer(view: View) -> str:
    """One line a type: the figures from the bottommost, those already taken as empty outlines; the next one framed."""
    colour = view.colour
    parts = [
        box(0, 0, ORGANIZER_WIDTH, ORGANIZER_HEIGHT, colour["panel"], rx=8, stroke=colour["line"], stroke_width=1.2),
        text(14, 20, "Warrior Organizer", 16, colour["ink"], text_anchor="start", font_weight="bold"),
        text(ORGANIZER_WIDTH - 14, 20, "VP of the next figure first", 13, colour["muted"], text_anchor="end"),
    ]
    for kind, name in enumerate(WARRIOR_NAMES):
        left = view.snapshot["organizer"][name]
        y = 30 + (kind + 0.5) * _LINE
        vp = view.s.organizer_vp
        next_vp = f", next {vp[FIGURES_PER_TYPE - left]} VP" if left else ""
        label = f"{words.title(name)}: {left} figures left{next_vp}"
        line = [
            el("title", label),
            at(30, y, figures.warrior_glyph(name, colour["ink"]), scale=1.05),
            disc(64, y, 10, colour["panel"], stroke=colour["ink"], stroke_width=1.4),
            text(64, y, figures.LETTERS[name], 13, colour["ink"], font_weight="bold"),
            text(82, y, words.title(name), 15, colour["ink"], text_anchor="start", font_weight="bold"),
            text(
                ORGANIZER_WIDTH - 14 - FIGURES_PER_TYPE * _CELL - 10,
                y,
                str(left),
                17,
                colour["ink"],
                text_anchor="end",
                font_weight="bold",
            ),
        ]
        for place in range(FIGURES_PER_TYPE):
            x = ORGANIZER_WIDTH - 14 - (FIGURES_PER_TYPE - place) * _CELL
            taken = place < FIGURES_PER_TYPE - left
            is_next = place == FIGURES_PER_TYPE - left
            line.append(
                box(
                    x + 1,
                    y - 13,
                    _CELL - 3,
                    26,
                    "none" if taken else colour["middle"],
                    rx=4,
                    stroke=colour["hair" if taken else "ink" if is_next else "line"],
                    stroke_width=3 if is_next else 1.2,
                    class_="ta-figure" if not taken else None,
                )
            )
            if not taken:
                line.append(
                    text(
                        x + _CELL / 2 - 0.5,
                        y,
                        str(vp[place]),
                        15,
                        colour["ink"],
                        font_weight="bold" if is_next else None,
                    )
                )
        frame = box(
            6,
            y - 20,
            ORGANIZER_WIDTH - 12,
            40,
            colour["choice"],
            fill_opacity=0.07,
            rx=7,
            stroke=colour["choice"],
            stroke_width=3,
        )
        line.append(view.choice(f"warrior:{name}", f"make: {label}", frame))
        parts.append(
            el("g", *line, class_="ta-organizer", data_kind=name, data_left=str(left), role="img", aria_label=label)
            if f"warrior:{name}" not in view.legal
            else el("g", *line, class_="ta-organizer", data_kind=name, data_left=str(left))
        )
    return el("g", *parts)


def draw_specialists(view: View, width: float = SPECIALISTS_WIDTH) -> str:
    """One line a type: figures left, price of each, the Weapon that must be used."""
    colour = view.colour
    parts = [
        box(0, 0, width, SPECIALISTS_HEIGHT, colour["panel"], rx=8, stroke=colour["line"], stroke_width=1.2),
        text(14, 20, "Specialists", 16, colour["ink"], text_anchor="start", font_weight="bold"),
        text(width - 14, 20, "Coins and Weapon", 13, colour["muted"], text_anchor="end"),
    ]
    for kind, name in enumerate(SPECIALIST_NAMES):
        left = view.snapshot["specialists_left"][name]
        cost, weapon = view.s.specialist_cost, WEAPON_NAMES[view.s.specialist_weapon[kind]]
        y = 30 + (kind + 0.5) * _LINE
        price = f", next for {cost[SPECIALISTS_PER_TYPE - left]} Coins and the {words.title(weapon)}" if left else ""
        label = f"{words.title(name)}: {left} left{price}"
        octagon = path("M-8-19H8L19-8V8L8 19H-8L-19 8V-8Z", colour["stone"], stroke=colour["ink"], stroke_width=1)
        line = [
            el("title", label),
            at(32, y, octagon, icons.specialist(name, colour["on_stone"])),
            text(60, y, words.title(name), 15, colour["ink"], text_anchor="start", font_weight="bold"),
            text(width - 222, y, str(left), 17, colour["ink"], text_anchor="end", font_weight="bold"),
        ]
        for place in range(SPECIALISTS_PER_TYPE):
            x, taken = width - 192 + 35 * place, place < SPECIALISTS_PER_TYPE - left
            if taken:
                line.append(disc(x, y, 13, "none", stroke=colour["hair"], stroke_width=1.2))
                continue
            is_next = place == SPECIALISTS_PER_TYPE - left
            line.append(disc(x, y, 14, colour["coin"], stroke=colour["ink"], stroke_width=3 if is_next else 1))
            line.append(text(x, y, str(cost[place]), 15, ON_COIN, font_weight="bold" if is_next else None))
        line.append(at(width - 32, y, icons.weapon(weapon, colour["ink"]), scale=1.35))
        parts.append(
            el("g", *line, class_="ta-specialists", data_kind=name, data_left=str(left), role="img", aria_label=label)
        )
    return el("g", *parts)
