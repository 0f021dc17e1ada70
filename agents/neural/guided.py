"""``az:PATH:SIMULATIONS``: tree search guided by a network, as a player of one game or of many.

``az:default:200``                 the network that comes with the package, 200 simulations a decision
``az:runs/alphazero:50ms``         50 milliseconds a decision, the network of a run folder
``az:default:200,rule=gumbel``     options after the budget; see :data:`OPTIONS`
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from torch import nn

from terracotta_agents.rows import MakeRows, ParallelRows
from terracotta_agents.search.agent import (
    MOST_NODES,
    MOST_SIMULATIONS,
    MOST_THREADS,
    UTILITIES,
    Option,
    choice_of,
    number_in,
    read_budget,
    read_options,
    whole_in,
)
from terracotta_agents.search.guided import GUMBEL, ROOT_RULES, GuidedSearch, RootSettings
from terracotta_agents.search.search import SearchResult, read_result
from terracotta_agents.search.settings import Settings
from terracotta_agents.search.tree import ROOT
from terracotta_env.army import GAME
from terracotta_env.game import Game, whole
from terracotta_env.policy import stream
from terracotta_env.position import Position

from .actor import Actor
from .evaluator import NetworkEvaluator
from .loading import load_player
from .single import one_thread
from .store import StoreError

VERSION: Final = 1
ROOM: Final = 64  # nodes a tree can hold beside twice the simulations of a search: what is kept and what is new
SIMULATIONS_PER_MILLISECOND: Final = 10  # of one position: more than there are
PLAYING: Final = RootSettings(rule="puct")  # of a player: no noise is ever drawn

OPTIONS: Final[Mapping[str, Option]] = MappingProxyType(
    {
        "rule": choice_of({rule: rule for rule in ROOT_RULES}),
        "c": number_in(0, 1e6),
        "fpu": number_in(-1e6, 1e6),
        "utility": choice_of(UTILITIES),
        "scale": number_in(1e-9, 1e9),
        "considered": whole_in(1, 4096),
        "visit_offset": number_in(0, 1e6),
        "value_scale": number_in(0, 1e6),
        "threads": whole_in(1, MOST_THREADS),
    }
)


class NetworkSearch:
    """Search of one position at a time along a game, as :class:`terracotta_agents.search.search.Search`.

    Args:
        game, settings, root, capacity, reuse: as there and of :class:`terracotta_agents.search.guided.GuidedSearch`.
        network: int8 observations to logits and values; it is copied.
    """

    def __init__(
        self, game: Game, network: nn.Module, settings: Settings, root: RootSettings, capacity: int, reuse: bool = True
    ) -> None:
        self.game, self.reuse = game, reuse
        evaluator = NetworkEvaluator(game, network, settings, half=False)  # one row: there is nothing to gain
        self.guided = GuidedSearch(game, 1, capacity, settings, root, evaluator)
        self._row = np.zeros(1, np.int64)
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Forget everything and seed the order of equally good actions."""
        forest = self.guided.batch.forest
        forest.seed(seed)
        forest.trees["nodes"] = 0

    def run(
        self, position: Position, simulations: int | None = None, milliseconds: float | None = None
    ) -> SearchResult:
        """Search a position that is not over; the evaluation of a fresh root is not counted.

        Args:
            simulations: how many to do; visits that were kept do not count.
            milliseconds: or how long to search, at least one simulation.
        """
        start, row, guided = time.perf_counter(), self._row, self.guided
        if self.reuse:
            guided.turn_to(row, position.states)
        else:
            guided.batch.plant(row, position.states)
        reused = int(guided.batch.forest.edges["visits"][0, ROOT])
        with one_thread():
            guided.ask(row, np.array([1 if simulations is None else simulations]))
            guided.run(row)
            if milliseconds is not None:
                guided.ask(row, np.array([MOST_SIMULATIONS]))
                while time.perf_counter() - start < milliseconds / 1000:
                    guided.step(row)
        found = read_result(guided.batch.forest, reused, time.perf_counter() - start)
        return found if reused else replace(found, simulations=found.simulations - 1)


