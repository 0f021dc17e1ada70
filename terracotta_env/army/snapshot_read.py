"""A position from JSON: reading format ``terracotta-snapshot`` and refusing what cannot be, field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import SetupError
from ..fields import Reader
from .actions import (
    DIRECTION_NAMES,
    MASTER_NAMES,
    RING_NAMES,
    SPECIALIST_NAMES,
    TILE_NAMES,
    WARRIOR_NAMES,
    WEAPON_NAMES,
    WORKER_NAMES,
)
from .apply import settle
from .board import Board, load_board, read_space, ring_words
from .geometry import CELL_OF_NAME, COLUMN_LETTERS, NEIGHBOUR, NO_CELL, ROWS, bit, count
from .legal import MAY_DECLINE, options
from .mausoleum import put_archer, put_on_foot, put_rider
from .snapshot import FORMAT, RULES_VERSION, SOURCE_NAMES, VERSION
from .snapshot_pending import read_pending
from .state import (
    BASES,
    FIGURES_PER_TYPE,
    QUARTERS,
    ROUNDS,
    SEATS,
    SEGMENTS,
    SPECIALISTS_PER_TYPE,
    TOKENS,
    WORKERS_FOR,
    Decision,
    Worker,
    make_states,
)
from .wheel import inner_index, middle_index

# Of any counter: far above what a game can reach, and low enough that one player who gathers everything there is (wet,
# dry and four warehouses) and all that can still flow in stays within the record's 16 bits, as do the sums of kernels.
MOST = 2000
MOST_VP = 1000  # of one source: fourteen of them and what is still scored fit 16 bits

_KEYS = (
    "format", "version", "board", "players", "to_move", "over", "round", "turn_order", "tiles", "tile", "inner_offset",
    "middle_offset", "wheel", "warehouses", "inspectors", "organizer", "specialists_left", "priority_stack",
    "mausoleum", "pending",
)  # fmt: skip
_PLAYER_KEYS = (
    "vp", "coins", "wet", "dry", "craftsmen", "artisans", "artisans_in_supply", "bases", "weapons", "tokens", "masters",
    "priority", "ledger",
)  # fmt: skip


def read_snapshot(snapshot: Mapping[str, Any], board: Board | None = None) -> np.ndarray:
    """The position as one record, shape ``(1,)``; forced decisions are resolved (R6).

    Args:
        snapshot: the JSON object.
        board: its printed data, where that is not the shipped board it names.

    Raises:
        SetupError: the snapshot cannot be; the message names the field.
    """
    doc = Reader(snapshot, "", SetupError, "snapshot").table(_KEYS, ("rules",))
    doc["format"].word((FORMAT,))
    doc["version"].integer(VERSION, VERSION)
    if "rules" in doc and (type(doc["rules"].value) is not int or doc["rules"].value != RULES_VERSION):
        raise doc["rules"].fail(f"{RULES_VERSION}, the version of the rules this program plays")
    states = make_states(1)
    _read_board(states, doc, board)
    players = doc["players"].items()
    if not 2 <= len(players) <= SEATS:
        raise doc["players"].error(f"snapshot: players: expected 2 to {SEATS} players, got {len(players)}")
    s = states[0]
    s.players = len(players)
    s.game_round = doc["round"].integer(1, ROUNDS)
    _read_table(s, doc)
    for seat, player in enumerate(players):
        _read_player(s, seat, player)
    _read_wheel(states, doc)
    _read_statues(s, doc["mausoleum"])
    read_pending(s, doc)
    _check_counts(s, doc, players)
    _check_priority(s, doc, players)
    if s.decision != Decision.OVER:
        if options(s) == 0 and not MAY_DECLINE[s.decision]:
            raise doc["pending"].fail("a decision with at least one legal option in this position")
        settle(s)
    return states


def _read_board(states: np.ndarray, doc: Reader, board: Board | None) -> None:
    name = doc["board"].text()
    chosen = board if board is not None and board.name == name else load_board(name)
    chosen.write(states)


def _read_table(s: Any, doc: Reader) -> None:
    """Turn order, tiles, warehouses, Inspectors, supplies."""
    n = int(s.players)
    order = doc["turn_order"].integers(n, 0, n - 1)
    if len(set(order)) != n:
        raise doc["turn_order"].fail(f"each seat 0..{n - 1} once")
    s.turn_order[:n] = order
    tiles = [tile.word(TILE_NAMES) for tile in doc["tiles"].items(ROUNDS)]
    if len(set(tiles)) != ROUNDS:
        raise doc["tiles"].fail("five different tiles")
    s.tiles[:] = [TILE_NAMES.index(tile) for tile in tiles]
    if doc["tile"].value != tiles[s.game_round - 1]:
        raise doc["tile"].fail(f"{tiles[s.game_round - 1]!r}, the tile of round {s.game_round}")
    s.warehouses[:] = doc["warehouses"].integers(QUARTERS, 0, MOST)
    inspectors = doc["inspectors"].table(("row", "column"))
    s.inspector_row = inspectors["row"].integer(1, ROWS) - 1
    s.inspector_column = COLUMN_LETTERS.index(inspectors["column"].word(tuple(COLUMN_LETTERS)))
    organizer = doc["organizer"].table(WARRIOR_NAMES)
    s.organizer[:] = [organizer[name].integer(0, FIGURES_PER_TYPE) for name in WARRIOR_NAMES]
    left = doc["specialists_left"].table(SPECIALIST_NAMES)
    s.specialists[:] = [left[name].integer(0, SPECIALISTS_PER_TYPE) for name in SPECIALIST_NAMES]


def _read_player(s: Any, seat: int, player: Reader) -> None:
    player.table(_PLAYER_KEYS)
    workers = WORKERS_FOR[s.players]
    s.coins[seat] = player["coins"].integer(0, MOST)
    s.wet[seat] = player["wet"].integer(0, MOST)
    s.dry[seat] = player["dry"].integer(0, MOST)
    s.craftsmen[seat] = player["craftsmen"].integer(0, workers)
    s.artisans[seat] = player["artisans"].integer(0, workers)
    s.artisans_in_supply[seat] = player["artisans_in_supply"].integer(0, workers)
    s.bases[seat] = player["bases"].integer(0, BASES)
    weapons = player["weapons"].table(WEAPON_NAMES)
    s.weapons[seat] = [weapons[name].flag() for name in WEAPON_NAMES]
    ledger = player["ledger"].table(SOURCE_NAMES)
    s.ledger[seat] = [ledger[name].integer(0, MOST_VP) for name in SOURCE_NAMES]
    if player["vp"].integer(0, MOST_VP * len(SOURCE_NAMES)) != int(s.ledger[seat].sum()):
        raise player["vp"].fail(f"{int(s.ledger[seat].sum())}, the sum of the ledger")
    masters = player["masters"].table((), MASTER_NAMES)
    for master, name in enumerate(MASTER_NAMES):
        if name in masters:
            s.masters[seat, master] = masters[name].integer(1, TOKENS)
    tokens = [token.integer(1, TOKENS) for token in player["tokens"].items()]
    spent = [int(price) for price in s.masters[seat] if price > 0]
    if Counter(tokens + spent) != Counter(s.token_prices.tolist()):
        raise player["tokens"].fail(f"with the owned Masters' tokens {spent} together {s.token_prices.tolist()}")
    for price in tokens:
        s.tokens[seat, price - 1] += 1
    if player["priority"].value is not None:
        s.priority[seat] = player["priority"].integer(1, int(s.players) - 1)


def _read_wheel(states: np.ndarray, doc: Reader) -> None:
    """Workers and rings as they stand now: the board's rings, turned; of a shuffling board in any order."""
    s = states[0]
    s.inner_offset = doc["inner_offset"].integer(0, SEGMENTS - 1)
    s.middle_offset = doc["middle_offset"].integer(0, SEGMENTS - 1)
    wheel = doc["wheel"].table([str(segment + 1) for segment in range(SEGMENTS)])
    printed = {ring: ring_words(states, ring) for ring in RING_NAMES}
    shown: dict[str, list[str]] = {ring: [""] * SEGMENTS for ring in RING_NAMES}
    for segment in range(SEGMENTS):
        entry = wheel[str(segment + 1)].table((*RING_NAMES, "workers"))
        index = {"inner": inner_index(s, segment), "middle": middle_index(s, segment), "outer": segment}
        for ring in RING_NAMES:
            read_space(entry[ring], ring)
            shown[ring][index[ring]] = entry[ring].value
            if not s.shuffled_rings and entry[ring].value != printed[ring][index[ring]]:
                raise entry[ring].fail(
                    f"{printed[ring][index[ring]]!r}, what the board's ring shows there at this offset"
                )
        _read_workers(s, segment, entry["workers"])
    if s.shuffled_rings:
        for ring in RING_NAMES:
            if sorted(shown[ring]) != sorted(printed[ring]):
                raise doc["wheel"].error(
                    f"snapshot: wheel: the {ring} actions are not those of the board in another order"
                )
            entries = [read_space(Reader(word, "wheel", SetupError, "snapshot"), ring) for word in shown[ring]]
            states[ring] = [space for space, _ in entries]
            if ring != "outer":
                states[f"{ring}_amount"] = [amount for _, amount in entries]


