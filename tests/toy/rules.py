"""The record and the rules of Orchard.  Kernels allocate nothing, raise nothing, and trust their caller."""

from __future__ import annotations

from typing import Final

import numpy as np

from terracotta_env.game import NOBODY, Block, Channel
from terracotta_env.generator import advance, below
from terracotta_env.kernel import kernel
from terracotta_env.observing import put

SEATS: Final = 3
TREES: Final = 3
FRUITS: Final = 3  # on each tree
MOST_PICKED: Final = 2  # in one turn
LAST_FRUIT: Final = 3  # points for emptying a tree
NO_TREE: Final = -1

SOURCES: Final = ("fruit", "last")
TOKENS: Final = (*(f"tree:{i + 1}" for i in range(TREES)), *(f"pick:{i + 1}" for i in range(MOST_PICKED)))
PICK: Final = TREES  # id of `pick:1`
ACTIONS: Final = len(TOKENS)

# Eight-byte fields first, then two-byte, then one-byte ones, filled up to a multiple of eight: aligned without padding.
STATE: Final = np.dtype(
    (
        np.record,
        [
            ("generator", "u8"),  # splitmix64 state; drawn from at setup only
            ("harvest", "i2", (SEATS, len(SOURCES))),  # points by source
            ("fruit", "i1", (TREES, FRUITS)),  # worth 1..9, in the order in which they are picked
            ("picked", "i1", (TREES,)),  # number of fruits gone
            ("players", "i1"),  # the one name that every game's record has
            ("first", "i1"),  # seat that began
            ("to_move", "i1"),  # NOBODY when over
            ("tree", "i1"),  # chosen in this turn, NO_TREE before
            ("spare", "u1", (4,)),
        ],
    )
)
assert STATE.itemsize == 40

WORTH_SCALE: Final = 9.0
POINTS_SCALE: Final = 54.0  # all points of a game: 1 + ... + 9 and three times LAST_FRUIT
BLOCKS: Final = (
    Block(
        "trees",
        (TREES, 1 + FRUITS),
        1,
        (
            Channel("chosen", "1 while the seat to move decides how many fruits to pick here"),
            Channel("fruit_1", "worth of the next fruit here divided by 9, 0 if there is none", step=1 / 9),
            Channel("fruit_2", "the same of the fruit after it", step=1 / 9),
            Channel("fruit_3", "the same of the last fruit", step=1 / 9),
        ),
    ),
    Block(
        "seats",
        (4, SEATS),
        0,
        (
            Channel("present", "1 if this relative seat is in the game"),
            Channel("to_move", "1 if this relative seat decides now"),
            Channel("first", "1 if this relative seat began"),
            Channel("points", "points so far divided by 54", step=1 / 54),
        ),
    ),
)
OUTLOOK: Final = (
    Channel("points", "own points so far", high=POINTS_SCALE),
    Channel("fruits", "fruits left on all trees", high=TREES * FRUITS),
)
SEATS_AT: Final = BLOCKS[0].size
SIZE: Final = SEATS_AT + BLOCKS[1].size


def make_states(n: int) -> np.ndarray:
    """``n`` empty records, shape ``(n,)``: all zero but for the sentinels."""
    states = np.zeros(n, STATE)
    states["to_move"] = NOBODY
    states["tree"] = NO_TREE
    return states


@kernel
def draw_below(state, n):
    """A uniform integer in ``0..n-1`` from the record's generator."""
    state.generator = advance(state.generator)
    return below(state.generator, n)


