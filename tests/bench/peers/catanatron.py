"""Catanatron: whole games of its random players, in Python, which is all it has."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from catanatron import Color, Game, RandomPlayer

CALLS = 20
PLAYED = 200


def versions() -> dict[str, str]:
    return {"catanatron": version("catanatron")}


def new(players: int, seed: int) -> Any:
    return Game([RandomPlayer(color) for color in list(Color)[:players]], seed=seed)


def log_of(game: Any) -> Any:
    """Its log of actions, rolls and ends of turns included: what we count as decisions."""
    return game.state.action_records if hasattr(game.state, "action_records") else game.state.actions


def random_games(players: int) -> Callable[[], Mapping[str, float]]:
    seed = 0

    def chunk() -> Mapping[str, float]:
        nonlocal seed
        seed += 1
        game = new(players, seed)
        game.play()
        return {"games": 1, "decisions": len(log_of(game))}

    return chunk


def middle(players: int) -> Any:
    game = new(players, 1)
    for _ in range(PLAYED):
        game.play_tick()
    return game


def clone(players: int) -> Callable[[], Mapping[str, float]]:
    game = middle(players)

    def chunk() -> Mapping[str, float]:
        for _ in range(CALLS):
            game.copy()
        return {"calls": CALLS}

    return chunk


def size(players: int) -> dict[str, Any]:
    return {"bytes": len(pickle.dumps(middle(players))), "what": "pickle"}


WORKS = {"random": random_games, "clone": clone}
FACTS = {"bytes": size}
