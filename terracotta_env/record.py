"""Game records: one JSON object a line, made while a game is played, replayed and verified.  Knows no game.

A record holds the setup and every decision that was asked; forced decisions are not asked and not recorded.  With a
trace it also holds what was known before each decision, with snapshots the whole position.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from .errors import PolicyError, RecordError, SetupError
from .fields import Reader
from .game import Game, find
from .policy import Policy, ask, follow_all, game_over_all
from .position import Position

VERSION: Final = 1
_MOST_POINTS: Final = 2**31  # no game scores more: only the kind of number is checked
_REQUIRED: Final = ("format", "version", "board", "players", "setup", "decisions")
_RESULT: Final = ("vp", "ranking")  # what a game that goes on does not have
_OPTIONAL: Final = ("rules", "agents", "meta", "trace", "board_data")


def format_of(game: Game) -> str:
    """The word in a record's ``format`` field."""
    return f"{game.name}-record"


def game_of_record(record: Mapping[str, Any]) -> Game:
    """The game whose record this is.  Raises :class:`RecordError` for a format no game writes."""
    word = record.get("format")
    try:
        return find(str(word).removesuffix("-record"))
    except ValueError as error:
        raise RecordError(f"record: format: {word!r} is no game's record: {error}") from None


class Recorder:
    """Writes down one game, from its setup to its end.

    Args:
        position: the game right after its setup.
        agents: names by seat.
        trace: also write what was known before each decision.
        snapshots: with the trace, the whole position before each decision.
        meta: anything JSON can hold.
    """

    def __init__(
        self,
        position: Position,
        agents: Sequence[str],
        trace: bool = False,
        snapshots: bool = False,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        game, states = position.game, position.states
        self.position = position
        self.trace = trace or snapshots
        self.snapshots = snapshots
        self.record: dict[str, Any] = {
            "format": format_of(game),
            "version": VERSION,
            "rules": game.rules_version,
            "board": game.notation.board_of(states),
            "players": position.players,
            "setup": game.notation.setup_of(states),
            "agents": list(agents),
            "decisions": [],
        }
        board_data = game.notation.board_data_of(states)
        if board_data is not None:
            self.record["board_data"] = board_data
        self._entries: list[dict[str, Any]] = []
        self._meta = dict(meta or {})

    def play(self, action: int) -> None:
        """Do a legal action of the position and write it down."""
        if self.trace:
            self._entries.append(trace_entry(self.position, self.snapshots))
        self.record["decisions"].append(self.position.game.tokens[action])
        self.position.play(action)

    def so_far(self) -> dict[str, Any]:
        """The record of a game that may not be over: no result in it."""
        return {**self.record, "meta": self._meta, **({"trace": self._entries} if self.trace else {})}

    def finish(self) -> dict[str, Any]:
        """The record of the finished game."""
        end = {"vp": self.position.points(), "ranking": self.position.ranking(), "meta": self._meta}
        return {**self.record, **end, **({"trace": self._entries} if self.trace else {})}


def trace_entry(position: Position, with_snapshot: bool) -> dict[str, Any]:
    """What is known before a decision: who decides, the legal tokens in code-point order, points and resources."""
    notation, states = position.game.notation, position.states
    return {
        "player": position.to_act,
        "round": notation.round_of(states),
        "legal": position.legal(),
        "vp": position.points(),
        **notation.resources(states),
        **({"snapshot": position.snapshot()} if with_snapshot else {}),
    }


def play_record(
    position: Position,
    policies: Sequence[Policy],
    trace: bool = False,
    snapshots: bool = False,
    meta: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Play a game to its end, one policy a seat, and return its record.  The policies must have begun the game.

    Raises:
        PolicyError: a policy failed; ``position`` is where it failed, and the error's ``record`` how it came there.
    """
    names = [policy.name for policy in policies]
    versions = {policy.name: policy.version for policy in policies}
    recorder = Recorder(position, names, trace, snapshots, {"versions": versions, **(meta or {})})
    follow_all(policies, recorder.record)
    try:
        while (seat := position.to_act) is not None:
            recorder.play(ask(policies[seat], position))
    except PolicyError as error:
        error.record = recorder.so_far()
        raise
    record = recorder.finish()
    game_over_all(policies, {"vp": record["vp"], "ranking": record["ranking"]})
    return record


def start_of(game: Game, record: Mapping[str, Any], whole: bool = True) -> Position:
    """Check the outer form of a record and return the position after its setup.

    Args:
        game: the rules.
        record: the JSON object.
        whole: the record must hold a result; else it may, and may end anywhere.

    Raises:
        RecordError: a field is missing or cannot be; names it.
    """
    doc = Reader(record, "", RecordError, "record").table(
        (*_REQUIRED, *_RESULT) if whole else _REQUIRED, _OPTIONAL if whole else (*_RESULT, *_OPTIONAL)
    )
    doc["format"].word((format_of(game),))
    doc["version"].integer(VERSION, VERSION)
    rules = record.get("rules", 1)
    if rules != game.rules_version:
        raise RecordError(
            f"record: rules: made under version {rules!r} of the rules, this program plays version "
            f"{game.rules_version}: replay it with a release of that version"
        )
    players = doc["players"].integer(min(game.players), max(game.players))
    if not isinstance(record["setup"], Mapping):
        raise doc["setup"].fail("a table")
    for decision in doc["decisions"].items():
        decision.text()
    board: Any = doc["board"].text()
    if "board_data" in record:
        data = record["board_data"]
        if not isinstance(data, Mapping):
            raise doc["board_data"].fail("a table")
        if data.get("name") != board:
            raise RecordError(f"record: board: is {board!r}, but board_data holds {data.get('name')!r}")
        board = data
    try:
        position = Position.from_setup(game, players, record["setup"], board)
    except SetupError as error:
        raise RecordError(f"record: {error}") from None
    if whole:
        for points in doc["vp"].items(players):
            points.integer(-_MOST_POINTS, _MOST_POINTS)
        for seat in doc["ranking"].items(players):
            seat.integer(0, players - 1)
    if "agents" in record:
        for name in doc["agents"].items(players):
            name.text()
    if not isinstance(record.get("meta", {}), Mapping):
        raise doc["meta"].fail("a table")
    return position


def position_after(game: Game, record: Mapping[str, Any]) -> Position:
    """The position after the decisions of a record that may end anywhere, e.g. of a game that goes on.

    Raises:
        RecordError: a field is missing or cannot be, or a decision is not legal; names it.
    """
    position = start_of(game, record, whole=False)
    for index, token in enumerate(record["decisions"]):
        _play(position, index, token)
    return position


def _play(position: Position, index: int, token: str) -> None:
    if position.over:
        raise RecordError(f"decision {index} ({token}): the game was over already")
    legal = position.legal()
    if token not in legal:
        raise RecordError(
            f"decision {index} ({token}): not legal for seat {position.to_act}; legal are {', '.join(legal)}"
        )
    position.play(token)


def positions_of(game: Game, record: Mapping[str, Any]) -> Iterator[tuple[int, Position]]:
    """Replay a record: yields ``(index, position before decision index)``, at last ``(number of decisions, final
    one)``.

    The position is one object that moves on; clone it to keep it.

    Raises:
        RecordError: names the index and token of the first decision that is not legal, or what is missing at the end.
    """
    position = start_of(game, record)
    for index, token in enumerate(record["decisions"]):
        yield index, position
        _play(position, index, token)
    if not position.over:
        raise RecordError(f"decision {len(record['decisions'])}: is missing, seat {position.to_act} is still to decide")
    yield len(record["decisions"]), position


def verify(game: Game, record: Mapping[str, Any]) -> Position:
    """Replay a whole record and compare its trace, points and ranking; returns the final position.

    Raises:
        RecordError: names the first thing that is wrong.
    """
    trace = record.get("trace")
    decisions = record.get("decisions")
    if (
        trace is not None
        and isinstance(decisions, list)
        and (not isinstance(trace, list) or len(trace) != len(decisions))
    ):
        raise RecordError("record: trace: expected one entry for each decision")
    position = None
    for index, now in positions_of(game, record):
        position = now
        if trace is not None and index < len(trace):
            _compare_entry(index, record["decisions"][index], trace[index], now)
    assert position is not None
    for key, value in (("vp", position.points()), ("ranking", position.ranking())):
        if record[key] != value:
            raise RecordError(f"record: {key}: says {record[key]}, but the decisions lead to {value}")
    return position


def _compare_entry(index: int, token: str, entry: Any, position: Position) -> None:
    if not isinstance(entry, Mapping):
        raise RecordError(f"record: trace[{index}]: expected a table, got {entry!r}")
    known = trace_entry(position, "snapshot" in entry)
    for key in entry:
        if key not in known:
            raise RecordError(f"record: trace[{index}].{key}: unknown key (known: {', '.join(known)})")
    for key in known:
        if key not in entry:
            raise RecordError(f"record: trace[{index}].{key}: is missing")
        said, is_so = entry[key], known[key]
        if key == "snapshot":
            if not isinstance(said, Mapping):
                raise RecordError(f"record: trace[{index}].snapshot: expected a table, got {said!r}")
            # the inside of `pending` is each program's own
            said, is_so = ({k: v for k, v in side.items() if k != "pending"} for side in (said, is_so))
        if said != is_so:
            where = next((f".{k}" for k in is_so if said.get(k) != is_so[k]), "") if key == "snapshot" else ""
            raise RecordError(f"decision {index} ({token}): trace[{index}].{key}{where} differs from the position")


def write_line(file: TextIO, record: Mapping[str, Any]) -> None:
    """Append one record as one line and hand it to the system at once, so an interruption keeps whole games."""
    file.write(json.dumps(record, separators=(", ", ": "), ensure_ascii=False) + "\n")
    file.flush()


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """``(line number, record)`` of a ``.jsonl`` file, from 1; blank lines are passed over.

    Raises:
        RecordError: a line that is not a JSON object; names the line.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                hint = "" if line.endswith(b"\n") else "; the line is cut off, as after an interruption"
                if number == 1 and line.strip() == b"{":
                    hint = (
                        "; expected one game a line: a game saved while it was played goes on with play --resume FILE"
                    )
                raise RecordError(f"line {number}: is not JSON ({error}){hint}") from None
            if not isinstance(record, dict):
                raise RecordError(f"line {number}: expected a JSON object, got {type(record).__name__}")
            yield number, record


def whole_lines(path: Path) -> int:
    """Number of complete lines in a file; a last line that was cut off is removed from it."""
    raw = path.read_bytes()
    whole = raw.rfind(b"\n") + 1
    if whole < len(raw):
        with path.open("rb+") as file:
            file.truncate(whole)
    return raw[:whole].count(b"\n")
