"""OpenSpiel: random roll-outs inside its C++ core, and the same from Python."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import pyspiel

CALLS = 500  # of one verb in a chunk
PLAYED = 30  # decisions played before a verb is timed


def versions() -> dict[str, str]:
    return {"open-spiel": version("open-spiel"), "numpy": version("numpy")}


def step(state: Any) -> bool:
    """Play one random move or chance event; True for a move."""
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes())
        state.apply_action(random.choices(actions, chances)[0])
        return False
    state.apply_action(random.choice(state.legal_actions()))
    return True


def started(game: Any) -> Any:
    """The first position in which a player decides."""
    state = game.new_initial_state()
    while state.is_chance_node():
        step(state)
    return state


def mean_moves(game: Any, seconds: float = 1.5) -> float:
    """Decisions of a random game, chance not counted, from whole games played in Python."""
    moves, games, start = 0, 0, time.perf_counter()
    while games < 20 or (games < 1000 and time.perf_counter() - start < seconds):
        state = game.new_initial_state()
        while not state.is_terminal():
            moves += step(state)
        games += 1
    return moves / games


def rollouts(game: str, games: int) -> Callable[[], Mapping[str, float]]:
    """Whole random games with no Python in the loop: the C++ search is asked for one simulation of many roll-outs."""
    loaded = pyspiel.load_game(game)
    moves = mean_moves(loaded)
    first = started(loaded)
    seed = 0

    def chunk() -> Mapping[str, float]:
        nonlocal seed
        seed += 1
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=seed)
        bot = pyspiel.MCTSBot(
            loaded, evaluator, uct_c=1.4, max_simulations=1, max_memory_mb=64, solve=False, seed=seed, verbose=False
        )
        bot.step(first)
        return {"games": games, "decisions": games * moves}

    return chunk


def python_loop(game: str) -> Callable[[], Mapping[str, float]]:
    """Whole random games moved from Python."""
    loaded = pyspiel.load_game(game)

    def chunk() -> Mapping[str, float]:
        state, moves = loaded.new_initial_state(), 0
        while not state.is_terminal():
            moves += step(state)
        return {"games": 1, "decisions": moves}

    return chunk


def middle(game: str) -> Any:
    """A position some way into a game, with a player to decide."""
    random.seed(1)
    state, moves = started(pyspiel.load_game(game)), 0
    while moves < PLAYED or state.is_chance_node():
        moves += step(state)
    return state


def verb(name: str) -> Callable[[str], Callable[[], Mapping[str, float]]]:
    def prepare(game: str) -> Callable[[], Mapping[str, float]]:
        call = getattr(middle(game), name)

        def chunk() -> Mapping[str, float]:
            for _ in range(CALLS):
                call()
            return {"calls": CALLS}

        return chunk

    return prepare


def size(game: str) -> dict[str, Any]:
    return {"bytes": len(middle(game).serialize()), "what": "serialized text"}


WORKS = {
    "rollouts": rollouts,
    "python": python_loop,
    "clone": verb("clone"),
    "mask": verb("legal_actions_mask"),
    "observe": verb("observation_tensor"),
}
FACTS = {"bytes": size}
