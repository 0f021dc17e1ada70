"""Analysts: what they say, that they can be stopped, and how other kinds join."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from terracotta_agents.registry import AgentError
from terracotta_agents.serve import analyst
from terracotta_agents.serve.analyst import Analysis, Candidate, StoppedError, make_analyst, playouts
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.rollout import UNIFORM, find_rollout
from tests.agents.games import recorded
from tests.agents.serve.serving import OPTIONS, good, running


def going_on() -> bool:
    return False


def test_a_search_tells_shares_visits_and_values_of_every_legal_decision() -> None:
    position = Position.from_seed(GAME, 3, 4)
    position.play("rotate:none")
    before = position.to_bytes()
    found = make_analyst("mcts:200").analyse(position, going_on)
    assert sorted(candidate.token for candidate in found.candidates) == position.legal()
    assert sum(candidate.probability for candidate in found.candidates) == pytest.approx(1)
    assert [c.probability for c in found.candidates] == sorted((c.probability for c in found.candidates), reverse=True)
    assert sum(candidate.visits or 0 for candidate in found.candidates) <= found.simulations == 200
    for candidate in found.candidates:
        assert candidate.values is None or (len(candidate.values) == 3 and max(map(abs, candidate.values)) <= 1)
    assert found.line[0] == found.candidates[0].token
    assert found.values is not None
    assert position.to_bytes() == before


def test_other_bots_say_what_they_would_do() -> None:
    position = Position.from_seed(GAME, 2, 4)
    found = make_analyst("greedy").analyse(position, going_on)
    assert [candidate.probability for candidate in found.candidates] == [1.0] + [0.0] * (len(position.legal()) - 1)
    assert found.values is None
    assert found.simulations == 0


def test_answers_depend_on_the_position_only() -> None:
    one, two = make_analyst("mcts:100"), make_analyst("mcts:100")
    position, other = Position.from_seed(GAME, 2, 4), Position.from_seed(GAME, 4, 5)
    one.analyse(other, going_on)
    one.chances(other, going_on)
    assert one.analyse(position, going_on) == two.analyse(position, going_on)
    assert one.chances(position, going_on) == two.chances(position, going_on)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_are_certain_at_the_end_and_even_before_it(players: int) -> None:
    _, final = recorded(players)
    chances = playouts(final, UNIFORM, going_on)
    assert chances[final.ranking()[0]] == 1
    assert sum(chances) == 1
    start = playouts(Position.from_seed(GAME, players, 3), find_rollout("busy"), going_on)
    assert sum(start) == pytest.approx(1)
    assert all(0.02 < chance < 0.98 for chance in start)


def test_chances_are_those_of_games_played_out_one_by_one() -> None:
    """Against a plain loop over the slow interface: within the error of the samples."""
    record, _ = recorded(2)
    position = Position.from_seed(GAME, 2, 0)
    position = Position.from_setup(GAME, 2, record["setup"], record["board"])
    for token in record["decisions"][:200]:
        position.play(token)
    rng, wins = np.random.default_rng(1), np.zeros(2)
    for _ in range(120):
        trial = position.clone()
        while not trial.over:
            trial.play(int(rng.choice(np.flatnonzero(trial.mask()))))
        wins[trial.ranking()[0]] += 1
    assert playouts(position, UNIFORM, going_on, 1024)[0] == pytest.approx(wins[0] / 120, abs=0.17)


def test_work_that_is_no_longer_wanted_stops() -> None:
    position = Position.from_seed(GAME, 2, 4)
    with pytest.raises(StoppedError):
        playouts(position, UNIFORM, lambda: True)
    found = make_analyst("mcts:100000").analyse(position, lambda: True)
    assert found.simulations < 100_000


def test_unknown_codes_are_refused() -> None:
    with pytest.raises(AgentError, match="nonsense"):
        make_analyst("nonsense")


class Oracle:
    """An analyst of another kind: probabilities without visits, chances of its own, as a network would have them."""

    def __init__(self, code: str) -> None:
        self.name = code

    def analyse(self, position: Position, stop: Callable[[], bool]) -> Analysis:
        legal = position.legal()
        candidates = tuple(Candidate(token, 1 / len(legal)) for token in legal)
        return Analysis(self.name, candidates, (0.5, -0.5), (legal[0],), 0)

    def chances(self, position: Position, stop: Callable[[], bool]) -> list[float]:
        return [0.75, 0.25]


def test_other_kinds_of_analysts_join_by_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("oracles")
    monkeypatch.setattr(module, "Oracle", Oracle, raising=False)
    monkeypatch.setitem(sys.modules, "oracles", module)
    monkeypatch.setattr(analyst, "FAMILIES", {**analyst.FAMILIES, "oracle": "oracles:Oracle"})
    with running(OPTIONS, analysts=("oracle:one",)) as server:
        visitor = server.visitor()
        view = visitor.begin("human", "human")
        body = {"at": 0, "analyst": "oracle:one"}
        found = good(visitor.post(f"games/{view['game']}/analysis", body))
        assert found["chances"] == [0.75, 0.25]
        assert found["values"] == [0.5, -0.5]
        assert found["candidates"][0]["visits"] is None