@kernel
def reset(state, players, seed):
    """Begin a new game: the fruits 1..9 shuffled by Fisher-Yates from the last place down, then the first seat."""
    state.generator = seed
    state.players = players
    for place in range(TREES * FRUITS):
        state.fruit[place // FRUITS, place % FRUITS] = place + 1
    for place in range(TREES * FRUITS - 1, 0, -1):
        other = draw_below(state, place + 1)
        here, there = state.fruit[place // FRUITS, place % FRUITS], state.fruit[other // FRUITS, other % FRUITS]
        state.fruit[place // FRUITS, place % FRUITS] = there
        state.fruit[other // FRUITS, other % FRUITS] = here
    state.first = draw_below(state, players)
    begin(state)


@kernel
def begin(state):
    """Full trees, no points; fruits, players and the first seat must have been set."""
    for tree in range(TREES):
        state.picked[tree] = 0
    for seat in range(SEATS):
        for source in range(2):
            state.harvest[seat, source] = 0
    state.tree = NO_TREE
    state.to_move = state.first


@kernel
def is_over(state):
    return state.to_move == NOBODY


@kernel
def to_act(state):
    """Seat that decides now, NOBODY when the game is over."""
    return state.to_move


@kernel
def legal(state, mask):
    """Write 1 into ``mask``, shape ``(A,)``, where an action is legal, else 0; return their number."""
    for action in range(ACTIONS):
        mask[action] = 0
    if state.to_move == NOBODY:
        return 0
    number = 0
    if state.tree == NO_TREE:
        for tree in range(TREES):
            if state.picked[tree] < FRUITS:
                mask[tree] = 1
                number += 1
    else:
        for amount in range(1, min(MOST_PICKED, FRUITS - state.picked[state.tree]) + 1):
            mask[PICK + amount - 1] = 1
            number += 1
    return number


@kernel
def apply_choice(state, action):
    """Do one decision, forced or not."""
    if state.tree == NO_TREE:
        state.tree = action
        return
    tree, seat = state.tree, state.to_move
    for _ in range(action - PICK + 1):
        state.harvest[seat, 0] += state.fruit[tree, state.picked[tree]]
        state.picked[tree] += 1
    if state.picked[tree] == FRUITS:
        state.harvest[seat, 1] += LAST_FRUIT
    state.tree = NO_TREE
    state.to_move = (seat + 1) % state.players


@kernel
def settle(state):
    """Go on through forced decisions until there is a choice or all trees are bare."""
    while True:
        left, last = 0, NO_TREE  # trees with fruits, and one of them
        for tree in range(TREES):
            if state.picked[tree] < FRUITS:
                left += 1
                last = tree
        if left == 0:
            state.to_move = NOBODY
            return
        if state.tree == NO_TREE and left == 1:
            apply_choice(state, last)
        elif state.tree != NO_TREE and state.picked[state.tree] == FRUITS - 1:
            apply_choice(state, PICK)
        else:
            return


@kernel
def apply(state, action):
    """Do a legal action and everything forced after it."""
    apply_choice(state, action)
    settle(state)


@kernel
def points(state, seat):
    return state.harvest[seat, 0] + state.harvest[seat, 1]


@kernel
def returns(state, out):
    """Payoffs by seat, shape ``(3,)``: 1, ..., -1 evenly spaced by rank; zeros before the end and for absent seats."""
    for seat in range(SEATS):
        out[seat] = 0
    if state.to_move != NOBODY:
        return
    for seat in range(state.players):
        better = 0  # seats ranked higher: more points, or as many and began later
        for other in range(state.players):
            ahead = points(state, other) - points(state, seat)
            later = (other - state.first) % state.players - (seat - state.first) % state.players
            if ahead > 0 or (ahead == 0 and later > 0):
                better += 1
        out[seat] = 1 - 2 * better / (state.players - 1)


@kernel
def ledger(state, seat, out):
    """Write the points of a seat by source, shape ``(2,)``; return their sum."""
    out[0] = state.harvest[seat, 0]
    out[1] = state.harvest[seat, 1]
    return points(state, seat)


@kernel
def outlook(state, scratch, seat, out):
    """Write the own points and the fruits left on all trees, shape ``(2,)``; ``scratch`` is not needed."""
    out[0] = points(state, seat)
    out[1] = TREES * FRUITS
    for tree in range(TREES):
        out[1] -= state.picked[tree]


@kernel
def observe(state, seat, out):
    """Write the observation of ``seat``, shape ``(SIZE,)`` float32 or int8; relative seats count clockwise from it."""
    for i in range(SIZE):
        out[i] = 0
    for tree in range(TREES):
        at = tree * (1 + FRUITS)
        if state.tree == tree:
            out[at] = 1
        for ahead in range(FRUITS - state.picked[tree]):
            put(out, at + 1 + ahead, state.fruit[tree, state.picked[tree] + ahead], WORTH_SCALE, 1)
    for other in range(state.players):
        at = SEATS_AT + (other - seat + state.players) % state.players
        out[at] = 1
        out[at + SEATS] = state.to_move == other
        out[at + 2 * SEATS] = state.first == other
        put(out, at + 3 * SEATS, points(state, other), POINTS_SCALE, 1)
