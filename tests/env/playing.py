"""Playing games in tests: positions along games, environments driven to their end, code run in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from terracotta_env.aec import GameAEC
from terracotta_env.game import Game
from terracotta_env.position import Position

ROOT = Path(__file__).resolve().parents[2]

# how much more often than other tokens eager play chooses these: random play alone seldom builds anything
EAGER = {"ring:perform": 30.0, "weapon:use": 3.0, "ring:nothing": 0.3, "decline": 0.3}


def choose(game: Game, mask: np.ndarray, rng: np.random.Generator, eager: bool = False) -> int:
    """A random legal action; eager play prefers those that build something."""
    actions = np.flatnonzero(mask)
    if not eager:
        return int(actions[int(rng.random() * len(actions))])
    weights = np.cumsum([EAGER.get(game.tokens[action], 1.0) for action in actions])
    return int(actions[int(np.searchsorted(weights, rng.random() * weights[-1], side="right"))])


def walk(
    game: Game,
    players: int,
    seed: int,
    eager: bool = False,
    board: str | Mapping[str, Any] | None = None,
    end: bool = True,
) -> Iterator[Position]:
    """Every position of one game, as one object that moves on: clone what is to be kept."""
    rng = np.random.default_rng([seed, players])
    position = Position.from_seed(game, players, seed, board)
    while not position.over:
        yield position
        position.play(choose(game, position.mask(), rng, eager))
    if end:
        yield position


def act(env: GameAEC, rng: np.random.Generator) -> int:
    """Do a random legal action of the agent to move; returns it."""
    action = choose(env.game, env.observe(env.agent_selection)["action_mask"], rng)
    env.step(action)
    return action


def play_out(env: GameAEC, seed: int = 0, steps: int | None = None) -> list[int]:
    """Random legal actions until the game is over, or that many; returns them."""
    rng = np.random.default_rng(seed)
    actions: list[int] = []
    while not env.table.over and (steps is None or len(actions) < steps):
        actions.append(act(env, rng))
    return actions


def illegal_action(env: GameAEC) -> int:
    return int(np.flatnonzero(env.position.mask() == 0)[0])


def last_values(env: GameAEC, seed: int = 0) -> dict[str, float]:
    """What each agent collects by `last()` when a game is played as PettingZoo prescribes."""
    total, rng = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        if termination or truncation:
            env.step(None)
        else:
            assert observation is not None
            env.step(choose(env.game, observation["action_mask"], rng))
    return total


def content(value: Any) -> Any:
    """Dictionaries and arrays as plain comparable values, bytes and dtypes included."""
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, dict):
        return {key: content(entry) for key, entry in value.items()}
    return value


def facts(env: GameAEC) -> Any:
    """All that an AEC environment shows now."""
    agents = env.possible_agents
    return content(
        {
            "position": env.position.to_bytes(),
            "agents": tuple(env.agents),
            "selection": env.agent_selection,
            "rewards": dict(env.rewards),
            "cumulative": dict(env._cumulative_rewards),
            "terminations": dict(env.terminations),
            "truncations": dict(env.truncations),
            "infos": dict(env.infos),
            "observations": {agent: env.observe(agent) for agent in agents},
            "tries": env.table.tries,
        }
    )


def fresh_process(code: str, stdin: bytes = b"", /, **environment: str) -> str:
    """What a new interpreter prints that runs ``code``; its own errors fail the test."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
