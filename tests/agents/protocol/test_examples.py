"""The example bots, in Python without our package and in JavaScript, play whole games and the same game twice."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from terracotta_agents.protocol.agent import ExternalBot
from terracotta_agents.registry import make_agent
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.policy import Policy
from terracotta_env.record import verify
from tests.toy import GAME as ORCHARD

from .playing import EXAMPLES, play
from .transcript import DOCUMENT, transcript

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
COMMANDS = {
    "example-python": [sys.executable, "-I", "-S", str(EXAMPLES / "bot.py")],  # neither our package nor any other
    "example-node": ["node", str(EXAMPLES / "bot.mjs")],
}
BOTS = [pytest.param("example-python"), pytest.param("example-node", marks=needs_node)]


def game_with(name: str, game: Game, players: int, seed: int) -> dict[str, Any]:
    with ExternalBot(COMMANDS[name], game) as bot:
        others: list[Policy] = [make_agent("random") for _ in range(players - 1)]
        return play(game, [*others[:1], bot, *others[1:]], seed)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", BOTS)
def test_example_plays_whole_games_and_the_same_twice(name: str, players: int, mark: str) -> None:
    record = game_with(name, GAME, players, players)
    assert verify(GAME, record).over
    assert record["agents"][1] == name
    assert record["meta"]["versions"][name] == 1
    assert game_with(name, GAME, players, players)["decisions"] == record["decisions"]


@pytest.mark.parametrize("name", BOTS)
def test_other_seeds_give_other_games(name: str, mark: str) -> None:
    with ExternalBot(COMMANDS[name], ORCHARD) as bot:
        games = {tuple(play(ORCHARD, [bot, make_agent("random")], seed)["decisions"]) for seed in range(10)}
    assert len(games) > 5


@needs_node
def test_examples_play_each_other(mark: str) -> None:
    with ExternalBot(COMMANDS["example-python"], GAME) as one, ExternalBot(COMMANDS["example-node"], GAME) as two:
        record = play(GAME, [one, two], 7)
        assert verify(GAME, record).over
        assert record["agents"] == ["example-python", "example-node"]


def test_python_example_uses_the_standard_library_alone() -> None:
    tree = ast.parse((EXAMPLES / "bot.py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names == {"json", "random", "sys"}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


@pytest.mark.parametrize("name", BOTS)
def test_example_ends_with_its_input(name: str) -> None:
    done = subprocess.run(COMMANDS[name], input=b'{"type": "hello"}\n', capture_output=True, timeout=20, check=True)
    assert done.stdout.count(b"\n") == 1


def test_code_of_the_registry_runs_a_command(mark: str) -> None:
    path = Path(EXAMPLES / "bot.py")
    bot = make_agent(f"cmd:{sys.executable} -S '{path}'")
    assert isinstance(bot, ExternalBot)
    assert (bot.name, bot.version) == ("example-python", 1)
    bot.close()


def test_transcript_in_the_documentation_is_that_of_a_real_game(mark: str) -> None:
    assert transcript() in DOCUMENT.read_text(encoding="utf-8")
