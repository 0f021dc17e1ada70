"""Where properties are tried: openings and dense positions, and lines of play from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.agents.games import BOARDS
from tests.fuzz.dense import draw_dense

Test = TypeVar("Test", bound=Callable[..., Any])

WEIGHTS = {"ring:perform": 30.0, "weapon:use": 6.0, "ring:nothing": 0.3, "decline": 0.3, "rotate:none": 3.0}

seeds = st.integers(0, 2**32 - 1)
players = st.sampled_from(GAME.players)
boards = st.sampled_from(BOARDS)


def examples(number: int) -> Callable[[Test], Test]:
    """Settings of a property: the same examples in every run, no deadline, nothing kept on disk."""
    chosen = settings(
        max_examples=number,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    decorate: Callable[[Test], Test] = chosen
    return decorate


def dense_snapshots() -> st.SearchStrategy[dict[str, Any]]:
    """Start-of-turn snapshots from ``tests.fuzz.dense``."""
    return st.builds(lambda seed, n, board: draw_dense(Random(seed), n, board), seeds, players, boards)


def openings() -> st.SearchStrategy[Position]:
    return st.builds(lambda n, seed, board: Position.from_seed(GAME, n, seed, board), players, seeds, boards)


def starts() -> st.SearchStrategy[Position]:
    """Openings and dense positions."""
    dense = dense_snapshots().map(lambda snapshot: Position.from_snapshot(GAME, snapshot))
    return st.one_of(dense, openings())


def choose(position: Position, rng: Random) -> str:
    """A legal token, with a liking for those that build something."""
    legal = position.legal()
    return rng.choices(legal, [WEIGHTS.get(token, 1.0) for token in legal])[0]


def line(position: Position, seed: int, most: int = 10_000) -> Iterator[str]:
    """Tokens of a line of play, each yielded before it is played; ``position`` moves on."""
    rng = Random(seed)
    for _ in range(most):
        if position.over:
            return
        token = choose(position, rng)
        yield token
        position.play(token)
