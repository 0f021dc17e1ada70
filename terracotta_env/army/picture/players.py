"""A card for each player: VP, resources, workers in hand, Weapons, Master tokens, Masters, Priority token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..actions import MASTER_NAMES, WEAPON_NAMES
from . import figures, icons, words
from .colours import ON_COIN
from .header import priority
from .svg import at, box, disc, el, shortened, text
from .view import View

HEIGHT: Final = 236
LEAST_WIDTH: Final = 386
WITH_SOURCES: Final = 720  # from this width on a card also tells where its VP came from
_COUNTER_WIDTHS: Final = (1.0, 1.0, 1.0, 1.0, 1.25, 1.05)


def seats(view: View) -> list[int]:
    """The seats in the order of their cards: the looker's own first, the others clockwise after it."""
    players = len(view.snapshot["players"])
    first = view.perspective or 0
    return [(first + k) % players for k in range(players)]


def draw(view: View, seat: int, width: float) -> str:
    """The card of a seat, ``width`` (at least ``LEAST_WIDTH``) x ``HEIGHT``."""
    colour, player = view.colour, view.snapshot["players"][seat]
    active = view.snapshot["to_move"] == seat
    name = view.names[seat] if view.names else f"Seat {seat}"
    if seat == view.perspective:
        name += " (you)"
    frame = box(
        0,
        0,
        width,
        HEIGHT,
        colour["panel"],
        rx=10,
        stroke=colour["choice" if active else "line"],
        stroke_width=4 if active else 1.2,
    )
    token = at(width - 128, 30, priority(view, player["priority"])) if player["priority"] else ""
    return el(
        "g",
        frame,
        box(0, 10, 7, HEIGHT - 20, colour[f"seat{seat}"], rx=3),
        at(36, 32, figures.seat_mark(colour, seat, 19)),
        text(66, 25, shortened(name, width - 230, 19), 19, colour["ink"], text_anchor="start", font_weight="bold"),
        text(66, 46, "to decide" if active else _place(view, seat), 14, colour["muted"], text_anchor="start"),
        token,
        text(width - 18, 30, f"{player['vp']}", 34, colour["ink"], text_anchor="end", font_weight="bold"),
        text(width - 18, 58, "VP", 14, colour["muted"], text_anchor="end"),
        _resources(view, seat, player, width),
        _weapons(view, player, width),
        _masters(view, player, width, active),
        _sources(view, player, width) if width >= WITH_SOURCES else "",
        class_="ta-player",
        data_seat=str(seat),
        data_vp=str(player["vp"]),
        role="group",
        aria_label=_label(view, seat, player),
    )


def _place(view: View, seat: int) -> str:
    place = view.snapshot["turn_order"].index(seat)
    return f"{('1st', '2nd', '3rd', '4th')[place]} in turn order"


def _label(view: View, seat: int, player: Mapping[str, Any]) -> str:
    weapons = ", ".join(words.title(name) for name in WEAPON_NAMES if player["weapons"][name]) or "none"
    masters = ", ".join(words.title(name) for name in MASTER_NAMES if name in player["masters"]) or "none"
    return (
        f"{view.name(seat)}: {player['vp']} VP, {player['coins']} Coins, {player['wet']} Wet Clay, {player['dry']} Dry "
        f"Clay, {player['craftsmen']} Craftsmen, {player['artisans']} Artisans, {player['artisans_in_supply']} more "
        f"in supply, {player['bases']} bases; active Weapons: {weapons}; Masters: {masters}; Master tokens: "
        f"{', '.join(map(str, player['tokens'])) or 'none'}"
    )


def _resources(view: View, seat: int, player: Mapping[str, Any], width: float) -> str:
    """Six counters in a row, each a sign, a number and a word."""
    colour, ink = view.colour, view.colour["ink"]
    star = figures.worker(colour, "artisan", seat, 11)
    pawn = figures.worker(colour, "craftsman", seat, 12)
    counters = (
        ("coins", at(0, 0, icons.coin(colour["coin"], ink)), str(player["coins"]), "Coins"),
        ("wet", icons.clay(colour["wet"], ink, True), str(player["wet"]), "wet"),
        ("dry", icons.clay(colour["dry"], ink, False), str(player["dry"]), "dry"),
        ("craftsmen", pawn, str(player["craftsmen"]), "Craftsm."),
        ("artisans", star, f"{player['artisans']}+{player['artisans_in_supply']}", "Artis."),
        ("bases", figures.shape(seat, 10, "none", ink, 2), str(player["bases"]), "bases"),
    )
    unit = min(76.0, (width - 26) / sum(_COUNTER_WIDTHS))
    parts = []
    for index, (key, sign, number, word) in enumerate(counters):
        x = 16 + unit * sum(_COUNTER_WIDTHS[:index])
        parts.append(
            at(
                x,
                92,
                at(12, 0, sign),
                text(27, 0, number, 17, ink, text_anchor="start", font_weight="bold"),
                text(0, 24, word, 13, colour["muted"], text_anchor="start"),
                class_="ta-counter",
                data_counter=key,
                data_value=number,
            )
        )
    return "".join(parts)


