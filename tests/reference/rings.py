"""Actions of the Inner Ring and the plain ones of the other two (R7, R8)."""

from .decisions import Steps, Turn
from .specialists import build, can_build
from .warriors import can_make_warrior, make_warrior


def can_perform_inner(turn: Turn, action: str) -> bool:
    """Whether an Inner action is possible and would change something (R7)."""
    kind, _, number = action.partition(":")
    if kind == "warrior":
        return can_make_warrior(turn.state, turn.player, int(number))
    if kind == "soak":
        return turn.player.dry > 0
    if kind == "upgrade":
        supply = turn.player.artisans_in_supply
        return turn.worker.kind == "craftsman" and supply > 0
    return True  # receiving coins or clay


def perform_inner(turn: Turn, action: str) -> Steps:
    """Carry out an Inner action."""
    kind, _, number = action.partition(":")
    player = turn.player
    if kind == "warrior":
        yield from make_warrior(turn, int(number))
    elif kind == "soak":
        player.wet += player.dry
        player.dry = 0
    elif kind == "upgrade":
        # The craftsman is gone for good, the artisan takes its space (R9).
        player.artisans_in_supply -= 1
        turn.worker.kind = "artisan"
    else:
        receive(turn, action)


def receive(turn: Turn, action: str) -> None:
    """Coins or wet clay from the supply."""
    kind, _, number = action.partition(":")
    if kind == "coins":
        turn.player.coins += int(number)
    else:
        turn.player.wet += int(number)


def can_take_priority(turn: Turn) -> bool:
    """One is left and the player holds none (R7)."""
    return bool(turn.state.priority_stack) and turn.player.priority is None


def take_priority(turn: Turn) -> None:
    """The topmost token and the clay printed on it."""
    token = turn.state.priority_stack.pop(0)
    turn.player.priority = token
    turn.player.wet += turn.state.board.priority_clay[token - 1]


def can_perform_outer(turn: Turn, action: str) -> bool:
    """An inactive weapon to ready, or a specialist that can be built (R7)."""
    kind, _, name = action.partition(":")
    if kind == "ready":
        return not turn.player.weapons[name]
    return can_build(turn.state, turn.player, name)


def perform_outer(turn: Turn, action: str) -> Steps:
    """Ready a weapon or build a specialist."""
    kind, _, name = action.partition(":")
    if kind == "ready":
        turn.player.weapons[name] = True
    else:
        yield from build(turn, name)
