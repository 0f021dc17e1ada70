"""A fast game, bots for it that fail in every way, and results drawn from known strengths."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from terracotta_agents.arena.arena import Settings, play
from terracotta_agents.arena.outcome import ranks
from terracotta_agents.arena.schedule import schedule
from terracotta_env.policy import Policy, Uniform
from terracotta_env.position import Position
from tests.toy import GAME

ELO = 400 / np.log(10)


class Plain(Uniform):
    """Uniform, under a name that can be changed."""

    name = "plain"


class Sleepy(Plain):
    """A bot that takes its time, so that a kill meets it in the middle of a game."""

    name = "sleepy"

    def act(self, position: Position, mask: np.ndarray) -> int:
        time.sleep(0.002)
        return super().act(position, mask)


class First(Plain):
    """Takes the first legal action: plays the same game again on the same setup."""

    name = "first"

    def act(self, position: Position, mask: np.ndarray) -> int:
        return int(mask.argmax())


class Failing(Plain):
    """Plays two decisions, then fails in the way of its subclass."""

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.made = 0

    def act(self, position: Position, mask: np.ndarray) -> int:
        self.made += 1
        return self.fail(mask) if self.made > 2 else super().act(position, mask)

    def fail(self, mask: np.ndarray) -> int:
        raise ValueError("lost\nthe thread")


class Illegal(Failing):
    def fail(self, mask: np.ndarray) -> int:
        return int((mask == 0).argmax())


class Leaving(Failing):
    def fail(self, mask: np.ndarray) -> int:
        sys.exit("enough")


class Crashing(Failing):
    def fail(self, mask: np.ndarray) -> int:
        os._exit(3)


class Hanging(Failing):
    def fail(self, mask: np.ndarray) -> int:
        time.sleep(600)
        return 0


class Unready(Plain):
    def begin(self, seed: int) -> None:
        raise RuntimeError("no clock")


BOTS: dict[str, type[Policy]] = {
    kind.__name__.lower(): kind
    for kind in (Plain, Sleepy, First, Failing, Illegal, Leaving, Crashing, Hanging, Unready)
}


def make_toy_bot(code: str) -> Policy:
    """A bot by its code; workers import this function."""
    return BOTS[code]()


def settings(codes: Sequence[str] = ("plain", "first"), **changes: Any) -> Settings:
    """A small arena of the toy game."""
    values: dict[str, Any] = {"players": (2, 3), "games": 6, "seed": 5, "board": "plain", **changes}
    return Settings(GAME.module, GAME.name, tuple(codes), **values)


def play_toys(wanted: Settings, path: Path, jobs: int = 1) -> Any:
    return play(wanted, path, jobs, make_toy_bot)


def read(path: Path, name: str = "results.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (path / name).read_text().splitlines()]


def timeless(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Results without what differs from run to run, in the order of their games."""
    kept = [{k: v for k, v in result.items() if k not in ("asked", "seconds", "slowest")} for result in results]
    return sorted(kept, key=lambda result: str(result["game"]))


def simulated(
    strengths: Mapping[str, float],
    setups: Mapping[int, int],
    seed: int,
    place_worth: Sequence[float] = (0, 0, 0, 0),
    setup_spread: float = 0.0,
) -> list[dict[str, Any]]:
    """Results whose pairwise comparisons follow the model exactly.

    Args:
        strengths: Elo by agent.
        setups: number of setups by number of players.
        seed: of the draws.
        place_worth: Elo of each place in the order of play.
        setup_spread: standard deviation of what a setup is worth to each agent, in Elo: makes its games depend on
            each other.
    """
    rng = np.random.default_rng(seed)
    names = list(strengths)
    results: list[dict[str, Any]] = []
    liking: dict[tuple[int, int], np.ndarray] = {}
    for game in schedule(names, dict(setups)):
        n = game.players
        order = [int(seat) for seat in np.roll(np.arange(n), game.setup)]
        liked = liking.setdefault((n, game.setup), rng.normal(0, setup_spread, len(names)))
        elo = np.array([strengths[names[agent]] + liked[agent] for agent in game.seats])
        elo[order] += place_worth[:n]
        results.append(result(game.name, n, game.setup, [names[a] for a in game.seats], elo / ELO + rng.gumbel(size=n)))
        results[-1]["order"] = order
    return results


def result(game: str, players: int, setup: int, agents: Sequence[str], payoffs: Sequence[float]) -> dict[str, Any]:
    """A result line with these payoffs."""
    by_seat = ranks(list(payoffs))
    return {
        "game": game,
        "players": players,
        "setup": setup,
        "setup_digest": f"{players}:{setup}",
        "agents": list(agents),
        "order": list(range(players)),
        "vp": [round(10 * float(payoff)) for payoff in payoffs],
        "ranking": sorted(range(players), key=by_seat.__getitem__),
        "ranks": by_seat,
        "sources": [[1, round(10 * float(payoff)) - 1] for payoff in payoffs],
        "decisions": 10,
        "digest": game,
        "forfeit": None,
        "asked": [5] * players,
        "seconds": [0.01] * players,
        "slowest": [0.005] * players,
    }


if __name__ == "__main__":  # a process for the tests to kill: folder, jobs
    play_toys(settings(("sleepy", "plain"), games=int(sys.argv[3])), Path(sys.argv[1]), int(sys.argv[2]))
