"""End Game Scoring and the final ranking.  Rulebook: End Game Scoring; rulings R24, R27, R28."""

from __future__ import annotations

from ..kernel import kernel
from .geometry import NO_CELL, SURROUNDING, beside, bit, count, lowest
from .mausoleum import ANY_TYPE, faced_cell, owner_at, type_at, warriors_of
from .scoring import score_contest
from .state import ARCHERS, NOBODY, RIDERS, SOURCES, Decision, Source

FOOTMAN_DOMINATION = 8
FOOTMAN_PRESENCE = 2
GROUP_DOMINATION = 5
GROUP_PRESENCE = 2
ARCHER_VP = 2
LEFTOVERS_PER_VP = 2


@kernel
def score_footmen(state):
    rest = state.footmen
    while rest != 0:
        area = SURROUNDING[lowest(rest)]
        score_contest(state, area, ANY_TYPE, FOOTMAN_DOMINATION, FOOTMAN_PRESENCE, Source.FOOTMAN)
        rest &= rest - 1


@kernel
def archers_of_type(state, kind):
    """Spaces of the archers that face a Warrior of this type: they are miniatures of its type (R27)."""
    cells = 0
    for i in range(ARCHERS):
        faced = faced_cell(state, i)
        if faced != NO_CELL and type_at(state, faced) == kind:
            cells |= bit(state.archer_cell[i])
    return cells


@kernel
def riders_of_type(state, kind, area):
    """``(spaces, number)`` of the riders of this type that touch ``area``."""
    cells, number = 0, 0
    for i in range(RIDERS):
        if state.rider_type[i] == kind and state.rider_cells[i] & area != 0:
            cells |= state.rider_cells[i]
            number += 1
    return cells, number


@kernel
def score_group(state, group, kind):
    """One connected set of miniatures: members' points, and a contest if two or more players have a Warrior in it."""
    owners = 0
    for seat in range(state.players):
        if warriors_of(state, seat, group, kind) > 0:
            owners += 1
    for seat in range(state.players):
        state.ledger[seat, Source.GROUP_MEMBERS] += owners * warriors_of(state, seat, group, kind)
    if owners >= 2:
        score_contest(state, group, kind, GROUP_DOMINATION, GROUP_PRESENCE, Source.GROUP_CONTEST)


@kernel
def score_groups(state):
    """Find the connected sets of each type by flooding; one miniature alone (a rider too) is no group."""
    for kind in range(4):
        archers = archers_of_type(state, kind)
        rest = state.warriors[kind] | archers | riders_of_type(state, kind, -1)[0]
        while rest != 0:
            group, grown = 0, rest & -rest
            while grown != group:
                group = grown
                grown |= beside(group) & rest
            rest &= ~group
            miniatures = count(group & (state.warriors[kind] | archers)) + riders_of_type(state, kind, group)[1]
            if miniatures >= 2:
                score_group(state, group, kind)


@kernel
def score_archers(state):
    for i in range(ARCHERS):
        faced = faced_cell(state, i)
        if faced != NO_CELL:
            owner = owner_at(state, faced)
            if owner != NOBODY:
                state.ledger[owner, Source.ARCHER] += ARCHER_VP


@kernel
def score_leftovers(state):
    """1 VP for every two leftover Clay and Coins; clay in warehouses belongs to nobody."""
    for seat in range(state.players):
        state.ledger[seat, Source.LEFTOVERS] += (
            state.wet[seat] + state.dry[seat] + state.coins[seat]
        ) // LEFTOVERS_PER_VP


@kernel
def end_game(state):
    score_footmen(state)
    score_groups(state)
    score_archers(state)
    score_leftovers(state)
    state.to_move = NOBODY
    state.decision = Decision.OVER


@kernel
def victory_points(state, seat):
    """VP of a seat so far: the sum of its row of the ledger."""
    vp = 0
    for source in range(SOURCES):
        vp += state.ledger[seat, source]
    return vp


@kernel
def turn_place(state, seat):
    """Place of a seat in the turn order, 0 = first."""
    place = 0
    while state.turn_order[place] != seat:
        place += 1
    return place


@kernel
def rank_of(state, seat):
    """Final rank, 0 = winner: more VP, then the earlier place in the final turn order (R28)."""
    vp, place, rank = victory_points(state, seat), turn_place(state, seat), 0
    for other in range(state.players):
        if other != seat:
            other_vp = victory_points(state, other)
            if other_vp > vp or (other_vp == vp and turn_place(state, other) < place):
                rank += 1
    return rank
