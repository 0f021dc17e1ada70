"""The command ``serve``: the board in the browser."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from .app import Options


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for the network.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8717, show_default=True, help="Port; 0 takes one that is free."
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--bots",
    metavar="A,B,..",
    help="Bots that visitors may play against, e.g. random,busy,net:FOLDER.  "
    "[default: random, busy, greedy, planner, mcts:100, mcts:1000]",
)
@click.option("--analysts", metavar="A,B,..", help="Bots that analyse positions.  [default: mcts:400, mcts:2000]")
@click.option("--hint", metavar="CODE", help="The bot that gives hints.  [default: planner]")
@click.option(
    "--workers", type=click.IntRange(1, 64), help="Threads that think.  [default: one less than there are cores]"
)
@click.option("--games", type=click.IntRange(1, 10_000), default=200, show_default=True, help="Most games at once.")
@click.option(
    "--idle-minutes",
    type=click.FloatRange(0.1, 10_000),
    default=240.0,
    show_default=True,
    help="A game that nobody looks at is forgotten after so long.",
)
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="A further name under which the page is opened; repeatable."
)
def serve(
    host: str,
    port: int,
    open_page: bool,
    bots: str | None,
    analysts: str | None,
    hint: str | None,
    workers: int | None,
    games: int,
    idle_minutes: float,
    allow_host: tuple[str, ...],
) -> None:
    """Serve the board to browsers: play bots, step through records, see what a search thinks.

    Prints the address of the page. Only this machine can reach it unless --host says otherwise. Ctrl-C ends it; games
    live in memory, so save those that you want to keep.
    """
    try:
        import fastapi  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise click.ClickException(
            f"the server needs the module {error.name!r}: pip install 'terracotta-army[serve]'"
        ) from None
    from terracotta_env.army import GAME

    from ..registry import split_codes
    from .app import ANALYSTS, BOTS, HINT, Options, make_app, warm_up
    from .army_speech import ArmySpeech
    from .gate import is_loopback, names_for
    from .listening import listen, run
    from .store import Limits

    options = Options(
        bots=split_codes(bots) if bots else BOTS,
        analysts=split_codes(analysts) if analysts else ANALYSTS,
        hint=hint or HINT,
        workers=workers or max(1, (os.cpu_count() or 1) - 1),
        limits=Limits(games=games, idle_seconds=60 * idle_minutes),
        names=names_for(host, allow_host),
    )
    _check(options)
    with listen(host, port) as bound:
        app = make_app(GAME, ArmySpeech(), options)
        warm_up(app, GAME, options)
        address = f"http://{_shown(host)}:{bound.getsockname()[1]}/"
        if not is_loopback(host):
            click.echo("warning: whoever reaches this machine can play here, without a password", err=True)
        bound.listen()  # whoever reads the address can connect at once
        click.echo(f"The board is at {address} (Ctrl-C ends)")
        if open_page:
            click.launch(address)
        run(uvicorn, app, bound)
    click.echo("ended")


def _check(options: Options) -> None:
    """Bots that cannot be made, or not be lent to visitors, are told before anybody comes."""
    from ..registry import close_agents, make_agent
    from .analyst import make_analyst

    for code in [*options.bots, *options.analysts, options.hint]:
        if code.partition(":")[0] == "cmd":
            raise click.UsageError(f"{code!r}: programs cannot be lent to visitors: expected other bots")
    for code in dict.fromkeys([*options.bots, options.hint]):
        close_agents([make_agent(code)])
    for code in options.analysts:
        make_analyst(code)


def _shown(host: str) -> str:
    """A host as it stands in an address; a wildcard is reached as this machine."""
    name: Any = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"[{name}]" if ":" in name else str(name)
