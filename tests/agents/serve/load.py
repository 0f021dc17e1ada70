"""Many visitors at once: how long a load of the page takes while they play against a search.

    python -m tests.agents.serve.load --sessions 50 --seconds 60

The server runs in a process of its own, as ``terracotta serve`` starts it; the visitors are here.  Each plays a game
against the bot and decides as soon as it is asked, without a pause to think, or with one of ``--pause`` seconds in the
mean.  All the while the page is loaded again and again as a browser without a cache does it: the document, its files
side by side, then what it asks of the interface.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

import click
import httpx

from terracotta_agents.serve.pages import page_files
from tests.agents.serve.test_command import served

PAGE_EVERY = 0.5  # seconds


@dataclass
class Measured:
    """Seconds of what was done."""

    loads: list[float] = field(default_factory=list)
    decisions: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)  # from a decision until the bot has answered it
    games: int = 0
    faults: list[str] = field(default_factory=list)


class Player:
    """A visitor who plays games until the time is over."""

    def __init__(self, address: str, bot: str, measured: Measured, pause: float, number: int) -> None:
        self.client = httpx.AsyncClient(
            base_url=f"{address}api/", headers={"X-Visitor": secrets.token_urlsafe(16)}, timeout=120
        )
        self.bot, self.measured, self.pause, self.rng = bot, measured, pause, random.Random(number)

    async def play(self, until: float) -> None:
        async with self.client:
            while time.perf_counter() < until:
                view = await self.ask("POST", "games", json={"seats": ["human", self.bot]})
                while view is not None and not view["over"] and time.perf_counter() < until:
                    view = await self.step(view)
                self.measured.games += view is not None and view["over"]

    async def step(self, view: dict[str, Any]) -> dict[str, Any] | None:
        path = f"games/{view['game']}"
        if view["asked"] == "person":
            if self.pause:
                await asyncio.sleep(self.rng.expovariate(1 / self.pause))
            token = self.rng.choice(view["choices"])["token"]
            start = time.perf_counter()
            found = await self.ask("POST", f"{path}/decisions", json={"token": token, "at": view["at"]})
            self.measured.decisions.append(time.perf_counter() - start)
            return found
        start = time.perf_counter()
        found = await self.ask("GET", path, params={"since": view["version"], "wait": 20})
        self.measured.answers.append(time.perf_counter() - start)
        return found

    async def ask(self, method: str, path: str, **content: Any) -> dict[str, Any] | None:
        answer = await self.client.request(method, path, **content)
        if answer.status_code >= 400:
            self.measured.faults.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
            return None
        found: dict[str, Any] = answer.json()
        return found


async def load_page(address: str, names: Sequence[str]) -> float:
    """Seconds that a load of the page takes."""
    headers = {"X-Visitor": secrets.token_urlsafe(16)}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as client:
        start = time.perf_counter()
        for part in ([""], names, ["api/about"], ["api/games"]):
            for answer in await asyncio.gather(*(client.get(path) for path in part)):
                answer.raise_for_status()
        return time.perf_counter() - start


async def run(address: str, sessions: int, seconds: float, bot: str, pause: float) -> Measured:
    """Let everybody play."""
    measured = Measured()
    names = [name for name in page_files("") if name != "index.html"]
    until = time.perf_counter() + seconds
    players = [Player(address, bot, measured, pause, number).play(until) for number in range(sessions)]
    playing = asyncio.gather(*players)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # what the visitors compute must not be counted
        loading = asyncio.get_running_loop().run_in_executor(pool, load_pages, address, names, seconds)
        measured.loads = await loading
    await playing
    return measured


def load_pages(address: str, names: Sequence[str], seconds: float) -> list[float]:
    """Seconds of every load of the page, one after the other, for so long."""
    until, found = time.perf_counter() + seconds, []
    while time.perf_counter() < until:
        found.append(asyncio.run(load_page(address, names)))
        time.sleep(PAGE_EVERY)
    return found


def told(seconds: Sequence[float]) -> str:
    """``median 12 ms, 95 % below 30 ms, most 41 ms``."""
    ordered = sorted(seconds)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    middle = statistics.median(ordered)
    return f"median {1000 * middle:.0f} ms, 95 % below {1000 * high:.0f} ms, most {1000 * ordered[-1]:.0f} ms"


@click.command()
@click.option("--sessions", default=50, show_default=True)
@click.option("--seconds", default=60.0, show_default=True)
@click.option("--bot", default="mcts:100", show_default=True)
@click.option("--pause", default=0.0, show_default=True, help="Mean seconds that a visitor thinks before deciding.")
@click.option("--most", default=200.0, show_default=True, help="Milliseconds that a page load may take, median.")
def main(sessions: int, seconds: float, bot: str, pause: float, most: float) -> None:
    """Measure, and fail where the page is too slow."""
    with served("--bots", bot) as (_, address):
        idle = [asyncio.run(load_page(address, [name for name in page_files("") if name != "index.html"]))
                for _ in range(20)]  # fmt: skip
        measured = asyncio.run(run(address, sessions, seconds, bot, pause))
    thinking = f"{pause:g} s pause" if pause else "no pause"
    click.echo(f"{sessions} sessions against {bot}, {thinking}, {seconds:.0f} s, {measured.games} whole games")
    click.echo(f"page loads, nobody else there: {told(idle)}")
    click.echo(f"page loads ({len(measured.loads)}): {told(measured.loads)}")
    click.echo(f"a decision until the new board ({len(measured.decisions)}): {told(measured.decisions)}")
    click.echo(f"the bot's answer ({len(measured.answers)}): {told(measured.answers)}")
    for fault in measured.faults[:10]:
        click.echo(fault)
    if measured.faults or 1000 * statistics.median(measured.loads) >= most:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
