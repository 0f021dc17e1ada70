"""Pgx on the CPU: batches of random games under jit, vmap and scan with its auto-reset, as it documents.

The action is drawn with ``jax.random.categorical`` over the mask.  Games that end are replaced, so a chunk is a number
of batch steps; games are steps over the mean length of whole games, which is measured once for each game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

TRY_SECONDS = 0.5


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("pgx", "jax", "jaxlib")}


def draw(key: Any, state: Any) -> Any:
    return jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)


@cache
def mean_moves(game: str, games: int) -> float:
    """Steps of a random game: ``games`` whole ones, played until the last of them is over."""
    env = pgx.make(game)
    step = jax.vmap(env.step)

    @jax.jit
    def play(key: Any) -> Any:
        key, sub = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(sub, games))

        def going(carry: Any) -> Any:
            return ~jnp.all(carry[0].terminated | carry[0].truncated)

        def body(carry: Any) -> Any:
            state, key, moves = carry
            over = state.terminated | state.truncated
            key, first, second = jax.random.split(key, 3)
            state = step(state, draw(first, state), jax.random.split(second, games))
            return state, key, moves + jnp.sum(~over)

        return jax.lax.while_loop(going, body, (state, key, jnp.int32(0)))[2]

    return float(play(jax.random.PRNGKey(1))) / games


@cache
def compiled(game: str, batch: int, steps: int) -> tuple[Any, Any]:
    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def run(state: Any, key: Any) -> Any:
        def body(carry: Any, _: Any) -> Any:
            state, key = carry
            key, first, second = jax.random.split(key, 3)
            state = step(state, draw(first, state), jax.random.split(second, batch))
            return (state, key), None

        return jax.lax.scan(body, (state, key), None, length=steps)[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(2), batch))
    return run, state


def random_games(game: str, batch: int, steps: int, length_of: int) -> Callable[[], Mapping[str, float]]:
    """``steps`` batch steps a chunk; the mean length is that of ``length_of`` games."""
    moves = mean_moves(game, length_of)
    run, state = compiled(game, batch, steps)
    key = jax.random.PRNGKey(3)

    def chunk() -> Mapping[str, float]:
        nonlocal state, key
        state, key = jax.block_until_ready(run(state, key))
        done = steps * batch
        return {"games": done / moves, "decisions": done}

    return chunk


def best_batch(game: str, batches: list[list[int]], length_of: int) -> dict[str, Any]:
    """Decisions/s of each (batch, steps) in a short try, and the best of them."""
    rates = {}
    for batch, steps in batches:
        chunk = random_games(game, batch, steps, length_of)
        chunk()
        decisions, start = 0.0, time.perf_counter()
        while time.perf_counter() - start < TRY_SECONDS:
            decisions += chunk()["decisions"]
        rates[batch] = decisions / (time.perf_counter() - start)
    best = max(rates, key=lambda batch: rates[batch])
    return {
        "batch": best,
        "steps": next(steps for batch, steps in batches if batch == best),
        "decisions_per_second": rates,
    }


def size(game: str) -> dict[str, Any]:
    state = jax.vmap(pgx.make(game).init)(jax.random.split(jax.random.PRNGKey(1), 2))
    return {"bytes": sum(leaf.nbytes for leaf in jax.tree_util.tree_leaves(state)) // 2, "what": "arrays of its state"}


WORKS = {"random": random_games}
FACTS = {"bytes": size, "best_batch": best_batch}
