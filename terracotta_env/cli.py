"""The ``terracotta`` command.  Commands of other packages join through the entry-point group ``terracotta.commands``.

So imports stay one-way: this package knows no bots and no learners, yet ``terracotta record`` and ``terracotta train``
are there when the packages that bring them are installed.
"""

from __future__ import annotations

import io
import sys
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import click

from . import __version__
from .errors import TerracottaError

GROUP = "terracotta.commands"


class PluginGroup(click.Group):
    """A group whose commands are found by entry point and imported when they are asked for."""

    def _points(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=GROUP)}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._points()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = super().get_command(ctx, cmd_name)
        point = self._points().get(cmd_name)
        if known is not None or point is None:
            return known
        try:
            command = point.load()
        except ImportError as error:
            reason = f"it needs the module {error.name!r}: pip install 'terracotta-army[train]'"
            return click.Command(
                cmd_name,
                callback=_unavailable(cmd_name, reason),
                help=f"Not available: {reason}",
                context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
            )
        assert isinstance(command, click.Command)
        return command


def _unavailable(name: str, reason: str) -> Any:
    def fail() -> None:
        raise click.ClickException(f"the command {name!r} is not available: {reason}")

    return fail


@click.group(cls=PluginGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="terracotta")
def cli() -> None:
    """Terracotta Army: play, record and learn a heavy board game."""


def printable(text: str) -> str:
    """``text`` with control characters written out: what a file says must not reach the terminal as commands."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def main(args: list[str] | None = None) -> None:
    """Run the command line; errors a user can act on are one line on standard error.

    Exit codes: 0 done, 1 the command failed, 2 it was called wrongly, 130 interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without such letters must not end the command
    try:
        code = cli.main(args=args, prog_name="terracotta", standalone_mode=False)
        if isinstance(code, int) and code != 0:  # what a command gave to `ctx.exit`
            sys.exit(code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except TerracottaError as error:
        click.echo(f"error: {printable(str(error))}", err=True)
        sys.exit(1)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        click.echo(f"error: {name}{error.strerror or error}", err=True)
        sys.exit(1)
