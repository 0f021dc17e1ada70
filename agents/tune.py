"""``python -m terracotta_agents.tune``: fit the weights of ``planner`` to how games between planners really end.

A *pass* for one number of players:

1. Games are played in which every seat plays with weights of its own, scattered around the current ones, so that all
   kinds of positions come up.  ``--candidates 0`` switches the sketches of sequels off, which is several times faster.
2. For the position after each turn, the difference between the final result (own VP less the ``rival`` share of the
   others') and the value that was expected is regressed on the derivatives of the value by the weights.  A ridge holds
   weights to which the games say little near where they were.  ``rival`` is a matter of taste and is not fitted.
3. The fitted weights, one set for each strength of the ridge, play the current ones from every seat of common setups;
   the best set becomes the current one if its margin is positive.

All setups come from :data:`TUNING_STREAM`, which nothing else uses: figures from an evaluation, whatever its seed, are
of games that the weights have never seen.  The file is written after every pass and read at the start: a run goes on
from it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import numpy as np

from terracotta_agents.planner.bot import SETTINGS, Planner
from terracotta_agents.planner.weights import NAMES, TABLE, TUNED, make_weights, read_weights
from terracotta_agents.turns.scratch import make_scratch
from terracotta_agents.turns.valuation import value_of
from terracotta_env.army import GAME
from terracotta_env.army.state import Decision
from terracotta_env.policy import stream
from terracotta_env.position import Position

TUNING_STREAM: Final = 0x7E44_AC07_7A00_0001  # reserved for setups that weights are tuned on
COLLECT, CHECK, SCATTER = range(3)  # second word of the stream: what the numbers are for
STEP: Final = 0.05  # of a weight, for its derivative
RIDGES: Final = (3.0, 1.0, 0.3, 0.1)

Weights = Mapping[str, float]


def setup_seed(seed: int, purpose: int, players: int, number: int) -> int:
    """Seed of a setup (or of a generator) of the reserved stream."""
    return stream(TUNING_STREAM, seed, purpose, players, number)


def make_planner(players: int, weights: Weights, candidates: int | None) -> Planner:
    """A planner with these weights; ``candidates`` None leaves its search as it is."""
    bot = Planner({players: weights})
    if candidates is not None:
        settings = SETTINGS.copy()
        settings["candidates"] = candidates
        bot.scratch = bot.scratch._replace(settings=settings)
    return bot


def scattered(weights: Weights, rng: np.random.Generator, spread: float) -> dict[str, float]:
    """Each weight moved by a normal ``spread`` of its size (or of 0.3), kept in its range; ``rival`` stays."""
    found = dict(weights)
    for name, _, low, high, _ in TABLE:
        if name != "rival":
            moved = found[name] + spread * float(rng.normal()) * max(abs(found[name]), 0.3)
            found[name] = min(max(moved, low), high)
    return found


def turn_ends(position: Position, bots: list[Planner]) -> list[tuple[int, np.ndarray]]:
    """Play a game; ``(seat that has just ended its turn, record)`` for each turn but the last of the game."""
    found: list[tuple[int, np.ndarray]] = []
    turn: tuple[int, int, int] | None = None
    while (seat := position.to_act) is not None:
        state = position.states[0]
        if state["decision"] in (Decision.ROTATE, Decision.PLACE):
            workers = int(state["craftsmen"][seat]) + int(state["artisans"][seat])
            now = (seat, int(state["game_round"]), workers)
            if turn is not None and now != turn:
                found.append((turn[0], position.states.copy()))
            turn = now
        position.play(bots[seat].act(position, position.mask()))
    return found


def collect(
    players: int, weights: Weights, games: int, seed: int, candidates: int, spread: float
) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the value by the weights, shape ``(S, W)``, and what it missed the result by, shape ``(S,)``."""
    record = make_weights({players: weights})
    scratch = make_scratch(SETTINGS, record)
    place = players - 2
    slopes, misses = [], []
    for game in range(games):
        rng = np.random.default_rng(setup_seed(seed, SCATTER, players, game))
        bots = [make_planner(players, scattered(weights, rng, spread), candidates) for _ in range(players)]
        position = Position.from_seed(GAME, players, setup_seed(seed, COLLECT, players, game))
        ends = turn_ends(position, bots)
        vp = np.array(position.points(), float)
        for seat, states in ends:
            scratch.states[0] = states[0]
            scratch.work["seat"] = seat
            value = value_of(scratch, 0)
            row = []
            for name in NAMES:
                before = float(record[name][place])
                record[name][place] = before + STEP
                row.append((value_of(scratch, 0) - value) / STEP)
                record[name][place] = before
            others = (vp.sum() - vp[seat]) / (players - 1)
            slopes.append(row)
            misses.append(vp[seat] - weights["rival"] * others - value)
    return np.array(slopes), np.array(misses)


