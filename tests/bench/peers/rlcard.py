"""RLCard: whole games in its ``env.step`` loop; every step makes the next player's observation."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import rlcard


def versions() -> dict[str, str]:
    return {"rlcard": version("rlcard"), "numpy": version("numpy")}


def random_games(game: str) -> Callable[[], Mapping[str, float]]:
    env = rlcard.make(game, config={"seed": 1})

    def chunk() -> Mapping[str, float]:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return {"games": 1, "decisions": steps}

    return chunk


def size(game: str) -> dict[str, Any]:
    env = rlcard.make(game, config={"seed": 1})
    env.reset()
    return {"bytes": len(pickle.dumps(env.game)), "what": "pickle of the game"}


WORKS = {"random": random_games}
FACTS = {"bytes": size}
