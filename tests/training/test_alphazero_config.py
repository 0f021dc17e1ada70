"""Settings of ``terracotta train alphazero``: every key known, checked, explained; what is generated is current."""

from __future__ import annotations

import re
import tomllib

import pytest

from terracotta_agents.rows import TEACHERS
from terracotta_env.army import GAME
from terracotta_training.alphazero import AlphaZeroRun
from terracotta_training.alphazero_config import AlphaZeroConfig
from terracotta_training.config import ConfigError, load_config
from terracotta_training.keys import keys_of
from tests.training.write_keys import ALPHAZERO

ANEW = "write it anew: python -m tests.training.write_keys"


def test_shipped_file_is_the_defaults_with_every_key_explained() -> None:
    text = ALPHAZERO.config.read_text(encoding="utf-8")
    assert text == ALPHAZERO.config_text(), ANEW
    assert load_config(AlphaZeroConfig, ALPHAZERO.config) == AlphaZeroConfig()
    written = {f"{section}.{key}" for section, table in tomllib.loads(text).items() for key in table}
    assert written == {f"{key.section}.{key.name}" for key in keys_of(AlphaZeroConfig)}
    assert all(re.match(r"\w.{4,}", key.meaning) for key in keys_of(AlphaZeroConfig))


def test_table_of_keys_in_the_documentation_is_current() -> None:
    text = ALPHAZERO.document.read_text(encoding="utf-8")
    assert "| `selfplay.simulations` | whole number |" in text
    assert ALPHAZERO.document_text(text) == text, ANEW


def test_every_shipped_alphazero_config_can_be_read() -> None:
    paths = sorted(ALPHAZERO.config.parent.glob("alphazero*.toml"))
    assert len(paths) >= 2
    for path in paths:
        AlphaZeroRun.check(GAME, load_config(AlphaZeroConfig, path), TEACHERS)


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("selfplay.gmaes=3", r"selfplay\.gmaes: unknown key \(known: games, trees, simulations"),
        ("search.root=uct", r"search\.root: .*'gumbel' or 'puct'"),
        ("selfplay.full_share=0", r"selfplay\.full_share: .*greater than 0"),
        ("selfplay.simulations=5", r"selfplay\.fast_simulations: expected at most selfplay\.simulations"),
        ("ray.gpus=-1", r"ray\.gpus: .*greater than or equal to 0"),
        ("run.minutes=0", "the run would never end"),
    ],
)
def test_wrong_setting_names_key_and_what_was_expected(override: str, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        load_config(AlphaZeroConfig, None, [override])
