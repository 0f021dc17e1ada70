"""The commands ``train`` and ``evaluate``."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from .evaluate import Match


@click.group()
def train() -> None:
    """Train an agent by self-play."""


@train.command()
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="TOML file; without it the defaults.")
@click.option("--resume", type=click.Path(file_okay=False, path_type=Path), help="Go on with the run in this folder.")
@click.argument("overrides", nargs=-1, metavar="[SECTION.KEY=VALUE]...")
def sb3(config: Path | None, resume: Path | None, overrides: tuple[str, ...]) -> None:
    """Train sb3-contrib's MaskablePPO, then play it against the baselines and print the table.

    Settings come from the file, then from overrides such as run.minutes=60.  Ctrl-C saves; --resume FOLDER goes on.
    """
    from .config import ConfigError, Sb3Config, load_config

    if resume is not None and (config is not None or overrides):
        raise ConfigError("--resume goes on with the settings of the run: leave out --config and overrides")
    settings = load_config(Sb3Config, config, overrides) if resume is None else None
    # waiting threads sleep instead of spinning: with other load on the machine torch is several times faster so
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    click.echo("loading the learner and compiling the game (the first time takes a minute) ...", err=True)
    from terracotta_env.army import GAME

    from .sb3 import ACTOR, Trainer

    if settings is not None:  # told before a folder is made and minutes are spent
        from agents.registry import make_agent

        for board in settings.run.boards:
            GAME.notation.write_board(GAME.make_states(1), board)
        for opponent in settings.evaluation.opponents:
            make_agent(opponent)
    if settings is None:
        assert resume is not None
        trainer = Trainer.resume(GAME, resume)
    else:
        trainer = Trainer.start(GAME, settings)
    click.echo(f"run folder: {trainer.folder}", err=True)
    if not trainer.train():
        click.echo(f"saved; go on with  terracotta train sb3 --resume {trainer.folder}", err=True)
        raise click.Abort
    run, evaluation = trainer.config.run, trainer.config.evaluation
    click.echo(f"trained on {trainer.clock.samples:,} decisions in {trainer.clock.seconds / 60:.1f} minutes")
    code = f"{'net-sample' if evaluation.sample else 'net'}:{trainer.folder / ACTOR}"
    matches = _play(code, evaluation.opponents, run.players, evaluation.games, evaluation.seed, run.boards[0])
    _show(matches, trainer.folder / "evaluation.json", run.boards[0], evaluation.seed)
    picture = trainer.folder / "curve.png"
    click.echo(f"learning curve: {picture}    agent: {code}" if picture.exists() else f"agent: {code}")


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
    from agents.registry import split_codes

    matches = _play(agent, split_codes(against), players, games, seed, board)
    _show(matches, None, board, seed)


def _play(code: str, against: Sequence[str], players: int, games: int, seed: int, board: str) -> list[Match]:
    from agents.registry import make_agent
    from terracotta_env.army import GAME

    from .evaluate import play_match

    matches = []
    for opponent in against:
        make_agent(opponent)  # a wrong code is told before the first match
    for opponent in against:

        def progress(setups: Iterator[int], opponent: str = opponent) -> Iterator[int]:
            with click.progressbar(
                setups, length=-(-games // players), label=f"against {opponent}", file=sys.stderr
            ) as bar:
                yield from bar

        make_both = (partial(make_agent, code), partial(make_agent, opponent))
        matches.append(play_match(GAME, *make_both, players, games, seed, board, progress))
    return matches


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
