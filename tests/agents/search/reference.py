"""Monte Carlo tree search straight from the textbook: objects, recursion, plain numbers.  Slow, and the same visits.

It shares with the compiled search the definition of its random numbers: the order of a node's actions is an inside-out
shuffle, then each decision of a roll-out takes one number.
"""

from __future__ import annotations

import math

import numpy as np

from terracotta_agents.search.settings import Settings
from terracotta_env.generator import splitmix64
from terracotta_env.position import Position
from terracotta_env.rollout import Rollout, choose_at


class Numbers:
    def __init__(self, state: int) -> None:
        self.state = state

    def draw(self) -> int:
        self.state, output = splitmix64(self.state)
        return output

    def unit(self) -> float:
        return (self.draw() >> 11) * 2.0**-53


class Node:
    def __init__(self, position: Position, prior: float) -> None:
        self.position = position
        self.prior = prior
        self.visits = 0
        self.total = np.zeros(position.game.seats)
        self.children: dict[int, Node] = {}  # in the order in which they are looked at


class ReferenceSearch:
    def __init__(self, root: Position, settings: Settings, rollout: Rollout, seed: int) -> None:
        self.settings, self.rollout = settings, rollout
        self.numbers = Numbers(seed)
        self.root = Node(root.clone(), 1.0)
        self.scale = root.game.points_scale if settings.scale is None else settings.scale

    def simulate(self) -> None:
        self._visit(self.root)

    def _visit(self, node: Node) -> np.ndarray:
        if node.children:
            values = self._visit(self._choose(node))
        else:
            self._expand(node)
            values = self._play(node.position.clone())
        node.visits += 1
        node.total += values
        return values

    def _choose(self, node: Node) -> Node:
        mover = node.position.to_act
        scores = [self._score(node, child, mover) for child in node.children.values()]
        return list(node.children.values())[scores.index(max(scores))]

    def _score(self, node: Node, child: Node, mover: int | None) -> float:
        s = self.settings
        if s.rule == "uct":
            if child.visits == 0:
                return s.fpu
            return float(child.total[mover] / child.visits + s.c * math.sqrt(math.log(node.visits) / child.visits))
        mean = child.total[mover] / child.visits if child.visits else node.total[mover] / node.visits - s.fpu
        return float(mean + s.c * math.sqrt(node.visits) * child.prior / (1 + child.visits))

    def _expand(self, node: Node) -> None:
        if node.position.over:
            return
        legal = [int(action) for action in np.flatnonzero(node.position.mask())]
        order: list[int] = []
        for action in legal:
            other = self.numbers.draw() % (len(order) + 1)
            order.append(action)
            order[other], order[-1] = action, order[other]
        weights = self._weights(node.position, legal)
        total = 0.0
        for action in legal:
            total += weights[action]
        for action in order:
            node.children[action] = Node(node.position.clone().play(action), weights[action] / total)

    def _weights(self, position: Position, legal: list[int]) -> dict[int, float]:
        weights = dict.fromkeys(legal, (self.settings.mix if self._has_grid() else 1.0) / len(legal))
        scratch = np.zeros(position.game.actions, np.int8)
        for k in range(self.settings.grid if self._has_grid() else 0):
            uniform = (k + 0.5) / self.settings.grid
            action = int(choose_at(self.rollout.parameters, position.states, 0, scratch, uniform))
            weights[action] += (1.0 - self.settings.mix) / self.settings.grid
        return weights

    def _has_grid(self) -> bool:
        return self.settings.rule == "puct" and self.settings.grid > 0

    def _play(self, position: Position) -> np.ndarray:
        scratch = np.zeros(position.game.actions, np.int8)
        limit = math.inf if self.settings.depth is None else self.settings.depth
        played = 0
        while not position.over and played < limit:
            action = choose_at(self.rollout.parameters, position.states, 0, scratch, self.numbers.unit())
            position.play(int(action))
            played += 1
        return self._utility(position)

    def _utility(self, position: Position) -> np.ndarray:
        values = np.zeros(position.game.seats)
        share = self.settings.margin if position.over else 1.0
        points = np.array(position.points())
        n = len(points)
        for seat, own in enumerate(points):
            x = (own - (points.sum() - own) / (n - 1)) * self.scale
            values[seat] = (1 - share) * position.returns()[seat] + share * (x / math.sqrt(1 + x * x))
        return values
