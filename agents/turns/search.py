"""The search for the best turn: every chain of own decisions from the pending one to the end of the turn, cut by beams.

1. New Warriors and moves of a Guard are ranked by trying each alone (considered.py).
2. All rotations and placements are listed, and each is followed to the end of the turn with a narrow beam: after each
   ring only a few nodes go on.
3. The placements that came out best are followed again with a wide beam.

A turn that has begun already is followed with the wide beam from where it is.  Every record that is looked at counts,
be it played into or tried; at ``limit`` the search stops with the best whole turn found.  Ties go to what comes first
in the order of action ids.
"""

from __future__ import annotations

from terracotta_env.army import actions as act
from terracotta_env.army.apply import apply
from terracotta_env.army.geometry import lowest
from terracotta_env.army.legal import BLOCK, MAY_DECLINE, only_option, options
from terracotta_env.army.state import NONE, Decision
from terracotta_env.kernel import kernel

from .considered import LOWEST, considered, rank_cells, rank_moves
from .scratch import (
    BEAM,
    DEPTH,
    ENDED,
    FINALS,
    LONGEST,
    PER_PLACEMENT,
    PLACED,
    PLACEMENTS,
    POOL_A,
    POOL_B,
    ROOT,
    STACK,
    WIDE,
)
from .valuation import value_of

A, B, PLACEMENT, FINAL = range(4)  # places in `counts`


@kernel
def hand_of(state, seat):
    """Workers in hand."""
    return int(state.craftsmen[seat]) + int(state.artisans[seat])


@kernel
def has_ended(state, work):
    """Is the turn being planned over?"""
    if state.decision == Decision.OVER or state.to_move != work.seat or state.game_round != work.game_round:
        return True
    if state.decision == Decision.ROTATE or state.decision == Decision.PLACE:
        return hand_of(state, work.seat) == work.hand  # the next turn is the same seat's: nobody else has workers
    return hand_of(state, work.seat) < work.hand


@kernel
def keep(scratch, base, which, room, source, value, length):
    """Put node ``source`` with the trail's first ``length`` decisions among the ``room`` best of a pool."""
    work, nodes = scratch.work[0], scratch.nodes
    number = work.counts[which]
    place = base + number
    if number == room:
        place, worst = base, nodes[base].value
        for k in range(base + 1, base + room):
            if nodes[k].value <= worst:
                place, worst = k, nodes[k].value
        if value <= worst:
            return
    else:
        work.counts[which] = number + 1
    scratch.states[place] = scratch.states[source]
    nodes[place].value = value
    nodes[place].length = length
    for k in range(length):
        nodes[place].path[k] = work.trail[k]


@kernel
def next_action(work, state, depth):
    """Take the next option not tried at this depth, or -1."""
    chosen = work.options[depth]
    if chosen != 0:
        work.options[depth] = chosen & (chosen - 1)
        return BLOCK[state.decision] + lowest(chosen)
    if work.decline[depth] == 1:
        work.decline[depth] = 0
        return act.DECLINE
    return NONE


@kernel
def open_frame(scratch, depth, wide):
    work, state = scratch.work[0], scratch.states[STACK + depth]
    work.options[depth] = considered(state, work, scratch.settings[0], wide)
    work.decline[depth] = MAY_DECLINE[state.decision]


@kernel
def expand(scratch, start, base, which, room, wide):
    """From node ``start`` on to the next ring's decision (kept in the pool) or the end of the turn (kept as final)."""
    work, states, nodes = scratch.work[0], scratch.states, scratch.nodes
    length = nodes[start].length
    for k in range(length):
        work.trail[k] = nodes[start].path[k]
    states[STACK] = states[start]
    open_frame(scratch, 0, wide)
    depth = 0
    while depth >= 0:
        action = next_action(work, states[STACK + depth], depth)
        if action == NONE:
            depth -= 1
            continue
        if work.looked >= scratch.settings[0].limit:
            return
        work.looked += 1
        top = STACK + depth + 1
        states[top] = states[top - 1]
        apply(states[top], action)
        work.trail[length + depth] = action
        if has_ended(states[top], work):
            value = value_of(scratch, top)
            work.best_here = max(work.best_here, value)
            keep(scratch, work.final_base, FINAL, work.final_room, top, value, length + depth + 1)
        elif states[top].decision == Decision.RING:
            value = 0.0 if which == PLACEMENT else value_of(scratch, top)
            keep(scratch, base, which, room, top, value, length + depth + 1)
        elif depth + 1 < DEPTH and length + depth + 2 < LONGEST:
            depth += 1
            open_frame(scratch, depth, wide)


