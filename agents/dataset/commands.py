"""The command ``dataset``."""

from __future__ import annotations

import importlib.util
import sys
from contextlib import suppress
from pathlib import Path

import click


@click.command()
@click.option(
    "--agents",
    required=True,
    metavar="A,B,..",
    help="Bots by seat, two to four: random, busy, greedy, planner, net:default, mcts:1000, module:Class, cmd:COMMAND.",
)
@click.option("--games", type=click.IntRange(1, 2**31 - 1), required=True, help="Number of games.")
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Draws all setups and bots."
)
@click.option("--board", help="Printed data: a shipped name or a TOML file.  [default: reconstructed]")
@click.option("--rotate", is_flag=True, help="Play each setup once with each bot in every seat.")
@click.option("--decisions", is_flag=True, help="Keep every decision too: twice the size.")
@click.option(
    "--part", type=click.IntRange(min=1), help="Games of a file.  [default: 20000 of random and busy, 64 of others]"
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that play.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder; gone on with if it is there.")
def dataset(
    agents: str,
    games: int,
    seed: int,
    board: str | None,
    rotate: bool,
    decisions: bool,
    part: int | None,
    jobs: int,
    out: Path,
) -> None:
    """Play many games and keep them as Parquet: games, turns, points by source, ranks and, if wanted, decisions.

    Game number K is the same whatever the number of games, processes and files.  The same call goes on after an
    interruption, also by kill; no more is lost than the files that were being made.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise click.ClickException("data sets need the module 'pyarrow': pip install 'terracotta-army[data]'")
    from terracotta_agents.registry import split_codes
    from terracotta_env.army import GAME
    from terracotta_env.interrupt import Interruption

    from .army import ARMY
    from .making import Settings, make_dataset

    settings = Settings(
        GAME.module,
        GAME.name,
        tuple(split_codes(agents)),
        games,
        seed,
        board,
        rotate,
        decisions,
        part,
        extras=ARMY.module,
    )
    with (
        suppress(KeyboardInterrupt),  # of a second Ctrl-C
        Interruption() as interruption,
        click.progressbar(length=games, label=f"{games} games", file=sys.stderr, show_pos=True) as bar,
    ):
        if make_dataset(settings, out, jobs, bar.update, lambda: interruption.asked):
            click.echo(f"\n{games} games in {out}", err=True)
            return
    click.echo(f"\n{out} is not finished; the same call goes on", err=True)
    raise click.Abort
