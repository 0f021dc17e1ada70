"""Buffers of the turn search.  The caller owns them; kernels allocate nothing.

A *node* is a position in the middle of the turn being planned: its record in ``states`` and, at the same index, its
value and the decisions that led to it in ``nodes``.  Places in the two arrays are given out once and for all below.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from terracotta_env.army.state import STATE, make_states

LONGEST: Final = (
    32  # decisions in one turn: at most rotation, placement, two Warriors with weapons, a Builder's, a Horse
)
DEPTH: Final = 12  # decisions between two rings
BEAM: Final = 16  # most nodes kept between two rings
PLACEMENTS: Final = 80  # at most 3 rotations x 24 places
PER_PLACEMENT: Final = 4  # most whole turns kept of each placement in the second sweep
WIDE: Final = 12  # most placements in the second sweep
FINALS: Final = 1 + PER_PLACEMENT * WIDE  # whole turns kept: the best of the first sweep, then those of the second

# places in `states` and `nodes`
ROOT: Final = 0
TRIAL: Final = 1  # for ranking spaces
STACK: Final = 2  # one for each decision between two rings
POOL_A: Final = STACK + DEPTH + 1
POOL_B: Final = POOL_A + BEAM
PLACED: Final = POOL_B + BEAM
ENDED: Final = PLACED + PLACEMENTS
NODES: Final = ENDED + FINALS

GREEDY: Final = 0
PLANNER: Final = 1

NODE: Final = np.dtype((np.record, [("value", "f8"), ("length", "i8"), ("path", "i2", (LONGEST,))]))

# numbers of one search
WORK: Final = np.dtype(
    (
        np.record,
        [
            ("share", "f8", (4,)),  # by seat: how much its VP count
            ("number", "i8", (4,)),  # by seat: free for use within one contest
            ("seat", "i8"),  # that plans
            (
                "hand",
                "i8",
            ),  # its workers in hand once it has placed one: fewer or a new turn mean that this one is over
            ("game_round", "i8"),  # at the root
            ("looked", "i8"),  # positions looked at so far
            ("best_here", "f8"),  # best whole turn since this was last set
            ("narrow", "i8", (4,)),  # by Warrior type: the few most promising spaces for a new figure
            ("wide", "i8", (4,)),  # more of them
            ("movers", "i8"),  # own Warriors whose move by a Guard promises most
            ("goals", "i8", (63,)),  # by space of such a Warrior: where to
            ("counts", "i8", (4,)),  # nodes in: pool A, pool B, placements, whole turns of the pool in use
            ("final_base", "i8"),  # first node of the pool of whole turns in use
            ("final_room", "i8"),  # its size
            ("options", "i8", (DEPTH + 1,)),  # by depth of the stack: offsets not tried yet
            ("decline", "i8", (DEPTH + 1,)),  # 1 = `decline` not tried yet
            ("trail", "i2", (LONGEST,)),  # decisions from the root to the node on top of the stack
            ("ranked", "f8", (63,)),  # values of spaces while they are ranked
        ],
    )
)

# how wide a search is; part of a bot's version
SETTINGS: Final = np.dtype(
    (
        np.record,
        [
            ("valuation", "i8"),  # GREEDY or PLANNER
            ("limit", "i8"),  # most positions looked at in a turn
            ("narrow_cells", "i8"),  # first sweep, over all placements: spaces for a new Warrior of each type
            ("narrow_beam", "i8"),  # nodes kept between two rings
            ("wide_cells", "i8"),  # second sweep, over the best placements
            ("wide_beam", "i8"),
            ("wide_placements", "i8"),  # how many placements that is
            ("moves", "i8"),  # moves of a Guard considered
            ("rotations", "i8"),  # 0 = turning a ring is not considered
            ("per_placement", "i8"),  # whole turns kept of each placement of the second sweep
            ("candidates", "i8"),  # most whole turns whose sequel is sketched; 0 = none
            ("ahead", "i8"),  # turns sketched beyond the opponents' next ones
        ],
    )
)

# a turn that was planned: what is left of it is played while the game is where it was expected to be
PLAN: Final = np.dtype((np.record, [("next", "i8"), ("length", "i8"), ("path", "i2", (LONGEST,))]))


class Scratch(NamedTuple):
    """Everything a search writes to or is steered by.  One for each thread."""

    states: np.ndarray  # (NODES,) STATE
    nodes: np.ndarray  # (NODES,) NODE
    work: np.ndarray  # (1,) WORK
    settings: np.ndarray  # (1,) SETTINGS
    weights: np.ndarray  # (3,) the planner's WEIGHTS for 2, 3 and 4 players


def make_settings(**values: int) -> np.ndarray:
    """One record of SETTINGS, shape ``(1,)``."""
    settings = np.zeros(1, SETTINGS)
    for name, value in values.items():
        settings[name] = value
    return settings


def make_scratch(settings: np.ndarray, weights: np.ndarray) -> Scratch:
    """Fresh buffers."""
    states = make_states(NODES)
    assert states.dtype == STATE
    return Scratch(states, np.zeros(NODES, NODE), np.zeros(1, WORK), settings, weights)
