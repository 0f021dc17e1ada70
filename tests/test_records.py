"""Records: their form, exact replays, and every way of tampering with one is found and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.errors import BoardError, IllegalActionError, RecordError
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.record import play_record, positions_of, read_lines, verify, whole_lines, write_line
from tests.agents.games import BOARDS, play_and_record, printed, recorded
from tests.reference import check_record

MIXED = {2: ("busy", "random"), 3: ("random", "busy", "busy"), 4: ("busy", "random", "busy", "random")}
CASES = [(players, board) for players in GAME.players for board in BOARDS]
HEAD = ["format", "version", "rules", "board", "players", "setup", "agents", "decisions", "vp", "ranking", "meta"]
REQUIRED = [key for key in HEAD if key not in ("rules", "agents", "meta")]
ENTRY = ["player", "round", "legal", "vp", "coins", "wet", "dry", "snapshot"]

Change = Callable[[dict[str, Any]], object]


def bytes_of(position: Position) -> bytes:
    """All of a position but the generator, which has done its work when the setup is there."""
    states = position.states.copy()
    states["generator"] = 0
    return states.tobytes()


def whole_numbers(values: Any, length: int) -> bool:
    return isinstance(values, list) and len(values) == length and all(type(value) is int for value in values)


@pytest.mark.parametrize(("players", "board"), CASES)
def test_traced_record_replays_exactly_here_and_in_the_second_implementation(players: int, board: str) -> None:
    record, final = recorded(players, MIXED[players], board, trace=True, snapshots=True)
    assert bytes_of(verify(GAME, record)) == bytes_of(final)
    check_record(printed(board), record)


@pytest.mark.parametrize(("players", "board"), CASES)
def test_record_has_the_keys_and_types_of_its_format(players: int, board: str) -> None:
    record, final = recorded(players, MIXED[players], board, trace=True, snapshots=True)
    assert list(record) == [*HEAD, "trace"]
    assert [record[key] for key in HEAD[:5]] == ["terracotta-record", 1, 1, board, players]
    assert record["agents"] == list(MIXED[players])
    assert record["meta"]["versions"] == {"busy": 1, "random": 1}
    setup = record["setup"]
    drawn = ["rings"] if board == "shuffled" else []
    assert list(setup) == ["inner_offset", "middle_offset", "tiles", "turn_order", *drawn]
    assert {type(setup["inner_offset"]), type(setup["middle_offset"])} == {int}
    assert len(set(setup["tiles"])) == 5
    assert sorted(setup["turn_order"]) == list(range(players))
    assert all(type(token) is str and token in GAME.tokens for token in record["decisions"])
    assert whole_numbers(record["vp"], players)
    assert record["vp"] == final.points()
    assert whole_numbers(record["ranking"], players)
    assert record["ranking"] == final.ranking()


def test_shuffled_board_names_its_rings_in_the_words_of_the_board_file() -> None:
    rings = recorded(3, MIXED[3], "shuffled", trace=True, snapshots=True)[0]["setup"]["rings"]
    wheel = printed("shuffled")["wheel"]
    assert list(rings) == ["inner", "middle", "outer"]
    for ring, words in rings.items():
        assert sorted(words) == sorted(wheel[ring])
        assert words != wheel[ring]


@pytest.mark.parametrize(("players", "board"), CASES)
def test_trace_has_one_entry_for_each_asked_decision(players: int, board: str) -> None:
    record, _ = recorded(players, MIXED[players], board, trace=True, snapshots=True)
    assert len(record["trace"]) == len(record["decisions"])
    for token, entry in zip(record["decisions"], record["trace"], strict=True):
        assert list(entry) == ENTRY
        assert token in entry["legal"]
        assert len(entry["legal"]) > 1  # a forced decision is not asked
        assert entry["legal"] == sorted(entry["legal"], key=lambda legal: [ord(letter) for letter in legal])
        assert type(entry["player"]) is int
        assert entry["player"] in range(players)
        assert type(entry["round"]) is int
        assert entry["round"] in range(1, 6)
        assert all(whole_numbers(entry[key], players) for key in ("vp", "coins", "wet", "dry"))


def test_trace_and_snapshots_are_only_there_when_asked_for() -> None:
    assert "trace" not in recorded()[0]
    traced = recorded(trace=True)[0]["trace"]
    assert list(traced[0]) == ENTRY[:-1]
    plain = {**recorded(trace=True, snapshots=True)[0]}
    del plain["trace"]
    assert plain == recorded()[0]


def test_meta_is_written_beside_the_versions_of_the_bots() -> None:
    record, _ = play_and_record(2, ["random"], meta={"note": "tea"})
    assert record["meta"] == {"versions": {"random": 1}, "note": "tea"}


def test_positions_of_yields_every_position_up_to_the_final_one() -> None:
    record, final = recorded(2, MIXED[2], trace=True, snapshots=True)
    indices = []
    for index, position in positions_of(GAME, record):
        indices.append(index)
        if index < len(record["decisions"]):
            assert position.snapshot() == record["trace"][index]["snapshot"]
            assert not position.over
    assert indices == list(range(len(record["decisions"]) + 1))
    assert bytes_of(position) == bytes_of(final)


def test_absent_rules_mean_version_1() -> None:
    record, _ = recorded()
    del record["rules"]
    verify(GAME, record)


# boards of one's own --------------------------------------------------------------------------------------------------


@pytest.fixture
def own_board(tmp_path: Path) -> Path:
    """A board file that only this machine has."""
    text = "\n".join(
        (
            'name = "mine"',
            "[mausoleum]\ncolumns = 9\nrows = 7",
            f"[wheel]\nshuffle = true\n{ring_lines()}",
            "[warriors]\nfigures_per_type = 11\norganizer_vp = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]",
            "bases_per_player = 15",
            "[specialists]\nfigures_per_type = 4\ncost = [1, 1, 2, 2]",
            '[specialists.weapon]\nhorse = "spear"\nfootman = "sword"\narcher = "halberd"\nmusician = "crossbow"',
            "[masters]\ntoken_prices = [1, 1, 2, 2, 3, 3]",
            "[scoring]\ntile_domination = [9, 8, 7, 6, 5]\ntile_presence = [4, 3, 2, 1, 0]\npriority_clay = [1, 2, 3]",
            '[inspectors]\nrow_start = 4\ncolumn_start = "e"',
        )
    )
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def ring_lines() -> str:
    return "\n".join(
        f"{ring} = {json.dumps(printed('rising')['wheel'][ring])}" for ring in ("inner", "middle", "outer")
    )


@pytest.mark.parametrize("players", GAME.players)
def test_record_on_an_own_board_carries_it_and_replays_without_the_file(players: int, own_board: Path) -> None:
    record, final = play_and_record(players, ["busy"], 3, str(own_board), trace=True, snapshots=True)
    own_board.unlink()
    record = json.loads(json.dumps(record))
    assert record["board"] == "mine"
    data = record["board_data"]
    assert (data["warriors"]["organizer_vp"][0], data["masters"]["token_prices"]) == (9, [1, 1, 2, 2, 3, 3])
    assert "rings" in record["setup"]
    assert bytes_of(verify(GAME, record)) == bytes_of(final)
    check_record(data, record)


def test_shipped_boards_are_named_not_carried() -> None:
    for board in BOARDS:
        assert "board_data" not in play_and_record(2, ["random"], 1, board)[0]


def test_changed_board_under_a_shipped_name_is_carried(tmp_path: Path, own_board: Path) -> None:
    own_board.write_text(own_board.read_text().replace('"mine"', '"flat"'), encoding="utf-8")
    record, _ = play_and_record(2, ["busy"], 3, str(own_board))
    assert record["board"] == record["board_data"]["name"] == "flat"
    verify(GAME, record)


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"name": "mine"}, "is missing"),
        ([1, 2], "board_data"),
        ("flat", "board_data"),
        ({}, "board"),
    ],
)
def test_damaged_board_data_is_refused(data: Any, named: str, own_board: Path) -> None:
    record, _ = play_and_record(2, ["random"], 3, str(own_board))
    record["board_data"] = data
    with pytest.raises((RecordError, BoardError), match=named):
        verify(GAME, record)


def test_board_that_is_not_the_one_carried_is_refused(own_board: Path) -> None:
    record, _ = play_and_record(2, ["random"], 3, str(own_board))
    record["board"] = "reconstructed"
    with pytest.raises((RecordError, BoardError), match="board"):
        verify(GAME, record)


# tampering ------------------------------------------------------------------------------------------------------------


def refused(record: dict[str, Any], named: str) -> str:
    with pytest.raises((RecordError, BoardError), match=named) as caught:
        verify(GAME, record)
    return str(caught.value)


def test_illegal_decision_is_named_with_the_legal_ones() -> None:
    record, _ = recorded()
    record["decisions"][5] = "dir:n"
    message = refused(record, r"decision 5 \(dir:n\): not legal for seat \d")
    assert recorded(trace=True)[0]["trace"][5]["legal"][0] in message


def test_unknown_token_is_named() -> None:
    record, _ = recorded()
    record["decisions"][7] = "dance"
    refused(record, r"decision 7 \(dance\)")


def test_other_legal_decision_is_found_at_the_first_difference() -> None:
    record, _ = recorded(trace=True)
    for index in (0, 20, 100):
        changed, _ = recorded(trace=True)
        entry = changed["trace"][index]
        changed["decisions"][index] = next(t for t in entry["legal"] if t != record["decisions"][index])
        refused(changed, rf"decision ({index + 1}|{index + 2}) \(|trace\[({index + 1}|{index + 2})\]")


def test_removed_decision_is_named() -> None:
    record, _ = recorded(trace=True)
    for index in (0, 50):
        changed, _ = recorded()
        del changed["decisions"][index]
        refused(changed, r"decision \d+ \([^)]+\): not legal")
    removed = {**record, "decisions": record["decisions"][1:]}
    refused(removed, "trace: expected one entry for each decision")


def test_missing_end_is_named() -> None:
    record, _ = recorded()
    del record["decisions"][-1]
    refused(record, rf"decision {len(record['decisions'])}: is missing")


def test_added_decision_is_named() -> None:
    record, _ = recorded()
    record["decisions"].append("decline")
    refused(record, rf"decision {len(record['decisions']) - 1} \(decline\): the game was over")
    inserted, _ = recorded()
    inserted["decisions"].insert(4, "place:artisan:1")
    refused(inserted, r"decision 4 \(place:artisan:1\)")


def add_one(values: Any) -> Any:
    return [values[0] + 1, *values[1:]] if isinstance(values, list) else values + 1


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda r: r.update(vp=add_one(r["vp"])), "vp: says"),
        (lambda r: r.update(vp=r["vp"][:1]), "vp: expected 2 entries, got 1"),
        (lambda r: r.update(ranking=r["ranking"][::-1]), "ranking: says"),
        (lambda r: r.update(rules=2), "rules: made under version 2 .* plays version 1"),
        (lambda r: r.update(rules=None), "rules"),
        (lambda r: r.update(format="chess-record"), "format: expected one of terracotta-record, got 'chess-record'"),
        (lambda r: r.update(version=2), "version"),
        (lambda r: r.update(version=True), "version"),
        (lambda r: r.update(colour=1), "colour: unknown key"),
        (lambda r: r.update(players=5), "players"),
        (lambda r: r.update(players=3), "turn_order"),
        (lambda r: r.update(board="nowhere"), "'nowhere'"),
        (lambda r: r.update(board=3), "board"),
        (lambda r: r.update(setup=[1]), "setup: expected a table"),
        (lambda r: r["setup"].update(inner_offset=12), "setup: inner_offset: .* 0..11, got 12"),
        (lambda r: r["setup"].update(tiles=["row"] * 5), "setup: tiles: expected five different tiles"),
        (lambda r: r["setup"].update(turn_order=[0, 0]), "setup: turn_order"),
        (lambda r: r["setup"].update(rings={}), "setup: rings.inner: is missing"),
        (lambda r: r["setup"].update(moon=1), "setup: moon: unknown key"),
        (lambda r: r["setup"].pop("tiles"), "setup: tiles: is missing"),
        (lambda r: r.update(decisions="rotate:none"), "decisions: expected a list"),
        (lambda r: r.update(decisions=5), "decisions: expected a list"),
        (lambda r: r["decisions"].__setitem__(3, 7), r"decisions\[3\]: expected a text, got 7"),
        *((lambda r, key=key: r.pop(key), f"{key}: is missing") for key in REQUIRED),
    ],
)
def test_changed_field_is_named(change: Change, named: str) -> None:
    record, _ = recorded()
    change(record)
    refused(record, named)


def test_decisions_that_are_no_list_are_refused_beside_a_trace_too() -> None:
    record, _ = recorded(trace=True)
    record["decisions"] = 5
    refused(record, "decisions")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda t: t[6].update(player=1 - t[6]["player"]), r"decision 6 \(.*\): trace\[6\]\.player"),
        (lambda t: t[6].update(round=2), r"decision 6 \(.*\): trace\[6\]\.round"),
        (lambda t: t[6]["legal"].pop(), r"decision 6 \(.*\): trace\[6\]\.legal"),
        (lambda t: t[6]["legal"].reverse(), r"decision 6 \(.*\): trace\[6\]\.legal"),
        (lambda t: t[6]["legal"].append("decline"), r"decision 6 \(.*\): trace\[6\]\.legal"),
        *(
            (lambda t, key=key: t[6].update({key: add_one(t[6][key])}), rf"decision 6 \(.*\): trace\[6\]\.{key}")
            for key in ("vp", "coins", "wet", "dry")
        ),
        *((lambda t, key=key: t[6].pop(key), rf"trace\[6\]\.{key}: is missing") for key in ENTRY[:-1]),
        (lambda t: t[6].update(colour=1), r"trace\[6\]\.colour"),
        (lambda t: t.__setitem__(6, 3), r"trace\[6\]: expected a table, got 3"),
        (lambda t: t.pop(), "trace: expected one entry for each decision"),
        (lambda t: t.append(t[0]), "trace: expected one entry for each decision"),
    ],
)
def test_changed_trace_entry_is_named(change: Change, named: str) -> None:
    record, _ = recorded(trace=True)
    change(record["trace"])
    refused(record, named)


def test_trace_that_is_no_list_is_refused() -> None:
    refused({**recorded()[0], "trace": {}}, "trace: expected one entry for each decision")


SNAPSHOT_FIELDS = [key for key in Position.from_seed(GAME, 2, 0).snapshot() if key != "pending"]


@pytest.mark.parametrize("field", SNAPSHOT_FIELDS)
def test_changed_snapshot_field_is_named(field: str) -> None:
    record, _ = recorded(trace=True, snapshots=True)
    snapshot = record["trace"][3]["snapshot"]
    snapshot[field] = "other" if snapshot[field] != "other" else "another"
    refused(record, rf"decision 3 \(.*\): trace\[3\]\.snapshot\.{field} differs")


def test_changed_number_deep_in_a_snapshot_is_found() -> None:
    record, _ = recorded(trace=True, snapshots=True)
    record["trace"][3]["snapshot"]["players"][1]["ledger"]["tile"] += 1
    refused(record, r"trace\[3\]\.snapshot\.players")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda entry: entry["snapshot"].pop("tile"), r"trace\[3\]\.snapshot"),
        (lambda entry: entry["snapshot"].update(colour=1), r"trace\[3\]\.snapshot"),
        (lambda entry: entry.update(snapshot=None), r"trace\[3\]\.snapshot"),
        (lambda entry: entry.update(snapshot=[1]), r"trace\[3\]\.snapshot"),
    ],
)
def test_snapshot_of_another_form_is_refused(change: Change, named: str) -> None:
    record, _ = recorded(trace=True, snapshots=True)
    change(record["trace"][3])
    refused(record, named)


def test_inside_of_pending_is_each_programs_own() -> None:
    record, _ = recorded(trace=True, snapshots=True)
    record["trace"][3]["snapshot"]["pending"] = {"mine": 1}
    verify(GAME, record)


# files ----------------------------------------------------------------------------------------------------------------


def test_records_go_through_a_file_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    records = [recorded(players, MIXED[players], trace=True, snapshots=True)[0] for players in GAME.players]
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            write_line(file, record)
    assert path.read_bytes().count(b"\n") == 3
    assert list(read_lines(path)) == list(enumerate(records, 1))


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('\n{"a": 1}\n\n{"a": 2}\n', encoding="utf-8")
    assert list(read_lines(path)) == [(2, {"a": 1}), (4, {"a": 2})]


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        (b'{"a": 1}\nnonsense\n', "line 2: is not JSON"),
        (b'{"a": 1}\n{"a": 2', "line 2: is not JSON .* cut off"),
        (b'{"a": 1}\n[1]\n', "line 2: expected a JSON object, got list"),
        (b'{"a": 1}\n\xff\xfe\x00\n', "line 2"),
    ],
)
def test_line_that_is_no_record_is_named(raw: bytes, named: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(raw)
    with pytest.raises(RecordError, match=named):
        list(read_lines(path))


@pytest.mark.parametrize(
    ("raw", "kept", "lines"),
    [(b"", b"", 0), (b"{}\n{}\n", b"{}\n{}\n", 2), (b"{}\n{", b"{}\n", 1), (b"{", b"", 0)],
)
def test_last_line_that_was_cut_off_is_removed(raw: bytes, kept: bytes, lines: int, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(raw)
    assert whole_lines(path) == lines
    assert path.read_bytes() == kept


def test_illegal_action_of_a_bot_names_bot_and_seat() -> None:
    class Cheat(Uniform):
        name = "cheat"

        def act(self, position: Position, mask: np.ndarray) -> int:
            return int(np.flatnonzero(mask == 0)[0])

    position = Position.from_setup(
        GAME, 2, {"inner_offset": 0, "middle_offset": 0, "tiles": ["row", "nw", "ne", "sw", "se"], "turn_order": [1, 0]}
    )
    with pytest.raises(IllegalActionError, match="agent cheat in seat 1: illegal action"):
        play_record(position, [Uniform(), Cheat()])


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("vp", [1.5, 2], r"vp\[0\]: expected a whole number"),
        ("vp", [1], "vp: expected 2 entries, got 1"),
        ("ranking", [True, False], r"ranking\[0\]: expected a whole number in 0\.\.1, got True"),
        ("agents", ["random"], "agents: expected 2 entries, got 1"),
        ("agents", ["random", 7], r"agents\[1\]: expected a text, got 7"),
        ("meta", "none", "meta: expected a table, got 'none'"),
    ],
)
def test_field_of_another_kind_is_named(field: str, value: Any, message: str) -> None:
    record, _ = recorded(2, ("random", "random"), "reconstructed")
    with pytest.raises(RecordError, match=f"record: {message}"):
        verify(GAME, {**record, field: value})