def _read_workers(s: Any, segment: int, workers: Reader) -> None:
    entries = workers.items()
    if len(entries) > 2:
        raise workers.fail("at most two workers")
    for slot, worker in enumerate(entries):
        worker.table(("owner", "kind"))
        kind = WORKER_NAMES.index(worker["kind"].word(WORKER_NAMES))
        if slot == 1 and (s.worker_kind[segment, 0] != Worker.CRAFTSMAN or kind != Worker.ARTISAN):
            raise workers.fail("beside a first worker only an artisan, and only beside a craftsman")
        s.worker_owner[segment, slot] = worker["owner"].integer(0, int(s.players) - 1)
        s.worker_kind[segment, slot] = kind


def _read_statues(s: Any, mausoleum: Reader) -> None:
    for statue in mausoleum:
        if not isinstance(statue.value, Mapping) or "kind" not in statue:
            raise statue.fail("a statue with kind, owner and spaces")
        kind = statue["kind"].word((*WARRIOR_NAMES, "archer", "footman", "musician"))
        if kind in WARRIOR_NAMES:
            _read_warrior(s, WARRIOR_NAMES.index(kind), statue)
            continue
        statue.table(("kind", "owner", "spaces", *(("facing",) if kind == "archer" else ())))
        if statue["owner"].value is not None:
            raise statue["owner"].fail("null: a Specialist belongs to nobody")
        cell = _empty_spaces(s, statue["spaces"], 1)[0]
        if kind == "archer":
            facing = DIRECTION_NAMES.index(statue["facing"].word(DIRECTION_NAMES))
            if NEIGHBOUR[cell, facing] == NO_CELL:
                raise statue["facing"].fail("a direction that does not leave the Mausoleum")
            if s.archer_cell[-1] != NO_CELL:
                raise mausoleum.error(f"snapshot: mausoleum: more than {SPECIALISTS_PER_TYPE} archers")
            put_archer(s, cell, facing)
        elif kind == "footman":
            s.footmen |= bit(cell)
            s.occupied |= bit(cell)
        else:
            s.musicians |= bit(cell)
            s.occupied |= bit(cell)


