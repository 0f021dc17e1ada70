"""The command ``analyze``."""

from __future__ import annotations

import os
import sys

import click


@click.command()
@click.option(
    "--engine", default="mcts:200", show_default=True, metavar="CODE", help="What analyses requests that name none."
)
def analyze(engine: str) -> None:
    """Analyse positions for another program.

    JSON lines on standard input are requests (docs/protocol.md): an id and a snapshot, a record so far, or a seed,
    players and tokens. JSON lines on standard output are answers: visits, values by seat and the principal line.
    Ends after the last answer when standard input ends.
    """
    from terracotta_env.army import GAME

    from .analyze import Analyzer

    def write(line: str) -> None:
        sys.stdout.write(line)
        sys.stdout.flush()

    try:
        Analyzer(GAME, sys.stdin.buffer, write, engine).run()
    except BrokenPipeError:
        # whoever asked has gone: no complaint from the interpreter when it flushes standard output at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
