"""One turn: rotation, worker, and the three rings from inside out (R5)."""

from collections.abc import Generator

from .board import SEGMENTS
from .decisions import Decision, Steps, Turn, ask, detail
from .masters import can_perform_master, perform_master
from .rings import (
    can_perform_inner,
    can_perform_outer,
    can_take_priority,
    perform_inner,
    perform_outer,
    receive,
    take_priority,
)
from .state import Player, State, Worker

ROTATION_COST = 2


def take_turn(state: State, player: Player) -> Steps:
    """The whole turn of a player."""
    yield from _rotate(state, player)
    turn = yield from _place_worker(state, player)
    yield from _inner_action(turn)
    yield from _middle_action(turn)
    yield from _outer_action(turn)


def _rotate(state: State, player: Player) -> Steps:
    options = ["rotate:none"]
    if player.coins >= ROTATION_COST:
        options += ["rotate:inner", "rotate:middle"]
    ring = detail((yield from ask("rotate", options)))
    if ring != "none":
        player.coins -= ROTATION_COST
        state.turn_ring(ring)


def placements(state: State, player: Player) -> list[str]:
    """Where which worker may go; an artisan closes its segment (R9)."""
    options = []
    for segment in SEGMENTS:
        standing = [worker.kind for worker in state.workers[segment]]
        if player.craftsmen and not standing:
            options.append(f"place:craftsman:{segment}")
        if player.artisans and standing in ([], ["craftsman"]):
            options.append(f"place:artisan:{segment}")
    return options


def _place_worker(state: State, player: Player) -> Generator[Decision, str, Turn]:
    token = yield from ask("place", placements(state, player))
    kind, _, number = detail(token).partition(":")
    segment = int(number)
    if kind == "craftsman":
        player.craftsmen -= 1
    else:
        player.artisans -= 1
    worker = Worker(player.seat, kind)
    state.workers[segment].append(worker)
    return Turn(state, player, worker, segment)


def _ask_ring(turn: Turn, ring: str, possible: bool) -> Generator[Decision, str, bool]:
    """Ask what to do on a ring; take the consolation; tell whether to perform."""
    options = ["ring:nothing"]
    if ring != "outer":
        options += ["ring:clay", "ring:coin"]
    if possible:
        options.append("ring:perform")
    token = yield from ask(ring, options)
    if token == "ring:clay":
        turn.player.wet += 1
    elif token == "ring:coin":
        turn.player.coins += 1
    return token == "ring:perform"


def _inner_action(turn: Turn) -> Steps:
    action = turn.state.action("inner", turn.segment)
    if (yield from _ask_ring(turn, "inner", can_perform_inner(turn, action))):
        yield from perform_inner(turn, action)


def _middle_action(turn: Turn) -> Steps:
    action = turn.state.action("middle", turn.segment)
    kind, _, name = action.partition(":")
    if kind == "priority":
        possible = can_take_priority(turn)
    elif kind == "master":
        possible = can_perform_master(turn, name)
    else:
        possible = True  # receiving coins or clay
    if not (yield from _ask_ring(turn, "middle", possible)):
        return
    if kind == "priority":
        take_priority(turn)
    elif kind == "master":
        yield from perform_master(turn, name)
    else:
        receive(turn, action)


def _outer_action(turn: Turn) -> Steps:
    action = turn.state.action("outer", turn.segment)
    if (yield from _ask_ring(turn, "outer", can_perform_outer(turn, action))):
        yield from perform_outer(turn, action)
