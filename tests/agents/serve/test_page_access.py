"""The page by keyboard alone, for screen readers, on any colours: axe-core and what it cannot see."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.agents.games import recorded
from tests.agents.serve.page import DESKTOP, PHONE, Visit
from tests.agents.serve.serving import Running, good, wait_until


def findings(page: Page) -> list[str]:
    """What axe-core finds that is serious or worse."""
    found: dict[str, Any] = Axe().run(page).response
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {[node['html'][:150] for node in rule['nodes'][:3]]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious(chromium: Browser, server: Running, scheme: Any, size: Any) -> None:
    visit = Visit(chromium, server, size, color_scheme=scheme, reduced_motion="reduce")
    visit.open()
    assert findings(visit.page) == []
    visit.begin("human", "busy", seed=5)
    visit.page.locator("#ask [data-choice]").first.click()
    visit.ready()
    assert findings(visit.page) == []
    visit.page.click("#tab-analysis")
    visit.page.click("#analyse")
    visit.page.wait_for_selector(".candidates tbody tr")
    visit.page.click("#chances")
    visit.page.wait_for_selector("figure .chart polyline")
    assert findings(visit.page) == []
    for tab in ("points", "words"):
        visit.page.click(f"#tab-{tab}")
        assert findings(visit.page) == []
    visit.page.click("#to-rules")
    assert findings(visit.page) == []
    visit.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_at_the_end_of_a_game(chromium: Browser, server: Running, theme: str) -> None:
    record, _ = recorded(4)
    visit = Visit(chromium, server)
    visit.open()
    name = visit.page.evaluate("localStorage.getItem('terracotta-visitor')")
    view = good(server.visitor(name).post("records", {"record": record}), 201)
    visit.page.select_option("#theme", theme)
    visit.open(f"#{view['game']}")
    visit.page.reload()
    visit.page.wait_for_selector("#ask .result")
    assert visit.page.evaluate("document.documentElement.dataset.theme") == theme
    assert findings(visit.page) == []
    visit.close()


def focused(page: Page, name: str) -> Any:
    return page.evaluate(f"document.activeElement.getAttribute({name!r})")


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something is reached; it must come soon."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_a_game_is_begun_and_played_by_keyboard_alone(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    page = visit.page
    visit.open()
    tab_to(page, "#seat-1")
    page.keyboard.type("a p")  # a person at this screen
    tab_to(page, "#begin")
    page.keyboard.press("Enter")
    visit.ready()
    assert page.evaluate("document.activeElement.id") == "question"
    tab_to(page, "#ask .choice")
    page.keyboard.press("Enter")  # turn no ring
    wait_until(lambda: visit.moment() == "1 / 1")
    assert page.evaluate("document.activeElement.matches('#ask .choice')")  # the focus goes on

    # the board: one stop for Tab, arrow keys from place to place
    stops = page.locator("#board [data-token][tabindex='0']")
    assert stops.count() == 1
    tab_back_to(page, "#board [data-token]")
    first = focused(page, "data-token")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    second = focused(page, "data-token")
    assert first != second
    assert second.startswith("place:")
    assert focused(page, "aria-label")
    assert page.locator("#board [data-token][tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    wait_until(lambda: visit.moment() == "2 / 2")
    place = page.inner_text("#question")
    assert f"Segment {second.split(':')[2]}" in place
    visit.close()


def tab_back_to(page: Page, selector: str) -> None:
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Shift-Tab does not reach {selector}")


def test_moves_are_told_to_screen_readers(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    page = visit.page
    visit.begin("human", "busy", seed=5)
    live = page.locator("#live")
    assert live.get_attribute("aria-live") == "polite"
    said = live.text_content() or ""
    assert page.inner_text("#question") in said
    while "busy" not in (live.text_content() or ""):
        visit.take(visit.tokens()[0])
        visit.ready()
    assert "Seat 1 (busy) placed" in (live.text_content() or "")
    visit.close()


def test_every_choice_on_the_board_has_words(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    visit.begin("human", "human", seed=5)
    visit.take("rotate:none")
    words = visit.page.locator("#ask [data-choice]").all_inner_texts()
    labels = visit.page.locator("#board .ta-choice").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    assert sorted(labels) == sorted(words)
    visit.close()


def test_colours_follow_the_system_and_the_choice(chromium: Browser, server: Running) -> None:
    grounds = {}
    for scheme in ("light", "dark"):
        visit = Visit(chromium, server, color_scheme=scheme)
        visit.begin("human", "busy", seed=5)
        page = visit.page
        ground = "getComputedStyle(document.documentElement).backgroundColor"
        board = "getComputedStyle(document.querySelector('#board svg > rect')).fill"
        grounds[scheme] = page.evaluate(ground), page.evaluate(board)
        for theme in ("light", "dark"):
            page.select_option("#theme", theme)
            grounds[f"{scheme} {theme}"] = page.evaluate(ground), page.evaluate(board)
        visit.close()
    assert grounds["light"] == grounds["light light"] == grounds["dark light"]
    assert grounds["dark"] == grounds["dark dark"] == grounds["light dark"]
    assert grounds["light"][0] != grounds["dark"][0]
    assert grounds["light"][1] != grounds["dark"][1]


def test_nothing_moves_for_those_who_ask_for_it(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server, reduced_motion="reduce")
    visit.begin("human", "busy", seed=5)
    moving = visit.page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s'"
        " || getComputedStyle(e).animationName !== 'none').length"
    )
    assert moving == 0
    visit.close()


def test_axe_would_find_something(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    visit.open()
    visit.page.evaluate("document.querySelector('#start').append(document.createElement('input'))")
    assert any("label" in finding for finding in findings(visit.page))
    visit.close()
