"""The games of the notebooks as tables, made where they are not there yet."""

from __future__ import annotations

import functools
import sys
import time
from pathlib import Path
from typing import Final

import pandas as pd

from terracotta_agents.dataset.army import ARMY
from terracotta_agents.dataset.folder import DatasetError
from terracotta_agents.dataset.making import Settings, make_dataset
from terracotta_agents.dataset.reading import read
from terracotta_env.army import GAME

from .page import write_section
from .settings import SEED, folder, full, wanted

_WAIT_SECONDS: Final = 0.5


@functools.cache
def path_of(name: str) -> Path:
    """Folder of a data set, made or gone on with first.  Another notebook that makes it at the same time is waited
    for."""
    want, path = wanted()[name], folder() / name
    settings = Settings(
        GAME.module, GAME.name, want.agents, want.games, SEED, want.board, want.rotate, True, extras=ARMY.module
    )
    while True:
        try:
            make_dataset(settings, path)
            return path
        except DatasetError as error:
            if "is being written" not in str(error):
                raise
            time.sleep(_WAIT_SECONDS)


def table(name: str, of: str, columns: list[str] | None = None) -> pd.DataFrame:
    """A table of a data set, see ``docs/dataset.md``."""
    frame: pd.DataFrame = read(path_of(name), of, columns).to_pandas()
    return frame


def points_by_source(name: str) -> pd.DataFrame:
    """One row a seat of a game: final points by source, 0 where there were none."""
    ledger = table(name, "ledger")
    sums = ledger.pivot_table(
        index=["game", "seat"], columns="source", values="points", aggfunc="sum", observed=False, fill_value=0
    )
    seats = table(name, "ranks", ["game", "seat"])
    return sums.reindex(pd.MultiIndex.from_frame(seats), fill_value=0)


def points_by_round(name: str) -> pd.DataFrame:
    """One row a seat and round of a game: its place in the turn order, and the points it scored in that round."""
    turns = table(name, "turns", ["game", "turn", "seat", "round", "place"])
    rounds = turns[["game", "turn", "round"]]
    scored = table(name, "ledger").merge(rounds, on=["game", "turn"]).groupby(["game", "seat", "round"]).points.sum()
    places = turns.groupby(["game", "seat", "round"], as_index=False).place.first()
    return places.merge(scored.reset_index(), how="left").fillna({"points": 0})


def specialists(turns: pd.DataFrame) -> pd.DataFrame:
    """The turns in which a Specialist was built, with its ``kind``."""
    kinds = turns.outer.astype(str)
    built = kinds.str.startswith("specialist:") & (turns.outer_choice == "perform")
    return turns[built].assign(kind=kinds[built].str.removeprefix("specialist:"))


def main() -> None:
    """Make every data set of this level: ``python -m strategy.sets`` in the folder of the notebooks."""
    for name, want in wanted().items():
        began = time.monotonic()
        path_of(name)
        print(f"{name}: {want.games} games, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    if full():
        commands = [f"{want.command} --out runs/notebooks/full/{name}" for name, want in wanted().items()]
        write_section("10", "## 10 The games\n\n```sh\n" + "\n".join(commands) + "\n```")


if __name__ == "__main__":
    main()
