"""Search guided by an evaluator, in plain Python: the root rules as the papers say them, one position at a time."""

from __future__ import annotations

import hashlib
import math

import numpy as np

from terracotta_agents.search.batch import Leaves
from terracotta_agents.search.guided import RootSettings
from terracotta_agents.search.settings import Settings
from terracotta_env.game import NOBODY, Game
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM

from .reference import ReferenceSearch


class Opinion:
    """An evaluator with priors and values drawn by the bytes of the position: always the same of the same one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.asked = 0

    def of(self, raw: bytes) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(int.from_bytes(hashlib.sha256(raw).digest()[:8], "big"))
        return rng.exponential(size=self.game.actions), rng.uniform(-1, 1, self.game.seats)

    def evaluate(self, leaves: Leaves, priors: np.ndarray, values: np.ndarray) -> None:
        for k in range(len(leaves.seats)):
            if leaves.seats[k] != NOBODY:
                priors[k], values[k] = self.of(leaves.states[k : k + 1].tobytes())
                self.asked += 1


class GuidedReference(ReferenceSearch):
    def __init__(self, root: Position, settings: Settings, rule: RootSettings, opinion: Opinion, seed: int) -> None:
        super().__init__(root, settings, UNIFORM, seed)
        self.rule, self.opinion = rule, opinion

    def _weights(self, position: Position, legal: list[int]) -> dict[int, float]:
        priors: list[float] = self.opinion.of(position.to_bytes())[0].tolist()
        return dict(enumerate(priors))

    def _play(self, position: Position) -> np.ndarray:
        return self._utility(position) if position.over else self.opinion.of(position.to_bytes())[1]

    def search(self, budget: int, noise: np.ndarray) -> None:
        self.noise = noise
        if not self.root.children:
            self.simulate()
        self.before = {action: child.visits for action, child in self.root.children.items()}
        if self.rule.rule == "puct":
            self._stir()
            for _ in range(budget):
                self.simulate()
        else:
            self._halve(budget)

    def _stir(self) -> None:
        if self.noise.any():
            total = sum(self.noise[action] for action in self.root.children)
            for action, child in self.root.children.items():
                child.prior = (1 - self.rule.share) * child.prior + self.rule.share * self.noise[action] / total

    def _halve(self, budget: int) -> None:
        left = considered = min(self.rule.considered, len(self.root.children))
        phases = max(1, math.ceil(math.log2(considered)))
        done = visits = 0
        while True:
            for _ in range(max(1, budget // (phases * left))):
                for _ in range(left):
                    if done == budget:
                        return
                    level = [a for a in self.root.children if self._visits(a) == visits]
                    scores = self.scores()
                    self._take(max(level, key=lambda action: self.noise[action] + scores[action]))
                    done += 1
                visits += 1
            left = max(2, left // 2) if considered > 1 else 1

    def _take(self, action: int) -> None:
        values = self._visit(self.root.children[action])
        self.root.visits += 1
        self.root.total += values

    def _visits(self, action: int) -> int:
        return self.root.children[action].visits - self.before[action]

    def scores(self) -> dict[int, float]:
        """Log-prior and completed value of each action."""
        seat, children = self.root.position.to_act, self.root.children
        taken = {action: child for action, child in children.items() if child.visits}
        value = {action: float(child.total[seat] / child.visits) for action, child in taken.items()}
        own = float(self._play(self.root.position)[seat])
        visits = sum(child.visits for child in taken.values())
        weight = math.fsum(child.prior for child in taken.values())
        mean = math.fsum(child.prior * value[action] for action, child in taken.items()) / weight if taken else 0.0
        mixed = (own + visits * mean) / (1 + visits)
        factor = self.rule.visit_offset + max([child.visits for child in taken.values()], default=0)
        return {
            action: math.log(child.prior) + factor * self.rule.value_scale * (1 + value.get(action, mixed)) / 2
            for action, child in children.items()
        }

    def policy(self) -> dict[int, float]:
        if self.rule.rule == "puct":
            visits = sum(child.visits for child in self.root.children.values())
            return {action: child.visits / visits for action, child in self.root.children.items()}
        scores = self.scores()
        total = sum(math.exp(score - max(scores.values())) for score in scores.values())
        return {action: math.exp(score - max(scores.values())) / total for action, score in scores.items()}

    def best(self) -> int:
        if self.rule.rule == "puct":
            seat = self.root.position.to_act
            return max(
                (action for action, child in self.root.children.items() if child.visits),
                key=lambda action: (
                    self.root.children[action].visits,
                    self.root.children[action].total[seat] / self.root.children[action].visits,
                ),
            )
        scores = self.scores()
        return max(scores, key=lambda action: (self._visits(action), self.noise[action] + scores[action]))

    def advance(self, action: int) -> None:
        self.root = self.root.children[action]
