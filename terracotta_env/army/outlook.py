"""What is in sight: what each seat would still score if the position stayed as it is.

Every scoring that is still to come is done on a copy of the record, by the rules' own functions, so nothing is guessed
and nothing is tried.  Learners may see these numbers, and how each action changes them.
"""

from __future__ import annotations

from typing import Final

from ..game import Channel
from ..kernel import kernel
from .endgame import score_archers, score_footmen, score_groups, victory_points
from .geometry import ALL_CELLS, COLUMN_CELLS, COLUMNS, ROW_CELLS, ROWS
from .mausoleum import ANY_TYPE, warriors_of
from .scoring import score_inspectors, score_musicians, score_tile, tile_area
from .state import ROUNDS, SOURCES, Decision, Source, Tile

_SCORED: Final = (
    ("vp", "points so far"),
    ("row", "points of the row Inspector in this round"),
    ("column", "points of the column Inspector in this round"),
    ("tile", "points of this round's Scoring tile"),
    ("lines_next", "points of both Inspectors in the next round"),
    ("tile_next", "points of the next round's Scoring tile"),
    ("lines_later", "points of both Inspectors in the rounds after it"),
    ("tiles_later", "points of the Scoring tiles of the rounds after it"),
    ("musicians", "points of the Musicians in all rounds to come"),
    ("footmen", "points of the Footmen at the end"),
    ("members", "points of members of groups at the end"),
    ("groups", "points of contests within groups at the end"),
    ("archers", "points of the Kneeling Archers at the end"),
)
SCORED: Final = len(_SCORED)
_LEADS: Final = (
    ("row", "the row Inspector's row"),
    ("column", "the column Inspector's column"),
    ("tile", "what this round's Scoring tile counts"),
    ("row_next", "the row Inspector's row in the next round"),
    ("column_next", "the column Inspector's column in the next round"),
    ("tile_next", "what the next round's Scoring tile counts"),
)
_HELD: Final = (
    ("coins", "own Coins"),
    ("wet", "own Wet Clay"),
    ("dry", "own Dry Clay"),
    ("warriors", "own Warriors in the Mausoleum"),
    ("rival_warriors", "the others' Warriors in the Mausoleum, together"),
)
_STEP: Final = 0.1  # of all numbers, when a network reads them
_LIMIT: Final = 127.0 * _STEP


def _channel(name: str, meaning: str) -> Channel:
    return Channel(name, meaning, -_LIMIT, _LIMIT, _STEP)


CHANNELS: Final = (
    *(_channel(f"own_{name}", f"own {meaning}") for name, meaning in _SCORED),
    *(_channel(f"rivals_{name}", f"the others' {meaning}, together") for name, meaning in _SCORED),
    *(_channel(f"lead_{name}", f"own Warriors less the most of another seat in {meaning}") for name, meaning in _LEADS),
    *(_channel(name, meaning) for name, meaning in _HELD),
)
LEADS: Final = 2 * SCORED
HELD: Final = LEADS + len(_LEADS)
NUMBERS: Final = HELD + len(_HELD)
_COINS, _WET, _DRY, _WARRIORS, _RIVAL_WARRIORS = range(HELD, NUMBERS)
(
    _VP,
    _ROW,
    _COLUMN,
    _TILE,
    _LINES_NEXT,
    _TILE_NEXT,
    _LINES_LATER,
    _TILES_LATER,
    _MUSICIANS,
    _FOOTMEN,
    _MEMBERS,
    _GROUPS,
    _ARCHERS,
) = range(SCORED)


@kernel
def note(scored, seat, out, place, source):
    """Add what was scored from a source since the last time: own points, and those of the others together."""
    for other in range(scored.players):
        out[place if other == seat else SCORED + place] += scored.ledger[other, source]
        scored.ledger[other, source] = 0


@kernel
def lead_in(state, seat, area, kind):
    """Own Warriors less the most of another seat."""
    most = 0
    for other in range(state.players):
        if other != seat:
            most = max(most, warriors_of(state, other, area, kind))
    return warriors_of(state, seat, area, kind) - most


