"""Playing the games of a data set, in one of three ways.

*kernels*   one rollout policy in all seats: whole games inside a kernel;
*rows*      agents that decide in many games at once, in blocks of :data:`BLOCK` games;
*singly*    any other agents, one game after another.

Game number i is the same whatever is played beside it, in whichever part and process.  Kernels have a stream of random
numbers for each game.  A block is always played as a whole: its agents share a generator, and a sum over many games
inside a network may round otherwise than one over few.  Agents of single games begin each with a seed of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from terracotta_agents.registry import close_agents
from terracotta_agents.side_by_side import play_seats
from terracotta_env import game as verbs
from terracotta_env import rollout
from terracotta_env.batch import Batch, Board
from terracotta_env.game import NOBODY, Game
from terracotta_env.generator import advance, splitmix64_at, unit
from terracotta_env.kernel import kernel
from terracotta_env.policy import ask, stream
from terracotta_env.position import Position
from terracotta_env.rollout import Rollout

from .collect import Played
from .players import Player

BLOCK: Final = 32  # part of what a seed means: another number would be other games
_AT_FIRST: Final = 512  # decisions of a game that room is made for; doubled where one is longer


@kernel
def record_rows(policies, states, generators, mask, actions, counts):
    """Play each game with one rollout policy in all seats and write its actions.

    ``actions`` shape ``(N, L)`` int16, ``counts`` shape ``(N,)`` int64 receives the numbers of decisions, L where a
    game may not be over after them; ``generators`` shape ``(N,)`` uint64, ``mask`` scratch of shape ``(A,)``.
    """
    for k in range(states.shape[0]):
        state, generator, number = states[k], generators[k], 0
        while number < actions.shape[1] and not verbs.is_over(state):
            generator = advance(generator)
            action = rollout.choose(policies[0], state, mask, unit(generator))
            actions[k, number] = action
            verbs.apply(state, action)
            number += 1
        counts[k] = number


class Table:
    """Agents at a table, who play any games of a schedule.

    Args:
        game: the rules.
        players: by seat of the first game, n of them.
        seed: draws setups and agents.
        board: printed data, None for the game's default.
        rotate: play each setup n times, the agents moved on by one seat each time.
    """

    def __init__(self, game: Game, players: Sequence[Player], seed: int, board: Board | None, rotate: bool) -> None:
        self.game, self.players, self.seed, self.board, self.rotate = game, players, seed, board, rotate
        self._rows = [player.rows() for player in players if player.rows is not None]

    def seating(self, games: np.ndarray) -> np.ndarray:
        """Index of the agent in each seat, shape ``(N, n)`` int64."""
        n = len(self.players)
        moved = (games % n if self.rotate else np.zeros_like(games))[:, None]
        return (np.arange(n) - moved) % n

    def seeds(self, games: np.ndarray) -> np.ndarray:
        """Setups of the games, shape ``(N,)`` uint64."""
        return splitmix64_at(self.seed, games // len(self.players) if self.rotate else games)

    def play(self, first: int, last: int) -> Played:
        """Play games ``first`` to ``last - 1``."""
        shared = self.players[0].rollout
        if shared is not None and all(player.rollout is shared for player in self.players):
            return self._in_kernels(np.arange(first, last), shared)
        if len(self._rows) == len(self.players):
            blocks = range(first // BLOCK, -(-last // BLOCK))
            return _joined([self._in_block(block, first, last) for block in blocks])
        return self._singly(range(first, last))

    def _in_kernels(self, games: np.ndarray, policy: Rollout) -> Played:
        seeds, most = self.seeds(games), _AT_FIRST
        batch = Batch(self.game, len(games), len(self.players), self.board)
        mask = np.empty(self.game.actions, np.int8)
        while True:
            actions, counts = np.empty((len(games), most), np.int16), np.empty(len(games), np.int64)
            batch.reset(seeds=seeds)
            generators = splitmix64_at(stream(self.seed, 1), games)
            record_rows(policy.parameters, batch.states, generators, mask, actions, counts)
            if (counts < most).all():
                return _flat(seeds, actions, counts)
            most *= 2

    def _in_block(self, block: int, first: int, last: int) -> Played:
        games = np.arange(block * BLOCK, (block + 1) * BLOCK)
        rng = np.random.default_rng(stream(self.seed, 2, block))
        seeds = self.seeds(games)
        played = play_seats(self.game, self._rows, self.seating(games), seeds, rng, self.board)
        kept = (games >= first) & (games < last)
        actions = np.ascontiguousarray(played.actions.T[kept], np.int16)
        return _flat(seeds[kept], actions, (played.deciders.T[kept] != NOBODY).sum(1))

    def _singly(self, games: range) -> Played:
        parts = []
        policies = [player.make() for player in self.players]
        try:
            for game in games:
                at = np.array([game])
                seating, seeds = self.seating(at)[0], self.seeds(at)
                position = Position.from_seed(self.game, len(policies), int(seeds[0]), self.board)
                for seat, agent in enumerate(seating):
                    policies[agent].begin(stream(self.seed, game, 1 + seat))
                actions = []
                while (seat_now := position.to_act) is not None:
                    actions.append(ask(policies[seating[seat_now]], position))
                    position.play(actions[-1])
                parts.append(_flat(seeds, np.array([actions], np.int16), np.array([len(actions)])))
        finally:
            close_agents(policies)
        return _joined(parts)


def _flat(seeds: np.ndarray, actions: np.ndarray, counts: np.ndarray) -> Played:
    """Rows of actions, shape ``(N, L)``, of which the first ``counts`` count."""
    used = np.arange(actions.shape[1]) < counts[:, None]
    return Played(seeds, actions[used], np.concatenate([[0], np.cumsum(counts)]))


def _joined(parts: Sequence[Played]) -> Played:
    counts = np.concatenate([np.diff(part.starts) for part in parts])
    return Played(
        np.concatenate([part.seeds for part in parts]),
        np.concatenate([part.actions for part in parts]),
        np.concatenate([[0], np.cumsum(counts)]),
    )
