"""Fixtures of the tests of the server and its page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.agents.serve.chromium import executable
from tests.agents.serve.serving import Running, Visitor, running


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """One server for all tests of this process; each has visitors of its own."""
    with running() as found:
        yield found


@pytest.fixture
def visitor(server: Running) -> Visitor:
    return server.visitor()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The real browser."""
    with sync_playwright() as playwright:
        # as root in a container its sandbox cannot be set up; it only ever sees our own page
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        yield browser
        browser.close()
