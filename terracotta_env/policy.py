"""Who decides for a seat: the protocol that bots, networks and search satisfy, and the plainest of them."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .errors import IllegalActionError, PolicyError
from .position import Position


class Policy(Protocol):
    """A player.  It owns its generator; games, setups and other players are never touched by its random numbers."""

    name: str
    version: int

    def begin(self, seed: int) -> None:
        """A new game begins: forget the last one and seed the own generator."""

    def act(self, position: Position, mask: np.ndarray) -> int:
        """Choose a legal action.

        Args:
            position: a copy of the game, this seat to act; it may be played on to look ahead.
            mask: shape ``(A,)`` int8, 1 = legal.
        """


def ask(policy: Policy, position: Position) -> int:
    """A legal action of the policy for the seat to act.  It gets a copy of the position, to do with as it likes.

    Raises:
        PolicyError: the policy failed.
        IllegalActionError: it answered with something that is not a legal action.
    """
    who = f"agent {policy.name} in seat {position.to_act}"
    try:
        action = policy.act(position.clone(), position.mask())
    except Exception as error:  # the code is not ours: it may fail in any way
        raise PolicyError(f"{who} failed: {error!r}") from error
    try:
        return position.action(action)
    except IllegalActionError as error:
        raise IllegalActionError(f"{who}: {str(error).splitlines()[0]}") from None


class Uniform:
    """Uniform over the legal actions."""

    name = "random"
    version = 1

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def begin(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, position: Position, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[int(self.rng.random() * len(legal))])


def stream(seed: int, *path: int) -> int:
    """A 64-bit seed for one purpose, independent of all others: e.g. ``stream(seed, game, 1 + seat)`` for a bot."""
    words = np.random.SeedSequence([seed, *path]).generate_state(2, np.uint32)
    return int(words[0]) << 32 | int(words[1])
