"""Write all golden texts anew: ``python -m tests.golden.write``, from the root of the project.

Do this after a deliberate change of the rules, which also raises ``RULES_VERSION`` in terracotta_env/army/snapshot.py.
"""

from __future__ import annotations

from pathlib import Path

from tests.golden import games, perft


def write(path: Path, text: str) -> None:
    """Write a file and say whether it is different now."""
    old = path.read_bytes() if path.exists() else b""
    new = text.encode()
    path.write_bytes(new)
    print(f"{path.name:<30} {len(new):>6} bytes  {'as it was' if old == new else 'changed'}")


def main() -> None:
    """Write every golden game and the perft numbers."""
    for players, board in games.CASES:
        write(games.path_of(players, board), games.play(players, board))
    write(perft.PATH, perft.text())


if __name__ == "__main__":
    main()
