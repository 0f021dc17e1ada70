"""Settings of a training run: TOML files with every key checked, and overrides from the command line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, model_validator

from terracotta_env.errors import TerracottaError


class ConfigError(TerracottaError, ValueError):
    """A setting that is unknown or cannot be: names file, key and what was expected."""


class Section(BaseModel):
    """A table of settings; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class RunSettings(Section):
    """What is played and for how long."""

    seed: int = Field(1, ge=0, lt=2**63, description="draws networks, setups, seats and opponents")
    players: int = Field(2, ge=2, le=4)
    boards: list[str] = Field(["reconstructed"], min_length=1, description="printed data; games take turns among them")
    minutes: float = Field(5.0, ge=0, description="stop after this much training time; 0 = no limit")
    samples: int = Field(
        0, ge=0, description="the same in decisions of the learner, rounded up to whole updates; 0 = no limit"
    )
    threads: int = Field(2, ge=1, le=256, description="of torch")
    folder: str = Field("runs/sb3", min_length=1, description="run folder; a number is added if it exists")
    checkpoint_seconds: float = Field(60.0, gt=0)

    @model_validator(mode="after")
    def _has_an_end(self) -> RunSettings:
        if not self.minutes and not self.samples:
            raise ValueError("minutes and samples are both 0: the run would never end")
        return self


class PpoSettings(Section):
    """Settings of MaskablePPO, under their Stable-Baselines3 names where they have one."""

    n_games: int = Field(64, ge=1, description="games side by side (n_envs)")
    n_steps: int = Field(64, ge=2, description="decisions of each game between updates")
    batch_size: int = Field(512, ge=2)
    n_epochs: int = Field(4, ge=1)
    learning_rate: float = Field(1e-3, gt=0, description="falls linearly to a tenth at the end")
    gamma: float = Field(0.998, gt=0, le=1, description="discount a decision")
    gae_lambda: float = Field(0.95, gt=0, le=1)
    clip_range: float = Field(0.2, gt=0)
    ent_coef: float = Field(0.01, ge=0)
    vf_coef: float = Field(0.5, ge=0)
    max_grad_norm: float = Field(0.5, gt=0)
    shared: list[PositiveInt] = Field([256], min_length=1, description="layers shared by actor and critic")
    heads: list[PositiveInt] = Field([256], description="further layers of each")
    win_share: float = Field(1.0, ge=0, description="weight of the final win beside points as they are earned")


class PoolSettings(Section):
    """Weights of the opponents, drawn for each seat of each game."""

    random: float = Field(0.1, ge=0)
    busy: float = Field(0.3, ge=0)
    self: float = Field(0.4, ge=0, description="the learner as of the last update")
    past: float = Field(0.2, ge=0, description="frozen snapshots")
    size: int = Field(10, ge=1, description="snapshots kept")
    snapshot_updates: int = Field(25, ge=1, description="updates between snapshots")

    @model_validator(mode="after")
    def _has_somebody(self) -> PoolSettings:
        if not self.random + self.busy + self.self + self.past:
            raise ValueError("all weights are 0: nobody would sit opposite the learner")
        return self


class EvaluationSettings(Section):
    """The match after training."""

    opponents: list[str] = Field(
        ["random", "busy"], min_length=1, description="agent codes; each fills all other seats"
    )
    games: int = Field(400, ge=1, description="against each; every setup is played from every seat")
    seed: int = Field(20_000, ge=0, lt=2**63, description="setups, apart from those of training")
    sample: bool = Field(False, description="draw from the policy instead of taking its best action")


class Sb3Config(Section):
    """All settings of ``terracotta train sb3``."""

    run: RunSettings = RunSettings()
    ppo: PpoSettings = PpoSettings()
    pool: PoolSettings = PoolSettings()
    evaluation: EvaluationSettings = EvaluationSettings()


Config = TypeVar("Config", bound=Section)


def load_config(model: type[Config], file: Path | None, overrides: Sequence[str] = ()) -> Config:
    """Settings from a TOML file, changed by ``section.key=value`` overrides (values as in TOML; bare words are texts).

    Raises:
        ConfigError: names the file or override, the key and what was expected.
    """
    data: dict[str, Any] = {}
    if file is not None:
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"config {file}: cannot be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"config {file}: is not valid TOML: {error}") from None
    for override in overrides:
        _override(data, override)
    return parse_config(model, data, f"config {file}" if file is not None else "config")


def parse_config(model: type[Config], data: dict[str, Any], origin: str) -> Config:
    """Settings from a nested table."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "(whole file)"
        if first["type"] == "extra_forbidden":
            known = ", ".join(_keys_at(model, first["loc"][:-1]))
            raise ConfigError(f"{origin}: {key}: unknown key (known: {known})") from None
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise ConfigError(f"{origin}: {key}: {first['msg']}, got {first['input']!r:.80}{more}") from None


def _keys_at(model: type[BaseModel], path: Sequence[Any]) -> list[str]:
    for step in path:
        annotation = model.model_fields[step].annotation
        assert isinstance(annotation, type)
        assert issubclass(annotation, BaseModel)
        model = annotation
    return list(model.model_fields)


def _override(data: dict[str, Any], override: str) -> None:
    key, separator, text = override.partition("=")
    path = key.strip().split(".")
    if not separator or not all(path):
        raise ConfigError(f"override {override!r}: expected section.key=value, as in run.minutes=10")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    table = data
    for step in path[:-1]:
        table = table.setdefault(step, {})
        if not isinstance(table, dict):
            raise ConfigError(f"override {override!r}: {step} is a value, not a section")
    table[path[-1]] = value


def dump_config(config: Section) -> str:
    """The settings as JSON, for the run folder."""
    return json.dumps(config.model_dump(), indent=2) + "\n"
