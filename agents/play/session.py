"""One game of people against bots: decisions made so far, undo and redo, saving and going on.  Prints nothing.

A session is its setup and its list of decisions; every position is reached again by replaying them.  A bot begins anew
with a seed of its own at the start of each of its turns, so its answers depend on nothing but the decisions before:
after ``undo`` or in another process the same choices bring the same answers (from bots that are deterministic).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from terracotta_env.errors import TerracottaError
from terracotta_env.fields import Reader
from terracotta_env.game import Game
from terracotta_env.policy import Policy, ask, stream
from terracotta_env.position import SEED_LIMIT, Position
from terracotta_env.record import VERSION as RECORD_VERSION
from terracotta_env.record import Recorder, format_of, position_after, start_of
from terracotta_env.writing import write_atomically

from ..registry import make_agent

PERSON: Final = "human"  # what stands in a record's `agents` for the person's seat
SAVE_VERSION: Final = 1
_SAVED_GAME: Final = ("rules", "board", "board_data", "players", "setup", "decisions")  # as in a record
_HINT_STREAM: Final = 99  # of the seeds of hints: no seat has this number


class SaveError(TerracottaError, ValueError):
    """A saved game that cannot be read or gone on with."""


class NothingToUndoError(TerracottaError, ValueError):
    """There is no own decision before this one, or nothing was taken back."""


class Session:
    """A game in progress.

    Args:
        start: the position after the setup.
        agents: code of the bot in each seat, :data:`PERSON` for a person's.
        seed: draws what bots draw.
        decisions: made so far; each must be legal.
        make: makes the bot of a code.

    Attributes:
        position: the game now; not to be changed from outside.
        decisions: tokens of all decisions so far.
        deciders: the seat that made each.
        own: the first person's seat; None where bots play all.
        people: the seats of all people.
    """

    def __init__(
        self,
        start: Position,
        agents: Sequence[str],
        seed: int,
        decisions: Sequence[str] = (),
        make: Callable[[str], Policy] = make_agent,
    ) -> None:
        self.start = _as_saved(start)
        self.agents = list(agents)
        self.seed = seed
        self.people = frozenset(seat for seat, code in enumerate(self.agents) if code == PERSON)
        self.own = min(self.people, default=None)
        self.bots: dict[int, Policy] = {seat: make(code) for seat, code in enumerate(self.agents) if code != PERSON}
        self.undone: list[str] = []
        self._began: tuple[int, int] | None = None  # seat and decision at which a bot has begun its turn
        self._replay(decisions)

    # playing ----------------------------------------------------------------------------------------------------------

    @property
    def own_turn(self) -> bool:
        """Is a person asked?"""
        return self.position.to_act in self.people

    def play(self, token: str) -> None:
        """Make a decision for whoever is asked.  Another one than that taken back forgets what could be done again."""
        seat = self.position.to_act
        self.position.play(token)
        assert seat is not None
        self.decisions.append(token)
        self.deciders.append(seat)
        if self.undone and self.undone[0] == token:
            del self.undone[0]
        else:
            self.undone = []

    def bot_decision(self) -> str:
        """Ask the bot whose turn it is; the decision is not made yet.  After an undo it answers as it did before."""
        seat = self.position.to_act
        assert seat is not None
        if self.undone:
            return self.undone[0]
        turn = self.turn_start()
        bot = self.bots[seat]
        if self._began != (seat, turn):
            bot.begin(stream(self.seed, turn, seat))
            now = self._position_after(turn)
            for token in self.decisions[turn:]:  # a turn begun in another process: bring the bot to where it was
                if ask(bot, now) != now.action(token):
                    break
                now.play(token)
            self._began = (seat, turn)
        return self.position.game.tokens[ask(bot, self.position)]

    def turn_start(self) -> int:
        """Index of the first decision that the seat to act makes in a row."""
        index = len(self.decisions)
        while index > 0 and self.deciders[index - 1] == self.position.to_act:
            index -= 1
        return index

    def undo(self) -> int:
        """Take back all since and including a person's last decision; returns how many decisions that were."""
        own = [index for index, seat in enumerate(self.deciders) if seat in self.people]
        if not own:
            raise NothingToUndoError("there is no decision of yours to take back")
        taken = self.decisions[own[-1] :]
        undone = [*taken, *self.undone]
        self._replay(self.decisions[: own[-1]])
        self.undone = undone
        return len(taken)

    def redo(self) -> str:
        """The first decision that was taken back, to be played again; the answers of the bots follow by themselves."""
        if not self.undone:
            raise NothingToUndoError("nothing was taken back since the last decision")
        return self.undone[0]

    def hint(self, bot: Policy) -> str:
        """The decision that a bot would make in the person's place; nothing is changed."""
        bot.begin(stream(self.seed, len(self.decisions), _HINT_STREAM))
        return self.position.game.tokens[ask(bot, self.position)]

    def positions(self, first: int) -> list[tuple[Position, str]]:
        """``(position before, token)`` of the decisions from ``first`` on."""
        now, found = self._position_after(first), []
        for token in self.decisions[first:]:
            found.append((now.clone(), token))
            now.play(token)
        return found

    def _position_after(self, number: int) -> Position:
        position = self.start.clone()
        for token in self.decisions[:number]:
            position.play(token)
        return position

    def _replay(self, decisions: Sequence[str]) -> None:
        self.position = self.start.clone()
        self.decisions: list[str] = []
        self.deciders: list[int] = []
        self._began = None
        for token in decisions:
            self.play(token)

    # keeping ----------------------------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """The finished game in the format of every other record."""
        versions = {bot.name: bot.version for bot in self.bots.values()}
        names = [self.bots[seat].name if seat in self.bots else PERSON for seat in range(self.start.players)]
        recorder = Recorder(self.start.clone(), names, meta={"versions": versions, "seed": self.seed})
        for token in self.decisions:
            recorder.play(self.start.game.action_of(token))
        return recorder.finish()

    def saved(self) -> dict[str, Any]:
        """The game so far as JSON."""
        states, game = self.start.states, self.start.game
        board_data = game.notation.board_data_of(states)
        return {
            "format": save_format(game),
            "version": SAVE_VERSION,
            "rules": game.rules_version,
            "board": game.notation.board_of(states),
            **({"board_data": board_data} if board_data is not None else {}),
            "players": self.start.players,
            "setup": game.notation.setup_of(states),
            "agents": self.agents,
            "seed": self.seed,
            "decisions": self.decisions,
        }

    def save(self, path: Path) -> None:
        """Write the game so far.  The file is replaced as a whole: never is half a game in it."""
        write_atomically(path, json.dumps(self.saved(), indent=1, ensure_ascii=False) + "\n")


