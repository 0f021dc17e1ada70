"""Doing a decision and everything automatic after it: the dispatcher over the ``apply_x``, and the flow of a round.

``apply`` trusts its caller: the action must be legal.  Compiled code does not check it; the public steps do.
"""

from __future__ import annotations

from ..kernel import kernel
from . import actions as act
from .cleanup import begin_turn, clean_up, next_round
from .endgame import end_game, turn_place
from .geometry import NO_CELL
from .inspectors import apply_inspector
from .legal import BLOCK, only_option
from .masters import (
    apply_administrator,
    apply_builder_cell,
    apply_builder_type,
    apply_supervisor,
    apply_token,
    perform_master,
)
from .rings import perform_inner, perform_priority, perform_ready
from .scoring import score_round
from .specialists import (
    apply_archer_cell,
    apply_archer_facing,
    apply_horse_direction,
    apply_horse_rider,
    apply_specialist_cell,
    build,
)
from .state import NOBODY, NONE, ROUNDS, Decision, Ring, Space
from .warriors import apply_guard_goal, apply_guard_warrior, apply_warrior_cell, apply_warrior_type, apply_weapon
from .wheel import apply_place, apply_rotate, middle_index

DECLINED = -1  # what an `apply_x` receives instead of an offset when its ability is declined


@kernel
def perform_middle(state):
    index = middle_index(state, state.segment)
    space = state.middle[index]
    if space == Space.PRIORITY:
        perform_priority(state)
    elif space >= Space.MASTER:
        perform_master(state, space - Space.MASTER)
    else:
        if space == Space.COINS:
            state.coins[state.to_move] += state.middle_amount[index]
        else:
            state.wet[state.to_move] += state.middle_amount[index]
        state.decision = Decision.ACTION_DONE


@kernel
def perform_outer(state):
    space = state.outer[state.segment]
    if space >= Space.SPECIALIST:
        build(state, space - Space.SPECIALIST)
    else:
        perform_ready(state, space - Space.READY)


@kernel
def apply_ring(state, choice):
    """Perform the ring's action, or take one Wet Clay or Coin, or do nothing."""
    state.decision = Decision.ACTION_DONE
    if choice == act.TAKE_CLAY:
        state.wet[state.to_move] += 1
    elif choice == act.TAKE_COIN:
        state.coins[state.to_move] += 1
    elif choice == act.PERFORM:
        if state.ring == Ring.INNER:
            perform_inner(state)
        elif state.ring == Ring.MIDDLE:
            perform_middle(state)
        else:
            perform_outer(state)


@kernel
def apply_choice(state, action):
    """Do one decision; what is asked next stands in ``decision`` afterwards, ACTION_DONE where the ring is finished."""
    decision = state.decision
    choice = DECLINED if action == act.DECLINE else action - BLOCK[decision]
    if decision == Decision.ROTATE:
        apply_rotate(state, choice)
    elif decision == Decision.PLACE:
        apply_place(state, choice)
    elif decision == Decision.RING:
        apply_ring(state, choice)
    elif decision == Decision.WARRIOR_TYPE:
        apply_warrior_type(state, choice)
    elif decision == Decision.WARRIOR_CELL:
        apply_warrior_cell(state, choice)
    elif decision == Decision.WEAPON:
        apply_weapon(state, choice)
    elif decision == Decision.OFFICER_INSPECTOR or decision == Decision.MASTER_INSPECTOR:
        apply_inspector(state, choice)
    elif decision == Decision.GUARD_WARRIOR:
        apply_guard_warrior(state, choice)
    elif decision == Decision.GUARD_GOAL:
        apply_guard_goal(state, choice)
    elif decision == Decision.HORSE_RIDER:
        apply_horse_rider(state, choice)
    elif decision == Decision.HORSE_DIRECTION:
        apply_horse_direction(state, choice)
    elif decision == Decision.ARCHER_CELL:
        apply_archer_cell(state, choice)
    elif decision == Decision.ARCHER_FACING:
        apply_archer_facing(state, choice)
    elif decision == Decision.SPECIALIST_CELL:
        apply_specialist_cell(state, choice)
    elif decision == Decision.MASTER_TOKEN:
        apply_token(state, choice)
    elif decision == Decision.BUILDER_TYPE:
        apply_builder_type(state, choice)
    elif decision == Decision.BUILDER_CELL:
        apply_builder_cell(state, choice)
    elif decision == Decision.ADMINISTRATOR:
        apply_administrator(state, choice)
    elif decision == Decision.SUPERVISOR:
        apply_supervisor(state, choice)


@kernel
def next_with_workers(state):
    """The next seat in Turn Order, after the one to move, that still has a worker in hand; NOBODY if none."""
    place = turn_place(state, state.to_move)
    for step in range(1, state.players + 1):
        seat = state.turn_order[(place + step) % state.players]
        if state.craftsmen[seat] + state.artisans[seat] > 0:
            return seat
    return NOBODY


@kernel
def finish_action(state):
    """A ring's action is resolved: go on to the next ring, the next turn, the end of the round or of the game."""
    state.chosen_type = NONE
    state.chosen_cell = NO_CELL
    state.repeating = 0
    if state.ring != Ring.OUTER:
        state.ring += 1
        state.decision = Decision.RING
        return
    state.ring = NONE
    state.segment = NONE
    seat = next_with_workers(state)
    if seat != NOBODY:
        begin_turn(state, seat)
        return
    score_round(state)
    clean_up(state)
    if state.game_round < ROUNDS:
        next_round(state)
    else:
        end_game(state)


@kernel
def settle(state):
    """Go on through finished actions and forced decisions until there is a choice or the game is over (R6)."""
    while state.decision != Decision.OVER:
        if state.decision == Decision.ACTION_DONE:
            finish_action(state)
            continue
        forced = only_option(state)
        if forced < 0:
            return
        apply_choice(state, forced)


@kernel
def apply(state, action):
    """Do a legal action and everything automatic after it."""
    apply_choice(state, action)
    settle(state)