@kernel
def lead_on_tile(state, seat, game_round):
    """The same in what the tile of a round counts; 0 for the Coin and Clay tiles."""
    tile = state.tiles[game_round - 1]
    if tile == Tile.COINS or tile == Tile.CLAY:
        return 0
    area, kind = tile_area(tile)
    return lead_in(state, seat, area, kind)


@kernel
def write_leads(state, seat, out):
    row, column = state.inspector_row, state.inspector_column
    out[LEADS] = lead_in(state, seat, ROW_CELLS[row], ANY_TYPE)
    out[LEADS + 1] = lead_in(state, seat, COLUMN_CELLS[column], ANY_TYPE)
    out[LEADS + 2] = lead_on_tile(state, seat, state.game_round)
    if state.game_round < ROUNDS:
        out[LEADS + 3] = lead_in(state, seat, ROW_CELLS[(row + 1) % ROWS], ANY_TYPE)
        out[LEADS + 4] = lead_in(state, seat, COLUMN_CELLS[(column + 1) % COLUMNS], ANY_TYPE)
        out[LEADS + 5] = lead_on_tile(state, seat, state.game_round + 1)


@kernel
def write_rounds(scored, seat, out, rounds):
    """The Inspectors and Scoring tiles of the rounds to come."""
    for ahead in range(rounds):
        score_inspectors(scored)
        score_tile(scored)
        scored.game_round += 1
        if ahead == 0:
            note(scored, seat, out, _ROW, Source.ROW_INSPECTOR)
            note(scored, seat, out, _COLUMN, Source.COLUMN_INSPECTOR)
            note(scored, seat, out, _TILE, Source.TILE)
        else:
            lines, tile = (_LINES_NEXT, _TILE_NEXT) if ahead == 1 else (_LINES_LATER, _TILES_LATER)
            note(scored, seat, out, lines, Source.ROW_INSPECTOR)
            note(scored, seat, out, lines, Source.COLUMN_INSPECTOR)
            note(scored, seat, out, tile, Source.TILE)


@kernel
def write_scored(scored, seat, out):
    """Do all scoring that is still to come in ``scored``, a copy of the position, and write what it brings."""
    for other in range(scored.players):
        for source in range(SOURCES):
            scored.ledger[other, source] = 0
    rounds = ROUNDS - scored.game_round + 1
    write_rounds(scored, seat, out, rounds)
    score_musicians(scored)  # what they see stays the same, so once is enough
    note(scored, seat, out, _MUSICIANS, Source.MUSICIAN)
    out[_MUSICIANS] *= rounds
    out[SCORED + _MUSICIANS] *= rounds
    score_footmen(scored)
    score_groups(scored)
    score_archers(scored)
    note(scored, seat, out, _FOOTMEN, Source.FOOTMAN)
    note(scored, seat, out, _MEMBERS, Source.GROUP_MEMBERS)
    note(scored, seat, out, _GROUPS, Source.GROUP_CONTEST)
    note(scored, seat, out, _ARCHERS, Source.ARCHER)


@kernel
def outlook(state, scratch, seat, out):
    """Write what is in sight for ``seat``, shape ``(O,)`` int64, in the order of :data:`CHANNELS`.

    ``scratch`` shape ``(1,)``: a record that may be overwritten.  Of a finished game only what the seats have is left.
    """
    for k in range(NUMBERS):
        out[k] = 0
    if state.decision != Decision.OVER:
        scratch[0] = state
        write_scored(scratch[0], seat, out)
        write_leads(state, seat, out)
    for other in range(state.players):
        own = other == seat
        out[_VP if own else SCORED + _VP] += victory_points(state, other)
        out[_WARRIORS if own else _RIVAL_WARRIORS] += warriors_of(state, other, ALL_CELLS, ANY_TYPE)
    out[_COINS] = state.coins[seat]
    out[_WET] = state.wet[seat]
    out[_DRY] = state.dry[seat]
