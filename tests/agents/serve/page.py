"""The page in a real browser, as a person uses it: looks, clicks, keys.  The page's policy allows no scripts from
outside, so what is waited for is asked for again and again from here."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize

from tests.agents.serve.serving import Running, wait_until

ON_BOARD = ("cell:", "place:", "dir:")  # what a person clicks on the board; the rest are buttons beside it
# where the mouse must go, and whether it would hit: what `page.click` asks, without waiting for two frames each time
WHERE = """(selector) => {
  const element = document.querySelector(selector);
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  const hit = element.contains(document.elementFromPoint(x, y));
  return { x, y, hit, moment: document.querySelector("#timeline output").textContent };
}"""
DESKTOP = ViewportSize(width=1440, height=1000)
PHONE = ViewportSize(width=360, height=740)


class Visit:
    """One visitor in a browser of its own; every error of the page is kept."""

    def __init__(self, chromium: Browser, server: Running, size: ViewportSize = DESKTOP, **context: Any) -> None:
        self.server = server
        self.context: BrowserContext = chromium.new_context(viewport=size, **context)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.elsewhere: list[str] = []  # requests that left the server
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", self._see)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _see(self, request: Request) -> None:
        if not request.url.startswith((self.server.address, "blob:", "data:")):
            self.elsewhere.append(request.url)

    def open(self, place: str = "") -> None:
        self.page.goto(f"{self.server.address}/{place}")
        self.page.wait_for_selector("[data-ready]")

    def begin(self, *seats: str, seed: int | None = None) -> None:
        """Fill in the form and begin."""
        self.open()
        self.page.select_option("#players", str(len(seats)))
        for seat, code in enumerate(seats):
            self.page.select_option(f"#seat-{seat}", code)
        if seed is not None:
            self.page.click("form summary")
            self.page.fill("#seed", str(seed))
        self.page.click("#begin")
        self.ready()

    def ready(self) -> bool:
        """Wait until a person is asked; False where the game is over."""
        self.page.wait_for_selector("#ask .choice, #ask .result", state="attached")
        return not self.page.locator("#ask .result").count()

    def tokens(self) -> list[str]:
        """What can be chosen, in the order of the page."""
        return self.page.locator("#ask [data-choice]").evaluate_all("items => items.map(i => i.dataset.choice)")

    def moment(self) -> str:
        return self.page.inner_text("#timeline output")

    def take(self, token: str) -> None:
        """Click a choice with the mouse, on the board where it lies there, and wait for the new board."""
        on_board = token.startswith(ON_BOARD)
        selector = f'#board .ta-choice[data-token="{token}"]' if on_board else f'#ask [data-choice="{token}"]'
        found = self.page.evaluate(WHERE, selector)
        assert found["hit"], f"{token}: something lies over it"
        self.page.mouse.click(found["x"], found["y"])
        wait_until(lambda: self.moment() != found["moment"])

    def play(self, seed: int) -> int:
        """Play by clicking until the end; the number of decisions of people."""
        rng, taken = random.Random(seed), 0
        while self.ready():
            self.take(likely(self.tokens(), rng))
            taken += 1
        return taken

    def points(self) -> list[int]:
        """What the page says the players have at the end, by seat."""
        items = self.page.locator("#ask .result li").all_inner_texts()
        found = {int(text.split("seat ")[1].split(":")[0]): int(text.split()[-2]) for text in items}
        return [found[seat] for seat in range(len(found))]

    def close(self) -> None:
        text = self.page.locator("body").text_content() or ""
        self.context.close()
        assert not re.search(r"\[object|undefined|NaN\b", text)
        assert self.errors == []
        assert self.elsewhere == []


def likely(tokens: list[str], rng: random.Random) -> str:
    """A choice as somebody makes it who wants to see something happen."""
    for wanted in ("ring:perform", "weapon:use"):
        if wanted in tokens and rng.random() < 0.9:
            return wanted
    return rng.choice(tokens)
