"""The one compile decorator of the project, and where its compiled code is cached.

Numba's own cache only looks at the file a function stands in: a change in a *callee* in another file would go unnoticed
and stale machine code would run.  So every kernel is cached in a folder whose name is a digest of its own file, of all
files it imports, directly or through others (:mod:`terracotta_env.kernel_sources`), and of everything else that decides
what is generated (Numba and numpy versions, bounds checks).  An edit therefore starts fresh folders for the kernels
that depend on it, and for no others; the oldest folders are pruned.  Games and rollout policies, which shared kernels
find without importing them, are looked at too: see :mod:`terracotta_env.kernel_cache`.

Environment variables:
    ``NUMBA_CACHE_DIR``              base folder for the cache (respected if set).
    ``NUMBA_DISABLE_JIT=1``          run every kernel as plain Python, e.g. to step through it in a debugger.
    ``NUMBA_BOUNDSCHECK=1``          check every array index (slower; has a cache folder of its own).
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

from .kernel_cache import KernelCache, compile_in_turn, remember_sources
from .kernel_sources import digest_of

_PACKAGE = Path(__file__).resolve().parent
_KEPT_FOLDERS = 500  # one for each file with kernels and version of what it imports: some ten versions stay warm

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile ``function`` lazily, cached on disk, without the GIL; an ordinary function when Numba is switched off.

    Kernels follow these rules: no allocation, no exceptions, no strings, no recursion.  The precondition of each (a
    legal action, an index in range) is the caller's: compiled code does not check it.
    """
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    if numba.config.DISABLE_JIT:
        return cast(Function, compiled)
    base = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename)))
    try:
        compiled._cache = KernelCache(function)
    finally:
        numba.config.CACHE_DIR = base
    compiled.compile = compile_in_turn(compiled.compile)
    compiled.get_call_template = _without_literals(compiled.get_call_template)
    return cast(Function, compiled)


def _without_literals(get_call_template: Callable[..., Any]) -> Callable[..., Any]:
    """A dispatcher's look-up for calls from other kernels, blind for the values of constants.

    Numba would compile a kernel anew for every constant it is called with, eight times for some; LLVM, which inlines
    most of them, knows the constants all the same.
    """

    def look_up(arguments: Any, keywords: Any) -> Any:
        plain = tuple(numba.types.unliteral(argument) for argument in arguments)
        return get_call_template(plain, {name: numba.types.unliteral(kind) for name, kind in dict(keywords).items()})

    return look_up


def compiled_from(record: Any, *functions: Callable[..., Any]) -> None:
    """Shared kernels that get a record of this Numba type are compiled anew when the sources of ``functions`` change.

    For what shared kernels find by the type of their arguments: games and rollout policies.
    """
    remember_sources(record, digest_of(*(Path(interpreted(function).__code__.co_filename) for function in functions)))


def machine_code(function: Function, *arguments: Any) -> Function:
    """A kernel's compiled code for arguments of exactly the types of these, without Numba's look-up of types.

    Saves 0.2 µs a call where one is only worth some tenths.  The caller answers for the types of all later arguments.
    """
    if not hasattr(function, "compile"):
        return function
    return cast(Function, function.compile(tuple(numba.typeof(argument) for argument in arguments)))


def interpreted(function: Function) -> Function:
    """The Python function behind a kernel, for single calls on plain Python values where compiling would not pay.

    Only for kernels that call no other kernel.
    """
    return cast(Function, getattr(function, "py_func", function))


@functools.cache
def cache_folder(source: Path) -> Path:
    """Folder for the compiled code of kernels written in the file ``source`` (created on first use)."""
    digest = hashlib.sha256(digest_of(source).encode())
    for setting in (numba.__version__, np.__version__, numba.config.BOUNDSCHECK, numba.config.OPT):
        digest.update(f"{setting}\n".encode())
    base = _base_folder()
    folder = base / digest.hexdigest()[:16]
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _prune(base, keep=folder)
    else:
        os.utime(folder)
    return folder


@functools.cache
def _base_folder() -> Path:
    """The user's ``NUMBA_CACHE_DIR``, else beside the package, else (read-only installs) the user's cache folder."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR) / "terracotta"
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for folder in (_PACKAGE / "__pycache__" / "kernels", home / "terracotta-army" / "kernels"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return _temporary_folder()


def _temporary_folder() -> Path:
    """A folder for this user where temporary files go: shared by its processes, closed to other users."""
    folder = Path(tempfile.gettempdir()) / f"terracotta-kernels-{getattr(os, 'getuid', lambda: 0)()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077:
            return folder
    except (OSError, AttributeError):
        pass
    return Path(tempfile.mkdtemp(prefix="terracotta-kernels-"))  # code is executed from here: take no other's folder


def _prune(base: Path, keep: Path) -> None:
    """Remove all but the newest cache folders.  A folder another process removes at the same time is no error."""

    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:
            return 0.0

    others = sorted((p for p in base.iterdir() if p.is_dir() and p != keep), key=age, reverse=True)
    for folder in others[_KEPT_FOLDERS - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)
