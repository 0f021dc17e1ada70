"""Blocks of code in the documentation, and the commands in them made short enough for a test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.packages import ROOT

DOCS: Final = ROOT / "docs"
# what a reader is told to do, from the first line to the last
GUIDES: Final = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", DOCS / "index.md", *sorted(DOCS.glob("guide-*.md")))

# Runs of minutes are made runs of seconds: the same commands with fewer games, simulations and samples.
_TINY_PPO: Final = (
    "run.minutes=0 run.samples=300 run.threads=1 network.kind=perceptron network.width=16 learning.games=16 "
    "learning.steps=8 evaluation.rating_games=2 evaluation.games=4 'evaluation.opponents=[\"busy\"]'"
)
_TINY_SB3: Final = (
    "run.minutes=0 run.samples=300 run.threads=1 ppo.n_games=8 ppo.n_steps=16 ppo.batch_size=64 'ppo.shared=[16]' "
    "'ppo.heads=[8]' evaluation.games=3 'evaluation.opponents=[\"busy\"]'"
)
_SHORTER: Final = (
    (r"(terracotta train ppo .*)run\.minutes=\d+", rf"\1{_TINY_PPO}"),
    (r"(terracotta train sb3 .*)run\.minutes=\d+", rf"\1{_TINY_SB3}"),
    (r"--games \d+", "--games 4"),
    (r"--suite v1 --jobs", "--suite v1 --games 6 --jobs"),  # a whole suite where no number is said
    (r"mcts:\d+", "mcts:8"),
    (r"--jobs \d+", "--jobs 1"),
    # runs until it is stopped: tests/agents/serve/test_command.py starts and stops it
    (r"terracotta serve --open", "terracotta serve --help > /dev/null"),
)
# checked in another way, see test_commands.py
_NOT_RUN: Final = re.compile(r"^(make\b|\s*#|source \.venv|pip install|\.venv/bin/python -m pytest)")


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def lines(page: Path) -> list[str]:
    """All lines of a page's shell blocks, long ones put together."""
    return [line for block in blocks(page, "sh") for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def script(page: Path) -> str:
    """A page's shell blocks as one short script."""
    text = "\n".join(line for line in lines(page) if not _NOT_RUN.match(line))
    for pattern, shorter in _SHORTER:
        text = re.sub(pattern, shorter, text)
    return text
