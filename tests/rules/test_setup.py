"""Setups: what a seed draws, how evenly, and what is refused (R3)."""

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.errors import SetupError
from terracotta_env.generator import advance, below, splitmix64
from terracotta_env.kernel import kernel
from terracotta_env.position import Position

GOOD: dict[str, Any] = {
    "inner_offset": 3,
    "middle_offset": 11,
    "tiles": ["row", "clay", "nw", "officer", "coins"],
    "turn_order": [1, 0],
}
# outputs of the published C code of splitmix64 for seed 1234567
KNOWN = (6457827717110365317, 3203168211198807973, 9817491932198370423)
SAMPLE = 720
TILES = ("row", "column", "officer", "guard", "crossbowman", "soldier", "nw", "ne", "sw", "se", "coins", "clay")


def setup_of(players: int, seed: int, board: str | None = None) -> dict[str, Any]:
    return GAME.notation.setup_of(Position.from_seed(GAME, players, seed, board).states)


@cache
def sample() -> tuple[dict[str, Any], ...]:
    """The setups of many seeds for four players."""
    return tuple(setup_of(4, seed) for seed in range(SAMPLE))


def chi_square(values: Iterable[object], kinds: int) -> float:
    """Pearson's statistic against the uniform distribution over ``kinds`` values."""
    counts = Counter(values)
    expected = counts.total() / kinds
    seen = sum((number - expected) ** 2 / expected for number in counts.values())
    return seen + (kinds - len(counts)) * expected


def loose_bound(kinds: int) -> float:
    """Mean plus six standard deviations of chi-square with ``kinds - 1`` degrees of freedom."""
    return (kinds - 1) + 6 * (2 * (kinds - 1)) ** 0.5


# Seeds ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["reconstructed", "shuffled"])
def test_the_same_seed_gives_the_same_setup(players: int, board: str) -> None:
    assert Position.from_seed(GAME, players, 5, board) == Position.from_seed(GAME, players, 5, board)


def test_100_seeds_give_more_than_95_setups() -> None:
    assert len({json.dumps(setup) for setup in sample()[:100]}) > 95


def test_the_setup_of_a_seed_can_be_given() -> None:
    for players in (2, 3, 4):
        drawn = Position.from_seed(GAME, players, 17)
        given = Position.from_setup(GAME, players, setup_of(players, 17))
        assert given.snapshot() == drawn.snapshot()
        assert given.key() == drawn.key()


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, np.uint64(7), np.int32(7)])
def test_good_seeds(seed: int) -> None:
    assert Position.from_seed(GAME, 2, seed).to_act in (0, 1)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", None, True])
def test_bad_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(SetupError, match=r"^seed: expected a whole number in 0"):
        Position.from_seed(GAME, 2, seed)


@pytest.mark.parametrize("players", [0, 1, 5, -2, 2.0, "2", None, True])
def test_bad_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(SetupError, match=r"^players: expected one of 2, 3, 4"):
        Position.from_seed(GAME, players, 1)
    with pytest.raises(SetupError, match=r"^players: expected one of 2, 3, 4"):
        Position.from_setup(GAME, players, GOOD)


# How evenly (R3) ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["inner_offset", "middle_offset"])
def test_r03_offsets_are_uniform(key: str) -> None:
    values = [setup[key] for setup in sample()]
    assert set(values) == set(range(12))
    assert chi_square(values, 12) < loose_bound(12)


def test_r03_offsets_are_independent() -> None:
    pairs = [(setup["inner_offset"], setup["middle_offset"]) for setup in sample()]
    assert chi_square(pairs, 144) < loose_bound(144)


@pytest.mark.parametrize("game_round", range(5))
def test_r03_every_tile_is_as_likely_in_every_round(game_round: int) -> None:
    assert chi_square([setup["tiles"][game_round] for setup in sample()], 12) < loose_bound(12)


def test_r03_tiles_are_drawn_without_replacement_in_random_order() -> None:
    assert all(len(set(setup["tiles"])) == 5 for setup in sample())
    pairs = [tuple(setup["tiles"][:2]) for setup in sample()]
    assert chi_square(pairs, 132) < loose_bound(132)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r03_every_seat_is_as_likely_to_start(players: int) -> None:
    setups = sample() if players == 4 else [setup_of(players, seed) for seed in range(150)]
    starts = [setup["turn_order"][0] for setup in setups]
    assert set(starts) == set(range(players))
    assert chi_square(starts, players) < loose_bound(players)


def test_r03_the_shuffled_board_permutes_its_rings() -> None:
    printed = Position.from_seed(GAME, 2, 0, "reconstructed").snapshot()["wheel"]
    setups = [setup_of(2, seed, "shuffled") for seed in range(200)]
    for ring in ("inner", "middle", "outer"):
        words = sorted(entry[ring] for entry in printed.values())
        assert all(sorted(setup["rings"][ring]) == words for setup in setups)
        assert len({tuple(setup["rings"][ring]) for setup in setups}) > 195
        # every kind of word comes first about as often as it is printed
        first = Counter(setup["rings"][ring][0] for setup in setups)
        for word, number in Counter(words).items():
            expected = len(setups) * number / 12
            assert abs(first[word] - expected) < 6 * expected**0.5, (ring, word)


