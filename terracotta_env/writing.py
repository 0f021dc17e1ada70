"""Writing files that are whole at any moment: readers see the old file or the new one, never half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def beside(path: Path) -> Path:
    """Where a file is written before it takes its place; a killed process may leave it there."""
    return path.with_name(f".{path.name}.new{path.suffix}")  # with the suffix, by which some writers go


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A place beside ``path``, of the same kind, to write a file to; the file takes the place of ``path`` when the
    block ends well, else it goes.  The folder is made where there is none.

    Raises:
        OSError: the folder cannot be made or written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = beside(path)
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def write_atomically(path: Path, content: bytes | str) -> None:
    """Replace a file's content at once, see :func:`replacing`; text is written as UTF-8."""
    with replacing(path) as new:
        new.write_bytes(content.encode() if isinstance(content, str) else content)
