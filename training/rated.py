"""The games that rate a run's snapshots, in the arena's own format: ``terracotta arena report RUN/ratings`` reads them.

    ratings/config.json      agents with the samples and minutes of each snapshot, numbers of players, setups
    ratings/results.jsonl    one line a game, appended after each evaluation

Knows nothing of networks: who played is a label.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from terracotta_agents.arena.folder import CONFIG, FORMAT, RESULTS, VERSION, Folder
from terracotta_agents.arena.outcome import ranks, win_credit
from terracotta_agents.arena.ratings import fit
from terracotta_agents.arena.setups import digest_of
from terracotta_agents.arena.stats import Estimate, share
from terracotta_env.game import NOBODY, Game

from .matches import Played
from .run_folder import write_atomically, write_json

FOLDER: Final = "ratings"


def results_of(played: Played, names: Sequence[str], seating: np.ndarray, setups: np.ndarray) -> list[dict[str, Any]]:
    """Result lines of games, as the arena writes them; nobody's time was taken.

    Args:
        played: N finished games of n players.
        names: labels of the policies.
        seating: shape ``(N, n)``, index of the policy in each seat.
        setups: shape ``(N,)``, number of each game's setup.
    """
    game, (n, players) = played.batch.game, seating.shape
    points, returns = played.points(), played.returns()
    ledgers = np.zeros((players, n, len(game.sources)), np.int64)
    for seat in range(players):
        played.batch.ledgers(ledgers[seat], np.full(n, seat))
    results = []
    for row in range(n):
        agents = [names[number] for number in seating[row]]
        going = played.deciders[:, row] != NOBODY
        order = list(dict.fromkeys(played.deciders[going, row].tolist()))
        tokens = [game.tokens[action] for action in played.actions[going, row]]
        payoffs = returns[row, :players]
        results.append(
            {
                "game": f"{players}p:{setups[row]}:{'|'.join(agents)}",
                "players": players,
                "setup": int(setups[row]),
                "agents": agents,
                "order": [*order, *(seat for seat in range(players) if seat not in order)],
                "vp": points[row, :players].tolist(),
                "ranking": np.argsort(-payoffs, kind="stable").tolist(),
                "ranks": ranks(payoffs.tolist()),
                "sources": ledgers[:, row].tolist(),
                "decisions": len(tokens),
                "digest": hashlib.sha256("\n".join(tokens).encode()).hexdigest()[:16],
                "forfeit": None,
                "asked": [0] * players,
                "seconds": [0.0] * players,
                "slowest": [0.0] * players,
            }
        )
    return results


def setup_digests(game: Game, states: np.ndarray) -> list[str]:
    """Digest of each setup, by which the arena tells equal ones; ``states`` before the first decision."""
    return [digest_of(game.notation.setup_of(states[row : row + 1])) for row in range(len(states))]


@dataclass(frozen=True)
class Snapshot:
    """A frozen learner.

    Attributes:
        update: number of updates that made it.
        samples, minutes: what it had cost.
    """

    update: int
    samples: int
    minutes: float

    @property
    def label(self) -> str:
        return f"update-{self.update}"


class RatedGames:
    """``ratings/`` of a run's folder.

    Args:
        run: folder of the run.
    """

    def __init__(self, run: Path) -> None:
        self.path = run / FOLDER
        self.snapshots: list[Snapshot] = []
        self.bots: list[str] = []
        self.results: list[dict[str, Any]] = []
        if (self.path / CONFIG).exists():
            agents = Folder(self.path).config()["agents"]
            self.bots = [agent["label"] for agent in agents if "update" not in agent]
            self.results = Folder(self.path).results()
            played = {agent for result in self.results for agent in result["agents"]}  # a kill may have come between
            snapshots = [Snapshot(a["update"], a["samples"], a["minutes"]) for a in agents if "update" in a]
            self.snapshots = [snapshot for snapshot in snapshots if snapshot.label in played]

    def forget_after(self, update: int) -> None:
        """Drop what later snapshots played: the run goes on from before they were made."""
        if not (self.path / CONFIG).exists():
            return
        gone = {snapshot.label for snapshot in self.snapshots if snapshot.update > update}
        self.snapshots = [snapshot for snapshot in self.snapshots if snapshot.label not in gone]
        self.results = [result for result in self.results if not gone & set(result["agents"])]
        write_atomically(self.path / RESULTS, _lines(self.results))

    def next_setup(self, players: int) -> int:
        """The first setup for this number of players that no game has used."""
        return 1 + max((result["setup"] for result in self.results if result["players"] == players), default=-1)

    def add(self, snapshot: Snapshot, bots: Sequence[str], results: Sequence[dict[str, Any]], about: Any) -> None:
        """Append one evaluation.

        Args:
            snapshot: who was rated.
            bots: labels of the bots.
            results: its games.
            about: what the arena's settings say of the games, JSON values.
        """
        self.snapshots.append(snapshot)
        self.bots = list(dict.fromkeys([*self.bots, *bots]))
        self.results += results
        codes = {one.label: f"net:{self.path.parent}/snapshots/{one.update:06d}.safetensors" for one in self.snapshots}
        agents = [{"label": bot, "code": bot, "name": bot, "version": 1} for bot in self.bots]
        agents += [
            {"label": one.label, "code": codes[one.label], "name": "net", "version": 1, **vars(one)}
            for one in self.snapshots
        ]
        counts = sorted({result["players"] for result in self.results})
        self.path.mkdir(exist_ok=True)
        settings = {
            "format": FORMAT,
            "version": VERSION,
            **about,
            "codes": [agent["code"] for agent in agents],
            "players": counts,
            "games": None,
            "setups": {str(players): self.next_setup(players) for players in counts},
            "suite": None,
            "records": False,
            "move_seconds": None,
            "sprt": None,
            "agents": agents,
        }
        write_json(self.path / CONFIG, settings)  # first: games of somebody it does not name could not be read
        with (self.path / RESULTS).open("a", encoding="utf-8") as file:
            file.write(_lines(results))
            file.flush()
            os.fsync(file.fileno())


def _lines(results: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(result, ensure_ascii=False) + "\n" for result in results)


@dataclass(frozen=True)
class Point:
    """A snapshot's strength.

    Attributes:
        snapshot: who.
        rating: Elo over the mean of all bots and snapshots.
        shares: win share by number of players and bot; a bot fills all other seats.
    """

    snapshot: Snapshot
    rating: Estimate
    shares: Mapping[tuple[int, str], Estimate]


@dataclass(frozen=True)
class RatingCurve:
    """All snapshots, oldest first, and the bots, on one scale.

    Attributes:
        points: of the snapshots.
        bots: rating by name.
        one_sided: somebody won or lost everything: the prior bounds the ratings.
    """

    points: Sequence[Point]
    bots: Mapping[str, Estimate]
    one_sided: bool


def rating_curve(games: RatedGames) -> RatingCurve | None:
    """One fit of all games; None while there are none."""
    snapshots, bots = games.snapshots, games.bots
    names = [*bots, *(snapshot.label for snapshot in snapshots)]
    if len(names) < 2:
        return None
    ratings = fit(games.results, names)
    shares = _shares(games.results, bots)
    points = [Point(one, ratings.agents[one.label], shares.get(one.label, {})) for one in snapshots]
    return RatingCurve(points, {bot: ratings.agents[bot] for bot in bots}, ratings.one_sided)


def _shares(results: Sequence[Mapping[str, Any]], bots: Sequence[str]) -> dict[str, dict[tuple[int, str], Estimate]]:
    """Win shares of each snapshot by number of players and bot, from the games that it played alone among that bot."""
    games: dict[tuple[str, int, str], list[tuple[float, int]]] = {}
    for result in results:
        agents = result["agents"]
        if len(others := [agent for agent in agents if agent not in bots]) == 1:
            [bot] = set(agents) - set(others)
            credit = win_credit(result["ranks"])[agents.index(others[0])]
            games.setdefault((others[0], result["players"], bot), []).append((credit, result["setup"]))
    shares: dict[str, dict[tuple[int, str], Estimate]] = {}
    for (label, players, bot), of in sorted(games.items()):
        credits, setups = (np.array(column) for column in zip(*of, strict=True))
        shares.setdefault(label, {})[players, bot] = share(credits, setups)
    return shares
