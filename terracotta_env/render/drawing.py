"""What a game provides to be drawn, and the picture of a position.  Knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import numpy as np

from ..game import Game
from ..position import Position

THEMES: Final = ("auto", "page", "light", "dark")
LAYOUTS: Final = ("wide", "tall")


@runtime_checkable
class Drawing(Protocol):
    """A :class:`terracotta_env.game.Notation` that can also draw.  Games whose notation cannot are shown as text."""

    def picture(
        self,
        states: np.ndarray,
        *,
        theme: str,
        layout: str,
        perspective: int | None,
        names: Sequence[str],
        legal: Sequence[str],
        heat: Mapping[str, float] | None,
        last: Sequence[str],
    ) -> str:
        """The position of ``states[0]`` as SVG with a ``viewBox``; the arguments are those of :func:`svg`, checked."""

    def picture_style(self) -> str:
        """The style sheet for pictures of the theme ``page``."""


def check_theme(theme: str) -> str:
    """``theme`` itself, or a ``ValueError`` that names the choices."""
    if theme not in THEMES:
        raise ValueError(f"theme: expected one of {', '.join(THEMES)}, got {theme!r}")
    return theme


def svg(
    position: Position,
    *,
    theme: str = "auto",
    layout: str = "wide",
    perspective: int | None = None,
    names: Sequence[str] = (),
    legal: bool = False,
    heat: Mapping[str, float] | None = None,
    last: str | Sequence[str] = (),
) -> str:
    """A position as one self-contained SVG document.

    Args:
        position: what is drawn; not changed.
        theme: ``light`` or ``dark`` with fixed colours; ``auto`` follows the reader's system (CSS variables in a style
            sheet inside the picture); ``page`` uses the same variables and leaves the style sheet to the page, see
            :func:`stylesheet`, for pages that allow no inline styles.
        layout: ``wide`` for screens and slides, ``tall`` for phones.
        perspective: seat 0..n-1 that looks at the picture and is shown first; None for nobody in particular.
        names: the players by seat, n words; empty where they are not known.
        legal: mark what the seat to act may choose; each such element carries ``data-token``, can be focused and has a
            label.
        heat: 0..1 by token or by place, shown as a heat map and in percent.
        last: the last move, one token or several, to be marked.

    Raises:
        ValueError: an argument is none of the above; names it.
    """
    check_theme(theme)
    if not position.players:
        raise ValueError("position: no game has begun in it: call reset() first")
    if layout not in LAYOUTS:
        raise ValueError(f"layout: expected one of {', '.join(LAYOUTS)}, got {layout!r}")
    seats = range(position.players)
    if perspective is not None and perspective not in seats:
        raise ValueError(f"perspective: expected None or a seat in 0..{len(seats) - 1}, got {perspective!r}")
    if names and len(names) != len(seats):
        raise ValueError(f"names: expected none or one for each of the {len(seats)} seats, got {list(names)!r}")
    notation = position.game.notation
    if not isinstance(notation, Drawing):
        from .lettering import lettered

        return lettered(notation.render(position.states), theme)
    return notation.picture(
        position.states,
        theme=theme,
        layout=layout,
        perspective=perspective,
        names=names,
        legal=position.legal() if legal and not position.over else (),
        heat=heat,
        last=(last,) if isinstance(last, str) else tuple(last),
    )


def stylesheet(game: Game) -> str:
    """The CSS that a page must hold to show pictures of the theme ``page``; empty for games shown as text."""
    return game.notation.picture_style() if isinstance(game.notation, Drawing) else ""
