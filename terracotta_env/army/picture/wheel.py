"""The Action Wheel: the Outer Ring as printed, the other two as they stand, the workers, the warehouses in the hub.

Segment 1 begins at the top; they run clockwise (R2).  Warehouse q lies in the hub's quarter before segments 3q-2..3q.
"""

from __future__ import annotations

from typing import Any, Final

from ..actions import RING_NAMES
from ..state import QUARTERS, SEGMENTS
from . import figures, icons, words
from .colours import ON_COIN
from .svg import at, box, disc, el, path, polar, sector, text
from .view import View

HUB, INNER, MIDDLE, OUTER, BAND = 92, 166, 242, 318, 366  # outer radii of the parts
SIZE: Final = 2 * BAND + 8
_STEP: Final = 360 / SEGMENTS
_RINGS: Final = {"inner": (HUB, INNER), "middle": (INNER, MIDDLE), "outer": (MIDDLE, OUTER)}
_FILLS: Final = {"inner": "inner", "middle": "ring", "outer": "outer"}
# words that would reach over into the next ring at the wheel's sides
_MASTER_LABELS: Final = {"administrator": "Admini-\nstrator", "clay_maker": "Clay\nMaker"}
_WORKER_TURN: Final = 6.6  # degrees of a worker space away from its segment's middle


def draw(view: View) -> str:
    c = SIZE / 2
    return at(
        c,
        c,
        disc(0, 0, BAND + 2, view.colour["line"]),
        *(_segment(view, number) for number in range(1, SEGMENTS + 1)),
        _turning(view),
        _hub(view),
        _marks(view),
        *(_choices(view, number) for number in range(1, SEGMENTS + 1)),
        _ring_choices(view),
        class_="ta-wheel",
    )


def _angles(number: int) -> tuple[float, float]:
    return (number - 1) * _STEP, number * _STEP


def _segment(view: View, number: int) -> str:
    colour, entry = view.colour, view.snapshot["wheel"][str(number)]
    begin, end = _angles(number)
    middle = (begin + end) / 2
    acting = view.pending.get("segment") == number
    parts = []
    for ring in RING_NAMES:
        inside, outside = _RINGS[ring]
        x, y = polar((inside + outside) / 2, middle)
        label = f"segment {number}, {words.title(ring)} Ring: {words.space(entry[ring])}"
        parts.append(
            el(
                "g",
                el("title", label),
                path(
                    sector(inside, outside, begin, end), colour[_FILLS[ring]], stroke=colour["line"], stroke_width=1.5
                ),
                at(x, y, action(view, entry[ring])),
                class_="ta-action",
                data_ring=ring,
                data_segment=str(number),
                data_shows=entry[ring],
                role="img",
                aria_label=label,
            )
        )
    heat = view.heat.get(str(number), 0.0)
    band = path(sector(OUTER, BAND, begin, end), colour["band"], stroke=colour["line"], stroke_width=1.5)
    if heat > 0:
        band += path(sector(OUTER, BAND, begin, end), colour["heat"], opacity=0.15 + 0.75 * heat, class_="ta-heat")
    parts.append(el("g", band, class_="ta-segment", data_segment=str(number)))
    parts += [_worker_space(view, number, place) for place in range(len(entry["workers"]), 2)]
    nx, ny = polar(BAND - 11, middle)
    parts.append(text(nx, ny, str(number), 15, colour["muted"], font_weight="bold"))
    for place, worker in enumerate(entry["workers"]):
        parts.append(_worker(view, number, place, worker))
    if acting:
        ring = view.pending["ring"]
        parts.append(path(sector(HUB, BAND, begin, end), "none", stroke=colour["choice"], stroke_width=3))
        parts.append(
            path(
                sector(*(_RINGS[ring]), begin, end),
                "none",
                stroke=colour["choice"],
                stroke_width=6,
                class_="ta-pending",
            )
        )
    return "".join(parts)


def worker_at(number: int, place: int) -> tuple[float, float]:
    """Middle of a segment's first or second worker space."""
    begin, end = _angles(number)
    return polar((OUTER + BAND) / 2, (begin + end) / 2 + (2 * place - 1) * _WORKER_TURN)


