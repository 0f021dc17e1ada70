"""The commands ``train`` and ``evaluate``."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

if TYPE_CHECKING:
    from .config import Section
    from .evaluate import Match
    from .progress import AnyClock
    from .run import Run

Config = TypeVar("Config", bound="Section")


class Trained(Protocol):
    """A run of any learner."""

    folder: Path

    @property
    def clock(self) -> AnyClock:
        """How far it is."""

    def train(self) -> bool:
        """Learn to the end; False if interrupted, and saved either way."""


@click.group()
def train() -> None:
    """Train an agent by self-play."""


def _run_options(command: Any) -> Any:
    """The arguments that every learner takes."""
    for decorate in (
        click.argument("overrides", nargs=-1, metavar="[SECTION.KEY=VALUE]..."),
        click.option(
            "--resume", type=click.Path(file_okay=False, path_type=Path), help="Go on with this folder's run."
        ),
        click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="TOML file; else the defaults."),
    ):
        command = decorate(command)
    return command


@train.command()
@_run_options
def sb3(config: Path | None, resume: Path | None, overrides: tuple[str, ...]) -> None:
    """Train sb3-contrib's MaskablePPO, then play it against the baselines and print the table.

    Settings come from the file, then from overrides such as run.minutes=60.  Ctrl-C saves; --resume FOLDER goes on.
    """
    from .config import Sb3Config

    settings = _settings(Sb3Config, config, resume, overrides)
    from terracotta_env.army import GAME

    from .sb3 import ACTOR, Trainer

    if settings is not None:
        _check(settings.run.boards, settings.evaluation.opponents)
        trainer = Trainer.start(GAME, settings)
    else:
        assert resume is not None
        trainer = Trainer.resume(GAME, resume)
    _train(trainer, "sb3")
    run, evaluation = trainer.config.run, trainer.config.evaluation
    code = f"{'net-sample' if evaluation.sample else 'net'}:{trainer.folder / ACTOR}"
    matches = _play(code, evaluation.opponents, run.players, evaluation.games, evaluation.seed, run.boards[0])
    _show(matches, trainer.folder / "evaluation.json", run.boards[0], evaluation.seed)
    picture = trainer.folder / "curve.png"
    click.echo(f"learning curve: {picture}    agent: {code}" if picture.exists() else f"agent: {code}")


@train.command()
@_run_options
@click.option("--keys", is_flag=True, help="Print every key with its default, range and meaning, and stop.")
def ppo(config: Path | None, resume: Path | None, overrides: tuple[str, ...], keys: bool) -> None:
    """Train a network by PPO self-play, then play it against bots and print the table.

    Settings come from the file, then from overrides such as run.minutes=60; --keys lists them.  Ctrl-C saves; --resume
    FOLDER goes on.
    """
    from .ppo_config import PpoConfig

    if keys:
        from .keys import markdown_table

        click.echo(markdown_table(PpoConfig), nl=False)
        return
    settings = _settings(PpoConfig, config, resume, overrides)
    from .ppo import PpoRun

    _learn(PpoRun, settings, resume, "ppo", _train)


@train.command()
@_run_options
@click.option("--keys", is_flag=True, help="Print every key with its default, range and meaning, and stop.")
@click.option(
    "--ray",
    "address",
    metavar="local|ADDRESS",
    help="Self-play on a Ray cluster: local begins one on this machine, else the address of one.",
)
@click.option("--actors", type=click.IntRange(min=1), help="Actors that play, instead of ray.actors; with --ray.")
def alphazero(
    config: Path | None,
    resume: Path | None,
    overrides: tuple[str, ...],
    keys: bool,
    address: str | None,
    actors: int | None,
) -> None:
    """Train a network by AlphaZero self-play, then play it against bots and print the table.

    Settings come from the file, then from overrides such as run.minutes=60; --keys lists them.  Ctrl-C saves; --resume
    FOLDER goes on, on Ray or not.
    """
    from .alphazero_config import AlphaZeroConfig

    if keys:
        from .keys import markdown_table

        click.echo(markdown_table(AlphaZeroConfig), nl=False)
        return
    if actors is not None and address is None:
        raise click.UsageError("--actors goes with --ray: give --ray local, or the address of a cluster")
    settings = _settings(AlphaZeroConfig, config, resume, overrides)
    from .alphazero import AlphaZeroRun

    if address is None:
        _learn(AlphaZeroRun, settings, resume, "alphazero", _train)
        return
    from .ray_cluster.cluster import cluster

    ray = (settings if settings is not None else AlphaZeroRun.read_config(resume or Path())).ray
    ray = ray if actors is None else ray.model_copy(update={"actors": actors})
    with cluster(address, ray):  # before a folder is made
        from .ray_cluster.source import RaySource

        def train_on_ray(run: Any, command: str) -> None:
            with closing(RaySource(run, ray)) as run.source:
                _train(run, command)

        _learn(AlphaZeroRun, settings, resume, "alphazero", train_on_ray)


def _learn(
    kind: type[Run], settings: Any, resume: Path | None, command: str, train_it: Callable[[Run, str], None]
) -> None:
    """Begin a run of our own learners, or go on with one, to its end; then the matches and the summary."""
    from terracotta_agents.rows import ROW_BOTS, TEACHERS
    from terracotta_env.army import GAME

    from .run import NETWORK
    from .summary import EVALUATION, HTML

    if settings is not None:
        kind.check(GAME, settings, TEACHERS)
        _check(settings.run.boards, settings.evaluation.opponents)
        run = kind.start(GAME, settings, TEACHERS)
    else:
        assert resume is not None
        run = kind.resume(GAME, resume, TEACHERS)
    try:
        train_it(run, command)
        from .final import final_matches

        evaluation, board = run.config.evaluation, run.config.run.boards[0]
        _show(final_matches(run, ROW_BOTS, _bar), run.folder / EVALUATION, board, evaluation.seed)
    finally:
        run.summarise()
    click.echo(f"summary: {run.folder / HTML}    agent: net:{run.folder / NETWORK}")


def _settings(model: type[Config], config: Path | None, resume: Path | None, overrides: Sequence[str]) -> Config | None:
    """Settings of a new run, None where one is gone on with."""
    from .config import ConfigError, load_config

    if resume is not None and (config is not None or overrides):
        raise ConfigError("--resume goes on with the settings of the run: leave out --config and overrides")
    settings = load_config(model, config, overrides) if resume is None else None
    # waiting threads sleep instead of spinning: with other load on the machine torch is several times faster so
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    click.echo("loading the learner and compiling the game (the first time takes a minute) ...", err=True)
    return settings


def _check(boards: Sequence[str], opponents: Sequence[str]) -> None:
    """Told before a folder is made and minutes are spent."""
    from terracotta_agents.registry import close_agents, make_agent
    from terracotta_env.army import GAME

    for board in boards:
        GAME.notation.write_board(GAME.make_states(1), board)
    for opponent in opponents:
        close_agents([make_agent(opponent)])


def _train(run: Trained, command: str) -> None:
    """Train to the end, or say how to go on."""
    click.echo(f"run folder: {run.folder}", err=True)
    if not run.train():
        click.echo(f"saved; go on with  terracotta train {command} --resume {run.folder}", err=True)
        raise click.Abort
    click.echo(f"trained on {run.clock.samples:,} decisions in {run.clock.seconds / 60:.1f} minutes")


@click.command()
@click.argument("agent")
@click.option(
    "--against", default="random,busy", show_default=True, metavar="A,B,..", help="Each fills all other seats."
)
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option("--games", type=click.IntRange(min=1), default=400, show_default=True, help="Against each.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=20_000, show_default=True, help="Draws the setups.")
@click.option("--board", default="reconstructed", show_default=True)
def evaluate(agent: str, against: str, players: int, games: int, seed: int, board: str) -> None:
    """Play AGENT (a code such as busy or net:PATH) from every seat of common setups and print win share and VP."""
    from terracotta_agents.registry import split_codes

    matches = _play(agent, split_codes(against), players, games, seed, board)
    _show(matches, None, board, seed)


def _play(code: str, against: Sequence[str], players: int, games: int, seed: int, board: str) -> list[Match]:
    from terracotta_agents.registry import make_agent, make_rows
    from terracotta_env.army import GAME

    from .evaluate import play_match
    from .matches import play_rows

    matches = []
    for opponent in against:
        make_agent(opponent)  # a wrong code is told before the first match
    for opponent in against:
        rows = make_rows(code), make_rows(opponent)
        if rows[0] is not None and rows[1] is not None:
            asked = (players, games, seed, (code, opponent), board)
            matches.append(play_rows(GAME, rows[0](), rows[1](), *asked))
            continue
        make_both = (partial(make_agent, code), partial(make_agent, opponent))
        bar = _bar(opponent, math.ceil(games / players))
        matches.append(play_match(GAME, *make_both, players, games, seed, board, bar))
    return matches


def _bar(opponent: str, setups: int) -> Callable[[Iterator[int]], Iterator[int]]:
    """Shows how far a match is."""

    def progress(played: Iterator[int]) -> Iterator[int]:
        with click.progressbar(played, length=setups, label=f"against {opponent}", file=sys.stderr) as bar:
            yield from bar

    return progress


def _number(value: float) -> float | None:
    """None where there is no number, as strict JSON wants it: one setup alone has no spread."""
    return None if math.isnan(value) else value


def _interval(half: float) -> str:
    return "" if math.isnan(half) else f" ± {half:.1f}"


def _show(matches: Sequence[Match], file: Path | None, board: str, seed: int) -> None:
    from rich.console import Console
    from rich.table import Table

    from .run_folder import write_json

    players = matches[0].players
    title = (
        f"{players} players, board {board}, setups from seed {seed}, all seats; 95 % intervals (par {1 / players:.0%})"
    )
    table = Table("opponent", "games", "games won", "mean VP", "opponents' mean VP", "margin", title=title)
    results = []
    for match in matches:
        share, low, high = match.win_share()
        (vp, vp_half), (others, others_half) = match.mean(match.points), match.mean(match.others)
        margin, margin_half = match.mean(match.points - match.others)
        table.add_row(
            match.opponent,
            str(match.games),
            f"{share:.1%} ({low:.1%} - {high:.1%})",
            f"{vp:.1f}{_interval(vp_half)}",
            f"{others:.1f}{_interval(others_half)}",
            f"{margin:+.1f}{_interval(margin_half)}",
        )
        results.append(
            {
                "agent": match.agent,
                "opponent": match.opponent,
                "players": players,
                "games": match.games,
                "board": board,
                "seed": seed,
                "win_share": {"value": share, "low": low, "high": high},
                "vp": {"mean": vp, "half_width": _number(vp_half)},
                "opponents_vp": {"mean": others, "half_width": _number(others_half)},
                "margin": {"mean": margin, "half_width": _number(margin_half)},
            }
        )
    Console(width=None if Console().is_terminal else 120).print(table)
    if file is not None:
        write_json(file, results)
