"""The game at the terminal: who is asked next, the player's commands, and never losing what was played."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from terracotta_env.army.render import LEGEND, WIDTH, picture
from terracotta_env.errors import TerracottaError
from terracotta_env.interrupt import Interruption
from terracotta_env.policy import Policy
from terracotta_env.record import write_line

from . import things
from .changes import explain, score_table
from .keeping import check_target, end_last_line
from .listing import Answer, listing, resolve
from .session import PERSON, NothingToUndoError, Session
from .story import Story
from .terminal import Terminal
from .things import Who, many
from .words import Choices

HELP: Final = """\
Type the number of a choice, its token (place:craftsman:4) or the end of it (e4, guard, perform).
  why N       what choice N changes, in more words (also: explain N)
  hint        what a bot would do
  undo        back to your previous decision; redo does it again
  board       the board again; list: all choices in words; log: the turns of this round
  score       VP by source, and what scoring at once would give
  save FILE   save the game; go on with `terracotta play --resume FILE`
  quit        leave the game, keeping it (so do Ctrl-C and Ctrl-D)
Tab completes choices and commands."""
_COMMANDS: Final = {
    "help": "what can be typed",
    "why": "why N: what a choice changes",
    "explain": "the same as why",
    "hint": "what a bot would do",
    "undo": "back to your previous decision",
    "redo": "do again what was taken back",
    "board": "the board again",
    "list": "all choices in words",
    "log": "the turns of this round",
    "score": "VP by source",
    "save": "save FILE",
    "quit": "leave the game",
}
_ALIASES: Final = {"?": "help", "q": "quit", "u": "undo", "h": "hint", "b": "board", "l": "list", "exit": "quit"}


class Table:
    """A session on a terminal.

    Args:
        session: the game.
        terminal: where it is shown and typed.
        hint: makes the bot that gives hints, when it is first asked.
        autosave: file that always holds the game; None to go without.
        out: file that gets the record of the finished game.
        speed: seconds to wait after each turn of a bot.
    """

    def __init__(
        self,
        session: Session,
        terminal: Terminal,
        hint: Callable[[], Policy],
        autosave: Path,
        out: Path | None = None,
        speed: float = 0.0,
    ) -> None:
        self.session = session
        self.terminal = terminal
        self.autosave = autosave
        self.out = out
        self.speed = speed
        self.who = Who(session.own)
        self.names = ["you" if code == PERSON else code for code in session.agents]
        self._make_hint = hint
        self._hinter: Policy | None = None
        self._story = Story(self.who, self.names)
        self._kept = False  # the autosave file holds the game
        self._warned = False  # that it cannot be kept
        self._left = False
        self._turn_shown = (-1, 0)  # first decision and round of the turn whose board was shown

    def run(self) -> None:
        """Play until the end, or until the person leaves."""
        try:
            self._keep()
            if self.terminal.typed and self.terminal.columns < WIDTH:
                self.terminal.tell(f"The board needs {WIDTH} columns, this terminal has {self.terminal.columns}.")
            if self._kept:
                self.terminal.tell(f"The game is kept in {self.autosave} at every moment. Type ? for help.")
            while not self._left:
                if self.session.position.over:
                    self._over()
                elif self.session.own_turn:
                    self._own_decision()
                else:
                    self._bots()
        except (KeyboardInterrupt, TerracottaError, OSError):
            self._say_where()
            raise

    # whose turn -------------------------------------------------------------------------------------------------------

    def _play(self, token: str) -> None:
        self._story.add(self.session.position, token)
        self.session.play(token)
        self._keep()
        for line in self._story.finished():
            self.terminal.tell(line)

    def _bots(self) -> None:
        with Interruption() as interruption:
            while not self.session.position.over and not self.session.own_turn and not interruption.asked:
                seat = self.session.position.to_act
                self._play(self.session.bot_decision())
                if self.session.position.to_act != seat and self.speed:
                    until = time.monotonic() + self.speed
                    while time.monotonic() < until and not interruption.asked:
                        time.sleep(min(0.05, self.speed))
        if interruption.asked:
            self._quit("")

    def _own_decision(self) -> None:
        session = self.session
        choices = Choices(session.position, self.who)
        turn = (session.turn_start(), int(session.position.states[0].game_round))
        if turn != self._turn_shown:
            self._turn_shown = turn
            self._board("")
        self._ask_for(choices)
        taken = len(session.decisions)
        while not self._left and len(session.decisions) == taken and session.own_turn:
            answer = self._answer(choices)
            if answer.command:
                self._command(answer, choices)
            elif answer.token:
                self.terminal.say(f"= {answer.token}")
                self._play(answer.token)

    def _ask_for(self, choices: Choices, everything: bool = False) -> None:
        s, own = choices.s, choices.s.to_move
        status = (
            f"You have {many(sum(s.ledger[own]), 'VP')}, {many(s.coins[own], 'Coin')}, {s.wet[own]} Wet and "
            f"{s.dry[own]} Dry Clay; in hand {things.workers(s.craftsmen[own], s.artisans[own])}."
        )
        self.terminal.say()
        self.terminal.say(self.terminal.paint(choices.question(), "head"))
        self.terminal.say(self.terminal.paint(status, "dim"))
        for line in listing(choices, everything):
            self.terminal.say(line)

    def _answer(self, choices: Choices) -> Answer:
        words = {**{token: choices.words(token) for token in choices.tokens}, **_COMMANDS}
        try:
            typed = self.terminal.ask(f"choice 1-{len(choices.tokens)} or ? > ", words)
        except (EOFError, KeyboardInterrupt):
            return Answer(command="quit")
        answer = resolve(typed, choices.tokens, _COMMANDS, _ALIASES)
        if answer.complaint:
            self.terminal.tell(answer.complaint)
        return answer

    # commands ---------------------------------------------------------------------------------------------------------

    def _command(self, answer: Answer, choices: Choices | None) -> None:
        if choices is None and answer.command in ("why", "explain", "hint", "list"):
            self.terminal.say("the game is over: there is nothing to choose")
        elif choices is not None and answer.command in ("why", "explain"):
            self._why(answer.argument, choices)
        elif choices is not None and answer.command == "list":
            self._ask_for(choices, everything=True)
        else:
            getattr(self, f"_{answer.command}")(answer.argument)

    def _help(self, argument: str) -> None:
        self.terminal.say(HELP)
        self.terminal.say("\nOn the board:\n" + LEGEND)

    def _why(self, argument: str, choices: Choices) -> None:
        if not argument:
            self.terminal.say(f"which choice? for example: why {choices.tokens[0]}, or why 1")
            return
        answer = resolve(argument, choices.tokens, {}, {})
        if not answer.token:
            self.terminal.tell(answer.complaint)
            return
        self.terminal.say(f"{answer.token}")
        for line in explain(self.session.position, answer.token, self.who):
            self.terminal.tell(line, "    ")

    def _hint(self, argument: str) -> None:
        try:
            if self._hinter is None:
                self._hinter = self._make_hint()
            token = self.session.hint(self._hinter)
        except TerracottaError as error:
            self.terminal.tell(f"no hint: {error}")
            return
        except KeyboardInterrupt:
            self.terminal.say("\nno hint: interrupted")
            return
        choices = Choices(self.session.position, self.who)
        number = choices.tokens.index(token) + 1
        self.terminal.tell(f"hint of {self._hinter.name}: {number}, {token}: {choices.words(token)}")

    def _undo(self, argument: str) -> None:
        try:
            number = self.session.undo()
        except NothingToUndoError as error:
            self.terminal.say(str(error))
            return
        self._keep()
        self._tell_anew()
        self.terminal.say(f"taken back: {many(number, 'decision')}; redo does it again")
        if number > 1:  # others had moved since: the board looks different
            self._board("")

    def _redo(self, argument: str) -> None:
        try:
            token = self.session.redo()
        except NothingToUndoError as error:
            self.terminal.say(str(error))
            return
        self.terminal.say(f"= {token}")
        self._play(token)

    def _tell_anew(self) -> None:
        """After an undo: the story of the turn that goes on, without telling it again."""
        self._story = Story(self.who, self.names)
        for position, token in self.session.positions(self.session.turn_start()):
            self._story.add(position, token)
        self._story.finished()
        self._turn_shown = (self.session.turn_start(), int(self.session.position.states[0].game_round))

    def _board(self, argument: str) -> None:
        self.terminal.say()
        self.terminal.say(picture(self.session.position.states, self.terminal.paint, self.names))

    def _score(self, argument: str) -> None:
        titles = [f"{seat} {name}"[:14] for seat, name in enumerate(self.names)]
        self.terminal.say("\n".join(score_table(self.session.position, titles)))

    def _log(self, argument: str) -> None:
        position = self.session.position
        rounds = int(position.states[0].game_round)
        story = Story(self.who, self.names)
        for before, token in self.session.positions(0):
            if position.over or before.states[0].game_round == rounds:
                story.add(before, token)
        for line in story.lines() or ["nothing was done in this round"]:
            self.terminal.tell(line)

    def _save(self, argument: str) -> bool:
        if not argument:
            self.terminal.say("save where? for example: save game.json")
            return False
        path = Path(argument).expanduser()
        try:
            check_target(path)
            self.session.save(path)
        except OSError as error:
            self.terminal.tell(f"not saved: {path}: {error.strerror or error}")
            return False
        except TerracottaError as error:
            self.terminal.tell(f"not saved: {error}")
            return False
        self.terminal.say(f"saved in {path}; go on with: terracotta play --resume {shlex.quote(str(path))}")
        return True

    def _quit(self, argument: str) -> None:
        """Leave; the game stays in a file unless the person says otherwise."""
        default = f"Enter keeps it in {self.autosave}" if self._kept else "Enter goes without saving"
        self.terminal.say(f"Leaving. {default};\na file name saves it there, 'drop' throws it away, 'back' plays on.")
        while True:
            try:
                answer = self.terminal.ask("keep, FILE, drop or back > ", {"keep": "", "drop": "", "back": ""})
            except (EOFError, KeyboardInterrupt):
                answer = "keep"
            if answer == "back":
                return
            if answer == "drop":
                self.autosave.unlink(missing_ok=True)
                self._kept = False
                self.terminal.say("dropped")
            elif answer in ("", "keep"):
                self._say_where()
            elif not self._save(answer):
                continue
            self._left = True
            return

    # keeping ----------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        try:
            self.session.save(self.autosave)
            self._kept = True
        except OSError as error:
            if not self._warned:
                self.terminal.tell(f"the game cannot be kept in {self.autosave}: {error.strerror or error}")
            self._kept, self._warned = False, True

    def _say_where(self) -> None:
        if self._kept:
            self.terminal.say(f"The game is kept in {self.autosave}; go on with:")
            self.terminal.say(f"  terracotta play --resume {shlex.quote(str(self.autosave))}")

    def _over(self) -> None:
        """The end: ranking, points, the record; the person may still look around or take the last decision back."""
        for line in self._story.lines():
            self.terminal.tell(line)
        self._board("")
        position = self.session.position
        points = position.points()
        self.terminal.say()
        for place, seat in enumerate(position.ranking(), 1):
            self.terminal.say(f"{place}. {self.names[seat]} (seat {seat}): {many(points[seat], 'VP')}")
        self.terminal.say()
        self._score("")
        while self.session.own is not None and position.over and not self._left:
            try:
                typed = self.terminal.ask("The game is over: Enter ends, or undo, log, board, score, save FILE > ", {})
            except (EOFError, KeyboardInterrupt):
                typed = ""
            if typed in ("", "quit", "q", "exit"):
                break
            answer = resolve(typed, [], _COMMANDS, _ALIASES)
            if answer.command:
                self._command(answer, None)
            else:
                self.terminal.tell(answer.complaint)
            position = self.session.position
        if position.over:
            self._finish()
            self._left = True

    def _finish(self) -> None:
        if self.out is None:
            self._say_where()
            if self._kept:
                self.terminal.say("  (with --out FILE.jsonl it writes the record of the game)")
            return
        end_last_line(self.out)
        with self.out.open("a", encoding="utf-8") as file:
            write_line(file, self.session.record())
        self.terminal.say(f"The record of the game is in {self.out}")
        if self._kept:
            self.autosave.unlink(missing_ok=True)
