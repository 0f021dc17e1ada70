"""Bots by short code.

``random``, ``busy``, ``greedy``, ``planner``, ``net:FOLDER`` for a trained network, ``module:Class`` for an own one.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from terracotta_env.army import GAME
from terracotta_env.errors import TerracottaError
from terracotta_env.policy import Policy

from .busy import Busy
from .greedy.bot import Greedy
from .planner.bot import Planner
from .random_bot import Random


class AgentError(TerracottaError, ValueError):
    """A code that names no bot."""


BOTS: Final[Mapping[str, Callable[[], Policy]]] = MappingProxyType(
    {"random": Random, "busy": Busy, "greedy": Greedy, "planner": Planner}
)


def make_agent(code: str) -> Policy:
    """A fresh bot.

    Args:
        code: a name of :data:`BOTS`; ``net:FOLDER`` for a trained actor (``net-sample:FOLDER`` draws from its policy
            instead of taking the best action); or ``module:Class`` of a class without required arguments that satisfies
            :class:`terracotta_env.policy.Policy`.

    Raises:
        AgentError: says what is known.
    """
    if code in BOTS:
        return BOTS[code]()
    module, separator, name = code.partition(":")
    if module in ("net", "net-sample"):
        from .neural.agent import NetAgent  # torch takes seconds to import

        return NetAgent.load(Path(name), GAME, sample=module == "net-sample")
    if not separator:
        raise AgentError(f"no agent {code!r}: known are {', '.join(BOTS)}, net:FOLDER, or an own one as module:Class")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # an installed command does not look into the folder it is called in
    try:
        agent = getattr(importlib.import_module(module), name)()
    except Exception as error:  # the code is not ours: it may fail in any way
        raise AgentError(f"agent {code!r} cannot be made: {error}") from None
    for attribute in ("name", "version", "begin", "act"):
        if not hasattr(agent, attribute):
            raise AgentError(
                f"agent {code!r} lacks {attribute!r}: it must have name, version, begin(seed), act(position, mask)"
            )
    made: Policy = agent
    return made


def make_agents(codes: Sequence[str], players: int) -> list[Policy]:
    """One bot for each seat.  A single code serves all seats."""
    if len(codes) == 1:
        codes = list(codes) * players
    if len(codes) != players:
        raise AgentError(f"agents: expected {players} codes for {players} players (or one for all), got {len(codes)}")
    return [make_agent(code) for code in codes]
