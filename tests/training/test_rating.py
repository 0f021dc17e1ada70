"""Ratings during a run: bounded, of its own random numbers, and nothing counted twice after a kill."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import torch

from terracotta_agents.arena.folder import Folder
from terracotta_agents.arena.summary import summarise
from terracotta_training.ppo import PpoRun
from terracotta_training.rated import FOLDER, RatedGames, rating_curve
from terracotta_training.rating import Rater
from tests.training.ppo_runs import resumed, tiny


def advance(run: PpoRun, rater: Rater, updates: int) -> str:
    for _ in range(updates):
        run.update()
    return rater.rate()


def test_evaluations_are_games_the_arena_can_report(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    with Rater(run) as rater:
        told = [advance(run, rater, 2) for _ in range(3)]
    assert all(text.startswith("rated update") and "against random" in text for text in told)
    folder = Folder(run.folder / FOLDER)
    config, results = folder.config(), folder.results()
    assert [agent["label"] for agent in config["agents"]] == ["random", "update-2", "update-4", "update-6"]
    # 6 games a match: one bot, then one and two snapshots more; with two and with three players
    assert Counter(result["players"] for result in results) == {2: 6 * (1 + 2 + 3), 3: 6 * (1 + 2 + 3)}
    assert len({result["game"] for result in results}) == len(results)
    newest = [max(name for name in result["agents"] if name != "random") for result in results]
    setups = {one: {(r["players"], r["setup"]) for r, name in zip(results, newest) if name == one} for one in newest}
    assert {one: len(of) for one, of in setups.items()} == dict.fromkeys(setups, 3 + 2)
    assert len(set().union(*setups.values())) == 3 * (3 + 2), "each evaluation has setups of its own"
    summary = summarise(config, results)
    assert any(table.title.startswith("Head to head") for table in summary.tables)


def test_curve_has_every_snapshot_and_the_bots_on_one_scale(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    with Rater(run) as rater:
        for _ in range(2):
            advance(run, rater, 1)
    curve = rating_curve(RatedGames(run.folder))
    assert curve is not None
    assert [point.snapshot.update for point in curve.points] == [1, 2]
    assert [point.snapshot.samples for point in curve.points] == sorted({p.snapshot.samples for p in curve.points})
    assert abs(sum(rating.value for rating in [*curve.bots.values(), *(p.rating for p in curve.points)])) < 1e-6
    for point in curve.points:
        assert set(point.shares) == {(2, "random"), (3, "random")}
        assert point.rating.low < point.rating.value < point.rating.high


def test_number_of_snapshots_on_disk_is_bounded_and_they_spread_over_the_run(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    with Rater(run) as rater:
        for _ in range(5):
            advance(run, rater, 1)
        assert list(rater.saved()) == [1, 3, 5]


def test_rating_touches_nothing_that_the_training_depends_on(tmp_path: Path) -> None:
    ends = []
    for name in ("rated", "plain"):
        run = tiny(tmp_path / name)
        with Rater(run) as rater:
            for _ in range(3):
                run.update()
                if name == "rated":
                    rater.rate()
        ends.append(run.network.state_dict())
    assert all(torch.equal(ends[0][key], ends[1][key]) for key in ends[0])


def test_killed_run_counts_no_game_twice(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    with Rater(run) as rater:
        advance(run, rater, 2)
        run.save()
        advance(run, rater, 2)  # lost: the checkpoint is older
    results = run.folder / FOLDER / "results.jsonl"
    whole = results.read_text()
    results.write_text(whole[:-40])  # and its last line was being written
    again = resumed(run.folder)
    assert again.updates == 2
    with Rater(again) as rater:
        assert list(rater.saved()) == [2]
        assert {name for result in rater.games.results for name in result["agents"]} == {"random", "update-2"}
        assert rater.rate() == "", "update 2 was rated before"
        advance(again, rater, 2)
    assert results.read_text() == whole, "the same evaluation of the same network"
    lines = [json.loads(line)["game"] for line in results.read_text().splitlines()]
    assert len(set(lines)) == len(lines)
    labels = [agent["label"] for agent in Folder(run.folder / FOLDER).config()["agents"]]
    assert labels == ["random", "update-2", "update-4"]


def test_run_without_a_bot_that_plays_many_games_is_rated_among_its_own_snapshots(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run", evaluation={"opponents": ["mcts:2"]})
    with Rater(run) as rater:
        assert advance(run, rater, 1) == "", "there is nobody to play yet"
        assert "rated update 2" in advance(run, rater, 1)
    curve = rating_curve(RatedGames(run.folder))
    assert curve is not None
    assert [point.snapshot.update for point in curve.points] == [1, 2]


def test_snapshot_that_played_nothing_before_a_kill_is_unknown(tmp_path: Path) -> None:
    run = tiny(tmp_path / "run")
    with Rater(run) as rater:
        advance(run, rater, 1)
    (run.folder / FOLDER / "results.jsonl").write_text("")  # killed between settings and results
    assert RatedGames(run.folder).snapshots == []
    assert rating_curve(RatedGames(run.folder)) is None
    with Rater(run) as rater:
        assert rater.rate() != ""
