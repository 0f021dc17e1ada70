"""Settings of ``terracotta train ppo``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeFloat, model_validator

from .config import Section


class PpoRunSettings(Section):
    """What is played and for how long."""

    seed: int = Field(1, ge=0, lt=2**63, description="draws the network, setups, seats, opponents and actions")
    players: list[int] = Field(
        [2], min_length=1, description="numbers of players; games side by side take turns among them"
    )
    boards: list[str] = Field(["reconstructed"], min_length=1, description="printed data, drawn for each game")
    minutes: float = Field(5.0, ge=0, description="stop after this much training time; 0 = no limit")
    core_minutes: float = Field(0.0, ge=0, description="the same in processor time of all threads; 0 = no limit")
    samples: int = Field(
        0, ge=0, description="the same in the learner's decisions, rounded up to updates; 0 = no limit"
    )
    threads: int = Field(2, ge=1, le=256, description="of torch and of the games")
    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="of the network; auto: cuda where there is one")
    half: bool = Field(True, description="bfloat16 matrix products; weights stay float32")
    folder: str = Field("runs/ppo", min_length=1, description="run folder; a number is added if it exists")
    checkpoint_seconds: float = Field(60.0, gt=0, description="training time between checkpoints")

    @model_validator(mode="after")
    def _has_an_end(self) -> PpoRunSettings:
        if not self.minutes and not self.samples and not self.core_minutes:
            raise ValueError("minutes, core_minutes and samples are all 0: the run would never end")
        return self


class NetworkSettings(Section):
    """The network."""

    kind: Literal["perceptron", "structured"] = Field("structured", description="which one")
    width: int = Field(256, ge=8, description="of the shared layers")
    blocks: int = Field(1, ge=0, description="residual blocks after the first layer")
    channels: int = Field(48, ge=4, description="structured only: features of a place")
    layers: int = Field(2, ge=0, description="structured only: residual convolutions")
    grids: int = Field(0, ge=0, le=1, description="structured only: 1 = towers for grids too, 0 = for lines of places")
    previews: int = Field(
        64, ge=0, description="hidden units that judge what each legal action changes at once; 0 = not looked at"
    )

    def options(self) -> dict[str, int]:
        """Arguments of this kind of network."""
        own = {"perceptron": (), "structured": ("channels", "layers", "grids")}[self.kind]
        return {name: getattr(self, name) for name in ("width", "blocks", *own, "previews")}


class LearningSettings(Section):
    """PPO."""

    games: int = Field(512, ge=1, description="side by side")
    steps: int = Field(64, ge=1, description="decisions of each game between updates")
    minibatch: int = Field(1024, ge=2, description="samples")
    epochs: int = Field(1, ge=1, description="passes over the samples of an update")
    learning_rate: float = Field(3e-4, gt=0, description="at the start")
    final_learning_rate: float = Field(5e-5, gt=0, description="at the end; linear in between")
    gamma: float = Field(1.0, gt=0, le=1, description="discount")
    gae_lambda: float = Field(0.97, ge=0, le=1, description="bias-variance trade of the advantages")
    discount: Literal["decision", "turn"] = Field("decision", description="where gamma and lambda are applied")
    clip_range: float = Field(0.2, gt=0, description="of the policy ratio")
    entropy: float = Field(0.005, ge=0, description="weight of the entropy bonus at the start")
    final_entropy: float = Field(0.001, ge=0, description="at the end")
    value_weight: float = Field(0.5, ge=0, description="of the value loss")
    max_grad_norm: float = Field(0.5, gt=0, description="gradients are clipped to this norm")
    rank_weight: float = Field(0.5, ge=0, description="of the final rank in the advantage")
    margin_weight: float = Field(2.0, ge=0, description="of points over the mean of the others as they are earned")


class ImitationSettings(Section):
    """A head start: for the first part of the run the network learns what a bot does."""

    bot: str = Field("planner-quick", description="who is imitated")
    share: float = Field(0.5, ge=0, le=1, description="of the run; 0 = from nothing, by self-play alone")
    settle: float = Field(0.05, ge=0, le=1, description="share of the run after it in which only values are learned")
    learning_rate: float = Field(1e-3, gt=0, description="at the start of imitation")
    final_learning_rate: float = Field(3e-4, gt=0, description="at its end, and while values settle")
    epochs: int = Field(3, ge=1, description="passes over the samples of an update while imitating")
    astray: float = Field(0.25, ge=0, le=1, description="share of games that the learner plays, told by the bot")
    astray_from: float = Field(0.2, ge=0, le=1, description="share of imitation after which it does")


class LeagueSettings(Section):
    """Who sits opposite."""

    self: float = Field(
        0.8, ge=0, le=1, description="share of games that the learner plays against itself in all seats"
    )
    past: float = Field(1.0, ge=0, description="weight of frozen past selves, together")
    bots: dict[str, NonNegativeFloat] = Field({"greedy": 1.0}, description="weights of bots by name")
    size: int = Field(8, ge=1, description="past selves kept")
    freeze_updates: int = Field(20, ge=1, description="updates between past selves")
    power: float = Field(1.0, ge=0, description="how much more often hard opponents are drawn; 0 = evenly")


class PpoEvaluationSettings(Section):
    """Matches during and after training."""

    every_minutes: float = Field(5.0, ge=0, description="training time between evaluations; 0 = none")
    rating_games: int = Field(24, ge=2, description="of each match of an evaluation during training")
    snapshots: int = Field(16, ge=2, description="networks that evaluations keep on disk, spread over the run")
    games: int = Field(400, ge=2, description="of each match after training")
    opponents: list[str] = Field(["random", "busy", "greedy"], min_length=1, description="agent codes")
    seed: int = Field(20_000, ge=0, lt=2**63, description="setups, apart from those of training")


class PpoConfig(Section):
    """All settings of ``terracotta train ppo``."""

    run: PpoRunSettings = PpoRunSettings()
    network: NetworkSettings = NetworkSettings()
    learning: LearningSettings = LearningSettings()
    imitation: ImitationSettings = ImitationSettings()
    league: LeagueSettings = LeagueSettings()
    evaluation: PpoEvaluationSettings = PpoEvaluationSettings()
