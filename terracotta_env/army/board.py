"""Printed data of the components: loading, checking (R2), and writing it into records.

The rulebook does not print most of these values.  What a board file marks *reconstructed* is a reasoned stand-in, not
the published print: results on a board are results on that board.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..errors import BoardError
from ..fields import Reader
from .actions import (
    AMOUNT_WORDS,
    MASTER_NAMES,
    PLAIN_WORDS,
    RING_NAMES,
    SPECIALIST_NAMES,
    WEAPON_NAMES,
    space_word,
)
from .geometry import COLUMN_LETTERS, COLUMNS, ROWS
from .state import (
    BASES,
    BOARD_NAME_BYTES,
    FIGURES_PER_TYPE,
    ROUNDS,
    SEGMENTS,
    SPECIALISTS_PER_TYPE,
    TOKENS,
    make_states,
)

DEFAULT_BOARD: Final = "reconstructed"
LARGEST: Final = 99  # of any printed number; keeps the record's 16-bit counters far from their ends

# R2: what each ring may hold
_RING_WORDS: Final = {
    "inner": ("coins:N", "clay:N", "warrior:N", "soak", "upgrade"),
    "middle": ("coins:N", "clay:N", "priority", *(f"master:{name}" for name in MASTER_NAMES)),
    "outer": (*(f"ready:{name}" for name in WEAPON_NAMES), *(f"specialist:{name}" for name in SPECIALIST_NAMES)),
}

# fields of the record that hold printed data
PRINTED_FIELDS: Final = (
    "inner", "inner_amount", "middle", "middle_amount", "outer", "organizer_vp", "specialist_cost", "specialist_weapon",
    "token_prices", "tile_domination", "tile_presence", "priority_clay", "row_start", "column_start", "shuffled_rings",
    "board_name",
)  # fmt: skip


@dataclass(frozen=True)
class Board:
    """Checked printed data: ``name``, where it came from, and one record that holds it."""

    name: str
    origin: str
    template: np.ndarray  # shape (1,), only PRINTED_FIELDS are set

    def write(self, states: np.ndarray) -> None:
        """Write the printed data into every record of ``states``; other fields keep their values."""
        for field in PRINTED_FIELDS:
            states[field] = self.template[field][0]


@cache
def shipped_boards() -> tuple[str, ...]:
    """Names of the boards that come with the package."""
    folder = resources.files("terracotta_env") / "boards"
    names = sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return (DEFAULT_BOARD, *(name for name in names if name != DEFAULT_BOARD))


def load_board(board: str | Path | Mapping[str, Any]) -> Board:
    """A board by shipped name, by path of a TOML file, or from its content as a mapping.

    Raises:
        BoardError: no such board, or a value that cannot be: the message names file, key and what was expected.
    """
    if isinstance(board, Mapping):
        return read_board(board, f"board {board.get('name', '(without a name)')!r}")
    if not isinstance(board, str | Path):
        raise BoardError(f"board: expected a name, the path of a TOML file or its content, got {board!r}")
    if isinstance(board, str) and board in shipped_boards():
        return _load_shipped(board)
    path = Path(board)
    if not path.is_file():
        raise BoardError(
            f"no board {str(board)!r}: give a path to a TOML file or one of the names {', '.join(shipped_boards())}"
        )
    return _parse(path.read_bytes(), f"board file {path}")


@cache
def _load_shipped(name: str) -> Board:
    file = resources.files("terracotta_env") / "boards" / f"{name}.toml"
    return _parse(file.read_bytes(), f"board file {name}.toml")


def _parse(raw: bytes, origin: str) -> Board:
    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BoardError(f"{origin}: is not valid TOML: {error}") from None
    return read_board(data, origin)


def read_board(data: Mapping[str, Any], origin: str) -> Board:
    """Check every value of a board file and put it into a record."""
    board = Reader(data, "", BoardError, origin).table(
        ("name", "mausoleum", "wheel", "warriors", "specialists", "masters", "scoring", "inspectors")
    )
    states = make_states(1)
    name = board["name"].text()
    encoded = name.encode()
    if len(encoded) > BOARD_NAME_BYTES:
        raise board["name"].fail(f"a name of at most {BOARD_NAME_BYTES} bytes")
    states["board_name"][0, : len(encoded)] = np.frombuffer(encoded, np.uint8)

    mausoleum = board["mausoleum"].table(("columns", "rows"))
    mausoleum["columns"].integer(COLUMNS, COLUMNS)
    mausoleum["rows"].integer(ROWS, ROWS)

    wheel = board["wheel"].table(RING_NAMES, ("shuffle",))
    for ring in RING_NAMES:
        write_ring(states, ring, wheel[ring])
    states["shuffled_rings"] = int("shuffle" in wheel and wheel["shuffle"].flag())

    warriors = board["warriors"].table(("figures_per_type", "organizer_vp", "bases_per_player"))
    warriors["figures_per_type"].integer(FIGURES_PER_TYPE, FIGURES_PER_TYPE)
    warriors["bases_per_player"].integer(BASES, BASES)
    states["organizer_vp"] = warriors["organizer_vp"].integers(FIGURES_PER_TYPE, 0, LARGEST)

    specialists = board["specialists"].table(("figures_per_type", "cost", "weapon"))
    specialists["figures_per_type"].integer(SPECIALISTS_PER_TYPE, SPECIALISTS_PER_TYPE)
    states["specialist_cost"] = specialists["cost"].integers(SPECIALISTS_PER_TYPE, 1, LARGEST)
    weapon = specialists["weapon"].table(SPECIALIST_NAMES)
    states["specialist_weapon"] = [WEAPON_NAMES.index(weapon[s].word(WEAPON_NAMES)) for s in SPECIALIST_NAMES]

    masters = board["masters"].table(("token_prices",))
    states["token_prices"] = sorted(masters["token_prices"].integers(TOKENS, 1, TOKENS))

    scoring = board["scoring"].table(("tile_domination", "tile_presence", "priority_clay"))
    states["tile_domination"] = scoring["tile_domination"].integers(ROUNDS, 0, LARGEST)
    states["tile_presence"] = scoring["tile_presence"].integers(ROUNDS, 0, LARGEST)
    states["priority_clay"] = scoring["priority_clay"].integers(3, 0, LARGEST)

    inspectors = board["inspectors"].table(("row_start", "column_start"))
    states["row_start"] = inspectors["row_start"].integer(1, ROWS) - 1
    states["column_start"] = COLUMN_LETTERS.index(inspectors["column_start"].word(tuple(COLUMN_LETTERS)))
    states.setflags(write=False)
    return Board(name, origin, states)


def read_space(word: Reader, ring: str) -> tuple[int, int]:
    """``(Space code, amount)`` of a word that may lie on ``ring`` (R2)."""
    text = word.value
    if isinstance(text, str):
        kind, _, number = text.partition(":")
        allowed = _RING_WORDS[ring]
        if text in allowed and text in PLAIN_WORDS:
            return PLAIN_WORDS[text], 0
        if f"{kind}:N" in allowed and number.isdecimal() and number.isascii() and 1 <= int(number) <= LARGEST:
            return AMOUNT_WORDS[kind], int(number)
    numbers = f" (N = 1..{LARGEST})" if ring != "outer" else ""
    raise word.fail(f"one of {', '.join(_RING_WORDS[ring])}{numbers}")


def write_ring(states: np.ndarray, ring: str, words: Reader) -> None:
    """Write a ring's twelve words into every record."""
    entries = [read_space(word, ring) for word in words.items(SEGMENTS)]
    states[ring] = [space for space, _ in entries]
    if ring != "outer":
        states[f"{ring}_amount"] = [amount for _, amount in entries]


