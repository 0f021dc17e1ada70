"""A position as JSON: writing it (format ``terracotta-snapshot``).  Reading it back is in ``snapshot_read.py``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from ..kernel import interpreted
from .actions import (
    DIRECTION_NAMES,
    MASTER_NAMES,
    RING_NAMES,
    SPECIALIST_NAMES,
    TILE_NAMES,
    WARRIOR_NAMES,
    WEAPON_NAMES,
    WORKER_NAMES,
    space_word,
)
from .board import board_name
from .geometry import CELL_NAMES, COLUMN_LETTERS, NEIGHBOUR, NO_CELL, cells_of
from .state import ARCHERS, NOBODY, NONE, RIDERS, SEGMENTS, STATE, TOKENS, Decision, Source
from .wheel import inner_index, middle_index

FORMAT: Final = "terracotta-snapshot"
VERSION: Final = 1
RULES_VERSION: Final = 1

SOURCE_NAMES: Final = tuple(source.name.lower() for source in Source)
DECISION_NAMES: Final = tuple(decision.name.lower() for decision in Decision)

_inner_index, _middle_index = interpreted(inner_index), interpreted(middle_index)


def plain(states: np.ndarray) -> SimpleNamespace:
    """The fields of ``states[0]`` as Python numbers and lists: reading a record field by field is ten times slower."""
    return SimpleNamespace(**{name: states[name][0].tolist() for name in STATE.names or ()})


def snapshot(states: np.ndarray) -> dict[str, Any]:
    """The whole position of ``states[0]``, complete enough to go on from."""
    s = plain(states)
    over = s.decision == Decision.OVER
    players = s.players
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES_VERSION,
        "board": board_name(states),
        "players": [_player(s, seat) for seat in range(players)],
        "to_move": None if over else s.to_move,
        "over": over,
        "round": s.game_round,
        "turn_order": s.turn_order[:players],
        "tiles": [TILE_NAMES[tile] for tile in s.tiles],
        "tile": TILE_NAMES[s.tiles[s.game_round - 1]],
        "inner_offset": s.inner_offset,
        "middle_offset": s.middle_offset,
        "wheel": {str(segment + 1): _segment(s, segment) for segment in range(SEGMENTS)},
        "warehouses": s.warehouses,
        "inspectors": {"row": s.inspector_row + 1, "column": COLUMN_LETTERS[s.inspector_column]},
        "organizer": dict(zip(WARRIOR_NAMES, s.organizer, strict=True)),
        "specialists_left": dict(zip(SPECIALIST_NAMES, s.specialists, strict=True)),
        "priority_stack": list(range(s.priority_next, players)),
        "mausoleum": statues(s),
        "pending": None if over else _pending(s),
    }


def _player(s: Any, seat: int) -> dict[str, Any]:
    return {
        "vp": sum(s.ledger[seat]),
        "coins": s.coins[seat],
        "wet": s.wet[seat],
        "dry": s.dry[seat],
        "craftsmen": s.craftsmen[seat],
        "artisans": s.artisans[seat],
        "artisans_in_supply": s.artisans_in_supply[seat],
        "bases": s.bases[seat],
        "weapons": {name: bool(active) for name, active in zip(WEAPON_NAMES, s.weapons[seat], strict=True)},
        "tokens": [price for price in range(1, TOKENS + 1) for _ in range(s.tokens[seat][price - 1])],
        "masters": {name: price for name, price in zip(MASTER_NAMES, s.masters[seat], strict=True) if price > 0},
        "priority": s.priority[seat] or None,
        "ledger": dict(zip(SOURCE_NAMES, s.ledger[seat], strict=True)),
    }


def _segment(s: Any, segment: int) -> dict[str, Any]:
    inner, middle = _inner_index(s, segment), _middle_index(s, segment)
    return {
        "inner": space_word(s.inner[inner], s.inner_amount[inner]),
        "middle": space_word(s.middle[middle], s.middle_amount[middle]),
        "outer": space_word(s.outer[segment], 0),
        "workers": [
            {"owner": owner, "kind": WORKER_NAMES[kind]}
            for owner, kind in zip(s.worker_owner[segment], s.worker_kind[segment], strict=True)
            if owner != NOBODY
        ],
    }


def statues(s: Any) -> list[dict[str, Any]]:
    """Every statue of the position ``s`` (see :func:`plain`), sorted by the name of its first space."""
    found: list[dict[str, Any]] = []
    for kind, name in enumerate(WARRIOR_NAMES):
        for cell in cells_of(s.warriors[kind]):
            owner = next(seat for seat in range(s.players) if s.owned[seat] >> cell & 1)
            found.append({"kind": name, "owner": owner, "mounted": False, "spaces": [CELL_NAMES[cell]]})
    for i in range(RIDERS):
        if s.rider_cell[i] != NO_CELL:
            first, direction = s.rider_cell[i], s.rider_direction[i]
            second = int(NEIGHBOUR[first, direction])
            cells = (first, second, int(NEIGHBOUR[second, direction]))
            name, owner = WARRIOR_NAMES[s.rider_type[i]], s.rider_owner[i]
            found.append({"kind": name, "owner": owner, "mounted": True, "spaces": [CELL_NAMES[c] for c in cells]})
    for name, cells_with in (("footman", s.footmen), ("musician", s.musicians)):
        found += [{"kind": name, "owner": None, "spaces": [CELL_NAMES[cell]]} for cell in cells_of(cells_with)]
    for i in range(ARCHERS):
        if s.archer_cell[i] != NO_CELL:
            spaces, facing = [CELL_NAMES[s.archer_cell[i]]], DIRECTION_NAMES[s.archer_facing[i]]
            found.append({"kind": "archer", "owner": None, "spaces": spaces, "facing": facing})
    return sorted(found, key=lambda statue: str(statue["spaces"][0]))


def _pending(s: Any) -> dict[str, Any]:
    """What is being decided and what the turn has fixed so far; keys that say nothing are left out."""
    pending: dict[str, Any] = {"decision": DECISION_NAMES[s.decision]}
    if s.segment != NONE:
        pending["segment"] = s.segment + 1
        pending["ring"] = RING_NAMES[s.ring]
    if s.repeating:
        pending["repeating"] = True
    if s.chosen_type != NONE:
        pending["warrior"] = WARRIOR_NAMES[s.chosen_type]
    if s.chosen_cell != NO_CELL:
        pending["cell"] = CELL_NAMES[s.chosen_cell]
    return pending
