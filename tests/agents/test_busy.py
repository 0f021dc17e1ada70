"""The weights of ``busy``, worked out anew in plain Python from the text of its definition and the snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
import pytest

from terracotta_agents.busy import BUSY, Busy
from terracotta_env.army import GAME
from terracotta_env.policy import stream
from terracotta_env.position import Position
from terracotta_env.rollout import choose_at
from terracotta_env.rows import act_rows
from tests.agents.games import BOARDS, printed
from tests.rules.positions import ALL_WEAPONS, at, filled, position

FIXED = {
    "ring:perform": 20.0,
    "ring:clay": 4.0,
    "ring:coin": 2.0,
    "ring:nothing": 0.4,
    "rotate:none": 4.0,
    "weapon:use": 3.0,
    "decline": 0.5,
}
GRID = 20_000
MASK = np.empty(GAME.actions, np.int8)  # scratch
COLUMNS = "abcdefghi"


def around(space: str) -> list[str]:
    column, row = COLUMNS.index(space[0]), int(space[1])
    return [
        f"{COLUMNS[c]}{r}"
        for c in range(max(0, column - 1), min(9, column + 2))
        for r in range(max(1, row - 1), min(8, row + 2))
        if (c, r) != (column, row)
    ]


def runs(space: str, length: int) -> Iterator[list[str]]:
    """The next ``length`` spaces in each of the four directions, where they lie inside."""
    column, row = COLUMNS.index(space[0]), int(space[1])
    for dc, dr in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        run = [(column + dc * i, row + dr * i) for i in range(1, length + 1)]
        if all(0 <= c < 9 and 1 <= r <= 7 for c, r in run):
            yield [f"{COLUMNS[c]}{r}" for c, r in run]


def occupied(snapshot: Mapping[str, Any]) -> set[str]:
    return {space for statue in snapshot["mausoleum"] for space in statue["spaces"]}


def has_place(snapshot: Mapping[str, Any], kind: str) -> bool:
    taken = occupied(snapshot)
    warriors = [statue for statue in snapshot["mausoleum"] if statue["owner"] is not None]
    if kind == "horse":
        own = [w["spaces"][0] for w in warriors if w["owner"] == snapshot["to_move"] and not w["mounted"]]
        return any(not taken & set(run) for space in own for run in runs(space, 2))
    if kind == "archer":
        beside = {run[0] for warrior in warriors for space in warrior["spaces"] for run in runs(space, 1)}
        return bool(beside - taken)
    return len(taken) < 63


def place_weight(snapshot: Mapping[str, Any], board: Mapping[str, Any], segment: str) -> float:
    player = snapshot["players"][snapshot["to_move"]]
    shown = snapshot["wheel"][segment]
    weight = 1.0
    kind, _, number = shown["inner"].partition(":")
    if kind == "warrior":
        room = len(occupied(snapshot)) < 63 and any(snapshot["organizer"].values())
        if player["wet"] >= int(number) and player["bases"] and room:
            weight += 20
    elif kind in ("soak", "clay"):
        weight += 3
    kind, _, name = shown["outer"].partition(":")
    if kind == "specialist":
        left = snapshot["specialists_left"][name]
        weapon = board["specialists"]["weapon"][name]
        if left and player["weapons"][weapon] and player["coins"] >= board["specialists"]["cost"][4 - left]:
            weight += 20 * has_place(snapshot, name)
    return weight


def weights(position: Position, board: Mapping[str, Any]) -> dict[str, float]:
    """Weight of each legal token by the definition of the bot."""
    snapshot = position.snapshot()
    taken = occupied(snapshot)
    found = {}
    for token in position.legal():
        kind, _, rest = token.partition(":")
        if kind == "place":
            found[token] = place_weight(snapshot, board, rest.split(":")[1])
        elif kind == "cell":
            found[token] = 1.0 + 3 * len(taken & set(around(rest)))
        else:
            found[token] = FIXED.get(token, 1.0)
    return found


def shares(position: Position) -> dict[str, float]:
    """Share of a fine grid of uniforms that leads to each token."""
    actions = np.empty(GRID, np.int64)
    uniforms = (np.arange(GRID) + 0.5) / GRID
    act_rows(BUSY.parameters, position.states, np.zeros(GRID, np.int64), uniforms, MASK, actions)
    tokens, counts = np.unique(actions, return_counts=True)
    return {GAME.tokens[token]: count / GRID for token, count in zip(tokens, counts, strict=True)}


def assert_plays_by_its_weights(position: Position, board: str = "reconstructed") -> dict[str, float]:
    expected = weights(position, printed(board))
    total = sum(expected.values())
    found = shares(position)
    assert found.keys() == expected.keys()
    for token, weight in expected.items():
        assert found[token] == pytest.approx(weight / total, abs=1.5 / GRID), token
    return found


def busy_game(players: int, board: str, seed: int) -> Iterator[Position]:
    position = Position.from_seed(GAME, players, seed, board)
    bot = Busy()
    bot.begin(seed)
    while not position.over:
        yield position
        position.play(bot.act(position, position.mask()))


@pytest.mark.parametrize("board", BOARDS)
def test_busy_has_its_weights_at_every_decision_of_its_games(board: str) -> None:
    kinds = set()
    for players in GAME.players:
        for now in islice(busy_game(players, board, 40 + players), players % 2, None, 2):
            assert_plays_by_its_weights(now, board)
            kinds.add(now.snapshot()["pending"]["decision"])
    assert len(kinds) > 14


def test_busy_turns_no_ring_two_times_in_three() -> None:
    assert assert_plays_by_its_weights(position()) == {
        "rotate:none": pytest.approx(4 / 6, abs=1e-4),
        "rotate:inner": pytest.approx(1 / 6, abs=1e-4),
        "rotate:middle": pytest.approx(1 / 6, abs=1e-4),
    }


def placements(**edits: Any) -> dict[str, float]:
    """Weight of a craftsman on each segment, by the kernel: its share times the sum of all weights."""
    game = position(**edits)
    game.play("rotate:none")
    found = assert_plays_by_its_weights(game)
    total = sum(weights(game, printed("reconstructed")).values())
    return {token.split(":")[2]: share * total for token, share in found.items() if "craftsman" in token}


def about(value: float) -> Any:
    return pytest.approx(value, abs=0.05)


def test_busy_is_drawn_to_warriors_it_can_pay() -> None:
    poor, rich = placements(coins={0: 9}, wet={0: 0}), placements(coins={0: 9}, wet={0: 3})
    assert [poor[segment] for segment in ("1", "3", "6", "9")] == [about(1)] * 4
    assert [rich[segment] for segment in ("1", "3", "6", "9")] == [about(21), about(21), about(1), about(21)]


def test_busy_likes_soak_and_clay_and_not_coins_or_upgrade() -> None:
    found = placements()
    assert [found[segment] for segment in ("4", "5", "10", "11")] == [about(4)] * 4
    assert [found[segment] for segment in ("2", "7", "8", "12")] == [about(1)] * 4


def test_busy_is_drawn_to_specialists_it_can_build() -> None:
    ready = {"coins": {0: 9}, "weapons": {0: ALL_WEAPONS}}
    alone = placements(**ready)
    assert [alone[segment] for segment in ("2", "5", "8", "11")] == [about(1), about(24), about(1), about(24)]
    foreign = placements(**ready, statues="1 guard e4")
    assert [foreign[segment] for segment in ("2", "8")] == [about(1), about(21)]
    own = placements(**ready, statues="0 guard e4")
    assert [own[segment] for segment in ("2", "8")] == [about(21), about(21)]
    penniless = placements(coins={0: 2}, weapons={0: ALL_WEAPONS}, statues="0 guard e4, footman a1, footman c1")
    assert [penniless[segment] for segment in ("2", "5", "8", "11")] == [about(21), about(4), about(21), about(24)]


def test_busy_makes_no_warrior_without_bases() -> None:
    found = placements(coins={0: 9}, wet={0: 9}, statues=filled({0: 15}))
    assert [found[segment] for segment in ("1", "3", "6", "9")] == [about(1)] * 4


def test_busy_likes_crowded_spaces() -> None:
    game = at(1, wet={0: 2}, statues="1 guard e4, 1 guard e5, footman d5").play("ring:perform").play("warrior:officer")
    found = assert_plays_by_its_weights(game)
    assert found["cell:d4"] / found["cell:a1"] == pytest.approx(10, rel=0.05)  # three statues around it
    assert found["cell:f3"] / found["cell:a1"] == pytest.approx(4, rel=0.05)  # one at a corner


def test_busy_declines_rarely() -> None:
    game = at(1, wet={0: 2}, weapons={0: "sword"})
    for token in ("ring:perform", "warrior:officer", "cell:e4"):
        game.play(token)
    found = assert_plays_by_its_weights(game)
    assert found == {"weapon:use": pytest.approx(0.75, abs=1e-4), "weapon:keep": pytest.approx(0.25, abs=1e-4)}
    game.play("weapon:use")
    found = assert_plays_by_its_weights(game)
    assert found["decline"] == pytest.approx(0.5 / sum(weights(game, printed("reconstructed")).values()), abs=1e-4)


@pytest.mark.parametrize("uniform", [0.0, 1e-300, 0.5, 1 - 2**-53])
def test_busy_is_legal_at_the_ends_of_the_uniforms(uniform: float) -> None:
    for players in GAME.players:
        for now in busy_game(players, "reconstructed", 3):
            assert now.mask()[choose_at(BUSY.parameters, now.states, 0, MASK, uniform)] == 1


def test_busy_leaves_the_position_unchanged_and_repeats_itself() -> None:
    bot = Busy()
    games = []
    for _ in range(2):
        bot.begin(stream(5, 1))
        position = Position.from_seed(GAME, 3, 5)
        chosen = []
        while not position.over:
            before = position.to_bytes()
            chosen.append(bot.act(position, position.mask()))
            assert position.to_bytes() == before
            position.play(chosen[-1])
        games.append(chosen)
    assert games[0] == games[1]
