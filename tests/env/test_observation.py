"""What a seat sees: everything that can influence the future, from its own chair, within the bounds of the spaces."""

from __future__ import annotations

import copy
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.army.board import board_data
from terracotta_env.army.state import ROUNDS
from terracotta_env.channels import main, observation_table
from terracotta_env.entry import legal_at, observe_at
from terracotta_env.game import Game
from terracotta_env.observing import LARGEST
from terracotta_env.position import Position
from terracotta_env.views import FORMS, make_observation, make_vector, observation_space, vector_space
from tests.env.playing import ROOT, walk
from tests.toy import GAME as TOY

PLAYERS = (2, 3, 4)
GAMES = pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])

# fields that are in no observation, and why they cannot influence the future
UNSEEN = {
    "generator": "drawn from at setup only",
    "spare": "fills the record",
    "board_name": "a name",
    "shuffled_rings": "read at setup only; the rings themselves are seen",
    "row_start": "read at setup only",
    "column_start": "read at setup only",
    "token_prices": "read at setup only; the tokens themselves are seen",
    "occupied": "the union of all statues, which are seen",
}


def varied_board(turn: int) -> dict[str, Any]:
    """The default board with other numbers wherever all shipped boards print the same."""
    states = GAME.make_states(1)
    GAME.notation.write_board(states, GAME.default_board)
    board = board_data(states)
    board["name"] = f"varied {turn}"
    names, weapons = [*board["specialists"]["weapon"]], [*board["specialists"]["weapon"].values()]
    board["specialists"]["weapon"] = dict(zip(names, weapons[turn:] + weapons[:turn]))
    board["specialists"]["cost"] = [cost + turn for cost in board["specialists"]["cost"]]
    for key in ("tile_domination", "tile_presence", "priority_clay"):
        board["scoring"][key] = [number + turn for number in board["scoring"][key]]
    board["warriors"]["organizer_vp"] = board["warriors"]["organizer_vp"][::-1]
    board["inspectors"] = {"row_start": 1 + turn, "column_start": "abcd"[turn]}
    return board


@cache
def played(players: int, games: int = 4) -> np.ndarray:
    """Records along eager games on every shipped board and some others, the last one of each game included."""
    boards: list[str | dict[str, Any]] = [*GAME.notation.board_names(), *(varied_board(turn) for turn in (1, 2, 3))]
    records = [
        position.states.copy()
        for board in boards
        for seed in range(games)
        for position in walk(GAME, players, seed, eager=seed % 4 != 0, board=board)
    ]
    return np.concatenate(records)


def look(states: np.ndarray, i: int, seat: int) -> np.ndarray:
    out = np.empty(GAME.observation_size, np.float32)
    observe_at(states, i, seat, out)
    return out


def seen(position: Position) -> bytes:
    """The observations of all seats."""
    return b"".join(position.observe(seat).tobytes() for seat in range(position.players))


# the document and the two forms --------------------------------------------------------------------------------------


def test_document_is_the_table_of_the_code() -> None:
    text = (ROOT / "docs" / "observation.md").read_text(encoding="utf-8")
    assert text == observation_table(GAME), "write it anew: python -m terracotta_env.channels > docs/observation.md"


@GAMES
def test_document_names_every_channel_once_with_its_place(game: Game) -> None:
    text = observation_table(game)
    for block in game.observation:
        section = text.split(f"## `{block.name}`\n")[1].split("\n## ")[0]
        for index, (name, meaning, low, high, _) in enumerate(block.channels):
            assert f"| {index} | `{name}` | {meaning} | {low:g}..{high:g} |" in section


def test_document_of_any_game_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    assert capsys.readouterr().out == observation_table(GAME)
    main(["orchard", "--module", "tests.toy"])
    assert capsys.readouterr().out == observation_table(TOY)


@GAMES
def test_flat_form_is_the_tensors_one_after_another(game: Game) -> None:
    for position in walk(game, 3, 1):
        mask = position.mask()
        tensors = make_observation(game, "tensors", position.states, 1, mask)
        flat = make_observation(game, "flat", position.states, 1, mask)
        assert [*tensors] == [*(block.name for block in game.observation), "action_mask"]
        joined = np.concatenate([tensors[block.name].ravel() for block in game.observation])
        assert joined.tobytes() == flat["observation"].tobytes()
        assert joined.tobytes() == make_vector(game, position.states, 1).tobytes()


