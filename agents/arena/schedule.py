"""Which games an arena plays: pure functions of agents, numbers of players, games and nothing else.

Letters: ``n`` seats of a game, ``k`` agents.  A *line-up* is who meets whom; a *setup* is a number from 0, the same one
for all line-ups; a *game* is a setup with one agent in each seat.

    k >= n   every combination of n different agents is a line-up;
    k < n    every ordered pair of agents is one: the first alone among n - 1 of the second.

A line-up plays each setup n times, moved on by one seat each time, so that every agent sits once in every seat of it.
Who follows whom round the table changes with the setup, through all cyclic orders.

A game's name says everything about it (players, setup, who sits where), so it stays the same when agents, numbers of
players or games are added.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from terracotta_env.errors import TerracottaError


class ArenaError(TerracottaError, ValueError):
    """An arena that cannot be played as it was asked for."""


@dataclass(frozen=True)
class Scheduled:
    """One game to play.

    Attributes:
        name: unique and stable, e.g. ``3p:17:busy|random|greedy``: players, setup, agents by seat.
        players: n.
        setup: number of the setup among those for n players, from 0.
        seats: index of the agent in each seat, n entries.
    """

    name: str
    players: int
    setup: int
    seats: tuple[int, ...]


def labels(codes: Sequence[str]) -> list[str]:
    """A different name for each agent: its code, numbered where one code is given several times."""
    total, seen = Counter(codes), Counter[str]()
    out = []
    for code in codes:
        seen[code] += 1
        out.append(code if total[code] == 1 else f"{code}#{seen[code]}")
    if len(set(out)) != len(out):
        raise ArenaError(f"agents: two of {', '.join(out)} would have the same name")
    return out


def line_ups(agents: int, players: int) -> list[tuple[int, ...]]:
    """Index of each agent that takes part, n entries a line-up."""
    if agents < 2:
        raise ArenaError("agents: at least two are needed (the same one twice to see how much is chance)")
    if agents >= players:
        return list(itertools.combinations(range(agents), players))
    return [(one, *[other] * (players - 1)) for one, other in itertools.permutations(range(agents), 2)]


def rotations(line_up: Sequence[int], setup: int) -> list[tuple[int, ...]]:
    """The n seatings of a line-up on a setup, each the last one moved on by a seat.

    The cyclic order changes with the setup, so over (n - 1)! setups each agent has every other one before it equally
    often.
    """
    first, *others = line_up
    orders = list(dict.fromkeys(itertools.permutations(others)))
    table = (first, *orders[setup % len(orders)])
    return [table[-shift:] + table[:-shift] for shift in range(len(table))]


def setups_for(games: int, players: int) -> int:
    """Number of setups for at least ``games`` games of a line-up."""
    return -(-games // players)


def schedule(names: Sequence[str], setups: dict[int, int]) -> Iterator[Scheduled]:
    """All games, setup by setup, so that the part that is played at any moment is balanced up to one setup.

    Args:
        names: labels of the agents, k entries.
        setups: number of setups for each number of players.
    """
    teams = {players: line_ups(len(names), players) for players in setups}
    for setup in range(max(setups.values(), default=0)):
        for players, count in setups.items():
            if setup >= count:
                continue
            for team in teams[players]:
                for seats in rotations(team, setup):
                    who = "|".join(names[agent] for agent in seats)
                    yield Scheduled(f"{players}p:{setup}:{who}", players, setup, seats)


def number_of(name: str) -> int:
    """A 64-bit number for a game's name, from which its bots' random streams branch off."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")
