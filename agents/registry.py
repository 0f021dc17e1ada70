"""Bots by short code.

``random``, ``busy``, ``greedy``, ``planner``, ``mcts:1000``, ``net:PATH`` for a network, ``az:PATH:200`` for search
with one, ``module:Class`` for an own one, ``cmd:COMMAND`` for a program in any language (``docs/protocol.md``).  A bot
without arguments is entered in :data:`BOTS`, one with arguments in :data:`FAMILIES`.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from terracotta_env.army import GAME
from terracotta_env.errors import TerracottaError
from terracotta_env.policy import Policy

from .busy import Busy
from .greedy.bot import Greedy
from .planner.bot import Planner
from .random_bot import Random
from .rows import ROW_BOTS, MakeRows


class AgentError(TerracottaError, ValueError):
    """A code that names no bot."""


BOTS: Final[Mapping[str, Callable[[], Policy]]] = MappingProxyType(
    {"random": Random, "busy": Busy, "greedy": Greedy, "planner": Planner}
)


@dataclass(frozen=True)
class Family:
    """Bots made from a code ``word:ARGUMENT,option=value,..``.

    Attributes:
        usage: form of the codes, for messages.
        module, maker: where ``maker(argument, options, code)`` stands, imported when it is asked for; it raises
            ``ValueError`` that names the option, what was given and what is allowed.
        shipped: where arguments name files: those that come with the package, which anybody may ask for; None where no
            argument names a file.
        budgeted: the argument is a file's and, after a colon, a budget.
        rows: ``rows(argument, options, code)`` beside the maker: makes what makes the bot as a row policy, or is None
            where this code plays one game at a time.
    """

    usage: str
    module: str
    maker: str
    shipped: tuple[str, ...] | None = None
    budgeted: bool = False
    rows: str | None = None

    def opens(self, argument: str) -> bool:
        """Whether anybody may ask for a bot of this argument: it names no file, or one that comes with the package."""
        where = argument.rpartition(":")[0] if self.budgeted else argument
        return self.shipped is None or where in self.shipped

    @property
    def usages(self) -> list[str]:
        """Forms of the codes that are open to anybody."""
        return [self.usage] if self.shipped is None else [self.usage.replace("PATH", name) for name in self.shipped]


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "mcts": Family("mcts:SIMULATIONS", "terracotta_agents.search.agent", "make_mcts"),
        "net": Family("net:PATH", "terracotta_agents.neural.agent", "make_net", ("default",), rows="make_net_rows"),
        "az": Family(
            "az:PATH:SIMULATIONS",
            "terracotta_agents.neural.guided",
            "make_az",
            ("default",),
            budgeted=True,
            rows="make_az_rows",
        ),
        "net-sample": Family(
            "net-sample:PATH", "terracotta_agents.neural.agent", "make_net", ("default",), rows="make_net_rows"
        ),
    }
)


def split_codes(text: str) -> list[str]:
    """Codes separated by commas; a part ``option=value`` belongs to the code before it.

    ``random,mcts:1000,rollout=busy,c=2,busy`` are three.
    """
    codes: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if codes and re.match(r"[a-z_]+=", part):
            codes[-1] += f",{part}"
        else:
            codes.append(part)
    return codes


def read_options(code: str, parts: Sequence[str]) -> dict[str, str]:
    """``option=value`` parts of a code as a table."""
    options: dict[str, str] = {}
    for part in parts:
        key, separator, value = part.partition("=")
        if not separator:
            raise AgentError(f"agent {code!r}: expected option=value, got {part!r}")
        if key in options:
            raise AgentError(f"agent {code!r}: {key}: is given twice")
        options[key] = value
    return options


def _of_family(family: Family, maker: str, code: str) -> Any:
    argument, *parts = code.partition(":")[2].split(",")
    options = read_options(code, parts)
    try:
        return getattr(importlib.import_module(family.module), maker)(argument, options, code)
    except ValueError as error:
        raise AgentError(f"agent {code!r}: {error}") from None


def make_rows(code: str) -> MakeRows | None:
    """What makes the bot of a code as a row policy; None where it plays one game at a time.

    Raises:
        AgentError: says what is known.
    """
    if code in ROW_BOTS:
        return ROW_BOTS[code]
    family = FAMILIES.get(code.partition(":")[0])
    if family is None or family.rows is None:
        return None
    made: MakeRows | None = _of_family(family, family.rows, code)
    return made


def make_agent(code: str, own: Mapping[str, Callable[[], Policy]] = MappingProxyType({})) -> Policy:
    """A fresh bot.  One that runs a program is to be closed in the end, see :func:`close_agents`.

    Args:
        code: a name of :data:`BOTS`; one of :data:`FAMILIES` with its argument and options; ``cmd:COMMAND`` for
            a program (:class:`terracotta_agents.protocol.agent.ExternalBot`); or ``module:Class``
            of a class without required arguments that satisfies
            :class:`terracotta_env.policy.Policy`.
        own: further bots by name, e.g. of ``--bot-cmd``.

    Raises:
        AgentError: says what is known.
    """
    if code in own:
        return own[code]()
    if code in BOTS:
        return BOTS[code]()
    module, separator, name = code.partition(":")
    if module in FAMILIES:
        of_family: Policy = _of_family(FAMILIES[module], FAMILIES[module].maker, code)
        return of_family
    if module == "cmd":
        from .protocol.agent import ExternalBot

        return ExternalBot(name, GAME)
    if not separator:
        known = ", ".join([*BOTS, *(family.usage for family in FAMILIES.values()), "cmd:COMMAND", *own])
        raise AgentError(f"no agent {code!r}: known are {known}, or an own one as module:Class")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # an installed command does not look into the folder it is called in
    try:
        agent = getattr(importlib.import_module(module), name)()
    except Exception as error:  # the code is not ours: it may fail in any way
        raise AgentError(f"agent {code!r} cannot be made: {error}") from None
    for attribute in ("name", "version", "begin", "act"):
        if not hasattr(agent, attribute):
            raise AgentError(
                f"agent {code!r} lacks {attribute!r}: it must have name, version, begin(seed), act(position, mask)"
            )
    made: Policy = agent
    return made


def make_agents(
    codes: Sequence[str], players: int, own: Mapping[str, Callable[[], Policy]] = MappingProxyType({})
) -> list[Policy]:
    """One bot for each seat; see :func:`make_agent`.  A single code serves all seats."""
    if len(codes) == 1:
        codes = list(codes) * players
    if len(codes) != players:
        raise AgentError(f"agents: expected {players} codes for {players} players (or one for all), got {len(codes)}")
    agents: list[Policy] = []
    try:
        for code in codes:
            agents.append(make_agent(code, own))
    except BaseException:
        close_agents(agents)
        raise
    return agents


def close_agents(agents: Iterable[Policy]) -> None:
    """End the programs that bots run."""
    for agent in agents:
        if callable(close := getattr(agent, "close", None)):
            close()