@GAMES
def test_every_number_is_written_at_every_call(game: Game) -> None:
    for position in walk(game, 2, 2):
        for rubbish in (np.nan, 7.0):
            out = np.full(game.observation_size, rubbish, np.float32)
            observe_at(position.states, 0, 1, out)
            assert out.tobytes() == position.observe(1).tobytes()


@GAMES
def test_compact_form_is_the_other_in_whole_steps(game: Game) -> None:
    steps = game.observation_steps
    for players in game.players:
        for position in walk(game, players, 5, eager=True):
            compact = np.full(game.observation_size, 99, np.int8)
            observe_at(position.states, 0, 0, compact)
            exact = position.observe(0) / steps
            assert np.abs(compact - np.floor(np.minimum(exact, LARGEST) + 1e-3)).max() == 0


def test_compact_form_ends_at_127_and_does_not_wrap() -> None:
    position = Position.from_seed(GAME, 2, 1)
    position.states["coins"][0, 0] = 30_000
    position.states["ledger"][0, 0] = [2000] * 14
    compact = np.empty(GAME.observation_size, np.int8)
    observe_at(position.states, 0, 0, compact)
    assert (compact >= 0).all()
    assert sorted(compact.tolist())[-2:] == [LARGEST] * 2


# bounds and channels -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_observations_lie_within_the_bounds(players: int) -> None:
    space, states = vector_space(GAME), played(players)
    lowest = np.full(GAME.observation_size, np.inf, np.float32)
    highest = np.full(GAME.observation_size, -np.inf, np.float32)
    for i in range(len(states)):
        vector = look(states, i, i % players)
        np.minimum(lowest, vector, out=lowest)
        np.maximum(highest, vector, out=highest)
    assert (lowest >= space.low).all()
    assert (highest <= space.high).all()


def test_bounds_of_both_forms_agree() -> None:
    flat, tensors = observation_space(GAME, "flat"), observation_space(GAME, "tensors")
    for bound in ("low", "high"):
        joined = np.concatenate([getattr(tensors[block.name], bound).ravel() for block in GAME.observation])
        assert joined.tobytes() == getattr(flat["observation"], bound).tobytes()
    assert {form: observation_space(GAME, form)["action_mask"].shape for form in FORMS} == dict.fromkeys(FORMS, (123,))


def test_no_channel_is_dead() -> None:
    highest = np.zeros(GAME.observation_size, np.float32)
    for players in PLAYERS:
        states = played(players)
        for i in range(len(states)):
            np.maximum(highest, look(states, i, i % players), out=highest)
    for seed in range(100):  # the tiles of all rounds to come
        np.maximum(highest, Position.from_seed(GAME, 2, seed).observe(0), out=highest)
    start, dead = 0, []
    for block in GAME.observation:
        part = highest[start : start + block.size].reshape(block.shape)
        start += block.size
        most = np.moveaxis(part, block.axis, 0).reshape(len(block.channels), -1).max(axis=1)
        dead += [f"{block.name}.{block.channels[i][0]}" for i in np.flatnonzero(most <= 0)]
    assert dead == []


# equal observations have equal futures -------------------------------------------------------------------------------


def same_future(one: Position, other: Position) -> bool:
    """Equal legal sets and, after any same action, equal observations of all seats."""
    if one.legal() != other.legal() or one.to_act != other.to_act:
        return False
    return all(seen(one.clone().play(token)) == seen(other.clone().play(token)) for token in one.legal())


def disguise(position: Position, rng: np.random.Generator) -> Position:
    """The same to every eye: another generator, points from other sources, other spent tokens, other past tiles."""
    other = position.clone()
    s = other.states[0]
    s.generator = rng.integers(1 << 63)
    for seat in range(other.players):
        total = int(s.ledger[seat].sum())
        cut = int(rng.integers(total + 1))
        s.ledger[seat] = 0
        s.ledger[seat, rng.integers(7)], s.ledger[seat, 7 + rng.integers(7)] = cut, total - cut
        s.masters[seat][s.masters[seat] > 0] = rng.integers(1, 7)
    past = s.game_round - 1
    s.tiles[:past] = s.tiles[:past][::-1].copy()
    return other


