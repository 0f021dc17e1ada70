"""The 123 decisions a player can be asked to make, as ids of one flat ``Discrete(123)`` and as tokens.

The ids follow the tokens' table in the order below; each block is contiguous, so an id is its block's base plus an
offset:

    ======  ================================================================================================
    ids     tokens
    ======  ================================================================================================
    0-2     ``rotate:none``, ``rotate:inner``, ``rotate:middle``
    3-14    ``place:craftsman:S``, segment S = 1..12
    15-26   ``place:artisan:S``, segment S = 1..12
    27-30   ``ring:perform``, ``ring:clay``, ``ring:coin``, ``ring:nothing``
    31-34   ``warrior:officer``, ``warrior:guard``, ``warrior:crossbowman``, ``warrior:soldier``
    35-97   ``cell:a1``, ``cell:b1``, ... ``cell:i1``, ``cell:a2``, ... ``cell:i7`` (row by row from the bottom)
    98-101  ``dir:n``, ``dir:e``, ``dir:s``, ``dir:w``
    102-3   ``weapon:use``, ``weapon:keep``
    104-9   ``inspector:row+1``, ``row-1``, ``row+2``, ``column+1``, ``column-1``, ``column+2``
    110-5   ``token:N``, price N = 1..6
    116-21  ``warehouses:1,2``, ``1,3``, ``1,4``, ``2,3``, ``2,4``, ``3,4``
    122     ``decline``
    ======  ================================================================================================

Ids and tokens are frozen: records, checkpoints and other people's programs rely on them.
"""

from __future__ import annotations

from typing import Final

from .geometry import CELL_NAMES, CELLS
from .state import SEGMENTS, Master, Space, Specialist, Tile, Warrior, Weapon

WARRIOR_NAMES: Final = tuple(w.name.lower() for w in Warrior)
WEAPON_NAMES: Final = tuple(w.name.lower() for w in Weapon)
SPECIALIST_NAMES: Final = tuple(s.name.lower() for s in Specialist)
MASTER_NAMES: Final = tuple(m.name.lower() for m in Master)
TILE_NAMES: Final = tuple(t.name.lower() for t in Tile)
WORKER_NAMES: Final = ("craftsman", "artisan")
DIRECTION_NAMES: Final = ("n", "e", "s", "w")
RING_NAMES: Final = ("inner", "middle", "outer")

WAREHOUSE_PAIRS: Final = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))

_BLOCKS: Final = (
    ("rotate:none", "rotate:inner", "rotate:middle"),
    tuple(f"place:craftsman:{s + 1}" for s in range(SEGMENTS)),
    tuple(f"place:artisan:{s + 1}" for s in range(SEGMENTS)),
    ("ring:perform", "ring:clay", "ring:coin", "ring:nothing"),
    tuple(f"warrior:{name}" for name in WARRIOR_NAMES),
    tuple(f"cell:{name}" for name in CELL_NAMES),
    tuple(f"dir:{name}" for name in DIRECTION_NAMES),
    ("weapon:use", "weapon:keep"),
    tuple(f"inspector:{track}{step}" for track in ("row", "column") for step in ("+1", "-1", "+2")),
    tuple(f"token:{price}" for price in range(1, 7)),
    tuple(f"warehouses:{a + 1},{b + 1}" for a, b in WAREHOUSE_PAIRS),
    ("decline",),
)
TOKENS_BY_ID: Final = tuple(token for block in _BLOCKS for token in block)
ID_OF_TOKEN: Final = {token: action for action, token in enumerate(TOKENS_BY_ID)}
ACTIONS: Final = len(TOKENS_BY_ID)

ROTATE: Final = ID_OF_TOKEN["rotate:none"]
ROTATE_NONE, ROTATE_INNER, ROTATE_MIDDLE = range(3)  # offsets within their block, like those below
PLACE: Final = ID_OF_TOKEN["place:craftsman:1"]
RING: Final = ID_OF_TOKEN["ring:perform"]
PERFORM, TAKE_CLAY, TAKE_COIN, DO_NOTHING = range(4)
WARRIOR: Final = ID_OF_TOKEN["warrior:officer"]
CELL: Final = ID_OF_TOKEN["cell:a1"]
DIRECTION: Final = ID_OF_TOKEN["dir:n"]
WEAPON: Final = ID_OF_TOKEN["weapon:use"]
USE, KEEP = range(2)
INSPECTOR: Final = ID_OF_TOKEN["inspector:row+1"]
ROW_FORWARD, ROW_BACK, ROW_FORWARD_2, COLUMN_FORWARD, COLUMN_BACK, COLUMN_FORWARD_2 = range(6)
TOKEN: Final = ID_OF_TOKEN["token:1"]
WAREHOUSES: Final = ID_OF_TOKEN["warehouses:1,2"]
DECLINE: Final = ID_OF_TOKEN["decline"]

assert (ACTIONS, DECLINE, DIRECTION) == (123, 122, CELL + CELLS)


# Words of the board files, records and snapshots for what an Action space shows
def space_word(space: int, amount: int) -> str:
    """``(Space.WARRIOR, 3)`` -> ``"warrior:3"``, ``(Space.MASTER + Master.BUILDER, 0)`` -> ``"master:builder"``."""
    if space in (Space.COINS, Space.CLAY, Space.WARRIOR):
        return f"{Space(space).name.lower()}:{amount}"
    if space in (Space.SOAK, Space.UPGRADE, Space.PRIORITY):
        return Space(space).name.lower()
    return PLAIN_WORDS_BY_SPACE[space]


PLAIN_WORDS: Final = {
    "soak": int(Space.SOAK),
    "upgrade": int(Space.UPGRADE),
    "priority": int(Space.PRIORITY),
    **{f"master:{name}": Space.MASTER + i for i, name in enumerate(MASTER_NAMES)},
    **{f"ready:{name}": Space.READY + i for i, name in enumerate(WEAPON_NAMES)},
    **{f"specialist:{name}": Space.SPECIALIST + i for i, name in enumerate(SPECIALIST_NAMES)},
}
PLAIN_WORDS_BY_SPACE: Final = {code: word for word, code in PLAIN_WORDS.items()}
AMOUNT_WORDS: Final = {"coins": int(Space.COINS), "clay": int(Space.CLAY), "warrior": int(Space.WARRIOR)}
