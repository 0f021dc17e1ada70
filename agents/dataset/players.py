"""Agents of a data set by their code: who they are, and the quickest way in which each can play."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from terracotta_agents.registry import close_agents, make_agent
from terracotta_agents.rows import ROW_BOTS, MakeRows
from terracotta_env.army import GAME
from terracotta_env.policy import Policy
from terracotta_env.rollout import Rollout, find_rollout

NETWORKS = ("net", "net-sample")


@dataclass(frozen=True)
class Player:
    """An agent.

    Attributes:
        code: what it was asked for by.
        name, version: as records and ratings name it.
        digest: SHA-256 of the network's file, "" for agents that have none.
        make: makes one for single games.
        rows: makes one that decides in many games at once, None where there is no such.
        rollout: the same inside a kernel.
    """

    code: str
    name: str
    version: int
    make: Callable[[], Policy]
    digest: str = ""
    rows: MakeRows | None = None
    rollout: Rollout | None = None


def find_player(code: str) -> Player:
    """The agent of a code, see :mod:`terracotta_agents.registry`.

    Raises:
        AgentError: says what is known.
    """
    policy = make_agent(code)
    about = (code, policy.name, policy.version, partial(make_agent, code))
    close_agents([policy])
    if code.partition(":")[0] in NETWORKS:
        return _network(policy, *about)
    rollout = find_rollout(code) if code in ("random", "busy") else None
    return Player(*about, rows=ROW_BOTS.get(code), rollout=rollout)


def _network(policy: Policy, code: str, name: str, version: int, make: Callable[[], Policy]) -> Player:
    from terracotta_agents.neural.actor import Actor
    from terracotta_agents.neural.agent import NetAgent
    from terracotta_agents.neural.loading import find_network, load_player
    from terracotta_agents.neural.rows import NetworkRows
    from terracotta_agents.neural.single import one_thread

    class OneThreadRows(NetworkRows):
        """Sums in one order, whatever the machine; processes are what makes data sets quicker."""

        def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
            with one_thread():
                return super().act(states, rows, rng)

    assert isinstance(policy, NetAgent)
    where = code.partition(":")[2].split(",")[0]
    digest = hashlib.sha256(find_network(where).read_bytes()).hexdigest()
    network = load_player(where, GAME)
    # an actor of `train sb3` reads other observations than NetworkRows gives
    rows = None if isinstance(network, Actor) else partial(OneThreadRows, GAME, network, policy.sample)
    return Player(code, name, version, make, digest, rows)
