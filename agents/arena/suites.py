"""Fixed sets of setups that papers and users can share: ``terracotta arena --suite v1``.

A suite is a file in ``suites/``: setups as in records for each number of players, the game, its rules' version, the
board, the call that made it, and a digest of all that.  A suite never changes; a better one gets the next name.

``python -m terracotta_agents.arena.suites MODULE GAME NAME BOARD SEED COUNT`` writes one to standard output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from terracotta_env.game import Game

from .schedule import ArenaError
from .setups import Setups, digest_of

FORMAT: Final = "arena-suite"


@dataclass(frozen=True)
class Suite:
    """A set of setups.

    Attributes:
        name, game, rules, board: what the setups are for.
        setups: by number of players, setups as in a record.
        digest: of the whole file.
        made_by: the call that made it.
    """

    name: str
    game: str
    rules: int
    board: str
    setups: dict[int, list[dict[str, Any]]]
    digest: str
    made_by: str

    def check(self, game: str, rules: int) -> None:
        """Refuse to play it under rules that it was not made for."""
        if (self.game, self.rules) != (game, rules):
            raise ArenaError(
                f"suite {self.name}: made for {self.game}, version {self.rules} of the rules; this program plays "
                f"{game}, version {rules}: use a suite or a release of that version"
            )


def names() -> list[str]:
    """The suites that come with the package."""
    folder = resources.files(__package__) / "suites"
    return sorted(path.name.removesuffix(".json") for path in folder.iterdir() if path.name.endswith(".json"))


def load(name: str) -> Suite:
    """The suite of that name; raises :class:`ArenaError` where there is none or its file was changed."""
    if name not in names():
        raise ArenaError(f"no suite {name!r}: known are {', '.join(names())}")
    return read(json.loads((resources.files(__package__) / "suites" / f"{name}.json").read_text(encoding="utf-8")))


def read(content: dict[str, Any]) -> Suite:
    """A suite from its file's content."""
    if content.get("format") != FORMAT:
        raise ArenaError(f"suite: expected format {FORMAT!r}, got {content.get('format')!r}")
    said = content.get("digest")
    found = digest_of({key: value for key, value in content.items() if key != "digest"})
    if said != found:
        raise ArenaError(f"suite {content.get('name')}: its digest is {found}, not {said}: the file was changed")
    return Suite(
        content["name"],
        content["game"],
        content["rules"],
        content["board"],
        {int(players): setups for players, setups in content["setups"].items()},
        found,
        content["made_by"],
    )


def make(game: Game, name: str, board: str, seed: int, count: int, made_by: str) -> dict[str, Any]:
    """The content of a suite's file: ``count`` different setups for each number of players."""
    drawn = Setups(game, board, seed)
    content: dict[str, Any] = {
        "format": FORMAT,
        "name": name,
        "game": game.name,
        "rules": game.rules_version,
        "board": board,
        "made_by": made_by,
        "setups": {
            str(players): [game.notation.setup_of(drawn.start(players, setup).states) for setup in range(count)]
            for players in game.players
        },
    }
    return {**content, "digest": digest_of(content)}


def to_text(content: dict[str, Any]) -> str:
    """JSON with one setup a line, so that people and diffs can read it."""
    head = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in content.items() if key != "setups"]
    parts = []
    for players, setups in content["setups"].items():
        rows = ",\n".join(f"      {json.dumps(setup)}" for setup in setups)
        parts.append(f'    "{players}": [\n{rows}\n    ]')
    return "{\n" + "\n".join(head) + '\n  "setups": {\n' + ",\n".join(parts) + "\n  }\n}\n"


def main(arguments: Sequence[str]) -> None:
    from terracotta_env.game import load_game

    module, game, name, board, seed, count = arguments
    call = f"python -m {__package__}.suites {' '.join(arguments)}"
    sys.stdout.write(to_text(make(load_game(module, game), name, board, int(seed), int(count), call)))


if __name__ == "__main__":
    main(sys.argv[1:])
