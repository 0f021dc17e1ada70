"""A policy network as a plain stack of layers: what is left of a learner of ``terracotta train sb3`` that only plays.

On disk an actor is a folder with one safetensors file, see :mod:`terracotta_agents.neural.store`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from terracotta_env.game import Game

from .store import StoreError, read_tensors, write_tensors

FORMAT: Final = "terracotta-actor"
VERSION: Final = 2  # 1 was a pickle
FILE: Final = "actor.safetensors"
OLD_FILE: Final = "actor.pt"
_PROBED = 16  # logits of the probe that the file keeps
# where sb3-contrib's policy keeps the layers that lead to the action logits
_SB3_LAYERS: Final = ("features_extractor.net.", "mlp_extractor.policy_net.", "action_net.")


class Actor(nn.Module):
    """Linear layers with ReLU between them: observation ``(N, F)`` to logits ``(N, A)``.

    Args:
        sizes: F, the hidden sizes, A.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        super().__init__()
        self.sizes = list(sizes)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(self.sizes))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        x = observation
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        logits: torch.Tensor = self.layers[-1](x)
        return logits

    @classmethod
    def from_sb3(cls, policy: Mapping[str, torch.Tensor]) -> Actor:
        """A real copy of the actor inside the ``state_dict`` of a policy of ``terracotta_training.networks``."""
        weights = [key for part in _SB3_LAYERS for key in policy if key.startswith(part) and key.endswith("weight")]
        if not weights:
            raise StoreError(f"no actor layers in this policy: it has {', '.join(policy)}")
        actor = cls([policy[weights[0]].shape[1], *(policy[key].shape[0] for key in weights)])
        with torch.no_grad():
            for layer, key in zip(actor.layers, weights, strict=True):
                assert isinstance(layer, nn.Linear)
                layer.weight.copy_(policy[key])
                layer.bias.copy_(policy[key.removesuffix("weight") + "bias"])
        return actor.eval()

    def probe(self) -> list[float]:
        """First logits for a fixed input."""
        with torch.no_grad():
            output = self(torch.linspace(0, 1, self.sizes[0])[None])[0, :_PROBED]
        return [float(value) for value in output]


def save_actor(folder: Path, actor: Actor, game: Game, note: Mapping[str, object] | None = None) -> None:
    """Write an actor into ``folder``, which is made; ``note`` (JSON values) says where it comes from."""
    about = {**_made_for(game), "sizes": actor.sizes, "probe": actor.probe(), "note": dict(note or {})}
    write_tensors(folder / FILE, FORMAT, actor.state_dict(), about)


def load_actor(folder: Path, game: Game) -> Actor:
    """Read an actor and check that it is the one that was saved, for this game and these rules.

    Raises:
        StoreError: says which file is wrong and how.
    """
    path = folder / FILE
    if not path.exists() and (folder / OLD_FILE).exists():
        raise StoreError(refusal_of_old(folder))
    tensors, about = read_tensors(path, FORMAT, _made_for(game))
    # sizes as the tensors have them, not as the description claims: nothing large is made for a false claim
    weights = [tensors[name] for name in sorted(tensors, key=_place) if name.endswith(".weight")]
    if not weights or any(weight.dim() != 2 for weight in weights):
        raise StoreError(f"{path}: expected the matrices of an actor's layers, got {', '.join(tensors) or 'nothing'}")
    sizes = [weights[0].shape[1], *(weight.shape[0] for weight in weights)]
    if sizes != about.get("sizes") or (sizes[0], sizes[-1]) != (game.observation_size, game.actions):
        raise StoreError(
            f"{path}: expected layers from {game.observation_size} observation numbers to {game.actions} actions, of "
            f"the sizes {about.get('sizes')!r}, got {sizes}"
        )
    actor = Actor(sizes)
    try:
        actor.load_state_dict(tensors)
    except RuntimeError as error:
        raise StoreError(f"{path}: its tensors are not those of an actor ({str(error).splitlines()[0]})") from None
    actor.eval().requires_grad_(False)
    probe, answer = about.get("probe"), actor.probe()
    if not (
        isinstance(probe, list)
        and len(probe) == len(answer)
        and all(isinstance(value, float) for value in probe)
        and np.allclose(answer, probe, atol=1e-4)
    ):
        raise StoreError(f"{path}: the loaded network answers the probe differently than when it was saved")
    return actor


def refusal_of_old(folder: Path) -> str:
    """What is said of a folder that holds an actor of version 1."""
    return f"{folder / OLD_FILE}: holds a pickle, which is no longer read: expected {FILE}; train the actor anew"


def _made_for(game: Game) -> dict[str, object]:
    return {"version": VERSION, "game": game.name, "rules": game.rules_version}


def _place(name: str) -> int:
    """Which layer ``layers.3.weight`` belongs to."""
    part = name.split(".")[1:2]
    return int(part[0]) if part and part[0].isdecimal() else 0


def choose(logits: np.ndarray, masks: np.ndarray, rng: np.random.Generator | None) -> np.ndarray:
    """Legal actions, shape ``(N,)``: sampled from the softmax over legal logits, or the best one where ``rng`` is None.

    Args:
        logits: shape ``(N, A)``.
        masks: shape ``(N, A)``, nonzero = legal.

    Raises:
        ValueError: a logit of a legal action is not a number: the network has diverged.
    """
    if np.isnan(logits[masks != 0]).any():
        raise ValueError("a logit of a legal action is NaN: the network has diverged")
    if np.isinf(logits[masks != 0]).any():
        raise ValueError("a logit of a legal action is infinite: the network has diverged")
    scores = logits if rng is None else logits + rng.gumbel(size=logits.shape)
    actions: np.ndarray = np.where(masks != 0, scores, -np.inf).argmax(axis=1)
    return actions
