"""Making warriors and using their weapons (R10-R13, R16)."""

from collections.abc import Generator

from .board import WARRIORS, WEAPON_OF
from .decisions import (
    Decision,
    Steps,
    Turn,
    ask,
    ask_cell,
    cell_token,
    detail,
    token_cell,
)
from .mausoleum import DIRECTIONS, Cell, Statue, look
from .state import Player, State

GUARD_POINTS, OFFICER_POINTS, SOLDIER_POINTS, SOLDIER_COINS = 3, 1, 1, 2


def can_place_warrior(state: State, player: Player) -> bool:
    """A base, a figure and a space are there (R10, R19)."""
    has_figure = any(state.organizer.values())
    return player.bases > 0 and has_figure and not state.mausoleum.full


def can_make_warrior(state: State, player: Player, cost: int) -> bool:
    """Whether the action of a ring could be performed (R7)."""
    return player.wet >= cost and can_place_warrior(state, player)


def make_warrior(turn: Turn, cost: int) -> Steps:
    """The ring action: clay, type, space, points, perhaps the weapon (R8, R10)."""
    state, player = turn.state, turn.player
    player.wet -= cost
    state.warehouses[state.warehouse_of(turn.segment)] += 1
    types = [kind for kind in WARRIORS if state.organizer[kind] > 0]
    token = yield from ask("warrior", [f"warrior:{kind}" for kind in types])
    kind = detail(token)
    figure = state.board.figures_per_type - state.organizer[kind]
    warrior = yield from place_warrior(turn, kind)
    player.score("organizer", state.board.organizer_vp[figure])
    weapon = WEAPON_OF[kind]
    if player.weapons[weapon]:
        token = yield from ask("weapon", ["weapon:use", "weapon:keep"])
        if token == "weapon:use":
            player.weapons[weapon] = False
            yield from use_weapon(turn, warrior)


def place_warrior(turn: Turn, kind: str) -> Generator[Decision, str, Statue]:
    """Choose a space; figure and base leave their places only then."""
    state, player = turn.state, turn.player
    cell = yield from ask_cell("cell", state.mausoleum.empty_cells())
    state.organizer[kind] -= 1
    player.bases -= 1
    warrior = Statue(kind, [cell], owner=player.seat)
    state.mausoleum.add(warrior)
    return warrior


def use_weapon(turn: Turn, warrior: Statue) -> Steps:
    """The special ability of a new warrior; its points come first (R8)."""
    player = turn.player
    if warrior.kind == "officer":
        player.score("officer", OFFICER_POINTS)
        yield from offer_inspector(turn, (1, -1))
    elif warrior.kind == "guard":
        player.score("guard", GUARD_POINTS)
        yield from _offer_guard_move(turn, warrior)
    elif warrior.kind == "crossbowman":
        player.score("crossbowman", crossbow_points(turn.state, warrior.spaces[0]))
    else:
        player.score("soldier", SOLDIER_POINTS)
        player.coins += SOLDIER_COINS


def offer_inspector(turn: Turn, steps: tuple[int, ...]) -> Steps:
    """One inspector may move by one of these numbers of steps (R11, R21)."""
    moves = {f"inspector:{track}{count:+d}": (track, count) for track in ("row", "column") for count in steps}
    token = yield from ask("inspector", [*moves, "decline"])
    if token != "decline":
        track, count = moves[token]
        turn.state.move_inspector(track, count)


def _offer_guard_move(turn: Turn, guard: Statue) -> Steps:
    """Another own warrior on foot may walk in a straight line (R12)."""
    mausoleum = turn.state.mausoleum
    goals: dict[Cell, list[Cell]] = {}
    for warrior in mausoleum.warriors(turn.player.seat):
        if warrior is not guard and not warrior.mounted:
            start = warrior.spaces[0]
            runs = [mausoleum.open_run(start, way) for way in DIRECTIONS]
            reachable = [cell for run in runs for cell in run]
            if reachable:
                goals[start] = reachable
    options = [cell_token(cell) for cell in goals]
    token = yield from ask("guard_warrior", [*options, "decline"])
    if token == "decline":
        return
    start = token_cell(token)
    goal = yield from ask_cell("guard_goal", goals[start])
    mover = mausoleum.at(start)
    assert mover is not None
    mausoleum.relocate(mover, [goal])


def crossbow_points(state: State, cell: Cell) -> int:
    """Empty spaces before the nearest statue, in the best direction (R16)."""
    best = 0
    for direction in DIRECTIONS:
        for gap, ahead in enumerate(look(cell, direction)):
            if not state.mausoleum.is_empty(ahead):
                best = max(best, gap)
                break
    return best
