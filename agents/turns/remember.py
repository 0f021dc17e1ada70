"""Answering decision by decision from a planned turn, and the two ways to use that: a bot, and rows of a batch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from terracotta_env.army.apply import apply
from terracotta_env.army.state import STATE, make_states
from terracotta_env.kernel import kernel
from terracotta_env.position import Position

from .ahead import plan_turn
from .scratch import PLAN, ROOT, Scratch, make_scratch
from .search import first_legal

WORDS = STATE.itemsize // 8  # a record as 64-bit words, to compare two of them


def words_of(states: np.ndarray) -> np.ndarray:
    """The records as int64 words, shape ``(N, WORDS)``, without copying."""
    return states.view(np.int64).reshape(len(states), WORDS)


def bytes_of(records: np.ndarray) -> np.ndarray:
    """The records as bytes, shape ``(N, size)`` uint8, without copying."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


@kernel
def same_record(words, i, others, j):
    for k in range(words.shape[1]):  # noqa: SIM110 (compiled: no generators)
        if words[i, k] != others[j, k]:
            return False
    return True


@kernel
def turn_choice(states, words, i, plans, expected, expected_words, k, scratch, sketch):
    """The bot's action in game ``states[i]``, whose planned turn is ``plans[k]`` and expected record ``expected[k]``.

    Plans anew where the game is not where it was expected to be.  ``words`` and ``expected_words`` are the same records
    as :func:`words_of` shows them; all arrays and ``scratch`` belong to the caller.  ``scratch.work[0].looked`` says
    afterwards how many positions were looked at; 0 where the plan was still good.
    """
    plan = plans[k]
    if plan.next < plan.length and same_record(words, i, expected_words, k):
        scratch.work[0].looked = 0
    else:
        scratch.states[ROOT] = states[i]
        place = plan_turn(scratch, sketch)
        plan.next = 0
        plan.length = 0
        if place < 0:
            return first_legal(states[i])
        plan.length = scratch.nodes[place].length
        for step in range(plan.length):
            plan.path[step] = scratch.nodes[place].path[step]
        expected[k] = states[i]
    action = int(plan.path[plan.next])
    plan.next += 1
    apply(expected[k], action)
    return action


@kernel
def turn_choices(states, words, rows, plans, expected, expected_words, scratch, sketch, actions):
    """Write the bot's action of each row; the plan of row ``rows[k]`` is ``plans[rows[k]]``."""
    for k in range(rows.shape[0]):
        i = rows[k]
        actions[k] = turn_choice(states, words, i, plans, expected, expected_words, i, scratch, sketch)


class TurnBot:
    """Plays planned turns.  Deterministic: no random number is used, so the seed changes nothing.

    Attributes:
        looked: positions looked at for the last decision, 0 where it was planned before.
    """

    name = "turn"
    version = 1

    def __init__(self, settings: np.ndarray, sketch: np.ndarray, weights: np.ndarray) -> None:
        self.scratch: Scratch = make_scratch(settings, weights)
        self.sketch: Scratch = make_scratch(sketch, weights)
        self._plan = np.zeros(1, PLAN)
        self._expected = make_states(1)
        self._expected_words = words_of(self._expected)

    @property
    def looked(self) -> int:
        return int(self.scratch.work[0]["looked"])

    def begin(self, seed: int) -> None:
        self._plan["length"] = 0

    def act(self, position: Position, mask: np.ndarray) -> int:
        states = position.states
        plan, expected = self._plan, self._expected
        return int(
            turn_choice(states, words_of(states), 0, plan, expected, self._expected_words, 0, self.scratch, self.sketch)
        )


class TurnRows:
    """Plays planned turns in many games at once, one plan a row (a ``RowPolicy``)."""

    def __init__(self, settings: np.ndarray, sketch: np.ndarray, weights: np.ndarray) -> None:
        self.scratch: Scratch = make_scratch(settings, weights)
        self.sketch: Scratch = make_scratch(sketch, weights)
        self._remember(0)

    def _remember(self, rows: int) -> None:
        self._plans = np.zeros(rows, PLAN)
        self._expected = make_states(rows)
        self._expected_words = words_of(self._expected)

    def memory(self) -> dict[str, np.ndarray]:
        """What is remembered between calls, as bytes: shape ``(rows, size)`` uint8."""
        return {"plans": bytes_of(self._plans), "expected": bytes_of(self._expected)}

    def put_back(self, memory: Mapping[str, np.ndarray]) -> None:
        """The inverse of :meth:`memory`."""
        self._remember(len(memory["plans"]))
        bytes_of(self._plans)[:] = memory["plans"]
        bytes_of(self._expected)[:] = memory["expected"]

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Legal actions, shape ``(R,)`` int64, one for each of ``rows``; ``rng`` is not used."""
        if len(self._plans) != len(states):
            self._remember(len(states))
        actions = np.empty(len(rows), np.int64)
        turn_choices(
            states,
            words_of(states),
            rows,
            self._plans,
            self._expected,
            self._expected_words,
            self.scratch,
            self.sketch,
            actions,
        )
        return actions
