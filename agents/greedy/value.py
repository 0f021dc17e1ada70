"""What ``greedy`` maximises: its own Victory Points after its turn, and a simple price for what it then holds.

The prices are part of the bot's version: ratings name it, so a change here is a new version.
"""

from __future__ import annotations

from terracotta_env.army.endgame import victory_points
from terracotta_env.army.geometry import beside, count
from terracotta_env.army.state import ROUNDS, WORKERS_FOR, Decision
from terracotta_env.kernel import kernel

# in VP; all but the last fall in a straight line to nothing over the turns that the seat still has
COIN = 0.4  # beyond its half point at the end
CLAY = 0.5  # any piece, beyond its half point at the end
WET = 0.3  # a wet piece beyond CLAY, while the seat still has a worker in hand
WEAPON = 1.0  # an active weapon
ARTISAN = 2.0
MASTER = 2.0
LEFTOVER = 0.5  # any coin or piece of clay
NEIGHBOUR = 1.0  # an own Warrior beside another of its type, of any seat: they will be a group
WARRIOR = 1.0  # an own Warrior in the Mausoleum


@kernel
def greedy_value(state, seat):
    """VP of ``seat`` and the price of its means and figures."""
    value = float(victory_points(state, seat))
    if state.decision == Decision.OVER:
        return value
    coins, wet, dry = int(state.coins[seat]), int(state.wet[seat]), int(state.dry[seat])
    value += LEFTOVER * (coins + wet + dry)
    workers = WORKERS_FOR[state.players]
    hand = int(state.craftsmen[seat]) + int(state.artisans[seat])
    left = (hand + workers * (ROUNDS - state.game_round)) / (workers * ROUNDS)
    means = COIN * coins + CLAY * (wet + dry) + ARTISAN * (workers - state.artisans_in_supply[seat])
    if hand > 0:
        means += WET * wet
    for weapon in range(4):
        means += WEAPON * state.weapons[seat, weapon]
    for master in range(6):
        if state.masters[seat, master] > 0:
            means += MASTER
    value += means * left
    own = state.owned[seat]
    for i in range(4):
        if state.rider_owner[i] == seat:
            value += WARRIOR
    for kind in range(4):
        own_kind = own & state.warriors[kind]
        value += WARRIOR * count(own_kind) + NEIGHBOUR * count(own_kind & beside(state.warriors[kind]))
    return value
