"""Writing files that are whole at any moment."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes | str) -> None:
    """Write beside ``path``, then rename: readers see the old file or the new one, never half of one."""
    raw = content.encode() if isinstance(content, str) else content
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
