"""Building specialists (R14, R15, R17)."""

from .decisions import Steps, Turn, ask, ask_cell, detail
from .mausoleum import DIRECTIONS, Cell, Statue
from .state import Player, State

HORSE_LENGTH = 3


def specialist_cost(state: State, kind: str) -> int:
    """Price of the next figure of a type; it rises with every one bought."""
    bought = state.board.specialist_figures - state.specialists_left[kind]
    return state.board.specialist_cost[bought]


def can_build(state: State, player: Player, kind: str) -> bool:
    """Figure, weapon, coins and a place for it (R7)."""
    return (
        state.specialists_left[kind] > 0
        and player.weapons[state.board.specialist_weapon[kind]]
        and player.coins >= specialist_cost(state, kind)
        and _has_place(state, player, kind)
    )


def _has_place(state: State, player: Player, kind: str) -> bool:
    if kind == "horse":
        return bool(_rides(state, player))
    if kind == "archer":
        return bool(_archer_cells(state))
    return not state.mausoleum.full


def _rides(state: State, player: Player) -> dict[Cell, list[str]]:
    """Own warriors on foot that a horse fits under, with its directions (R14)."""
    rides = {}
    for warrior in state.mausoleum.warriors(player.seat):
        if not warrior.mounted:
            cell = warrior.spaces[0]
            ways = [way for way in DIRECTIONS if len(state.mausoleum.open_run(cell, way)) >= HORSE_LENGTH - 1]
            if ways:
                rides[cell] = ways
    return rides


def _archer_cells(state: State) -> list[Cell]:
    """Empty spaces beside a warrior of anybody (R15)."""
    mausoleum = state.mausoleum
    return [cell for cell in mausoleum.empty_cells() if mausoleum.facings(cell)]


def build(turn: Turn, kind: str) -> Steps:
    """Pay coins and weapon first (R8), then place the figure."""
    state, player = turn.state, turn.player
    player.coins -= specialist_cost(state, kind)
    player.weapons[state.board.specialist_weapon[kind]] = False
    if kind == "horse":
        yield from _place_horse(turn)
    elif kind == "archer":
        yield from _place_archer(turn)
    else:
        cell = yield from ask_cell("cell", state.mausoleum.empty_cells())
        state.mausoleum.add(Statue(kind, [cell]))
    state.specialists_left[kind] -= 1


def _place_horse(turn: Turn) -> Steps:
    mausoleum = turn.state.mausoleum
    rides = _rides(turn.state, turn.player)
    cell = yield from ask_cell("rider", rides)
    token = yield from ask("horse_direction", [f"dir:{way}" for way in rides[cell]])
    ahead = mausoleum.open_run(cell, detail(token))[: HORSE_LENGTH - 1]
    rider = mausoleum.at(cell)
    assert rider is not None
    mausoleum.relocate(rider, [cell, *ahead])


def _place_archer(turn: Turn) -> Steps:
    mausoleum = turn.state.mausoleum
    cell = yield from ask_cell("cell", _archer_cells(turn.state))
    facings = [f"dir:{way}" for way in mausoleum.facings(cell)]
    token = yield from ask("facing", facings)
    mausoleum.add(Statue("archer", [cell], facing=detail(token)))
