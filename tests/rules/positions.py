"""Positions built by hand: an opening snapshot with a few edits, so that a test shows only what matters.

The wheel of the shipped ``reconstructed`` board, both rings at offset 0 (what ``position()`` starts from)::

    segment  inner      middle         outer             segment  inner      middle         outer
    1        warrior:2  builder        ready:halberd     7        upgrade    supervisor     ready:halberd
    2        coins:4    coins:2        horse             8        coins:3    coins:3        archer
    3        warrior:3  clay_maker     ready:crossbow    9        warrior:3  inspector      ready:spear
    4        soak       priority       ready:sword       10       soak       priority       ready:sword
    5        clay:4     administrator  footman           11       clay:4     blacksmith     musician
    6        warrior:4  clay:2         ready:spear       12       upgrade    clay:2         ready:crossbow

Quarters of the wheel: 1-3, 4-6, 7-9, 10-12.  A Horse takes the sword, a Footman the halberd, an archer the crossbow, a
Musician the spear.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from terracotta_env.army import GAME
from terracotta_env.position import Position

WARRIORS = ("officer", "guard", "crossbowman", "soldier")
WEAPONS = ("sword", "halberd", "crossbow", "spear")
MASTERS = ("builder", "administrator", "inspector", "clay_maker", "supervisor", "blacksmith")
ALL_WEAPONS = " ".join(WEAPONS)
WORKERS = {2: 5, 3: 4, 4: 3}
CELLS = [f"{column}{row}" for column in "abcdefghi" for row in range(1, 8)]
KINDS = {"c": "craftsman", "a": "artisan"}

# no tile scores anything while nobody has a warrior: contests that a test does not ask about stay out of its way
TILES = ("nw", "ne", "sw", "se", "row")


@cache
def _opening(players: int, board: str, inner: int, middle: int, tiles: tuple[str, ...]) -> dict[str, Any]:
    setup = {
        "inner_offset": inner,
        "middle_offset": middle,
        "tiles": list(tiles),
        "turn_order": list(range(players)),
    }
    return Position.from_setup(GAME, players, setup, board).snapshot()


def opening(players: int = 2, board: str = "reconstructed", inner: int = 0, middle: int = 0) -> dict[str, Any]:
    """A fresh snapshot of the opening: seats in order, offsets as given, tiles :data:`TILES`."""
    return copy.deepcopy(_opening(players, board, inner, middle, TILES))


def read_statues(text: str) -> list[dict[str, Any]]:
    """``"0 officer a1, 1 guard c1 c2 c3, archer b1 w, footman e4"`` as statues (three spaces: mounted)."""
    found: list[dict[str, Any]] = []
    for entry in filter(None, (part.strip() for part in text.split(","))):
        words = entry.split()
        if words[0].isdecimal():
            spaces = words[2:]
            statue = {"kind": words[1], "owner": int(words[0]), "mounted": len(spaces) == 3, "spaces": spaces}
        else:
            statue = {"kind": words[0], "owner": None, "spaces": words[1:2]}
            if words[0] == "archer":
                statue["facing"] = words[2]
        found.append(statue)
    return sorted(found, key=lambda statue: str(statue["spaces"][0]))


def _place_statues(snapshot: dict[str, Any], text: str) -> None:
    """Put statues up and take bases, figures and Specialists from their supplies."""
    snapshot["mausoleum"] = read_statues(text)
    for statue in snapshot["mausoleum"]:
        if statue["owner"] is None:
            snapshot["specialists_left"][statue["kind"]] -= 1
        else:
            snapshot["organizer"][statue["kind"]] -= 1
            snapshot["players"][statue["owner"]]["bases"] -= 1
            snapshot["specialists_left"]["horse"] -= statue["mounted"]


def _place_worker(snapshot: dict[str, Any], segment: int, owner: int, kind: str) -> None:
    snapshot["wheel"][str(segment)]["workers"].append({"owner": owner, "kind": kind})
    snapshot["players"][owner]["craftsmen" if kind == "craftsman" else "artisans"] -= 1


def _all_but_one(snapshot: dict[str, Any], last: int, at: int) -> None:
    """Every worker stands on the wheel, each alone on a segment, but one of ``last``; segment ``at`` is free."""
    free = [segment for segment in range(1, 13) if segment != at]
    for seat, player in enumerate(snapshot["players"]):
        kinds = ["artisan"] * player["artisans"] + ["craftsman"] * player["craftsmen"]
        for kind in kinds[:-1] if seat == last else kinds:
            _place_worker(snapshot, free.pop(0), seat, kind)


def snapshot_of(
    players: int = 2,
    board: str = "reconstructed",
    *,
    inner: int = 0,
    middle: int = 0,
    to_move: int | None = None,
    order: Sequence[int] | None = None,
    game_round: int = 1,
    tiles: Sequence[str] = TILES,
    tile: str | None = None,
    row: int = 1,
    column: str = "a",
    warehouses: Sequence[int] = (1, 1, 1, 1),
    statues: str = "",
    coins: Mapping[int, int] | None = None,
    wet: Mapping[int, int] | None = None,
    dry: Mapping[int, int] | None = None,
    vp: Mapping[int, int] | None = None,
    weapons: Mapping[int, str] | None = None,
    masters: Mapping[int, Mapping[str, int]] | None = None,
    priority: Mapping[int, int] | None = None,
    artisans: Mapping[int, int] | None = None,
    wheel: Mapping[int, str] | None = None,
    last: int | None = None,
    at: int = 1,
) -> dict[str, Any]:
    """A snapshot at the start of a turn: everybody has 3 coins, no clay, no active weapon, all craftsmen in hand.

    Args:
        players, board, inner, middle: as for :func:`opening`.
        to_move: seat whose turn begins; by default ``last``, else the first of ``order``.
        order: turn order; by default the seats in order.
        tiles: of the five rounds; ``tile`` replaces the one of this round.
        row, column: where the Inspectors stand.
        statues: as for :func:`read_statues`; bases, organizer and specialists follow.
        coins, wet, dry, vp: by seat; the VP come from the organizer.
        weapons: by seat, active ones, e.g. ``"sword spear"``.
        masters: by seat, owned Masters and the price of their token.
        priority: by seat, number of the token held.
        artisans: by seat, how many of all its workers have become artisans.
        wheel: workers by segment, e.g. ``{3: "0c 1a"}``.
        last: every worker is on the wheel but one of this seat, and segment ``at`` is free.
    """
    snapshot = opening(players, board, inner, middle)
    snapshot["round"] = game_round
    snapshot["tiles"] = list(tiles)
    if tile is not None:
        others = [name for name in tiles if name != tile][:4]
        snapshot["tiles"] = [*others[: game_round - 1], tile, *others[game_round - 1 :]]
    snapshot["tile"] = snapshot["tiles"][game_round - 1]
    snapshot["turn_order"] = list(order if order is not None else range(players))
    snapshot["warehouses"] = list(warehouses)
    snapshot["inspectors"] = {"row": row, "column": column}
    for seat, player in enumerate(snapshot["players"]):
        player["coins"] = (coins or {}).get(seat, 3)
        player["wet"] = (wet or {}).get(seat, 0)
        player["dry"] = (dry or {}).get(seat, 0)
        player["vp"] = player["ledger"]["organizer"] = (vp or {}).get(seat, 0)
        for weapon in (weapons or {}).get(seat, "").split():
            player["weapons"][weapon] = True
        player["masters"] = dict((masters or {}).get(seat, {}))
        for price in player["masters"].values():
            player["tokens"].remove(price)
        player["priority"] = (priority or {}).get(seat)
        upgraded = (artisans or {}).get(seat, 0)
        player["artisans"] = upgraded
        player["craftsmen"] -= upgraded
        player["artisans_in_supply"] -= upgraded
    snapshot["priority_stack"] = list(range(1 + len(priority or {}), players))
    _place_statues(snapshot, statues)
    for segment, workers in (wheel or {}).items():
        for worker in workers.split():
            _place_worker(snapshot, segment, int(worker[0]), KINDS[worker[1]])
    if last is not None:
        _all_but_one(snapshot, last, at)
    if to_move is None:
        to_move = last if last is not None else snapshot["turn_order"][0]
    snapshot["to_move"] = to_move
    return snapshot


def position(players: int = 2, board: str = "reconstructed", **edits: Any) -> Position:
    """The position of :func:`snapshot_of`, same arguments."""
    return Position.from_snapshot(GAME, snapshot_of(players, board, **edits))


def stand(game: Position, segment: int, worker: str = "craftsman", rotate: str = "none") -> Position:
    """Begin the turn: rotate, where it is asked, and place a worker, where it is asked."""
    if f"rotate:{rotate}" in game.legal():
        game.play(f"rotate:{rotate}")
    if any(token.startswith("place:") for token in game.legal()):
        game.play(f"place:{worker}:{segment}")
    return game


def at(segment: int, ring: str = "inner", worker: str = "craftsman", **edits: Any) -> Position:
    """A position in which the seat to move has just placed a worker on ``segment`` and reached ``ring``."""
    game = stand(position(**edits), segment, worker)
    for _ in range(("inner", "middle", "outer").index(ring)):
        game.play("ring:nothing")
    return game


def offers(segment: int, ring: str, worker: str = "craftsman", **edits: Any) -> set[str]:
    """What a ring offers there: ``{"perform", "clay", "coin", "nothing"}`` or less."""
    game = position(**edits)
    seat = game.to_act
    stand(game, segment, worker)
    for _ in range(("inner", "middle", "outer").index(ring)):
        game.play("ring:nothing")
    if game.to_act != seat:  # doing nothing was the only option: not asked (R6)
        return {"nothing"}
    return {token.removeprefix("ring:") for token in game.legal()}


def play(game: Position, *tokens: str) -> Position:
    """Play several decisions."""
    for token in tokens:
        game.play(token)
    return game


def idle(game: Position) -> Position:
    """The seat to move places a worker where it can and does nothing with it."""
    seat = game.to_act
    if "rotate:none" in game.legal():
        game.play("rotate:none")
    places = [token for token in game.legal() if token.startswith("place:")]
    if places:
        game.play(places[0])
    while game.to_act == seat and "ring:nothing" in game.legal():
        game.play("ring:nothing")
    return game


def player(game: Position, seat: int) -> dict[str, Any]:
    """What the snapshot says of a seat."""
    found: dict[str, Any] = game.snapshot()["players"][seat]
    return found


def column_of(game: Position, key: str) -> list[Any]:
    """One entry of every seat, e.g. ``column_of(game, "coins")``."""
    return [entry[key] for entry in game.snapshot()["players"]]


def earned(game: Position, seat: int) -> dict[str, int]:
    """The ledger of a seat without its zeros."""
    return {source: vp for source, vp in player(game, seat)["ledger"].items() if vp}


def round_vp(source: str, players: int = 2, **edits: Any) -> list[int]:
    """VP by seat from one source of the Scoring Phase, after the round's last worker did nothing."""
    game = idle(position(players, last=edits.pop("last", 0), **edits))
    return [ledger[source] for ledger in column_of(game, "ledger")]


