"""The Mausoleum with its Statues, and the two Inspector tracks beside it."""

from __future__ import annotations

from typing import Any, Final

from ..geometry import COLUMN_LETTERS, COLUMNS, ROWS
from . import figures, words
from .svg import at, box, disc, el, path, text
from .view import View

EDGE: Final = 84  # of one space
LEFT: Final = 92  # x of column a's left wall: the row track and the rows' numbers stand before it
TOP: Final = 14
WIDTH: Final = LEFT + COLUMNS * EDGE + 14
HEIGHT: Final = TOP + ROWS * EDGE + 84

_INSPECTOR_STEPS: Final = {"+1": 1, "-1": -1, "+2": 2}


def centre(space: str) -> tuple[float, float]:
    """Middle of a space given by name."""
    column, row = COLUMN_LETTERS.index(space[0]), int(space[1]) - 1
    return LEFT + (column + 0.5) * EDGE, TOP + (ROWS - row - 0.5) * EDGE


def draw(view: View) -> str:
    statues = view.snapshot["mausoleum"]
    return el(
        "g",
        _ground(view),
        _tracks(view),
        *(_statue(view, statue) for statue in statues if statue.get("mounted")),
        *(_statue(view, statue) for statue in statues if not statue.get("mounted")),
        _marks(view),
        _choices(view),
        class_="ta-mausoleum",
    )


def _ground(view: View) -> str:
    """The spaces: those of the middle row and column are lighter, as they belong to no quarter."""
    colour = view.colour
    parts = [
        box(LEFT - 5, TOP - 5, COLUMNS * EDGE + 10, ROWS * EDGE + 10, colour["line"], rx=6),
    ]
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = LEFT + column * EDGE, TOP + (ROWS - 1 - row) * EDGE
            middle = row == ROWS // 2 or column == COLUMNS // 2
            name = f"{COLUMN_LETTERS[column]}{row + 1}"
            fill = colour["middle" if middle else "space"]
            parts.append(box(x + 1, y + 1, EDGE - 2, EDGE - 2, fill, rx=3, data_space=name, class_="ta-space"))
            heat = view.heat.get(name, 0.0)
            if heat > 0:
                parts.append(_heat(view, x, y, heat))
    return "".join(parts)


def _heat(view: View, x: float, y: float, heat: float) -> str:
    """A square that grows with the heat, so the picture also reads without colour."""
    size = (EDGE - 6) * (0.25 + 0.75 * heat**0.5)
    inset = (EDGE - size) / 2
    return box(
        x + inset, y + inset, size, size, view.colour["heat"], rx=5, opacity=0.25 + 0.55 * heat, class_="ta-heat"
    )


def _tracks(view: View) -> str:
    """Row track at the left, column track below; arrows show forward."""
    colour, inspectors = view.colour, view.snapshot["inspectors"]
    parts = []
    x, y = LEFT - 62, TOP + ROWS * EDGE + 58
    parts.append(box(x - 20, TOP, 40, ROWS * EDGE, colour["band"], rx=20, stroke=colour["line"], stroke_width=1.2))
    parts.append(box(LEFT, y - 20, COLUMNS * EDGE, 40, colour["band"], rx=20, stroke=colour["line"], stroke_width=1.2))
    for row in range(1, ROWS + 1):
        here = TOP + (ROWS - row + 0.5) * EDGE
        parts.append(text(LEFT - 24, here, str(row), 22, colour["ink"], font_weight="bold"))
        if row < ROWS:
            parts.append(
                path(
                    "M-6 4 0-4 6 4",
                    "none",
                    stroke=colour["muted"],
                    stroke_width=2.5,
                    transform=f"translate({x} {here - EDGE / 2})",
                )
            )
        if row != inspectors["row"]:
            parts.append(disc(x, here, 4, colour["line"]))
    for column, letter in enumerate(COLUMN_LETTERS):
        here = LEFT + (column + 0.5) * EDGE
        parts.append(text(here, TOP + ROWS * EDGE + 22, letter, 22, colour["ink"], font_weight="bold"))
        if column < COLUMNS - 1:
            parts.append(
                path(
                    "M-4-6 4 0-4 6",
                    "none",
                    stroke=colour["muted"],
                    stroke_width=2.5,
                    transform=f"translate({here + EDGE / 2} {y})",
                )
            )
        if letter != inspectors["column"]:
            parts.append(disc(here, y, 4, colour["line"]))
    for track, place in (("row", str(inspectors["row"])), ("column", inspectors["column"])):
        px, py = _on_track(track, place)
        label = f"{track} Inspector on {track} {place}"
        ring = ""
        if any(word.startswith(f"inspector:{track}") for word in view.last):
            ring = disc(0, 0, 23, "none", stroke=colour["last"], stroke_width=2.5, stroke_dasharray="5 3")
        parts.append(
            at(
                px,
                py,
                el("title", label),
                figures.inspector(colour, 36),
                ring,
                class_="ta-inspector",
                data_track=track,
                data_at=place,
                role="img",
                aria_label=label,
            )
        )
    return "".join(parts)


