"""Files of games: where games are kept by themselves, and which files may be written."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from terracotta_env.army import GAME
from terracotta_env.errors import RecordError
from terracotta_env.record import format_of, read_lines

from .session import SaveError, is_saved_game

_KEPT: Final = 50  # games in the state folder
_PATTERN: Final = "play-*.json"


def state_folder() -> Path:
    """The user's folder for things that programs remember."""
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "terracotta-army"


def kept_games() -> list[Path]:
    """Games that were kept by themselves, newest first."""
    with suppress(OSError):
        return sorted(state_folder().glob(_PATTERN), key=lambda path: path.stat().st_mtime, reverse=True)
    return []


def new_autosave() -> Path:
    """A file for a new game; the oldest kept games are removed."""
    for old in kept_games()[_KEPT - 1 :]:
        with suppress(OSError):
            old.unlink()
    return state_folder() / f"play-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.json"


def check_target(path: Path) -> None:
    """Only a saved game may be replaced by a saved game."""
    if path.is_dir():
        raise SaveError(f"{path} is a folder: give the name of a file")
    if path.exists() and not is_saved_game(path):
        raise SaveError(f"{path} exists and is no saved game: choose another name")


def check_out(path: Path) -> None:
    """Records may be added to a file of records or a new one."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        return
    try:
        first = next(read_lines(path), (0, {"format": format_of(GAME)}))[1]
    except RecordError as error:
        raise SaveError(f"{path} is not a file of game records: {error}") from None
    if first.get("format") != format_of(GAME):
        raise SaveError(f"{path} is not a file of game records: its format is {first.get('format')!r}")


def end_last_line(path: Path) -> None:
    """A last line without its end would swallow the record that comes next."""
    if path.exists() and (raw := path.read_bytes()) and not raw.endswith(b"\n"):
        with path.open("ab") as file:
            file.write(b"\n")
