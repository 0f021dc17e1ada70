"""Numba's disk cache made safe for many files and many processes.

What Numba's own cache lacks, and this one adds:

*   a kernel that is specialised for a game or a rollout policy knows by type is compiled anew when the sources of that
    game or policy change, wherever they lie (:func:`compiled_from`);
*   while one process compiles, others that need the same code wait for it instead of compiling it too;
*   the first compilation of a process is announced, through the logger ``terracotta_env``.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

from numba.core.caching import FunctionCache

try:
    import fcntl
except ImportError:  # not a POSIX system: processes may compile the same kernel twice, which costs time only
    fcntl = None  # type: ignore[assignment]

LOCK: Final = "compiling.lock"
MOST_VERSIONS: Final = 24  # of one kernel in one folder
_LOG = logging.getLogger("terracotta_env")
_digests: dict[Any, str] = {}  # by Numba type: digest of the sources of what is dispatched on it


def remember_sources(key: Any, digest: str) -> None:
    """Kernels with the Numba record type ``key`` among their arguments depend on sources with this digest."""
    _digests[key] = digest


class _Announcement:
    """Says once in a process that compiling takes a while."""

    made = False

    def make(self, folder: str) -> None:
        if not self.made:
            self.made = True
            _LOG.warning("compiling the engine: up to a minute, once; the result is kept in %s", folder)


announcement = _Announcement()


class _Turn(threading.local):
    """How deep this thread is in compilations, and the lock file it holds meanwhile."""

    depth = 0
    file: IO[bytes] | None = None


_turn = _Turn()


class KernelCache(FunctionCache):  # type: ignore[misc]
    """See the module."""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        records = (getattr(argument, "dtype", argument) for argument in sig)
        digests = sorted({_digests[record] for record in records if record in _digests})
        return (*super()._index_key(sig, codegen), *digests)

    def _save_overload(self, sig: Any, data: Any) -> None:
        # a shared kernel's folder stays while the games it is compiled for change: their old versions would pile up
        if len(self._cache_file._load_index()) >= MOST_VERSIONS:
            self.flush()
        super()._save_overload(sig, data)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None and _turn.depth and _turn.file is None:
            _turn.file = _wait_for_turn(Path(self.cache_path))
            # what another process compiled while this one waited
            found = super().load_overload(sig, target_context)
            if found is None:
                announcement.make(self.cache_path)
        return found


def compile_in_turn(compile_kernel: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A dispatcher's ``compile`` that gives up this process's turn once the outermost kernel is compiled and saved."""

    def in_turn(sig: Any) -> Any:
        _turn.depth += 1
        try:
            return compile_kernel(sig)
        finally:
            _turn.depth -= 1
            if _turn.depth == 0 and _turn.file is not None:
                _turn.file.close()  # which releases the lock
                _turn.file = None

    return in_turn


def _wait_for_turn(folder: Path) -> IO[bytes] | None:
    """The folder's lock file, locked; None where files cannot be locked."""
    if fcntl is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(folder / LOCK, "ab")  # noqa: SIM115 (closed when the kernel is compiled)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        _LOG.info("waiting for process that compiles the engine (this is %d)", os.getpid())
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            file.close()
            return None
    return file
