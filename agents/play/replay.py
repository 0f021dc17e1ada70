"""Stepping through a record, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from terracotta_env.army import GAME
from terracotta_env.army.render import picture
from terracotta_env.army.state import Decision
from terracotta_env.errors import RecordError, TerracottaError
from terracotta_env.position import Position
from terracotta_env.record import positions_of, read_lines

from .changes import differences, score_table
from .story import Story
from .terminal import Terminal
from .things import Who, many
from .words import Choices

HELP: Final = """\
  n, Enter    next decision           p           previous decision
  turn        next turn               turn back   the turn before
  turn N      turn N, from 1          N           decision N, from 0
  round R     begin of round R        round, round back: the next one, the one before
  first       the setup               last        the end
  score       VP by source            log         the turns of this round up to here
  quit        leave
Every command may be shortened to its first letters."""
_COMMANDS: Final = {
    "next": "the next decision",
    "previous": "the previous decision",
    "turn": "the next turn; turn back, turn N",
    "round": "the next round; round back, round R",
    "first": "the setup",
    "last": "the end of the game",
    "score": "VP by source",
    "log": "the turns of this round up to here",
    "board": "this decision again",
    "help": "what can be typed",
    "quit": "leave",
}
_WHO: Final = Who()


@dataclass(frozen=True)
class Game:
    """A record replayed: ``positions[k]`` is the position before decision ``k``, the last one the end."""

    origin: str
    record: Mapping[str, Any]
    positions: list[Position]
    warnings: list[str]

    @property
    def tokens(self) -> list[str]:
        tokens: list[str] = self.record["decisions"]
        return tokens

    @property
    def names(self) -> list[str]:
        """The players by seat, as far as the record says."""
        agents = self.record.get("agents")
        players = self.positions[0].players
        if isinstance(agents, list) and len(agents) == players:
            return [str(agent) for agent in agents]
        return [f"player {seat}" for seat in range(players)]


def load_game(path: Path, number: int) -> Game:
    """Game ``number``, from 0, of a file of records; replayed to its end.

    Raises:
        RecordError: names the file, the line and what is wrong there.
    """
    count = 0
    try:
        for line, record in read_lines(path):
            if count == number:
                return _replayed(f"{path}:{line}", record)
            count += 1
    except RecordError as error:
        text = str(error)
        raise RecordError(text if text.startswith(f"{path}:") else f"{path}: {text}") from None
    raise RecordError(f"{path}: has {many(count, 'game')}, numbered from 0: there is no game {number}")


def _replayed(origin: str, record: Mapping[str, Any]) -> Game:
    try:
        positions = [position.clone() for _, position in positions_of(GAME, record)]
    except TerracottaError as error:
        raise RecordError(f"{origin}: {error}") from None
    warnings = [
        f"{origin}: {key}: says {record[key]}, but the decisions lead to {value}"
        for key, value in (("vp", positions[-1].points()), ("ranking", positions[-1].ranking()))
        if record[key] != value
    ]
    return Game(origin, record, positions, warnings)


class Replay:
    """A game on a terminal.

    Args:
        game: what is shown.
        terminal: where.
    """

    def __init__(self, game: Game, terminal: Terminal) -> None:
        self.game = game
        self.terminal = terminal
        self.last = len(game.tokens)  # index of the end
        self.at = 0
        self.turns = self._turns()
        self.rounds = [
            next(k for k, position in enumerate(game.positions) if position.states[0].game_round == number)
            for number in sorted({int(position.states[0].game_round) for position in game.positions})
        ]

    def _turns(self) -> list[int]:
        """Index of the first decision of each turn."""
        found = []
        for index, position in enumerate(self.game.positions[:-1]):
            s = position.states[0]
            rotated = index > 0 and self.game.tokens[index - 1].startswith("rotate:")
            if s.decision == Decision.ROTATE or (s.decision == Decision.PLACE and not rotated):
                found.append(index)
        return found

    # showing ----------------------------------------------------------------------------------------------------------

    def run(self, at: int) -> None:
        """Show a decision and read commands until the person leaves."""
        self._warn()
        self.terminal.say(
            f"{self.game.origin}: {many(self.last, 'decision')} in {many(len(self.turns), 'turn')}; ? helps"
        )
        self._show(at)
        while True:
            try:
                line = self.terminal.ask(f"{self.at} of {self.last} > ", _COMMANDS)
            except (EOFError, KeyboardInterrupt):
                return
            if not self._do(line):
                return

    def _warn(self) -> None:
        for warning in self.game.warnings:
            self.terminal.tell(f"warning: {warning}")

    def _show(self, at: int) -> None:
        """The position before a decision, the decision in words and what it changed."""
        self.at = at
        position = self.game.positions[at]
        say, paint = self.terminal.say, self.terminal.paint
        say()
        say(picture(position.states, paint, self.game.names))
        say()
        if at == self.last:
            say(paint("The end of the game.", "head"))
            for place, seat in enumerate(position.ranking(), 1):
                say(f"{place}. seat {seat} ({self.game.names[seat]}): {many(position.points()[seat], 'VP')}")
            return
        for line in self._decision(at):
            self.terminal.tell(line)

    def _decision(self, at: int) -> list[str]:
        position, token = self.game.positions[at], self.game.tokens[at]
        seat = position.to_act
        assert seat is not None
        choices = Choices(position, Who(seat))
        lines = [
            f"Decision {at} of {self.last}, turn {self._turn_of(at)}: seat {seat} ({self.game.names[seat]}) is asked, "
            f"{many(len(choices.tokens), 'choice')}.",
            choices.question(),
            f"{token}: {choices.words(token)}",
        ]
        story = Story(_WHO)
        story.add(position, token)
        changes = differences(position, self.game.positions[at + 1], _WHO)
        ends = [line for line in story.lines() if not line.startswith("Seat ")]
        return [*lines, *(f"  {change}" for change in changes), *ends]

    def _turn_of(self, at: int) -> int:
        return sum(1 for start in self.turns if start <= at)

    def print_all(self) -> None:
        """The whole game as text: the board at the begin of each round, every turn in a line, the end."""
        self._warn()
        story = Story(_WHO, self.game.names)
        say = self.terminal.say
        for index, (position, token) in enumerate(zip(self.game.positions, self.game.tokens)):
            if index in self.rounds:
                say(picture(position.states, self.terminal.paint, self.game.names))
                say()
            story.add(position, token)
            for line in story.finished():
                self.terminal.tell(line)
            if index + 1 in self.rounds:
                say()
        for line in story.lines():
            self.terminal.tell(line)
        self._show(self.last)
        say()
        self._score("")

    # commands ---------------------------------------------------------------------------------------------------------

    def _do(self, line: str) -> bool:
        """Do what was typed; False to leave."""
        word, _, argument = line.lower().partition(" ")
        if word.isdecimal() and word.isascii() and len(word) < 9:
            self._go(int(word), f"decision {word}")
            return True
        word = {"": "next", "?": "help", "exit": "quit", "back": "previous"}.get(word, word)
        found = [name for name in _COMMANDS if name.startswith(word)]
        if not found:
            self.terminal.tell(f"{line[:40]!r} is no command: expected n, p, a decision 0..{self.last}, or ? for help")
            return True
        commands: dict[str, Callable[[str], None]] = {
            "next": lambda _: self._go(self.at + 1, "a next decision"),
            "previous": lambda _: self._go(self.at - 1, "a previous decision"),
            "first": lambda _: self._go(0, ""),
            "last": lambda _: self._go(self.last, ""),
            "board": lambda _: self._show(self.at),
            "help": lambda _: self.terminal.say(HELP),
            "turn": lambda said: self._jump(said, self.turns, "turn"),
            "round": lambda said: self._jump(said, self.rounds, "round"),
            "score": self._score,
            "log": self._log,
        }
        if found[0] == "quit":
            return False
        commands[found[0]](argument.strip())
        return True

    def _go(self, at: int, what: str) -> None:
        if not 0 <= at <= self.last:
            self.terminal.say(f"there is no {what.removeprefix('a ')}: this is {self.at} of 0..{self.last}")
            return
        self._show(at)

    def _jump(self, said: str, starts: list[int], what: str) -> None:
        """To the next of ``starts``, the one before (``back``) or number ``said``, from 1."""
        before = [start for start in starts if start < self.at]
        after = [start for start in starts if start > self.at]
        if said.isdecimal() and said.isascii() and len(said) < 9:
            if not 1 <= int(said) <= len(starts):
                self.terminal.say(f"there is no {what} {said}: expected 1..{len(starts)}")
                return
            self._show(starts[int(said) - 1])
        elif said in ("", "next"):
            self._show(after[0] if after else self.last)
        elif said in ("back", "b", "previous", "p"):
            self._show(before[-1] if before else 0)
        else:
            self.terminal.say(f"{what} {said[:40]}: expected {what}, {what} back or {what} 1..{len(starts)}")

    def _score(self, argument: str) -> None:
        names = [f"{seat} {name}"[:14] for seat, name in enumerate(self.game.names)]
        self.terminal.say("\n".join(score_table(self.game.positions[self.at], names)))

    def _log(self, argument: str) -> None:
        start = max(begin for begin in self.rounds if begin <= self.at)
        story = Story(_WHO, self.game.names)
        for index in range(start, self.at):
            story.add(self.game.positions[index], self.game.tokens[index])
        for line in story.lines() or ["nothing was done in this round before this decision"]:
            self.terminal.tell(line)
