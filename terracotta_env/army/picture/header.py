"""The line above the board: round, Scoring tiles by round, turn order, Priority tokens, what is being decided."""

from __future__ import annotations

from typing import Final

from ..state import ROUNDS
from . import figures, icons, words
from .colours import ON_COIN
from .svg import at, box, el, shortened, text
from .view import View

TILE_WIDTH: Final = 148
TILES_WIDTH: Final = ROUNDS * TILE_WIDTH - 8
TILES_HEIGHT: Final = 92
ORDER_HEIGHT: Final = 92
QUESTION_HEIGHT: Final = 48


def draw_tiles(view: View) -> str:
    """The five Scoring tiles; the current one is framed, those behind it are faint."""
    colour, now = view.colour, view.snapshot["round"]
    parts = []
    for index, tile in enumerate(view.snapshot["tiles"]):
        number = index + 1
        current = number == now and not view.snapshot["over"]
        past = number < now or view.snapshot["over"]
        domination, presence = view.s.tile_domination[index], view.s.tile_presence[index]
        label = (
            f"round {number}: {words.TILES[tile]}, Domination {domination} VP, Presence {presence} VP"
            f"{', current' if current else ', scored' if past else ''}"
        )
        ink = colour["muted" if past else "ink"]
        frame = box(
            0,
            0,
            TILE_WIDTH - 8,
            TILES_HEIGHT,
            colour["page" if past else "panel"],
            rx=8,
            stroke=colour["choice" if current else "line"],
            stroke_width=4 if current else 1.2,
        )
        parts.append(
            at(
                index * TILE_WIDTH,
                0,
                el("title", label),
                frame,
                text(10, 17, f"Round {number}{' ✓' if past else ''}", 15, ink, text_anchor="start", font_weight="bold"),
                at(31, 46, tile_sign(view, tile, ink), scale=1.55),
                text(60, 38, f"{domination} VP", 17, ink, text_anchor="start", font_weight="bold"),
                text(60, 57, f"Presence {presence}", 13, ink, text_anchor="start"),
                text((TILE_WIDTH - 8) / 2, 80, words.TILES[tile], 13, ink),
                class_="ta-tile",
                data_round=str(number),
                data_tile=tile,
                role="img",
                aria_label=label,
            )
        )
    return el("g", *parts, class_="ta-tiles")


def tile_sign(view: View, tile: str, ink: str) -> str:
    """What a Scoring tile counts, in a box from -12 to 12."""
    colour = view.colour
    if tile in figures.WEAPON_OF:
        return at(0, 0, figures.warrior_glyph(tile, ink), scale=0.72)
    if tile == "coins":
        return icons.coin(colour["coin"], ink) + text(0, 0, "●", 11, ON_COIN)
    if tile == "clay":
        return icons.clay(colour["wet"], ink, True)
    return icons.tile(tile, ink, colour["middle"])


def draw_order(view: View, width: float) -> str:
    """Turn order and the Priority tokens that are left, in a box ``width`` wide."""
    colour, snapshot = view.colour, view.snapshot
    parts = [
        box(0, 0, width, ORDER_HEIGHT, colour["panel"], rx=8, stroke=colour["line"], stroke_width=1.2),
        text(12, 17, "Turn order", 15, colour["ink"], text_anchor="start", font_weight="bold"),
    ]
    for place, seat in enumerate(snapshot["turn_order"]):
        x = 32 + 52 * place
        if place:
            parts.append(text(x - 26, 55, "›", 24, colour["muted"]))
        mark = at(
            x,
            55,
            figures.seat_mark(colour, seat, 17),
            class_="ta-order",
            data_place=str(place + 1),
            data_owner=str(seat),
        )
        parts.append(mark)
    x = 32 + 52 * len(snapshot["turn_order"]) + 6
    parts.append(text(x - 14, 17, "Priority", 15, colour["ink"], text_anchor="start", font_weight="bold"))
    stack = snapshot["priority_stack"]
    if not stack:
        parts.append(text(x - 14, 55, "all taken", 14, colour["muted"], text_anchor="start"))
    for place, token in enumerate(stack):
        parts.append(at(x + 6 + 40 * place, 52, priority(view, token)))
    begin = x + 24 + 40 * (len(snapshot["players"]) - 1)
    if width - begin > 200:
        parts.append(_race(view, begin, width - begin - 14))
    return el("g", *parts, class_="ta-turn-order", role="img", aria_label=_order_label(view))


