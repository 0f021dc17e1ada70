"""The bot: its codes and options, and that it plays well."""

from __future__ import annotations

from typing import Any

import pytest

from terracotta_agents.registry import AgentError, make_agent, make_agents, split_codes
from terracotta_agents.search.agent import OPTIONS, Mcts, make_mcts
from terracotta_agents.search.settings import Settings
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.record import verify
from terracotta_training.evaluate import play_match
from tests.agents.games import play_and_record
from tests.toy import GAME as TOY


def made(code: str) -> Mcts:
    agent = make_agent(code)
    assert isinstance(agent, Mcts)
    return agent


def test_a_code_gives_simulations_or_milliseconds() -> None:
    assert (made("mcts:1000").simulations, made("mcts:1000").milliseconds) == (1000, None)
    assert (made("mcts:200ms").simulations, made("mcts:200ms").milliseconds) == (None, 200)
    assert made("mcts:1000").settings == Settings()
    assert made("mcts:1000").rollout.name == "busy"


@pytest.mark.parametrize("code", ["mcts:10", "mcts:20ms", "mcts:10,rollout=random,c=1.5,threads=2"])
def test_the_name_is_the_whole_code(code: str) -> None:
    assert (made(code).name, made(code).version) == (code, 1)


@pytest.mark.parametrize(
    ("option", "attribute", "value"),
    [
        ("c=1.25", "c", 1.25),
        ("fpu=-0.5", "fpu", -0.5),
        ("rule=uct", "rule", "uct"),
        ("utility=rank", "margin", 0.0),
        ("utility=margin", "margin", 1.0),
        ("utility=blend", "margin", 0.5),
        ("scale=0.05", "scale", 0.05),
        ("depth=0", "depth", 0),
        ("depth=end", "depth", None),
        ("grid=8", "grid", 8),
        ("mix=0.5", "mix", 0.5),
    ],
)
def test_options_of_the_search_are_read(option: str, attribute: str, value: Any) -> None:
    assert getattr(made(f"mcts:10,{option}").settings, attribute) == value


def test_options_of_the_bot_are_read() -> None:
    agent = made("mcts:10,rollout=random,threads=3,capacity=77,reuse=no")
    assert (agent.rollout.name, agent.threads, agent.capacity, agent.reuse) == ("random", 3, 77, False)


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("mcts", "budget: expected simulations .* got ''"),
        ("mcts:", "budget: .* got ''"),
        ("mcts:0", "budget: .* got '0'"),
        ("mcts:-5", "budget: .* got '-5'"),
        ("mcts:1e3", "budget: .* got '1e3'"),
        ("mcts:99999999999", "budget: .* 1..10000000, got '99999999999'"),
        ("mcts:10,speed=3", "speed: no such option; known are rollout, rule, c, "),
        ("mcts:10,c", "expected option=value, got 'c'"),
        ("mcts:10,c=1,c=2", "c: is given twice"),
        ("mcts:10,c=much", "c: expected a number in 0..1e\\+06, got 'much'"),
        ("mcts:10,c=nan", "c: expected a number .* got 'nan'"),
        ("mcts:10,c=-1", "c: expected a number .* got '-1'"),
        ("mcts:10,fpu=nan", "fpu: expected a number or 'inf', got 'nan'"),
        ("mcts:10,rule=best", "rule: expected one of uct, puct, got 'best'"),
        ("mcts:10,depth=-1", "depth: expected a whole number .* or 'end', got '-1'"),
        ("mcts:10,depth=1.5", "depth: expected a whole number .* got '1.5'"),
        ("mcts:10,rollout=nobody", "rollout: no roll-out policy 'nobody': known are random, busy"),
        ("mcts:10,utility=win", "utility: expected one of rank, blend, margin, got 'win'"),
        ("mcts:10,threads=0", "threads: expected a whole number in 1..256, got '0'"),
        ("mcts:10,reuse=maybe", "reuse: expected one of yes, no, got 'maybe'"),
        ("mcts:10,capacity=", "capacity: expected a whole number .* got ''"),
    ],
)
def test_a_wrong_code_names_the_option_and_what_is_allowed(code: str, named: str) -> None:
    with pytest.raises(AgentError, match=named) as error:
        make_agent(code)
    assert repr(code) in str(error.value)


def test_every_option_is_documented_in_the_settings_or_the_bot() -> None:
    text = f"{Settings.__doc__} {Mcts.__doc__}"
    for option in OPTIONS:
        assert {"utility": "margin"}.get(option, option) in text


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("busy", ["busy"]),
        ("busy, random", ["busy", "random"]),
        ("mcts:10,c=1, depth=5,busy", ["mcts:10,c=1,depth=5", "busy"]),
        ("random,mcts:10,rollout=busy,mcts:20,c=2", ["random", "mcts:10,rollout=busy", "mcts:20,c=2"]),
        ("net:a=b,own.module:Bot", ["net:a=b", "own.module:Bot"]),
        ("busy,", ["busy", ""]),
        ("c=1", ["c=1"]),
    ],
)
def test_options_belong_to_the_code_before_them(text: str, codes: list[str]) -> None:
    assert split_codes(text) == codes


@pytest.mark.parametrize("bad", [{"c": -1.0}, {"rule": "x"}, {"margin": 2.0}, {"fpu": float("nan")}, {"depth": -1}])
def test_settings_name_what_cannot_be(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        Settings(**bad)


def test_a_bot_needs_one_budget() -> None:
    for simulations, milliseconds in ((None, None), (5, 5)):
        with pytest.raises(ValueError, match="either simulations or milliseconds"):
            Mcts(simulations, milliseconds)
    with pytest.raises(ValueError, match="at least 1, got 0"):
        Mcts(simulations=0)


@pytest.mark.parametrize("players", GAME.players)
def test_records_of_searched_games_are_right_and_name_the_bot(players: int) -> None:
    code = "mcts:20,depth=5"
    record, _ = play_and_record(players, [code] + ["random"] * (players - 1), 3)
    assert record["agents"][0] == code
    verify(GAME, record)


def test_the_same_seed_plays_the_same_game_after_another() -> None:
    bots = make_agents(["mcts:15,depth=4"], 2)
    games = []
    for seed in (1, 2, 1):
        for bot in bots:
            bot.begin(seed)
        position = Position.from_seed(GAME, 2, 9)
        for _ in range(40):
            assert position.to_act is not None
            position.play(bots[position.to_act].act(position.clone(), position.mask()))
        games.append(position.to_bytes())
    assert games[0] == games[2] != games[1]


def test_one_bot_plays_any_game_one_after_another() -> None:
    bot = make_mcts("20", {"rollout": "random"}, "mcts:20,rollout=random")
    for game in (TOY, GAME, TOY):
        bot.begin(1)
        position = Position.from_seed(game, 2, 4)
        for _ in range(4):
            position.play(bot.act(position.clone(), position.mask()))
    assert bot.last is not None


def test_a_small_search_beats_busy() -> None:
    match = play_match(GAME, lambda: make_agent("mcts:30,depth=60"), lambda: make_agent("busy"), 2, 10, 55)
    assert match.won.all()
