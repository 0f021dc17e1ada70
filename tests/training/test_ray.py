"""Self-play on a local Ray cluster: every game is counted once, whoever dies.  Actors are few: each takes seconds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray")

from terracotta_training.alphazero import AlphaZeroRun  # noqa: E402
from terracotta_training.config import ConfigError  # noqa: E402
from terracotta_training.jobs import read_jobs  # noqa: E402
from terracotta_training.metrics import read_metrics  # noqa: E402
from terracotta_training.ray_cluster.cluster import LOCAL, check_room, cluster  # noqa: E402
from terracotta_training.ray_cluster.source import RaySource  # noqa: E402
from terracotta_training.selfplay import play_job  # noqa: E402
from tests.training.alphazero_runs import resumed, settings, tiny  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cluster with room for two actors, and a third while one is being replaced."""
    with cluster(LOCAL, settings(tmp_path_factory.mktemp("unused"), ray={"actors": 3}).ray):
        yield


@pytest.fixture(scope="module")
def one_actor(local: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RaySource]:
    sections: dict[str, dict[str, Any]] = {
        "ray": {"actors": 1, "in_flight": 3, "retries": 1, "kilobytes": 2},
        "run": {"half": False},
    }
    run = tiny(tmp_path_factory.mktemp("one") / "run", **sections)
    with closing(RaySource(run, run.config.ray)) as source:
        yield source


def take_all(source: RaySource) -> None:
    while True:
        source.take()


def assert_counted_once(run: AlphaZeroRun) -> None:
    lines = read_jobs(run.folder)
    games = [game for line in lines for game in range(line.first_game, line.first_game + line.games)]
    assert len(games) == len(set(games)) == run.ledger.counted * run.ledger.games
    assert sum(line.decisions for line in lines) == run.clock.samples
    assert [row["updates"] for row in read_metrics(run.folder)] == list(range(1, run.updates + 1))


def test_address_without_a_cluster_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--ray auto"), cluster("auto", settings(tmp_path).ray):
        pass


def test_actor_plays_the_very_games_that_this_process_would_in_objects_of_bounded_size(
    one_actor: RaySource, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, run, sizes, get = one_actor, one_actor.run, list[int](), ray.get

    def watched(asked: Any) -> Any:
        got = get(asked)
        if isinstance(got, list):
            sizes.extend(part.nbytes for part in got)
        return got

    monkeypatch.setattr("terracotta_training.ray_cluster.source.ray.get", watched)
    [block, *_] = source.take()
    expected = play_job(run.common, run.playing, 0, run.ledger.job(block.done.job))
    assert block.samples.tobytes() == expected.samples.tobytes()
    assert block.done.simulations == expected.done.simulations
    assert sum(sizes) == block.samples.nbytes
    assert max(sizes) <= 1024 * run.config.ray.kilobytes
    assert len(sizes) > 1


def test_no_actor_has_more_jobs_than_it_may_and_weights_go_out_once_a_version(one_actor: RaySource) -> None:
    source, run = one_actor, one_actor.run
    source.publish()
    weights, given = source._weights, set(run.ledger.given)
    assert [len(seat.jobs) for seat in source.seats] == [3]
    time.sleep(1)  # whatever is finished meanwhile waits for the learner
    for _ in range(3):
        source.publish()
    assert run.ledger.given == given
    assert source._weights is weights
    run.version += 1
    source.publish()
    assert source._weights is not weights


def test_job_that_fails_in_itself_ends_the_run_with_its_reason(one_actor: RaySource) -> None:
    one_actor.run.ledger.players = (9,)
    with pytest.raises(ConfigError, match=r"job \d+ failed 2 times.*players"):
        take_all(one_actor)


def test_actors_that_are_killed_are_replaced_and_the_run_ends_with_each_game_counted_once(
    local: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tiny(tmp_path / "run")
    update = run.update

    def kill_one() -> dict[str, float]:
        row = update()
        if run.updates == 2:
            assert isinstance(run.source, RaySource)
            ray.kill(run.source.seats[0].actor)
        return row

    monkeypatch.setattr(run, "update", kill_one)
    with closing(RaySource(run, run.config.ray)) as run.source:
        assert run.train()
        counted = {line.job for line in read_jobs(run.folder)}
        assert set(range(max(counted))) - counted <= run.ledger.given  # no job is left behind
    assert_counted_once(run)
    assert (read_metrics(run.folder)[-1]["actors"], read_metrics(run.folder)[-1]["replaced"]) == (2, 1)
    assert {line.worker for line in read_jobs(run.folder)} <= {"actor-0", "actor-1"}
    again = resumed(run.folder)  # what was learned on a cluster goes on without one
    again.clock.samples_limit += 50
    assert again.train()
    assert_counted_once(again)


def test_killed_learner_goes_on_and_ends_with_each_game_counted_once(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "tests.training.ray_run", str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(read_metrics(folder)) < 3 and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "the run ended before it was killed"
    again = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert_counted_once(resumed(folder))


def test_actors_that_the_cluster_has_no_room_for_are_refused(tmp_path: Path) -> None:
    wanted = settings(tmp_path, ray={"actors": 4, "gpus": 0.25}).ray
    check_room({"CPU": 4.0, "GPU": 1.0}, wanted)
    with pytest.raises(ConfigError, match=r"4 actors of 0\.25 GPU need 1, the cluster has 0"):
        check_room({"CPU": 8.0}, wanted)