def _read_warrior(s: Any, kind: int, statue: Reader) -> None:
    statue.table(("kind", "owner", "mounted", "spaces"))
    owner = statue["owner"].integer(0, int(s.players) - 1)
    if not statue["mounted"].flag():
        put_on_foot(s, owner, kind, _empty_spaces(s, statue["spaces"], 1)[0])
        return
    first, second, third = _empty_spaces(s, statue["spaces"], 3)
    for direction in range(len(DIRECTION_NAMES)):
        if NEIGHBOUR[first, direction] == second and NEIGHBOUR[second, direction] == third:
            if s.rider_cell[-1] != NO_CELL:
                raise statue.error(f"snapshot: mausoleum: more than {SPECIALISTS_PER_TYPE} riders")
            put_rider(s, owner, kind, first, direction)
            return
    raise statue["spaces"].fail("the Warrior's own space and the next two in one direction")


def _empty_spaces(s: Any, spaces: Reader, number: int) -> list[int]:
    cells = []
    for space in spaces.items(number):
        cell = CELL_OF_NAME.get(space.value, NO_CELL) if isinstance(space.value, str) else NO_CELL
        if cell == NO_CELL:
            raise space.fail("a space a1..i7")
        if s.occupied & bit(cell) != 0 or cell in cells:
            raise space.fail("a space that holds no other statue")
        cells.append(cell)
    return cells


