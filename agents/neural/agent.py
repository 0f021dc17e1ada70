"""``net:PATH``: a trained network as a bot.

``net:runs/ppo``                   the network of a run folder (of ``train ppo`` or ``train sb3``), its best action
``net:runs/ppo/net.safetensors``   the same by its file
``net:default``                    the network that comes with the package
``net:PATH,sample=1``              draws from its policy; ``net-sample:PATH`` is the same
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from torch import nn

from terracotta_agents.evaluation import Evaluation
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.position import Position

from .actor import Actor, choose
from .loading import load_player
from .networks import MARGIN, RANK
from .rows import NetworkRows
from .single import SingleNetwork


class NetAgent:
    """Plays a network's best action, or samples from its policy.

    Args:
        game: the rules.
        network: see :class:`terracotta_agents.neural.single.SingleNetwork`; it is copied.
        name: how records call it.
        sample: draw from the policy instead of taking its best action.
    """

    version = 1

    def __init__(self, game: Game, network: nn.Module, name: str = "net", sample: bool = False) -> None:
        self.game = game
        self.network = SingleNetwork(game, network)
        self.name = name
        self.sample = sample
        self.rng = np.random.default_rng(0)

    @classmethod
    def load(cls, path: str | Path, game: Game, sample: bool = False, name: str | None = None) -> NetAgent:
        """The network of a path, see :func:`terracotta_agents.neural.loading.find_network`.  Raises ``StoreError``."""
        return cls(game, load_player(str(path), game), name if name is not None else f"net:{path}", sample)

    def begin(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, position: Position, mask: np.ndarray) -> int:
        """A legal action.  Raises ``ValueError`` where the network has diverged."""
        logits, _ = self.network.ask(position, _seat_of(position))
        return int(choose(logits[None], mask[None], self.rng if self.sample else None)[0])

    def evaluate(self, position: Position) -> Evaluation:
        """See :class:`terracotta_agents.evaluation.Evaluator`; values of learning with a discount are discounted."""
        seat, players = _seat_of(position), position.players
        logits, values = self.network.ask(position, seat)
        actions = np.flatnonzero(position.mask())
        legal = logits[actions].astype(np.float64)
        if not np.isfinite(legal).all():
            raise ValueError("a logit of a legal action is not finite: the network has diverged")
        weights = np.exp(legal - legal.max())
        probabilities = weights / weights.sum()
        if values is None:
            return Evaluation(actions, probabilities, None, None)
        by_seat = values[(np.arange(players) - seat) % players].astype(np.float64)
        points = np.array(position.points(), np.float64)
        so_far = points - (points.sum() - points) / (players - 1)
        margins = so_far + by_seat[:, MARGIN] / self.game.points_scale
        return Evaluation(actions, probabilities, by_seat[:, RANK].clip(-1, 1), margins)


def _seat_of(position: Position) -> int:
    seat = position.to_act
    if seat is None:
        raise ValueError("the game is over: nobody is to act")
    return seat


def _read(argument: str, options: Mapping[str, str], code: str) -> bool:
    """Whether the bot of a code draws from its policy; complains of what is wrong with the code."""
    for key, value in options.items():
        if key != "sample":
            raise ValueError(f"{key}: no such option; known is sample")
        if value not in ("0", "1"):
            raise ValueError(f"sample: expected 0 or 1, got {value!r}")
    if not argument:
        raise ValueError("expected the path of a network or of a run folder, or default")
    return options.get("sample", "1" if code.startswith("net-sample:") else "0") == "1"


def make_net(argument: str, options: Mapping[str, str], code: str) -> NetAgent:
    """The bot of a code ``net:PATH,sample=1``, taken apart.

    Raises:
        ValueError: names what was given and what is allowed.
    """
    sample = _read(argument, options, code)
    return NetAgent.load(argument, GAME, sample, code)


def make_net_rows(argument: str, options: Mapping[str, str], code: str) -> Callable[[], NetworkRows] | None:
    """What makes the row policy of such a code; None for an actor of ``train sb3``.  Raises as :func:`make_net`."""
    sample = _read(argument, options, code)
    network = load_player(argument, GAME)
    return None if isinstance(network, Actor) else lambda: NetworkRows(GAME, network, sample)
