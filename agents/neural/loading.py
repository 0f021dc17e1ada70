"""Networks by path: whatever a training run left, as a player."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from terracotta_env.game import Game

from . import actor, saved
from .networks import Network
from .store import StoreError

DEFAULT: Final = "default"  # the name of the network that comes with the package
DEFAULT_FOLDER: Final = Path(__file__).with_name("default")
NETWORK: Final = "net.safetensors"  # in the folder of a run of ``train ppo``
_ACTOR_FOLDER: Final = "actor"  # in the folder of a run of ``train sb3``


def find_network(where: str) -> Path:
    """The file that a path means: itself, or the network of a run folder or of an actor's folder.

    Args:
        where: a path, or ``default``.

    Raises:
        StoreError: says what was expected there.
    """
    if where == DEFAULT:
        path = DEFAULT_FOLDER / NETWORK
        if not path.is_file():
            raise StoreError(f"{path}: the default network is not in this copy of the package: give a PATH")
        return path
    path = Path(where)
    if path.is_dir():
        inside = (path / NETWORK, path / _ACTOR_FOLDER / actor.FILE, path / actor.FILE)
        found = next((file for file in inside if file.is_file()), None)
        if found is not None:
            return found
        for folder in (path, path / _ACTOR_FOLDER):
            if (folder / actor.OLD_FILE).is_file():
                raise StoreError(actor.refusal_of_old(folder))
        expected = ", ".join(str(file.relative_to(path)) for file in inside)
        raise StoreError(f"{path}: expected the folder of a training run or of an actor, with one of {expected}")
    if not path.is_file():
        raise StoreError(f"{path}: no such file or folder; expected a network or the folder of a training run")
    return path


def load_player(where: str, game: Game) -> Network | actor.Actor:
    """The network of a path, ready to play.

    Raises:
        StoreError: it is missing, damaged or made for another game or other rules.
    """
    path = find_network(where)
    if path.name == actor.FILE:
        return actor.load_actor(path.parent, game)
    return saved.load_network(path, game)[0]
