"""Networks on disk: one safetensors file that says what it was made for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch

from terracotta_env.game import Game

from .networks import Network, make_network
from .store import StoreError, read_tensors, write_tensors

FORMAT: Final = "terracotta-network"
VERSION: Final = 1


def save_network(path: Path, network: Network, game: Game, note: Mapping[str, Any] | None = None) -> None:
    """Write a network's weights and what makes them usable; ``note`` (JSON values) says where they come from."""
    about = {
        "version": VERSION,
        "game": game.name,
        "rules": game.rules_version,
        "observation_size": game.observation_size,
        "actions": game.actions,
        "network": {"kind": network.kind, "options": network.options},
        "note": dict(note or {}),
    }
    write_tensors(path, FORMAT, network.state_dict(), about)


def load_network(path: Path, game: Game) -> tuple[Network, dict[str, Any]]:
    """A saved network, ready to play, and its note.

    Raises:
        StoreError: the file is missing, damaged, or made for another game or other rules.
    """
    wanted = {
        "version": VERSION,
        "game": game.name,
        "rules": game.rules_version,
        "observation_size": game.observation_size,
        "actions": game.actions,
    }
    tensors, about = read_tensors(path, FORMAT, wanted)
    try:
        with torch.random.fork_rng(devices=[]):  # loading draws nothing from anybody's generator
            network = make_network(game, about["network"]["kind"], about["network"]["options"])
        network.load_state_dict(tensors)
        note = dict(about["note"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise StoreError(f"{path}: its tensors do not fit the network it names ({reason})") from None
    return network.eval().requires_grad_(False), note
