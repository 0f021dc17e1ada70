"""Whole games in the browser, by clicking."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from terracotta_env.army import GAME
from terracotta_env.record import read_lines, verify
from tests.agents.serve.page import PHONE, Visit
from tests.agents.serve.serving import Running, wait_until


def saved_record(visit: Visit, folder: Path) -> Path:
    with visit.page.expect_download() as download:
        visit.page.click("#to-save")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize("seats", [("human", "busy"), ("human", "busy", "human", "random")], ids=["two", "four"])
def test_a_whole_game_is_played_by_clicking(
    chromium: Browser, server: Running, seats: tuple[str, ...], tmp_path: Path
) -> None:
    visit = Visit(chromium, server)
    visit.begin(*seats, seed=21)
    assert visit.play(seed=1) > 60
    _, record = next(read_lines(saved_record(visit, tmp_path)))
    assert verify(GAME, record).points() == visit.points()
    assert record["players"] == len(seats)
    kinds = {token.partition(":")[0] for token in record["decisions"]}
    assert {"place", "cell", "rotate", "ring", "warrior"} <= kinds
    visit.close()


def test_a_record_is_replayed_to_the_same_points(chromium: Browser, server: Running, tmp_path: Path) -> None:
    visit = Visit(chromium, server)
    visit.begin("busy", "random", "busy", seed=3)
    visit.page.wait_for_selector("#ask .result")
    points, path = visit.points(), saved_record(visit, tmp_path)
    lead = max(points) - sorted(points)[-2]
    said = f"won by {lead} VP." if lead else "won a tie"
    assert said in visit.page.inner_text("#ask")
    record = next(read_lines(path))[1]
    assert points == record["vp"]

    visit.open()
    visit.page.set_input_files("#file", path)
    visit.page.wait_for_selector("#ask .result")
    assert visit.points() == points
    last = len(record["decisions"])
    assert visit.moment() == f"{last} / {last}"
    step(visit, "Home", f"0 / {last}")
    assert "chose" in visit.page.inner_text("#ask .decided")
    for at in range(1, 12):
        step(visit, "ArrowRight", f"{at} / {last}")
    step(visit, "ArrowLeft", f"10 / {last}")
    turns = [at for at in visit_turns(visit) if at > 10]
    step(visit, "PageDown", f"{turns[0]} / {last}")
    step(visit, "End", f"{last} / {last}")
    visit.page.locator("#moment").fill(str(last // 2))  # the slider
    wait_until(lambda: visit.moment() == f"{last // 2} / {last}")
    visit.page.click("[data-step=last]")
    wait_until(lambda: visit.page.locator("#ask .result").count())
    assert visit.points() == record["vp"]
    visit.close()


def step(visit: Visit, key: str, moment: str) -> None:
    visit.page.keyboard.press(key)
    wait_until(lambda: visit.moment() == moment, 10)


def visit_turns(visit: Visit) -> list[int]:
    name = visit.page.evaluate("localStorage.getItem('terracotta-visitor')")
    game = visit.page.evaluate("location.hash.slice(1)")
    found: list[int] = visit.server.visitor(name).get(f"games/{game}").json()["turns"]
    return found


def test_files_with_many_games_offer_them(chromium: Browser, server: Running, tmp_path: Path) -> None:
    visit = Visit(chromium, server)
    visit.begin("busy", "random", seed=3)
    visit.page.wait_for_selector("#ask .result")
    path = saved_record(visit, tmp_path)
    path.write_text(path.read_text() * 3)
    visit.open()
    visit.page.set_input_files("#file", path)
    visit.page.wait_for_selector("#which")
    assert visit.page.locator("#which option").count() == 3
    visit.page.select_option("#which", "2")
    visit.page.click("#open-which")
    visit.page.wait_for_selector("#ask .result")
    visit.open()
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    visit.page.set_input_files("#file", broken)
    wait_until(lambda: "expected JSON" in visit.page.inner_text("#alert"))
    visit.close()


def test_only_what_is_legal_reacts(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    visit.begin("human", "human", seed=5)
    before = visit.moment()
    lit = visit.page.locator("#board .ta-choice").evaluate_all("items => items.map(i => i.dataset.token)")
    assert sorted(lit) == sorted(visit.tokens())
    for place in ('[data-space="e4"]', '[data-space="a1"]', ".ta-hub, .ta-warehouse >> nth=0"):
        visit.page.locator(f"#board {place}").first.click(force=True)
    visit.page.wait_for_timeout(200)
    assert visit.moment() == before
    visit.take("rotate:none")
    lit = visit.page.locator("#board .ta-choice").evaluate_all("items => items.map(i => i.dataset.token)")
    assert sorted(lit) == sorted(visit.tokens())
    assert all(token.startswith("place:") for token in lit)
    visit.close()


def test_undo_redo_hint_explanation_and_analysis(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    page = visit.page
    visit.begin("human", "busy", seed=5)
    while "rotate:none" not in visit.tokens():
        visit.take(visit.tokens()[0])
    before = visit.moment()
    visit.take("rotate:none")
    page.click("#undo")
    wait_until(lambda: visit.moment() == before)
    page.click("#redo")
    wait_until(lambda: visit.moment() != before)
    visit.ready()
    page.click("#hint")
    page.wait_for_selector("#ask .choice.hinted", state="attached")
    assert page.locator("#ask .choice.hinted").get_attribute("data-choice") in visit.tokens()
    page.locator("#ask .why").first.click()
    page.wait_for_selector("#ask .more li")
    page.click("#tab-analysis")
    page.click("#analyse")
    page.wait_for_selector(".candidates tbody tr")
    assert page.locator(".candidates tbody tr").count() == len(visit.tokens())
    assert page.locator("#board .ta-heat").count() > 0  # the wheel: it is asked where to place
    page.click("#chances")
    page.wait_for_selector("figure .chart polyline")
    page.click("#tab-points")
    assert "VP by source" in page.inner_text("#panel-points")
    page.click("#tab-words")
    assert "Mausoleum:" in page.inner_text("#panel-words")
    visit.close()


def test_the_rules_tell_the_whole_game(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    visit.open()
    visit.page.click("#to-rules")
    chapters = visit.page.locator("#rules h3").all_inner_texts()
    assert len(chapters) > 8
    text = visit.page.inner_text("#rules")
    for word in ("five rounds", "Craftsman", "Kneeling Archer", "Domination", "Priority", "clean-up", "arrow keys"):
        assert word in text
    visit.page.keyboard.press("Escape")
    assert not visit.page.locator("#rules").is_visible()
    visit.close()


def test_positions_are_shared_and_opened(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    page = visit.page
    visit.begin("human", "human", seed=5)
    visit.take(visit.tokens()[0])
    page.click("#to-share")
    text = page.input_value("#shared")
    page.click("#share .close")
    other = Visit(chromium, server)
    other.open()
    other.page.fill("#text", text)
    other.page.click("#open-text")
    wait_until(lambda: other.page.locator("#board svg").count() == 1)
    assert other.moment() == "1 / 1"
    other.page.click("#tab-words")
    page.click("#tab-words")
    assert other.page.inner_text("#panel-words") == page.inner_text("#panel-words")
    other.close()
    visit.close()


def test_a_game_survives_reloading_and_can_be_played_on_from_an_earlier_moment(
    chromium: Browser, server: Running
) -> None:
    visit = Visit(chromium, server)
    page = visit.page
    visit.begin("human", "human", seed=5)
    for _ in range(4):
        visit.take(visit.tokens()[0])
    assert "under way" in (page.text_content("#panel-story") or "")
    page.reload()
    visit.ready()
    assert visit.moment() == "4 / 4"
    page.click("[data-step=back]")
    wait_until(lambda: visit.moment() == "3 / 4")
    page.click("#branch")
    page.click("#begin-branch")
    wait_until(lambda: visit.moment() == "3 / 3")
    page.click("#to-start")
    page.wait_for_selector(".games li")
    assert page.locator(".games li").count() == 2
    visit.close()


def test_on_a_phone_nothing_is_wider_than_the_screen(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server, has_touch=True)
    page = visit.page
    visit.begin("human", "busy", seed=5)
    assert page.locator("svg[data-layout=wide]").count() == 1
    page.set_viewport_size(PHONE)
    page.wait_for_selector("svg[data-layout=tall]")
    for _ in range(8):
        visit.ready()
        page.wait_for_timeout(600)  # sooner it would be a double tap, which decides once
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        choice = page.locator("#ask .choice").first
        choice.scroll_into_view_if_needed()
        box = choice.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["height"] >= 24  # WCAG 2.2, target size
        before = visit.moment()
        choice.tap()
        wait_until(lambda before=before: visit.moment() != before)
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.wait_for_selector("svg[data-layout=wide]")
    visit.close()


def test_a_lost_connection_keeps_the_game_on_the_page(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    visit.begin("human", "human", seed=4)
    game = visit.page.url
    visit.context.set_offline(True)
    visit.page.click("#ask .choice")
    visit.page.wait_for_selector("text=cannot be reached")
    assert visit.page.is_visible("#play")
    assert visit.page.url == game
    visit.context.set_offline(False)
    visit.take(visit.tokens()[0])
    assert visit.moment() == "1 / 1"
    assert all("ERR_INTERNET_DISCONNECTED" in error for error in visit.errors)
    visit.errors.clear()
    visit.close()


def test_a_double_click_decides_once(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    visit.begin("human", "human", seed=4)
    box = visit.page.locator("#ask .choice").first.bounding_box()
    assert box is not None
    visit.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, delay=60)
    visit.page.wait_for_timeout(300)
    assert visit.moment() == "1 / 1"
    visit.close()


def test_a_position_from_text_can_be_played_on_by_whoever_opens_it(chromium: Browser, server: Running) -> None:
    visit = Visit(chromium, server)
    visit.begin("human", "human", seed=4)
    visit.take(visit.tokens()[0])
    visit.page.click("#to-share")
    text = visit.page.input_value("#shared")
    visit.open()
    visit.page.fill("#text", text)
    visit.page.click("#open-text")
    visit.page.click("#branch")
    assert "human" in [visit.page.input_value(f"#branch-seat-{seat}") for seat in range(2)]
    visit.page.click("#begin-branch")
    assert visit.ready()
    visit.close()
