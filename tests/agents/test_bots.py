"""The reference bots' published figures, and bots by their codes."""

from __future__ import annotations

import math
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from terracotta_agents.registry import AgentError, make_agent, make_agents
from terracotta_env.army import GAME
from terracotta_env.errors import TerracottaError
from terracotta_env.policy import stream
from terracotta_env.position import Position
from tests.agents.games import play_and_record, printed, recorded
from tests.reference import Game

GAMES = 150
PLAYERS = {2: 0, 3: 1, 4: 2}


class Fixed:
    """Stands in for a generator: gives one number."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


# figures --------------------------------------------------------------------------------------------------------------


@cache
def figures(code: str, players: int) -> dict[str, np.ndarray]:
    """What some games came to, one number a game."""
    found: dict[str, list[float]] = {"vp": [], "winner": [], "asked": [], "warriors": [], "specialists": []}
    bots = make_agents([code], players)
    for game in range(GAMES):
        for seat, bot in enumerate(bots):
            bot.begin(stream(77, game, 1 + seat))
        position = Position.from_seed(GAME, players, stream(77, game))
        asked = 0
        while (seat := position.to_act) is not None:  # type: ignore[assignment]
            position.play(bots[seat].act(position, position.mask()))
            asked += 1
        vp, end = position.points(), position.snapshot()
        values = {
            "vp": sum(vp) / players,
            "winner": max(vp),
            "asked": asked,
            "warriors": 44 - sum(end["organizer"].values()),
            "specialists": 16 - sum(end["specialists_left"].values()),
        }
        for key, value in values.items():
            found[key].append(value)
    return {key: np.array(values) for key, values in found.items()}


def assert_mean(values: np.ndarray, published: float, games: int, rounding: float) -> None:
    """Within four standard errors of the difference between this mean and one over ``games`` other games."""
    error = float(values.std(ddof=1)) * math.sqrt(1 / len(values) + 1 / games)
    assert abs(float(values.mean()) - published) < 4 * error + rounding


@pytest.mark.parametrize("players", GAME.players)
def test_random_plays_as_published(players: int) -> None:
    found, i = figures("random", players), PLAYERS[players]
    assert_mean(found["vp"], (28.6, 22.0, 16.4)[i], 1000, 0.05)
    assert_mean(found["winner"], (37.6, 34.6, 29.2)[i], 1000, 0.05)
    assert_mean(found["asked"], (209, 248, 251)[i], 1000, 0.5)


def test_random_builds_almost_nothing_with_two_players() -> None:
    found = figures("random", 2)
    assert_mean(found["warriors"], 1.7, 1000, 0.05)
    assert_mean(found["specialists"], 2.6, 1000, 0.05)


@pytest.mark.parametrize(("players", "published"), [(2, 263), (3, 315), (4, 314)])
def test_random_resolves_as_many_decisions_as_published(players: int, published: float) -> None:
    resolved = []
    for seed in range(40):  # counted by the second implementation: the engine does not show forced decisions
        record, _ = play_and_record(players, ["random"], 500 + seed)
        game = Game.from_setup(printed("reconstructed"), players, record["setup"])
        for token in record["decisions"]:
            game.apply(token)
        resolved.append(game.asked + game.forced)
    assert_mean(np.array(resolved), published, 1000, 0.5)


@pytest.mark.parametrize("players", GAME.players)
def test_busy_plays_as_published(players: int) -> None:
    found, i = figures("busy", players), PLAYERS[players]
    assert_mean(found["vp"], (126, 94, 68)[i], 300, 0.5)
    assert_mean(found["winner"], (144, 118, 97)[i], 300, 0.5)
    assert_mean(found["asked"], (267, 311, 309)[i], 300, 0.5)
    assert_mean(found["warriors"], (14.6, 15.2, 13.5)[i], 300, 0.05)
    assert_mean(found["specialists"], (9.6, 10.7, 10.3)[i], 300, 0.05)


def test_random_takes_each_legal_action_for_an_equal_share_of_uniforms() -> None:
    bot = make_agent("random")
    for players in GAME.players:
        position = Position.from_seed(GAME, players, 8)
        while not position.over:
            legal = np.flatnonzero(position.mask())
            for k, action in enumerate(legal):
                for inside in (0.001, 0.5, 0.999):
                    bot.rng = Fixed((k + inside) / len(legal))  # type: ignore[attr-defined]
                    assert bot.act(position, position.mask()) == action
            position.play(int(legal[len(legal) // 2]))


# codes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["random", "busy", "greedy", "planner"])
def test_code_makes_a_fresh_bot_of_that_name(code: str) -> None:
    one, other = make_agent(code), make_agent(code)
    assert (one.name, one.version) == (code, 1)
    assert one is not other


def test_one_code_fills_all_seats_with_bots_of_their_own() -> None:
    bots = make_agents(["busy"], 4)
    assert len({id(bot) for bot in bots}) == 4
    assert [bot.name for bot in make_agents(["busy", "random"], 2)] == ["busy", "random"]


@pytest.mark.parametrize("codes", [[], ["busy", "busy"], ["busy"] * 4])
def test_wrong_number_of_codes_is_refused(codes: list[str]) -> None:
    with pytest.raises(AgentError, match=f"expected 3 codes for 3 players .* got {len(codes)}"):
        make_agents(codes, 3)


@pytest.mark.parametrize("code", ["", "nobody", "Busy", "random ", "busy2"])
def test_unknown_code_names_the_known_ones(code: str) -> None:
    with pytest.raises(AgentError, match=r"known are random, busy, greedy, planner, mcts:SIM.*, or .* module:Class"):
        make_agent(code)


@pytest.mark.parametrize(
    "code",
    [":", ":Bot", "no_such_module:Bot", ".relative:Bot", "json:", "json:no_such", "math:pi", "net:", "net:nowhere"],
)
def test_code_that_makes_no_bot_is_refused_with_a_reason(code: str) -> None:
    with pytest.raises(TerracottaError):
        make_agent(code)


@pytest.mark.parametrize("missing", ["name", "version", "begin", "act"])
def test_bot_that_lacks_something_is_told_what(missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parts = {
        "name": 'name = "own"',
        "version": "version = 1",
        "begin": "def begin(self, seed): pass",
        "act": "def act(self, position, mask): return 0",
    }
    module = f"bots_without_{missing}"
    lines = [text for part, text in parts.items() if part != missing]
    (tmp_path / f"{module}.py").write_text("class Bot:\n    " + "\n    ".join(lines) + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(AgentError, match=f"lacks '{missing}'"):
        make_agent(f"{module}:Bot")
    del sys.modules[module]


def test_swapping_a_bot_changes_no_setup_and_no_other_bots_numbers() -> None:
    setups = {str(recorded(3, codes)[0]["setup"]) for codes in (("busy",), ("random",), ("random", "busy", "random"))}
    assert len(setups) == 1
    drawn = []
    for other in ("busy", "random"):
        bots = make_agents(["random", other, other], 3)
        for seat, bot in enumerate(bots):
            bot.begin(stream(3, 4, 1 + seat))
        position = Position.from_seed(GAME, 3, 3)
        while position.to_act != 0:
            assert position.to_act is not None
            position.play(bots[position.to_act].act(position, position.mask()))
        drawn.append(bots[0].rng.bit_generator.state)  # type: ignore[attr-defined]
    assert drawn[0] == drawn[1]


def test_streams_for_games_and_seats_are_all_different() -> None:
    seeds = {stream(1, game, *place) for game in range(200) for place in ((), (1,), (2,), (3,), (4,))}
    assert len(seeds) == 1000
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert stream(1, 2) != stream(2, 1)
