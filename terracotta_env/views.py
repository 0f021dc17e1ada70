"""How an observation is handed out: as named tensors or as one flat vector, always with the action mask beside it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from .entry import observe_at
from .game import Block, Game

FORMS: Final = ("tensors", "flat")


def check_form(form: str, forms: tuple[str, ...] = FORMS) -> str:
    """``form`` itself, or a ``ValueError`` that names the choices."""
    if form not in forms:
        raise ValueError(f"observation: expected one of {', '.join(forms)}, got {form!r}")
    return form


def _bounds(block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of every entry of a block."""
    shape = [1] * len(block.shape)
    shape[block.axis] = len(block.channels)
    low = np.array([channel.low for channel in block.channels], np.float32).reshape(shape)
    high = np.array([channel.high for channel in block.channels], np.float32).reshape(shape)
    return np.broadcast_to(low, block.shape).copy(), np.broadcast_to(high, block.shape).copy()


def vector_space(game: Game) -> spaces.Box:
    """All blocks one after another, shape ``(F,)`` float32."""
    bounds = [_bounds(block) for block in game.observation]
    low = np.concatenate([low.ravel() for low, _ in bounds])
    high = np.concatenate([high.ravel() for _, high in bounds])
    return spaces.Box(low, high, dtype=np.float32)


def mask_space(game: Game) -> spaces.Box:
    return spaces.Box(0, 1, (game.actions,), np.int8)


def observation_space(game: Game, form: str) -> spaces.Dict:
    """Space of what :func:`make_observation` returns: a dictionary that always holds ``action_mask``."""
    parts: dict[str, spaces.Space[Any]]
    if check_form(form) == "flat":
        parts = {"observation": vector_space(game)}
    else:
        parts = {block.name: spaces.Box(*_bounds(block), dtype=np.float32) for block in game.observation}
    return spaces.Dict({**parts, "action_mask": mask_space(game)})


def make_vector(game: Game, states: np.ndarray, seat: int) -> np.ndarray:
    """A fresh flat observation of ``states[0]`` for ``seat``, shape ``(F,)`` float32."""
    out = np.empty(game.observation_size, np.float32)
    observe_at(states, 0, seat, out)
    return out


def make_observation(game: Game, form: str, states: np.ndarray, seat: int, mask: np.ndarray) -> dict[str, np.ndarray]:
    """A fresh observation of ``states[0]`` for ``seat``; ``mask`` goes in as it is."""
    vector = make_vector(game, states, seat)
    if form == "flat":
        return {"observation": vector, "action_mask": mask}
    observation, start = {}, 0
    for block in game.observation:
        observation[block.name] = vector[start : start + block.size].reshape(block.shape)
        start += block.size
    observation["action_mask"] = mask
    return observation
