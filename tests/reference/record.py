"""Playing recorded games again."""

from collections.abc import Mapping
from typing import Any

from .game import Game

FORMAT, VERSION, RULES = "terracotta-record", 1, 1


def replay(board: Mapping[str, Any], record: Mapping[str, Any]) -> Game:
    """Play a whole record; its trace, if it has one, is compared on the way."""
    game = Game.from_setup(board, record["players"], record["setup"])
    decisions, trace = record["decisions"], record.get("trace")
    if trace is not None and len(trace) != len(decisions):
        raise ValueError(f"trace: {len(trace)} entries for {len(decisions)} decisions")
    for index, token in enumerate(decisions):
        where = f"decision {index} {token!r}"
        if trace is not None:
            _compare(game, trace[index], where)
        try:
            game.apply(token)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    if not game.over:
        raise ValueError(f"decision {len(decisions)} is missing; legal: {' '.join(game.legal())}")
    return game


def _compare(game: Game, entry: Mapping[str, Any], where: str) -> None:
    """Every field of a trace entry against the game as it stands."""
    expected = {
        "player": game.to_move,
        "round": game.round,
        "legal": game.legal(),
        "vp": game.vp(),
        "coins": game.coins(),
        "wet": game.wet(),
        "dry": game.dry(),
    }
    for field, value in expected.items():
        if entry[field] != value:
            raise ValueError(f"{where}: trace has {field} {entry[field]!r}, here it is {value!r}")
    if "snapshot" in entry:
        _compare_snapshot(game.snapshot(), entry["snapshot"], where)


def _compare_snapshot(ours: Mapping[str, Any], theirs: Mapping[str, Any], where: str) -> None:
    """Everything but the inside of ``pending``, which each side designs itself."""
    for field in sorted((ours.keys() | theirs.keys()) - {"pending"}):
        if field not in ours or field not in theirs or ours[field] != theirs[field]:
            raise ValueError(f"{where}: snapshot has {field} {theirs.get(field)!r}, here it is {ours.get(field)!r}")


def check_record(board: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    """Refuse a record whose head, decisions, trace or result is wrong."""
    head = (
        ("format", record.get("format"), FORMAT),
        ("version", record.get("version"), VERSION),
        ("rules", record.get("rules", 1), RULES),
        ("board", record.get("board"), board["name"]),
    )
    for field, value, expected in head:
        if value != expected:
            raise ValueError(f"{field}: {value!r} instead of {expected!r}")
    game = replay(board, record)
    results = (("vp", game.vp()), ("ranking", game.ranking()))
    for field, result in results:
        if record[field] != result:
            raise ValueError(f"{field}: {record[field]!r}, here it is {result!r}")
