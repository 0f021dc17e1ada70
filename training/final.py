"""The matches after a run: the network's best action against each opponent of ``evaluation.opponents``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.registry import close_agents, make_agent
from terracotta_agents.rows import MakeRows, SingleRow

from .checkpoint import copied
from .evaluate import Match, play_match
from .matches import play_rows

if TYPE_CHECKING:
    from .run import Run

Bar = Callable[[str, int], Callable[[Iterator[int]], Iterator[int]]]


def final_matches(run: Run, bots: Mapping[str, MakeRows], bar: Bar) -> list[Match]:
    """Play them all, with two players or, where the run has none, with the fewest it has.

    Args:
        run: trained.
        bots: those that can play many games at once; any other code of the registry plays one game after another.
        bar: opponent's code and number of setups to what shows the progress of a slow match.
    """
    settings, board = run.config.evaluation, run.config.run.boards[0]
    players = 2 if 2 in run.config.run.players else min(run.config.run.players)
    agent = NetworkRows(run.game, copied(run.network).cpu(), sample=False)
    matches = []
    for code in settings.opponents:
        asked = (players, settings.games, settings.seed)
        if code in bots:
            matches.append(play_rows(run.game, agent, bots[code](), *asked, ("net", code), board))
            continue
        opponents = [make_agent(code) for _ in range(players - 1)]
        left = iter(opponents)
        try:
            progress = bar(code, math.ceil(settings.games / players))
            make_both = (lambda: SingleRow(agent, "net"), lambda left=left: next(left))
            matches.append(play_match(run.game, *make_both, *asked, board, progress))
        finally:
            close_agents(opponents)
    return matches
