"""What a user of the installed package may write, typed: test_wheel.py checks it with ``mypy --strict`` and runs it."""

from __future__ import annotations

import numpy as np

from terracotta_agents.registry import make_agents
from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.policy import Policy, Uniform, ask
from terracotta_env.position import Position
from terracotta_training.evaluate import play_match


class Cautious:
    """The first legal action."""

    name = "cautious"
    version = 1

    def begin(self, seed: int) -> None:
        pass

    def act(self, position: Position, mask: np.ndarray) -> int:
        return int(mask.argmax())


def play_in_the_environment() -> dict[str, float]:
    env = terracotta_v0.env(players=2, reward="vp")
    env.reset(seed=7)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        ended = terminated or truncated
        env.step(None if ended else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return totals


def play_against_a_bot() -> list[int]:
    policies: list[Policy] = [Cautious(), *make_agents(["random"], 1)]
    position = Position.from_seed(GAME, 2, seed=1)
    decisions: list[int] = []
    while (seat := position.to_act) is not None:
        decisions.append(ask(policies[seat], position))
        position.play(decisions[-1])
    return decisions


if __name__ == "__main__":
    assert abs(sum(play_in_the_environment().values())) < 1e-6
    assert len(play_against_a_bot()) > 100
    wins, low, high = play_match(GAME, Cautious, Uniform, players=2, games=2, seed=1).win_share()
    assert low <= wins <= high
    print("played")
