"""Settings for all tests; pytest reads this file before any test module."""

from __future__ import annotations

import os
from pathlib import Path

# Shared kernels are compiled for the toy game too, and their cache lies with the package: an edit of the toy must
# invalidate it.  The variable is read when `terracotta_env` is first imported, so it is set before that, here.
_TOY = str(Path(__file__).resolve().parent / "toy")
_SOURCES = os.environ.get("TERRACOTTA_KERNEL_SOURCES", "")
if _TOY not in _SOURCES.split(os.pathsep):
    os.environ["TERRACOTTA_KERNEL_SOURCES"] = os.pathsep.join(filter(None, (_SOURCES, _TOY)))