def _weapons(view: View, player: Mapping[str, Any], width: float) -> str:
    """Active Weapons are solid on a filled ground, inactive ones outlines."""
    colour = view.colour
    parts = [text(16, 152, "Weapons", 13, colour["muted"], text_anchor="start")]
    for index, name in enumerate(WEAPON_NAMES):
        active = player["weapons"][name]
        ground = box(
            -17,
            -17,
            34,
            34,
            colour["ink" if active else "panel"],
            rx=6,
            stroke=colour["line" if not active else "ink"],
            stroke_width=1.4,
        )
        sign = icons.weapon(name, colour["panel" if active else "muted"], active)
        label = f"{words.title(name)}: {'active' if active else 'inactive'}"
        parts.append(
            at(
                100 + 40 * index,
                152,
                el("title", label),
                ground,
                sign,
                class_="ta-weapon",
                data_weapon=name,
                data_active="true" if active else "false",
            )
        )
    return "".join(parts)


def _masters(view: View, player: Mapping[str, Any], width: float, active: bool) -> str:
    """Six places: an owned Master with the price of its token, else its faint sign; the unused tokens at the side."""
    colour = view.colour
    parts = [text(16, 206, "Masters", 13, colour["muted"], text_anchor="start")]
    for index, name in enumerate(MASTER_NAMES):
        price = player["masters"].get(name)
        x = 100 + 42 * index
        label = f"Master {words.title(name)}: " + (f"owned, token {price}" if price else "not owned")
        ground = box(
            -18,
            -18,
            36,
            36,
            colour["middle" if price else "panel"],
            rx=6,
            stroke=colour["ink" if price else "hair"],
            stroke_width=2 if price else 1,
        )
        sign = at(0, 0, icons.master(name, colour["ink" if price else "hair"]))
        token = disc(14, 14, 9, colour["coin"], stroke=colour["ink"]) + text(
            14, 14, str(price), 13, ON_COIN, font_weight="bold"
        )
        parts.append(
            at(
                x,
                206,
                el("title", label),
                ground,
                sign,
                token if price else "",
                class_="ta-master" if price else None,
                data_master=name,
                data_price=price and str(price),
            )
        )
    parts.append(_tokens(view, player, width, active))
    return "".join(parts)


def _tokens(view: View, player: Mapping[str, Any], width: float, active: bool) -> str:
    """The unused Master tokens by price."""
    colour = view.colour
    tokens = player["tokens"]
    right = min(width, 500) - 20
    step = min(26.0, (right - 254) / max(1, len(tokens)))
    parts = []
    for index, price in enumerate(tokens):
        x = right - (len(tokens) - 1 - index) * step
        parts.append(
            disc(
                x,
                152,
                11,
                colour["coin"],
                stroke=colour["ink"],
                stroke_width=1,
                data_price=str(price),
                class_="ta-token",
            )
        )
        parts.append(text(x, 152, str(price), 14, ON_COIN, font_weight="bold"))
        if active and (index == 0 or tokens[index - 1] != price):
            ring = disc(x, 152, 14, "none", stroke=colour["choice"], stroke_width=3.5, pointer_events="all")
            parts.append(view.choice(f"token:{price}", f"pay the Master token of {price} Coins", ring))
    return "".join(parts)


def _sources(view: View, player: Mapping[str, Any], width: float) -> str:
    """Where the VP came from: the six largest sources."""
    colour = view.colour
    ledger = sorted(
        ((vp, name) for name, vp in player["ledger"].items() if vp), key=lambda entry: (-entry[0], entry[1])
    )
    left, most = 530.0, max([vp for vp, _ in ledger] or [1])
    parts = [text(left, 76, "VP by source", 13, colour["muted"], text_anchor="start")]
    for line, (vp, name) in enumerate(ledger[:6]):
        y = 98 + 23 * line
        parts.append(text(left, y, words.SOURCES[name], 14, colour["ink"], text_anchor="start"))
        long = max(2.0, (width - left - 190) * vp / most)
        parts.append(box(left + 132, y - 7, long, 14, colour["line"], rx=3))
        parts.append(text(left + 138 + long, y, str(vp), 14, colour["ink"], text_anchor="start", font_weight="bold"))
    return el("g", *parts, class_="ta-sources")