@pytest.mark.parametrize("players", PLAYERS)
def test_positions_that_look_alike_have_the_same_future(players: int) -> None:
    states, rng = played(players), np.random.default_rng(players)
    differing = 0
    for i in rng.choice(len(states), 60, replace=False):
        position = Position(GAME, states[i : i + 1].copy())
        other = disguise(position, rng)
        differing += position.key() != other.key()
        assert seen(position) == seen(other)
        assert same_future(position, other)
    assert differing > 20


def essence(states: np.ndarray, i: int, players: int) -> bytes:
    """All of a record that can influence the future or the payoff."""
    one = states[i : i + 1].copy()
    vp = one["ledger"].sum(axis=-1)
    for name in ("generator", "ledger"):
        one[name] = 0
    one["masters"] = one["masters"] > 0
    one["tiles"][0, : int(one["game_round"][0]) - 1] = 0
    return one.tobytes() + vp.tobytes()


@pytest.mark.parametrize("players", PLAYERS)
def test_equal_observations_come_from_equal_positions(players: int) -> None:
    """Over all positions of many games and of many short lines that lead to the same place in different orders."""
    position = Position.from_seed(GAME, players, 5)
    lines = [position.states]
    for token in ("rotate:none", "place:craftsman:2"):
        position.play(token if token in position.legal() else position.legal()[0])
    frontier = [position]
    for _ in range(4):
        frontier = [p.clone().play(token) for p in frontier for token in p.legal()[:6]]
        lines += [p.states for p in frontier]
    states = np.concatenate([played(players), *lines])
    groups: dict[bytes, set[bytes]] = defaultdict(set)
    for i in range(len(states)):
        # boards are told apart by what is printed on them: setups on boards that read alike are seen alike
        one = states[i : i + 1].copy()
        for name in UNSEEN:
            if name in (GAME.dtype.names or ()) and name != "occupied":
                one[name] = 0
        groups[look(states, i, 0).tobytes()].add(essence(one, 0, players))
    assert len(groups) > 4000
    assert max(len(group) for group in groups.values()) == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_observation_of_the_mover_tells_the_legal_actions(players: int) -> None:
    states = played(players)
    masks: dict[bytes, bytes] = {}
    mask = np.empty(GAME.actions, np.int8)
    for i in range(0, len(states), 3):
        legal_at(states, i, mask)
        seat = max(int(states[i]["to_move"]), 0)
        assert masks.setdefault(look(states, i, seat).tobytes(), mask.tobytes()) == mask.tobytes()


# every field that matters is seen ------------------------------------------------------------------------------------


def column(states: np.ndarray, name: str, at: tuple[int, ...]) -> np.ndarray:
    """One number of every record, shape ``(N,)``."""
    index: Any = (slice(None), *at)
    return np.asarray(states[name][index])


def elements(name: str) -> list[tuple[int, ...]]:
    return list(np.ndindex(GAME.dtype[name].shape))


def changed(states: np.ndarray, i: int, name: str, at: tuple[int, ...], value: Any) -> bool:
    """Does any seat see that this one number of record ``i`` is another?"""
    one = states[i : i + 1].copy()
    players = int(one["players"][0])
    before = [look(one, 0, seat).tobytes() for seat in range(players)]
    one[name][(0, *at)] = value
    if name == "turn_order":  # must stay a permutation
        row, old = one[name][0], states[name][(i, *at)]
        row[[k for k in range(players) if row[k] == value and (k,) != at]] = old
    return [look(one, 0, seat).tobytes() for seat in range(int(one["players"][0]))] != before[: int(one["players"][0])]


def pairs(states: np.ndarray, name: str, at: tuple[int, ...], rng: np.random.Generator) -> list[tuple[int, int]]:
    """Pairs of records that differ in this number, all its values in play about equally often."""
    values = column(states, name, at)
    records = [np.flatnonzero(values == value) for value in np.unique(values)]
    found = []
    for _ in range(60):
        one, other = rng.choice(len(records), 2, replace=False)
        found.append((int(rng.choice(records[one])), int(rng.choice(records[other]))))
    return found


