"""The side that is asked how long a start takes: each stage imports and compiles what it needs, and no earlier."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("numba", "llvmlite", "numpy")}


def first_step() -> dict[str, Any]:
    """A position from a seed and one decision."""
    from terracotta_env.game import find
    from terracotta_env.position import Position

    position = Position.from_seed(find("terracotta"), 2, 7)
    position.play(position.legal()[0])
    return {"to_act": position.to_act}


def verbs_and_batch() -> dict[str, Any]:
    """Every verb of the game, one position at a time and batched."""
    import numpy as np

    from terracotta_env import entry
    from terracotta_env.batch import Batch
    from terracotta_env.game import find
    from terracotta_env.rollout import UNIFORM

    game = find("terracotta")
    mask, vector = np.zeros(game.actions, np.int8), np.zeros(game.observation_size, np.float32)
    payoffs, sources = np.zeros(game.seats), np.zeros(len(game.sources), np.int64)
    batch = Batch(game, 4)
    entry.reset_at(batch.states, 0, 2, np.uint64(7))
    entry.legal_at(batch.states, 0, mask)
    entry.step_at(batch.states, 0, int(mask.argmax()), mask)
    entry.apply_at(batch.states, 0, int(mask.argmax()))
    entry.to_act_at(batch.states, 0)
    entry.is_over_at(batch.states, 0)
    entry.returns_at(batch.states, 0, payoffs)
    entry.observe_at(batch.states, 0, 0, vector)
    entry.ledger_at(batch.states, 0, 0, sources)
    batch.reset()
    actions = np.zeros(4, np.int64)
    batch.legal(batch.make_masks())
    batch.observe(batch.make_observations())
    batch.observe(batch.make_observations(compact=True))
    batch.act(UNIFORM, np.zeros(4), actions)
    batch.step(actions)
    decisions = batch.play_out(UNIFORM)
    batch.returns(np.zeros((4, game.seats)))
    batch.points(np.zeros((4, game.seats), np.int64))
    batch.ledgers(np.zeros((4, len(game.sources)), np.int64), seats=np.zeros(4, np.int64))
    return {"decisions": decisions}


def everything() -> dict[str, Any]:
    """Whole games through PettingZoo and Gymnasium with every kind of reward, of bots and of the batch's."""
    import numpy as np

    from terracotta_agents.busy import BUSY
    from terracotta_agents.registry import make_agent
    from terracotta_env import terracotta_v0
    from terracotta_env.batch import Batch

    from .worker import aec_loop

    for reward in ("rank", "win", "vp"):
        for form in ("tensors", "flat"):
            aec_loop(terracotta_v0.env(reward=reward, observation=form), "lean")()
    rng = np.random.default_rng(1)
    learner = terracotta_v0.TerracottaGym(players=2, reward="vp", opponents=[make_agent("busy")])
    learner.reset(seed=7)
    over = False
    while not over:
        _, _, over, _, _ = learner.step(int(rng.choice(np.flatnonzero(learner.action_masks()))))
    batch = Batch("terracotta", 2, players=4)
    batch.play_out(BUSY)
    vector = terracotta_v0.TerracottaVector(num_envs=2)
    _, infos = vector.reset(seed=7)
    vector.step(infos["action_mask"].argmax(axis=1))
    return {"decisions": int(batch.decisions.sum())}


FACTS = {"first_step": first_step, "verbs_and_batch": verbs_and_batch, "everything": everything}
