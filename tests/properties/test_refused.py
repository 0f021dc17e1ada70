"""Impossible snapshots are refused with a line that names the field: one thing of a valid snapshot spoilt at a time."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terracotta_env.army import GAME
from terracotta_env.errors import SetupError
from terracotta_env.position import Position
from tests.properties.lines import dense_snapshots, examples

Path = tuple[str | int, ...]

# impossible wherever they stand: no field holds a fraction, a negative number, a huge one, or such a word
NONSENSE: tuple[Any, ...] = (-1, 10**6, 0.5, "nonsense", "", [[]], {"nonsense": 1})


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Paths of everything that is neither a table nor a list."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from leaves(entry, (*path, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from leaves(entry, (*path, index))
    else:
        yield path


def tables(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        yield path
    if isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from tables(entry, (*path, key))


def holder(snapshot: Any, path: Path) -> Any:
    for step in path[:-1]:
        snapshot = snapshot[step]
    return snapshot


def name(path: Path) -> str:
    """The path as messages write it: ``players[0].coins``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def refusal(snapshot: dict[str, Any]) -> str:
    """The line with which a snapshot is refused."""
    with pytest.raises(SetupError) as caught:
        Position.from_snapshot(GAME, snapshot)
    message = str(caught.value)
    assert "\n" not in message
    return message


def spoilt(snapshot: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(snapshot)
    holder(copied, path)[path[-1]] = value
    return copied


@examples(400)
@given(dense_snapshots(), st.data())
def test_nonsense_in_any_place_is_refused_by_that_name(snapshot: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(list(leaves(snapshot))).filter(lambda path: path != ("board",)))
    message = refusal(spoilt(snapshot, path, data.draw(st.sampled_from(NONSENSE))))
    named = "priority_stack" if path[0] == "priority_stack" else name(path)  # that list is judged as a whole
    assert re.search(rf"\b{re.escape(named)}(?![\w.\[])", message), message


@examples(60)
@given(dense_snapshots(), st.data())
def test_a_field_that_is_missing_is_named(snapshot: dict[str, Any], data: st.DataObject) -> None:
    inner = [path for path in leaves(snapshot) if isinstance(path[-1], str) and path[-2:-1] != ("masters",)]
    top = [(key,) for key in snapshot]
    path = data.draw(st.sampled_from([*inner, *top]).filter(lambda path: path != ("rules",)))
    copied = copy.deepcopy(snapshot)
    del holder(copied, path)[path[-1]]
    message = refusal(copied)
    expected = f"{name(path)}: is missing"
    if path[0] == "mausoleum" and path[-1] == "kind":
        expected = name(path[:-1])  # without its kind it is no statue
    assert expected in message, message


@examples(40)
@given(dense_snapshots(), st.data())
def test_a_field_that_is_unknown_is_named(snapshot: dict[str, Any], data: st.DataObject) -> None:
    path = (*data.draw(st.sampled_from(list(tables(snapshot)))), "colour")
    message = refusal(spoilt(snapshot, path, 1))
    assert f"{name(path)}: unknown key" in message, message


COUNTED = ("craftsmen", "artisans", "artisans_in_supply", "bases", "vp")


@examples(60)
@given(dense_snapshots(), st.data())
def test_one_piece_more_or_less_is_refused(snapshot: dict[str, Any], data: st.DataObject) -> None:
    places: list[Path] = [("players", seat, key) for seat in range(len(snapshot["players"])) for key in COUNTED]
    places += [(supply, key) for supply in ("organizer", "specialists_left") for key in snapshot[supply]]
    path = data.draw(st.sampled_from(places))
    now = holder(snapshot, path)[path[-1]]
    message = refusal(spoilt(snapshot, path, now + data.draw(st.sampled_from([-1, 1]))))
    related = {"artisans_in_supply": ("craftsmen", "artisans", "artisans_in_supply")}.get(str(path[-1]), (path[-1],))
    assert any(name((*path[:-1], key)) in message for key in related), message


@examples(60)
@given(dense_snapshots(), st.data())
def test_a_statue_or_worker_or_token_too_few_or_too_many_is_refused(
    snapshot: dict[str, Any], data: st.DataObject
) -> None:
    copied = copy.deepcopy(snapshot)
    lists = {"mausoleum": copied["mausoleum"], "priority_stack": copied["priority_stack"]}
    lists.update({f"players[{seat}].tokens": player["tokens"] for seat, player in enumerate(copied["players"])})
    lists.update({f"wheel.{number}.workers": segment["workers"] for number, segment in copied["wheel"].items()})
    where = data.draw(st.sampled_from([key for key, entries in lists.items() if entries]))
    entries = lists[where]
    index = data.draw(st.integers(0, len(entries) - 1))
    if data.draw(st.booleans()):
        del entries[index]
    else:
        entries.append(copy.deepcopy(entries[index]))
    fields = {
        "mausoleum": r"players\[\d\]\.bases|organizer\.\w+|specialists_left\.\w+|mausoleum",
        "priority_stack": "priority_stack",
        "players": r"players\[\d\]\.tokens",
        "wheel": r"players\[\d\]\.(craftsmen|artisans)|wheel\.\d+\.workers",
    }
    message = refusal(copied)
    assert re.search(fields[re.split(r"[.\[]", where)[0]], message), message


@examples(40)
@given(dense_snapshots(), st.data())
def test_a_turn_of_a_seat_without_workers_is_refused(snapshot: dict[str, Any], data: st.DataObject) -> None:
    idle = [seat for seat, player in enumerate(snapshot["players"]) if player["craftsmen"] + player["artisans"] == 0]
    message = refusal({**snapshot, "to_move": data.draw(st.sampled_from([*idle, len(snapshot["players"]), None]))})
    assert "to_move" in message


@examples(20)
@given(dense_snapshots())
def test_a_game_that_is_over_too_early_is_refused(snapshot: dict[str, Any]) -> None:
    over = {**snapshot, "over": True}
    assert "to_move: expected null" in refusal(over)
    assert "pending: expected null" in refusal({**over, "to_move": None})
    message = refusal({**over, "to_move": None, "pending": None})
    assert f"{'over: expected false' if snapshot['round'] == 5 else 'round: expected 5'}" in message