def _worker_space(view: View, number: int, place: int) -> str:
    x, y = worker_at(number, place)
    return disc(x, y, 17, view.colour["panel"], stroke=view.colour["line"], stroke_width=1.2, stroke_dasharray="3 3")


def _worker(view: View, number: int, place: int, worker: dict[str, Any]) -> str:
    x, y = worker_at(number, place)
    owner, kind = worker["owner"], worker["kind"]
    label = f"{words.title(kind)} of seat {owner} on segment {number}"
    return at(
        x,
        y,
        el("title", label),
        figures.worker(view.colour, kind, owner, 17),
        class_="ta-worker",
        data_owner=str(owner),
        data_worker=kind,
        data_segment=str(number),
        role="img",
        aria_label=label,
    )


def action(view: View, word: str) -> str:
    """What an Action space shows, around the origin, in a box of about 60."""
    colour = view.colour
    kind, _, rest = word.partition(":")
    ink = colour["ink"]

    def labelled(drawing: str, label: str, scale: float = 1.3) -> str:
        lines = label.split("\n")
        up = 8 * len(lines)
        return at(0, -up, drawing, scale=scale) + "".join(
            text(0, 26 - up + 14 * line, words_, 13, ink) for line, words_ in enumerate(lines)
        )

    if kind == "coins":
        return at(0, 0, icons.coin(colour["coin"], ink), scale=1.75) + text(0, 0, rest, 22, ON_COIN, font_weight="bold")
    if kind == "clay":
        brick = icons.clay(colour["wet"], ink, True)
        return at(0, 0, brick, scale=2) + text(0, 1, rest, 21, colour["on_wet"], font_weight="bold")
    if kind == "warrior":
        brick = at(15, 12, icons.clay(colour["wet"], ink, True), scale=1.25)
        cost = text(15, 12.6, rest, 15, colour["on_wet"], font_weight="bold")
        return at(-9, -4, icons.person(ink), scale=1.7) + brick + cost
    if kind == "soak":
        return labelled(icons.drop(colour["water"]), "soak")
    if kind == "upgrade":
        return labelled(icons.upgrade(ink), "upgrade")
    if kind == "priority":
        stack = view.snapshot["priority_stack"]
        flag = at(0, -8, icons.flag(colour["panel"], ink), scale=1.35)
        number = text(0, -13.5, str(stack[0]) if stack else "–", 15, ink, font_weight="bold")
        return flag + number + text(0, 18, "Priority", 13, ink)
    if kind == "master":
        return labelled(icons.master(rest, ink), _MASTER_LABELS.get(rest, words.title(rest)))
    if kind == "ready":
        return labelled(icons.weapon(rest, ink), f"ready\n{words.title(rest)}", 1.3)
    octagon = path("M-8-19H8L19-8V8L8 19H-8L-19 8V-8Z", colour["stone"], stroke=ink, stroke_width=1)
    return at(0, -9, octagon, at(0, 0, icons.specialist(rest, colour["on_stone"]), scale=1.05)) + text(
        0, 20, words.title(rest), 13, ink
    )


def _turning(view: View) -> str:
    """Arrowheads on both rings in the only direction in which they turn; a notch where each ring's list begins."""
    colour = view.colour
    parts = []
    for ring, radius, sign in (("inner", INNER, 1), ("middle", MIDDLE, -1)):
        offset = view.snapshot[f"{ring}_offset"]
        turned = f"rotate:{ring}" in view.last
        arrows = []
        for k in range(SEGMENTS):
            angle = k * _STEP
            x, y = polar(radius - 9, angle)
            arrows.append(
                path(
                    f"M{-5 * sign} -5 {6 * sign} 0 {-5 * sign} 5Z",
                    colour["choice" if turned else "muted"],
                    transform=f"translate({x:.2f} {y:.2f}) rotate({angle:g})",
                )
            )
        x, y = polar(radius - 24, offset * _STEP)
        notch = path(
            "M0-6 6 0 0 6-6 0Z", colour["ink"], transform=f"translate({x:.2f} {y:.2f}) rotate({offset * _STEP:g})"
        )
        parts.append(el("g", *arrows, notch, class_="ta-turn", data_ring=ring, data_offset=str(offset)))
    return "".join(parts)


