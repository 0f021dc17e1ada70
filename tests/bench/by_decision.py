"""Where the time of a game goes, by kind of decision: ``python -m tests.bench.by_decision [--policy busy]``.

Plays games, gathers the positions before each kind of decision and times, over thousands of them in one kernel, writing
the mask, choosing (which for ``random`` includes the mask) and doing the action with all that follows.  Prints
nanoseconds, the share of each kind and what it contributes to a mean decision; best of many repeats, so that other load
on the machine matters little.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from terracotta_agents.busy import BUSY
from terracotta_env.army import GAME
from terracotta_env.army.state import Decision
from terracotta_env.batch import Batch
from terracotta_env.rollout import UNIFORM, Rollout
from terracotta_env.rows import act_rows, apply_rows, legal_rows

POLICIES = {"random": UNIFORM, "busy": BUSY}
REPEATS = 15
SAMPLE = 2000  # positions of each kind
GAMES = 300


def positions_by_kind(policy: Rollout, players: int) -> dict[int, np.ndarray]:
    """Records before each kind of decision, as they come up in games of the policy."""
    batch = Batch(GAME, GAMES, players, seed=3)
    rng = np.random.default_rng(0)
    actions = np.empty(GAMES, np.int64)
    found: dict[int, list[np.ndarray]] = {}
    for _ in range(350):
        kinds = batch.states["decision"]
        for kind in np.unique(kinds):
            found.setdefault(int(kind), []).append(batch.states[kinds == kind])
        batch.act(policy, rng.random(GAMES), actions)
        batch.step(actions)
    return {kind: np.concatenate(parts) for kind, parts in sorted(found.items())}


def best_of(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """Shortest time of ``work`` in seconds."""
    times = []
    for _ in range(REPEATS):
        before()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(policy: Rollout, states: np.ndarray) -> tuple[float, float, float]:
    """Nanoseconds a position for its mask, for choosing, and for doing what was chosen."""
    states = np.resize(states, SAMPLE)
    played, rows = states.copy(), np.arange(SAMPLE)
    uniforms, actions = np.random.default_rng(1).random(SAMPLE), np.empty(SAMPLE, np.int64)
    masks, mask = np.empty((SAMPLE, GAME.actions), np.int8), np.empty(GAME.actions, np.int8)

    def restore() -> None:
        played[:] = states

    act_rows(policy.parameters, states, rows, uniforms, mask, actions)
    seconds = (
        best_of(lambda: legal_rows(states, rows, masks)),
        best_of(lambda: act_rows(policy.parameters, states, rows, uniforms, mask, actions)),
        best_of(lambda: apply_rows(played, rows, actions), restore),
    )
    mask_ns, choose_ns, apply_ns = (1e9 * value / SAMPLE for value in seconds)
    return mask_ns, choose_ns, apply_ns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", choices=[*POLICIES], default="random")
    parser.add_argument("--players", type=int, choices=GAME.players, default=2)
    options = parser.parse_args()
    policy = POLICIES[options.policy]
    kinds = positions_by_kind(policy, options.players)
    total = sum(map(len, kinds.values()))
    print(
        f"{options.policy}, {options.players} players, ns a decision, best of {REPEATS} over {SAMPLE} positions each\n"
    )
    print(f"{'decision':18} {'share':>7} {'mask':>6} {'choose':>7} {'apply':>6} {'contributes':>12}")
    means = np.zeros(3)
    for kind, states in kinds.items():
        share, times = len(states) / total, np.array(measure(policy, states))
        means += share * times
        row = f"{share:7.1%} {times[0]:6.0f} {times[1]:7.0f} {times[2]:6.0f} {share * (times[1] + times[2]):12.1f}"
        print(f"{Decision(kind).name.lower():18} {row}")
    print(f"{'mean':18} {1:7.1%} {means[0]:6.0f} {means[1]:7.0f} {means[2]:6.0f} {means[1] + means[2]:12.1f}")


if __name__ == "__main__":
    main()
