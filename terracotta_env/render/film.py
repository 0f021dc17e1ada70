"""A recorded game as moving pictures: GIF (Pillow) and MP4 (PyAV).  Knows no game.

A turn is a run of decisions of one seat within one round; its picture shows the position after it, with what was done
marked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..errors import RecordError
from ..game import Game
from ..position import Position
from ..record import position_after, start_of
from ..writing import replacing
from .drawing import svg
from .raster import need, rgb_of

EVERY: Final = ("turn", "decision")
MILLISECONDS: Final = {"turn": 1200, "decision": 500}  # how long one picture is shown
LAST_MILLISECONDS: Final = 4000
_FPS: Final = 5  # of MP4; a picture fills as many frames as its time needs, which costs next to nothing
_BT709: Final = 1  # as FFmpeg numbers them
_LIMITED: Final = 1
_COLOURS: Final = 160  # fewer than 256: one is free to mean "as before", so that only changes are stored


@dataclass(frozen=True)
class Still:
    """One picture of a film: the position after ``done``, the decisions since the picture before."""

    position: Position
    done: tuple[str, ...]


def stills(game: Game, record: Mapping[str, Any], every: str = "turn") -> list[Still]:
    """The pictures of a record, which may end anywhere; the first shows the setup.

    Raises:
        RecordError: a field is missing or cannot be, or a decision is not legal; names it.
        ValueError: ``every`` is neither ``turn`` nor ``decision``.
    """
    if every not in EVERY:
        raise ValueError(f"every: expected one of {', '.join(EVERY)}, got {every!r}")
    position_after(game, record)  # what is wrong with the record is told before anything is drawn
    position = start_of(game, record, whole=False)
    found, done = [Still(position.clone(), ())], list[str]()
    moment = _moment(position)
    tokens = record["decisions"]
    for index, token in enumerate(tokens):
        done.append(token)
        position.play(token)
        now = _moment(position)
        if every == "decision" or now != moment or index + 1 == len(tokens):
            found.append(Still(position.clone(), tuple(done)))
            done.clear()
        moment = now
    return found


def _moment(position: Position) -> tuple[int | None, int]:
    return position.to_act, position.game.notation.round_of(position.states)


def still_at(game: Game, record: Mapping[str, Any], at: int) -> Still:
    """The position before decision ``at`` (from 0; the number of decisions = the end) and the turn that led to it.

    ``done`` holds what was decided in the turn that goes on there; where one begins, that of the turn before.

    Raises:
        RecordError: as :func:`stills`; or the record has no such decision.
    """
    position_after(game, record)
    tokens: Sequence[str] = record["decisions"]
    if not 0 <= at <= len(tokens):
        raise RecordError(
            f"record: decisions: there is no decision {at}: expected 0..{len(tokens)}, where {len(tokens)} is the end"
        )
    position = start_of(game, record, whole=False)
    before, done, moment = list[str](), list[str](), _moment(position)
    for token in tokens[:at]:
        position.play(token)
        done.append(token)
        if (now := _moment(position)) != moment:
            before, done, moment = done, [], now
    return Still(position, tuple(done or before))


def names_of(record: Mapping[str, Any]) -> list[str]:
    """The players by seat where the record says who they were."""
    agents = record.get("agents")
    fits = isinstance(agents, Sequence) and not isinstance(agents, str) and len(agents) == record.get("players")
    return [str(agent) for agent in agents or ()] if fits else []


def write_film(
    path: Path,
    shown: Sequence[Still],
    *,
    names: Sequence[str] = (),
    theme: str = "light",
    layout: str = "wide",
    width: int = 960,
    milliseconds: int = MILLISECONDS["turn"],
    progress: Callable[[Iterable[Still]], Iterable[Still]] = iter,
) -> None:
    """Write pictures as ``.gif`` or ``.mp4``; the file appears when it is whole.

    Args:
        path: where to; its ending chooses the format.
        shown: at least one picture.
        names: the players by seat.
        theme: ``light`` or ``dark``.
        layout: ``wide`` or ``tall``.
        width: pixels; the height follows.  Made even for MP4.
        milliseconds: how long each picture is shown; the last one at least four seconds.
        progress: wraps the pictures while they are drawn, e.g. in a progress bar.

    Raises:
        MissingExtraError: the extra ``render`` is not installed.
        ValueError: another ending, a width or time that cannot be.
        OSError: the file cannot be written.
    """
    writers = {".gif": _write_gif, ".mp4": _write_mp4}
    if path.suffix.lower() not in writers:
        raise ValueError(f"path: expected a file name that ends in {' or '.join(writers)}, got {str(path)!r}")
    if not 20 <= milliseconds <= 60_000:
        raise ValueError(f"milliseconds: expected a number in 20..60000, got {milliseconds!r}")
    if path.suffix.lower() == ".mp4":
        width += width % 2

    def pixels() -> Iterator[np.ndarray]:
        for still in progress(shown):
            yield rgb_of(svg(still.position, theme=theme, layout=layout, names=names, last=still.done), width)

    times = [*[milliseconds] * (len(shown) - 1), max(milliseconds, LAST_MILLISECONDS)]
    with replacing(path) as temporary:
        writers[path.suffix.lower()](temporary, pixels(), times)


def _write_gif(path: Path, pixels: Iterator[np.ndarray], times: list[int]) -> None:
    """All pictures share the colours of the first ones, so that what stays does not flicker."""
    pillow = need("PIL.Image", "a GIF")

    def reduced() -> Iterator[Any]:
        palette = None
        for array in pixels:
            image = pillow.fromarray(array)
            if palette is None:
                palette = image.quantize(_COLOURS, dither=pillow.Dither.NONE)
            yield image.quantize(palette=palette, dither=pillow.Dither.NONE)

    images = reduced()
    first = next(images)
    first.save(
        path, format="GIF", save_all=True, append_images=images, duration=times, loop=0, optimize=True, disposal=1
    )


def _write_mp4(path: Path, pixels: Iterator[np.ndarray], times: list[int]) -> None:
    """H.264 in the colour format that every browser plays."""
    av = need("av", "an MP4")
    first = next(pixels)
    height, width = first.shape[:2]
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as film:
        stream = film.add_stream("libx264", rate=_FPS, options={"crf": "18", "preset": "fast", "tune": "animation"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        context = stream.codec_context
        context.thread_count = 1  # the same bytes on every machine
        # said and used: players guess otherwise, by the height, and colours shift
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED
        sent = 0
        for array, shown in zip(itertools.chain([first], pixels), times):
            frame = av.VideoFrame.from_ndarray(array, format="rgb24")
            frame = frame.reformat(format="yuv420p", dst_colorspace=_BT709, dst_color_range=_LIMITED)
            for count in range(max(1, round(shown * _FPS / 1000))):
                frame.pts = sent + count
                film.mux(stream.encode(frame))
            sent += count + 1
        film.mux(stream.encode(None))