def _race(view: View, x: float, width: float) -> str:
    """The players' VP as bars, for those who look at the picture from far away."""
    colour, players = view.colour, view.snapshot["players"]
    most = max(20, *(player["vp"] for player in players))
    step = (ORDER_HEIGHT - 12) / len(players)
    parts, thick = [], min(14.0, 0.6 * step)
    for seat, player in enumerate(players):
        y = 6 + (seat + 0.5) * step
        long = max(2.0, (width - 70) * player["vp"] / most)
        parts.append(at(x + 10, y, figures.seat_mark(colour, seat, min(9.0, 0.42 * step))))
        parts.append(box(x + 26, y - thick / 2, long, thick, colour[f"seat{seat}"], rx=3))
        parts.append(
            text(x + 32 + long, y, str(player["vp"]), 15, colour["ink"], text_anchor="start", font_weight="bold")
        )
    return "".join(parts)


def priority(view: View, token: int) -> str:
    """A Priority token around the origin with the Wet Clay printed on it."""
    colour, clay = view.colour, view.s.priority_clay[token - 1]
    label = f"Priority token {token}, {clay} Wet Clay"
    number = text(1, -7, str(token), 17, colour["ink"], font_weight="bold")
    brick = at(7, 14, icons.clay(colour["wet"], colour["ink"], True), scale=0.8) if clay else ""
    printed = text(7, 14.5, str(clay), 11, colour["on_wet"], font_weight="bold") if clay else ""
    return el(
        "g",
        el("title", label),
        at(0, 0, icons.flag(colour["panel"], colour["ink"]), scale=1.5),
        number,
        brick,
        printed,
        class_="ta-priority",
        data_priority=str(token),
    )


def _order_label(view: View) -> str:
    order = ", ".join(f"seat {seat}" for seat in view.snapshot["turn_order"])
    stack = ", ".join(map(str, view.snapshot["priority_stack"])) or "none"
    return f"turn order: {order}; Priority tokens left: {stack}"


def draw_question(view: View, width: float) -> str:
    """Who decides what; with choices, those that have no place on the board as chips."""
    colour, snapshot = view.colour, view.snapshot
    frame = box(0, 0, width, QUESTION_HEIGHT, colour["panel"], rx=8, stroke=colour["line"], stroke_width=1.2)
    if snapshot["over"]:
        return el("g", frame, _ranks(view, width), class_="ta-question")
    seat = snapshot["to_move"]
    chips = [token for token in words.CHIPS if token in view.legal and not _has_place(token)]
    chips += sorted(token for token in view.legal if token.startswith("warehouses:"))
    widths = [16 + 8.2 * len(chip_label(token)) for token in chips]
    room = width - 60 - sum(widths) - 8 * len(widths)
    parts = [frame, at(28, 24, figures.seat_mark(colour, seat, 15))]
    name = view.name(seat)
    said = f"{name[0].upper()}{name[1:]} · {words.question(view.pending)}"
    parts.append(text(54, 24, shortened(said, room, 18), 18, colour["ink"], text_anchor="start", font_weight="bold"))
    x = width - sum(widths) - 8 * len(widths)
    for token, wide in zip(chips, widths, strict=True):
        pill = box(x, 8, wide, 32, colour["panel"], rx=16, stroke=colour["choice"], stroke_width=2.5)
        label = chip_label(token)
        parts.append(view.choice(token, label, pill, text(x + wide / 2, 24, label, 14, colour["ink"])))
        x += wide + 8
    return el("g", *parts, class_="ta-question")


def _ranks(view: View, width: float) -> str:
    """The final order, best first, each with name and VP."""
    best = ranking(view)
    step = (width - 144) / len(best)
    parts = [text(16, 24, "Game over", 18, view.colour["ink"], text_anchor="start", font_weight="bold")]
    for place, seat in enumerate(best):
        x = 142 + place * step
        vp = f"{view.snapshot['players'][seat]['vp']} VP"
        room = step - 50 - 11 * len(vp)
        name = shortened(view.names[seat], room, 17) if view.names and room > 40 else ""
        parts.append(text(x, 24, f"{place + 1}.", 17, view.colour["ink"], text_anchor="start"))
        parts.append(at(x + 34, 24, figures.seat_mark(view.colour, seat, 13)))
        parts.append(
            text(
                x + 56,
                24,
                f"{name} {vp}".strip(),
                17,
                view.colour["ink"],
                text_anchor="start",
                font_weight="bold" if not place else None,
            )
        )
    return "".join(parts)


def ranking(view: View) -> list[int]:
    """Seats, best first: most VP, ties by the final turn order (R28)."""
    players, order = view.snapshot["players"], view.snapshot["turn_order"]
    return sorted(range(len(players)), key=lambda seat: (-players[seat]["vp"], order.index(seat)))


def chip_label(token: str) -> str:
    if token.startswith("warehouses:"):
        return token.removeprefix("warehouses:").replace(",", "+")
    return words.CHIPS[token]


def _has_place(token: str) -> bool:
    return token in ("rotate:inner", "rotate:middle", "ring:perform")
