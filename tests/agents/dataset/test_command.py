"""The command: what it makes, and one line for whatever cannot be."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from terracotta_agents.dataset.commands import dataset
from terracotta_agents.dataset.reading import read
from terracotta_env.errors import TerracottaError


def call(*words: object) -> str:
    """Standard output and error; raises what the ``terracotta`` command would print in one line."""
    result = CliRunner().invoke(dataset, [str(word) for word in words], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.output


def test_agents_of_every_kind_share_a_set(tmp_path: Path) -> None:
    text = call(
        "--agents", "busy,mcts:2,rollout=busy", "--games", 3, "--rotate", "--part", 2, "--out", tmp_path / "set"
    )
    assert f"3 games in {tmp_path / 'set'}" in text
    ranks = read(tmp_path / "set", "ranks").to_pandas()
    assert sorted(ranks.agent.unique()) == ["busy", "mcts:2,rollout=busy"]
    assert len(ranks) == 6


def test_a_network_plays_and_is_named_by_its_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("terracotta_agents.dataset.playing.BLOCK", 2)
    call("--agents", "net:default,busy", "--games", 2, "--out", tmp_path / "set")
    text = (tmp_path / "set" / "dataset.json").read_text()
    assert '"code": "net:default"' in text
    assert '"sha256"' in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--agents", "busy", "--games", 1), "expected one for each seat, 2, 3, 4 of them, got 1"),
        (("--agents", "busy,nobody", "--games", 1), "no agent 'nobody'"),
        (("--agents", "busy,busy", "--games", 1, "--board", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_is_told_and_leaves_no_folder(tmp_path: Path, words: tuple[object, ...], message: str) -> None:
    with pytest.raises(TerracottaError, match=message):
        call(*words, "--out", tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_pyarrow_is_asked_for_by_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(click.ClickException, match=r"pip install 'terracotta-army\[data\]'"):
        call("--agents", "busy,busy", "--games", 1, "--out", tmp_path)
