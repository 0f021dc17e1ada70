"""The commands ``play`` and ``replay``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from terracotta_env.policy import Policy

    from .session import Session

RESUME_LAST = "last"
WATCH = "-1"
_FIXED_BY_SAVE = ("players", "seat", "agents", "seed", "board")  # what a saved game says itself


@click.command()
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True, help="Number of players.")
@click.option(
    "--seat",
    type=click.Choice(["0", "1", "2", "3", "random", WATCH]),
    default="0",
    show_default=True,
    help="Your seat, from 0; random draws one, -1 leaves all seats to bots and you watch.",
)
@click.option(
    "--agents",
    default="busy",
    show_default=True,
    metavar="A,B,..",
    help="Bots of the other seats, clockwise after yours (from seat 0 where you watch), or one for all: random, busy, "
    "greedy, planner, mcts:SIMULATIONS, net:PATH, module:Class.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    help="Draws the setup and the bots' choices; drawn itself if not given.",
)
@click.option(
    "--board", default="reconstructed", show_default=True, help="Printed data: a shipped name or a TOML file."
)
@click.option(
    "--hint", metavar="CODE", help="The bot asked by the command hint.  [default: greedy if there is one, else busy]"
)
@click.option(
    "--resume", metavar="FILE", help="Go on with a saved game; `last` is the one that was kept by itself last."
)
@click.option(
    "--autosave",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File that holds the game at every moment.  [default: one in the user's state folder]",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Add the record of the finished game to this file (.jsonl).",
)
@click.option("--plain", is_flag=True, help="No colours and no cursor control.")
@click.option(
    "--speed",
    type=click.FloatRange(0, 60),
    default=0.0,
    show_default=True,
    metavar="SECONDS",
    help="Wait so long after each turn of a bot.",
)
@click.pass_context
def play(
    context: click.Context,
    players: int,
    seat: str,
    agents: str,
    seed: int | None,
    board: str,
    hint: str | None,
    resume: str | None,
    autosave: Path | None,
    out: Path | None,
    plain: bool,
    speed: float,
) -> None:
    """Play against bots in the terminal.

    Shows the board and every legal choice in words; explains choices, gives hints, takes moves back. The game is kept
    in a file at every moment, so nothing is lost when you leave, however you leave. Without a terminal it reads lines
    from standard input.
    """
    from .keeping import check_out, check_target, new_autosave, state_folder
    from .table import Table
    from .terminal import Terminal

    if out is not None:
        check_out(out)
    if resume is None:
        session = _new_session(players, seat, agents, seed, board)
    else:
        given = [name for name in _FIXED_BY_SAVE if _is_given(context, name)]
        if given:
            raise click.UsageError(f"--{given[0]} and --resume exclude each other: the saved game says its {given[0]}")
        path = _resumed(resume)
        session = _load(path)
        if autosave is None and path.resolve().parent == state_folder().resolve():
            autosave = path
    if autosave is None:
        autosave = new_autosave()
    else:
        check_target(autosave)
    terminal = Terminal(plain)
    if resume is None:
        terminal.say(f"A game of {session.start.players} players, seed {session.seed}.")
    Table(session, terminal, lambda: _hinter(hint), autosave, out, speed).run()


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def _resumed(name: str) -> Path:
    from .keeping import kept_games, state_folder

    if name != RESUME_LAST or Path(name).exists():
        path = Path(name)
        if not path.is_file():
            raise click.UsageError(f"--resume: there is no file {name}")
        return path
    found = kept_games()
    if not found:
        raise click.UsageError(f"--resume last: no game is kept in {state_folder()}")
    return found[0]


def _load(path: Path) -> Session:
    from terracotta_env.army import GAME

    from .session import load_session

    return load_session(GAME, path)


def _new_session(players: int, seat: str, agents: str, seed: int | None, board: str) -> Session:
    import secrets

    from terracotta_env.army import GAME
    from terracotta_env.policy import stream
    from terracotta_env.position import Position

    from ..registry import split_codes
    from .session import PERSON, Session

    if seed is None:
        seed = secrets.randbelow(1 << 32)  # short enough to be noted down
    codes = split_codes(agents)
    if seat == "random":
        seat = str(stream(seed, players) % players)
    own = int(seat)
    if own >= players:
        raise click.UsageError(f"--seat {own}: with {players} players there are the seats 0..{players - 1}")
    others = players if own < 0 else players - 1
    if PERSON in codes:
        raise click.UsageError(f"--agents: {PERSON} is you, and you have one seat: expected bots")
    if len(codes) == 1:
        codes = codes * others
    if len(codes) != others:
        raise click.UsageError(f"--agents: expected {others} codes (or one for all), got {len(codes)}")
    by_seat = {(own + 1 + i) % players: code for i, code in enumerate(codes)}
    return Session(
        Position.from_seed(GAME, players, seed, board), [by_seat.get(i, PERSON) for i in range(players)], seed
    )


def _hinter(code: str | None) -> Policy:
    from ..registry import BOTS, make_agent

    return make_agent(code or ("greedy" if "greedy" in BOTS else "busy"))


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--game", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the game in the file, from 0."
)
@click.option("--at", type=click.IntRange(min=0), default=0, show_default=True, help="Decision to begin at, from 0.")
@click.option("--all", "everything", is_flag=True, help="Print the whole game as text and end.")
@click.option("--plain", is_flag=True, help="No colours and no cursor control.")
def replay(file: Path, game: int, at: int, everything: bool, plain: bool) -> None:
    """Step through a game of a record FILE, forwards and backwards.

    Shows the position, the decision in words and what it changed. Without a terminal it reads its commands from
    standard input.
    """
    from .replay import Replay, load_game
    from .terminal import Terminal

    viewer = Replay(load_game(file, game), Terminal(plain))
    if at > viewer.last:
        raise click.UsageError(
            f"--at {at}: the game has the decisions 0..{viewer.last - 1}, and {viewer.last} is its end"
        )
    try:
        if everything:
            viewer.print_all()
        else:
            viewer.run(at)
    except BrokenPipeError:  # of `| head`: the reader has seen enough
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (for what Python flushes when it ends)
