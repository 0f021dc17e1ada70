"""Stopping long work: the first Ctrl-C asks, the second one interrupts; what was set before is put back."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from terracotta_env.interrupt import Interruption


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    """Python's own handler, also where the tests run in the background and SIGINT was ignored from the start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_first_press_asks_and_the_second_interrupts() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interruption() as interruption:
        assert not interruption.asked
        press()
        assert interruption.asked
        with pytest.raises(KeyboardInterrupt):
            press()
    assert signal.getsignal(signal.SIGINT) is before


def test_handler_is_put_back_when_nobody_pressed() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interruption() as interruption:
        assert signal.getsignal(signal.SIGINT) is not before
    assert not interruption.asked
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_leave_the_handler_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen: list[object] = []

    def work() -> None:
        with Interruption():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]
