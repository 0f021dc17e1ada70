"""Domination and Presence, and the Scoring Phase.  Rulebook chapters of these names; rulings R23-R25."""

from __future__ import annotations

from ..kernel import kernel
from .geometry import (
    ALL_CELLS,
    COLUMN_CELLS,
    CROSS,
    MIDDLE_COLUMN,
    MIDDLE_ROW,
    QUARTER_CELLS,
    ROW_CELLS,
    lowest,
)
from .inspectors import step_column, step_row
from .mausoleum import ANY_TYPE, archers_for, warriors_of
from .state import NOBODY, Source, Tile

INSPECTOR_DOMINATION = 7
INSPECTOR_PRESENCE = 3


@kernel
def dominating_seat(state, area, kind):
    """Seat with the most Warriors of ``kind`` in ``area``; archers break ties, NOBODY if the tie stands (R23)."""
    most, leaders, leader = 0, 0, NOBODY
    for seat in range(state.players):
        number = warriors_of(state, seat, area, kind)
        if number > most:
            most, leaders, leader = number, 1, seat
        elif number == most:
            leaders += 1
    if most == 0:
        return NOBODY
    if leaders == 1:
        return leader
    most_archers, leader = 0, NOBODY
    for seat in range(state.players):
        if warriors_of(state, seat, area, kind) == most:
            archers = archers_for(state, seat, area, kind)
            if archers > most_archers:
                most_archers, leader = archers, seat
            elif archers == most_archers:
                leader = NOBODY
    return leader


@kernel
def score_contest(state, area, kind, domination, presence, source):
    """Award a contest on Warriors: the dominating seat, and Presence to every other seat with at least one."""
    dominating = dominating_seat(state, area, kind)
    for seat in range(state.players):
        if seat == dominating:
            state.ledger[seat, source] += domination
        elif warriors_of(state, seat, area, kind) > 0:
            state.ledger[seat, source] += presence


@kernel
def resource_of(state, seat, tile):
    """What the Coin and Clay tiles count: Coins, or Clay whether Wet or Dry."""
    if tile == Tile.COINS:
        return state.coins[seat]
    return state.wet[seat] + state.dry[seat]


@kernel
def score_resources(state, tile, domination, presence):
    """The Coin or Clay tile; archers break no tie here."""
    most, leaders = 0, 0
    for seat in range(state.players):
        number = resource_of(state, seat, tile)
        if number > most:
            most, leaders = number, 1
        elif number == most:
            leaders += 1
    for seat in range(state.players):
        number = resource_of(state, seat, tile)
        if number == most and leaders == 1:
            state.ledger[seat, Source.TILE] += domination
        elif number > 0:
            state.ledger[seat, Source.TILE] += presence


@kernel
def score_inspectors(state):
    """The row Inspector scores and steps forward, then the column Inspector (R25)."""
    row = ROW_CELLS[state.inspector_row]
    score_contest(state, row, ANY_TYPE, INSPECTOR_DOMINATION, INSPECTOR_PRESENCE, Source.ROW_INSPECTOR)
    step_row(state, 1)
    column = COLUMN_CELLS[state.inspector_column]
    score_contest(state, column, ANY_TYPE, INSPECTOR_DOMINATION, INSPECTOR_PRESENCE, Source.COLUMN_INSPECTOR)
    step_column(state, 1)


@kernel
def score_musicians(state):
    """1 VP for each own Warrior in the row or column of each Musician."""
    rest = state.musicians
    while rest != 0:
        cross = CROSS[lowest(rest)]
        for seat in range(state.players):
            state.ledger[seat, Source.MUSICIAN] += warriors_of(state, seat, cross, ANY_TYPE)
        rest &= rest - 1


@kernel
def tile_area(tile):
    """``(spaces, type)`` of the Warriors that a tile counts; not for the Coin and Clay tiles."""
    area, kind = ALL_CELLS, ANY_TYPE
    if tile == Tile.ROW:
        area = ROW_CELLS[MIDDLE_ROW]
    elif tile == Tile.COLUMN:
        area = COLUMN_CELLS[MIDDLE_COLUMN]
    elif tile >= Tile.NW:
        area = QUARTER_CELLS[tile - Tile.NW]
    else:
        kind = tile - Tile.OFFICER
    return area, kind


@kernel
def score_tile(state):
    """The Scoring tile of this round."""
    tile = state.tiles[state.game_round - 1]
    domination = state.tile_domination[state.game_round - 1]
    presence = state.tile_presence[state.game_round - 1]
    if tile == Tile.COINS or tile == Tile.CLAY:
        score_resources(state, tile, domination, presence)
        return
    area, kind = tile_area(tile)
    score_contest(state, area, kind, domination, presence, Source.TILE)


@kernel
def score_round(state):
    score_inspectors(state)
    score_musicians(state)
    score_tile(state)
