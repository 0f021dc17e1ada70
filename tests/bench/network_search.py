"""Simulations/s of search guided by a network, one core; mctx on Pgx backgammon beside it in the same run.

    python -m tests.bench.network_search
    python -m tests.bench.network_search --peers .venv-peers --batch 256 512

Both sides: Gumbel search with sequential halving, a fresh network of a residual block of width 256 with a policy and a
value head, games that go on as the search says.  The first layer reads what the game shows: 2149 numbers here, 34 in
backgammon.  mctx and Pgx run under jit on the CPU in the peers' environment (``pip install mctx`` there), in a process
of their own; all processes are held on one core.  Sides alternate; other load shifts all, only ratios say something.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from terracotta_agents.neural.evaluator import NetworkEvaluator
from terracotta_agents.neural.loading import DEFAULT, load_player
from terracotta_agents.neural.networks import make_network
from terracotta_agents.search.guided import GuidedSearch, RootSettings
from terracotta_agents.search.settings import Settings
from terracotta_env.army import GAME
from terracotta_env.batch import Batch

WIDTH = 256

# run by the other interpreter; arguments: batch, simulations, searches
MCTX = """
import sys, time
import jax, jax.numpy as jnp, mctx, pgx
batch, simulations, searches = map(int, sys.argv[1:4])
env = pgx.make("backgammon")
step = jax.vmap(env.step)
keys = jax.random.split(jax.random.PRNGKey(0), 9)
state = jax.jit(jax.vmap(env.init))(jax.random.split(keys[0], batch))
size, actions, width = state.observation.shape[-1], env.num_actions, 256
def matrix(key, a, b):
    return (jax.random.normal(key, (a, b)) / a**0.5).astype(jnp.bfloat16)
sizes = ((size, width), (width, width), (width, width), (width, width // 2), (width // 2, actions),
         (width, width // 2), (width // 2, 1))
params = [matrix(key, *shape) for key, shape in zip(keys[1:], sizes)]
def network(params, observation):
    first, inner, outer, policy_in, policy_out, value_in, value_out = params
    x = jax.nn.relu(observation.astype(jnp.bfloat16) @ first)
    x = x + jax.nn.relu(x @ inner) @ outer
    logits = jax.nn.relu(x @ policy_in) @ policy_out
    value = jnp.tanh(jax.nn.relu(x @ value_in) @ value_out)[:, 0]
    return logits.astype(jnp.float32), value.astype(jnp.float32)
def masked(logits, state):
    return jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
def recurrent(params, key, action, state):
    before = state.current_player
    state = step(state, action, jax.random.split(key, batch))
    logits, value = network(params, state.observation)
    reward = state.rewards[jnp.arange(batch), before]
    discount = jnp.where(state.current_player == before, 1.0, -1.0)
    discount = jnp.where(state.terminated, 0.0, discount)
    return mctx.RecurrentFnOutput(
        reward=reward, discount=discount, prior_logits=masked(logits, state),
        value=jnp.where(state.terminated, 0.0, value)), state
@jax.jit
def search(params, key, state):
    first, second = jax.random.split(key)
    logits, value = network(params, state.observation)
    root = mctx.RootFnOutput(prior_logits=masked(logits, state), value=value, embedding=state)
    found = mctx.gumbel_muzero_policy(
        params=params, rng_key=first, root=root, recurrent_fn=recurrent, num_simulations=simulations,
        invalid_actions=~state.legal_action_mask, max_num_considered_actions=16)
    return step(state, found.action, jax.random.split(second, batch))
key = jax.random.PRNGKey(1)
state = jax.block_until_ready(search(params, key, state))
start = time.perf_counter()
for number in range(searches):
    state = jax.block_until_ready(search(params, jax.random.fold_in(key, number), state))
print(batch * simulations * searches / (time.perf_counter() - start))
"""


def ours(network: torch.nn.Module, batch: int, simulations: int, searches: int) -> Callable[[], float]:
    """Searches of the openings of two-player games and the decisions after them."""
    settings, rows = Settings(), np.arange(batch)
    search = GuidedSearch(
        GAME, batch, 2 * simulations + 64, settings, RootSettings(), NetworkEvaluator(GAME, network, settings)
    )
    games = Batch(GAME, batch, 2, seed=1)
    rng = np.random.default_rng(0)

    def decide() -> None:
        noise = np.array([search.root.draw(rng, GAME.actions) for _ in rows])
        search.ask(rows, np.full(batch, simulations), noise)
        search.run(rows)
        actions = search.found(rows).actions
        ended = games.step(actions)
        search.advance(rows, actions)
        if len(ended):
            search.begin(ended, games.states[ended], games.numbers[ended].astype(np.uint64))

    search.begin(rows, games.states, rows.astype(np.uint64))
    decide()  # compile

    def measure() -> float:
        start = time.perf_counter()
        for _ in range(searches):
            decide()
        return batch * simulations * searches / (time.perf_counter() - start)

    return measure


def mctx(interpreter: Path, batch: int, simulations: int, searches: int) -> Callable[[], float]:
    def measure() -> float:
        command = [str(interpreter), "-c", MCTX, str(batch), str(simulations), str(searches)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--batch", type=int, nargs="+", default=[256, 512])
    parser.add_argument("--simulations", type=int, default=64, help="of a search")
    parser.add_argument("--searches", type=int, default=4, help="of a repeat, one after another")
    parser.add_argument("--peers", type=Path, help="virtual environment with mctx and pgx")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    torch.manual_seed(0)
    perceptron = make_network(GAME, "perceptron", {"width": WIDTH, "blocks": 1})
    sides: dict[str, Callable[[], float]] = {}
    for batch in arguments.batch:
        size = (batch, arguments.simulations, arguments.searches)
        sides[f"perceptron, batch {batch}"] = ours(perceptron, *size)
        sides[f"net:default, batch {batch}"] = ours(load_player(DEFAULT, GAME), *size)
        if arguments.peers:
            sides[f"mctx, Pgx backgammon, batch {batch}"] = mctx(arguments.peers / "bin" / "python", *size)
    measured: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(arguments.repeats):
        for name, measure in sides.items():
            measured[name].append(measure())
    print(
        f"median (min-max) simulations/s of {arguments.repeats} repeats of {arguments.searches} searches of "
        f"{arguments.simulations} simulations, one core"
    )
    for name, rates in measured.items():
        print(f"{name:<34} {statistics.median(rates):9,.0f}  ({min(rates):,.0f}-{max(rates):,.0f})")


if __name__ == "__main__":
    main()
