"""A program in any language as a player: the bot protocol behind :class:`terracotta_env.policy.Policy`."""

from __future__ import annotations

import contextlib
import shlex
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from terracotta_env.errors import TerracottaError
from terracotta_env.fields import Reader
from terracotta_env.game import Game
from terracotta_env.position import Position

from ..forfeit import BotFault
from . import messages
from .limits import DEFAULT_LIMITS, Limits
from .process import BotProcess

UNKNOWN_VERSION: Final = 0  # of a bot that never said hello
PARTING: Final = 0.2  # seconds to take in what a bot is told at the end of a game


class CommandError(TerracottaError, ValueError):
    """A command that names no program."""


def split_command(command: str) -> list[str]:
    """Program and arguments of a command line; no shell is involved."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(f"bot command {command!r}: {error}") from None
    if not words:
        raise CommandError("bot command: expected a program and its arguments, got nothing")
    if "\0" in command:
        raise CommandError(f"bot command {command!r}: a command cannot hold the character 0")
    return words


class ExternalBot:
    """A policy that asks a program.  Faults of the program end its game (:class:`BotFault`) and nothing else.

    The program is started here and again in the game after a fault.  One bot serves one seat of one game at a time and
    belongs to one thread.  Whoever makes it closes it (it is a context manager); at the latest the end of the
    interpreter does.

    Args:
        command: program and arguments, as a list or to be split like a shell does.
        game: the rules.
        name: what records call it, instead of the name it gives itself.
        limits: how long it may take and how much it may write.

    Raises:
        CommandError: there is no such program.
    """

    def __init__(
        self, command: str | Sequence[str], game: Game, name: str | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.command = split_command(command) if isinstance(command, str) else list(command)
        self.game = game
        self.limits = limits
        self.name = name if name is not None else self.command[0].rpartition("/")[2]
        self.version = UNKNOWN_VERSION
        self.games = 0  # begun
        self._own_name = name is None
        self._process: BotProcess | None = None
        self._fault: BotFault | None = None  # that ended the game that goes on elsewhere
        self._record: Mapping[str, Any] | None = None
        self._seed = 0
        self._known = False  # the program was told of this game
        self._spent = 0.0  # seconds for answers in this game
        self._requests = 0  # of this game
        try:
            self._start()
        except BotFault as fault:
            if fault.detail.startswith("cannot be started"):
                raise CommandError(f"bot {self.name}: {' '.join(self.command)}: {fault.detail}") from None
            self._fault = fault  # of its first game, if that is played

    # the game ---------------------------------------------------------------------------------------------------------

    def begin(self, seed: int) -> None:
        """A new game; the program hears of it when it is first asked, and a fault in an earlier game is forgiven."""
        self.game_over({})
        if self.games:
            self._fault = None
        self.games += 1
        self._seed, self._record, self._spent, self._requests = seed, None, 0.0, 0

    def follow(self, record: Mapping[str, Any]) -> None:
        """The record that is being made of this game, to be passed on."""
        self._record = record

    def game_over(self, result: Mapping[str, Any]) -> None:
        """Tell the program; it need not answer, and no fault can cost it a game that is over."""
        if self._known and self._process is not None:
            try:
                self._process.begin_exchange()
                message = messages.game_over(self.games, result)
                self._process.send(messages.encode(message), time.monotonic() + PARTING)
            except BotFault:
                self._end_process()
            except BaseException:
                self._end_process()
                raise
        self._known = False

    def act(self, position: Position, mask: np.ndarray) -> int:
        """The program's answer.

        Raises:
            BotFault: it gave none, or none that can be done.  The program has been ended.
        """
        if position.game is not self.game:
            raise ValueError(f"this bot was started for {self.game.name}, not for {position.game.name}")
        try:
            if self._fault is not None:
                raise self._fault
            return self._ask(position, mask)
        except BotFault as fault:
            self._fault = told = self._blame(fault, position.to_act)
            if self._process is not None and self._process.alive:
                self._say_why(told)
            self._end_process()
            raise told from None
        except BaseException:
            self._end_process()  # it may be in the middle of a message: what it says next could not be understood
            raise

    def _ask(self, position: Position, mask: np.ndarray) -> int:
        seat = position.to_act
        assert seat is not None
        if not self._known:
            self._open_game(position, seat)
        process = self._process
        assert process is not None
        seconds = min(self.limits.answer, self.limits.game - self._spent)
        if seconds <= 0:
            raise BotFault("timeout", f"used up the {self.limits.game:g} seconds that it had for the whole game")
        legal = {self.game.tokens[action]: int(action) for action in np.flatnonzero(mask)}
        decisions = None if self._record is None else self._record["decisions"]
        self._requests += 1
        message = messages.request(self._requests, self.games, position, decisions, sorted(legal), seconds)
        start = time.monotonic()
        process.begin_exchange()
        process.send(messages.encode(message), start + seconds)
        try:
            action = messages.read_answer(self._receive(process, start + seconds), self._requests)
        except BotFault as fault:
            if fault.reason == "timeout":
                raise BotFault("timeout", f"no answer within {seconds:g} seconds") from None
            raise
        self._spent += time.monotonic() - start
        if action not in legal:
            raise BotFault("illegal", f"{messages.shown(action)} is not legal: legal are {', '.join(sorted(legal))}")
        return legal[action]

    def _open_game(self, position: Position, seat: int) -> None:
        """A program that knows of the game, started anew where the last one has ended."""
        if self._process is not None and self._process.alive:
            try:
                self._introduce(self._process, position, seat)
                return
            except BotFault as fault:
                if fault.reason != "crash":
                    raise
        # it ended after its last game, perhaps only while we spoke: that is allowed
        self._end_process()
        self._start()
        assert self._process is not None
        self._introduce(self._process, position, seat)

    def _introduce(self, process: BotProcess, position: Position, seat: int) -> None:
        """Tell the program of its new game and wait until it is ready."""
        limits = {"answer": self.limits.answer, "game": self.limits.game}
        message = messages.new_game(self.games, seat, position, self._seed, self._record, limits)
        deadline = time.monotonic() + self.limits.start
        process.begin_exchange()
        process.send(messages.encode(message), deadline)
        self._known = True
        while True:
            heard = self._receive(process, deadline)
            if heard["type"].value != "answer":  # a second answer to the last request of the game before: that is over
                break
        messages.read_ready(heard, self.games)

    def _receive(self, process: BotProcess, deadline: float) -> Reader:
        """The next message that is not mere information."""
        while True:
            message = messages.decode(process.receive(deadline))
            if message["type"].value != "info":
                return message

    # the process ------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        try:
            self._process = process = BotProcess(self.command, self.limits)
        except (
            OSError
        ) as error:  # e.g. no process or file descriptor left: not this bot's fault, but only its game's end
            raise BotFault("crash", f"no process for it: {error.strerror or error}") from None
        try:
            deadline = time.monotonic() + self.limits.start
            process.send(messages.encode(messages.hello(self.game)), deadline)
            said = messages.read_hello(self._receive(process, deadline))
        except BotFault as fault:
            told = self._blame(fault, None)  # before its last words are gone
            self._end_process()
            raise told from None
        except BaseException:
            self._end_process()
            raise
        if self.version == UNKNOWN_VERSION:  # records name one version, that of the first start
            self.version = said.version
            if self._own_name:
                self.name = said.name

    def _blame(self, fault: BotFault, seat: int | None) -> BotFault:
        stderr = fault.stderr or ("" if self._process is None else self._process.stderr)
        return BotFault(fault.reason, fault.detail, self.name, seat, stderr)

    def _say_why(self, fault: BotFault) -> None:
        """A last message, so that the bot's author finds it in the bot's own log."""
        assert self._process is not None
        with contextlib.suppress(BotFault):
            self._process.send(messages.encode(messages.error(fault)), time.monotonic())

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def close(self) -> None:
        """Let the program quit, and see to it that it and all that it started are gone.  Idempotent."""
        self.game_over({})
        process, self._process = self._process, None
        if process is not None:
            process.close(messages.encode(messages.quit_()))

    @property
    def pid(self) -> int | None:
        """Process id of the program while it runs, also that of its process group."""
        return None if self._process is None else self._process.pid

    def __enter__(self) -> ExternalBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a running program cannot be copied or pickled: make another ExternalBot of its command")
