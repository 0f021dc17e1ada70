"""splitmix64, the generator that draws setups inside kernels.

Its whole state is one 64-bit number, so it fits in a game's record and a game can be replayed from its bytes.
Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014); constants as in Vigna's C code.
The state after seeding with ``s`` is ``s`` itself; each draw adds the golden gamma and mixes.
"""

from __future__ import annotations

import numba
import numpy as np

from .kernel import kernel

_GAMMA = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_MASK = (1 << 64) - 1

_U_GAMMA, _U_MIX_1, _U_MIX_2 = np.uint64(_GAMMA), np.uint64(_MIX_1), np.uint64(_MIX_2)
_U_30, _U_27, _U_31, _U_11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


def splitmix64(state: int) -> tuple[int, int]:
    """Reference in plain integers: ``(next state, 64-bit output)``."""
    state = (int(state) + _GAMMA) & _MASK
    z = state
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    return state, z ^ (z >> 31)


def splitmix64_at(seed: int, numbers: np.ndarray) -> np.ndarray:
    """The outputs with these numbers (from 0) of the generator seeded with ``seed``, uint64 like ``numbers`` in
    shape."""
    z = np.uint64(seed) + (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(_GAMMA)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
    return z ^ (z >> np.uint64(31))


@kernel
def _advance(state):
    return state + _U_GAMMA


@kernel
def _mix(state):
    z = (state ^ (state >> _U_30)) * _U_MIX_1
    z = (z ^ (z >> _U_27)) * _U_MIX_2
    return z ^ (z >> _U_31)


@kernel
def _below(output, n):
    return np.int64(output % np.uint64(n))


@kernel
def _unit(output):
    return np.float64(output >> _U_11) * 2.0**-53


if numba.config.DISABLE_JIT:  # numpy scalars warn where machine integers wrap: use the plain-integer form instead

    def advance(state):
        """The state after one draw (``uint64``)."""
        return np.uint64((int(state) + _GAMMA) & _MASK)

    def below(state, n):
        """The draw that led to ``state``, as an integer in ``0..n-1`` (modulo: bias under n / 2**64)."""
        return splitmix64((int(state) - _GAMMA) & _MASK)[1] % int(n)

    def unit(state):
        """The draw that led to ``state``, as a float in [0, 1) with 53 bits."""
        return (splitmix64((int(state) - _GAMMA) & _MASK)[1] >> 11) * 2.0**-53

else:
    advance = _advance

    @kernel
    def below(state, n):
        """The draw that led to ``state``, as an integer in ``0..n-1`` (modulo: bias under n / 2**64)."""
        return _below(_mix(state), n)

    @kernel
    def unit(state):
        """The draw that led to ``state``, as a float in [0, 1) with 53 bits."""
        return _unit(_mix(state))
