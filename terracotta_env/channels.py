"""The observation of a game as a document, written from the table of its channels so that the two cannot disagree.

python -m terracotta_env.channels [GAME] [--module MODULE] > docs/observation.md
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from .game import Block, Game, load_game

DEFAULT_GAME: Final = "terracotta"
DEFAULT_MODULE: Final = "terracotta_env.terracotta_v0"


def observation_table(game: Game) -> str:
    """All blocks and channels of ``game`` as Markdown, in the order of the flat vector."""
    command = "python -m terracotta_env.channels"
    if game.name != DEFAULT_GAME:
        command += f" {game.name} --module {game.module}"
    lines = [
        f"# Observation of `{game.name}`",
        "",
        f"Written by `{command}` from the table in the code; do not edit.",
        "",
        f"{len(game.observation)} blocks of float32, {game.observation_size} numbers in all.",
        "The form `tensors` hands them out by name, `flat` and `vector` one after another in the order below, each in",
        "C order.  Batches can have them as int8 too: the value divided by the last column, rounded down, at most 127.",
        f"`tensors` and `flat` have `action_mask` beside them: int8, shape ({game.actions},), 1 = legal.",
    ]
    start = 0
    for block in game.observation:
        lines += ["", *_block_lines(block, start)]
        start += block.size
    if game.outlook:
        lines += ["", *_outlook_lines(game)]
    return "\n".join(lines) + "\n"


def _block_lines(block: Block, start: int) -> list[str]:
    shape = ", ".join(map(str, block.shape)) + ("," if len(block.shape) == 1 else "")
    return [
        f"## `{block.name}`",
        "",
        f"Shape ({shape}), channels along axis {block.axis}; in the flat vector {start} to {start + block.size - 1}.",
        "",
        "| index | channel | meaning | range | int8 step |",
        "|------:|---------|---------|-------|----------:|",
        *(
            f"| {index} | `{name}` | {meaning} | {low:g}..{high:g} | {step:g} |"
            for index, (name, meaning, low, high, step) in enumerate(block.channels)
        ),
    ]


def _outlook_lines(game: Game) -> list[str]:
    return [
        "## Outlook",
        "",
        "Not part of the observation: what a seat has in sight if nothing more is done, by",
        "`terracotta_env.outlook`, for networks with previews.  They get these numbers for the position and, for each",
        "legal action, by how much the action changes them at once: whole numbers, -127 to 127, times the last column.",
        "",
        "| index | number | meaning | step |",
        "|------:|--------|---------|-----:|",
        *(
            f"| {index} | `{channel.name}` | {channel.meaning} | {channel.step:g} |"
            for index, channel in enumerate(game.outlook)
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the document of one game."""
    parser = argparse.ArgumentParser(
        prog="python -m terracotta_env.channels", description="The observation as Markdown."
    )
    parser.add_argument("game", nargs="?", default=DEFAULT_GAME, help=f"name of a game (default: {DEFAULT_GAME})")
    parser.add_argument(
        "--module", default=DEFAULT_MODULE, help=f"module that registers the game (default: {DEFAULT_MODULE})"
    )
    chosen = parser.parse_args(arguments)
    print(observation_table(load_game(chosen.module, chosen.game)), end="")


if __name__ == "__main__":
    main()
