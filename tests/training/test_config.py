"""Settings: every key is known, checked, explained in the shipped file, and overridden by name."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from terracotta_env.errors import TerracottaError
from terracotta_training.config import ConfigError, Sb3Config, dump_config, load_config, parse_config

SHIPPED = Path(__file__).resolve().parents[2] / "configs" / "sb3.toml"


def leaves(model: BaseModel) -> dict[str, Any]:
    return {f"{section}.{key}": value for section, table in model.model_dump().items() for key, value in table.items()}


def file_with(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "my.toml"
    path.write_text(text, encoding="utf-8")
    return path


KEYS = sorted(leaves(Sb3Config()))


@pytest.mark.parametrize("key", KEYS)
def test_shipped_file_has_each_key_with_its_default(key: str) -> None:
    section, name = key.split(".")
    shipped = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    assert shipped[section][name] == leaves(Sb3Config())[key]
    assert type(shipped[section][name]) is type(leaves(Sb3Config())[key])


def test_shipped_file_has_no_other_key_and_explains_each() -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert sorted(leaves(load_config(Sb3Config, SHIPPED))) == KEYS
    lines = [line for line in text.splitlines() if re.match(r"\w+ *=", line)]
    assert len(lines) == len(KEYS)
    assert [line for line in lines if not re.search(r" # \w.{4,}", line)] == []


def test_no_file_means_the_defaults() -> None:
    assert load_config(Sb3Config, None) == Sb3Config()


def test_file_and_overrides_change_what_they_name(tmp_path: Path) -> None:
    path = file_with(tmp_path, "[run]\nplayers = 3\nminutes = 7\n[ppo]\nshared = [8, 4]\n")
    overrides = ["run.minutes=0.5", "run.folder=here", "ppo.heads=[]", 'run.boards=["flat", "rising"]', "run.seed = 9"]
    config = load_config(Sb3Config, path, [*overrides, "evaluation.sample=true"])
    changed = {key: value for key, value in leaves(config).items() if value != leaves(Sb3Config())[key]}
    assert changed == {
        "run.players": 3,
        "run.minutes": 0.5,
        "run.folder": "here",
        "run.boards": ["flat", "rising"],
        "run.seed": 9,
        "ppo.shared": [8, 4],
        "ppo.heads": [],
        "evaluation.sample": True,
    }


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("run.plyers=3", r"config: run\.plyers: unknown key \(known: seed, players, boards, minutes"),
        ("rum.players=3", r"config: rum: unknown key \(known: run, ppo, pool, evaluation\)"),
        ("players=3", r"config: players: unknown key \(known: run, ppo, pool, evaluation\)"),
        ("run.players=5", r"run\.players: .*less than or equal to 4, got 5"),
        ("run.players=two", r"run\.players: .*integer.*got 'two'"),
        ("run.players=2.5", r"run\.players: .*integer.*2\.5"),
        ("run.boards=flat", r"run\.boards: .*list.*got 'flat'"),
        ("run.boards=[]", r"run\.boards: "),
        ("run.seed=-1", r"run\.seed: .*greater than or equal to 0"),
        ("run.minutes=-1", r"run\.minutes: "),
        ("run.minutes=0", "minutes and samples are both 0: the run would never end"),
        ("run=3", r"run: .*got 3"),
        ("ppo.gamma=1.5", r"ppo\.gamma: "),
        ("ppo.gamma=nan", r"ppo\.gamma: "),
        ("ppo.learning_rate=inf", r"ppo\.learning_rate: "),
        ("ppo.shared=[0]", r"ppo\.shared"),
        ("ppo.shared=[-5]", r"ppo\.shared"),
        ("ppo.shared=[]", r"ppo\.shared: "),
        ("ppo.heads=[0]", r"ppo\.heads"),
        ("ppo.n_games=0", r"ppo\.n_games: "),
        ("pool.size=0", r"pool\.size: "),
        ("pool.busy=-0.1", r"pool\.busy: "),
        ("pool.busy=nan", r"pool\.busy: "),
        ("evaluation.games=0", r"evaluation\.games: "),
        ("evaluation.sample=maybe", r"evaluation\.sample: .*boolean"),
        ("run.players", "expected section.key=value"),
        ("=3", "expected section.key=value"),
        (".players=3", "expected section.key=value"),
        ("run..players=3", "expected section.key=value"),
        ("run.players.x=3", "run.players"),
    ],
)
def test_wrong_override_names_key_and_what_was_expected(override: str, named: str) -> None:
    with pytest.raises(ConfigError, match=named) as caught:
        load_config(Sb3Config, None, [override])
    assert "\n" not in str(caught.value)


def test_override_below_a_value_is_refused(tmp_path: Path) -> None:
    path = file_with(tmp_path, "[run]\nplayers = 3\n")
    with pytest.raises(ConfigError, match="players is a value, not a section"):
        load_config(Sb3Config, path, ["run.players.x=3"])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[run]\nplayers = 9\n", r"my\.toml: run\.players: "),
        ("[run]\ncolour = 1\n", r"my\.toml: run\.colour: unknown key"),
        ("[run\n", r"my\.toml: is not valid TOML"),
        ("run = 3\n", r"my\.toml: run: "),
    ],
)
def test_wrong_file_is_named_with_the_key(text: str, named: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=named):
        load_config(Sb3Config, file_with(tmp_path, text))


def test_file_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read: No such file"):
        load_config(Sb3Config, tmp_path / "gone.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"binary\.toml: is not valid TOML"):
        load_config(Sb3Config, tmp_path / "binary.toml")


def test_error_is_one_the_command_line_shows_as_one_line() -> None:
    assert issubclass(ConfigError, TerracottaError)


def test_dumped_settings_read_back_the_same() -> None:
    config = load_config(Sb3Config, None, ["run.seed=9223372036854775807", "ppo.heads=[]", "ppo.learning_rate=3e-7"])
    assert parse_config(Sb3Config, json.loads(dump_config(config)), "here") == config


def test_nobody_to_play_against_is_refused() -> None:
    with pytest.raises(ConfigError, match="all weights are 0: nobody would sit opposite"):
        load_config(Sb3Config, None, [f"pool.{kind}=0" for kind in ("random", "busy", "self", "past")])


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Sb3Config().run.players = 3  # type: ignore[misc]