def test_r03_boards_that_do_not_shuffle_carry_no_rings() -> None:
    assert set(setup_of(2, 1)) == {"inner_offset", "middle_offset", "tiles", "turn_order"}
    assert set(setup_of(2, 1, "shuffled")) == {"inner_offset", "middle_offset", "tiles", "turn_order", "rings"}


def test_r03_a_shuffled_setup_can_be_given() -> None:
    drawn = Position.from_seed(GAME, 3, 8, "shuffled")
    given = Position.from_setup(GAME, 3, setup_of(3, 8, "shuffled"), "shuffled")
    assert given.snapshot() == drawn.snapshot()


# The generator --------------------------------------------------------------------------------------------------------


def test_splitmix64_known_values() -> None:
    state, outputs = 1234567, []
    for _ in KNOWN:
        state, output = splitmix64(state)
        outputs.append(output)
    assert tuple(outputs) == KNOWN


@kernel
def draws(seed, n, out):
    """Fill ``out`` with draws below ``n`` from a generator seeded with ``seed``."""
    state = seed
    for i in range(len(out)):
        state = advance(state)
        out[i] = below(state, n)


@pytest.mark.parametrize("n", [2, 3, 12, 1_000_003, 2**40])
def test_the_kernels_draw_the_same_numbers(n: int) -> None:
    out = np.empty(len(KNOWN), np.int64)
    draws(np.uint64(1234567), n, out)
    assert out.tolist() == [output % n for output in KNOWN]


def test_the_setup_takes_its_draws_in_order() -> None:
    # inner offset, middle offset, five tiles among those not drawn, starting seat
    outputs, state = [], 42
    for _ in range(8):
        state, output = splitmix64(state)
        outputs.append(output)
    tiles = list(TILES)
    expected = [tiles.pop(output % (12 - i)) for i, output in enumerate(outputs[2:7])]
    start = outputs[7] % 3
    assert setup_of(3, 42) == {
        "inner_offset": outputs[0] % 12,
        "middle_offset": outputs[1] % 12,
        "tiles": expected,
        "turn_order": [(start + place) % 3 for place in range(3)],
    }


# Given setups ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("inner_offset", 12, r"inner_offset: expected a whole number in 0\.\.11, got 12"),
        ("inner_offset", -1, r"inner_offset: expected a whole number in 0\.\.11, got -1"),
        ("inner_offset", "3", r"inner_offset: expected a whole number in 0\.\.11, got '3'"),
        ("middle_offset", 1.0, r"middle_offset: expected a whole number in 0\.\.11, got 1.0"),
        ("middle_offset", True, r"middle_offset: expected a whole number in 0\.\.11, got True"),
        ("tiles", ["row"], "tiles: expected 5 entries, got 1"),
        ("tiles", "row", "tiles: expected a list"),
        ("tiles", ["row", "clay", "nw", "officer", "horse"], r"tiles\[4\]: expected one of row, column"),
        ("tiles", ["row", "clay", "nw", "officer", "row"], "tiles: expected five different tiles"),
        ("turn_order", [0], "turn_order: expected 2 entries, got 1"),
        ("turn_order", [0, 1, 2], "turn_order: expected 2 entries, got 3"),
        ("turn_order", [0, 2], r"turn_order\[1\]: expected a whole number in 0\.\.1, got 2"),
        ("turn_order", [1, 1], r"turn_order: expected each seat 0\.\.1 once"),
        ("rings", {"inner": []}, r"rings\.(middle|outer): is missing"),
        ("colour", 1, "colour: unknown key"),
    ],
)
def test_a_bad_setup_is_refused(key: str, value: object, message: str) -> None:
    with pytest.raises(SetupError, match=f"^setup: {message}"):
        Position.from_setup(GAME, 2, {**GOOD, key: value})


@pytest.mark.parametrize("key", list(GOOD))
def test_a_missing_key_of_a_setup_is_named(key: str) -> None:
    with pytest.raises(SetupError, match=f"^setup: {key}: is missing$"):
        Position.from_setup(GAME, 2, {name: value for name, value in GOOD.items() if name != key})


@pytest.mark.parametrize("ring", ["inner", "middle", "outer"])
def test_rings_of_another_board_are_refused(ring: str) -> None:
    setup = setup_of(2, 1, "shuffled")
    words = setup["rings"][ring]
    words[0] = next(word for word in words if word != words[0])  # one word too often, another too rarely
    with pytest.raises(SetupError, match=rf"^setup: rings\.{ring}: expected the board's actions of this ring"):
        Position.from_setup(GAME, 2, setup, "shuffled")


def test_r02_a_word_of_another_ring_is_refused() -> None:
    setup = setup_of(2, 1, "shuffled")
    setup["rings"]["middle"][4] = "soak"
    with pytest.raises(SetupError, match=r"^setup: rings\.middle\[4\]: expected one of"):
        Position.from_setup(GAME, 2, setup, "shuffled")


def test_r02_a_board_that_does_not_shuffle_refuses_other_rings() -> None:
    # else its name would stand for another board, and its own snapshot would be refused
    rings = setup_of(2, 1, "shuffled")["rings"]
    with pytest.raises(SetupError, match=r"^setup: rings"):
        Position.from_setup(GAME, 2, {**GOOD, "rings": rings})
