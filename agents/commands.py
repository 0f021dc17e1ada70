"""The command ``record``: games by chosen bots, written as records."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from terracotta_env.policy import Policy
    from terracotta_env.position import Position


@click.command()
@click.option("--players", type=click.IntRange(2, 4), required=True, help="Number of players.")
@click.option("--games", type=click.IntRange(min=1), required=True, help="Number of games.")
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Draws all setups and bots."
)
@click.option(
    "--agents",
    required=True,
    metavar="A,B,..",
    help="Bots by seat, or one for all: busy, greedy, planner, mcts:1000, module:Class.",
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

    from .registry import make_agents, split_codes

    if overwrite and resume:
        raise click.UsageError("--overwrite and --resume exclude each other: choose one")
    if out.exists() and not (overwrite or resume):
        raise click.ClickException(f"{out} exists: choose another name, or add --overwrite or --resume")
    policies = make_agents(split_codes(agents), players)
    start = Position.from_seed(GAME, players, seed, board)  # a bad board is told before the file is touched
    done = 0
    if resume and out.exists():
        _check_same(out, start, seed, policies, trace or snapshots, snapshots)
        done = whole_lines(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    written = done
    with (
        suppress(KeyboardInterrupt),  # of a second Ctrl-C
        Interruption() as interruption,
        ExitStack() as stack,
        click.progressbar(range(done, games), label=f"{max(games - done, 0)} games", file=sys.stderr) as bar,
    ):
        file = None
        for game in bar:
            game_seed = stream(seed, game)
            for seat, policy in enumerate(policies):
                policy.begin(stream(seed, game, 1 + seat))
            position = Position.from_seed(GAME, players, game_seed, board)
            meta = {"seed": seed, "game": game, "setup_seed": game_seed}
            played = play_record(position, policies, trace, snapshots, meta)
            if file is None:  # only now: a run that fails at once leaves an old file alone and no empty one behind
                file = stack.enter_context(out.open("a" if resume else "w", encoding="utf-8"))
            write_line(file, played)
            written += 1
            if interruption.asked:
                break
    if written < games:
        click.echo(f"\n{out} holds {written} whole games; go on with --resume", err=True)
        raise click.Abort
    click.echo(f"{written} games in {out}")


def _check_same(
    out: Path, start: Position, seed: int, policies: Sequence[Policy], trace: bool, snapshots: bool
) -> None:
    """Going on with other settings would mix two experiments in one file; a file of another kind is not touched."""
    from terracotta_env.errors import RecordError
    from terracotta_env.record import format_of, read_lines

    notation = start.game.notation
    try:
        first = next(read_lines(out), (0, None))[1]
    except RecordError as error:
        if out.read_bytes().startswith(f'{{"format": "{format_of(start.game)}"'.encode()):
            return  # its only game was cut off
        raise click.ClickException(f"{out} is not a file of game records: {error}") from None
    if first is None:
        return
    meta = first.get("meta") or {}
    entries = first.get("trace") or [{}]
    settings = {
        "format": (first.get("format"), format_of(start.game)),
        "rules": (first.get("rules"), start.game.rules_version),
        "players": (first.get("players"), start.players),
        "board": (first.get("board"), notation.board_of(start.states)),
        "board_data": (first.get("board_data"), notation.board_data_of(start.states)),
        "agents": (first.get("agents"), [policy.name for policy in policies]),
        "agents' versions": (meta.get("versions"), {policy.name: policy.version for policy in policies}),
        "seed": (meta.get("seed"), seed),
        "--trace": ("trace" in first, trace),
        "--snapshots": ("snapshot" in entries[0], snapshots),
    }
    for key, (found, wanted) in settings.items():
        if found != wanted and not (key == "board_data" and start.states[0]["shuffled_rings"]):
            complaint = f"{out} was made with {key} {found!r}, not {wanted!r}"
            raise click.ClickException(f"{complaint}: --resume needs the same settings")
