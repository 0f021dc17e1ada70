"""The one record that is a whole game of Terracotta Army: names of its numbers, its fields, their sentinels.

Nothing is kept elsewhere: the printed data in use, the setup, the generator, the position, what is being decided and
the Victory Points by source all lie in one numpy record without padding.  Copying a game is one assignment, equality
and hash are its bytes.  Fields that a finished chain of decisions no longer needs go back to their sentinels, and lists
without a meaningful order (archers, riders) are kept sorted, so equal positions have equal bytes.

Letters used in shape comments: P = 4 seats (absent seats keep zeros), K = 14 sources of VP.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from .geometry import NO_CELL

SEATS: Final = 4
ROUNDS: Final = 5
SEGMENTS: Final = 12
QUARTERS: Final = 4
NOBODY: Final = -1
NONE: Final = -1

FIGURES_PER_TYPE: Final = 11  # rulebook, Game Components
SPECIALISTS_PER_TYPE: Final = 4  # rulebook, Game Components
BASES: Final = 15  # rulebook, Game Setup 12
TOKENS: Final = 6  # rulebook, Game Setup 12
STARTING_COINS: Final = 3  # rulebook, Game Setup 11
ROTATION_COST: Final = 2  # rulebook, Rotate a Ring
# rulebook, Game Setup 12 and 16; index = number of players, then place in the turn order
WORKERS_FOR: Final = (0, 0, 5, 4, 3)
STARTING_CLAY: Final = (0, 1, 2, 3)
EXTRA_COINS: Final = (0, 0, 1, 2)


class Warrior(IntEnum):
    """Types of Warriors; the weapon of each has the same number."""

    OFFICER = 0
    GUARD = 1
    CROSSBOWMAN = 2
    SOLDIER = 3


class Weapon(IntEnum):
    SWORD = 0
    HALBERD = 1
    CROSSBOW = 2
    SPEAR = 3


class Specialist(IntEnum):
    HORSE = 0
    FOOTMAN = 1
    ARCHER = 2
    MUSICIAN = 3


class Master(IntEnum):
    BUILDER = 0
    ADMINISTRATOR = 1
    INSPECTOR = 2
    CLAY_MAKER = 3
    SUPERVISOR = 4
    BLACKSMITH = 5


# Masters whose Cleanup bonus protects one Wet Clay; the others give one Coin (rulebook, Master Abilities)
CLAY_PROTECTING: Final = (Master.CLAY_MAKER, Master.SUPERVISOR, Master.BLACKSMITH)


class Ring(IntEnum):
    INNER = 0
    MIDDLE = 1
    OUTER = 2


class Space(IntEnum):
    """What an Action space shows.  MASTER + Master, READY + Weapon and SPECIALIST + Specialist follow their bases."""

    COINS = 0
    CLAY = 1
    WARRIOR = 2
    SOAK = 3
    UPGRADE = 4
    PRIORITY = 5
    MASTER = 6  # .. 11
    READY = 12  # .. 15
    SPECIALIST = 16  # .. 19


class Worker(IntEnum):
    CRAFTSMAN = 0
    ARTISAN = 1


class Tile(IntEnum):
    """The twelve Scoring tiles (R4)."""

    ROW = 0
    COLUMN = 1
    OFFICER = 2
    GUARD = 3
    CROSSBOWMAN = 4
    SOLDIER = 5
    NW = 6
    NE = 7
    SW = 8
    SE = 9
    COINS = 10
    CLAY = 11


TILES: Final = len(Tile)


class Source(IntEnum):
    """Where a Victory Point came from: the columns of the ledger."""

    ORGANIZER = 0
    OFFICER = 1
    GUARD = 2
    CROSSBOWMAN = 3
    SOLDIER = 4
    ROW_INSPECTOR = 5
    COLUMN_INSPECTOR = 6
    MUSICIAN = 7
    TILE = 8
    FOOTMAN = 9
    GROUP_MEMBERS = 10
    GROUP_CONTEST = 11
    ARCHER = 12
    LEFTOVERS = 13


SOURCES: Final = len(Source)


class Decision(IntEnum):
    """What the seat to move is asked.  ACTION_DONE is never asked: it tells the flow of the turn to go on."""

    ROTATE = 0
    PLACE = 1
    RING = 2
    WARRIOR_TYPE = 3
    WARRIOR_CELL = 4
    WEAPON = 5
    OFFICER_INSPECTOR = 6
    GUARD_WARRIOR = 7
    GUARD_GOAL = 8
    HORSE_RIDER = 9
    HORSE_DIRECTION = 10
    ARCHER_CELL = 11
    ARCHER_FACING = 12
    SPECIALIST_CELL = 13
    MASTER_TOKEN = 14
    BUILDER_TYPE = 15
    BUILDER_CELL = 16
    ADMINISTRATOR = 17
    MASTER_INSPECTOR = 18
    SUPERVISOR = 19
    OVER = 20
    ACTION_DONE = 21


BOARD_NAME_BYTES: Final = 32
RIDERS = ARCHERS = SPECIALISTS_PER_TYPE

# name, dtype, shape.  Eight-byte fields first, then two-byte, then one-byte ones: all aligned without padding.
_FIELDS: Final = (
    ("generator", "u8", ()),  # splitmix64 state; drawn from at setup only
    # the Mausoleum as sets of spaces (geometry.py)
    ("occupied", "i8", ()),  # every space that holds a statue
    ("warriors", "i8", (4,)),  # by Warrior type: Warriors on foot
    ("owned", "i8", (SEATS,)),  # by seat: Warriors on foot
    ("rider_cells", "i8", (RIDERS,)),  # the three spaces of each rider; 0 = no such rider
    ("footmen", "i8", ()),
    ("musicians", "i8", ()),
    # resources
    ("coins", "i2", (SEATS,)),
    ("wet", "i2", (SEATS,)),
    ("dry", "i2", (SEATS,)),
    ("ledger", "i2", (SEATS, SOURCES)),  # VP by Source; a seat's VP are the sum of its row
    ("warehouses", "i2", (QUARTERS,)),  # Dry Clay
    # printed data: `*_amount` is the number printed on a coins, clay or warrior space, else 0
    ("inner_amount", "i2", (SEGMENTS,)),
    ("middle_amount", "i2", (SEGMENTS,)),
    ("organizer_vp", "i2", (FIGURES_PER_TYPE,)),  # bottommost figure first
    ("specialist_cost", "i2", (SPECIALISTS_PER_TYPE,)),  # of the 1st..4th of a type
    ("tile_domination", "i2", (ROUNDS,)),
    ("tile_presence", "i2", (ROUNDS,)),
    ("priority_clay", "i2", (3,)),  # on tokens "1", "2", "3"
    ("inner", "i1", (SEGMENTS,)),  # Space codes; entry k lies on segment k + offset
    ("middle", "i1", (SEGMENTS,)),
    ("outer", "i1", (SEGMENTS,)),
    ("specialist_weapon", "i1", (4,)),  # Weapon of each Specialist
    ("token_prices", "i1", (TOKENS,)),  # of the six Master tokens, ascending
    ("row_start", "i1", ()),  # 0..6
    ("column_start", "i1", ()),  # 0..8
    ("shuffled_rings", "i1", ()),  # 1: the order of each ring is drawn anew in every game
    ("board_name", "u1", (BOARD_NAME_BYTES,)),  # UTF-8, zero filled
    # the wheel
    ("inner_offset", "i1", ()),  # 0..11
    ("middle_offset", "i1", ()),  # 0..11
    ("worker_owner", "i1", (SEGMENTS, 2)),  # in order of placement; NOBODY = empty
    ("worker_kind", "i1", (SEGMENTS, 2)),  # Worker; NONE = empty
    # players
    ("players", "i1", ()),  # 2..4
    ("craftsmen", "i1", (SEATS,)),  # in hand
    ("artisans", "i1", (SEATS,)),  # in hand
    ("artisans_in_supply", "i1", (SEATS,)),
    ("bases", "i1", (SEATS,)),
    ("weapons", "i1", (SEATS, 4)),  # 1 = active
    ("tokens", "i1", (SEATS, TOKENS)),  # number of unused Master tokens of price 1..6
    ("masters", "i1", (SEATS, 6)),  # price of the token in that Master's area; 0 = none
    ("priority", "i1", (SEATS,)),  # number of the Priority token held; 0 = none
    ("priority_next", "i1", ()),  # number of the topmost token of the stack; players = stack empty
    ("turn_order", "i1", (SEATS,)),  # seats, first to act first; NOBODY beyond the players
    # round and board
    ("game_round", "i1", ()),  # 1..5
    ("tiles", "i1", (ROUNDS,)),  # Tile of each round
    ("inspector_row", "i1", ()),  # 0..6
    ("inspector_column", "i1", ()),  # 0..8
    ("organizer", "i1", (4,)),  # figures left by Warrior type
    ("specialists", "i1", (4,)),  # figures left by Specialist type
    # riders and archers, sorted by space; unused slots keep the sentinels
    ("rider_cell", "i1", (RIDERS,)),  # where the Warrior stood; NO_CELL = no such rider
    ("rider_direction", "i1", (RIDERS,)),
    ("rider_type", "i1", (RIDERS,)),
    ("rider_owner", "i1", (RIDERS,)),
    ("archer_cell", "i1", (ARCHERS,)),  # NO_CELL = no such archer
    ("archer_facing", "i1", (ARCHERS,)),
    # what is being decided
    ("to_move", "i1", ()),  # seat; NOBODY when over
    ("decision", "i1", ()),  # Decision
    ("segment", "i1", ()),  # 0..11 once the worker stands, else NONE
    ("ring", "i1", ()),  # Ring whose action is being resolved, else NONE
    ("repeating", "i1", ()),  # 1 while the Administrator repeats the Inner action
    ("chosen_type", "i1", ()),  # Warrior type chosen for the figure to be placed or just placed, else NONE
    ("chosen_cell", "i1", ()),  # new Guard, Warrior to move, rider or archer that a decision refers to, else NO_CELL
)  # fmt: skip


def _record(fields: tuple[tuple[str, str, tuple[int, ...]], ...]) -> np.dtype:
    """The fields as one record type, filled up to a multiple of eight bytes with a named spare field."""
    size = sum(np.dtype((kind, shape)).itemsize for _, kind, shape in fields)
    spare = (("spare", "u1", (-size % 8,)),) if size % 8 else ()
    dtype = np.dtype((np.record, [(name, kind, shape) for name, kind, shape in (*fields, *spare)]))
    assert dtype.itemsize == size + (-size % 8), "the record must have no padding: equality and hash are its bytes"
    return dtype


STATE: Final = _record(_FIELDS)

# values of an empty record that are not zero
SENTINELS: Final = {
    "worker_owner": NOBODY, "worker_kind": NONE, "turn_order": NOBODY, "rider_cell": NO_CELL, "rider_direction": NONE,
    "rider_type": NONE, "rider_owner": NOBODY, "archer_cell": NO_CELL, "archer_facing": NONE, "to_move": NOBODY,
    "segment": NONE, "ring": NONE, "chosen_type": NONE, "chosen_cell": NO_CELL,
}  # fmt: skip

# fields that do not belong to the position: `key` leaves them out
NOT_IN_KEY: Final = ("generator", "ledger")


def make_states(n: int) -> np.ndarray:
    """``n`` empty records, shape ``(n,)``, dtype :data:`STATE`: all zero but for the sentinels."""
    states = np.zeros(n, STATE)
    for field, value in SENTINELS.items():
        states[field] = value
    return states