class AzAgent:
    """Searches every decision with a network.

    Args:
        game: the rules.
        network: int8 observations to logits and values.
        simulations, milliseconds: the budget of a decision, one of them.
        settings, root: of the search.
        name: how records call it.
    """

    version = VERSION
    threads = 1

    def __init__(
        self,
        game: Game,
        network: nn.Module,
        simulations: int | None = None,
        milliseconds: int | None = None,
        settings: Settings | None = None,
        root: RootSettings = PLAYING,
        name: str = "az",
    ) -> None:
        self.game, self.network, self.name, self.root = game, network, name, root
        self.simulations, self.milliseconds = simulations, milliseconds
        self.settings = settings if settings is not None else Settings()
        budget = simulations if simulations is not None else (milliseconds or 0) * SIMULATIONS_PER_MILLISECOND
        self.capacity = min(MOST_NODES, 2 * budget + ROOM)
        self.last: SearchResult | None = None
        self._search: NetworkSearch | None = None
        self._seed = 0

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        self._seed, self.last = seed, None
        if self._search is not None:
            self._search.begin(stream(seed))

    def search_for(self, game: Game) -> NetworkSearch:
        """Its search, made at the first position of a game."""
        if self._search is None:
            self._search = NetworkSearch(game, self.network, self.settings, self.root, self.capacity)
            self._search.begin(stream(self._seed))
        return self._search

    def act(self, position: Position, mask: np.ndarray) -> int:
        """The action that the search found best; :attr:`last` tells what else it found."""
        search = self.search_for(position.game)
        self.last = search.run(position, self.simulations, self.milliseconds)
        return int(search.guided.found(np.zeros(1, np.int64)).actions[0])


class GuidedRows:
    """The same in many games at once: their trees grow side by side, and what they hold is kept from call to call.

    Args:
        game: the rules.
        network: int8 observations to logits and values.
        simulations: of each decision.
        settings, root: of the search.
        half: use bfloat16.
    """

    def __init__(
        self,
        game: Game,
        network: nn.Module,
        simulations: int,
        settings: Settings | None = None,
        root: RootSettings = PLAYING,
        half: bool = True,
    ) -> None:
        self.game, self.simulations, self.root = game, simulations, root
        self.settings = settings if settings is not None else Settings()
        self._evaluator = NetworkEvaluator(game, network, self.settings, half=half)
        self._search: GuidedSearch | None = None
        self._trees = 0

    def act(self, states: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """See :class:`terracotta_env.policy.RowPolicy`; tree number k belongs to row k, so rows should keep games."""
        if self._search is None or len(states) > self._trees:
            self._trees, capacity = len(states), 2 * self.simulations + ROOM
            # memory that no game uses is never touched, so it costs nothing
            self._search = GuidedSearch(self.game, self._trees, capacity, self.settings, self.root, self._evaluator)
        search = self._search
        search.turn_to(rows, whole(states)[rows].view(states.dtype))
        search.ask(rows, np.full(len(rows), self.simulations))
        with one_thread():
            search.run(rows)
        return search.found(rows).actions


@dataclass(frozen=True)
class _Asked:
    """What a code says.

    Attributes:
        network: of its path.
        simulations, milliseconds: the budget, one of them.
        threads: of many games at once.
        given: further arguments of both kinds of player.
    """

    network: nn.Module
    simulations: int | None
    milliseconds: int | None
    threads: int
    given: dict[str, Any]


def _read(argument: str, options: Mapping[str, str]) -> _Asked:
    where, separator, budget = argument.rpartition(":")
    if not separator or not where:
        raise ValueError(f"expected PATH:SIMULATIONS, as in az:default:200, got {argument!r}")
    simulations, milliseconds = read_budget(budget)
    values = read_options(options, OPTIONS)
    threads = values.pop("threads", 1)
    if "utility" in values:
        values["margin"] = values.pop("utility")
    of_root = {field.name for field in fields(RootSettings)}
    root = replace(PLAYING, **{key: value for key, value in values.items() if key in of_root})
    settings = Settings(**{key: value for key, value in values.items() if key not in of_root})
    if simulations is None and root.rule == GUMBEL:
        raise ValueError("rule: gumbel shares out a number of simulations; give no milliseconds")
    network = load_player(where, GAME)
    if isinstance(network, Actor):
        raise StoreError(f"{where}: holds an actor of `train sb3`, which has no values: a search needs a network")
    return _Asked(network, simulations, milliseconds, threads, {"settings": settings, "root": root})


def make_az(argument: str, options: Mapping[str, str], code: str) -> AzAgent:
    """The bot of a code ``az:PATH:SIMULATIONS,c=1.5``, taken apart.

    Raises:
        ValueError: names what was given and what is allowed.
    """
    asked = _read(argument, options)
    return AzAgent(GAME, asked.network, asked.simulations, asked.milliseconds, name=code, **asked.given)


def make_az_rows(argument: str, options: Mapping[str, str], code: str) -> MakeRows | None:
    """What makes the row policy of such a code; None for a budget in milliseconds, which belongs to one game.

    Raises ``ValueError`` as :func:`make_az`.
    """
    asked = _read(argument, options)
    simulations = asked.simulations
    if simulations is None:
        return None

    def make() -> GuidedRows:
        return GuidedRows(GAME, asked.network, simulations, **asked.given)

    return make if asked.threads == 1 else lambda: ParallelRows(make, asked.threads)
