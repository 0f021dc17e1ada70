"""Settings of ``terracotta train ppo``: every key known, checked, explained; what is generated from them is current."""

from __future__ import annotations

import re
import tomllib

import pytest

from terracotta_agents.rows import TEACHERS
from terracotta_env.army import GAME
from terracotta_training.config import ConfigError, load_config
from terracotta_training.keys import Key, keys_of
from terracotta_training.ppo import PpoRun
from terracotta_training.ppo_config import PpoConfig
from tests.training.write_keys import PPO

ANEW = "write it anew: python -m tests.training.write_keys"


def test_shipped_file_is_the_defaults_with_every_key_explained() -> None:
    text = PPO.config.read_text(encoding="utf-8")
    assert text == PPO.config_text(), ANEW
    assert load_config(PpoConfig, PPO.config) == PpoConfig()
    written = {f"{section}.{key}" for section, table in tomllib.loads(text).items() for key in table}
    assert written == {f"{key.section}.{key.name}" for key in keys_of(PpoConfig)}


def test_table_of_keys_in_the_documentation_is_current() -> None:
    text = PPO.document.read_text(encoding="utf-8")
    assert "| `evaluation.rating_games` | whole number |" in text
    assert PPO.document_text(text) == text, ANEW


@pytest.mark.parametrize("key", list(keys_of(PpoConfig)), ids=lambda key: f"{key.section}.{key.name}")
def test_key_has_a_meaning(key: Key) -> None:
    assert re.match(r"\w.{4,}", key.meaning)


def test_every_shipped_ppo_config_can_be_read() -> None:
    for path in sorted(PPO.config.parent.glob("ppo*.toml")):
        PpoRun.check(GAME, load_config(PpoConfig, path), TEACHERS)


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("run.plyers=[3]", r"run\.plyers: unknown key \(known: seed, players, boards, minutes"),
        ("rum.seed=3", r"rum: unknown key \(known: run, network, learning, imitation, league, evaluation\)"),
        ("network.kind=big", r"network\.kind: .*'perceptron' or 'structured'"),
        ("learning.gamma=1.5", r"learning\.gamma: .*less than or equal to 1"),
        ("league.bots.busy=-1", r"league\.bots\.busy: .*greater than or equal to 0"),
        ("run.minutes=0", "the run would never end"),
        ("evaluation.snapshots=1", r"evaluation\.snapshots: "),
    ],
)
def test_wrong_setting_names_key_and_what_was_expected(override: str, named: str) -> None:
    with pytest.raises(ConfigError, match=named) as caught:
        load_config(PpoConfig, None, [override])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("run.players=[2, 5]", r"run\.players: expected some of 2, 3, 4, got 5"),
        (
            "league.bots.mcts=1",
            r"no bot 'mcts' can play many games \(known: random, busy, greedy, planner, planner-quick\)",
        ),
        ("imitation.bot=nobody", "no bot 'nobody' can play many games"),
    ],
)
def test_setting_that_this_game_cannot_satisfy_is_refused(override: str, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        PpoRun.check(GAME, load_config(PpoConfig, None, [override]), TEACHERS)