def _check_counts(s: Any, doc: Reader, players: list[Reader]) -> None:
    """Nothing appears or vanishes: workers, bases, figures."""
    for seat, player in enumerate(players):
        on_wheel = [int(((s.worker_owner == seat) & (s.worker_kind == kind)).sum()) for kind in Worker]
        supply = int(s.artisans_in_supply[seat])
        if s.craftsmen[seat] + on_wheel[Worker.CRAFTSMAN] != supply:
            raise player["craftsmen"].fail(f"together with {on_wheel[0]} on the wheel {supply}, the artisans in supply")
        if s.artisans[seat] + on_wheel[Worker.ARTISAN] != WORKERS_FOR[s.players] - supply:
            raise player["artisans"].fail(
                f"together with {on_wheel[1]} on the wheel {WORKERS_FOR[s.players] - supply}, those not in supply"
            )
        warriors = count(s.owned[seat]) + int((s.rider_owner == seat).sum())
        if s.bases[seat] != BASES - warriors:
            raise player["bases"].fail(f"{BASES - warriors}, as {warriors} Warriors stand in the Mausoleum")
    for kind, name in enumerate(WARRIOR_NAMES):
        standing = count(s.warriors[kind]) + int((s.rider_type == kind).sum())
        if s.organizer[kind] != FIGURES_PER_TYPE - standing:
            raise doc["organizer"][name].fail(f"{FIGURES_PER_TYPE - standing}, as {standing} stand in the Mausoleum")
    riders, archers = int((s.rider_cell != NO_CELL).sum()), int((s.archer_cell != NO_CELL).sum())
    standing_by_type = (riders, count(s.footmen), archers, count(s.musicians))
    for kind, name in enumerate(SPECIALIST_NAMES):
        left = SPECIALISTS_PER_TYPE - standing_by_type[kind]
        if s.specialists[kind] != left:
            raise doc["specialists_left"][name].fail(f"{left}, as {standing_by_type[kind]} stand in the Mausoleum")


def _check_priority(s: Any, doc: Reader, players: list[Reader]) -> None:
    """Held tokens and the stack are together the tokens in play, taken from the top (R4)."""
    held = sorted(int(number) for number in s.priority if number > 0)
    if held != list(range(1, len(held) + 1)):
        seat = next(i for i in range(len(players)) if s.priority[i] > 0)
        raise players[seat]["priority"].fail("the lowest numbers held, each by one player")
    s.priority_next = len(held) + 1
    stack = list(range(len(held) + 1, len(players)))
    if doc["priority_stack"].value != stack or any(type(number) is not int for number in doc["priority_stack"].value):
        raise doc["priority_stack"].fail(f"{stack}, the tokens nobody holds")
