"""Bots named on the command line: ``--bot-cmd NAME=COMMAND`` and the limits that go with it.

Commands import this to show their help: what is heavy is imported when it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from .limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from terracotta_env.game import Game

    from .agent import ExternalBot

NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def bot_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options ``bot_cmd``, ``bot_seconds`` and ``bot_game_seconds`` of a command."""
    for option in (
        click.option(
            "--bot-game-seconds",
            type=click.FloatRange(min=0, min_open=True),
            default=DEFAULT_LIMITS.game,
            show_default=True,
            help="Seconds a --bot-cmd bot has for all its answers of a game.",
        ),
        click.option(
            "--bot-seconds",
            type=click.FloatRange(min=0, min_open=True),
            default=DEFAULT_LIMITS.answer,
            show_default=True,
            help="Seconds a --bot-cmd bot has for one answer.",
        ),
        click.option(
            "--bot-cmd",
            multiple=True,
            metavar="NAME=COMMAND",
            help="A program as bot NAME of --agents (docs/protocol.md); may be given several times.",
        ),
    ):
        command = option(command)
    return command


def read_bot_commands(
    texts: Iterable[str], game: Game, limits: Limits = DEFAULT_LIMITS, taken: Collection[str] = ()
) -> Mapping[str, Callable[[], ExternalBot]]:
    """What makes each bot of ``NAME=COMMAND`` texts, by name; no program is started yet.

    Raises:
        CommandError: names the text.
    """
    from .agent import CommandError, ExternalBot, split_command

    makers: dict[str, Callable[[], ExternalBot]] = {}
    for text in texts:
        name, separator, command = text.partition("=")
        if not separator or not NAME.fullmatch(name):
            raise CommandError(
                f"--bot-cmd {text!r}: expected NAME=COMMAND, the name of letters, digits, '_', '.' and '-'"
            )
        if name in makers or name in taken:
            raise CommandError(f"--bot-cmd {text!r}: {name!r} is another bot's name already: choose one of your own")
        makers[name] = partial(ExternalBot, split_command(command), game, name, limits)
    return makers


def bot_limits(seconds: float, game_seconds: float) -> Limits:
    """The limits of those options."""
    return Limits(answer=seconds, game=game_seconds)
