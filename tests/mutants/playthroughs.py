"""Fixed games with what the engine said of them: ``python -m tests.mutants.playthroughs`` writes them anew.

Each line of ``playthroughs.txt`` is a game: players, seed, board, its decisions as ids, and a digest of what was seen
every :data:`EVERY` decisions (snapshot and legal decisions before each).  They say that the engine still does what it
did, not that it is right: that is for the tests of the rules.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from terracotta_env.army import GAME
from terracotta_env.position import Position

FILE = Path(__file__).with_name("playthroughs.txt")
EVERY = 20
GAMES = 24
BOARDS = ("reconstructed", "reconstructed", "shuffled", "flat", "rising", "specialists-outside")


def digests(game: Position, decisions: list[int]) -> Iterator[str]:
    """Play the decisions; a digest after every few of them and at the end.  An illegal decision raises."""
    seen = hashlib.sha256()
    for number, decision in enumerate(decisions, 1):
        seen.update(json.dumps([game.snapshot(), np.flatnonzero(game.mask()).tolist()]).encode())
        game.play(decision)
        if number % EVERY == 0:
            yield seen.hexdigest()[:6]
    seen.update(json.dumps([game.snapshot(), game.returns().round(6).tolist()]).encode())
    yield seen.hexdigest()[:6]


def begin(players: int, seed: int, board: str) -> Position:
    return Position.from_seed(GAME, players, seed, board)


def read() -> list[tuple[int, int, str, list[int], list[str]]]:
    """Players, seed, board, decisions, digests of each game."""
    games = []
    for line in FILE.read_text(encoding="ascii").splitlines():
        players, seed, board, decisions, seen = line.split(" ")
        games.append((int(players), int(seed), board, [int(d) for d in decisions.split(",")], seen.split(",")))
    return games


def draw(players: int, seed: int, board: str) -> list[int]:
    """Decisions of a random game in which players rather act than not."""
    chance = random.Random(f"playthrough {players} {seed} {board}")
    game, decisions = begin(players, seed, board), []
    perform, use = GAME.action_of("ring:perform"), GAME.action_of("weapon:use")
    while not game.over:
        legal = np.flatnonzero(game.mask()).tolist()
        likely = [action for action in legal if action in (perform, use)]
        decision = chance.choice(likely if likely and chance.random() < 0.85 else legal)
        decisions.append(decision)
        game.play(decision)
    return decisions


def write() -> None:
    lines = []
    for number in range(GAMES):
        players, board = 2 + number % 3, BOARDS[number % len(BOARDS)]
        decisions = draw(players, number, board)
        seen = digests(begin(players, number, board), decisions)
        lines.append(f"{players} {number} {board} {','.join(map(str, decisions))} {','.join(seen)}\n")
    FILE.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    write()