def _hub(view: View) -> str:
    """The four warehouses."""
    colour = view.colour
    parts = []
    for quarter in range(QUARTERS):
        clay = view.snapshot["warehouses"][quarter]
        begin = quarter * 90
        x, y = polar(56, begin + 45)
        label = f"warehouse {quarter + 1}: {clay} Dry Clay"
        parts.append(
            el(
                "g",
                el("title", label),
                path(sector(0.1, HUB, begin, begin + 90), colour["hub"], stroke=colour["line"], stroke_width=1.5),
                at(x, y, icons.clay(colour["dry"], ON_COIN, False), scale=2),
                text(x, y + 1, str(clay), 18, ON_COIN, font_weight="bold"),
                class_="ta-warehouse",
                data_warehouse=str(quarter + 1),
                data_clay=str(clay),
                role="img",
                aria_label=label,
            )
        )
        nx, ny = polar(21, begin + 45)
        parts.append(text(nx, ny, str(quarter + 1), 13, colour["muted"], font_weight="bold"))
    return "".join(parts)


def _marks(view: View) -> str:
    """The last move's segment, heat in numbers."""
    colour = view.colour
    parts = []
    for number in range(1, SEGMENTS + 1):
        begin, end = _angles(number)
        if str(number) in view.last:
            parts.append(
                path(
                    sector(OUTER + 3, BAND - 2, begin + 0.5, end - 0.5),
                    "none",
                    stroke=colour["last"],
                    stroke_width=3.5,
                    stroke_dasharray="9 5",
                    class_="ta-last",
                )
            )
        heat = view.heat.get(str(number), 0.0)
        if heat >= 0.005:
            x, y = polar(OUTER + 2, (begin + end) / 2)
            label = f"{100 * heat:.0f}%"
            width = 10 + 8 * len(label)
            parts.append(box(x - width / 2, y - 9, width, 18, colour["panel"], rx=9, stroke=colour["heat"]))
            parts.append(text(x, y, label, 13, colour["ink"]))
    return "".join(parts)


def _choices(view: View, number: int) -> str:
    """Places for workers: the first free space is the first kind's, the whole segment stands for it too."""
    colour = view.colour
    tokens = [f"place:{kind}:{number}" for kind in ("craftsman", "artisan") if f"place:{kind}:{number}" in view.legal]
    if not tokens:
        return ""
    begin, end = _angles(number)
    area = path(sector(HUB, BAND, begin, end), colour["choice"], fill_opacity=0.07)
    parts = [view.choice(tokens[0], "", area, focus=False)]
    taken = len(view.snapshot["wheel"][str(number)]["workers"])
    for place, token in enumerate(tokens, taken):
        x, y = worker_at(number, place)
        kind = token.split(":")[1]
        ring = disc(x, y, 17, colour["panel"], stroke=colour["choice"], stroke_width=3.5)
        letter = text(x, y, kind[0].upper(), 17, colour["ink"], font_weight="bold")
        shown = ", ".join(words.space(view.snapshot["wheel"][str(number)][name]) for name in RING_NAMES)
        parts.append(view.choice(token, f"place {words.title(kind)} on segment {number}: {shown}", ring, letter))
    return "".join(parts)


def _ring_choices(view: View) -> str:
    """Rings that may be turned; the Action space that may be performed."""
    colour = view.colour
    parts = []
    for ring in ("inner", "middle"):
        inside, outside = _RINGS[ring]
        d = "".join(
            f"M0 {-r}A{r} {r} 0 1 {way} {side} {-r}Z" for r, way, side in ((outside, 1, -0.01), (inside, 0, 0.01))
        )
        area = path(
            d, colour["choice"], fill_rule="evenodd", fill_opacity=0.10, stroke=colour["choice"], stroke_width=3.5
        )
        parts.append(view.choice(f"rotate:{ring}", f"turn the {words.title(ring)} Ring one step for 2 Coins", area))
    if "segment" in view.pending:
        begin, end = _angles(view.pending["segment"])
        ring = "inner" if view.pending["decision"] == "administrator" else view.pending["ring"]
        area = path(
            sector(*_RINGS[ring], begin, end),
            colour["choice"],
            fill_opacity=0.14,
            stroke=colour["choice"],
            stroke_width=3,
        )
        shown = words.space(view.snapshot["wheel"][str(view.pending["segment"])][ring])
        parts.append(view.choice("ring:perform", f"perform: {shown}", area))
    return "".join(parts)
