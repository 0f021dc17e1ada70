"""Suites: what v1 holds, that it never changes, and that it is refused where it does not fit."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from importlib import resources

import pytest

from terracotta_agents.arena.schedule import ArenaError
from terracotta_agents.arena.setups import Setups
from terracotta_agents.arena.suites import load, make, names, read, to_text
from terracotta_env.army import GAME

from .toys import settings

V1_DIGEST = "1a71a418025ea621"  # results are compared across papers: this may never change


def content() -> dict:
    found: dict = json.loads(
        (resources.files("terracotta_agents.arena") / "suites" / "v1.json").read_text(encoding="utf-8")
    )
    return found


def test_v1_is_as_it_was() -> None:
    suite = load("v1")
    assert suite.digest == V1_DIGEST
    assert (suite.game, suite.board) == ("terracotta", "reconstructed")
    assert {players: len(setups) for players, setups in suite.setups.items()} == {2: 200, 3: 200, 4: 200}
    for setups in suite.setups.values():
        assert len({json.dumps(setup) for setup in setups}) == 200


def test_v1_is_what_its_call_makes() -> None:
    module, game, name, board, seed, count = load("v1").made_by.split()[3:]
    assert (module, game) == (GAME.module, GAME.name)
    made = make(GAME, name, board, int(seed), int(count), load("v1").made_by)
    assert made == content()
    assert to_text(made) == (resources.files("terracotta_agents.arena") / "suites" / "v1.json").read_text(
        encoding="utf-8"
    )


def test_setups_of_the_suite_are_played_as_they_are_written() -> None:
    suite = load("v1")
    given = Setups(GAME, suite.board, 0, suite.setups)
    for players in (2, 3, 4):
        states = given.start(players, 150).states
        assert GAME.notation.setup_of(states) == suite.setups[players][150]


def test_a_changed_file_is_refused() -> None:
    changed = copy.deepcopy(content())
    changed["setups"]["2"][0]["inner_offset"] = (changed["setups"]["2"][0]["inner_offset"] + 1) % 12
    with pytest.raises(ArenaError, match="the file was changed"):
        read(changed)


def test_other_rules_and_other_games_are_refused() -> None:
    with pytest.raises(ArenaError, match="version 1 of the rules; this program plays terracotta, version 2"):
        load("v1").check("terracotta", 2)
    with pytest.raises(ArenaError, match="this program plays orchard"):
        load("v1").check("orchard", 1)
    load("v1").check("terracotta", GAME.rules_version)


def test_an_unknown_suite_is_told_with_those_that_are_known() -> None:
    assert names() == ["v1"]
    with pytest.raises(ArenaError, match="no suite 'v9': known are v1"):
        load("v9")


def test_a_suite_is_played_whole_or_its_first_setups() -> None:
    suite = load("v1")
    whole = settings(suite=suite, games=None, board="reconstructed", players=(2, 4))
    assert whole.setups == {2: 200, 4: 200}
    assert replace(whole, games=9).setups == {2: 5, 4: 3}
    with pytest.raises(ArenaError, match="no more than 400 games"):
        replace(whole, games=401)
    with pytest.raises(ArenaError, match="is for board 'reconstructed', not 'flat'"):
        replace(whole, board="flat")
