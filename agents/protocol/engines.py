"""What analyses a position: a search that runs in slices, so that it can be stopped, or any bot asked once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from terracotta_env.policy import Policy, ask, stream
from terracotta_env.position import Position

from ..evaluation import Evaluator
from ..registry import BOTS, FAMILIES, AgentError, make_agent
from ..search.agent import MOST_NODES, TreeBot
from ..search.search import SearchResult

SLICE_SECONDS: Final = 0.02  # between two looks at whether to stop
SEED: Final = 0  # the same question gets the same answer


@dataclass(frozen=True)
class Budget:
    """When to stop; what is None is left to the engine.  A deadline counts from the beginning of the search."""

    simulations: int | None = None
    milliseconds: float | None = None


@dataclass(frozen=True)
class Analysis:
    """What was found; seats index ``values``.

    Attributes:
        best: token of the action to take.
        visits: by token, all legal ones.
        values: mean value of the position by seat, in [-1, 1]; None from engines that have no values.
        action_values: the same for each action that was tried.
        line: tokens of the principal line, ``best`` first.
        simulations: done.
        stopped: what ended it: ``simulations``, ``deadline``, ``cancelled``.
    """

    best: str
    visits: dict[str, int]
    values: list[float] | None
    action_values: dict[str, list[float]]
    line: list[str]
    simulations: int
    stopped: str


def make_engine(code: str) -> Policy:
    """The bot of a code that a request may name.

    Requests may come from other programs: of all codes only those are open to them that run nothing of theirs and read
    no files.

    Raises:
        AgentError: says what is known.
    """
    word, _, rest = code.partition(":")
    family = FAMILIES.get(word)
    if code not in BOTS and (family is None or not family.opens(rest.split(",")[0])):
        known = ", ".join([*BOTS, *(usage for family in FAMILIES.values() for usage in family.usages)])
        raise AgentError(f"no engine {code!r} for analysis: known are {known}")
    return make_agent(code)


def analyse(policy: Policy, position: Position, budget: Budget, asked_to_stop: Callable[[], bool]) -> Analysis:
    """Analyse a position that is not over; always the same way, whatever was analysed before."""
    if isinstance(policy, TreeBot):
        return _search(policy, position, budget, asked_to_stop)
    policy.begin(SEED)
    best = position.game.tokens[ask(policy, position)]
    visits = {token: int(token == best) for token in position.legal()}
    ranks = policy.evaluate(position).ranks if isinstance(policy, Evaluator) else None
    values = None if ranks is None else [round(float(rank), 6) for rank in ranks]
    return Analysis(best, visits, values, {}, [best], 1, "simulations")


def _search(policy: TreeBot, position: Position, budget: Budget, asked_to_stop: Callable[[], bool]) -> Analysis:
    simulations, milliseconds = policy.simulations, _least(policy.milliseconds, budget.milliseconds)
    if budget.simulations is not None:
        simulations = budget.simulations
        # room for what is asked now instead of what the code says; a search that exists is made anew by a new policy
        policy.capacity = max(policy.capacity, min(MOST_NODES, 2 * math.ceil(simulations / policy.threads) + 64))
    search = policy.search_for(position.game)
    search.reuse = True  # slices go on with the tree of the slice before
    search.begin(stream(SEED))
    start = time.perf_counter()
    until = math.inf if milliseconds is None else start + milliseconds / 1000
    done, size = 0, policy.threads
    while True:
        left = math.inf if simulations is None else simulations - done
        begun = time.perf_counter()
        result = search.run(position, simulations=int(min(size, left)))
        now = time.perf_counter()
        done += result.simulations
        if simulations is not None and done >= simulations:
            return _analysis(position, result, done, "simulations")
        if asked_to_stop():
            return _analysis(position, result, done, "cancelled")
        if now >= until:
            return _analysis(position, result, done, "deadline")
        wanted = min(SLICE_SECONDS, until - now) * result.simulations / max(now - begun, 1e-9)
        # whole rounds of the threads, so that slices share the simulations as one search would
        size = policy.threads * max(1, int(min(2 * size, wanted)) // policy.threads)


def _least(*limits: float | None) -> float | None:
    return min((limit for limit in limits if limit is not None), default=None)


def _analysis(position: Position, result: SearchResult, simulations: int, stopped: str) -> Analysis:
    tokens = [position.game.tokens[action] for action in result.actions]
    tried = {
        token: [round(float(value), 6) for value in values]
        for token, values in zip(tokens, result.values)
        if not np.isnan(values).any()
    }
    best = position.game.tokens[result.best]
    visits = {token: int(count) for token, count in zip(tokens, result.visits)}
    line = list(result.line)
    if line[:1] != [best]:  # with several trees, or of equals, the most visited edge of one tree is another one
        line = [best]
    return Analysis(best, visits, [round(float(v), 6) for v in result.value], tried, line, simulations, stopped)
