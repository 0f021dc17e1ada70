"""Positions as JSON, written and read."""

from collections.abc import Mapping
from typing import Any

from .board import (
    MASTERS,
    RINGS,
    ROUNDS,
    SEGMENTS,
    SPECIALISTS,
    TILES,
    WARRIORS,
    WEAPONS,
    Board,
    check_rings,
)
from .mausoleum import (
    COLUMNS,
    DIRECTIONS,
    ROWS,
    Mausoleum,
    Statue,
    cell_from_name,
    cell_name,
    next_cell,
)
from .state import LEDGER, WORKERS_PER_PLAYER, Player, State, Worker

FORMAT, VERSION, RULES = "terracotta-snapshot", 1, 1


def write_snapshot(state: State, pending: str | None) -> dict[str, Any]:
    """The whole position; ``pending`` names the decision that is asked."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES,
        "board": state.board.name,
        "players": [_write_player(player) for player in state.players],
        "to_move": state.to_move,
        "over": state.over,
        "round": state.round,
        "turn_order": list(state.turn_order),
        "tiles": list(state.tiles),
        "tile": state.tile,
        "inner_offset": state.offsets["inner"],
        "middle_offset": state.offsets["middle"],
        "wheel": {str(segment): _write_segment(state, segment) for segment in SEGMENTS},
        "warehouses": list(state.warehouses),
        "inspectors": {
            "row": state.inspector_row,
            "column": COLUMNS[state.inspector_column - 1],
        },
        "organizer": dict(state.organizer),
        "specialists_left": dict(state.specialists_left),
        "priority_stack": list(state.priority_stack),
        "mausoleum": sorted(
            (_write_statue(statue) for statue in state.mausoleum.statues),
            key=lambda entry: str(entry["spaces"][0]),
        ),
        "pending": None if pending is None else {"decision": pending},
    }


def _write_player(player: Player) -> dict[str, Any]:
    return {
        "vp": player.vp,
        "coins": player.coins,
        "wet": player.wet,
        "dry": player.dry,
        "craftsmen": player.craftsmen,
        "artisans": player.artisans,
        "artisans_in_supply": player.artisans_in_supply,
        "bases": player.bases,
        "weapons": dict(player.weapons),
        "tokens": list(player.tokens),
        "masters": dict(player.masters),
        "priority": player.priority,
        "ledger": dict(player.ledger),
    }


def _write_segment(state: State, segment: int) -> dict[str, Any]:
    actions = {ring: state.action(ring, segment) for ring in RINGS}
    standing = [{"owner": w.owner, "kind": w.kind} for w in state.workers[segment]]
    return {**actions, "workers": standing}


def _write_statue(statue: Statue) -> dict[str, Any]:
    entry: dict[str, Any] = {"kind": statue.kind, "owner": statue.owner}
    if statue.is_warrior:
        entry["mounted"] = statue.mounted
    entry["spaces"] = [cell_name(space) for space in statue.spaces]
    if statue.facing is not None:
        entry["facing"] = statue.facing
    return entry


def _require(holds: bool, field: str, value: object) -> None:
    if not holds:
        raise ValueError(f"snapshot: {field}: {value!r} is not possible")


def read_snapshot(board: Board, data: Mapping[str, Any]) -> State:
    """A position at the start of a turn; only its form is checked closely."""
    for field, value in (("format", FORMAT), ("version", VERSION)):
        _require(data[field] == value, field, data[field])
    _require(data.get("rules", RULES) == RULES, "rules", data.get("rules"))
    _require(data["board"] == board.name, "board", data["board"])
    players = [_read_player(seat, entry) for seat, entry in enumerate(data["players"])]
    _require(len(players) in WORKERS_PER_PLAYER, "players", len(players))
    seats = range(len(players))
    order = list(data["turn_order"])
    _require(sorted(order) == list(seats), "turn_order", order)
    _require(data["round"] in range(1, ROUNDS + 1), "round", data["round"])
    tiles = data["tiles"]
    _require(len(tiles) == ROUNDS and set(tiles) <= set(TILES), "tiles", tiles)
    to_move = data["to_move"]
    if data["over"]:
        _require(to_move is None, "to_move", to_move)
    else:
        _require(to_move in seats, "to_move", to_move)
        _require(players[to_move].has_workers, "to_move", to_move)
        pending = data["pending"]
        _require(pending.get("decision") == "rotate", "pending", pending)
    row, column = data["inspectors"]["row"], data["inspectors"]["column"]
    _require(row in ROWS, "inspectors.row", row)
    _require(column in list(COLUMNS), "inspectors.column", column)
    offsets = {
        "inner": data["inner_offset"],
        "middle": data["middle_offset"],
        "outer": 0,
    }
    return State(
        board=board,
        rings=_read_rings(data["wheel"], offsets),
        offsets=offsets,
        players=players,
        turn_order=order,
        tiles=list(tiles),
        workers={
            segment: [Worker(worker["owner"], worker["kind"]) for worker in data["wheel"][str(segment)]["workers"]]
            for segment in SEGMENTS
        },
        warehouses=list(data["warehouses"]),
        inspector_row=row,
        inspector_column=COLUMNS.index(column) + 1,
        organizer={kind: data["organizer"][kind] for kind in WARRIORS},
        specialists_left={kind: data["specialists_left"][kind] for kind in SPECIALISTS},
        priority_stack=list(data["priority_stack"]),
        mausoleum=_read_mausoleum(data["mausoleum"], len(players)),
        round=data["round"],
        to_move=to_move,
        over=data["over"],
    )


def _read_player(seat: int, data: Mapping[str, Any]) -> Player:
    masters, ledger = dict(data["masters"]), data["ledger"]
    _require(set(masters) <= set(MASTERS), f"players[{seat}].masters", masters)
    player = Player(
        seat=seat,
        coins=data["coins"],
        wet=data["wet"],
        dry=data["dry"],
        craftsmen=data["craftsmen"],
        artisans=data["artisans"],
        artisans_in_supply=data["artisans_in_supply"],
        bases=data["bases"],
        tokens=sorted(data["tokens"]),
        masters=masters,
        weapons={weapon: data["weapons"][weapon] for weapon in WEAPONS},
        priority=data["priority"],
        ledger={source: ledger[source] for source in LEDGER},
    )
    _require(player.vp == data["vp"], f"players[{seat}].vp", data["vp"])
    return player


def _read_rings(wheel: Mapping[str, Any], offsets: Mapping[str, int]) -> dict[str, list[str]]:
    """Turn the rings back by their offsets, so that drawn contents survive too."""
    return check_rings(
        {
            ring: [wheel[str((entry + offsets[ring]) % len(SEGMENTS) + 1)][ring] for entry in range(len(SEGMENTS))]
            for ring in RINGS
        }
    )


def _read_mausoleum(entries: list[Mapping[str, Any]], players: int) -> Mausoleum:
    mausoleum = Mausoleum()
    for entry in entries:
        kind, owner, names = entry["kind"], entry["owner"], entry["spaces"]
        statue = Statue(
            kind,
            [cell_from_name(name) for name in names],
            owner=owner,
            facing=entry.get("facing"),
        )
        if kind in WARRIORS:
            _require(owner in range(players), "mausoleum owner", owner)
            _require(statue.mounted == entry["mounted"], "mausoleum mounted", entry)
            _require(not statue.mounted or _is_ride(statue), "mausoleum spaces", names)
        else:
            figure = kind in SPECIALISTS and kind != "horse"
            _require(figure, "mausoleum kind", kind)
            _require(owner is None, "mausoleum owner", owner)
            _require(len(names) == 1, "mausoleum spaces", names)
            if kind == "archer":
                _require(statue.facing in DIRECTIONS, "mausoleum facing", entry)
        mausoleum.add(statue)
    return mausoleum


def _is_ride(statue: Statue) -> bool:
    """Three spaces in a row, counted from where the warrior stood."""
    first, *rest = statue.spaces
    return any(
        (second := next_cell(first, way)) is not None and rest == [second, next_cell(second, way)] for way in DIRECTIONS
    )
