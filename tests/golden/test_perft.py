"""The numbers of decision sequences in perft.txt: from the engine, from the second implementation, and by hand."""

from __future__ import annotations

from functools import cache
from itertools import takewhile

import numba
import pytest

from terracotta_env.army import GAME
from terracotta_env.army.snapshot import DECISION_NAMES
from terracotta_env.position import Position
from tests.agents.games import printed
from tests.golden import perft
from tests.golden.openings import NAMED, Named
from tests.golden.test_golden import RULES_ADVICE
from tests.reference import Game as Reference
from tests.toy import GAME as TOY

INTERPRETED = bool(numba.config.DISABLE_JIT)
MOST_INTERPRETED = 300  # sequences; the compiled walk counts millions
MOST_REFERENCE = 2_000  # positions that the second implementation plays to, each from the start
DEPTH_REFERENCE = 3


@cache
def written() -> dict[str, list[int]]:
    return perft.read(perft.PATH.read_text(encoding="utf-8"))


@pytest.mark.parametrize("named", NAMED, ids=lambda named: named.name)
def test_numbers_of_sequences_are_as_they_were(named: Named) -> None:
    expected = written()[named.name]
    if INTERPRETED:
        expected = list(takewhile(lambda number: number <= MOST_INTERPRETED, expected))
    counts = perft.counts_of(named, len(expected))
    if counts != expected:
        depth = next(i for i, pair in enumerate(zip(counts, expected, strict=True), 1) if pair[0] != pair[1])
        pytest.fail(
            f"perft.txt, {named.name}: {counts[depth - 1]} sequences of {depth} decisions, the file says "
            f"{expected[depth - 1]}.\n{RULES_ADVICE}"
        )


@pytest.mark.skipif(INTERPRETED, reason="counts millions of sequences")
def test_perft_file_is_what_the_command_writes() -> None:
    rows = written()
    assert list(rows) == [named.name for named in NAMED]
    assert [len(rows[named.name]) for named in NAMED] == [named.depth for named in NAMED]
    assert perft.text(list(rows.values())) == perft.PATH.read_bytes().decode()


def reached(named: Named, tokens: tuple[str, ...]) -> Reference:
    """The second implementation after these tokens."""
    snapshot = named.begin()
    game = Reference.from_snapshot(printed(snapshot["board"]), snapshot)
    for token in (*named.tokens, *tokens):
        game.apply(token)
    return game


def reference_counts(named: Named, depth: int) -> list[int]:
    """Numbers of sequences of 1 .. ``depth`` decisions by playing each one; fewer where that would be too many."""
    prefixes: list[tuple[str, ...]] = [()]
    counts = []
    for _ in range(depth):
        longer = [(*prefix, token) for prefix in prefixes for token in reached(named, prefix).legal()]
        counts.append(len(longer))
        prefixes = longer
        if len(longer) > MOST_REFERENCE:
            break
    return counts


@pytest.mark.parametrize("named", NAMED, ids=lambda named: named.name)
def test_second_implementation_counts_the_same(named: Named) -> None:
    counts = reference_counts(named, DEPTH_REFERENCE)
    assert counts == written()[named.name][: len(counts)]


@pytest.mark.parametrize("named", NAMED, ids=lambda named: named.name)
def test_counting_leaves_the_position_as_it_is(named: Named) -> None:
    position = named.position()
    before = position.to_bytes()
    perft.sequences(GAME, position.states, 3)
    assert position.to_bytes() == before


def test_named_positions_lie_in_the_middle_of_these_chains() -> None:
    asked = {named.position().snapshot()["pending"]["decision"] for named in NAMED}
    assert asked <= set(DECISION_NAMES)
    assert {
        "rotate", "horse_rider", "archer_cell", "specialist_cell", "guard_warrior", "officer_inspector",
        "warrior_type", "builder_type", "supervisor", "master_inspector",
    } == asked  # fmt: skip
    assert any(named.position().snapshot()["pending"].get("repeating") for named in NAMED)
    assert {named.position().players for named in NAMED} == {2, 3, 4}


def test_sequences_of_one_decision_are_the_legal_actions() -> None:
    for named in NAMED:
        position = named.position()
        assert perft.sequences(GAME, position.states, 1) == len(position.legal())


def walk_by_hand(position: Position, depth: int) -> int:
    """The same number by cloning and playing, one position at a time."""
    legal = position.legal()
    if depth == 1:
        return len(legal)
    return sum(walk_by_hand(position.clone().play(token), depth - 1) for token in legal)


@pytest.mark.parametrize("players", TOY.players)
def test_the_walk_counts_sequences_of_any_game_to_its_end(players: int) -> None:
    position = Position.from_seed(TOY, players, 7)
    assert [perft.sequences(TOY, position.states, depth) for depth in range(1, 5)] == [3, 6, 18, 36]
    for _ in range(4):
        position.play(position.legal()[0])
    counts = [perft.sequences(TOY, position.states, depth) for depth in range(1, 13)]
    assert counts == [walk_by_hand(position, depth) for depth in range(1, 13)]
    assert counts[0] > 0
    assert counts[-1] == 0, "no sequence goes on beyond the end of the game"
