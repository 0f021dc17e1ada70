"""What a seat holds for the turns it still has: clay, coins, weapons, Masters, artisans, a place in the turn order."""

from __future__ import annotations

from terracotta_env.army.cleanup import protected_clay
from terracotta_env.army.state import ROUNDS, SPECIALISTS_PER_TYPE, WORKERS_FOR, Specialist
from terracotta_env.kernel import kernel

LEFTOVER = 0.5  # rulebook, End Game Scoring 5


@kernel
def useful(amount, capacity):
    """Pieces that will find a use: the first counts nearly whole, at ``capacity`` the next counts a quarter."""
    if capacity <= 0.0:
        return 0.0
    return capacity * amount / (capacity + amount)


@kernel
def value_of_masters(state, weights, seat, left, cleanups):
    """``left``: share of the seat's turns still to come; ``cleanups``: Cleanup Phases still to come."""
    value = 0.0
    if state.masters[seat, 0] > 0:
        value += weights.builder * left + weights.wage * cleanups
    if state.masters[seat, 1] > 0:
        value += weights.administrator * left + weights.wage * cleanups
    if state.masters[seat, 2] > 0:
        value += weights.inspector * left + weights.wage * cleanups
    if state.masters[seat, 3] > 0:
        value += weights.clay_maker * left
    if state.masters[seat, 4] > 0:
        value += weights.supervisor * left
    if state.masters[seat, 5] > 0:
        value += weights.blacksmith * left
    return value


@kernel
def coming_place(state, seat):
    """Place of the seat in the turn order after the next Cleanup, 0 = first, as the Priority tokens lie now."""
    if state.priority[seat] > 0:
        return state.priority[seat] - 1
    place = 0
    for other in range(state.players):
        if state.priority[other] > 0:
            place += 1
    for k in range(state.players):
        other = state.turn_order[k]
        if other == seat:
            break
        if state.priority[other] == 0:
            place += 1
    return place


@kernel
def value_of_chances(state, weights, seat):
    """What a seat with a worker in hand could do in its next turn: make a Warrior, build a Specialist."""
    value = weights.two_wet if state.wet[seat] >= 2 else 0.0
    for specialist in range(4):
        left = state.specialists[specialist]
        if (
            left > 0
            and state.weapons[seat, state.specialist_weapon[specialist]] == 1
            and state.coins[seat] >= state.specialist_cost[SPECIALISTS_PER_TYPE - left]
        ):
            if specialist == Specialist.HORSE:
                value += weights.can_horse
            elif specialist == Specialist.FOOTMAN:
                value += weights.can_footman
            elif specialist == Specialist.ARCHER:
                value += weights.can_archer
            else:
                value += weights.can_musician
    return value


@kernel
def value_of_means(state, weights, seat):
    """Expected VP from what ``seat`` holds, leftovers at the end included."""
    workers = WORKERS_FOR[state.players]
    hand = int(state.craftsmen[seat]) + int(state.artisans[seat])
    rounds = ROUNDS - int(state.game_round)  # still to begin
    turns = hand + workers * rounds
    left = turns / (workers * ROUNDS)
    coins, wet, dry = int(state.coins[seat]), int(state.wet[seat]), int(state.dry[seat])
    value = LEFTOVER * (coins + wet + dry)
    value += weights.clay * useful(float(wet + dry), weights.clay_use * turns)
    value += weights.coin * useful(float(coins), weights.coin_use * turns)
    kept = min(wet, protected_clay(state, seat)) if rounds > 0 else 0
    value += weights.wet * useful(float(wet), weights.wet_use * hand + kept)
    weapons = weights.sword * state.weapons[seat, 0] + weights.halberd * state.weapons[seat, 1]
    weapons += weights.crossbow * state.weapons[seat, 2] + weights.spear * state.weapons[seat, 3]
    value += weapons * turns / (turns + weights.weapon_half + 1e-9)
    value += value_of_masters(state, weights, seat, left, rounds + 1)
    value += weights.kept_wet * protected_clay(state, seat) * rounds
    value += weights.artisan * (workers - state.artisans_in_supply[seat]) * rounds
    value += weights.artisan_hand * state.artisans[seat] + weights.worker * hand
    if hand > 0:
        value += value_of_chances(state, weights, seat)
    if rounds > 0:
        value += weights.first * (1.0 - coming_place(state, seat) / (state.players - 1.0))
    tokens = 0
    for price in range(6):
        tokens += state.tokens[seat, price]
    return value + weights.token_cheap * tokens * left
