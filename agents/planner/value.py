"""The value of a position to a seat: its expected final Victory Points less a share of those of its opponents.

A sum over what the rules will still score, each term with a weight (weights.py): the Inspectors' lines of this and
later rounds, musicians, Scoring tiles, Footmen, groups, archers (contests.py, groups.py) and the means of each seat
(means.py).
"""

from __future__ import annotations

import math

from terracotta_env.army.endgame import victory_points
from terracotta_env.army.geometry import (
    COLUMN_CELLS,
    COLUMNS,
    ROW_CELLS,
    ROWS,
    count,
)
from terracotta_env.army.mausoleum import ANY_TYPE
from terracotta_env.army.scoring import tile_area
from terracotta_env.army.state import RIDERS, ROUNDS, WORKERS_FOR, Decision, Tile
from terracotta_env.kernel import kernel

from .contests import expected_contest, expected_footmen, expected_goods, expected_musicians
from .groups import expected_archers, expected_groups
from .means import value_of_means

DOMINATION = 7.0
PRESENCE = 3.0


@kernel
def write_shares(state, work, weights, seat):
    """How much a VP of each seat counts to ``seat``."""
    rival = weights.rival / (state.players - 1)
    for other in range(4):
        work.share[other] = 0.0
    for other in range(state.players):
        work.share[other] = 1.0 if other == seat else -rival


@kernel
def certainty_of(weights, turns):
    """1 / doubt (in Warriors) of a contest that is scored after so many more turns of the opponents."""
    return 1.0 / (weights.doubt_now + weights.doubt_turn * math.sqrt(float(turns)))


@kernel
def expected_tile(state, work, weights, ahead, certainty):
    """The Scoring tile of the round that is ``ahead`` rounds from this one."""
    index = state.game_round - 1 + ahead
    tile = state.tiles[index]
    domination, presence = float(state.tile_domination[index]), float(state.tile_presence[index])
    if tile == Tile.COINS or tile == Tile.CLAY:
        part = 1.0 if ahead == 0 else weights.goods_ahead
        doubt = certainty * weights.doubt_now / weights.goods_doubt
        return part * expected_goods(state, work, tile == Tile.COINS, domination, presence, doubt)
    part = 1.0 if ahead == 0 else weights.tile_ahead
    area, kind = tile_area(tile)
    return part * expected_contest(state, work, weights, area, kind, domination, presence, certainty)


@kernel
def certain_share(weights, ahead):
    if ahead == 0:
        return 1.0
    if ahead == 1:
        return weights.certain1
    if ahead == 2:
        return weights.certain2
    if ahead == 3:
        return weights.certain3
    return weights.certain4


@kernel
def expected_rounds(state, work, weights, opponents_hand, opponents_workers):
    """Inspectors and Scoring tiles of this round and of those to come."""
    total = 0.0
    for ahead in range(ROUNDS - state.game_round + 1):
        certainty = certainty_of(weights, opponents_hand + ahead * opponents_workers)
        row = ROW_CELLS[(state.inspector_row + ahead) % ROWS]
        column = COLUMN_CELLS[(state.inspector_column + ahead) % COLUMNS]
        lines = expected_contest(state, work, weights, row, ANY_TYPE, DOMINATION, PRESENCE, certainty)
        lines += expected_contest(state, work, weights, column, ANY_TYPE, DOMINATION, PRESENCE, certainty)
        total += certain_share(weights, ahead) * lines
        total += expected_tile(state, work, weights, ahead, certainty)
    return total


@kernel
def value_of_figures(state, weights, seat):
    """What the seat's Warriors promise beyond the contests that can be seen now, at the start of the game."""
    cells = state.owned[seat]
    value = weights.warrior * count(cells)
    for i in range(RIDERS):
        if state.rider_cells[i] == 0:
            break
        if state.rider_owner[i] == seat:
            cells |= state.rider_cells[i]
            value += weights.warrior + weights.mounted
    for row in range(ROWS):
        if cells & ROW_CELLS[row] != 0:
            value += weights.row_held
    for column in range(COLUMNS):
        if cells & COLUMN_CELLS[column] != 0:
            value += weights.column_held
    return value


@kernel
def planner_value(state, work, weights, seat):
    """Expected VP of ``seat`` less a share of its opponents'; exact when the game is over."""
    write_shares(state, work, weights, seat)
    total = 0.0
    for other in range(state.players):
        total += work.share[other] * victory_points(state, other)
    if state.decision == Decision.OVER:
        return total
    workers = WORKERS_FOR[state.players]
    hand, hands = 0, 0
    for other in range(state.players):
        of_other = int(state.craftsmen[other]) + int(state.artisans[other])
        hands += of_other
        if other != seat:
            hand += of_other
    rounds = ROUNDS - int(state.game_round)
    at_the_end = certainty_of(weights, hand + rounds * workers * (state.players - 1))
    early = (hands + rounds * workers * state.players) / (workers * state.players * float(ROUNDS))
    total += expected_rounds(state, work, weights, hand, workers * (state.players - 1))
    total += expected_musicians(state, work, weights, rounds + 1, early)
    total += expected_footmen(state, work, weights, at_the_end, early)
    total += expected_groups(state, work, weights, at_the_end, early)
    total += expected_archers(state, work, weights, early)
    for other in range(state.players):
        means = value_of_means(state, weights, other)
        means += early * value_of_figures(state, weights, other)
        total += work.share[other] * means
    return total
