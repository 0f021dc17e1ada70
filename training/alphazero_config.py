"""Settings of ``terracotta train alphazero``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from terracotta_agents.search.guided import RootSettings
from terracotta_agents.search.settings import Settings

from .config import Section
from .ppo_config import NetworkSettings, PpoEvaluationSettings, PpoRunSettings


class AlphaZeroRunSettings(PpoRunSettings):
    """What is played and for how long."""

    start: str = Field("", description="network to begin with: net:PATH or net:default; empty = from scratch")
    folder: str = Field("runs/alphazero", min_length=1, description="run folder; a number is added if it exists")


class AlphaZeroNetworkSettings(NetworkSettings):
    """The network; one that the run starts from keeps its own form."""

    kind: Literal["perceptron", "structured"] = Field("perceptron", description="which one")


class SearchSettings(Section):
    """The search that plays and that the policy learns from."""

    root: Literal["gumbel", "puct"] = Field("gumbel", description="rule of the root")
    considered: int = Field(16, ge=1, description="gumbel: actions that sequential halving begins with")
    visit_offset: float = Field(50.0, ge=0, description="gumbel: visits added in the weight of values")
    value_scale: float = Field(1.0, ge=0, description="gumbel: weight of values beside log-priors")
    alpha: float = Field(0.3, gt=0, description="puct: concentration of the Dirichlet noise")
    noise: float = Field(0.25, ge=0, le=1, description="puct: its share in the priors of the root")
    c: float = Field(1.0, ge=0, description="exploration below the root, and in it with puct")
    fpu: float = Field(0.2, description="how much less than its node an action never taken is worth")
    margin: float = Field(0.5, ge=0, le=1, description="share of the points margin in the value, the rest is rank")

    def below(self) -> Settings:
        """Of the nodes."""
        return Settings(c=self.c, fpu=self.fpu, margin=self.margin)

    def of_root(self) -> RootSettings:
        """Of the root."""
        return RootSettings(
            self.root, self.considered, self.visit_offset, self.value_scale, alpha=self.alpha, share=self.noise
        )


class SelfPlaySettings(Section):
    """Games against itself; a job is so many games of one number of players, played with one network."""

    games: int = Field(256, ge=1, description="of a job")
    trees: int = Field(256, ge=1, description="games side by side")
    simulations: int = Field(64, ge=1, description="of a full search, from which the policy learns")
    fast_simulations: int = Field(12, ge=1, description="of the other searches: played without noise, for values only")
    full_share: float = Field(0.25, gt=0, le=1, description="share of decisions that get a full search")
    drawn: int = Field(0, ge=0, description="first decisions of a game that are drawn from the improved policy")


class AlphaZeroLearningSettings(Section):
    """Replay and learner."""

    window: int = Field(500_000, ge=1, description="samples that replay keeps, rounded up to jobs")
    passes: float = Field(2.0, gt=0, description="samples learned from for each new one")
    minibatch: int = Field(1024, ge=2, description="samples")
    learning_rate: float = Field(1e-3, gt=0, description="at the start")
    final_learning_rate: float = Field(1e-4, gt=0, description="at the end; linear in between")
    weight_decay: float = Field(1e-4, ge=0, description="of AdamW")
    value_weight: float = Field(1.0, ge=0, description="of the value losses beside that of the policy")
    max_grad_norm: float = Field(1.0, gt=0, description="gradients are clipped to this norm")


class GateSettings(Section):
    """Matches that a network has to pass before it plays for training; without them each one does."""

    every: int = Field(0, ge=0, description="updates between matches; 0 = no gate")
    games: int = Field(100, ge=2, description="of a match, best actions without search")
    share: float = Field(0.5, ge=0, le=1, description="of games to win with 2 players; scaled to the par of more")


class RaySettings(Section):
    """Self-play on a Ray cluster (with --ray)."""

    actors: int = Field(2, ge=1, description="that play")
    in_flight: int = Field(2, ge=1, description="jobs that an actor has at a time, the one it plays included")
    cpus: float = Field(1.0, gt=0, description="cores of an actor; it plays on as many threads, at least one")
    gpus: float = Field(0.0, ge=0, description="GPUs of an actor, e.g. 0.25; 0 = its network runs on the cores")
    kilobytes: int = Field(32_768, ge=1, description="of an object that carries games, at most")
    retries: int = Field(3, ge=0, description="times that a job which fails in itself is given again")


class AlphaZeroConfig(Section):
    """All settings of ``terracotta train alphazero``."""

    run: AlphaZeroRunSettings = AlphaZeroRunSettings()
    network: AlphaZeroNetworkSettings = AlphaZeroNetworkSettings()
    search: SearchSettings = SearchSettings()
    selfplay: SelfPlaySettings = SelfPlaySettings()
    learning: AlphaZeroLearningSettings = AlphaZeroLearningSettings()
    gate: GateSettings = GateSettings()
    ray: RaySettings = RaySettings()
    evaluation: PpoEvaluationSettings = PpoEvaluationSettings()

    @model_validator(mode="after")
    def _fast_is_not_slow(self) -> AlphaZeroConfig:
        if self.selfplay.fast_simulations > self.selfplay.simulations:
            raise ValueError("selfplay.fast_simulations: expected at most selfplay.simulations")
        return self
