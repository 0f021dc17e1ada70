"""Masters: buying them and their abilities.  Rulebook: Ring Actions (Master), Master Abilities; rulings R18-R22."""

from __future__ import annotations

from ..kernel import kernel
from .actions import PERFORM
from .inspectors import MASTER_STEPS
from .rings import can_inner, perform_inner, ready_all
from .state import QUARTERS, TOKENS, Decision, Master, Space
from .warriors import can_place_warrior, most_figures, place_figure
from .wheel import middle_index

CLAY_MAKER_CLAY = 3
ALL_PAIRS = 0b111111  # the six pairs of warehouses (R22)
# the pairs in the order of their tokens
_FIRST_OF_PAIR = (0, 0, 0, 1, 1, 2)
_SECOND_OF_PAIR = (1, 2, 3, 2, 3, 3)


@kernel
def master_here(state):
    """The Master that the Middle Ring shows on the worker's segment."""
    return state.middle[middle_index(state, state.segment)] - Space.MASTER


@kernel
def can_master(state, master):
    """Offered if a token can be paid, or, for an owned Master, if the ability would change something (R18)."""
    if state.masters[state.to_move, master] == 0:
        return options_token(state) != 0
    return can_ability(state, master)


@kernel
def perform_master(state, master):
    if state.masters[state.to_move, master] == 0:
        state.decision = Decision.MASTER_TOKEN
    else:
        begin_ability(state, master)


@kernel
def options_token(state):
    """Remaining tokens that can be paid, by price."""
    prices = 0
    for price in range(1, TOKENS + 1):
        if state.tokens[state.to_move, price - 1] > 0 and price <= state.coins[state.to_move]:
            prices |= 1 << (price - 1)
    return prices


@kernel
def apply_token(state, choice):
    """Pay a token, place it in the Master's area; the ability follows at once, or is passed over (R18)."""
    seat, master = state.to_move, master_here(state)
    state.coins[seat] -= choice + 1
    state.tokens[seat, choice] -= 1
    state.masters[seat, master] = choice + 1
    if can_ability(state, master):
        begin_ability(state, master)
    else:
        state.decision = Decision.ACTION_DONE


@kernel
def can_ability(state, master):
    """Would the ability change something?"""
    seat = state.to_move
    if master == Master.BUILDER:
        return state.coins[seat] >= state.game_round and can_place_warrior(state)
    if master == Master.ADMINISTRATOR:
        return can_inner(state)
    if master == Master.SUPERVISOR:
        clay = 0
        for quarter in range(QUARTERS):
            clay += state.warehouses[quarter]
        return clay > 0
    if master == Master.BLACKSMITH:
        active = 0
        for weapon in range(4):
            active += state.weapons[seat, weapon]
        return active < 4
    return True  # Inspector and Clay Maker


@kernel
def begin_ability(state, master):
    """Clay Maker and Blacksmith happen at once; the others ask."""
    if master == Master.BUILDER:
        state.decision = Decision.BUILDER_TYPE
    elif master == Master.ADMINISTRATOR:
        state.decision = Decision.ADMINISTRATOR
    elif master == Master.INSPECTOR:
        state.decision = Decision.MASTER_INSPECTOR
    elif master == Master.SUPERVISOR:
        state.decision = Decision.SUPERVISOR
    else:
        if master == Master.CLAY_MAKER:
            state.wet[state.to_move] += CLAY_MAKER_CLAY
        else:
            ready_all(state)
        state.decision = Decision.ACTION_DONE


@kernel
def options_builder_type(state):
    """The types with the most figures left (R19)."""
    most = most_figures(state)
    types = 0
    for kind in range(4):
        if state.organizer[kind] == most:
            types |= 1 << kind
    return types


@kernel
def apply_builder_type(state, kind):
    """Pay Coins equal to the round for a Warrior of this type; a negative ``kind`` declines."""
    if kind < 0:
        state.decision = Decision.ACTION_DONE
        return
    state.coins[state.to_move] -= state.game_round
    state.chosen_type = kind
    state.decision = Decision.BUILDER_CELL


@kernel
def apply_builder_cell(state, cell):
    """Place the Builder's Warrior: no VP, no Weapon, no clay."""
    place_figure(state, cell)
    state.decision = Decision.ACTION_DONE


@kernel
def options_administrator(state):
    """Perform the Inner action once more (declining is offered beside it, R20)."""
    return 1 << PERFORM


@kernel
def apply_administrator(state, choice):
    if choice < 0:
        state.decision = Decision.ACTION_DONE
    else:
        state.repeating = 1
        perform_inner(state)


@kernel
def options_master_inspector(state):
    return MASTER_STEPS


@kernel
def options_supervisor(state):
    return ALL_PAIRS


@kernel
def apply_supervisor(state, choice):
    """Take all Dry Clay of two warehouses."""
    for quarter in (_FIRST_OF_PAIR[choice], _SECOND_OF_PAIR[choice]):
        state.dry[state.to_move] += state.warehouses[quarter]
        state.warehouses[quarter] = 0
    state.decision = Decision.ACTION_DONE
