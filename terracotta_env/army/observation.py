"""What a seat sees: four tensors, float32 or compact int8, written one after another into one flat buffer in one pass.

The game has perfect information, so every seat sees everything; only the order of the seats changes: the looking seat
comes first, the others follow clockwise ("relative seat").  The tables below name every channel with its meaning and
range; the documentation is generated from them (``docs/observation.md``), and the offsets of the kernels are derived
from them.

Equal observations have equal legal sets and equal futures: all printed data, the tiles to come and what is being
decided are in them.  What cannot influence the future (Victory Points by source, prices of tokens spent, past tiles) is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..game import Block, Channel
from ..kernel import kernel
from ..observing import put
from .actions import (
    DIRECTION_NAMES,
    ID_OF_TOKEN,
    MASTER_NAMES,
    RING_NAMES,
    SPECIALIST_NAMES,
    TILE_NAMES,
    WARRIOR_NAMES,
    WEAPON_NAMES,
    WORKER_NAMES,
)
from .endgame import turn_place, victory_points
from .geometry import (
    CELL_NAMES,
    CELLS,
    COLUMN_CELLS,
    COLUMNS,
    NO_CELL,
    ROW_CELLS,
    ROWS,
    bit,
    lowest,
)
from .state import (
    ARCHERS,
    FIGURES_PER_TYPE,
    NOBODY,
    NONE,
    QUARTERS,
    RIDERS,
    ROUNDS,
    SEATS,
    SEGMENTS,
    SPECIALISTS_PER_TYPE,
    TILES,
    TOKENS,
    Decision,
    Space,
    Worker,
)
from .wheel import inner_index, middle_index

Channels = tuple[Channel, ...]

# divisors that bring counters near 0..1
VP_SCALE: Final = 100.0
VP_STEP: Final = 2  # points in one unit of the int8 form: a score may exceed 127
RESOURCE_SCALE: Final = 10.0
WORKER_SCALE: Final = 5.0
BASE_SCALE: Final = 15.0
FIGURE_SCALE: Final = 11.0
SPECIALIST_SCALE: Final = 4.0
_HIGHEST: Final = 32767.0  # what the record's 16-bit counters can hold


def _ids(prefix: str, names: Iterable[object]) -> tuple[int, ...]:
    return tuple(ID_OF_TOKEN[f"{prefix}{name}"] for name in names)


def _flags(prefix: str, names: tuple[str, ...], meaning: str) -> Channels:
    return tuple(Channel(f"{prefix}{name}", meaning.format(name)) for name in names)


def _number(name: str, meaning: str, scale: float, highest: float = _HIGHEST, step: int = 1) -> Channels:
    return (Channel(name, f"{meaning}, divided by {scale:g}", 0.0, highest / scale, step / scale),)


def _numbers(prefix: str, names: tuple[str, ...], meaning: str, scale: float, highest: float) -> Channels:
    return tuple(c for name in names for c in _number(f"{prefix}{name}", meaning.format(name), scale, highest))


_SEAT_NAMES = tuple(str(seat) for seat in range(SEATS))

MAUSOLEUM: Final[Channels] = (
    *_flags("", WARRIOR_NAMES, "1 where a {} stands, on foot or mounted; all three spaces of a rider"),
    *_flags("seat_", _SEAT_NAMES, "1 where a Warrior of relative seat {} stands; all three spaces of a rider"),
    Channel("mounted", "1 on all three spaces of each rider"),
    *_flags("horse_", DIRECTION_NAMES, "1 where a rider's Warrior stood, if its Horse points {}"),
    Channel("footman", "1 where a Footman stands"),
    Channel("musician", "1 where a Musician stands"),
    Channel("archer", "1 where a Kneeling Archer stands"),
    *_flags("facing_", DIRECTION_NAMES, "1 where an archer stands that faces {}"),
    Channel("row_inspector", "1 on the whole row the row Inspector stands at"),
    Channel("column_inspector", "1 on the whole column the column Inspector stands at"),
    Channel("chosen", "1 on the space the pending decision refers to: new Warrior, Guard's Warrior, rider or archer"),
)
WHEEL: Final[Channels] = (
    *_flags("inner_", ("coins", "clay", "warrior", "soak", "upgrade"), "1 if the Inner Ring shows {} here now"),
    *_number("inner_amount", "the number printed there (Coins, Wet Clay or a Warrior's cost)", RESOURCE_SCALE, 99),
    *_flags(
        "middle_",
        ("coins", "clay", "priority", *(f"master_{m}" for m in MASTER_NAMES)),
        "1 if the Middle Ring shows {} here now",
    ),
    *_number("middle_amount", "the number printed there", RESOURCE_SCALE, 99),
    *_flags("outer_ready_", WEAPON_NAMES, "1 if the Outer Ring readies the {} here"),
    *_flags("outer_specialist_", SPECIALIST_NAMES, "1 if the Outer Ring sells a {} here"),
    *_flags("craftsman_", _SEAT_NAMES, "1 if a Craftsman of relative seat {} stands here"),
    *_flags("artisan_", _SEAT_NAMES, "1 if an Artisan of relative seat {} stands here"),
    Channel("acting", "1 on the segment whose actions are being resolved"),
    *_number("warehouse", "Dry Clay in the Warehouse of this segment's quarter", RESOURCE_SCALE),
)
PLAYERS: Final[Channels] = (
    Channel("present", "1 if this seat is in the game; the rest of an absent seat's row is 0"),
    Channel("to_move", "1 if this seat decides now"),
    *_flags("place_", ("1", "2", "3", "4"), "1 if this seat is at place {} of the turn order"),
    *_number("vp", "Victory Points so far", VP_SCALE, step=VP_STEP),
    *_number("coins", "Coins", RESOURCE_SCALE),
    *_number("wet", "Wet Clay", RESOURCE_SCALE),
    *_number("dry", "Dry Clay", RESOURCE_SCALE),
    *_number("craftsmen", "Craftsmen in hand", WORKER_SCALE, 5),
    *_number("artisans", "Artisans in hand", WORKER_SCALE, 5),
    *_number("artisans_in_supply", "Artisans still in the supply", WORKER_SCALE, 5),
    *_number("bases", "Warrior bases left", BASE_SCALE, 15),
    *_flags("weapon_", WEAPON_NAMES, "1 if the {} is active"),
    *(Channel(f"token_{p}", f"number of unused Master tokens of price {p}", 0.0, 6.0) for p in range(1, TOKENS + 1)),
    *_flags("master_", MASTER_NAMES, "1 if this seat owns the Master {}"),
    *_flags("priority_", ("1", "2", "3"), "1 if this seat holds Priority token {}"),
)
_ORDINALS = tuple(str(i + 1) for i in range(FIGURES_PER_TYPE))
_ROUND_NUMBERS = _ORDINALS[:ROUNDS]
_AHEAD = ("this round", *(f"{ahead} rounds ahead" for ahead in range(1, ROUNDS)))

GAME: Final[Channels] = (
    *_flags("players_", ("2", "3", "4"), "1 if the game has {} players"),
    *_flags("round_", _ROUND_NUMBERS, "1 in round {}"),
    *(
        Channel(f"tile_{ahead}_{name}", f"1 if the tile of {when} is {name}")
        for ahead, when in enumerate(_AHEAD)
        for name in TILE_NAMES
    ),
    *_numbers("left_", WARRIOR_NAMES, "figures of type {} left in the Organizer", FIGURE_SCALE, 11),
    *_numbers("next_vp_", WARRIOR_NAMES, "VP of the next {} (0 if none is left)", RESOURCE_SCALE, 99),
    *_numbers("left_", SPECIALIST_NAMES, "figures of type {} left", SPECIALIST_SCALE, 4),
    *_numbers("next_cost_", SPECIALIST_NAMES, "Coins for the next {} (0 if none is left)", RESOURCE_SCALE, 99),
    *_flags("priority_left_", ("1", "2", "3"), "1 if Priority token {} is still on the stack"),
    *_numbers("organizer_vp_", _ORDINALS, "printed: VP of figure {} from the bottom", RESOURCE_SCALE, 99),
    *_numbers("specialist_cost_", _ORDINALS[:4], "printed: Coins for Specialist {} of a type", RESOURCE_SCALE, 99),
    *(
        Channel(f"{specialist}_needs_{weapon}", f"printed: 1 if a {specialist} needs the {weapon}")
        for specialist in SPECIALIST_NAMES
        for weapon in WEAPON_NAMES
    ),
    *_numbers("tile_domination_", _ROUND_NUMBERS, "printed: Domination on the tile of round {}", RESOURCE_SCALE, 99),
    *_numbers("tile_presence_", _ROUND_NUMBERS, "printed: Presence on the tile of round {}", RESOURCE_SCALE, 99),
    *_numbers("priority_clay_", _ORDINALS[:3], "printed: Wet Clay on Priority token {}", RESOURCE_SCALE, 99),
    *_flags("decision_", tuple(d.name.lower() for d in Decision if d <= Decision.OVER), "1 if {} is to be decided"),
    *_flags("ring_", RING_NAMES, "1 while the action of the {} Ring is being resolved"),
    Channel("repeating", "1 while the Administrator repeats the Inner action"),
    *_flags("chosen_", WARRIOR_NAMES, "1 if {} is the Warrior type chosen for the figure being made"),
)

BLOCKS: Final = (
    Block("mausoleum", (len(MAUSOLEUM), ROWS, COLUMNS), 0, MAUSOLEUM, choices=(_ids("cell:", CELL_NAMES),)),
    Block(
        "wheel",
        (SEGMENTS, len(WHEEL)),
        1,
        WHEEL,
        choices=tuple(_ids(f"place:{worker}:", range(1, SEGMENTS + 1)) for worker in WORKER_NAMES),
        ring=True,
    ),
    Block("players", (SEATS, len(PLAYERS)), 1, PLAYERS),
    Block("game", (len(GAME),), 0, GAME),
)
SIZE: Final = sum(block.size for block in BLOCKS)

# where the blocks begin
_WHEEL_AT: Final = BLOCKS[0].size
_PLAYERS_AT: Final = _WHEEL_AT + BLOCKS[1].size
_GAME_AT: Final = _PLAYERS_AT + BLOCKS[2].size


def _at(channels: Channels, name: str) -> int:
    return [channel.name for channel in channels].index(name)


_TYPE, _SEAT, _MOUNTED = (_at(MAUSOLEUM, n) * CELLS for n in ("officer", "seat_0", "mounted"))
_HORSE, _FOOTMAN, _MUSICIAN = (_at(MAUSOLEUM, n) * CELLS for n in ("horse_n", "footman", "musician"))
_ARCHER, _FACING, _CHOSEN_CELL = (_at(MAUSOLEUM, n) * CELLS for n in ("archer", "facing_n", "chosen"))
_ROW_INSPECTOR, _COLUMN_INSPECTOR = (_at(MAUSOLEUM, n) * CELLS for n in ("row_inspector", "column_inspector"))

_INNER, _INNER_AMOUNT, _MIDDLE, _MIDDLE_AMOUNT = (
    _at(WHEEL, n) for n in ("inner_coins", "inner_amount", "middle_coins", "middle_amount")
)
_READY, _SPECIALIST, _CRAFTSMAN, _ARTISAN = (
    _at(WHEEL, n) for n in ("outer_ready_sword", "outer_specialist_horse", "craftsman_0", "artisan_0")
)
_ACTING, _WAREHOUSE = (_at(WHEEL, n) for n in ("acting", "warehouse"))
_WHEEL_ROW: Final = len(WHEEL)
# the Middle Ring's channels are coins, clay, priority and the Masters: Space codes from PRIORITY on sit three lower
_MIDDLE_SHIFT: Final = int(Space.PRIORITY) - (_at(WHEEL, "middle_priority") - _MIDDLE)

_PLAYER_ROW: Final = len(PLAYERS)
_TO_MOVE, _PLACE, _VP, _WEAPONS = (_at(PLAYERS, n) for n in ("to_move", "place_1", "vp", "weapon_sword"))
_TOKENS, _MASTERS, _PRIORITY = (_at(PLAYERS, n) for n in ("token_1", "master_builder", "priority_1"))

_N_PLAYERS, _ROUND, _TILES = (_GAME_AT + _at(GAME, n) for n in ("players_2", "round_1", "tile_0_row"))
_FIGURES_LEFT, _NEXT_VP = (_GAME_AT + _at(GAME, n) for n in ("left_officer", "next_vp_officer"))
_SPECIALISTS_LEFT, _NEXT_COST = (_GAME_AT + _at(GAME, n) for n in ("left_horse", "next_cost_horse"))
_PRIORITY_LEFT, _PRINTED = (_GAME_AT + _at(GAME, n) for n in ("priority_left_1", "organizer_vp_1"))
_NEEDS, _DOMINATION = (_GAME_AT + _at(GAME, n) for n in ("horse_needs_sword", "tile_domination_1"))
_DECISION, _RING, _REPEATING = (_GAME_AT + _at(GAME, n) for n in ("decision_rotate", "ring_inner", "repeating"))
_CHOSEN_TYPE = _GAME_AT + _at(GAME, "chosen_officer")


@kernel
def relative_seat(state, seat, looking):
    """Places clockwise from the looking seat: 0 = itself."""
    return int((seat - looking + state.players) % state.players)


@kernel
def mark(out, at, cells):
    """Write 1 for every space of the set ``cells`` into the plane that begins at ``at``."""
    rest = cells
    while rest != 0:
        out[at + lowest(rest)] = 1
        rest &= rest - 1


@kernel
def observe_mausoleum(state, looking, out):
    for kind in range(4):
        mark(out, _TYPE + kind * CELLS, state.warriors[kind])
    for seat in range(state.players):
        mark(out, _SEAT + relative_seat(state, seat, looking) * CELLS, state.owned[seat])
    for i in range(RIDERS):
        if state.rider_cell[i] != NO_CELL:
            mark(out, _TYPE + int(state.rider_type[i]) * CELLS, state.rider_cells[i])
            mark(out, _SEAT + relative_seat(state, state.rider_owner[i], looking) * CELLS, state.rider_cells[i])
            mark(out, _MOUNTED, state.rider_cells[i])
            out[_HORSE + int(state.rider_direction[i]) * CELLS + int(state.rider_cell[i])] = 1
    mark(out, _FOOTMAN, state.footmen)
    mark(out, _MUSICIAN, state.musicians)
    for i in range(ARCHERS):
        if state.archer_cell[i] != NO_CELL:
            out[_ARCHER + int(state.archer_cell[i])] = 1
            out[_FACING + int(state.archer_facing[i]) * CELLS + int(state.archer_cell[i])] = 1
    mark(out, _ROW_INSPECTOR, ROW_CELLS[state.inspector_row])
    mark(out, _COLUMN_INSPECTOR, COLUMN_CELLS[state.inspector_column])
    if state.chosen_cell != NO_CELL:
        mark(out, _CHOSEN_CELL, bit(state.chosen_cell))


@kernel
def observe_wheel(state, looking, out):
    for segment in range(SEGMENTS):
        at = _WHEEL_AT + segment * _WHEEL_ROW
        inner, middle = inner_index(state, segment), middle_index(state, segment)
        out[at + _INNER + int(state.inner[inner])] = 1
        put(out, at + _INNER_AMOUNT, state.inner_amount[inner], RESOURCE_SCALE, 1)
        space = int(state.middle[middle])
        out[at + _MIDDLE + (space - _MIDDLE_SHIFT if space >= Space.PRIORITY else space)] = 1
        put(out, at + _MIDDLE_AMOUNT, state.middle_amount[middle], RESOURCE_SCALE, 1)
        out[at + _READY + int(state.outer[segment]) - Space.READY] = 1  # the Specialists' channels follow the Weapons'
        for slot in range(2):
            owner = state.worker_owner[segment, slot]
            if owner != NOBODY:
                base = _ARTISAN if state.worker_kind[segment, slot] == Worker.ARTISAN else _CRAFTSMAN
                out[at + base + relative_seat(state, owner, looking)] = 1
        put(out, at + _WAREHOUSE, state.warehouses[segment * QUARTERS // SEGMENTS], RESOURCE_SCALE, 1)
    if state.segment != NONE:
        out[_WHEEL_AT + int(state.segment) * _WHEEL_ROW + _ACTING] = 1


@kernel
def observe_players(state, looking, out):
    for seat in range(state.players):
        at = _PLAYERS_AT + relative_seat(state, seat, looking) * _PLAYER_ROW
        out[at] = 1
        if state.to_move == seat:
            out[at + _TO_MOVE] = 1
        out[at + _PLACE + turn_place(state, seat)] = 1
        put(out, at + _VP, victory_points(state, seat), VP_SCALE, VP_STEP)
        put(out, at + _VP + 1, state.coins[seat], RESOURCE_SCALE, 1)
        put(out, at + _VP + 2, state.wet[seat], RESOURCE_SCALE, 1)
        put(out, at + _VP + 3, state.dry[seat], RESOURCE_SCALE, 1)
        put(out, at + _VP + 4, state.craftsmen[seat], WORKER_SCALE, 1)
        put(out, at + _VP + 5, state.artisans[seat], WORKER_SCALE, 1)
        put(out, at + _VP + 6, state.artisans_in_supply[seat], WORKER_SCALE, 1)
        put(out, at + _VP + 7, state.bases[seat], BASE_SCALE, 1)
        for weapon in range(4):
            out[at + _WEAPONS + weapon] = state.weapons[seat, weapon]
        for i in range(TOKENS):
            out[at + _TOKENS + i] = state.tokens[seat, i]
            if state.masters[seat, i] > 0:
                out[at + _MASTERS + i] = 1
        if state.priority[seat] > 0:
            out[at + _PRIORITY + int(state.priority[seat]) - 1] = 1


@kernel
def observe_game(state, out):
    out[_N_PLAYERS + int(state.players) - 2] = 1
    out[_ROUND + int(state.game_round) - 1] = 1
    for game_round in range(state.game_round - 1, ROUNDS):
        out[_TILES + (game_round - int(state.game_round) + 1) * TILES + int(state.tiles[game_round])] = 1
    for kind in range(4):
        left = state.organizer[kind]
        put(out, _FIGURES_LEFT + kind, left, FIGURE_SCALE, 1)
        if left > 0:
            put(out, _NEXT_VP + kind, state.organizer_vp[FIGURES_PER_TYPE - left], RESOURCE_SCALE, 1)
        left = state.specialists[kind]
        put(out, _SPECIALISTS_LEFT + kind, left, SPECIALIST_SCALE, 1)
        if left > 0:
            put(out, _NEXT_COST + kind, state.specialist_cost[SPECIALISTS_PER_TYPE - left], RESOURCE_SCALE, 1)
    for number in range(state.priority_next, state.players):
        out[_PRIORITY_LEFT + number - 1] = 1
    out[_DECISION + int(state.decision)] = 1
    if state.ring != NONE:
        out[_RING + int(state.ring)] = 1
    out[_REPEATING] = state.repeating
    if state.chosen_type != NONE:
        out[_CHOSEN_TYPE + int(state.chosen_type)] = 1


@kernel
def observe_printed(state, out):
    """The printed data that is not on the wheel."""
    at = _PRINTED
    for i in range(FIGURES_PER_TYPE):
        put(out, at + i, state.organizer_vp[i], RESOURCE_SCALE, 1)
    at += FIGURES_PER_TYPE
    for i in range(SPECIALISTS_PER_TYPE):
        put(out, at + i, state.specialist_cost[i], RESOURCE_SCALE, 1)
        out[_NEEDS + i * 4 + int(state.specialist_weapon[i])] = 1
    for i in range(ROUNDS):
        put(out, _DOMINATION + i, state.tile_domination[i], RESOURCE_SCALE, 1)
        put(out, _DOMINATION + ROUNDS + i, state.tile_presence[i], RESOURCE_SCALE, 1)
    for i in range(3):
        put(out, _DOMINATION + 2 * ROUNDS + i, state.priority_clay[i], RESOURCE_SCALE, 1)


@kernel
def observe(state, seat, out):
    """Write the observation of ``seat`` into ``out``, shape ``(SIZE,)`` float32 or int8."""
    for i in range(SIZE):
        out[i] = 0
    observe_mausoleum(state, seat, out)
    observe_wheel(state, seat, out)
    observe_players(state, seat, out)
    observe_game(state, out)
    observe_printed(state, out)
