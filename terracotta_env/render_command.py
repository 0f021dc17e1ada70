"""The command ``render``: a recorded game as picture or film.

It stands outside the package ``render``, whose import loads the engine: the list of commands must not wait for that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .game import Game
    from .render.film import Still

_PICTURES: Final = (".svg", ".png")
_FILMS: Final = (".gif", ".mp4")
_WIDTHS: Final = {".png": 1600, ".gif": 960, ".mp4": 1280}  # pixels where --width is not given


@click.command()
@click.argument("file", metavar="RECORD", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File to write: .gif or .mp4 for a film of the game, .png or .svg for one position.",
)
@click.option(
    "--game", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the game in RECORD, from 0."
)
@click.option(
    "--at",
    type=click.IntRange(min=0),
    help="Of .png and .svg: the position before this decision, from 0.  [default: the end]",
)
@click.option(
    "--every",
    type=click.Choice(["turn", "decision"]),
    help="Of .gif and .mp4: one picture a turn or a decision.  [default: turn]",
)
@click.option(
    "--theme",
    type=click.Choice(["light", "dark", "auto"]),
    help="Colours; auto follows the reader's system (.svg only).  [default: auto for .svg, else light]",
)
@click.option(
    "--layout",
    type=click.Choice(["wide", "tall"]),
    default="wide",
    show_default=True,
    help="Side by side for screens, or below each other for phones.",
)
@click.option(
    "--width", type=click.IntRange(16, 8192), metavar="PIXELS", help="[default: 1600 for .png, 960 .gif, 1280 .mp4]"
)
@click.option(
    "--milliseconds",
    type=click.IntRange(20, 60_000),
    help="Of .gif and .mp4: how long each picture is shown.  [default: 1200 a turn, 500 a decision]",
)
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
def render(
    file: Path,
    out: Path,
    game: int,
    at: int | None,
    every: str | None,
    theme: str | None,
    layout: str,
    width: int | None,
    milliseconds: int | None,
    overwrite: bool,
) -> None:
    """Draw a game of a RECORD file.

    A film shows the position after each turn, with what was done marked. The file appears when it is whole, and an
    existing one is replaced only with --overwrite.
    """
    ending = out.suffix.lower()
    if ending not in (*_PICTURES, *_FILMS):
        raise click.UsageError(f"--out: expected a name that ends in .gif, .mp4, .png or .svg, got {str(out)!r}")
    film = ending in _FILMS
    given = {
        "--at": at is not None and film,
        "--every": every and not film,
        "--milliseconds": milliseconds and not film,
    }
    for option, wrong in given.items():
        if wrong:
            raise click.UsageError(f"{option} has no meaning for a {ending} file")
    if theme == "auto" and ending != ".svg":
        raise click.UsageError(f"--theme auto has no meaning for a {ending} file: choose light or dark")
    if width is not None and ending == ".svg":
        raise click.UsageError("--width has no meaning for a .svg file, which has no pixels")
    replaces = out.exists()
    if replaces and not overwrite:
        raise click.ClickException(f"{out} exists: choose another name, or add --overwrite")
    _check_libraries(ending)
    rules, record = _load(file, game)
    settings: dict[str, Any] = {"theme": theme or ("auto" if ending == ".svg" else "light"), "layout": layout}
    if ending != ".svg":
        settings["width"] = width or _WIDTHS[ending]
    if film:
        count = _film(out, rules, record, every or "turn", milliseconds, settings)
        made = f"{count} pictures"
    else:
        made = _picture(out, rules, record, at, settings)
    click.echo(f"{made} in {out}{' (replaced)' if replaces else ''}")


def _check_libraries(ending: str) -> None:
    """What is missing is told before the record is replayed."""
    from .render.raster import need

    for library in {".svg": (), ".png": ("resvg_py",), ".gif": ("resvg_py", "PIL.Image")}.get(
        ending, ("resvg_py", "PIL.Image", "av")
    ):
        need(library, f"a {ending} file")


def _load(file: Path, number: int) -> tuple[Game, Mapping[str, Any]]:
    """Game ``number`` of a file of records, and its rules."""
    from .errors import RecordError
    from .record import game_of_record, read_lines

    count = 0
    try:
        for _, record in read_lines(file):
            if count == number:
                return game_of_record(record), record
            count += 1
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from None
    games = f"{count} game{'s' if count != 1 else ''}"
    raise RecordError(f"{file}: has {games}, numbered from 0: there is no game {number}")


def _film(
    out: Path, rules: Game, record: Mapping[str, Any], every: str, milliseconds: int | None, settings: dict[str, Any]
) -> int:
    from .render.film import MILLISECONDS, names_of, stills, write_film

    shown = stills(rules, record, every)
    with ExitStack() as stack:

        def bar(pictures: Iterable[Still]) -> Iterable[Still]:
            return stack.enter_context(
                click.progressbar(pictures, length=len(shown), label=f"{len(shown)} pictures", file=sys.stderr)
            )

        write_film(
            out,
            shown,
            names=names_of(record),
            milliseconds=milliseconds or MILLISECONDS[every],
            progress=bar,
            **settings,
        )
    return len(shown)


def _picture(out: Path, rules: Game, record: Mapping[str, Any], at: int | None, settings: dict[str, Any]) -> str:
    from .render.drawing import svg
    from .render.film import names_of, still_at
    from .render.raster import png
    from .writing import write_atomically

    decisions = record.get("decisions")
    end = len(decisions) if isinstance(decisions, list) else 0
    still = still_at(rules, record, end if at is None else at)
    settings = {**settings, "names": names_of(record), "last": still.done}
    content = png(still.position, **settings) if "width" in settings else svg(still.position, **settings).encode()
    write_atomically(out, content)
    return "The end of the game" if at is None or at == end else f"The position before decision {at}"
