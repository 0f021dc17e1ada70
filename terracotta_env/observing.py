"""Writing an observation in one of its two forms, chosen by the type of the buffer: float32, or compact int8.

The compact form takes a quarter of the memory.  It holds flags as they are and numbers in whole steps (the last entry
of each channel in :class:`terracotta_env.game.Block`), at most 127 of them: ``compact * step`` is the float32 form,
rounded down to a step.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba.core import types
from numba.extending import overload

LARGEST: Final = 127


def put(out: np.ndarray, at: int, number: int, scale: float, step: int) -> None:
    """Write a count that is not negative: ``number / scale`` in the float32 form, whole ``step`` s of it in int8.

    For kernels of ``observe``.  The channel's step is then ``step / scale``.
    """
    if out.dtype.kind == "f":
        out[at] = number / scale
    else:
        out[at] = min(int(number) // step, LARGEST)


@overload(put, inline="always")
def _put(out, at, number, scale, step):  # type: ignore[no-untyped-def]
    if isinstance(out.dtype, types.Float):

        def write(out, at, number, scale, step):  # type: ignore[no-untyped-def]
            out[at] = number / scale

    else:

        def write(out, at, number, scale, step):  # type: ignore[no-untyped-def]
            out[at] = min(number // step, LARGEST)

    return write
