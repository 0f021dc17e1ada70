"""Units of work: a few games from drawn setups, or lines of play from a few dense positions, compared throughout.

A unit is known by its kind and number; everything in it is drawn from generators seeded with the run's seed, the kind
and a number, so any game or position can be played again alone.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from tests.agents.games import BOARDS, printed
from tests.fuzz.compare import DifferenceError, Pair, play_on
from tests.fuzz.dense import draw_dense
from tests.fuzz.players import PLAYERS
from tests.reference.board import RINGS, TILES

SIZE = {"games": 20, "positions": 50}  # in one unit
LINES = 4  # of play from each dense position
TURNS = 4  # at most in each line, unless the round ends before
_NAMES = tuple(PLAYERS)


@dataclass
class Outcome:
    """What came of one unit."""

    kind: str
    number: int
    done: int = 0
    decisions: int = 0
    seconds: float = 0.0  # of the processor
    failure: dict[str, Any] | None = field(default=None)

    def line(self) -> dict[str, Any]:
        """What is written down of a unit without a failure."""
        return {key: value for key, value in asdict(self).items() if key != "failure"}


def draw_setup(rng: Random, players: int, board: str) -> dict[str, Any]:
    """A setup with any order of the seats (R3)."""
    setup: dict[str, Any] = {
        "inner_offset": rng.randrange(12),
        "middle_offset": rng.randrange(12),
        "tiles": rng.sample(TILES, 5),
        "turn_order": rng.sample(range(players), players),
    }
    wheel = printed(board)["wheel"]
    if wheel.get("shuffle"):
        setup["rings"] = {ring: rng.sample(wheel[ring], 12) for ring in RINGS}
    return setup


def run_game(seed: int, index: int) -> int:
    """Game ``index``: boards, numbers of players and players take turns.  Returns the number of decisions."""
    rng = Random(f"{seed} game {index}")
    board, players = BOARDS[index % len(BOARDS)], 2 + index // len(BOARDS) % 3
    name = _NAMES[index // (3 * len(BOARDS)) % len(_NAMES)]
    start = {"board": board, "players": players, "setup": draw_setup(rng, players, board)}
    return _guarded(start, lambda: play_on(Pair(start), PLAYERS[name], rng))


def run_position(seed: int, index: int, lines: int = LINES) -> int:
    """Dense position ``index`` and its lines of play.  Returns the number of decisions."""
    rng = Random(f"{seed} position {index}")
    start = {"snapshot": draw_dense(rng, 2 + index % 3, BOARDS[index // 3 % len(BOARDS)])}

    def play() -> int:
        pair = Pair(start)
        begin, decisions = pair.position.clone(), 0
        for line in range(lines):
            pair = Pair(start, begin.clone()) if line else pair
            name = ("eager", "busy", "eager", "uniform")[line % 4]
            decisions += play_on(pair, PLAYERS[name], rng, TURNS)
        return decisions

    return _guarded(start, play)


class FailedCaseError(Exception):
    """A difference with the case that shows it."""

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(f"{case['where']}: {case['what']}")
        self.case = case


def _guarded(start: dict[str, Any], play: Any) -> int:
    try:
        decisions: int = play()
    except DifferenceError as found:
        case = {"where": found.where, "what": found.what, "start": start, "decisions": list(found.decisions)}
        raise FailedCaseError(case) from None
    return decisions


def run_unit(kind: str, number: int, seed: int, total: int) -> Outcome:
    """Unit ``number`` of a run of ``total`` games or positions; it stops at its first failure."""
    outcome = Outcome(kind, number)
    run = run_game if kind == "games" else run_position
    first = number * SIZE[kind]
    started = time.process_time()
    for index in range(first, min(first + SIZE[kind], total)):
        try:
            outcome.decisions += run(seed, index)
        except FailedCaseError as failure:
            outcome.failure = {"kind": kind, "seed": seed, "index": index, **failure.case}
            break
        outcome.done += 1
    outcome.seconds = round(time.process_time() - started, 3)
    return outcome
