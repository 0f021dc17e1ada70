"""Perft: the number of decision sequences of each length from a named position, counted by a compiled walk.

A sequence of ``d`` decisions is counted whether or not the game is over after it; forced decisions are no decisions.
The walk knows no game: it calls the verbs of :mod:`terracotta_env.game` and copies records.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from terracotta_env import game as verbs
from terracotta_env.game import Game
from terracotta_env.kernel import kernel
from tests.golden.openings import NAMED, Named

PATH: Final = Path(__file__).with_name("perft.txt")


@kernel
def count_sequences(states, masks, cursors, depth):
    """Number of sequences of ``depth`` >= 1 decisions from ``states[0]``.

    The stack: ``states`` shape ``(depth,)``, ``masks`` shape ``(depth, A)``, ``cursors`` shape ``(depth,)`` int64, the
    next action to try at each level.  The last decision of a sequence is counted and not done.
    """
    number = verbs.legal(states[0], masks[0])
    if depth == 1:
        return number
    total = 0
    level = 0
    cursors[0] = 0
    while level >= 0:
        action = cursors[level]
        while action < masks.shape[1] and masks[level, action] == 0:
            action += 1
        if action == masks.shape[1]:
            level -= 1
            continue
        cursors[level] = action + 1
        states[level + 1] = states[level]
        verbs.apply(states[level + 1], action)
        number = verbs.legal(states[level + 1], masks[level + 1])
        if level + 2 == depth:
            total += number
        else:
            level += 1
            cursors[level] = 0
    return total


def sequences(game: Game, states: np.ndarray, depth: int) -> int:
    """Number of sequences of ``depth`` >= 1 decisions from the position in ``states[0]``, which stays as it is."""
    stack = game.make_states(depth)
    stack[0] = states[0]
    return int(count_sequences(stack, np.zeros((depth, game.actions), np.int8), np.zeros(depth, np.int64), depth))


def line(named: Named, counts: list[int]) -> str:
    """One line of the file: the name, then the numbers for 1, 2, ... decisions."""
    return f"{named.name:<34} {' '.join(map(str, counts))}"


def counts_of(named: Named, most: int | None = None) -> list[int]:
    """Numbers of sequences of 1, 2, ... decisions from a named position, at most ``most`` of them."""
    position = named.position()
    depths = named.depth if most is None else min(most, named.depth)
    return [sequences(position.game, position.states, depth) for depth in range(1, depths + 1)]


def text(rows: list[list[int]] | None = None) -> str:
    """The whole file, from numbers that are known already or counted now."""
    rows = [counts_of(named) for named in NAMED] if rows is None else rows
    first = NAMED[0].position().game
    head = [
        "Number of sequences of 1, 2, 3, ... decisions from the positions of openings.py",
        "written by `python -m tests.golden.write`; do not edit",
        f"rules version: {first.rules_version}",
        "",
    ]
    return "\n".join([*head, *(line(named, counts) for named, counts in zip(NAMED, rows, strict=True))]) + "\n"


def read(written: str) -> dict[str, list[int]]:
    """The numbers by name from the text of the file."""
    rows: dict[str, Any] = {}
    for row in written.splitlines()[4:]:
        name, *counts = row.split()
        rows[name] = [int(number) for number in counts]
    return rows
