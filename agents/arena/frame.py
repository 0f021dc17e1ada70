"""Results as a table with one row for each seat of each game, for statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from .outcome import win_credit


def frame(results: Sequence[Mapping[str, Any]], sources: Sequence[str]) -> pd.DataFrame:
    """One row a seat, ordered by game and seat whatever the order of the results.

    Columns: game, players, setup, cluster (setup and number of players), seat, place (in the order of play, 0 first),
    agent, win (0..1), rank, vp, forfeited (by this seat), finished (the game has an end), asked (decisions that were
    timed), seconds, slowest, and one column ``source:NAME`` for each source of points.
    """
    rows = []
    for result in sorted(results, key=lambda result: str(result["game"])):
        wins = win_credit(result["ranks"])
        forfeit = result["forfeit"]
        for seat, agent in enumerate(result["agents"]):
            rows.append(
                {
                    "game": result["game"],
                    "players": result["players"],
                    "setup": result["setup"],
                    "cluster": f"{result['players']}:{result['setup']}",
                    "seat": seat,
                    "place": result["order"].index(seat),
                    "agent": agent,
                    "win": wins[seat],
                    "rank": result["ranks"][seat],
                    "vp": result["vp"][seat],
                    "forfeited": forfeit is not None and forfeit["seat"] == seat,
                    "finished": forfeit is None,
                    "asked": result["asked"][seat],
                    "seconds": result["seconds"][seat],
                    "slowest": result["slowest"][seat],
                    **{f"source:{name}": result["sources"][seat][column] for column, name in enumerate(sources)},
                }
            )
    return pd.DataFrame(rows)
