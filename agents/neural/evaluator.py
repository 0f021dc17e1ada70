"""A network as the evaluator of tree search: leaves in, priors and values by seat out.

A network answers for seats relative to who looks, and with two values each
(:mod:`terracotta_agents.neural.networks`).  What a search wants is one number for each seat of the table, on the scale
of finished games (:func:`terracotta_agents.search.rollouts.write_utility`): ``(1 - share) x RANK + share x
squash(margin x scale)``.  The margin is that of the final result: what the seat leads by now and, in MARGIN, what is
still to come.

Letters: R leaves, A actions, P seats.
"""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import nn

from terracotta_agents.search.batch import Leaves
from terracotta_agents.search.rollouts import squash
from terracotta_agents.search.settings import Settings
from terracotta_env import game as verbs
from terracotta_env.game import Game
from terracotta_env.kernel import kernel

from .networks import MARGIN, RANK, FirstLayer, autocast
from .single import FoldedLayer


@kernel
def read_answers(states, seats, masks, logits, answers, configs, unit, sources, priors, values):
    """Write priors ``(R, A)`` and values ``(R, P)`` of the leaves that are not over.

    Args:
        logits: shape ``(R, A)`` float32.
        answers: shape ``(R, P, VALUES)`` float32, seats relative to ``seats``.
        configs: shape ``(1,)``, of :class:`terracotta_agents.search.settings.Settings`.
        unit: what a point counts in MARGIN.
        sources: scratch, shape ``(K,)``.
    """
    config = configs[0]
    for k in range(seats.shape[0]):
        if seats[k] == verbs.NOBODY:
            continue
        highest = -np.inf
        for action in range(masks.shape[1]):
            if masks[k, action] != 0:
                highest = max(highest, logits[k, action])
        for action in range(masks.shape[1]):
            priors[k, action] = np.exp(logits[k, action] - highest) if masks[k, action] != 0 else 0.0
        players = int(states[k].players)
        total = 0
        for seat in range(players):
            total += verbs.ledger(states[k], seat, sources)
        for seat in range(values.shape[1]):
            if seat >= players:
                values[k, seat] = 0.0
                continue
            relative = (seat - seats[k]) % players
            points = verbs.ledger(states[k], seat, sources)
            margin = points - (total - points) / (players - 1) + answers[k, relative, MARGIN] / unit
            rank = min(1.0, max(-1.0, answers[k, relative, RANK]))
            values[k, seat] = (1.0 - config.margin) * rank + config.margin * squash(margin * config.scale)


class NetworkEvaluator:
    """See :class:`terracotta_agents.search.batch.Evaluator`.

    Args:
        game: the rules.
        network: int8 observations to logits and values; it is copied.
        settings: utility of positions.
        device: where the network is to run.
        half: bfloat16 matrix products.
    """

    def __init__(
        self,
        game: Game,
        network: nn.Module,
        settings: Settings,
        device: torch.device | str = "cpu",
        half: bool = True,
    ) -> None:
        self.game, self.device, self.half = game, torch.device(device), half
        self.network = copy.deepcopy(network).to(self.device).eval().requires_grad_(False)
        if isinstance(first := getattr(self.network, "first", None), FirstLayer):
            self.network.first = FoldedLayer(first)
        self._config = settings.record(game)
        self._sources = np.zeros(len(game.sources), np.int64)

    def evaluate(self, leaves: Leaves, priors: np.ndarray, values: np.ndarray) -> None:
        """Ask the network once for all leaves.

        Raises:
            ValueError: the network has diverged.
        """
        with torch.inference_mode(), autocast(self.half, self.device):
            logits, answers = self.network(torch.from_numpy(leaves.observations).to(self.device))
            logits, answers = logits.cpu().numpy(), answers.cpu().numpy()
        if not (np.isfinite(logits).all() and np.isfinite(answers).all()):
            raise ValueError("an answer of the network is not finite: it has diverged")
        read_answers(
            leaves.states,
            leaves.seats,
            leaves.masks,
            logits,
            answers,
            self._config,
            self.game.points_scale,
            self._sources,
            priors,
            values,
        )
