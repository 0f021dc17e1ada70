"""Links to ``agents/`` and ``training/`` by the names that they are imported by: ``python -m tests.packages``.

For mypy, which follows no editable install, and to run a tree that is not the installed one:

    PYTHONPATH=.:build/packages python -m terracotta_agents.tune
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


def folders(tree: Path = ROOT) -> dict[str, str]:
    """Name of each package whose folder has another one, and that folder, as ``pyproject.toml`` maps them."""
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, str] = project["tool"]["setuptools"]["package-dir"]
    return found


def lay_links(tree: Path = ROOT) -> Path:
    """Lay the links in a tree, anew where there are some; returns their folder, which belongs on the import path."""
    links = tree / "build" / "packages"
    links.mkdir(parents=True, exist_ok=True)
    for name, folder in folders().items():
        (links / name).unlink(missing_ok=True)
        (links / name).symlink_to(os.path.relpath(tree / folder, links))
    return links


if __name__ == "__main__":
    lay_links()
