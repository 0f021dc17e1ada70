"""Evaluation by roll-outs, in one kernel with select, expand and backup; and what a position is worth by itself.

Arguments as in :mod:`terracotta_agents.search.kernels`; scratch that the caller owns, one for each thread: ``mask`` and
``other`` shape ``(A,)`` int8, ``priors`` shape ``(A,)`` float64, ``sources`` shape ``(K,)`` int64, ``values`` shape
``(P,)`` float64.
"""

from __future__ import annotations

import math

from terracotta_env import game as verbs
from terracotta_env import rollout
from terracotta_env.kernel import kernel

from .kernels import backup, expand, may_expand, select
from .tree import NO_EDGE


@kernel
def squash(x):
    """From all numbers to (-1, 1), slope 1 at 0.  No transcendental function: the same bits on every machine."""
    return x / math.sqrt(1.0 + x * x)


@kernel
def write_utility(state, config, sources, values):
    """Write what a position is worth to each seat, shape ``(P,)``, in [-1, 1].

    A finished game: the rank payoff and the squashed margin in the shares of ``config``.  One that goes on: the margin
    alone, as a guess of how it ends.  The margin of a seat is its points less the mean of the others'.
    """
    over = verbs.is_over(state)
    verbs.returns(state, values)  # zeros where it goes on and for absent seats
    share = config.margin if over else 1.0
    if share == 0.0:
        return
    players = int(state.players)
    total = 0
    for seat in range(players):
        total += verbs.ledger(state, seat, sources)
    for seat in range(players):
        points = verbs.ledger(state, seat, sources)
        margin = points - (total - points) / (players - 1)
        values[seat] = (1.0 - share) * values[seat] + share * squash(margin * config.scale)


@kernel
def write_priors(policy, state, grid, mix, mask, width, other, priors):
    """Write the shares in which a roll-out policy takes the ``width`` legal actions of ``mask``, mixed with uniform.

    Only its ``choose`` is used: asked for evenly spaced numbers it shows its distribution, to 1 / grid.
    """
    for action in range(mask.shape[0]):
        priors[action] = mix / width if mask[action] else 0.0
    for k in range(grid):
        priors[rollout.choose(policy, state, other, (k + 0.5) / grid)] += (1.0 - mix) / grid


@kernel
def expand_leaf(tree, nodes, edges, states, policy, config, mask, other, priors):
    """Expand the leaf of the last selection where there is room, with priors from the roll-out policy or uniform."""
    if not may_expand(tree, nodes, edges, mask.shape[0]):
        return
    width = verbs.legal(states[tree.leaf], mask)
    mix = config.mix if config.grid > 0 else 1.0
    write_priors(policy, states[tree.leaf], config.grid, mix, mask, width, other, priors)
    expand(tree, nodes, edges, mask, priors)


@kernel
def grow(trees, nodes, edges, states, t, policies, configs, simulations, mask, other, priors, sources, values):
    """Do ``simulations`` of tree ``t`` of a forest: select, expand, roll out, back up."""
    tree, config, policy = trees[t], configs[0], policies[0]
    tree_nodes, tree_edges, tree_states = nodes[t], edges[t], states[t]
    played = tree_states.shape[0] - 1
    for _ in range(simulations):
        select(tree, tree_nodes, tree_edges, tree_states, config, NO_EDGE)
        expand_leaf(tree, tree_nodes, tree_edges, tree_states, policy, config, mask, other, priors)
        leaf = tree.leaf
        if config.depth > 0 and tree_nodes[leaf].mover != verbs.NOBODY:
            tree_states[played] = tree_states[leaf]
            leaf = played
            _, tree.generator = rollout.play_out(policy, tree_states[leaf], mask, tree.generator, config.depth)
        write_utility(tree_states[leaf], config, sources, values)
        backup(tree, tree_nodes, tree_edges, values)