def fit(slopes: np.ndarray, misses: np.ndarray, weights: Weights, ridge: float) -> dict[str, float]:
    """Weights that miss by less, held near ``weights`` by a ridge on steps in units of half their size."""
    now = np.array([weights[name] for name in NAMES])
    scale = 0.5 * np.maximum(np.abs(now), 0.3)
    scale[NAMES.index("rival")] = 0.0
    scaled = slopes * scale
    matrix = scaled.T @ scaled / len(scaled) + ridge * np.eye(len(now))
    moved = now + scale * np.linalg.solve(matrix, scaled.T @ misses / len(scaled))
    low, high = np.array([[entry[2], entry[3]] for entry in TABLE]).T
    return {name: round(float(value), 3) for name, value in zip(NAMES, np.clip(moved, low, high))}


def margin(players: int, one: Weights, other: Weights, setups: int, seed: int, candidates: int) -> tuple[float, float]:
    """Mean VP of ``one`` less those of its opponents, in each seat of common setups, and its standard error."""
    agent = make_planner(players, one, candidates)
    opponents = [make_planner(players, other, candidates) for _ in range(players - 1)]
    found = np.zeros((setups, players))
    for setup in range(setups):
        for seat in range(players):
            bots = [*opponents[:seat], agent, *opponents[seat:]]
            for bot in bots:
                bot.begin(0)
            position = Position.from_seed(GAME, players, setup_seed(seed, CHECK, players, setup))
            turn_ends(position, bots)
            vp = position.points()
            found[setup, seat] = vp[seat] - (sum(vp) - vp[seat]) / (players - 1)
    by_setup = found.mean(axis=1)
    return float(by_setup.mean()), float(by_setup.std(ddof=1) / np.sqrt(setups))


def all_weights(path: Path) -> dict[int, dict[str, float]]:
    """Every weight for every number of players: the file's, else the first guess."""
    record = make_weights(read_weights(path))
    return {n: {name: float(record[name][n - 2]) for name in NAMES} for n in GAME.players}


def write_weights(path: Path, weights: Mapping[int, Weights]) -> None:
    """Write the file that :func:`terracotta_agents.planner.weights.read_weights` reads."""
    lines = [
        "# Weights of `planner`, written by `python -m terracotta_agents.tune`; their meaning stands in weights.py."
    ]
    for players, by_name in sorted(weights.items()):
        lines += ["", f"[players{players}]", *(f"{name} = {value:.3f}" for name, value in by_name.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@click.command()
@click.option("--players", type=click.IntRange(2, 4), required=True, help="Number of players.")
@click.option("--passes", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--games", type=click.IntRange(min=20), default=600, show_default=True, help="Games to fit to, a pass.")
@click.option("--setups", type=click.IntRange(min=2), default=60, show_default=True, help="Setups of each check.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the first pass; then + 1.")
@click.option("--candidates", type=click.IntRange(min=0), default=0, show_default=True, help="Sequels sketched a turn.")
@click.option("--spread", type=click.FloatRange(0, 1), default=0.3, show_default=True, help="Scatter of the weights.")
@click.option(
    "--file", type=click.Path(path_type=Path), default=TUNED, show_default=False, help="Weights to go on from."
)
def main(
    players: int, passes: int, games: int, setups: int, seed: int, candidates: int, spread: float, file: Path
) -> None:
    """Tune the planner's weights for one number of players and write them to the file."""
    weights = all_weights(file)
    for number in range(seed, seed + passes):
        start = time.perf_counter()
        slopes, misses = collect(players, weights[players], games, number, candidates, spread)
        click.echo(
            f"pass {number}: {games} games, {len(misses)} positions, result missed by {misses.mean():+.1f} on average, "
            f"rms {np.sqrt((misses**2).mean()):.1f}, {time.perf_counter() - start:.0f} s"
        )
        best, best_margin = weights[players], 0.0
        for ridge in RIDGES:
            fitted = fit(slopes, misses, weights[players], ridge)
            mean, error = margin(players, fitted, weights[players], setups, number, candidates)
            click.echo(f"  ridge {ridge}: margin {mean:+.1f} +- {1.96 * error:.1f} VP over {setups * players} games")
            if mean > best_margin:
                best, best_margin = fitted, mean
        weights[players] = dict(best)
        write_weights(file, weights)
        click.echo(f"  kept: margin {best_margin:+.1f}; {json.dumps(weights[players])}")


if __name__ == "__main__":
    main()
