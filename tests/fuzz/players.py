"""Who plays the compared games: uniformly, like the bot ``busy``, or performing whatever can be performed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from terracotta_agents.busy import BUSY
from terracotta_env.army import GAME
from terracotta_env.rollout import choose_at
from tests.reference import Game
from tests.reference.decisions import token_cell
from tests.reference.mausoleum import Mausoleum, surrounding

# generator, the second implementation (never changed by a player), the engine's records, the legal tokens
Player = Callable[[Random, Game, np.ndarray, list[str]], str]

_MASK = np.empty(GAME.actions, np.int8)  # scratch
WEIGHTS = {
    "ring:perform": 60.0,
    "ring:clay": 2.0,
    "ring:coin": 2.0,
    "ring:nothing": 0.5,
    "rotate:none": 2.0,
    "weapon:use": 12.0,
    "decline": 0.3,
}
PLACE = {"warrior": 8.0, "specialist": 10.0, "master": 6.0}  # added to a segment that shows it
CROWDED = 2.0  # added to a space for each statue around it


def uniform(rng: Random, game: Game, states: np.ndarray, legal: list[str]) -> str:
    """Every legal token alike."""
    return legal[int(rng.random() * len(legal))]


def busy(rng: Random, game: Game, states: np.ndarray, legal: list[str]) -> str:
    """The compiled bot ``busy``."""
    return GAME.tokens[choose_at(BUSY.parameters, states, 0, _MASK, rng.random())]


def eager(rng: Random, game: Game, states: np.ndarray, legal: list[str]) -> str:
    """Performs, uses and builds whatever it can, so that deep chains are frequent."""
    first = legal[0]
    if first.startswith("place:"):
        weights = [_placement(game, token) for token in legal]
    elif first.startswith("cell:") and rng.random() < 0.4:
        mausoleum = game.state.mausoleum
        weights = [1 if token == "decline" else 1 + CROWDED * crowd(mausoleum, token) for token in legal]
    else:
        weights = [WEIGHTS.get(token, 1.0) for token in legal]
    return rng.choices(legal, weights)[0]


def crowd(mausoleum: Mausoleum, token: str) -> int:
    """Number of occupied spaces around the space that a token names."""
    return sum(not mausoleum.is_empty(cell) for cell in surrounding(token_cell(token)))


def _placement(game: Game, token: str) -> float:
    segment = int(token.rpartition(":")[2])
    weight = 1.0
    for ring in ("inner", "middle", "outer"):
        weight += PLACE.get(game.state.action(ring, segment).partition(":")[0], 0.0)
    return weight


PLAYERS: dict[str, Player] = {"uniform": uniform, "busy": busy, "eager": eager}
