"""Making a data set part by part, on one or more processes; each part is made by itself and is the same wherever."""

from __future__ import annotations

import importlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Final

import numpy as np

from terracotta_agents.arena.processes import prepared
from terracotta_env.game import Game, load_game

from .collect import collect
from .extras import extras_of
from .folder import FORMAT, DatasetError, Folder
from .players import Player, find_player
from .playing import BLOCK, Table
from .tables import SCHEMA_VERSION, Shape

QUICK_PART: Final = 20_000  # games of a part where kernels play all: some seconds of work
SLOW_PART: Final = 2 * BLOCK  # where anybody else plays


@dataclass(frozen=True)
class Settings:
    """What is played and kept.

    Attributes:
        game_module, game_name: what registers the game, and its name.
        agents: codes by seat of the first game; their number is that of the players.
        games: number of games.
        seed: 0..2**64 - 1.
        board: name or path of the printed data, None for the game's default.
        rotate: play each setup from every seat.
        decisions: keep the decisions.
        part: games of a part, None for what suits the agents.
        find: makes an agent of a code; a function at the top of a module, for other processes look it up.
        extras: module that registers the game's own columns, which every process imports; None for none.
    """

    game_module: str
    game_name: str
    agents: tuple[str, ...]
    games: int
    seed: int = 0
    board: str | None = None
    rotate: bool = False
    decisions: bool = False
    part: int | None = None
    find: Callable[[str], Player] = find_player
    extras: str | None = None


class Maker:
    """Makes the parts of one data set.

    Raises:
        DatasetError: there are not as many agents as the game takes players.
        AgentError, BoardError: an agent or the board is not known.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.game: Game = load_game(settings.game_module, settings.game_name)
        if settings.extras is not None:
            importlib.import_module(settings.extras)
        if len(settings.agents) not in self.game.players:
            few = ", ".join(map(str, self.game.players))
            raise DatasetError(f"agents: expected one for each seat, {few} of them, got {len(settings.agents)}")
        known = {code: settings.find(code) for code in dict.fromkeys(settings.agents)}
        self.players = [known[code] for code in settings.agents]
        board = settings.board if settings.board is not None else self.game.default_board
        states = self.game.make_states(1)
        self.game.notation.write_board(states, board)
        self.board_name, self.board_data = self.game.notation.board_of(states), self.game.notation.board_data_of(states)
        self.table = Table(self.game, self.players, settings.seed, board, settings.rotate)
        self.shape = Shape(self.game, settings.agents, self.board_name, settings.decisions)

    @cached_property
    def part(self) -> int:
        """Games of a part."""
        if self.settings.part is not None:
            return self.settings.part
        return QUICK_PART if all(player.rollout is not None for player in self.players) else SLOW_PART

    @property
    def parts(self) -> int:
        return -(-self.settings.games // self.part)

    def range_of(self, part: int) -> tuple[int, int]:
        """First game of a part, and the one after its last."""
        return part * self.part, min((part + 1) * self.part, self.settings.games)

    def manifest(self) -> dict[str, Any]:
        """All that decides about the content, and what every column means."""
        settings, extras = self.settings, extras_of(self.game)
        about = [
            {"code": player.code, "name": player.name, "version": player.version}
            | ({"sha256": player.digest} if player.digest else {})
            for player in self.players
        ]
        return {
            "format": FORMAT,
            "schema": SCHEMA_VERSION,
            "extras": None if extras is None else {"name": extras.name, "version": extras.version},
            "game": self.game.name,
            "rules": self.game.rules_version,
            "board": self.board_name,
            "board_data": self.board_data,
            "notes": dict(self.game.notes),
            "agents": about,
            "players": len(self.players),
            "rotate": settings.rotate,
            "games": settings.games,
            "seed": settings.seed,
            "part": self.part,
            "tables": self.shape.describe(),
        }

    def make(self, part: int, folder: Folder) -> int:
        """Play and write a part; returns its number of games."""
        first, last = self.range_of(part)
        played = self.table.play(first, last)
        collected = collect(self.game, len(self.players), self.table.board, played)
        seating = self.table.seating(np.arange(first, last))
        folder.write(part, self.shape.tables(first, played, collected, seating))
        return last - first


def make_dataset(
    settings: Settings,
    path: Path,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda games: None,
    asked: Callable[[], bool] = lambda: False,
) -> bool:
    """Make a data set, or go on with it.

    Args:
        settings: what to play.
        path: its folder.
        jobs: processes.
        progress: told the number of games of each part that is there, found or made.
        asked: looked at between parts: should it stop?

    Returns:
        False if it was stopped before its end.

    Raises:
        DatasetError: see :class:`Maker` and :meth:`Folder.held`.
    """
    maker, folder = Maker(settings), Folder(path)
    with folder.held(maker.manifest()):
        missing = []
        for part in range(maker.parts):
            first, last = maker.range_of(part)
            if folder.has(part):
                progress(last - first)
            else:
                missing.append(part)
        if jobs > 1 and len(missing) > 1:
            made = _on_processes(settings, path, min(jobs, len(missing)), missing, asked)
        else:
            made = (maker.make(part, folder) for part in missing if not asked())
        done = 0
        for games in made:
            done += 1
            progress(games)
        return done == len(missing)


_maker: Maker  # of a process that makes parts: agents are made once


def _begin(settings: Settings) -> None:
    """A process begins: it leaves Ctrl-C to the leading one, and does not outlive it."""
    global _maker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_leader, daemon=True).start()
    _maker = Maker(settings)


def _end_with_leader() -> None:
    if (leader := parent_process()) is not None:
        leader.join()
        os._exit(1)


def _make(part: int, path: Path) -> int:
    return _maker.make(part, Folder(path))


def _on_processes(
    settings: Settings, path: Path, jobs: int, parts: Sequence[int], asked: Callable[[], bool]
) -> Iterator[int]:
    """Yields the number of games of each part as it is done."""
    context = prepared([__name__])
    todo = iter(parts)
    with ProcessPoolExecutor(jobs, context, _begin, (settings,)) as pool:
        try:
            # no more are handed out than are worked on: whoever stops waits for these only
            running: set[Future[int]] = {pool.submit(_make, part, path) for part in islice(todo, jobs)}
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                    if not asked() and (part := next(todo, None)) is not None:
                        running.add(pool.submit(_make, part, path))
        except BrokenProcessPool:
            raise DatasetError(
                f"{path}: a process that made games has ended (out of memory?): the same call goes on"
            ) from None
