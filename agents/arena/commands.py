"""The command ``arena``."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from terracotta_env.policy import Policy

    from .arena import Settings


class Lists(click.Group):
    """A group whose options ``--agents`` and ``--players`` take any number of words: ``--agents a b c``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spread(args, ("--agents", "--players")))


def spread(words: Sequence[str], options: Sequence[str]) -> list[str]:
    """Repeat an option before each of the words that follow it, up to the next option."""
    out: list[str] = []
    current, first = "", False
    for word in words:
        if word in options:
            current, first = word, True
            out.append(word)
        elif word.startswith("-") or not current:
            current = ""
            out.append(word)
        else:
            out.extend([word] if first else [current, word])
            first = False
    return out


@click.group(cls=Lists, invoke_without_command=True)
@click.option(
    "--agents", multiple=True, metavar="A B ..", help="Codes of two or more bots; one may be given several times."
)
@click.option("--players", multiple=True, metavar="N,..", default=["2,3,4"], show_default=True, help="Seats of a game.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help="For each line-up, rounded up to whole setups.  [default: 400, or the whole suite]",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Draws all setups and bots."
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that play.")
@click.option("--board", help="Printed data: a shipped name or a TOML file.")
@click.option("--suite", help="Play a fixed set of setups, e.g. v1, instead of drawn ones.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder; gone on with if it is there.")
@click.option("--no-records", is_flag=True, help="Results only.")
@click.option("--move-seconds", type=click.FloatRange(min=0.1), help="Who takes longer for a decision forfeits.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Two bots: stop when it is clear by how much the first is stronger.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Chance that the test takes ELO1 wrongly.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Chance that the test takes ELO0 wrongly.")
@click.pass_context
def arena(ctx: click.Context, /, out: Path | None, jobs: int, **options: Any) -> None:
    """Play bots against each other, every setup from every seat, and report who is how strong.

    Games are appended to the folder as they end: the same call goes on after an interruption.
    `terracotta arena report FOLDER` makes the report anew.
    """
    if ctx.invoked_subcommand is not None:
        return
    if out is None:
        raise click.UsageError("Missing option '--out'.")
    if not options["agents"]:
        raise click.UsageError("Missing option '--agents'.")
    _check_libraries()
    from .processes import prepared

    prepared(["terracotta_agents.registry"])  # loads while the rest is loaded here
    from .arena import play

    settings = _settings(**options)
    outcome = play(settings, out, jobs, registered)
    if not outcome.finished:
        click.echo(f"\n{out} holds {outcome.done} of {outcome.total} games; the same call goes on", err=True)
        raise click.Abort
    _report(out)


@arena.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def report(folder: Path) -> None:
    """Make the report of the games in FOLDER, finished or not."""
    _report(folder)


def _check_libraries() -> None:
    """Told before hours of games are played, not when their report is made."""
    for module in ("rich", "pandas", "scipy", "statsmodels", "jinja2", "matplotlib"):
        if importlib.util.find_spec(module) is None:
            raise click.ClickException(f"the arena needs the module {module!r}: pip install 'terracotta-army[arena]'")


def registered(code: str) -> Policy:
    """A bot by its code.  Looked up where it is made: the leading process needs none."""
    from terracotta_agents.registry import make_agent

    return make_agent(code)


def _settings(
    agents: Sequence[str],
    players: Sequence[str],
    games: int | None,
    seed: int,
    board: str | None,
    suite: str | None,
    no_records: bool,
    move_seconds: float | None,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
) -> Settings:
    from terracotta_env.army import GAME

    from .arena import Settings
    from .sequential import Sprt
    from .suites import load

    chosen = None if suite is None else load(suite)
    return Settings(
        GAME.module,
        GAME.name,
        tuple(agents),
        tuple(_numbers(players, GAME.players)),
        games if games is not None or chosen is not None else 400,
        seed,
        board or (GAME.default_board if chosen is None else chosen.board),
        chosen,
        not no_records,
        move_seconds,
        None if sprt is None else Sprt(*sprt, alpha, beta),
    )


def _numbers(words: Sequence[str], possible: Sequence[int]) -> list[int]:
    """``["2,3", "4"]`` to ``[2, 3, 4]``."""
    numbers = set()
    for word in ",".join(words).split(","):
        if not word.strip().isdecimal() or int(word) not in possible:
            raise click.BadParameter(
                f"expected some of {', '.join(map(str, possible))}, got {word!r}", param_hint="'--players'"
            )
        numbers.add(int(word))
    return sorted(numbers)


def _report(folder: Path) -> None:
    _check_libraries()
    from .report import write_report

    write_report(folder)
