"""Sets of up to 63 things as the bits of an int64: how many there are, and which is the first.

Both are single machine instructions; the plain forms serve where the compiler is off.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from .kernel import kernel


@intrinsic  # type: ignore[untyped-decorator]
def _population(typing_context: Any, mask: Any) -> Any:
    def code(context: Any, llvm: Any, signature: Any, arguments: Any) -> Any:
        return llvm.ctpop(arguments[0])

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(typing_context: Any, mask: Any) -> Any:
    def code(context: Any, llvm: Any, signature: Any, arguments: Any) -> Any:
        return llvm.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))  # 1: undefined for zero

    return types.int64(types.int64), code


if numba.config.DISABLE_JIT:

    def count(mask):  # type: ignore[no-untyped-def]
        """Number of members of a set."""
        return int(mask).bit_count()

    def lowest(mask):  # type: ignore[no-untyped-def]
        """The smallest member of a set that is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

else:

    @kernel
    def count(mask):  # type: ignore[no-untyped-def]
        """Number of members of a set."""
        return _population(mask)

    @kernel
    def lowest(mask):  # type: ignore[no-untyped-def]
        """The smallest member of a set that is not empty."""
        return _trailing_zeros(mask)
