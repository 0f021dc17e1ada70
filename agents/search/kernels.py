"""Select, expand, backup and reuse on one array tree.  Evaluation stands between them and is not here.

Arguments that recur, all of one tree (:mod:`terracotta_agents.search.tree`): ``tree`` its record, ``nodes`` shape
``(M + 1,)``, ``edges`` shape ``(E,)``, ``states`` shape ``(M + 2,)``, ``config`` one record of
:data:`terracotta_agents.search.settings.CONFIG`.  No recursion: depth is bounded by memory only.

Each node maximises the value of its own mover.  Values are vectors by seat and are never negated: a seat may decide
many times in a row, and there may be more than two.
"""

from __future__ import annotations

import math

import numpy as np

from terracotta_env import game as verbs
from terracotta_env.generator import advance, below
from terracotta_env.kernel import kernel

from .settings import PUCT
from .tree import NO_EDGE, NO_NODE, ROOT


@kernel
def plant(tree, nodes, edges, states, state):
    """Begin a tree with the position ``state`` as its root, not expanded.  Its generator goes on."""
    tree.nodes = 1
    tree.edges = 1
    states[ROOT] = state
    root = nodes[ROOT]
    root.parent_edge = ROOT
    root.first_edge = 0
    root.width = 0
    root.mover = verbs.to_act(state)
    edge = edges[ROOT]
    edge.node = NO_NODE
    edge.child = ROOT
    edge.visits = 0
    edge.action = NO_EDGE
    edge.prior = 1.0
    for seat in range(edge.value.shape[0]):
        edge.value[seat] = 0.0


@kernel
def uct_edge(node, edges, config):
    """UCB1 (Kocsis and Szepesvari 2006) for the mover; an edge never taken counts ``config.fpu``."""
    log_visits = math.log(edges[node.parent_edge].visits)
    best, best_score = NO_EDGE, -np.inf
    for e in range(node.first_edge, node.first_edge + node.width):
        visits = edges[e].visits
        if visits == 0:
            score = config.fpu
        else:
            score = edges[e].value[node.mover] / visits + config.c * math.sqrt(log_visits / visits)
        if score > best_score:
            best, best_score = e, score
    return best


@kernel
def puct_edge(node, edges, config):
    """PUCT as in AlphaZero; an edge never taken has the mean value of its node less ``config.fpu``."""
    parent = edges[node.parent_edge]
    spread = config.c * math.sqrt(parent.visits)
    unseen = parent.value[node.mover] / parent.visits - config.fpu
    best, best_score = NO_EDGE, -np.inf
    for e in range(node.first_edge, node.first_edge + node.width):
        visits = edges[e].visits
        mean = unseen if visits == 0 else edges[e].value[node.mover] / visits
        score = mean + spread * edges[e].prior / (1 + visits)
        if score > best_score:
            best, best_score = e, score
    return best


@kernel
def select(tree, nodes, edges, states, config, forced):
    """Go from the root down to a node without edges or past an edge without a node, which gets one.

    ``forced`` is the edge to take at the root, NO_EDGE to choose there as everywhere.  Writes ``tree.leaf`` and
    ``tree.leaf_edge``.  Where memory is used up the leaf's position lies at M and nothing is stored.
    """
    leaf, edge = ROOT, ROOT
    while nodes[leaf].width > 0:
        if leaf == ROOT and forced != NO_EDGE:
            edge = forced
        elif config.rule == PUCT:
            edge = puct_edge(nodes[leaf], edges, config)
        else:
            edge = uct_edge(nodes[leaf], edges, config)
        child = edges[edge].child
        if child == NO_NODE:
            leaf = add_node(tree, nodes, edges, states, edge)
            break
        leaf = child
    tree.leaf = leaf
    tree.leaf_edge = edge


@kernel
def add_node(tree, nodes, edges, states, edge):
    """Make the position that an edge leads to; returns its number, M where memory is used up."""
    number = nodes.shape[0] - 1
    if tree.nodes < number:
        number = tree.nodes
        tree.nodes += 1
        edges[edge].child = number
    states[number] = states[edges[edge].node]
    verbs.apply(states[number], edges[edge].action)
    node = nodes[number]
    node.parent_edge = edge
    node.first_edge = 0
    node.width = 0
    node.mover = verbs.to_act(states[number])
    return number