def _as_saved(start: Position) -> Position:
    """The same setup without the generator that drew it, as it is read back from a file."""
    notation, states = start.game.notation, start.states
    board = notation.board_data_of(states) or notation.board_of(states)
    return Position.from_setup(start.game, start.players, notation.setup_of(states), board)


def save_format(game: Game) -> str:
    """The word in the ``format`` field of a saved game."""
    return f"{game.name}-save"


def is_saved_game(path: Path) -> bool:
    """May the file be replaced by another saved game?"""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and str(found.get("format", "")).endswith("-save")


def load_session(game: Game, path: Path) -> Session:
    """A saved game, checked; its bots are made again.

    Raises:
        SaveError: names the file and what is wrong in it.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{path}: is not a saved game: not JSON, or cut off ({error})") from None
    return session_of(game, found, str(path))


def session_of(
    game: Game, found: Any, origin: str, most_people: int = 1, make: Callable[[str], Policy] = make_agent
) -> Session:
    """The session of a saved game given as JSON, checked; its bots are made again.

    Args:
        game: the rules.
        found: the JSON value.
        origin: what messages call it, e.g. the name of the file.
        most_people: seats that people may have.
        make: makes the bot of a code.

    Raises:
        SaveError: names the origin and what is wrong in it.
    """
    doc = Reader(found, "", SaveError, origin)
    required = [key for key in _SAVED_GAME if key != "board_data"]
    if isinstance(found, dict) and found.get("format") == format_of(game):
        raise SaveError(f"{origin}: is a record of a finished game, not a saved one: see it with `terracotta replay`")
    doc.table(("format", "version", *required, "agents", "seed"), ("board_data",))
    doc["format"].word((save_format(game),))
    doc["version"].integer(SAVE_VERSION, SAVE_VERSION)
    head = {"format": format_of(game), "version": RECORD_VERSION}
    record = {**head, **{key: found[key] for key in _SAVED_GAME if key in found}}
    try:
        start = start_of(game, record, whole=False)
        position_after(game, record)  # raises where a decision is not legal
    except TerracottaError as error:
        raise SaveError(f"{origin}: {str(error).removeprefix('record: ')}") from None
    seed = doc["seed"].integer(0, SEED_LIMIT - 1)
    agents = [agent.text() for agent in doc["agents"].items(start.players)]
    if agents.count(PERSON) > most_people:
        raise doc["agents"].fail(f"{'one' if most_people == 1 else most_people} {PERSON} at most")
    try:
        return Session(start, agents, seed, found["decisions"], make)
    except TerracottaError as error:
        raise SaveError(f"{origin}: agents: {error}") from None
