"""The two fixed bots, random and busy (both version 1)."""

from random import Random

from .decisions import token_cell
from .game import Game
from .mausoleum import surrounding
from .specialists import can_build
from .state import Player, State
from .warriors import can_make_warrior

PLACE_WARRIOR, PLACE_CLAY, PLACE_SPECIALIST = 20, 3, 20
SPACE_NEIGHBOUR = 3
WEIGHTS = {
    "ring:perform": 20,
    "ring:clay": 4,
    "ring:coin": 2,
    "ring:nothing": 0.4,
    "rotate:none": 4,
    "weapon:use": 3,
    "decline": 0.5,
}


def random_token(game: Game, rng: Random) -> str:
    """Every legal token alike."""
    return rng.choice(game.legal())


def busy_token(game: Game, rng: Random) -> str:
    """Weighted towards building and towards crowded places."""
    assert game.to_move is not None
    player = game.state.players[game.to_move]
    legal = game.legal()
    weights = [_weight(game.state, player, token) for token in legal]
    return rng.choices(legal, weights)[0]


def _weight(state: State, player: Player, token: str) -> float:
    if token.startswith("place:"):
        return _placement_weight(state, player, int(token.rpartition(":")[2]))
    if token.startswith("cell:"):
        around = surrounding(token_cell(token))
        occupied = sum(not state.mausoleum.is_empty(cell) for cell in around)
        return 1 + SPACE_NEIGHBOUR * occupied
    return WEIGHTS.get(token, 1)


def _placement_weight(state: State, player: Player, segment: int) -> float:
    weight = 1
    kind, _, number = state.action("inner", segment).partition(":")
    if kind == "warrior" and can_make_warrior(state, player, int(number)):
        weight += PLACE_WARRIOR
    elif kind in ("soak", "clay"):
        weight += PLACE_CLAY
    kind, _, name = state.action("outer", segment).partition(":")
    if kind == "specialist" and can_build(state, player, name):
        weight += PLACE_SPECIALIST
    return weight
