"""The mutants that no test can notice, and why: ``survivors.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path

FILE = Path(__file__).with_name("survivors.toml")


def argued() -> dict[str, str]:
    """Reason by mutant key."""
    groups = tomllib.loads(FILE.read_text(encoding="utf-8"))["survivors"]
    return {key: group["why"] for group in groups for key in group["mutants"]}