def end_vp(source: str, players: int = 2, **edits: Any) -> list[int]:
    """VP by seat from one source of the End Game Scoring, after the last worker of round 5 did nothing."""
    return round_vp(source, players, game_round=5, **edits)


def cells(game: Position) -> list[str]:
    """The spaces that may be named now."""
    return [token.removeprefix("cell:") for token in game.legal() if token.startswith("cell:")]


def where(game: Position) -> dict[str, str]:
    """What stands on each space: ``{"a1": "0 officer", "b1": "archer w"}``, riders on all three spaces."""
    found = {}
    for statue in game.snapshot()["mausoleum"]:
        owner = "" if statue["owner"] is None else f"{statue['owner']} "
        facing = f" {statue['facing']}" if "facing" in statue else ""
        for space in statue["spaces"]:
            found[space] = f"{owner}{statue['kind']}{facing}"
    return found


def filled(warriors: Mapping[int, int], avoid: str = "", riders: int = 0, specialists: int = 0) -> str:
    """Text of many statues: so many warriors by seat, types taken in turn, spaces in order but those in ``avoid``.

    The first ``riders`` of them are mounted and lie across rows 1-3 of columns a, b, ...; so many Footmen, Musicians
    and archers follow.
    """
    free = [cell for cell in CELLS if cell not in avoid.split()]
    supply = [kind for kind in WARRIORS for _ in range(11)]
    seats = [seat for seat, number in warriors.items() for _ in range(number)]
    entries = []
    for i, seat in enumerate(seats):
        spaces = [free.pop(0)]
        if i < riders:
            spaces += [free.pop(0), free.pop(0)]
            assert len({space[0] for space in spaces}) == 1
            free = [c for c in free if c[0] != spaces[0][0]] + [c for c in free if c[0] == spaces[0][0]]
        entries.append(f"{seat} {supply.pop(0)} {' '.join(spaces)}")
    kinds = ["footman", "musician", "archer"] * 4
    for kind in kinds[:specialists]:
        cell = free.pop(0)
        facing = "" if kind != "archer" else " e" if cell[0] < "i" else " w"
        entries.append(f"{kind} {cell}{facing}")
    return ", ".join(entries)
