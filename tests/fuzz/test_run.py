"""The long run in small: wrong rules are found and made small, runs go on where they stopped, differences fail them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.fuzz import run, units
from tests.fuzz.dense import draw_dense
from tests.fuzz.shrink import edits, lazy, replay, shrink
from tests.fuzz.units import Outcome

LITTLE = ["--games", "3", "--positions", "120", "--seed", "4"]


def _fewest(amounts: list[int], among: Any) -> int | None:
    """The archers' tie-break turned around: the single seat with the fewest."""
    seats = list(among)
    fewest = [seat for seat in seats if amounts[seat] == min(amounts[s] for s in seats)]
    return fewest[0] if len(fewest) == 1 else None


def difference_in(folder: Path) -> dict[str, Any]:
    (path,) = folder.glob("difference-*.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    ("rule", "wrong", "where", "statues", "decisions"),
    [
        ("contests.leader", _fewest, "players.ledger.", 5, 4),
        ("warriors.GUARD_POINTS", 2, "players.ledger.guard", 0, 7),
        ("warriors.crossbow_points", lambda *_: 0, "players.ledger.crossbowman", 1, 7),
        ("final.GROUP_SIZE", 3, "players.ledger.group_", 2, 4),
        ("specialists.HORSE_LENGTH", 2, "", 4, 7),
    ],
)
def test_a_wrong_rule_is_found_and_made_small(
    rule: str,
    wrong: object,
    where: str,
    statues: int,
    decisions: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(f"tests.reference.{rule}", wrong)
    assert run.main([*LITTLE, "--games", "0", "--out", str(tmp_path)]) == 1
    case = difference_in(tmp_path)
    assert case["where"].startswith(where)
    assert len(case["start"]["snapshot"]["mausoleum"]) <= statues
    assert len(case["decisions"]) <= decisions
    printed = capsys.readouterr().out
    assert case["what"] in printed
    assert "difference-positions-" in printed
    again = replay(case).found
    assert again is not None
    assert again.where == case["where"]
    monkeypatch.undo()
    assert replay(case).found is None
    assert replay(case["first"]).found is None


def test_a_wrong_rule_in_a_whole_game_is_traced_to_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.reference.masters.CLAY_MAKER_CLAY", 4)
    assert run.main(["--games", "20", "--positions", "0", "--out", str(tmp_path)]) == 1
    case = difference_in(tmp_path)
    assert case["where"] == "players.wet"
    assert case["start"]["snapshot"]["mausoleum"] == []
    assert len(case["decisions"]) <= 5
    assert "setup" in case["first"]["start"]


def test_with_keep_going_every_kind_of_difference_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.reference.warriors.GUARD_POINTS", 2)
    assert run.main([*LITTLE, "--games", "0", "--keep-going", "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("DIFFERENCE") == 1


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(units.SIZE, "positions", 8)
    monkeypatch.setitem(units.SIZE, "games", 1)
    some = ["--games", "2", "--positions", "20"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert run.main([*some, "--out", str(whole)]) == 0
    calls: list[tuple[str, int]] = []

    def until_third(kind: str, number: int, seed: int, total: int) -> Outcome:
        calls.append((kind, number))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return units.run_unit(kind, number, seed, total)

    monkeypatch.setattr(run, "run_unit", until_third)
    assert run.main([*some, "--out", str(parts)]) == run.INTERRUPTED
    with (parts / "units.jsonl").open("a") as file:
        file.write('{"kind": "posi')  # as after kill -9
    assert run.main([*some, "--resume", "--out", str(parts)]) == 0
    assert calls[2] == calls[3]
    assert len(calls) == 6
    assert results(whole) == results(parts)
    assert sum(entry[2] for entry in results(whole)[1:]) == 22


def results(folder: Path) -> list[tuple[Any, ...]]:
    """All lines of a run without the times."""
    lines = [json.loads(line) for line in (folder / "units.jsonl").read_text().splitlines()]
    return [tuple(value for key, value in line.items() if key != "seconds") for line in lines]


def test_a_run_is_neither_overwritten_nor_mixed_with_another(tmp_path: Path) -> None:
    few = ["--games", "1", "--positions", "0", "--out", str(tmp_path)]
    assert run.main(few) == 0
    with pytest.raises(SystemExit, match="--resume it"):
        run.main(few)
    with pytest.raises(SystemExit, match="holds a run with"):
        run.main([*few, "--resume", "--seed", "9"])
    assert run.main([*few, "--resume"]) == 0


@pytest.mark.parametrize("wrong", [["--jobs", "0"], ["--games", "-1"], []])
def test_wrong_arguments_are_refused(wrong: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        run.main([*wrong, "--out", str(tmp_path)] if wrong else [])


@pytest.mark.slow
def test_several_processes_do_the_same_work(tmp_path: Path) -> None:
    few = ["--games", "2", "--positions", "60"]
    assert run.main([*few, "--out", str(tmp_path / "1")]) == 0
    assert run.main([*few, "--jobs", "2", "--out", str(tmp_path / "2")]) == 0
    one, two = (sorted(map(str, results(tmp_path / name))) for name in "12")
    assert one == two


def test_nothing_to_shrink_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing differs"):
        shrink({"start": {"snapshot": draw_dense(Random(1))}, "decisions": []})


def test_what_the_shrinker_leaves_out_keeps_all_counts() -> None:
    snapshot = draw_dense(Random(3), 4)
    tried = 0
    for edit in edits(snapshot):
        smaller = json.loads(json.dumps(snapshot))
        if edit(smaller):
            Position.from_snapshot(GAME, smaller)
            assert smaller != snapshot
            tried += 1
    assert tried > 50


def test_the_laziest_token_does_nothing_where_it_can() -> None:
    assert lazy(["ring:clay", "ring:nothing", "ring:perform"]) == "ring:nothing"
    assert lazy(["cell:a1", "decline"]) == "decline"
    assert lazy(["cell:a1", "cell:a2"]) == "cell:a1"
