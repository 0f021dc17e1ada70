"""How an observation is handed out: as named tensors or as one flat vector, always with the action mask beside it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from .entry import direct, observe_at
from .game import Block, Game

FORMS: Final = ("tensors", "flat")
_FLOAT32: Final = np.dtype(np.float32)


def check_form(form: str, forms: tuple[str, ...] = FORMS) -> str:
    """``form`` itself, or a ``ValueError`` that names the choices."""
    if form not in forms:
        raise ValueError(f"observation: expected one of {', '.join(forms)}, got {form!r}")
    return form


def _bounds(block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of every entry of a block."""
    low, high = ([getattr(channel, name) for channel in block.channels] for name in ("low", "high"))
    return block.spread(low), block.spread(high)


def vector_space(game: Game) -> spaces.Box:
    """All blocks one after another, shape ``(F,)`` float32."""
    bounds = [_bounds(block) for block in game.observation]
    low = np.concatenate([low.ravel() for low, _ in bounds])
    high = np.concatenate([high.ravel() for _, high in bounds])
    return spaces.Box(low, high, dtype=np.float32)


class ActionSpace(spaces.Discrete):
    """``Discrete(A)`` whose masked draw is several times faster than Gymnasium's.

    Draws, refusals and seeding are Gymnasium's in kind; which action a seed gives is not the same.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A uniformly random action, of those that ``mask`` (shape ``(A,)`` int8, 1 = legal) allows."""
        if probability is None and isinstance(mask, np.ndarray) and mask.dtype == np.int8 and mask.shape == (self.n,):
            allowed = mask.nonzero()[0]
            if len(allowed) and not mask.tobytes().translate(None, b"\0\1"):  # no entry but 0 and 1
                return self.start + allowed[int(self.np_random.random() * len(allowed))]
        return super().sample(mask, probability)


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


class Observer:
    """Makes observations of one game in one form, quickly: this is half of what a step of the views costs."""

    def __init__(self, game: Game, form: str) -> None:
        self._game, self._form = game, check_form(form)
        self._size = game.observation_size
        self._views = game.observation_views if form == "tensors" else ()
        self._write = direct(game).observe

    def __reduce__(self) -> tuple[Any, ...]:
        return Observer, (self._game, self._form)

    def __call__(self, states: np.ndarray, seat: int, mask: np.ndarray) -> dict[str, np.ndarray]:
        """A fresh observation of ``states[0]`` for ``seat``; ``mask`` goes in as it is."""
        vector = np.empty(self._size, _FLOAT32)
        self._write(states, 0, seat, vector)
        if not self._views:
            return {"observation": vector, "action_mask": mask}
        observation = {name: np.ndarray(shape, _FLOAT32, vector, start) for name, shape, start in self._views}
        observation["action_mask"] = mask
        return observation


def make_observation(game: Game, form: str, states: np.ndarray, seat: int, mask: np.ndarray) -> dict[str, np.ndarray]:
    """A fresh observation of ``states[0]`` for ``seat``; ``mask`` goes in as it is."""
    return Observer(game, form)(states, seat, mask)
