"""Boards, setups and snapshots of Terracotta Army as JSON, for :class:`terracotta_env.game.Notation`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import SetupError
from ..fields import Reader
from . import render as text
from . import snapshot as position
from .actions import RING_NAMES, TILE_NAMES
from .board import (
    Board,
    board_data,
    board_name,
    is_shipped,
    load_board,
    read_board,
    ring_words,
    shipped_boards,
    write_ring,
)
from .setup import clear_table, deal
from .snapshot_read import read_snapshot
from .state import NOBODY, ROUNDS, SEATS, SEGMENTS


class ArmyNotation:
    """See :class:`terracotta_env.game.Notation`; ``states`` is an array of which the first record is meant."""

    def board_names(self) -> Sequence[str]:
        return shipped_boards()

    def write_board(self, states: np.ndarray, board: str | Mapping[str, Any]) -> None:
        load_board(board).write(states)

    def board_of(self, states: np.ndarray) -> str:
        return board_name(states)

    def board_data_of(self, states: np.ndarray) -> dict[str, Any] | None:
        return None if is_shipped(states) else board_data(states)

    def setup_of(self, states: np.ndarray) -> dict[str, Any]:
        """Offsets, tiles and turn order; the rings too where the board draws them anew in each game."""
        s = states[0]
        setup: dict[str, Any] = {
            "inner_offset": int(s.inner_offset),
            "middle_offset": int(s.middle_offset),
            "tiles": [TILE_NAMES[tile] for tile in s.tiles],
            "turn_order": s.turn_order[: s.players].tolist(),
        }
        if s.shuffled_rings:
            setup["rings"] = {ring: ring_words(states, ring) for ring in RING_NAMES}
        return setup

    def write_setup(self, states: np.ndarray, players: int, setup: Mapping[str, Any]) -> None:
        """Begin ``states[0]`` from a given setup; any turn order is accepted (R3)."""
        doc = Reader(setup, "", SetupError, "setup").table(
            ("inner_offset", "middle_offset", "tiles", "turn_order"), ("rings",)
        )
        inner = doc["inner_offset"].integer(0, SEGMENTS - 1)
        middle = doc["middle_offset"].integer(0, SEGMENTS - 1)
        tiles = [tile.word(TILE_NAMES) for tile in doc["tiles"].items(ROUNDS)]
        if len(set(tiles)) != ROUNDS:
            raise doc["tiles"].fail("five different tiles")
        order = doc["turn_order"].integers(players, 0, players - 1)
        if len(set(order)) != players:
            raise doc["turn_order"].fail(f"each seat 0..{players - 1} once")
        trial = states[:1].copy()  # bad input must not leave half a setup behind
        if "rings" in doc:
            rings = doc["rings"].table(RING_NAMES)
            for ring in RING_NAMES:
                printed = ring_words(trial, ring)
                write_ring(trial, ring, rings[ring])
                given = ring_words(trial, ring)
                if not trial["shuffled_rings"][0] and given != printed:
                    raise rings[ring].fail("the board's ring as printed, as this board does not shuffle its rings")
                if sorted(given) != sorted(printed):
                    raise rings[ring].fail("the board's actions of this ring in some order")
        s = trial[0]
        clear_table(s)
        s.generator = 0
        s.players = players
        s.inner_offset, s.middle_offset = inner, middle
        s.tiles[:] = [TILE_NAMES.index(tile) for tile in tiles]
        s.turn_order[:] = [*order, *[NOBODY] * (SEATS - players)]
        deal(s)
        states[:1] = trial

    def snapshot(self, states: np.ndarray) -> dict[str, Any]:
        return position.snapshot(states)

    def write_snapshot(self, states: np.ndarray, snapshot: Mapping[str, Any]) -> None:
        """The printed data in the record serves where the snapshot names it; else the shipped board of that name."""
        board = read_board(board_data(states), "board") if board_name(states) else None
        states[:1] = read_snapshot(snapshot, board)

    def resources(self, states: np.ndarray) -> dict[str, list[int]]:
        s = states[0]
        return {name: s[name][: s.players].tolist() for name in ("coins", "wet", "dry")}

    def round_of(self, states: np.ndarray) -> int:
        return int(states[0].game_round)

    def turn_order(self, states: np.ndarray) -> list[int]:
        s = states[0]
        order: list[int] = s.turn_order[: s.players].tolist()
        return order

    def render(self, states: np.ndarray) -> str:
        return text.render(states)

    def picture(self, states: np.ndarray, **settings: Any) -> str:
        """The position as SVG, see :class:`terracotta_env.render.Drawing`."""
        from .picture import picture  # whoever never looks at a picture need not load it

        return picture(states, **settings)

    def picture_style(self) -> str:
        """The style sheet for pictures of the theme ``page``."""
        from .picture import style

        return style()


__all__ = ["ArmyNotation", "Board"]