def _on_track(track: str, place: str) -> tuple[float, float]:
    if track == "row":
        return LEFT - 62, TOP + (ROWS - int(place) + 0.5) * EDGE
    return LEFT + (COLUMN_LETTERS.index(place) + 0.5) * EDGE, TOP + ROWS * EDGE + 58


def _statue(view: View, statue: dict[str, Any]) -> str:
    colour, kind, owner, spaces = view.colour, statue["kind"], statue["owner"], statue["spaces"]
    label = words.statue(statue)
    x, y = centre(spaces[0])
    if owner is None:
        drawn = figures.specialist(colour, kind, EDGE, statue.get("facing"))
    elif statue["mounted"]:
        direction = direction_of(spaces)
        drawn = figures.horse(colour, owner, direction, EDGE) + figures.warrior(colour, kind, owner, 0.86 * EDGE)
    else:
        drawn = figures.warrior(colour, kind, owner, EDGE)
    return at(
        x,
        y,
        el("title", label),
        drawn,
        class_="ta-statue",
        data_kind=kind,
        data_owner=owner,
        data_spaces=" ".join(spaces),
        data_facing=statue.get("facing"),
        data_mounted="true" if statue.get("mounted") else None,
        role="img",
        aria_label=label,
    )


def direction_of(spaces: list[str]) -> str:
    """Which way a rider's three spaces run."""
    if spaces[0][0] == spaces[1][0]:
        return "n" if spaces[1][1] > spaces[0][1] else "s"
    return "e" if spaces[1][0] > spaces[0][0] else "w"


def _marks(view: View) -> str:
    """Heat in numbers, the last move, the space that is being decided about."""
    colour = view.colour
    parts = []
    for place, heat in view.heat.items():
        if place[0].isalpha() and len(place) == 2 and heat >= 0.005:
            x, y = centre(place)
            parts.append(_percent(view, x, y - 27, heat))
    for place in sorted(view.last):
        if place[0] in COLUMN_LETTERS and len(place) == 2:
            x, y = centre(place)
            h = EDGE / 2 - 3
            parts.append(
                box(
                    x - h,
                    y - h,
                    2 * h,
                    2 * h,
                    "none",
                    rx=6,
                    stroke=colour["last"],
                    stroke_width=3.5,
                    stroke_dasharray="9 5",
                    class_="ta-last",
                )
            )
    if "cell" in view.pending:
        x, y = centre(view.pending["cell"])
        h = EDGE / 2 - 1
        parts.append(
            box(
                x - h, y - h, 2 * h, 2 * h, "none", rx=4, stroke=colour["choice"], stroke_width=4.5, class_="ta-pending"
            )
        )
    return "".join(parts)


def _percent(view: View, x: float, y: float, heat: float) -> str:
    number = f"{100 * heat:.0f}%"
    width = 10 + 8 * len(number)
    return box(x - width / 2, y - 9, width, 18, view.colour["panel"], rx=9, stroke=view.colour["heat"]) + text(
        x, y, number, 13, view.colour["ink"]
    )


def _choices(view: View) -> str:
    """Spaces, directions and Inspectors' goals that may be chosen."""
    colour = view.colour
    parts = []
    for token in sorted(view.legal):
        kind, _, rest = token.partition(":")
        if kind == "cell":
            x, y = centre(rest)
            h = EDGE / 2 - 4
            ring = box(
                x - h,
                y - h,
                2 * h,
                2 * h,
                colour["choice"],
                fill_opacity=0.06,
                rx=7,
                stroke=colour["choice"],
                stroke_width=2.5,
            )
            dot = disc(x, y, 7, colour["choice"]) if not _occupied(view, rest) else ""
            parts.append(view.choice(token, f"choose space {rest}", ring, dot))
        elif kind == "dir":
            x, y = centre(view.pending["cell"])
            dx, dy = figures.STEPS[rest]
            arrow = path(
                "M-16-9H2V-19L22 0 2 19V9H-16Z",
                colour["choice"],
                stroke=colour["panel"],
                stroke_width=2,
                transform=f"rotate({figures.TURNS[rest]})",
            )
            parts.append(
                view.choice(
                    token, f"choose {words.DIRECTIONS[rest]}", at(x + dx * EDGE * 0.8, y + dy * EDGE * 0.8, arrow)
                )
            )
        elif kind == "inspector":
            track, steps = rest[:-2], _INSPECTOR_STEPS[rest[-2:]]
            if track == "row":
                place = str((view.snapshot["inspectors"]["row"] - 1 + steps) % ROWS + 1)
            else:
                place = COLUMN_LETTERS[(COLUMN_LETTERS.index(view.snapshot["inspectors"]["column"]) + steps) % COLUMNS]
            x, y = _on_track(track, place)
            ring = disc(x, y, 17, colour["panel"], stroke=colour["choice"], stroke_width=3)
            goal = text(x, y, rest[-2:].replace("-", "−"), 15, colour["ink"], font_weight="bold")
            parts.append(view.choice(token, f"move the {track} Inspector to {track} {place}", ring, goal))
    return "".join(parts)


def _occupied(view: View, space: str) -> bool:
    return any(space in statue["spaces"] for statue in view.snapshot["mausoleum"])
