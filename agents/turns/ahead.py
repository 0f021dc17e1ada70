"""Looking beyond the own turn: how the best whole turns stand after the opponents' answers.

Each of the best whole turns is played on for the same number of turns, every seat sketching its own best turn by the
same valuation with a very narrow search.  What comes out, not what stood at the end of the own turn, decides.
"""

from __future__ import annotations

from terracotta_env.army.state import NONE, Decision
from terracotta_env.kernel import kernel

from .considered import LOWEST
from .scratch import ENDED, FINALS, ROOT
from .search import best_node, search_turn
from .valuation import value_of


@kernel
def play_on(scratch, sketch, place, turns):
    """Value of node ``place`` after so many sketched turns."""
    work = scratch.work[0]
    sketch.states[ROOT] = scratch.states[place]
    for _ in range(turns):
        if sketch.states[ROOT].decision == Decision.OVER:
            break
        best = search_turn(sketch)
        work.looked += sketch.work[0].looked
        if best == NONE:
            break
        sketch.states[ROOT] = sketch.states[best]
    scratch.states[place] = sketch.states[ROOT]
    return value_of(scratch, place)


@kernel
def plan_turn(scratch, sketch):
    """As ``search_turn``, but the best whole turns are compared by how they stand some sketched turns later."""
    work, settings, nodes = scratch.work[0], scratch.settings[0], scratch.nodes
    best = search_turn(scratch)
    if settings.candidates == 0 or best == NONE:
        return best
    turns = settings.ahead + scratch.states[ROOT].players - 1
    room = (settings.limit - work.looked) // (turns * sketch.settings[0].limit)
    candidates = min(settings.candidates, room)
    if candidates < 2:
        return best
    best_value = LOWEST
    for _ in range(candidates):
        place = best_node(scratch, ENDED, FINALS)
        if place == NONE:
            break
        nodes[place].value = LOWEST
        value = play_on(scratch, sketch, place, turns)
        if value > best_value:
            best, best_value = place, value
    return best
