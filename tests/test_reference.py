"""The engine against the second implementation: every legal set, every position and every result of whole games."""

from __future__ import annotations

import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.busy import Busy
from terracotta_env.army import GAME
from terracotta_env.policy import Policy, Uniform
from terracotta_env.position import Position
from terracotta_env.record import Recorder
from tests.agents.games import BOARDS, printed
from tests.reference import Game

CASES = [
    (players, board, bot)
    for (players, board), bot in itertools.product(itertools.product(GAME.players, BOARDS), ("busy", "random"))
]
GAMES = 3  # of each bot for each number of players and board
FUZZ_GAMES = int(os.environ.get("TERRACOTTA_FUZZ_GAMES", "2000"))
REPORT_SECONDS = 20.0


class DifferenceError(AssertionError):
    """What the two implementations disagree on, and the record up to there."""

    def __init__(self, what: str, record: dict[str, Any]) -> None:
        super().__init__(what)
        self.record = record


def differences(position: Position, other: Game) -> Iterator[str]:
    """Everything that the two say differently of one position."""
    if position.over != other.over:
        yield f"over: {position.over}, second {other.over}"
        return
    legal = position.legal()
    if legal != other.legal():
        yield f"legal: {legal}, second {other.legal()}"
    ours, theirs = position.snapshot(), other.snapshot()
    for key in (ours.keys() | theirs.keys()) - {"pending"}:
        if key not in ours or key not in theirs or ours[key] != theirs[key]:
            yield f"snapshot.{key}: {ours.get(key)}, second {theirs.get(key)}"
    if position.points() != other.vp():
        yield f"vp: {position.points()}, second {other.vp()}"
    if position.over and position.ranking() != other.ranking():
        yield f"ranking: {position.ranking()}, second {other.ranking()}"


def play_both(players: int, board: str, bot: str, seed: int) -> int:
    """One game in both implementations; the number of decisions asked.  Raises :class:`DifferenceError`."""
    position = Position.from_seed(GAME, players, seed, board)
    other = Game.from_setup(printed(board), players, GAME.notation.setup_of(position.states))
    policy: Policy = Busy() if bot == "busy" else Uniform()
    policy.begin(seed)
    recorder = Recorder(position, [bot] * players, meta={"seed": seed})
    while True:
        for difference in differences(position, other):
            asked = len(recorder.record["decisions"])
            where = f"{players} players, {board}, {bot}, seed {seed}, before decision {asked}"
            raise DifferenceError(f"{where}: {difference}", recorder.record)
        if position.over:
            return len(recorder.record["decisions"])
        action = policy.act(position, position.mask())
        recorder.play(action)
        other.apply(GAME.tokens[action])


@pytest.mark.slow
@pytest.mark.parametrize(("players", "board"), list(itertools.product(GAME.players, BOARDS)))
def test_engine_and_second_implementation_agree_on_every_decision(players: int, board: str) -> None:
    for seed, bot in itertools.product(range(GAMES), ("busy", "random")):
        assert play_both(players, board, bot, 1000 * seed + 10 * players + BOARDS.index(board)) > 100


def test_comparison_notices_a_single_coin_and_a_missing_token() -> None:
    position = Position.from_seed(GAME, 2, 5)
    other = Game.from_setup(printed("reconstructed"), 2, GAME.notation.setup_of(position.states))
    assert not list(differences(position, other))
    position.states["coins"][0, 0] += 1
    assert [found.split(":")[0] for found in differences(position, other)] == ["snapshot.players"]
    position.states["coins"][0, 0] -= 1
    position.play("rotate:none")
    assert next(differences(position, other)).startswith("legal: ")


@pytest.mark.fuzz
@pytest.mark.timeout(0)
def test_engine_and_second_implementation_agree_in_many_games(capfd: pytest.CaptureFixture[str]) -> None:
    first = int(os.environ.get("TERRACOTTA_FUZZ_SEED", "0")) or time.time_ns() // 1_000_000
    rng = np.random.default_rng(first)
    started = reported = time.monotonic()
    decisions = 0
    for game in range(FUZZ_GAMES):
        players, board, bot = CASES[int(rng.integers(len(CASES)))]
        try:
            decisions += play_both(players, board, bot, first + game)
        except DifferenceError as difference:
            path = Path(tempfile.gettempdir()) / f"terracotta-difference-{first + game}.jsonl"
            path.write_text(json.dumps(difference.record) + "\n", encoding="utf-8")
            pytest.fail(f"{difference}; the record so far is in {path}")
        now = time.monotonic()
        if now - reported > REPORT_SECONDS or game + 1 == FUZZ_GAMES:
            reported = now
            with capfd.disabled():
                print(
                    f"\nfuzz from seed {first}: {game + 1} of {FUZZ_GAMES} games, {decisions:,} decisions alike, "
                    f"{now - started:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
