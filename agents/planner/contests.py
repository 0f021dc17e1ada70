"""Contests that are still to be scored, as expected Victory Points: who is ahead, by how much, and how sure that is.

``work`` is the search's record of numbers by seat: ``share`` says how much a VP of each seat counts (1 for the seat
that plans, negative for its opponents), ``number`` is free for use within one contest.
"""

from __future__ import annotations

import math

from terracotta_env.army.geometry import CROSS, SURROUNDING, count, lowest
from terracotta_env.army.mausoleum import ANY_TYPE
from terracotta_env.army.scoring import dominating_seat
from terracotta_env.army.state import NOBODY, RIDERS
from terracotta_env.kernel import kernel

NO_ARCHER = -1


@kernel
def number_of(state, seat, area, kind):
    """As ``warriors_of`` of the rules, but quick where there are few riders."""
    cells = state.owned[seat] & area
    if kind != ANY_TYPE:
        cells &= state.warriors[kind]
    number = count(cells)
    for i in range(RIDERS):
        cells = state.rider_cells[i]
        if cells == 0:  # used slots come first
            break
        if cells & area != 0 and state.rider_owner[i] == seat and (kind == ANY_TYPE or state.rider_type[i] == kind):
            number += 1
    return number


@kernel
def chance(lead, certainty):
    """Chance in (0, 1) that a lead (in Warriors or pieces) stands; a lead of one half is even, a tie leads by none."""
    x = (lead - 0.5) * certainty
    return 0.5 + 0.5 * x / math.sqrt(1.0 + x * x)


@kernel
def expected_contest(state, work, weights, area, kind, domination, presence, certainty):
    """Expected VP of a contest on Warriors, the sum over seats by their ``share``.

    Args:
        certainty: 1 / doubt in Warriors.
    """
    best, second = 0, 0
    for seat in range(state.players):
        number = number_of(state, seat, area, kind)
        work.number[seat] = number
        if number > best:
            best, second = number, best
        elif number > second:
            second = number
    if best == 0:
        return 0.0
    favoured = NOBODY
    if best == second and state.archer_cell[0] != NO_ARCHER:
        favoured = dominating_seat(state, area, kind)
    total = 0.0
    for seat in range(state.players):
        number = work.number[seat]
        lead = float(number - second) if number == best else float(number - best)
        if favoured == seat:
            lead += weights.tie_break
        p = chance(lead, certainty)
        if number == 0:
            total += work.share[seat] * weights.hope * p * domination
        else:
            total += work.share[seat] * (p * domination + (1.0 - p) * presence)
    return total


@kernel
def expected_goods(state, work, coins, domination, presence, certainty):
    """Expected VP of the Coin tile (``coins``) or the Clay tile by what the seats hold now."""
    best, second = 0, 0
    for seat in range(state.players):
        number = int(state.coins[seat]) if coins else int(state.wet[seat]) + int(state.dry[seat])
        work.number[seat] = number
        if number > best:
            best, second = number, best
        elif number > second:
            second = number
    total = 0.0
    for seat in range(state.players):
        number = work.number[seat]
        p = chance(float(number - second) if number == best else float(number - best), certainty)
        if number == 0:
            total += work.share[seat] * p * domination * 0.5
        else:
            total += work.share[seat] * (p * domination + (1.0 - p) * presence)
    return total


@kernel
def blend(at_the_start, early):
    """A share that is ``at_the_start`` at first and 1, as the rules say, at the end of the game."""
    return 1.0 + (at_the_start - 1.0) * early


@kernel
def expected_musicians(state, work, weights, rounds, early):
    """VP of the musicians in the Scoring Phases still to come, as the Warriors stand."""
    total = 0.0
    rest = state.musicians
    while rest != 0:
        cross = CROSS[lowest(rest)]
        for seat in range(state.players):
            total += work.share[seat] * number_of(state, seat, cross, ANY_TYPE)
        rest &= rest - 1
    return total * rounds * blend(weights.musician, early)


@kernel
def expected_footmen(state, work, weights, certainty, early):
    total = 0.0
    rest = state.footmen
    while rest != 0:
        area = SURROUNDING[lowest(rest)]
        total += expected_contest(state, work, weights, area, ANY_TYPE, 8.0, 2.0, certainty)
        rest &= rest - 1
    return total * blend(weights.footman, early)
