"""The Python side of Orchard: setups and snapshots as JSON, and a picture (:class:`terracotta_env.game.Notation`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from terracotta_env.errors import BoardError, SetupError
from terracotta_env.fields import Reader
from terracotta_env.game import NOBODY

from .rules import FRUITS, NO_TREE, SEATS, TREES, begin, make_states, points, settle

PLAIN = "plain"  # nothing is printed on this game's components: one board, without content


class OrchardNotation:
    """See :class:`terracotta_env.game.Notation`; ``states`` is an array of which the first record is meant."""

    def board_names(self) -> Sequence[str]:
        return (PLAIN,)

    def write_board(self, states: np.ndarray, board: str | Mapping[str, Any]) -> None:
        if board != PLAIN:
            raise BoardError(f"no board {board!r}: this game has only {PLAIN!r}")

    def board_of(self, states: np.ndarray) -> str:
        return PLAIN

    def board_data_of(self, states: np.ndarray) -> dict[str, Any] | None:
        return None

    def setup_of(self, states: np.ndarray) -> dict[str, Any]:
        return {"trees": states[0].fruit.tolist(), "first": int(states[0].first)}

    def write_setup(self, states: np.ndarray, players: int, setup: Mapping[str, Any]) -> None:
        doc = Reader(setup, "", SetupError, "setup").table(("trees", "first"))
        trial = make_states(1)  # bad input must not leave half a setup behind
        _read_setup(trial[0], doc, players)
        begin(trial[0])
        states[:1] = trial

    def snapshot(self, states: np.ndarray) -> dict[str, Any]:
        s = states[0]
        return {
            **self.setup_of(states),
            "picked": s.picked.tolist(),
            "points": s.harvest[: s.players].tolist(),
            "to_move": None if s.to_move == NOBODY else int(s.to_move),
            "tree": None if s.tree == NO_TREE else int(s.tree) + 1,
        }

    def write_snapshot(self, states: np.ndarray, snapshot: Mapping[str, Any]) -> None:
        doc = Reader(snapshot, "", SetupError, "snapshot")
        doc.table(("trees", "first", "picked", "points", "to_move", "tree"))
        trial = make_states(1)
        s = trial[0]
        rows = doc["points"].items()
        if not 2 <= len(rows) <= SEATS:
            raise doc["points"].fail(f"points of 2 to {SEATS} seats")
        _read_setup(s, doc, len(rows))
        s.picked[:] = doc["picked"].integers(TREES, 0, FRUITS)
        for seat, row in enumerate(rows):
            s.harvest[seat] = row.integers(2, 0, 999)
        if doc["to_move"].value is not None:
            s.to_move = doc["to_move"].integer(0, len(rows) - 1)
        if (s.to_move == NOBODY) != bool((s.picked == FRUITS).all()):
            raise doc["to_move"].fail("null exactly when all trees are bare")
        if doc["tree"].value is not None:
            s.tree = doc["tree"].integer(1, TREES) - 1
            if s.to_move == NOBODY or s.picked[s.tree] == FRUITS:
                raise doc["tree"].fail("a tree with fruits, or null")
        settle(s)
        states[:1] = trial

    def resources(self, states: np.ndarray) -> dict[str, list[int]]:
        return {}

    def turn_order(self, states: np.ndarray) -> list[int]:
        s = states[0]
        return [(int(s.first) + k) % int(s.players) for k in range(int(s.players))]

    def round_of(self, states: np.ndarray) -> int:
        return 1

    def render(self, states: np.ndarray) -> str:
        """One line for each tree, next fruit first, then the points."""
        s = states[0]
        lines = []
        for tree in range(TREES):
            chosen = ">" if s.tree == tree else " "
            lines.append(f"{chosen}{tree + 1} | {' '.join(map(str, s.fruit[tree, s.picked[tree] :]))}".rstrip())
        scores = ", ".join(f"seat {seat}: {int(points(s, seat))}" for seat in range(s.players))
        turn = "game over" if s.to_move == NOBODY else f"to move: seat {int(s.to_move)}"
        return "\n".join([*lines, scores, turn])


def _read_setup(s: Any, doc: Reader, players: int) -> None:
    trees = [tree.integers(FRUITS, 1, 9) for tree in doc["trees"].items(TREES)]
    if len({worth for tree in trees for worth in tree}) != TREES * FRUITS:
        raise doc["trees"].fail("the fruits 1..9 once each")
    s.fruit[:] = trees
    s.players = players
    s.first = doc["first"].integer(0, players - 1)
