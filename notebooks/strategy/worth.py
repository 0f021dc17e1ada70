"""What a Warrior earns: the points that would be missing at a scoring if it did not stand there.

Games are played again; the last decision before each scoring is done once more on a copy of the position without the
Warrior.  The difference in its owner's points is what it earns there, contests, Musicians, tiles, Footmen and groups
included.  Points for placing it, and those of its Weapon, are not part of this; riders are left out.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from terracotta_env.army import GAME
from terracotta_env.army.actions import CELL, WARRIOR_NAMES
from terracotta_env.army.apply import apply
from terracotta_env.army.endgame import victory_points
from terracotta_env.army.geometry import bit, lowest
from terracotta_env.army.mausoleum import lift_off, type_on_foot
from terracotta_env.army.state import Decision
from terracotta_env.batch import Batch
from terracotta_env.kernel import kernel

from .sets import table


@kernel
def scored(state, game_round):
    """Has the scoring of ``game_round`` happened?"""
    return state.game_round != game_round or state.decision == Decision.OVER


@kernel
def earnings(states, scratch, actions, starts, out):
    """Write ``(game, round, seat, cell, type, points)`` for each Warrior at each scoring; returns the number of rows.

    ``scratch`` holds two records; ``out`` shape ``(rows, 6)`` must be long enough.
    """
    rows = 0
    for k in range(states.shape[0]):
        state = states[k]
        for at in range(starts[k], starts[k + 1]):
            scratch[0] = states[k]
            before, action = scratch[0], actions[at]
            apply(state, action)
            if not scored(state, before.game_round):
                continue
            for seat in range(state.players):
                rest = before.owned[seat]
                while rest != 0:
                    cell = lowest(rest)
                    rest &= ~bit(cell)
                    if cell == before.chosen_cell or cell == action - CELL:
                        continue  # the decision is about this one
                    scratch[1] = scratch[0]
                    trial, kind = scratch[1], type_on_foot(before, cell)
                    lift_off(trial, seat, kind, cell)
                    apply(trial, action)
                    if scored(trial, before.game_round):
                        row = out[rows]
                        row[0], row[1], row[2], row[3], row[4] = k, before.game_round, seat, cell, kind
                        row[5] = victory_points(state, seat) - victory_points(trial, seat)
                        rows += 1
    return rows


def warriors_earn(name: str) -> pd.DataFrame:
    """One row a Warrior and scoring: game, round, seat, cell (0..62), type, points."""
    games, decisions = table(name, "games"), table(name, "decisions", ["game", "token"])
    counts = games.decisions.to_numpy(np.int64)
    board = str(games.board.iloc[0])
    batch = Batch(GAME, len(games), int(games.players.iloc[0]), board)
    batch.reset(seeds=games.setup_seed.to_numpy())
    actions = decisions.token.cat.codes.to_numpy().astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)])
    out = np.empty((len(games) * 5 * 63, 6), np.int64)  # a Warrior on each space at each scoring is the most
    rows = earnings(batch.states, GAME.make_states(2), actions, starts, out)
    frame = pd.DataFrame(out[:rows], columns=["game", "round", "seat", "cell", "type", "points"])
    frame["type"] = pd.Categorical.from_codes(frame["type"], WARRIOR_NAMES)
    return frame
