"""The fixed games go as they went when they were written down."""

import pytest

from tests.mutants.playthroughs import begin, digests, read


@pytest.mark.parametrize("number", range(len(read())))
def test_a_game_goes_as_it_went(number: int) -> None:
    players, seed, board, decisions, expected = read()[number]
    for part, (seen, known) in enumerate(zip(digests(begin(players, seed, board), decisions), expected, strict=True)):
        assert seen == known, f"another course of the game in part {part}"