def ring_words(states: np.ndarray, ring: str) -> list[str]:
    """The twelve words of a ring of ``states[0]``, in list order (not turned)."""
    amounts = states[f"{ring}_amount"][0] if ring != "outer" else [0] * SEGMENTS
    return [space_word(int(space), int(amount)) for space, amount in zip(states[ring][0], amounts, strict=True)]


def board_name(states: np.ndarray) -> str:
    """Name of the printed data in ``states[0]``."""
    return bytes(states["board_name"][0]).rstrip(b"\0").decode()


def board_data(states: np.ndarray) -> dict[str, Any]:
    """The printed data of ``states[0]`` in the form of a board file."""
    s = states[0]
    return {
        "name": board_name(states),
        "mausoleum": {"columns": COLUMNS, "rows": ROWS},
        "wheel": {
            **{ring: ring_words(states, ring) for ring in RING_NAMES},
            **({"shuffle": True} if s["shuffled_rings"] else {}),
        },
        "warriors": {
            "figures_per_type": FIGURES_PER_TYPE,
            "organizer_vp": s["organizer_vp"].tolist(),
            "bases_per_player": BASES,
        },
        "specialists": {
            "figures_per_type": SPECIALISTS_PER_TYPE,
            "cost": s["specialist_cost"].tolist(),
            "weapon": {
                name: WEAPON_NAMES[weapon]
                for name, weapon in zip(SPECIALIST_NAMES, s["specialist_weapon"], strict=True)
            },
        },
        "masters": {"token_prices": s["token_prices"].tolist()},
        "scoring": {key: s[key].tolist() for key in ("tile_domination", "tile_presence", "priority_clay")},
        "inspectors": {"row_start": int(s["row_start"]) + 1, "column_start": COLUMN_LETTERS[int(s["column_start"])]},
    }


def is_shipped(states: np.ndarray) -> bool:
    """Is the printed data of ``states[0]`` that of the shipped board of its name (shuffled rings in any order)?"""
    name = board_name(states)
    if name not in shipped_boards():
        return False
    template = _load_shipped(name).template
    shuffled = bool(template["shuffled_rings"][0])
    for field in PRINTED_FIELDS:
        if (
            not (shuffled and field.removesuffix("_amount") in RING_NAMES)
            and (template[field] != states[field][:1]).any()
        ):
            return False
    return all(sorted(ring_words(template, ring)) == sorted(ring_words(states, ring)) for ring in RING_NAMES)
