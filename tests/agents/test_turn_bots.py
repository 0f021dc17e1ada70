"""``greedy`` and ``planner``: legal everywhere, deterministic, inside their bounds, and right where right is known."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from terracotta_agents.greedy.bot import Greedy, GreedyRows
from terracotta_agents.planner.bot import Planner, PlannerRows
from terracotta_agents.planner.weights import NAMES, TABLE, WeightError, as_markdown, make_weights, read_weights
from terracotta_agents.registry import make_agent
from terracotta_agents.turns.remember import TurnBot
from terracotta_env.army import GAME
from terracotta_env.army.state import Decision
from terracotta_env.policy import stream
from terracotta_env.position import Position
from tests.agents.games import BOARDS
from tests.rules.positions import ALL_WEAPONS, at, column_of, earned, idle, player, position, where

LIMIT = 20_000
BOTS: dict[str, type[Any]] = {"greedy": Greedy, "planner": Planner}


@cache
def bot_of(code: str) -> TurnBot:
    """One bot a code for all tests: what it remembers of one position must not matter to the next."""
    bot: TurnBot = BOTS[code]()
    return bot


def choose(bot: TurnBot, game: Position) -> int:
    action = bot.act(game.clone(), game.mask())
    assert game.mask()[action] == 1
    return action


def turn(code: str, game: Position) -> Position:
    """The bot plays until somebody else is to act, a round begins or the game is over."""
    bot, seat, round_now = bot_of(code), game.to_act, game.snapshot()["round"]
    while game.to_act == seat and game.snapshot()["round"] == round_now:
        game.play(choose(bot, game))
    return game


def games_of(code: str, players: int, games: int, board: str = "reconstructed") -> Iterator[tuple[Position, int, int]]:
    """Whole games of one bot in all seats: position, action, positions looked at, for each decision."""
    bots = [make_agent(code) for _ in range(players)]
    for number in range(games):
        game = Position.from_seed(GAME, players, stream(61, players, number), board)
        for bot in bots:
            bot.begin(number)
        while (seat := game.to_act) is not None:
            before = game.to_bytes()
            action = bots[seat].act(game, game.mask())
            assert game.to_bytes() == before
            assert game.mask()[action] == 1
            yield game, action, bots[seat].looked  # type: ignore[attr-defined]
            game.play(action)


# legal, deterministic, inside the bounds ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", BOTS)
@pytest.mark.parametrize("players", GAME.players)
def test_bot_is_legal_and_looks_at_no_more_than_20000_positions_in_a_turn(code: str, players: int) -> None:
    in_turn, owner, most, turns = 0, None, 0, 0
    for game, _, looked in games_of(code, players, 3):
        state = game.states[0]
        now = (game.to_act, int(state["game_round"]), int(state["worker_owner"].__ge__(0).sum()))
        if state["decision"] in (Decision.ROTATE, Decision.PLACE) and now != owner:
            in_turn, owner, turns = 0, now, turns + 1
        in_turn += looked
        most = max(most, in_turn)
        assert in_turn <= LIMIT
    assert turns >= 3 * 50 - 10
    assert most > 500


@pytest.mark.parametrize("code", BOTS)
def test_richest_turn_stays_inside_the_bound(code: str) -> None:
    statues = ", ".join(
        f"{i % 2} {kind} {cell}"
        for i, (kind, cell) in enumerate(
            zip(
                ("officer", "guard", "crossbowman", "soldier") * 5,
                [
                    "a1",
                    "c1",
                    "e1",
                    "g1",
                    "i1",
                    "b3",
                    "d3",
                    "f3",
                    "h3",
                    "a5",
                    "c5",
                    "e5",
                    "g5",
                    "i5",
                    "b7",
                    "d7",
                    "f7",
                    "h7",
                ],
                strict=False,
            )
        )
    )
    rich: dict[str, Any] = {
        "coins": {0: 30, 1: 30},
        "wet": {0: 20, 1: 20},
        "dry": {0: 9, 1: 9},
        "weapons": {0: ALL_WEAPONS, 1: ALL_WEAPONS},
        "artisans": {0: 2, 1: 2},
    }
    for inner in range(0, 12, 3):
        game = position(game_round=3, statues=statues, inner=inner, **rich)
        bot = BOTS[code]()
        choose(bot, game)
        assert 1000 < bot.looked <= LIMIT


@pytest.mark.parametrize("limit", [0, 1, 60, 700])
def test_small_limit_is_kept_and_still_gives_legal_actions(limit: int) -> None:
    bot = Planner()
    settings = bot.scratch.settings.copy()
    settings["limit"] = limit
    bot.scratch = bot.scratch._replace(settings=settings)
    game = position(coins={0: 9}, wet={0: 9}, weapons={0: ALL_WEAPONS}, statues="1 guard e4, 0 guard d4")
    ranking = 4 * 61 + 32  # new Warriors and moves of a Guard are tried before the search proper
    while game.to_act == 0:
        game.play(choose(bot, game))
        assert bot.looked <= max(limit, ranking)


@pytest.mark.parametrize("code", BOTS)
def test_bot_answers_every_decision_of_a_busy_game_afresh(code: str) -> None:
    bot, kinds = BOTS[code](), set()
    for players in GAME.players:
        busy = make_agent("busy")
        busy.begin(players)
        game = Position.from_seed(GAME, players, 70 + players)
        while not game.over:
            kinds.add(int(game.states[0]["decision"]))
            choose(bot, game)
            game.play(busy.act(game, game.mask()))
    assert len(kinds) > 16


@pytest.mark.parametrize("board", [board for board in BOARDS if board != "reconstructed"])
def test_planner_plays_on_every_board(board: str) -> None:
    for game, _, _ in games_of("planner", 2, 1, board):
        last = game.clone()
    assert last.states[0]["game_round"] == 5


def digest(code: str, players: int) -> str:
    found = hashlib.sha256()
    for _, action, looked in games_of(code, players, 2):
        found.update(f"{action} {looked};".encode())
    return found.hexdigest()


def test_bots_play_the_same_in_another_process() -> None:
    program = f"from {__name__} import digest; print(*(digest(code, 3) for code in ('greedy', 'planner')))"
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert there == [digest("greedy", 3), digest("planner", 3)]


@pytest.mark.parametrize("code", BOTS)
def test_bot_carries_on_from_the_middle_of_a_turn(code: str) -> None:
    games = 0
    for game, action, looked in games_of(code, 2, 1):
        if looked == 0 and games < 40:  # planned before: a bot that comes in here must find its way alone
            fresh = BOTS[code]()
            there = game.clone()
            seat, before = there.to_act, there.states[0]["game_round"]
            while there.to_act == seat and there.states[0]["game_round"] == before:
                there.play(choose(fresh, there))
                if there.states[0]["decision"] in (Decision.ROTATE, Decision.PLACE):
                    break
            games += 1
        assert game.mask()[action] == 1
    assert games == 40


def test_bot_plans_anew_where_the_game_took_another_way() -> None:
    bot = Planner()
    game = position(coins={0: 5}, wet={0: 4})
    first = choose(bot, game)
    game.play(first)
    assert bot.looked > 0
    for token in game.legal():
        other = game.clone().play(token)
        if other.to_act == 0:
            choose(bot, other)


@pytest.mark.parametrize(("one", "rows"), [(Greedy, GreedyRows), (Planner, PlannerRows)])
def test_rows_play_as_the_bot_does(one: Any, rows: Any) -> None:
    states = GAME.make_states(3)
    games = [Position.from_seed(GAME, players, 9) for players in GAME.players]
    bots, batch = [one() for _ in games], rows()
    for i, game in enumerate(games):
        states[i] = game.states[0]
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = batch.act(states, np.arange(3), rng)
        for i, game in enumerate(games):
            assert actions[i] == bots[i].act(game, game.mask())
            game.play(int(actions[i]))
            states[i] = game.states[0]


# strength -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", BOTS)
@pytest.mark.parametrize("players", GAME.players)
def test_bot_beats_busy(code: str, players: int) -> None:
    for number in range(8):
        bots = [make_agent("busy") for _ in range(players)]
        seat = number % players
        bots[seat] = make_agent(code)
        game = Position.from_seed(GAME, players, stream(62, number))
        for place, bot in enumerate(bots):
            bot.begin(stream(62, number, 1 + place))
        while not game.over:
            assert game.to_act is not None
            game.play(bots[game.to_act].act(game, game.mask()))
        assert game.ranking()[0] == seat


# positions where the right move is known ------------------------------------------------------------------------------


def last_turn(segment: int, **edits: Any) -> Position:
    """Seat 0 has the last worker of the game, and only ``segment`` is worth going to."""
    return position(last=0, at=segment, game_round=5, **edits)


def lead(game: Position) -> int:
    vp = game.points()
    return vp[0] - vp[1]


@pytest.mark.parametrize("code", BOTS)
def test_takes_the_row_of_the_inspector(code: str) -> None:
    statues = "0 officer c1, 1 guard e1, 1 soldier h5"
    game = turn(code, position(last=0, at=1, wet={0: 2}, statues=statues))
    assert earned(game, 0)["row_inspector"] == 7
    assert earned(game, 1)["row_inspector"] == 3


def test_planner_joins_its_warriors_to_a_group() -> None:
    game = turn("planner", last_turn(1, wet={0: 2}, row=4, column="c", statues="0 guard c4, 1 soldier f2"))
    new = [cell for cell, statue in where(game).items() if statue == "0 guard" and cell != "c4"]
    assert new in (["b4"], ["d4"], ["c3"], ["c5"])
    assert earned(game, 0)["group_members"] == 2


@pytest.mark.parametrize("code", BOTS)
def test_breaks_a_tie_with_an_archer(code: str) -> None:
    statues = "0 officer c1, 1 guard e1"
    game = turn(code, last_turn(8, coins={0: 5}, weapons={0: "crossbow"}, statues=statues))
    assert earned(game, 0)["row_inspector"] == 7
    assert earned(game, 0)["archer"] == 2


def test_planner_puts_a_footman_where_it_dominates() -> None:
    statues = "0 officer c3, 0 guard e3, 1 soldier h6"
    game = turn("planner", last_turn(5, row=7, column="i", coins={0: 5}, weapons={0: "halberd"}, statues=statues))
    assert earned(game, 0)["footman"] == 8
    assert "footman" not in earned(game, 1)


def test_planner_puts_a_musician_among_its_own_warriors() -> None:
    statues = "0 officer c3, 0 guard c6, 0 soldier g5, 1 soldier h2, 1 guard i2"
    game = turn("planner", position(last=0, at=11, coins={0: 5}, weapons={0: "spear"}, statues=statues))
    assert earned(game, 0)["musician"] == 3
    assert "musician" not in earned(game, 1)


@pytest.mark.parametrize("code", BOTS)
def test_does_not_turn_a_ring_for_nothing(code: str) -> None:
    game = turn(code, last_turn(8, coins={0: 4}, wet={0: 0}))
    # coins:3 twice on segment 8, and no coin is left unpaired
    assert player(game, 0)["coins"] == 10
    assert earned(game, 0)["leftovers"] == 5


@pytest.mark.parametrize("code", BOTS)
def test_takes_coins_for_the_coin_tile(code: str) -> None:
    game = turn(code, position(last=0, at=2, tile="coins", coins={0: 3, 1: 6}))
    assert column_of(game, "coins")[0] > 6
    assert earned(game, 0)["tile"] == 4
    assert earned(game, 1)["tile"] == 1


def test_planner_moves_an_inspector_to_its_row_with_the_sword() -> None:
    statues = "0 officer c2, 0 guard d2, 1 guard e1, 1 soldier g1, 1 officer i1"
    game = turn("planner", position(last=0, at=1, wet={0: 2}, weapons={0: "sword"}, statues=statues))
    assert earned(game, 0)["row_inspector"] == 7
    assert "row_inspector" not in earned(game, 1)


@pytest.mark.parametrize("code", BOTS)
def test_shoots_over_the_widest_gap(code: str) -> None:
    game = at(1, wet={0: 2}, weapons={0: "crossbow"}, statues="1 guard a7", last=0, game_round=5, row=7, column="i")
    turn(code, game)
    assert earned(game, 0)["crossbowman"] == 7


@pytest.mark.parametrize("code", BOTS)
def test_pays_a_master_with_the_cheapest_token(code: str) -> None:
    game = at(11, "middle", coins={0: 9}, last=0)
    bot = bot_of(code)
    if "ring:perform" in game.legal():
        game.play("ring:perform")
    assert GAME.tokens[choose(bot, game)] == "token:1"


def test_planner_keeps_the_opponent_out_of_a_shared_contest() -> None:
    """With the last worker of the game it finds the best of all results that one turn can have (tried one by one)."""
    start = at(1, wet={0: 2}, statues="0 guard b2, 1 guard b4, 1 soldier e1", last=0, game_round=5)
    best = -1000
    for token in ("ring:perform", "ring:clay", "ring:coin"):
        stack = [start.clone().play(token)]
        while stack:
            game = stack.pop()
            if game.over:
                best = max(best, lead(game))
            else:
                stack += [game.clone().play(action) for action in game.legal() if action != "ring:nothing"]
    assert lead(turn("planner", start)) == best


def test_planner_value_is_the_result_when_the_game_is_over() -> None:
    from terracotta_agents.turns.valuation import value_of

    bot = Planner()
    for players in GAME.players:
        game = idle(position(players, last=0, game_round=5, statues="0 guard a1, 1 guard b1", vp={0: 50, 1: 40}))
        bot.scratch.states[0] = game.states[0]
        bot.scratch.work["seat"] = 0
        vp = game.points()
        rival = float(bot.scratch.weights["rival"][players - 2])
        assert value_of(bot.scratch, 0) == pytest.approx(vp[0] - rival * sum(vp[1:]) / (players - 1))


# weights --------------------------------------------------------------------------------------------------------------


def test_tuned_weights_are_known_and_in_their_ranges() -> None:
    weights = make_weights(read_weights())
    assert set(read_weights()) == set(GAME.players)
    for name, _, low, high, meaning in TABLE:
        assert ((low <= weights[name]) & (weights[name] <= high)).all(), name
        assert meaning
    assert weights.dtype.names == NAMES


def test_document_shows_the_weights_in_use() -> None:
    document = Path(__file__).resolve().parents[2] / "docs" / "bots.md"
    assert as_markdown() in document.read_text(encoding="utf-8")


def test_unknown_weight_is_refused() -> None:
    with pytest.raises(WeightError, match="no weight 'luck'"):
        make_weights({2: {"luck": 1.0}})
