"""From a click to the new board, in a real browser, without search.

    python -m tests.agents.serve.clicks

The browser itself takes the time, from the event of the click until the new board is in the page, and until it is
painted.  The other seats are people, too, so nothing is thought about.
"""

from __future__ import annotations

import random
import statistics

import click
from playwright.sync_api import sync_playwright

from tests.agents.serve.chromium import executable
from tests.agents.serve.page import Visit, likely
from tests.agents.serve.serving import running, wait_until

WATCH = """() => {
  window.measured = [];
  let start = 0;
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-choice], [data-token]")) start = performance.now();
  }, true);
  new MutationObserver(() => {
    if (!start) return;
    const begun = start, there = performance.now() - begun;
    start = 0;
    requestAnimationFrame(() => setTimeout(() => window.measured.push([there, performance.now() - begun])));
  }).observe(document.querySelector("#board"), { childList: true });
}"""


def measure(players: int, decisions: int) -> list[tuple[float, float]]:
    """Milliseconds until the board is there and until it is painted, of so many clicks."""
    rng = random.Random(1)
    with running() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        visit = Visit(browser, server)
        visit.begin(*["human"] * players, seed=1)
        visit.page.evaluate(WATCH)
        for _ in range(decisions):
            if not visit.ready():
                break
            visit.take(likely(visit.tokens(), rng))
        wait_until(lambda: visit.page.evaluate("window.measured.length") > 0)
        found: list[tuple[float, float]] = [
            (there, painted) for there, painted in visit.page.evaluate("window.measured")
        ]
        visit.close()
        browser.close()
    return found


@click.command()
@click.option("--players", default=2, show_default=True)
@click.option("--decisions", default=150, show_default=True)
@click.option("--most", default=100.0, show_default=True, help="Milliseconds until the board is painted, median.")
def main(players: int, decisions: int, most: float) -> None:
    """Measure, and fail where it takes too long."""
    found = measure(players, decisions)
    there, painted = (sorted(values) for values in zip(*found))
    high = int(0.95 * (len(painted) - 1))
    click.echo(f"{len(found)} clicks, {players} players")
    click.echo(f"new board in the page: median {statistics.median(there):.0f} ms, 95 % below {there[high]:.0f} ms")
    click.echo(f"new board painted: median {statistics.median(painted):.0f} ms, 95 % below {painted[high]:.0f} ms")
    if statistics.median(painted) >= most:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
