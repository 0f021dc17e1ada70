"""splitmix64: reference values, the same numbers in kernels, the arithmetic of `below`."""

from __future__ import annotations

import numpy as np
import pytest

from terracotta_env.generator import advance, below, splitmix64
from tests.env.playing import fresh_process

# first outputs of the author's C code for seed 0 and for seed 1234567
KNOWN = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F),
    1234567: (6457827717110365317, 3203168211198807973, 9817491932198370423),
}
LIMIT = 2**64


def outputs(seed: int, number: int) -> list[int]:
    found = []
    for _ in range(number):
        seed, output = splitmix64(seed)
        found.append(output)
    return found


@pytest.mark.parametrize("seed", KNOWN)
def test_reference_gives_the_published_numbers(seed: int) -> None:
    assert tuple(outputs(seed, 3)) == KNOWN[seed]


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**63 - 1, 2**63, LIMIT - 1])
def test_kernels_draw_what_the_reference_draws(seed: int) -> None:
    state, plain = np.uint64(seed), seed
    for n in (2, 3, 12, 1000, 2**31):
        state = np.uint64(advance(state))  # numba hands a plain integer back
        plain, output = splitmix64(plain)
        assert int(state) == plain
        assert below(state, n) == output % n


def test_state_wraps_at_64_bits() -> None:
    state, _ = splitmix64(LIMIT - 1)
    assert state == 0x9E3779B97F4A7C15 - 1
    assert int(advance(np.uint64(LIMIT - 1))) == state


def test_draws_are_uniform() -> None:
    counts = np.bincount([output % 12 for output in outputs(99, 12_000)], minlength=12)
    assert abs(counts - 1000).max() < 150


def test_plain_python_draws_the_same_numbers() -> None:
    code = (
        "import numpy as np\nfrom terracotta_env.generator import advance, below\ns = np.uint64(2**64 - 5)\n"
        "for n in (2, 3, 12, 1000): s = np.uint64(advance(s)); print(int(s), int(below(s, n)))"
    )
    compiled, plain = fresh_process(code, NUMBA_DISABLE_JIT="0"), fresh_process(code, NUMBA_DISABLE_JIT="1")
    assert compiled == plain
