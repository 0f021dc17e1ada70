"""Periodic evaluation during a run: the learner, frozen, against bots and its own earlier snapshots.

Each evaluation is on setups of its own.  Every match plays each of its setups from every seat, all matches of one
number of players side by side.  Nothing here touches what the training depends on: it has random numbers, copies of
networks and bots of its own.
"""

from __future__ import annotations

import itertools
import math
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.neural.saved import load_network, save_network
from terracotta_agents.rows import RowPolicy
from terracotta_env.batch import Batch
from terracotta_env.policy import stream

from .checkpoint import copied
from .matches import play_seats, rotated
from .rated import RatedGames, RatingCurve, Snapshot, rating_curve, results_of, setup_digests
from .run_folder import versions

if TYPE_CHECKING:
    from .run import Run

SNAPSHOTS: Final = "snapshots"


class Rater:
    """Rates a run's learner now and then.

    Args:
        run: its folder holds ``snapshots/NNNNNN.safetensors`` (by number of updates) and ``ratings/``.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.folder = run.folder / SNAPSHOTS
        self.games = RatedGames(run.folder)

    def __enter__(self) -> Rater:
        """Drop what was rated after the checkpoint that the run goes on from: it comes again."""
        self.games.forget_after(self.run.updates)
        for update, path in self.saved().items():
            if update > self.run.updates:
                path.unlink()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nothing stays open."""

    def saved(self) -> dict[int, Path]:
        """Snapshots on disk by number of updates, oldest first."""
        return {int(path.stem): path for path in sorted(self.folder.glob("*.safetensors"))}

    def rate(self) -> str:
        """Freeze, save and rate the learner as it is now; returns what came out in a line, "" where it was done."""
        run, began = self.run, time.monotonic()
        clock = run.clock
        now = Snapshot(run.updates, clock.samples, round(clock.seconds / 60, 3))
        if any(snapshot.update == now.update for snapshot in self.games.snapshots):
            return ""
        first = not self.games.results
        past = self._past(now.update)
        self.folder.mkdir(exist_ok=True)
        save_network(self.folder / f"{now.update:06d}.safetensors", run.network, run.game, run.about())
        names = [name for name in dict.fromkeys(run.config.evaluation.opponents) if name in run.make_bots]
        policies: dict[str, RowPolicy] = {now.label: self._frozen(copied(run.network))}
        policies |= {name: run.make_bots[name]() for name in names}
        for update in past:
            label = Snapshot(update, 0, 0).label
            policies[label] = self._frozen(load_network(self.saved()[update], run.game)[0])
        matches = [(now.label, label) for label in policies if label != now.label]
        if first:  # the bots among themselves: their distances carry the scale
            matches += itertools.combinations(names, 2)
        results = [
            result
            for players in (sorted(set(run.config.run.players)) if matches else ())
            for result in self._play(players, policies, matches)
        ]
        self.games.add(now, names, results, self._about())
        self._thin_out()
        curve = rating_curve(self.games)
        run.summarise(curve)
        return _told(now, curve, time.monotonic() - began)

    def _frozen(self, network: Any) -> NetworkRows:
        return NetworkRows(self.run.game, network.cpu(), sample=False, half=self.run.config.run.half)

    def _past(self, update: int) -> list[int]:
        """The newest snapshot and the one nearest to half of the run so far."""
        saved = list(self.saved())
        if not saved:
            return []
        return sorted({saved[-1], min(saved, key=lambda other: abs(other - update / 2))})

    def _play(
        self, players: int, policies: dict[str, RowPolicy], matches: list[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        """All matches with one number of players: the first of each pair alone among the second."""
        run, settings = self.run, self.run.config.evaluation
        board = run.config.run.boards[0]
        labels = list(policies)
        count, first = math.ceil(settings.rating_games / players), self.games.next_setup(players)
        setups = np.tile(np.repeat(np.arange(first, first + count), players), len(matches))
        alone = np.array([labels.index(one) for one, _ in matches])
        among = np.array([labels.index(other) for _, other in matches])
        pattern = np.tile(rotated(count, players), (len(matches), 1))
        match = np.repeat(np.arange(len(matches)), count * players)[:, None]
        seating = np.where(pattern == 0, alone[match], among[match])
        seeds = np.array([stream(settings.seed, players, int(setup)) for setup in setups], np.uint64)
        rng = np.random.default_rng(stream(settings.seed, players, first, 1))
        digests = self._digests(players, board, seeds[::players][:count])
        played = play_seats(run.game, list(policies.values()), seating, seeds, rng, board)
        results = results_of(played, labels, seating, setups)
        return [{**result, "setup_digest": digests[result["setup"] - first]} for result in results]

    def _digests(self, players: int, board: str, seeds: np.ndarray) -> list[str]:
        batch = Batch(self.run.game, len(seeds), players, board)
        batch.reset(seeds=seeds)
        return setup_digests(self.run.game, batch.states)

    def _thin_out(self) -> None:
        """Keep a bounded number of snapshots, spread over the run: first and last always."""
        saved = self.saved()
        while len(saved) > self.run.config.evaluation.snapshots:
            updates = list(saved)
            inner = range(1, len(updates) - 1)
            closest = min(inner, key=lambda place: updates[place + 1] - updates[place - 1])
            saved.pop(updates[closest]).unlink()

    def _about(self) -> dict[str, Any]:
        game, config = self.run.game, self.run.config
        states = game.make_states(1)
        game.notation.write_board(states, config.run.boards[0])
        return {
            "game": game.name,
            "rules": game.rules_version,
            "board": game.notation.board_of(states),
            "seed": config.evaluation.seed,
            "sources": list(game.sources),
            "versions": versions(game),
        }


def _told(now: Snapshot, curve: RatingCurve | None, seconds: float) -> str:
    if curve is None:
        return ""
    point = curve.points[-1]
    fewest = min((players for players, _ in point.shares), default=0)
    shares = [f"{bot} {share.value:.0%}" for (players, bot), share in point.shares.items() if players == fewest]
    won = f", won with {fewest} players against {', '.join(shares)}" if shares else ""
    rating = f"{point.rating.value:+.0f} ± {point.rating.high - point.rating.value:.0f}"
    return f"rated update {now.update} ({now.minutes:.1f} min): Elo {rating}{won} ({seconds:.1f} s)"
