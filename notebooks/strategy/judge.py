"""What a decision loses in the eyes of one judge: the shipped network's expected margin of the best action, less that of
the one that was taken.

A judge who is not perfect sees losses also where there are none, the more the more actions there are; so losses compare
agents and kinds of decisions, and are no exact measure of what was lost.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import torch

from terracotta_agents.neural.loading import DEFAULT, find_network
from terracotta_agents.neural.networks import MARGIN
from terracotta_agents.neural.rows import look
from terracotta_agents.neural.saved import load_network
from terracotta_agents.neural.single import one_thread
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.rows import points_rows, to_act_rows

from .sets import table


class Judge:
    """Values positions by the network that comes with the package."""

    def __init__(self) -> None:
        self.network = load_network(find_network(DEFAULT), GAME)[0]

    def margins(self, states: np.ndarray, seat: int) -> np.ndarray:
        """Expected final points of ``seat`` less the mean of the others' after each record, shape ``(R,)``."""
        players, rows = int(states["players"][0]), np.arange(len(states))
        acting = np.empty(len(states), np.int64)
        to_act_rows(states, rows, acting)
        points = np.zeros((len(states), GAME.seats), np.int64)
        points_rows(states, rows, np.empty(len(GAME.sources), np.int64), points)
        margins = points[:, seat] - (points.sum(1) - points[:, seat]) / (players - 1)
        going = np.flatnonzero(acting >= 0)
        if len(going):
            inputs, _ = look(GAME, states, going, self.network.previews.size)
            with one_thread(), torch.no_grad():
                values = self.network(torch.from_numpy(inputs))[1].float().numpy()
            at = (seat - acting[going]) % players
            margins[going] += values[np.arange(len(going)), at, MARGIN] / GAME.points_scale
        return margins


def losses(name: str, share: float, rng: np.random.Generator, judge: Judge) -> pd.DataFrame:
    """Some decisions of a data set, one row each: agent, kind (first word of the token), number of actions, loss.

    Args:
        share: of all decisions with at least two actions.
    """
    games = table(name, "games", ["game", "setup_seed", "players", "board"])
    decisions = table(name, "decisions").groupby("game").token
    agents = table(name, "ranks").set_index(["game", "seat"]).agent.astype(str).to_dict()
    rows = []
    for game in games.itertuples():
        position = Position.from_seed(GAME, int(game.players), int(game.setup_seed), game.board)
        for token in decisions.get_group(game.game):
            if rng.random() < share:
                rows.append((game.game, agents[game.game, position.to_act], *judged(position, token, judge)))
            position.play(token)
    return pd.DataFrame(rows, columns=["game", "agent", "kind", "actions", "loss"])


def judged(position: Position, token: str, judge: Judge) -> tuple[str, int, float]:
    """Kind of a decision, its number of actions, and what it loses."""
    seat = position.to_act
    assert seat is not None
    legal = position.legal()
    after = np.concatenate([position.clone().play(other).states for other in legal])
    margins = judge.margins(after, seat)
    return token.partition(":")[0], len(legal), float(margins.max() - margins[legal.index(token)])
