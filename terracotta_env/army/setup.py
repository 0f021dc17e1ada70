"""Setting up a game from a seed, or from given choices.  Rulebook: Game Setup; rulings R3, R4.

The draws come from splitmix64 seeded with the game's seed, in this order: where the board shuffles its rings, the
Inner, Middle and Outer list (each sorted first, so the result does not depend on an earlier game in the same record,
then Fisher-Yates from the last entry down); the Inner offset (below 12), the Middle offset (below 12); for each round
the Scoring tile (below the number of tiles not drawn yet, counted in the order of ``Tile``); the starting seat (below
the number of players).  Nothing is drawn after the setup.
"""

from __future__ import annotations

from ..generator import advance, below
from ..kernel import kernel
from .apply import settle
from .cleanup import begin_turn
from .geometry import NO_CELL
from .state import (
    ARCHERS,
    BASES,
    EXTRA_COINS,
    FIGURES_PER_TYPE,
    NOBODY,
    NONE,
    QUARTERS,
    RIDERS,
    ROUNDS,
    SEATS,
    SEGMENTS,
    SOURCES,
    SPECIALISTS_PER_TYPE,
    STARTING_CLAY,
    STARTING_COINS,
    TILES,
    TOKENS,
    WORKERS_FOR,
)


@kernel
def draw_below(state, n):
    """A uniform integer in ``0..n-1`` from the record's generator."""
    state.generator = advance(state.generator)
    return below(state.generator, n)


@kernel
def shuffle_ring(state, ring, amounts, numbered):
    """Sort a ring's list by (code, amount), then permute it uniformly; ``amounts`` moves along if ``numbered``."""
    for i in range(1, SEGMENTS):
        j = i
        while j > 0 and (ring[j - 1], amounts[j - 1]) > (ring[j], amounts[j]):
            swap(ring, amounts, numbered, j - 1, j)
            j -= 1
    for i in range(SEGMENTS - 1, 0, -1):
        swap(ring, amounts, numbered, i, draw_below(state, i + 1))


@kernel
def swap(ring, amounts, numbered, i, j):
    ring[i], ring[j] = ring[j], ring[i]
    if numbered:
        amounts[i], amounts[j] = amounts[j], amounts[i]


@kernel
def draw_setup(state):
    """Draw everything random of a game into the record."""
    if state.shuffled_rings == 1:
        shuffle_ring(state, state.inner, state.inner_amount, True)
        shuffle_ring(state, state.middle, state.middle_amount, True)
        shuffle_ring(state, state.outer, state.outer, False)  # the Outer actions carry no numbers
    state.inner_offset = draw_below(state, SEGMENTS)
    state.middle_offset = draw_below(state, SEGMENTS)
    drawn = 0  # set of the tiles drawn so far
    for game_round in range(ROUNDS):
        skip = draw_below(state, TILES - game_round)
        tile = 0
        while True:
            if drawn >> tile & 1 == 0:
                if skip == 0:
                    break
                skip -= 1
            tile += 1
        drawn |= 1 << tile
        state.tiles[game_round] = tile
    start = draw_below(state, state.players)
    for place in range(state.players):
        state.turn_order[place] = (start + place) % state.players


@kernel
def clear_table(state):
    """Everything but the printed data back to an empty table."""
    state.occupied = 0
    state.footmen = 0
    state.musicians = 0
    for kind in range(4):
        state.warriors[kind] = 0
        state.organizer[kind] = FIGURES_PER_TYPE
        state.specialists[kind] = SPECIALISTS_PER_TYPE
    for i in range(RIDERS):
        state.rider_cells[i] = 0
        state.rider_cell[i] = NO_CELL
        state.rider_direction[i] = NONE
        state.rider_type[i] = NONE
        state.rider_owner[i] = NOBODY
    for i in range(ARCHERS):
        state.archer_cell[i] = NO_CELL
        state.archer_facing[i] = NONE
    for segment in range(SEGMENTS):
        for slot in range(2):
            state.worker_owner[segment, slot] = NOBODY
            state.worker_kind[segment, slot] = NONE
    for seat in range(SEATS):
        clear_seat(state, seat)
    state.segment = NONE
    state.ring = NONE
    state.repeating = 0
    state.chosen_type = NONE
    state.chosen_cell = NO_CELL


@kernel
def clear_seat(state, seat):
    state.owned[seat] = 0
    state.coins[seat] = 0
    state.wet[seat] = 0
    state.dry[seat] = 0
    state.craftsmen[seat] = 0
    state.artisans[seat] = 0
    state.artisans_in_supply[seat] = 0
    state.bases[seat] = 0
    state.priority[seat] = 0
    for source in range(SOURCES):
        state.ledger[seat, source] = 0
    for weapon in range(4):
        state.weapons[seat, weapon] = 0
    for i in range(TOKENS):
        state.tokens[seat, i] = 0
        state.masters[seat, i] = 0


@kernel
def deal(state):
    """Hand out what the rulebook gives each player, put the pawns on their tracks, and begin round 1.

    ``players``, the offsets, the tiles and the turn order must have been set.
    """
    workers = WORKERS_FOR[state.players]
    for place in range(state.players):
        seat = state.turn_order[place]
        state.coins[seat] = STARTING_COINS + EXTRA_COINS[place]
        state.wet[seat] = STARTING_CLAY[place]
        state.craftsmen[seat] = workers
        state.artisans_in_supply[seat] = workers
        state.bases[seat] = BASES
        for i in range(TOKENS):
            state.tokens[seat, state.token_prices[i] - 1] += 1
    for quarter in range(QUARTERS):
        state.warehouses[quarter] = 1
    state.priority_next = 1
    state.inspector_row = state.row_start
    state.inspector_column = state.column_start
    state.game_round = 1
    begin_turn(state, state.turn_order[0])
    settle(state)


@kernel
def reset(state, players, seed):
    """Begin a new game for ``players`` (2..4) from a 64-bit ``seed``, on the printed data already in the record."""
    clear_table(state)
    for place in range(SEATS):
        state.turn_order[place] = NOBODY
    state.players = players
    state.generator = seed
    draw_setup(state)
    deal(state)
