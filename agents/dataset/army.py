"""What Terracotta Army adds to a data set: the wheel, the spaces of the mausoleum, means before each turn.

Columns say what was asked and answered.  Forced answers are not asked: a space that was the only one left is null.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from terracotta_env.army import GAME
from terracotta_env.army import actions as act
from terracotta_env.army.endgame import turn_place
from terracotta_env.army.geometry import CELL_NAMES
from terracotta_env.army.state import BASES, NONE, ROUNDS, SEGMENTS, Decision, Ring, Space, Worker
from terracotta_env.army.wheel import acting_slot, inner_index, middle_index
from terracotta_env.kernel import kernel

from .extras import Arrays, Column, Extras, register_extras

VERSION: Final = 1
MASTERS: Final = len(act.MASTER_NAMES)

SPACE_WORDS: Final = (
    "coins",
    "clay",
    "warrior",
    "soak",
    "upgrade",
    "priority",
    *(f"master:{name}" for name in act.MASTER_NAMES),
    *(f"ready:{name}" for name in act.WEAPON_NAMES),
    *(f"specialist:{name}" for name in act.SPECIALIST_NAMES),
)
RING_CHOICES: Final = ("perform", "clay", "coin", "nothing")
ROTATIONS: Final = ("none", "inner", "middle")

# name, dtype, value of a turn's row at its beginning, meaning, words
_TURN: Final = (
    ("round", "i1", 0, "round, 1..5", ()),
    ("place", "i1", 0, "place of the seat in the turn order of the round, 1 = first", ()),
    ("coins", "i2", 0, "coins of the seat before the turn", ()),
    ("wet", "i2", 0, "wet clay of the seat before the turn", ()),
    ("dry", "i2", 0, "dry clay of the seat before the turn", ()),
    ("masters_owned", "i1", 0, "masters of the seat before the turn, one bit each: " + ", ".join(act.MASTER_NAMES), ()),
    ("artisans_owned", "i1", 0, "artisans of the seat before the turn, on the wheel or in hand", ()),
    ("rotation", "i1", 0, "the ring that was turned", ROTATIONS),
    ("segment", "i1", 0, "segment of the wheel that the worker was put on, 1..12", ()),
    ("worker", "i1", NONE, "who was put there", act.WORKER_NAMES),
    ("inner_position", "i1", 0, "entry of the Inner Ring's printed list that lay on the segment, 1..12", ()),
    ("middle_position", "i1", 0, "the same of the Middle Ring", ()),
    ("inner", "i1", NONE, "action of the Inner Ring there", SPACE_WORDS),
    ("inner_amount", "i1", 0, "number printed on it, 0 where there is none", ()),
    ("middle", "i1", NONE, "action of the Middle Ring there", SPACE_WORDS),
    ("middle_amount", "i1", 0, "number printed on it, 0 where there is none", ()),
    ("outer", "i1", NONE, "action of the Outer Ring there", SPACE_WORDS),
    ("inner_choice", "i1", act.DO_NOTHING, "what was done with it", RING_CHOICES),
    ("middle_choice", "i1", act.DO_NOTHING, "the same of the Middle Ring", RING_CHOICES),
    ("outer_choice", "i1", act.DO_NOTHING, "the same of the Outer Ring", RING_CHOICES),
    ("warrior", "i1", NONE, "type of the Warrior made by the Inner action", act.WARRIOR_NAMES),
    ("warrior_cell", "i1", NONE, "its space", CELL_NAMES),
    ("repeated_warrior", "i1", NONE, "type of the Warrior made by repeating the Inner action", act.WARRIOR_NAMES),
    ("repeated_cell", "i1", NONE, "its space", CELL_NAMES),
    ("builder_warrior", "i1", NONE, "type of the Warrior placed by the Builder", act.WARRIOR_NAMES),
    ("builder_cell", "i1", NONE, "its space", CELL_NAMES),
    ("specialist_cell", "i1", NONE, "space of the Specialist that was built; of a Horse the space of its rider",
     CELL_NAMES),
    ("weapons_used", "i1", 0, "Weapons of new Warriors that were used", ()),
    ("row_steps", "i1", 0, "steps of the row Inspector by the seat's choice, -1..4", ()),
    ("column_steps", "i1", 0, "the same of the column Inspector", ()),
)  # fmt: skip
_BLANK: Final = np.zeros(1, np.dtype((np.record, np.dtype([(name, kind) for name, kind, *_ in _TURN], align=True))))
for _field in _TURN:
    _BLANK[_field[0]] = _field[2]


@kernel
def turn_of(state):
    """Number of a turn within the game: workers on the wheel, less the one that is acting, after those of the rounds
    before."""
    workers = 0
    for segment in range(SEGMENTS):
        workers += (state.worker_kind[segment, 0] != NONE) + (state.worker_kind[segment, 1] != NONE)
    return state.game_round * 2 * SEGMENTS + workers - (state.segment != NONE)


@kernel
def watch_means(state, row):
    """What the seat has before its turn."""
    seat = state.to_move
    row.round = state.game_round
    row.place = turn_place(state, seat) + 1
    row.coins = state.coins[seat]
    row.wet = state.wet[seat]
    row.dry = state.dry[seat]
    for master in range(MASTERS):
        if state.masters[seat, master] > 0:
            row.masters_owned |= 1 << master
    workers = state.craftsmen[seat] + state.artisans[seat]
    for segment in range(SEGMENTS):
        for slot in range(2):
            workers += state.worker_owner[segment, slot] == seat
    row.artisans_owned = workers - state.artisans_in_supply[seat]


@kernel
def watch_wheel(state, row):
    """Where the worker stands, and what the rings show there."""
    segment = state.segment
    inner, middle = inner_index(state, segment), middle_index(state, segment)
    row.segment = segment + 1
    row.worker = state.worker_kind[segment, acting_slot(state)]
    row.inner_position = inner + 1
    row.middle_position = middle + 1
    row.inner = state.inner[inner]
    row.inner_amount = state.inner_amount[inner]
    row.middle = state.middle[middle]
    row.middle_amount = state.middle_amount[middle]
    row.outer = state.outer[segment]


@kernel
def watch_inspector(action, row):
    if action == act.DECLINE:
        return
    step = action - act.INSPECTOR
    if step == act.ROW_FORWARD:
        row.row_steps += 1
    elif step == act.ROW_BACK:
        row.row_steps -= 1
    elif step == act.ROW_FORWARD_2:
        row.row_steps += 2
    elif step == act.COLUMN_FORWARD:
        row.column_steps += 1
    elif step == act.COLUMN_BACK:
        row.column_steps -= 1
    else:
        row.column_steps += 2


@kernel
def watch(state, action, row):
    """See :attr:`terracotta_agents.dataset.extras.Extras.watch`."""
    if row.round == 0:
        watch_means(state, row)
    if row.segment == 0 and state.segment != NONE:
        watch_wheel(state, row)
    decision = state.decision
    if decision == Decision.ROTATE:
        row.rotation = action - act.ROTATE
    elif decision == Decision.RING:
        choice = action - act.RING
        if state.ring == Ring.INNER:
            row.inner_choice = choice
        elif state.ring == Ring.MIDDLE:
            row.middle_choice = choice
        else:
            row.outer_choice = choice
    elif decision == Decision.WARRIOR_CELL:
        if state.repeating == 1:
            row.repeated_warrior, row.repeated_cell = state.chosen_type, action - act.CELL
        else:
            row.warrior, row.warrior_cell = state.chosen_type, action - act.CELL
    elif decision == Decision.BUILDER_CELL:
        row.builder_warrior, row.builder_cell = state.chosen_type, action - act.CELL
    elif decision == Decision.SPECIALIST_CELL or decision == Decision.ARCHER_CELL or decision == Decision.HORSE_RIDER:
        row.specialist_cell = action - act.CELL
    elif decision == Decision.WEAPON:
        row.weapons_used += action - act.WEAPON == act.USE
    elif decision == Decision.OFFICER_INSPECTOR or decision == Decision.MASTER_INSPECTOR:
        watch_inspector(action, row)


def _of_games(initial: np.ndarray, final: np.ndarray) -> Arrays:
    tiles = {f"tile_{number + 1}": initial["tiles"][:, number] for number in range(ROUNDS)}
    return {
        "inner_offset": initial["inner_offset"],
        "middle_offset": initial["middle_offset"],
        **tiles,
        "warriors": (initial["organizer"] - final["organizer"]).sum(1).astype(np.int8),
    }


def _of_seats(initial: np.ndarray, final: np.ndarray, players: int) -> Arrays:
    bits = (final["masters"][:, :players] > 0) << np.arange(MASTERS)
    workers = initial["artisans_in_supply"][:, :players]
    return {
        "start_place": _places(initial, players),
        "end_place": _places(final, players),
        "masters_owned": bits.sum(2).astype(np.int8),
        "artisans_owned": (workers - final["artisans_in_supply"][:, :players]).astype(np.int8),
        "warriors": (BASES - final["bases"][:, :players]).astype(np.int8),
    }


def _places(states: np.ndarray, players: int) -> np.ndarray:
    """Place of each seat in the turn order, from 1: shape ``(N, players)`` int8."""
    return (np.argsort(states["turn_order"][:, :players], axis=1) + 1).astype(np.int8)


ARMY: Final = register_extras(
    Extras(
        game=GAME,
        module=__name__,
        name="army",
        version=VERSION,
        blank=_BLANK,
        turn_of=turn_of,
        watch=watch,
        turns=tuple(Column(name, meaning, words) for name, _, _, meaning, words in _TURN),
        games=(
            Column("inner_offset", "segments that the Inner Ring is turned by at the start, 0..11"),
            Column("middle_offset", "the same of the Middle Ring"),
            *(Column(f"tile_{n + 1}", f"Scoring tile of round {n + 1}", act.TILE_NAMES) for n in range(ROUNDS)),
            Column("warriors", "Warriors in the mausoleum at the end, all seats together"),
        ),
        of_games=_of_games,
        seats=(
            Column("start_place", "place in the turn order of round 1, 1 = first"),
            Column("end_place", "place in the turn order at the end, which settles ties"),
            Column("masters_owned", "masters at the end, one bit each: " + ", ".join(act.MASTER_NAMES)),
            Column("artisans_owned", "artisans at the end"),
            Column("warriors", "Warriors in the mausoleum at the end"),
        ),
        of_seats=_of_seats,
    )
)
assert SPACE_WORDS[Space.SPECIALIST] == "specialist:horse"
assert act.WORKER_NAMES[Worker.ARTISAN] == "artisan"
