"""Groups at the end of the game, as expected Victory Points: members, contests, and Warriors that have none yet."""

from __future__ import annotations

from terracotta_env.army.endgame import archers_of_type
from terracotta_env.army.geometry import ALL_CELLS, NO_CELL, beside, count
from terracotta_env.army.mausoleum import faced_cell, owner_at
from terracotta_env.army.state import ARCHERS, NOBODY, RIDERS
from terracotta_env.kernel import kernel

from .contests import blend, expected_contest, number_of

DOMINATION = 5.0
PRESENCE = 2.0
ARCHER_VP = 2.0


@kernel
def rider_cells_of_type(state, kind):
    cells = 0
    for i in range(RIDERS):
        if state.rider_cells[i] == 0:
            break
        if state.rider_type[i] == kind:
            cells |= state.rider_cells[i]
    return cells


@kernel
def riders_within(state, kind, group):
    number = 0
    for i in range(RIDERS):
        if state.rider_cells[i] == 0:
            break
        if state.rider_type[i] == kind and state.rider_cells[i] & group != 0:
            number += 1
    return number


@kernel
def expected_group(state, work, weights, group, kind, certainty, early):
    """One connected set of at least two miniatures."""
    owners, total = 0, 0.0
    for seat in range(state.players):
        number = number_of(state, seat, group, kind)
        if number > 0:
            owners += 1
            total += work.share[seat] * number
    if owners >= 2:
        contest = expected_contest(state, work, weights, group, kind, DOMINATION, PRESENCE, certainty)
        return blend(weights.member, early) * owners * total + blend(weights.group, early) * contest
    return (blend(weights.member, early) + weights.open_group * early) * total


@kernel
def expected_singles(state, work, weights, cells, kind, early):
    """Warriors that are in no group yet: worth something while a neighbour may still come."""
    open_cells = cells & beside(ALL_CELLS & ~state.occupied)
    total = 0.0
    if open_cells != 0:
        for seat in range(state.players):
            total += work.share[seat] * number_of(state, seat, open_cells, kind)
    return total * weights.single * early


@kernel
def expected_groups(state, work, weights, certainty, early):
    """All groups of all types; ``early`` falls from 1 to 0 in the course of the game."""
    total = 0.0
    for kind in range(4):
        riders = rider_cells_of_type(state, kind)
        foot = state.warriors[kind]
        if state.archer_cell[0] != NO_CELL:
            foot |= archers_of_type(state, kind)
        pieces = foot | riders
        alone = pieces & ~beside(pieces)
        rest = pieces & ~alone
        while rest != 0:
            group, grown = 0, rest & -rest
            while grown != group:
                group = grown
                grown |= beside(group) & rest
            rest &= ~group
            if count(group & foot) + riders_within(state, kind, group) >= 2:
                total += expected_group(state, work, weights, group, kind, certainty, early)
            else:
                alone |= group
        total += expected_singles(state, work, weights, alone, kind, early)
    return total


@kernel
def expected_archers(state, work, weights, early):
    total = 0.0
    for i in range(ARCHERS):
        if state.archer_cell[i] == NO_CELL:
            break
        faced = faced_cell(state, i)
        if faced != NO_CELL:
            owner = owner_at(state, faced)
            if owner != NOBODY:
                total += work.share[owner]
    return total * ARCHER_VP * blend(weights.archer, early)
