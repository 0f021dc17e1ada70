"""The pictures of docs/serve.md, made anew: a fixed game in a real browser.

python -m tests.agents.serve.shots
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.agents.serve.chromium import executable
from tests.agents.serve.page import Visit
from tests.agents.serve.serving import Running, Visitor, good, running

FOLDER = Path(__file__).resolve().parents[3] / "docs"
WIDE = {"width": 1360, "height": 960}
PHONE = {"width": 390, "height": 844}


def played(visitor: Visitor, kind: str) -> dict[str, Any]:
    """A game against a bot, played by its own hints until round 3 asks for something of this kind."""
    view = visitor.settled(visitor.begin("human", "greedy", seed=11))
    while view["round"] < 3 or not view["choices"][0]["token"].startswith(kind):
        view = visitor.decide(view, good(visitor.post(f"games/{view['game']}/hint"))["token"])
    return view


def visit(
    browser: Browser, server: Running, visitor: Visitor, view: dict[str, Any], size: Any, **context: Any
) -> Visit:
    """A browser that shows a visitor's game."""
    found = Visit(browser, server, size, reduced_motion="reduce", **context)
    found.context.add_init_script(f"localStorage.setItem('terracotta-visitor', '{visitor.name}')")
    found.open(f"#{view['game']}")
    found.ready()
    return found


def save(shown: Visit, name: str) -> None:
    path = FOLDER / f"serve-{name}.png"
    image = Image.open(io.BytesIO(shown.page.screenshot()))
    image.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)  # a third of the size
    print(f"{path.name}: {path.stat().st_size // 1000} kB")
    shown.close()


def main() -> None:
    """Write all of them."""
    with running(hint="planner", analysts=("mcts:2000",)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        visitor = server.visitor()
        where, place = played(visitor, "cell:"), played(visitor, "place:")

        shown = visit(browser, server, visitor, where, WIDE)
        shown.page.locator("#board .ta-choice").nth(20).hover()
        save(shown, "choose")

        shown = visit(browser, server, visitor, place, WIDE, color_scheme="dark")
        shown.page.click("#tab-analysis")
        shown.page.click("#analyse")
        shown.page.wait_for_selector(".candidates tbody tr")
        shown.page.locator("#tabs").scroll_into_view_if_needed()
        save(shown, "analysis")

        ended = good(visitor.post(f"games/{place['game']}/branches", {"at": place["at"], "seats": ["greedy"] * 2}), 201)
        shown = visit(browser, server, visitor, visitor.settled(ended), WIDE)
        shown.page.click("#tab-analysis")
        shown.page.click("#chances")
        shown.page.wait_for_timeout(4000)
        save(shown, "end")

        save(visit(browser, server, visitor, where, PHONE, has_touch=True, device_scale_factor=2), "phone")
        browser.close()


if __name__ == "__main__":
    main()
