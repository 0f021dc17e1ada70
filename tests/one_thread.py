"""Networks of tests are small: a second thread of torch only waits for the first, and for whoever else is at work."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def torch_on_one_thread() -> Iterator[None]:
    torch = sys.modules.get("torch")  # imported by then if a test of this run needs it
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
