"""Which of the legal options a turn search looks at: a turn has up to millions of chains of decisions.

What is left out is either no better than something that stays in (nothing instead of a free coin; a dear Master token
while a cheaper one lies there; an artisan where a craftsman will do), or ranked low by trying it alone at the root: new
Warriors by type and space, moves of a Guard.
"""

from __future__ import annotations

from terracotta_env.army import actions as act
from terracotta_env.army.geometry import CELLS, bit
from terracotta_env.army.legal import options
from terracotta_env.army.mausoleum import empty_cells, lift_off, put_on_foot, type_on_foot
from terracotta_env.army.state import NOBODY, SEGMENTS, Decision, Ring, Warrior
from terracotta_env.army.warriors import crossbowman_vp, options_guard_goal
from terracotta_env.kernel import kernel

from .scratch import ROOT, TRIAL
from .valuation import value_of

LOWEST = -1e18


@kernel
def considered_places(state, chosen):
    """An artisan on an empty segment only if there is no craftsman left: it would close the segment to the own ones."""
    if state.craftsmen[state.to_move] == 0:
        return chosen
    for segment in range(SEGMENTS):
        if state.worker_owner[segment, 0] == NOBODY:
            chosen &= ~(1 << (SEGMENTS + segment))
    return chosen


@kernel
def considered(state, work, settings, wide):
    """Subset of ``options(state)`` to look at; never empty where that is not, and all of it where it is small."""
    chosen = options(state)
    decision = state.decision
    if decision == Decision.ROTATE and settings.rotations == 0:
        return 1 << act.ROTATE_NONE
    if decision == Decision.PLACE:
        return considered_places(state, chosen)
    if decision == Decision.RING:
        if state.ring != Ring.OUTER:
            return chosen & ~(1 << act.DO_NOTHING)
        return chosen
    if decision == Decision.MASTER_TOKEN:
        return chosen & -chosen
    if decision == Decision.WARRIOR_CELL or decision == Decision.BUILDER_CELL:
        best = chosen & (work.wide[state.chosen_type] if wide else work.narrow[state.chosen_type])
        return best if best != 0 else chosen
    if decision == Decision.GUARD_WARRIOR:
        return chosen & work.movers
    if decision == Decision.GUARD_GOAL:
        best = chosen & work.goals[state.chosen_cell]
        return best if best != 0 else chosen
    return chosen


@kernel
def best_of(ranked, cells, number):
    """The ``number`` spaces of ``cells`` with the highest values, as a set; lower spaces first where equal."""
    found = 0
    for _ in range(number):
        best, best_cell = LOWEST, -1
        for cell in range(CELLS):
            if cells & bit(cell) & ~found != 0 and ranked[cell] > best:
                best, best_cell = ranked[cell], cell
        if best_cell < 0:
            break
        found |= bit(best_cell)
    return found


@kernel
def may_make_warrior(state, seat):
    return state.bases[seat] > 0 and (state.wet[seat] > 0 or state.coins[seat] > 0 or state.to_move != seat)


@kernel
def rank_cells(scratch):
    """Try a new Warrior of each type on each empty space of the root, alone, and note the best spaces."""
    work, settings = scratch.work[0], scratch.settings[0]
    root, trial = scratch.states[ROOT], scratch.states[TRIAL]
    seat = work.seat
    empty = empty_cells(root)
    for kind in range(4):
        work.narrow[kind] = empty
        work.wide[kind] = empty
        if root.organizer[kind] == 0 or not may_make_warrior(root, seat):
            continue
        for cell in range(CELLS):
            if empty & bit(cell) != 0:
                scratch.states[TRIAL] = scratch.states[ROOT]
                put_on_foot(trial, seat, kind, cell)
                work.looked += 1
                work.ranked[cell] = value_of(scratch, TRIAL)
                if kind == Warrior.CROSSBOWMAN and root.weapons[seat, kind] == 1:
                    work.ranked[cell] += crossbowman_vp(trial, cell)
        work.narrow[kind] = best_of(work.ranked, empty, settings.narrow_cells)
        work.wide[kind] = best_of(work.ranked, empty, settings.wide_cells)


@kernel
def rank_moves(scratch):
    """Try each move that a Guard could give at the root, and note the best ``moves`` of them."""
    work, settings = scratch.work[0], scratch.settings[0]
    root, trial = scratch.states[ROOT], scratch.states[TRIAL]
    seat = work.seat
    work.movers = 0
    for cell in range(CELLS):
        work.goals[cell] = 0
        work.ranked[cell] = LOWEST
    if root.weapons[seat, Warrior.GUARD] == 0:
        work.movers = root.owned[seat]
        return
    chosen_cell = root.chosen_cell
    for start in range(CELLS):
        if root.owned[seat] & bit(start) == 0:
            continue
        root.chosen_cell = start
        goals = options_guard_goal(root)
        root.chosen_cell = chosen_cell
        for goal in range(CELLS):
            if goals & bit(goal) != 0:
                scratch.states[TRIAL] = scratch.states[ROOT]
                kind = type_on_foot(root, start)
                lift_off(trial, seat, kind, start)
                put_on_foot(trial, seat, kind, goal)
                work.looked += 1
                value = value_of(scratch, TRIAL)
                if value > work.ranked[start]:
                    work.ranked[start] = value
                    work.goals[start] = bit(goal)
    work.movers = best_of(work.ranked, root.owned[seat], settings.moves)
