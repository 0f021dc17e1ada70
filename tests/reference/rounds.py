"""Scoring Phase and Cleanup Phase (R25, R26)."""

from .board import CLAY_MASTERS, COIN_MASTERS, QUARTERS, ROUNDS, SEGMENTS, WARRIORS
from .contests import Outcome, award, decide, decide_warriors, warriors_where
from .final import score_game_end
from .mausoleum import MIDDLE_COLUMN, MIDDLE_ROW, Statue, quarter_of
from .state import State, priority_tokens

INSPECTOR_DOMINATION, INSPECTOR_PRESENCE = 7, 3


def end_turn(state: State) -> None:
    """Pass on to the next player with a worker in hand, or end the round."""
    assert state.to_move is not None
    place = state.turn_order.index(state.to_move)
    for seat in state.turn_order[place + 1 :] + state.turn_order[: place + 1]:
        if state.players[seat].has_workers:
            state.to_move = seat
            return
    _end_round(state)


def _end_round(state: State) -> None:
    score_round(state)
    clean_up(state)
    if state.round == ROUNDS:
        score_game_end(state)
        state.over = True
        state.to_move = None
    else:
        _next_round(state)


def score_round(state: State) -> None:
    """Row inspector, column inspector, musicians, tile, in this order (R25)."""
    outcome = decide_warriors(state, _in_row(state, state.inspector_row))
    award(state, outcome, "row_inspector", INSPECTOR_DOMINATION, INSPECTOR_PRESENCE)
    state.move_inspector("row", 1)
    outcome = decide_warriors(state, _in_column(state, state.inspector_column))
    award(state, outcome, "column_inspector", INSPECTOR_DOMINATION, INSPECTOR_PRESENCE)
    state.move_inspector("column", 1)
    _score_musicians(state)
    domination = state.board.tile_domination[state.round - 1]
    presence = state.board.tile_presence[state.round - 1]
    award(state, tile_outcome(state), "tile", domination, presence)


def _in_row(state: State, row: int) -> list[Statue]:
    return warriors_where(state, lambda w: any(r == row for _, r in w.spaces))


def _in_column(state: State, column: int) -> list[Statue]:
    return warriors_where(state, lambda w: any(c == column for c, _ in w.spaces))


def _score_musicians(state: State) -> None:
    """A point per warrior and musician sharing a line, riders once (R24)."""
    for musician in state.mausoleum.of_kind("musician"):
        column, row = musician.spaces[0]
        for warrior in state.mausoleum.warriors():
            if any(c == column or r == row for c, r in warrior.spaces):
                assert warrior.owner is not None
                state.players[warrior.owner].score("musician", 1)


def tile_outcome(state: State) -> Outcome:
    """The contest named by this round's tile."""
    tile = state.tile
    if tile == "coins":
        return decide([player.coins for player in state.players])
    if tile == "clay":
        return decide([player.wet + player.dry for player in state.players])
    if tile == "row":
        return decide_warriors(state, _in_row(state, MIDDLE_ROW))
    if tile == "column":
        return decide_warriors(state, _in_column(state, MIDDLE_COLUMN))
    if tile in WARRIORS:
        return decide_warriors(state, state.mausoleum.of_kind(tile))
    assert tile in QUARTERS
    inside = warriors_where(state, lambda w: any(quarter_of(space) == tile for space in w.spaces))
    return decide_warriors(state, inside)


def clean_up(state: State) -> None:
    """Steps 1 to 3 of the Cleanup Phase, in round 5 as well (R26)."""
    _update_turn_order(state)
    for player in state.players:
        protecting = sum(master in player.masters for master in CLAY_MASTERS)
        protected = min(player.wet, protecting)
        player.dry += player.wet - protected
        player.wet = protected
        player.coins += sum(master in player.masters for master in COIN_MASTERS)


def _update_turn_order(state: State) -> None:
    holders = [player for player in state.players if player.priority is not None]
    holders.sort(key=lambda player: player.priority or 0)
    first = [player.seat for player in holders]
    others = [seat for seat in state.turn_order if seat not in first]
    state.turn_order = first + others
    for player in holders:
        player.priority = None
    state.priority_stack = priority_tokens(len(state.players))


def _next_round(state: State) -> None:
    """Step 5 of the Cleanup Phase."""
    for segment in SEGMENTS:
        for worker in state.workers[segment]:
            owner = state.players[worker.owner]
            if worker.kind == "craftsman":
                owner.craftsmen += 1
            else:
                owner.artisans += 1
        state.workers[segment] = []
    state.turn_ring("inner")
    state.turn_ring("middle")
    state.round += 1
    state.to_move = state.turn_order[0]
