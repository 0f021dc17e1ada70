"""Games with programs, and a look at what is left of them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from terracotta_agents.forfeit import BotFault, forfeit_record
from terracotta_agents.protocol.agent import ExternalBot
from terracotta_agents.protocol.limits import Limits
from terracotta_env.game import Game
from terracotta_env.policy import Policy, Uniform, game_over_all
from terracotta_env.position import Position
from terracotta_env.record import play_record

FAULTY = Path(__file__).with_name("faulty_bot.py")
EXAMPLES = Path(__file__).resolve().parents[3] / "agents" / "protocol" / "examples"
QUICK = Limits(start=20.0, answer=0.7, quit=0.3, term=0.1)
MARK = "TERRACOTTA_TEST_OF_BOTS"  # a variable of the environment that all processes of a test inherit


def command(mode: str, flag: Path | None = None) -> list[str]:
    """A faulty bot.  ``-S -E`` only make Python start faster."""
    return [sys.executable, "-S", "-E", str(FAULTY), mode, *([] if flag is None else [str(flag)])]


def play(game: Game, policies: Sequence[Policy], seed: int = 0) -> dict[str, Any]:
    """A game as a runner plays it: its record, or that of the forfeit."""
    for seat, policy in enumerate(policies):
        policy.begin(1000 * seed + seat)
    position = Position.from_seed(game, len(policies), seed)
    try:
        return play_record(position, policies, meta={"seed": seed})
    except BotFault as fault:
        record = forfeit_record(position, fault)
        game_over_all(policies, {key: record[key] for key in ("vp", "ranking", "forfeit")})
        return record


def against_random(game: Game, bot: ExternalBot, players: int = 2, seat: int = 0, seed: int = 0) -> dict[str, Any]:
    """A game of the bot with random play in the other seats."""
    policies: list[Policy] = [Uniform() for _ in range(players)]
    policies[seat] = bot
    return play(game, policies, seed)


def marked(mark: str) -> list[int]:
    """Processes other than ours, zombies too, that inherited ``MARK=mark``."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                variables = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"{MARK}={mark}".encode() in variables:
                found.append(int(entry.name))
    return found


def zombies() -> list[int]:
    """Our own children that nobody has collected."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent, *_ = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            except (OSError, ValueError):
                continue
            if state == b"Z" and int(parent) == os.getpid():
                found.append(int(entry.name))
    return found


def group_is_gone(pid: int) -> bool:
    """No process of the group is left."""
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return True
    return False


def wait_until_gone(mark: str, seconds: float) -> list[int]:
    """What is left of the marked processes after at most so long."""
    until = time.monotonic() + seconds
    while (left := marked(mark)) and time.monotonic() < until:
        time.sleep(0.02)
    return left
