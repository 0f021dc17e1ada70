"""The root of a search that a network guides: which action the next simulation takes, and what was found.

Gumbel root selection is that of Danihelka et al. 2022: sequential halving among the actions with the largest sums of
Gumbel noise, log-prior and transformed value.  Visits count from the beginning of the search (``before`` holds those
that a kept tree had already); values take all there are.

Arguments as in :mod:`terracotta_agents.search.batch`; for every tree also ``tasks`` shape ``(T,)`` of :data:`TASK`,
``noise`` shape ``(T, A)`` float64, ``before`` shape ``(T, A)`` int32, ``sequences`` shape ``(T, S)`` int32; ``scores``
shape ``(A,)`` float64 is scratch; ``rules`` shape ``(1,)`` of :data:`RULE`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from terracotta_env import game as verbs
from terracotta_env.kernel import kernel

from .batch import ANY_ACTION
from .tree import ROOT

TASK: Final = np.dtype(
    (
        np.record,
        [
            ("budget", "i4"),  # simulations of this search
            ("done", "i4"),  # so far; -1 while the root is not expanded, which costs one that is not counted
            ("width", "i4"),  # legal actions of the root
        ],
    )
)
RULE: Final = np.dtype((np.record, [("visit_offset", "f8"), ("value_scale", "f8")]))
_SMALLEST: Final = 1e-30  # prior that a logarithm is taken of


@kernel
def open_rows(nodes, edges, states, rows, mask, tasks, before):
    """Begin searches at the roots as they are; ``mask`` shape ``(A,)`` int8 is scratch."""
    for k in range(rows.shape[0]):
        t = rows[k]
        root = nodes[t, ROOT]
        tasks[t].width = verbs.legal(states[t, ROOT], mask)
        tasks[t].done = 0 if root.width > 0 else -1
        for action in range(mask.shape[0]):
            before[t, action] = 0
        for e in range(root.first_edge, root.first_edge + root.width):
            before[t, edges[t, e].action] = edges[t, e].visits


@kernel
def improve(nodes, edges, rule, scores):
    """Write the logits of the improved policy for the root's edges, in their order.

    Log-prior plus (visit_offset + most visits) x value_scale x value in [0, 1]; an action never taken has the mixed
    value of the root: its evaluation, and the mean of the values of the others by prior, in the shares of their visits.
    """
    root = nodes[ROOT]
    seat, first, last = root.mover, root.first_edge, root.first_edge + root.width
    visits, most = 0, 0
    total, weight, weighted = 0.0, 0.0, 0.0
    for e in range(first, last):
        count = edges[e].visits
        if count > 0:
            visits += count
            most = max(most, count)
            total += edges[e].value[seat]
            weight += edges[e].prior
            weighted += edges[e].prior * edges[e].value[seat] / count
    way = edges[root.parent_edge]
    mixed = (way.value[seat] - total) / (way.visits - visits)  # what the evaluator said of the root
    if weight > 0.0:
        mixed = (mixed + visits * weighted / weight) / (1 + visits)
    factor = (rule.visit_offset + most) * rule.value_scale
    for e in range(first, last):
        count = edges[e].visits
        value = edges[e].value[seat] / count if count > 0 else mixed
        scores[e - first] = math.log(max(edges[e].prior, _SMALLEST)) + factor * (0.5 + 0.5 * value)


@kernel
def halve_rows(nodes, edges, rows, tasks, rules, noise, before, sequences, scores, forced):
    """Write the action that sequential halving takes next, ``forced`` shape ``(R,)``."""
    for k in range(rows.shape[0]):
        t = rows[k]
        forced[k] = ANY_ACTION
        if tasks[t].done < 0:
            continue
        improve(nodes[t], edges[t], rules[0], scores)
        root = nodes[t, ROOT]
        best = -np.inf
        for i in range(root.width):
            edge = edges[t, root.first_edge + i]
            score = noise[t, edge.action] + scores[i]
            if edge.visits - before[t, edge.action] == sequences[t, tasks[t].done] and score > best:
                best = score
                forced[k] = edge.action


@kernel
def improved_rows(nodes, edges, rows, rules, noise, before, scores, policies, actions):
    """Write the improved policies, ``(R, A)``, and of the most visited actions the one that scores best, ``(R,)``."""
    for k in range(rows.shape[0]):
        t = rows[k]
        root = nodes[t, ROOT]
        improve(nodes[t], edges[t], rules[0], scores)
        highest, total = -np.inf, 0.0
        for i in range(root.width):
            highest = max(highest, scores[i])
        for i in range(root.width):
            total += math.exp(scores[i] - highest)
        most, best = -1, -np.inf
        for action in range(policies.shape[1]):
            policies[k, action] = 0.0
        for i in range(root.width):
            edge = edges[t, root.first_edge + i]
            policies[k, edge.action] = math.exp(scores[i] - highest) / total
            count, score = edge.visits - before[t, edge.action], noise[t, edge.action] + scores[i]
            if count > most or (count == most and score > best):
                most, best = count, score
                actions[k] = edge.action


@kernel
def visited_rows(nodes, edges, rows, policies, actions):
    """Write the shares of the visits, ``(R, A)``, and the most visited actions, of equals the better one, ``(R,)``."""
    for k in range(rows.shape[0]):
        t = rows[k]
        root = nodes[t, ROOT]
        total, most, best = 0, -1, -np.inf
        for action in range(policies.shape[1]):
            policies[k, action] = 0.0
        for i in range(root.width):
            total += edges[t, root.first_edge + i].visits
        for i in range(root.width):
            edge = edges[t, root.first_edge + i]
            policies[k, edge.action] = edge.visits / total
            value = edge.value[root.mover] / edge.visits if edge.visits > 0 else -np.inf
            if edge.visits > most or (edge.visits == most and value > best):
                most, best = edge.visits, value
                actions[k] = edge.action


@kernel
def value_rows(nodes, edges, rows, values):
    """Write the mean values of the roots by seat, ``values`` shape ``(R, P)``."""
    for k in range(rows.shape[0]):
        way = edges[rows[k], nodes[rows[k], ROOT].parent_edge]
        for seat in range(values.shape[1]):
            values[k, seat] = way.value[seat] / way.visits