@kernel
def may_expand(tree, nodes, edges, actions):
    """Can the leaf get edges: it is stored, not over, has none, and ``actions`` more fit."""
    leaf = nodes[tree.leaf]
    stored = tree.leaf < nodes.shape[0] - 1
    return stored and leaf.mover != verbs.NOBODY and leaf.width == 0 and tree.edges + actions <= edges.shape[0]


@kernel
def expand(tree, nodes, edges, mask, priors):
    """Give the leaf an edge for each action in ``mask``, in an order drawn from the tree's generator.

    ``priors`` shape ``(A,)``, weights of the actions of which only the legal ones count; they are made to sum to 1.
    Precondition: :func:`may_expand` with the number of legal actions.
    """
    first = tree.edges
    width, total = 0, 0.0
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        place = first + width
        tree.generator = advance(tree.generator)
        other = first + below(tree.generator, width + 1)
        if other != place:  # inside-out shuffle
            edges[place].action = edges[other].action
            edges[place].prior = edges[other].prior
        edges[other].action = action
        edges[other].prior = priors[action]
        total += priors[action]
        width += 1
    for e in range(first, first + width):
        edge = edges[e]
        edge.prior = edge.prior / total if total > 0 else 1.0 / width
        edge.node = tree.leaf
        edge.child = NO_NODE
        edge.visits = 0
        for seat in range(edge.value.shape[0]):
            edge.value[seat] = 0.0
    nodes[tree.leaf].first_edge = first
    nodes[tree.leaf].width = width
    tree.edges = first + width


@kernel
def backup(tree, nodes, edges, values):
    """Add the leaf's values by seat, shape ``(P,)``, to every edge on the way to it."""
    e = tree.leaf_edge
    while True:
        edge = edges[e]
        edge.visits += 1
        for seat in range(values.shape[0]):
            edge.value[seat] += values[seat]
        if edge.node == NO_NODE:
            return
        e = nodes[edge.node].parent_edge


@kernel
def reroot(tree, nodes, edges, states, root):
    """Make the node ``root`` the root of what is below it, forget the rest; in place.

    What is kept moves to the front in its old order, so nothing is overwritten that is still to be moved.
    """
    for i in range(tree.nodes):
        nodes[i].moved = NO_NODE
    nodes[root].moved = ROOT
    stored = 1
    for i in range(root + 1, tree.nodes):  # parents come before their children
        if nodes[edges[nodes[i].parent_edge].node].moved != NO_NODE:
            nodes[i].moved = stored
            stored += 1
    way = edges[nodes[root].parent_edge]
    edges[ROOT].visits = way.visits
    for seat in range(way.value.shape[0]):
        edges[ROOT].value[seat] = way.value[seat]
    nodes[root].parent_edge = ROOT
    used = 1
    for e in range(1, tree.edges):
        owner = edges[e].node
        if nodes[owner].moved == NO_NODE:
            continue
        if nodes[owner].first_edge == e:
            nodes[owner].first_edge = used
        edges[used] = edges[e]
        edges[used].node = nodes[owner].moved
        child = edges[used].child
        if child != NO_NODE:
            nodes[child].parent_edge = used
            edges[used].child = nodes[child].moved
        used += 1
    for i in range(root, tree.nodes):
        moved = nodes[i].moved
        if moved != NO_NODE:
            nodes[moved] = nodes[i]
            states[moved] = states[i]
    tree.nodes = stored
    tree.edges = used


@kernel
def find_node(tree, edges, nodes, words, wanted):
    """The node with the most visits whose record is ``wanted``, NO_NODE if there is none.

    ``words`` shape ``(M + 2, W)`` and ``wanted`` shape ``(W,)``: the records as plain numbers.  The same position
    reached in another order of actions has the same future, so any such node will do.
    """
    best, most = NO_NODE, -1
    for i in range(tree.nodes):
        equal = True
        for w in range(wanted.shape[0]):
            if words[i, w] != wanted[w]:
                equal = False
                break
        if equal and edges[nodes[i].parent_edge].visits > most:
            best, most = i, edges[nodes[i].parent_edge].visits
    return best
