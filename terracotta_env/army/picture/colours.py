"""The colours of the picture by name, light and dark, and the style sheet that lets a page choose between them.

Owners keep the hues of the Okabe-Ito palette, which people with any colour vision tell apart, darkened or lightened
until they stand out from the ground; shape and number say the owner too.  Text keeps a contrast of 4.5 and shapes of 3
against what they stand on (WCAG 2); a test computes both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PREFIX: Final = "--ta-"
ROOT_CLASS: Final = "ta-board"

LIGHT: Final = {
    "page": "#f3ecdf",  # behind everything
    "panel": "#fffaf1",  # behind one part
    "ink": "#2a2019",
    "muted": "#5f5145",  # text of less weight
    "line": "#86745f",  # borders that carry meaning
    "hair": "#d8c9b3",  # borders that only please
    "space": "#eadcc6",  # spaces of a quarter
    "middle": "#f9f1e3",  # spaces of the middle row and column
    "inner": "#f4dfbf",
    "ring": "#ecd0a7",  # the Middle Ring
    "outer": "#e2c7a4",
    "band": "#fbf3e5",  # worker spaces
    "hub": "#f7ecd9",
    "coin": "#f0c04a",
    "wet": "#8b3d22",
    "on_wet": "#ffffff",
    "dry": "#d9b48c",
    "water": "#1f6f99",
    "stone": "#574f49",  # Specialists, whom nobody owns
    "on_stone": "#ffffff",
    "choice": "#b0125b",  # what may be chosen
    "last": "#2a2019",  # what was done last
    "heat": "#b0125b",
    "seat0": "#0072b2",
    "on_seat0": "#ffffff",
    "seat1": "#b95700",
    "on_seat1": "#ffffff",
    "seat2": "#00644c",
    "on_seat2": "#ffffff",
    "seat3": "#9d4b84",
    "on_seat3": "#ffffff",
}
DARK: Final = {
    "page": "#14110e",
    "panel": "#1f1a16",
    "ink": "#f5ecdf",
    "muted": "#bfb09f",
    "line": "#8f7e6c",
    "hair": "#41362c",
    "space": "#2d251e",
    "middle": "#3a3027",
    "inner": "#3b2f22",
    "ring": "#33281d",
    "outer": "#2b221a",
    "band": "#211b16",
    "hub": "#2d251e",
    "coin": "#e9b93f",
    "wet": "#d27a56",
    "on_wet": "#14110e",
    "dry": "#a98765",
    "water": "#6cb8e6",
    "stone": "#b9ada0",
    "on_stone": "#14110e",
    "choice": "#ff8ac2",
    "last": "#f5ecdf",
    "heat": "#ff6fb2",
    "seat0": "#56b4e9",
    "on_seat0": "#14110e",
    "seat1": "#f0a030",
    "on_seat1": "#14110e",
    "seat2": "#2fc79a",
    "on_seat2": "#14110e",
    "seat3": "#e49ac6",
    "on_seat3": "#14110e",
}
ON_COIN: Final = "#2a2019"  # coins are gold in both themes


def palette(theme: str) -> Mapping[str, str]:
    """Colour by name: fixed for ``light`` and ``dark``, else CSS variables that fall back to light."""
    if theme == "light":
        return LIGHT
    if theme == "dark":
        return DARK
    return {name: f"var({PREFIX}{name.replace('_', '-')},{value})" for name, value in LIGHT.items()}


def _variables(colours: Mapping[str, str]) -> str:
    return ";".join(f"{PREFIX}{name.replace('_', '-')}:{value}" for name, value in colours.items())


def style() -> str:
    """The style sheet for themes ``auto`` and ``page``.

    Follows the reader's system, unless an element around the picture says ``data-theme="light"`` or ``"dark"``.
    """
    light, dark = _variables(LIGHT), _variables(DARK)
    return (
        f".{ROOT_CLASS}{{{light};color-scheme:light dark}}"
        f"@media (prefers-color-scheme:dark){{.{ROOT_CLASS}{{{dark}}}}}"
        f"[data-theme=light] .{ROOT_CLASS}{{{light}}}[data-theme=dark] .{ROOT_CLASS}{{{dark}}}"
        f".{ROOT_CLASS} [data-token]{{cursor:pointer}}"
        f".{ROOT_CLASS} [tabindex]:focus-visible{{outline:3px solid var({PREFIX}choice);outline-offset:2px}}"
    )
