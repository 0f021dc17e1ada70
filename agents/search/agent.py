"""The bot ``mcts``: tree search with roll-outs as a player, and its short codes.

``mcts:1000``                      1000 simulations a decision
``mcts:200ms``                     200 milliseconds a decision
``mcts:1000,rollout=busy,c=1.4``   options after the budget; see :data:`OPTIONS`
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from terracotta_env.game import Game
from terracotta_env.policy import stream
from terracotta_env.position import Position
from terracotta_env.rollout import Rollout, find_rollout

from .search import Search, SearchResult
from .settings import RULES, Settings

VERSION: Final = 1
DEFAULT_ROLLOUT: Final = "busy"  # of codes; whoever makes codes into bots has registered it
MOST_SIMULATIONS: Final = 10_000_000
MOST_NODES: Final = 100_000  # stored by default at most: 160 MB in Terracotta Army, used as the tree grows
NODES_PER_MILLISECOND: Final = 50
MOST_THREADS: Final = 256


@dataclass(frozen=True)
class Option:
    """One option of a code: ``read`` makes its value from the text or raises ``ValueError``."""

    read: Callable[[str], Any]
    allowed: str


def number_in(low: float, high: float) -> Option:
    """A number from ``low`` to ``high``."""

    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return Option(read, f"a number in {low:g}..{high:g}")


def whole_in(low: int, high: int, word: str = "", meaning: int | None = None) -> Option:
    """A whole number from ``low`` to ``high``, or a word that means one."""

    def read(text: str) -> int | None:
        if word and text == word:
            return meaning
        value = int(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return Option(read, f"a whole number in {low}..{high}" + (f" or {word!r}" if word else ""))


def choice_of(words: Mapping[str, Any]) -> Option:
    """One of some words, each with what it means."""

    def read(text: str) -> Any:
        if text not in words:
            raise ValueError(text)
        return words[text]

    return Option(read, f"one of {', '.join(words)}")


# what `utility` means: the share of the margin in the utility of final positions
UTILITIES: Final = MappingProxyType({"rank": 0.0, "blend": 0.5, "margin": 1.0})

OPTIONS: Final[Mapping[str, Option]] = MappingProxyType(
    {
        "rollout": Option(find_rollout, "the name of a roll-out policy"),
        "rule": choice_of({rule: rule for rule in RULES}),
        "c": number_in(0, 1e6),
        "fpu": Option(lambda text: _finite_or_inf(text), "a number or 'inf'"),
        "utility": choice_of(UTILITIES),
        "scale": number_in(1e-9, 1e9),
        "depth": whole_in(0, 1 << 30, "end"),
        "grid": whole_in(0, 4096),
        "mix": number_in(0, 1),
        "threads": whole_in(1, MOST_THREADS),
        "capacity": whole_in(1, 100_000_000),
        "reuse": choice_of({"yes": True, "no": False}),
    }
)


def _finite_or_inf(text: str) -> float:
    value = float(text)
    if math.isnan(value):
        raise ValueError(text)
    return value


class Tree(Protocol):
    """A search of one position at a time, see :class:`terracotta_agents.search.search.Search`."""

    reuse: bool

    def begin(self, seed: int) -> None:
        """Forget everything."""

    def run(
        self, position: Position, simulations: int | None = None, milliseconds: float | None = None
    ) -> SearchResult:
        """Search a position that is not over."""


@runtime_checkable
class TreeBot(Protocol):
    """A bot that searches a tree, whose search others may run themselves, for analysis.

    Attributes:
        simulations, milliseconds: budget of a decision, one of them.
        threads: trees grown at the same time.
        capacity: nodes each tree can hold, of a search that is still to be made.
    """

    name: str
    version: int
    simulations: int | None
    milliseconds: int | None
    threads: int
    capacity: int

    def begin(self, seed: int) -> None:
        """See :class:`terracotta_env.policy.Policy`."""

    def act(self, position: Position, mask: np.ndarray) -> int:
        """The same."""

    def search_for(self, game: Game) -> Tree:
        """Its search, made at the first position of a game."""


class Mcts:
    """Searches every decision and takes the most visited action.

    Args:
        simulations, milliseconds: the budget of a decision, one of them.
        settings, rollout: see :class:`terracotta_agents.search.search.Search`.
        threads, reuse: the same.
        capacity: nodes each tree can hold; None: enough for this budget and as much again that is kept, at most
            :data:`MOST_NODES`.
        name: what records and ratings call it.
    """

    version = VERSION

    def __init__(
        self,
        simulations: int | None = None,
        milliseconds: int | None = None,
        settings: Settings | None = None,
        rollout: str | Rollout = "random",
        threads: int = 1,
        reuse: bool = True,
        capacity: int | None = None,
        name: str | None = None,
    ) -> None:
        if (simulations is None) == (milliseconds is None):
            raise ValueError("mcts: expected either simulations or milliseconds")
        budget = simulations if simulations is not None else milliseconds
        assert budget is not None
        if budget < 1:
            raise ValueError(f"mcts: expected a budget of at least 1, got {budget!r}")
        self.simulations, self.milliseconds = simulations, milliseconds
        self.settings = settings if settings is not None else Settings()
        self.rollout = find_rollout(rollout) if isinstance(rollout, str) else rollout
        self.threads, self.reuse = threads, reuse
        wanted = budget if simulations is not None else budget * NODES_PER_MILLISECOND
        self.capacity = capacity if capacity is not None else min(MOST_NODES, 2 * math.ceil(wanted / threads) + 64)
        self.name = name if name is not None else f"mcts:{budget}{'' if simulations is not None else 'ms'}"
        self.last: SearchResult | None = None
        self._search: Search | None = None
        self._seed = 0

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        self._seed = seed
        self.last = None
        if self._search is not None:
            self._search.begin(stream(seed))

    def search_for(self, game: Game) -> Search:
        """Its search, made at the first position of a game."""
        if self._search is None or self._search.game is not game:
            self._search = Search(game, self.settings, self.rollout, self.capacity, self.threads, self.reuse)
            self._search.begin(stream(self._seed))
        return self._search

    def act(self, position: Position, mask: np.ndarray) -> int:
        """The most visited action; :attr:`last` tells what was found."""
        self.last = self.search_for(position.game).run(position, self.simulations, self.milliseconds)
        return self.last.best


def read_budget(text: str) -> tuple[int | None, int | None]:
    """Simulations and milliseconds, one of them, of ``1000`` or ``200ms``.  Raises ``ValueError``."""
    match = re.fullmatch(r"([0-9]+)(ms)?", text, re.ASCII)
    budget = int(match[1]) if match else 0
    if match is None or not 1 <= budget <= MOST_SIMULATIONS:
        raise ValueError(
            f"budget: expected simulations (1000) or milliseconds (200ms), 1..{MOST_SIMULATIONS}, got {text!r}"
        )
    return (None, budget) if match[2] else (budget, None)


def read_options(texts: Mapping[str, str], known: Mapping[str, Option]) -> dict[str, Any]:
    """Values of options.  Raises ``ValueError`` that names the option, what was given and what is allowed."""
    given: dict[str, Any] = {}
    for key, text in texts.items():
        if key not in known:
            raise ValueError(f"{key}: no such option; known are {', '.join(known)}")
        try:
            given[key] = known[key].read(text)
        except (ValueError, OverflowError) as error:
            reason = str(error) if key == "rollout" else f"expected {known[key].allowed}, got {text!r}"
            raise ValueError(f"{key}: {reason}") from None
    return given


def make_mcts(argument: str, options: Mapping[str, str], code: str) -> Mcts:
    """The bot of a code, taken apart: ``argument`` before the options.

    Raises:
        ValueError: names the option, what was given and what is allowed.
    """
    simulations, milliseconds = read_budget(argument)
    options = {"rollout": DEFAULT_ROLLOUT, **options}
    given = read_options(options, OPTIONS)
    if "utility" in given:
        given["margin"] = given.pop("utility")
    if given.get("rule") == "uct":
        given.setdefault("fpu", math.inf)
    own = {field.name for field in fields(Settings)}
    settings = Settings(**{key: value for key, value in given.items() if key in own})
    rest = {key: value for key, value in given.items() if key not in own}
    return Mcts(simulations, milliseconds, settings, name=code, **rest)