@pytest.mark.parametrize("name", [name for name in GAME.dtype.names or () if name not in {*UNSEEN, "players"}])
def test_every_number_of_the_record_that_matters_is_seen(name: str) -> None:
    """For each place of each field some record shows it: another value that occurs in play changes an observation."""
    states, rng = played(4), np.random.default_rng(0)
    varying = [at for at in elements(name) if len(np.unique(column(states, name, at))) > 1]
    assert varying
    for at in varying:
        tried = pairs(states, name, at, rng)
        assert any(changed(states, i, name, at, states[name][(j, *at)]) for i, j in tried), at


def test_number_of_players_is_seen() -> None:
    states = played(4)
    assert changed(states, 0, "players", (), 3)
    assert changed(states, 0, "players", (), 2)


@pytest.mark.parametrize("name", UNSEEN)
def test_fields_that_cannot_matter_are_not_seen(name: str) -> None:
    assert name in (*(GAME.dtype.names or ()), "spare")
    if name not in (GAME.dtype.names or ()) or GAME.dtype[name].itemsize == 0:
        pytest.skip("this record needs no filling")
    states = played(4)
    for i in range(0, len(states), 500):
        one = states[i : i + 1].copy()
        one[name] = 1
        assert look(one, 0, 0).tobytes() == look(states, i, 0).tobytes()


def test_tiles_are_seen_from_their_round_back() -> None:
    states = played(4)
    for i in range(0, len(states), 97):
        game_round, tiles = int(states["game_round"][i]), states["tiles"][i]
        for k in range(ROUNDS):
            other = next(tile for tile in range(12) if tile not in tiles)
            assert changed(states, i, "tiles", (k,), other) == (k >= game_round - 1)


def test_points_are_seen_whatever_their_source() -> None:
    states = played(3)
    for i in range(0, len(states), 200):
        for source in range(len(GAME.sources)):
            assert changed(states, i, "ledger", (1, source), states["ledger"][i, 1, source] + 1)


# the looking seat comes first ----------------------------------------------------------------------------------------


def rotated(snapshot: dict[str, Any], by: int) -> dict[str, Any]:
    """The same position with every seat ``s`` called ``s + by``."""
    n = len(snapshot["players"])
    result = copy.deepcopy(snapshot)
    result["players"] = [snapshot["players"][(seat - by) % n] for seat in range(n)]
    result["turn_order"] = [(seat + by) % n for seat in snapshot["turn_order"]]
    if result["to_move"] is not None:
        result["to_move"] = (snapshot["to_move"] + by) % n
    workers = [worker for entry in result["wheel"].values() for worker in entry["workers"]]
    for part in (*result["mausoleum"], *workers):
        if part["owner"] is not None:
            part["owner"] = (part["owner"] + by) % n
    return result


@pytest.mark.parametrize("players", PLAYERS)
def test_relabelling_the_seats_permutes_observations_and_payoffs(players: int) -> None:
    states = played(players)
    for i in range(0, len(states), 53):
        position = Position(GAME, states[i : i + 1].copy())
        board = GAME.notation.board_data_of(position.states)
        for by in range(1, players):
            other = Position.from_snapshot(GAME, rotated(position.snapshot(), by), board)
            assert other.mask().tobytes() == position.mask().tobytes()
            for seat in range(players):
                assert other.observe((seat + by) % players).tobytes() == position.observe(seat).tobytes()
            assert np.roll(position.returns(), by).tolist() == other.returns().tolist()


def test_looking_seat_is_first_and_the_others_follow_clockwise() -> None:
    for position in walk(GAME, 4, 6, eager=True):
        for seat in range(4):
            tensors = make_observation(GAME, "tensors", position.states, seat, position.mask())
            names = [channel[0] for channel in GAME.observation[2].channels]
            coins = tensors["players"][:, names.index("coins")] * 10
            assert coins == pytest.approx(np.roll(position.states["coins"][0], -seat))
            to_move = tensors["players"][:, names.index("to_move")]
            assert to_move.tolist() == [(seat + k) % 4 == position.to_act for k in range(4)]


def test_rows_of_absent_seats_are_zero() -> None:
    for players in (2, 3):
        for position in walk(GAME, players, 1):
            tensors = make_observation(GAME, "tensors", position.states, players - 1, position.mask())
            assert tensors["players"][:players, 0].tolist() == [1.0] * players
            assert not tensors["players"][players:].any()


@GAMES
def test_seats_see_different_things_of_the_same_position(game: Game) -> None:
    *_, final = walk(game, 3, 4)
    assert len({final.observe(seat).tobytes() for seat in range(3)}) == 3
