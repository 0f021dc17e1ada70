"""Which source files a compiled kernel depends on: its own file and all that it imports, step by step.

Imports are read from the text, without running anything; of a package only the modules that are named count, beside its
``__init__``.  Installed packages are left out: Numba's and numpy's versions are part of the cache's name, others hold
no kernels of ours.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.M
)
_NAME: Final = re.compile(r"([.\w]+)(?:\s+as\s+\w+)?")


def digest_of(*files: Path) -> str:
    """Digest of these files and everything they import, as hexadecimal text."""
    digest = hashlib.sha256()
    for path in sorted({source for file in files for source in sources_of(file.resolve())}):
        digest.update(path.name.encode())
        digest.update(_text(path).encode())
    return digest.hexdigest()


@functools.cache
def sources_of(file: Path) -> frozenset[Path]:
    """The file and all project files it imports, directly or through others."""
    found, waiting = set[Path](), [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported_by(path)
    return frozenset(found)


@functools.cache
def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):  # e.g. a kernel typed into a console
        return ""


@functools.cache
def _imported_by(path: Path) -> tuple[Path, ...]:
    found: list[Path] = []
    for module, names, modules in _IMPORT.findall(_text(path)):
        if modules:
            for name in _NAME.findall(modules.split("#")[0]):
                found += _files_of(name, path)
        else:
            found += _files_of(module, path)
            joint = "" if module.endswith(".") else "."
            for name in _NAME.findall(re.sub(r"#[^\n]*", "", names)):
                found += _files_of(f"{module}{joint}{name}", path)
    return tuple(found)


def _files_of(module: str, importer: Path) -> Iterator[Path]:
    """The file of a module and the ``__init__`` files on the way to it; nothing for what is no module of a project."""
    relative = len(module) - len(module.lstrip("."))
    parts = [part for part in module.split(".") if part]
    for start, rest in _starts(relative, parts, importer):
        folder, passed = start, [start / "__init__.py"] if len(rest) < len(parts) else []
        for part in rest[:-1]:
            folder = folder / part
            passed.append(folder / "__init__.py")
        last = folder / rest[-1] if rest else folder
        for file in (last.with_suffix(".py"), last / "__init__.py"):
            if file.is_file():
                yield from (init for init in passed if init.is_file())
                yield file
                return


def _starts(relative: int, parts: list[str], importer: Path) -> list[tuple[Path, list[str]]]:
    """Folders in which a module is looked for, each with the parts of its name that are looked for in it."""
    if relative:
        folder = importer.parent
        for _ in range(relative - 1):
            folder = folder.parent
        return [(folder, parts)]
    top = importer.parent
    while (top / "__init__.py").exists():
        top = top.parent
    starts = [(top, parts), (_PACKAGE.parent, parts)]
    known = getattr(sys.modules.get(parts[0]) if parts else None, "__file__", None)
    if known and "site-packages" not in known and not known.startswith(sys.base_prefix):
        file = Path(known).resolve()
        # a package's folder may have another name than the package
        starts.append((file.parent, parts[1:] if file.name == "__init__.py" else parts))
    return starts
