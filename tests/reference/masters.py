"""The six Masters (R18-R22)."""

from itertools import combinations

from .decisions import Steps, Turn, ask, detail
from .rings import can_perform_inner, perform_inner
from .warriors import can_place_warrior, offer_inspector, place_warrior

CLAY_MAKER_CLAY = 3


def can_perform_master(turn: Turn, master: str) -> bool:
    """A token that can be paid, or an own Master with something to do (R18)."""
    player = turn.player
    if master in player.masters:
        return _is_useful(turn, master)
    return any(price <= player.coins for price in player.tokens)


def perform_master(turn: Turn, master: str) -> Steps:
    """Buy the Master if need be, then its ability, if it would do anything (R18)."""
    if master not in turn.player.masters:
        yield from _buy(turn, master)
    if not _is_useful(turn, master):
        return
    if master == "builder":
        yield from _build_warrior(turn)
    elif master == "administrator":
        yield from _repeat_inner(turn)
    elif master == "inspector":
        yield from offer_inspector(turn, (1, 2))
    elif master == "clay_maker":
        turn.player.wet += CLAY_MAKER_CLAY
    elif master == "supervisor":
        yield from _empty_warehouses(turn)
    else:
        for weapon in turn.player.weapons:
            turn.player.weapons[weapon] = True


def _is_useful(turn: Turn, master: str) -> bool:
    """Whether the ability would change anything now (R18)."""
    state, player = turn.state, turn.player
    if master == "builder":
        return player.coins >= state.round and can_place_warrior(state, player)
    if master == "administrator":
        return can_perform_inner(turn, state.action("inner", turn.segment))
    if master == "supervisor":
        return any(state.warehouses)
    if master == "blacksmith":
        return not all(player.weapons.values())
    return True  # Inspector and Clay Maker


def _buy(turn: Turn, master: str) -> Steps:
    player = turn.player
    prices = {price for price in player.tokens if price <= player.coins}
    token = yield from ask("token", [f"token:{price}" for price in prices])
    price = int(detail(token))
    player.coins -= price
    player.tokens.remove(price)
    player.masters[master] = price


def _build_warrior(turn: Turn) -> Steps:
    """Builder: coins with the type, no clay, no points, no weapon (R8, R19)."""
    organizer = turn.state.organizer
    most = max(organizer.values())
    types = [f"warrior:{kind}" for kind, left in organizer.items() if left == most]
    token = yield from ask("builder", [*types, "decline"])
    if token != "decline":
        turn.player.coins -= turn.state.round
        yield from place_warrior(turn, detail(token))


def _repeat_inner(turn: Turn) -> Steps:
    """Administrator: what the Inner Ring shows here, at its normal cost (R20)."""
    token = yield from ask("administrator", ["ring:perform", "decline"])
    if token == "ring:perform":
        yield from perform_inner(turn, turn.state.action("inner", turn.segment))


def _empty_warehouses(turn: Turn) -> Steps:
    """Supervisor: any two warehouses, empty ones included (R22)."""
    pairs = {f"warehouses:{a},{b}": (a, b) for a, b in combinations(range(1, 5), 2)}
    token = yield from ask("warehouses", pairs)
    for warehouse in pairs[token]:
        turn.player.dry += turn.state.warehouses[warehouse - 1]
        turn.state.warehouses[warehouse - 1] = 0
