"""Who decides for a seat: the protocol that bots, networks and search satisfy, and the plainest of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Protocol, runtime_checkable

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


class RowPolicy(Protocol):
    """A player in many games at once."""

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Legal actions, shape ``(R,)`` int64, one for each of ``rows`` (int64 indices into ``states``, none over)."""


@runtime_checkable
class Follower(Protocol):
    """A policy that is also told how its game goes.  Runners that make records tell it, others need not."""

    def follow(self, record: Mapping[str, Any]) -> None:
        """A game begins; ``record`` is the one being made, whose ``decisions`` grow.  To be read only."""

    def game_over(self, result: Mapping[str, Any]) -> None:
        """It has ended: ``vp`` and ``ranking``, and ``forfeit`` where a bot's fault ended it."""


def follow_all(policies: Iterable[Policy], record: Mapping[str, Any]) -> None:
    """Show the record that is being made to every policy that follows games.

    Raises:
        PolicyError: one of them failed.
    """
    for policy in policies:
        if isinstance(policy, Follower):
            try:
                policy.follow(record)
            except Exception as error:  # the code is not ours: it may fail in any way
                raise PolicyError(f"agent {policy.name} failed: {error!r}") from error


def game_over_all(policies: Iterable[Policy], result: Mapping[str, Any]) -> None:
    """Tell the result to every policy that follows games.  It stands: whoever fails now changes nothing any more."""
    for policy in policies:
        if isinstance(policy, Follower):
            with suppress(Exception):
                policy.game_over(result)


def ask(policy: Policy, position: Position) -> int:
    """A legal action of the policy for the seat to act.  It gets a copy of the position, to do with as it likes.

    Raises:
        PolicyError: the policy failed.
        IllegalActionError: it answered with something that is not a legal action.
    """
    who = f"agent {policy.name} in seat {position.to_act}"
    try:
        action = policy.act(position.clone(), position.mask())
    except PolicyError:
        raise  # says itself who failed, and how
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
