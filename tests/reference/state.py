"""Everything that changes during a game, and the setup chapter."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .board import (
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
from .mausoleum import COLUMNS, ROWS, Mausoleum

LEDGER = (
    "organizer",
    *WARRIORS,
    "row_inspector",
    "column_inspector",
    "musician",
    "tile",
    "footman",
    "group_members",
    "group_contest",
    "archer",
    "leftovers",
)
WORKERS_PER_PLAYER = {2: 5, 3: 4, 4: 3}
START_COINS = 3
# What the first, second, ... in turn order get on top: (wet clay, coins).
START_BONUS = ((0, 0), (1, 0), (2, 1), (3, 2))


@dataclass
class Worker:
    """A worker on the wheel."""

    owner: int
    kind: str


@dataclass
class Player:
    """What lies in front of one player."""

    seat: int
    coins: int
    wet: int
    dry: int
    craftsmen: int
    artisans: int
    artisans_in_supply: int
    bases: int
    tokens: list[int]
    masters: dict[str, int] = field(default_factory=dict)
    weapons: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(WEAPONS, False))
    priority: int | None = None
    ledger: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LEDGER, 0))

    @property
    def vp(self) -> int:
        return sum(self.ledger.values())

    @property
    def has_workers(self) -> bool:
        return self.craftsmen + self.artisans > 0

    def score(self, source: str, points: int) -> None:
        self.ledger[source] += points


@dataclass
class State:
    """A whole position."""

    board: Board
    rings: dict[str, list[str]]
    offsets: dict[str, int]
    players: list[Player]
    turn_order: list[int]
    tiles: list[str]
    workers: dict[int, list[Worker]]
    warehouses: list[int]
    inspector_row: int
    inspector_column: int
    organizer: dict[str, int]
    specialists_left: dict[str, int]
    priority_stack: list[int]
    mausoleum: Mausoleum
    round: int
    to_move: int | None
    over: bool = False

    @property
    def tile(self) -> str:
        return self.tiles[self.round - 1]

    def action(self, ring: str, segment: int) -> str:
        """The action a ring now shows on a segment (R2)."""
        return self.rings[ring][(segment - 1 - self.offsets[ring]) % len(SEGMENTS)]

    def turn_ring(self, ring: str) -> None:
        """One step: the Inner Ring clockwise, the Middle Ring against it (R2)."""
        step = {"inner": 1, "middle": -1}[ring]
        self.offsets[ring] = (self.offsets[ring] + step) % len(SEGMENTS)

    def move_inspector(self, track: str, steps: int) -> None:
        """Both tracks are cycles, forwards and backwards (R11)."""
        if track == "row":
            self.inspector_row = (self.inspector_row - 1 + steps) % len(ROWS) + 1
        else:
            column = (self.inspector_column - 1 + steps) % len(COLUMNS)
            self.inspector_column = column + 1

    def warehouse_of(self, segment: int) -> int:
        """Index of the warehouse in the quarter of a segment."""
        return (segment - 1) // 3


def priority_tokens(players: int) -> list[int]:
    """The tokens in play, topmost first (R4)."""
    return list(range(1, players))


def _check_setup(players: int, setup: Mapping[str, Any]) -> None:
    if players not in WORKERS_PER_PLAYER:
        raise ValueError(f"players: 2 to 4, not {players!r} (R29)")
    if sorted(setup["turn_order"]) != list(range(players)):
        raise ValueError(f"turn_order: {setup['turn_order']!r}")
    tiles = setup["tiles"]
    if len(tiles) != ROUNDS or len(set(tiles) & set(TILES)) != ROUNDS:
        raise ValueError(f"tiles: {tiles!r}")
    for name in ("inner_offset", "middle_offset"):
        if setup[name] not in range(len(SEGMENTS)):
            raise ValueError(f"{name}: {setup[name]!r}")


def set_up(board: Board, players: int, setup: Mapping[str, Any]) -> State:
    """Chapter Game Setup, with everything random already drawn (R3)."""
    _check_setup(players, setup)
    turn_order = list(setup["turn_order"])
    workers = WORKERS_PER_PLAYER[players]
    seats = []
    for seat in range(players):
        clay, coins = START_BONUS[turn_order.index(seat)]
        seats.append(
            Player(
                seat=seat,
                coins=START_COINS + coins,
                wet=clay,
                dry=0,
                craftsmen=workers,
                artisans=0,
                artisans_in_supply=workers,
                bases=board.bases,
                tokens=sorted(board.token_prices),
            )
        )
    rings = setup.get("rings")
    contents = board.rings if rings is None else check_rings(rings)
    return State(
        board=board,
        rings={ring: list(contents[ring]) for ring in RINGS},
        offsets={
            "inner": setup["inner_offset"],
            "middle": setup["middle_offset"],
            "outer": 0,
        },
        players=seats,
        turn_order=turn_order,
        tiles=list(setup["tiles"]),
        workers={segment: [] for segment in SEGMENTS},
        warehouses=[1, 1, 1, 1],
        inspector_row=board.row_start,
        inspector_column=COLUMNS.index(board.column_start) + 1,
        organizer=dict.fromkeys(WARRIORS, board.figures_per_type),
        specialists_left=dict.fromkeys(SPECIALISTS, board.specialist_figures),
        priority_stack=priority_tokens(players),
        mausoleum=Mausoleum(),
        round=1,
        to_move=turn_order[0],
    )
