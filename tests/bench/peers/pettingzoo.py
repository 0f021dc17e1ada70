"""PettingZoo's own classic environments, played by the loop that plays ours."""

from __future__ import annotations

import pickle
from importlib.metadata import version
from typing import Any

from pettingzoo.classic import chess_v6, connect_four_v3


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("pettingzoo", "gymnasium", "chess", "numpy")}


ENVS = {"connect_four_v3": connect_four_v3.env, "chess_v6": chess_v6.env}


def size(env: str) -> dict[str, Any]:
    made = {"connect_four_v3": connect_four_v3, "chess_v6": chess_v6}[env].raw_env()
    made.reset(seed=1)
    held = made.board if hasattr(made, "board") else made
    return {"bytes": len(pickle.dumps(held)), "what": "pickle of the board alone"}


FACTS = {"bytes": size}
