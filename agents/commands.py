"""The command ``record``: games by chosen bots, written as records."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from terracotta_env.policy import Policy


@click.command()
@click.option("--players", type=click.IntRange(2, 4), required=True, help="Number of players.")
@click.option("--games", type=click.IntRange(min=1), required=True, help="Number of games.")
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Draws all setups and bots."
)
@click.option(
    "--agents", required=True, metavar="A,B,..", help="Bots by seat, or one for all: random, busy, module:Class."
)
@click.option(
    "--board", default="reconstructed", show_default=True, help="Printed data: a shipped name or a TOML file."
)
@click.option("--trace", is_flag=True, help="Also write what was known before each decision.")
@click.option("--snapshots", is_flag=True, help="With the trace, the whole position before each decision.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File to write (.jsonl).")
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
@click.option("--resume", is_flag=True, help="Go on after the games that the file holds already.")
def record(
    players: int,
    games: int,
    seed: int,
    agents: str,
    board: str,
    trace: bool,
    snapshots: bool,
    out: Path,
    overwrite: bool,
    resume: bool,
) -> None:
    """Play games and write their records, one JSON object a line.

    Game number K has the same setup and the same bots' random numbers whatever the number of games, so an interrupted
    run goes on with --resume.
    """
    from terracotta_env.army import GAME
    from terracotta_env.interrupt import Interruption
    from terracotta_env.policy import stream
    from terracotta_env.position import Position
    from terracotta_env.record import play_record, whole_lines, write_line

    from .registry import make_agents

    if overwrite and resume:
        raise click.UsageError("--overwrite and --resume exclude each other: choose one")
    if out.exists() and not (overwrite or resume):
        raise click.ClickException(f"{out} exists: choose another name, or add --overwrite or --resume")
    policies = make_agents([code.strip() for code in agents.split(",")], players)
    start = Position.from_seed(GAME, players, seed, board)  # a bad board is told before the file is touched
    done = 0
    if resume and out.exists():
        done = min(whole_lines(out), games)
        _check_same(out, {"players": players, "board": start.game.notation.board_of(start.states)}, seed, policies)
    out.parent.mkdir(parents=True, exist_ok=True)
    written = done
    with (
        suppress(KeyboardInterrupt),  # of a second Ctrl-C
        Interruption() as interruption,
        out.open("a" if resume else "w", encoding="utf-8") as file,
        click.progressbar(range(done, games), label=f"{games - done} games", file=sys.stderr) as bar,
    ):
        for game in bar:
            game_seed = stream(seed, game)
            for seat, policy in enumerate(policies):
                policy.begin(stream(seed, game, 1 + seat))
            position = Position.from_seed(GAME, players, game_seed, board)
            meta = {"seed": seed, "game": game, "setup_seed": game_seed}
            write_line(file, play_record(position, policies, trace, snapshots, meta))
            written += 1
            if interruption.asked:
                break
    if written < games:
        click.echo(f"\n{out} holds {written} whole games; go on with --resume", err=True)
        raise click.Abort
    click.echo(f"{written} games in {out}")


def _check_same(out: Path, settings: Mapping[str, object], seed: int, policies: Sequence[Policy]) -> None:
    """Going on with other settings would mix two experiments in one file."""
    from terracotta_env.record import read_lines

    first = next(read_lines(out), (0, None))[1]
    if first is None:
        return
    wanted = {**settings, "agents": [policy.name for policy in policies], "seed": seed}
    found = {**{key: first.get(key) for key in wanted}, "seed": (first.get("meta") or {}).get("seed")}
    for key, value in wanted.items():
        if found[key] != value:
            raise click.ClickException(
                f"{out} was made with {key} {found[key]!r}, not {value!r}: --resume needs the same"
            )
