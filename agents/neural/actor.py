"""A policy network as a plain stack of layers: what is left of a learner when it only has to play.

On disk an actor is a folder with two files, neither of which can run code when it is read: ``actor.pt`` (tensors,
loaded with ``weights_only=True``) and ``actor.json`` (sizes, rules version, the tensors' SHA-256 and the output for a
probe input).
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from terracotta_env.errors import TerracottaError
from terracotta_env.game import Game

FORMAT: Final = "terracotta-actor"
WEIGHTS, CARD = "actor.pt", "actor.json"
_PROBED = 16  # logits of the probe that the card keeps
# where sb3-contrib's policy keeps the layers that lead to the action logits
_SB3_LAYERS: Final = ("features_extractor.net.", "mlp_extractor.policy_net.", "action_net.")


class ActorError(TerracottaError, ValueError):
    """An actor's folder that is missing, damaged or made for something else."""


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
        """A real copy of the actor inside the ``state_dict`` of an sb3-contrib policy made by ``training.networks``."""
        weights = [key for part in _SB3_LAYERS for key in policy if key.startswith(part) and key.endswith("weight")]
        if not weights:
            raise ActorError(f"no actor layers in this policy: it has {', '.join(policy)}")
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
    """Write an actor's two files into ``folder``; the card last, so a folder with a card is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).unlink(missing_ok=True)
    torch.save(actor.state_dict(), folder / WEIGHTS)
    card = {
        "format": FORMAT,
        "version": 1,
        "game": game.name,
        "rules": game.rules_version,
        "sizes": actor.sizes,
        "sha256": hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest(),
        "probe": actor.probe(),
        "note": dict(note or {}),
    }
    (folder / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def load_actor(folder: Path, game: Game) -> Actor:
    """Read an actor and check that it is the one that was saved, for this game and these rules.

    Raises:
        ActorError: says which file is wrong and how.
    """
    if not (folder / CARD).is_file() or not (folder / WEIGHTS).is_file():
        raise ActorError(f"{folder}: expected the files {WEIGHTS} and {CARD} of a trained actor")
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        sizes, digest, probe = card["sizes"], card["sha256"], card["probe"]
        made_for = (card["format"], card["game"], card["rules"], sizes[0], sizes[-1])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ActorError(f"{folder / CARD}: is not an actor's card ({error})") from None
    wanted = (FORMAT, game.name, game.rules_version, game.observation_size, game.actions)
    if made_for != wanted:
        raise ActorError(
            f"{folder / CARD}: made for (format, game, rules, observation size, actions) = {made_for}, "
            f"this program has {wanted}"
        )
    if hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest() != digest:
        raise ActorError(f"{folder / WEIGHTS}: is not the file the card was written for (SHA-256 differs)")
    try:
        weights = torch.load(folder / WEIGHTS, weights_only=True)
        actor = Actor(sizes)
        actor.load_state_dict(weights)
    except Exception as error:  # a damaged file fails in torch in many ways
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ActorError(f"{folder / WEIGHTS}: cannot be read as tensors of the sizes {sizes} ({reason})") from None
    actor.eval()
    answer = actor.probe()
    if not (
        isinstance(probe, list)
        and len(probe) == len(answer)
        and all(isinstance(value, float) for value in probe)
        and np.allclose(answer, probe, atol=1e-4)
    ):
        raise ActorError(f"{folder}: the loaded network answers the probe differently than when it was saved")
    return actor


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
