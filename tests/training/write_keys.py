"""Writes what is generated from the settings of ``terracotta train ppo`` anew: ``python -m tests.training.write_keys``.

That is ``configs/ppo.toml`` and the table of keys in ``docs/training.md``; a test compares both.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from terracotta_training.keys import markdown_table, toml_file
from terracotta_training.ppo_config import PpoConfig

ROOT: Final = Path(__file__).resolve().parents[2]
CONFIG: Final = ROOT / "configs" / "ppo.toml"
DOCUMENT: Final = ROOT / "docs" / "training.md"
HEAD: Final = """All settings of `terracotta train ppo --config configs/ppo.toml`; overrides (run.minutes=60) follow it.
Every key is optional (these are the defaults); an unknown key is an error."""
_TABLE: Final = re.compile(r"(<!-- keys -->\n).*?(<!-- end of keys -->\n)", re.DOTALL)


def config() -> str:
    """The file of the defaults."""
    return toml_file(PpoConfig, HEAD)


def document(old: str) -> str:
    """The document with the table as it has to be."""
    return _TABLE.sub(lambda found: f"{found[1]}{markdown_table(PpoConfig)}{found[2]}", old)


if __name__ == "__main__":
    CONFIG.write_text(config(), encoding="utf-8")
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