@kernel
def follow(scratch, start, room, wide):
    """Follow one node through its rings to the end of the turn; returns the best value found."""
    work = scratch.work[0]
    work.best_here = LOWEST
    work.counts[A] = 0
    expand(scratch, start, POOL_A, A, room, wide)
    here, there = A, B
    while work.counts[here] > 0:
        base, goal = (POOL_A, POOL_B) if here == A else (POOL_B, POOL_A)
        work.counts[there] = 0
        for k in range(work.counts[here]):
            expand(scratch, base + k, goal, there, room, wide)
        here, there = there, here
    return work.best_here


@kernel
def begin_search(scratch):
    """The root's record stands in place; everything else is set here.  True if the turn begins with the root."""
    work, root = scratch.work[0], scratch.states[ROOT]
    begins = root.decision == Decision.ROTATE or root.decision == Decision.PLACE
    work.seat = root.to_move
    work.hand = hand_of(root, work.seat) - (1 if begins else 0)
    work.game_round = root.game_round
    work.looked = 0
    for k in range(4):
        work.counts[k] = 0
    for k in range(ENDED, ENDED + FINALS):
        scratch.nodes[k].value = LOWEST
    scratch.nodes[ROOT].length = 0
    rank_cells(scratch)
    rank_moves(scratch)
    return begins


@kernel
def use_finals(scratch, sweep, room):
    """Whole turns found from now on are kept in a pool of their own: 0 for the first sweep, then one a placement."""
    work = scratch.work[0]
    work.final_base = ENDED if sweep == 0 else ENDED + 1 + (sweep - 1) * PER_PLACEMENT
    work.final_room = room
    work.counts[FINAL] = 0


@kernel
def best_node(scratch, base, number):
    """Place of the node with the highest value above LOWEST, the first where equal; -1 if there is none."""
    best, place = LOWEST, NONE
    for k in range(base, base + number):
        if scratch.nodes[k].value > best:
            best, place = scratch.nodes[k].value, k
    return place


@kernel
def search_turn(scratch):
    """Plan the turn pending in ``states[ROOT]``; returns the place of the best whole turn in ``nodes``, -1 if none."""
    work, settings, nodes = scratch.work[0], scratch.settings[0], scratch.nodes
    per_placement = min(settings.per_placement, PER_PLACEMENT)
    if not begin_search(scratch):
        use_finals(scratch, 1, per_placement)
        follow(scratch, ROOT, min(settings.wide_beam, BEAM), True)
        return best_node(scratch, ENDED, FINALS)
    expand(scratch, ROOT, PLACED, PLACEMENT, PLACEMENTS, False)
    placements = work.counts[PLACEMENT]
    use_finals(scratch, 0, 1)
    for k in range(PLACED, PLACED + placements):
        nodes[k].value = follow(scratch, k, min(settings.narrow_beam, BEAM), False)
    for sweep in range(1, 1 + min(settings.wide_placements, WIDE)):
        place = best_node(scratch, PLACED, placements)
        if place == NONE:
            break
        use_finals(scratch, sweep, per_placement)
        follow(scratch, place, min(settings.wide_beam, BEAM), True)
        nodes[place].value = LOWEST
    return best_node(scratch, ENDED, FINALS)


@kernel
def first_legal(state):
    """The first option: the answer where the limit left no whole turn."""
    forced = only_option(state)
    if forced >= 0:
        return forced
    chosen = options(state)
    return BLOCK[state.decision] + lowest(chosen) if chosen != 0 else act.DECLINE
