"""Lines to and from a process: nothing waits longer than its deadline."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from terracotta_agents.forfeit import BotFault
from terracotta_agents.protocol.limits import Limits
from terracotta_agents.protocol.process import BotProcess

from .playing import marked, wait_until_gone

LIMITS = Limits(quit=0.3, term=0.1, line=1000, output=100_000)


@contextmanager
def python(code: str) -> Iterator[BotProcess]:
    process = BotProcess([sys.executable, "-S", "-E", "-u", "-c", code], LIMITS)
    try:
        yield process
    finally:
        process.close()


def soon(seconds: float = 10.0) -> float:
    return time.monotonic() + seconds


def test_lines_go_in_and_come_out(mark: str) -> None:
    with python("import sys\nfor line in sys.stdin: print(line.upper(), end='')") as process:
        for text in (b"one", b"two three", "häuser".encode()):
            process.send(text + b"\n", soon())
            assert process.receive(soon()).decode() == text.decode().upper()


def test_a_line_may_come_in_pieces_and_many_at_once(mark: str) -> None:
    code = "import os, time\nfor part in (b'on', b'e\\r\\ntwo\\nth', b'ree\\n'): os.write(1, part); time.sleep(0.05)"
    with python(code) as process:
        assert [process.receive(soon()).strip() for _ in range(3)] == [b"one", b"two", b"three"]


def test_the_last_words_of_a_process_are_heard(mark: str) -> None:
    with python("print('answer')") as process:
        time.sleep(0.3)
        assert process.receive(soon()) == b"answer"
        with pytest.raises(BotFault, match="ended with exit code 0"):
            process.receive(soon())
        assert not process.alive


def test_a_process_that_does_not_read_makes_no_one_wait(mark: str) -> None:
    with python("import time; time.sleep(60)") as process:
        start = time.monotonic()
        with pytest.raises(BotFault, match="timeout: does not read") as caught:
            process.send(b"x" * 10_000_000 + b"\n", soon(0.3))
        assert caught.value.reason == "timeout"
        assert time.monotonic() - start < 2


def test_two_that_write_before_they_read_do_not_block_each_other(mark: str) -> None:
    code = "import os\nfor _ in range(9): os.write(1, b'y' * 9999 + b'\\n')\nprint(len(input()))"
    process = BotProcess([sys.executable, "-S", "-E", "-u", "-c", code], Limits(term=0.1, output=200_000))
    process.send(b"x" * 5_000_000 + b"\n", soon(20))
    lines = [process.receive(soon(20)) for _ in range(10)]
    assert lines[-1] == b"5000000"
    process.close()


def test_waiting_ends_at_the_deadline(mark: str) -> None:
    with python("import time; time.sleep(60)") as process:
        for seconds in (0.0, 0.2):
            start = time.monotonic()
            with pytest.raises(BotFault, match="timeout"):
                process.receive(start + seconds)
            assert seconds <= time.monotonic() - start < seconds + 1


def test_only_the_end_of_standard_error_is_kept(mark: str) -> None:
    with python("import sys\nfor k in range(9000): print(k, file=sys.stderr)\nprint('done')") as process:
        assert process.receive(soon()) == b"done"
        assert len(process.stderr) <= 4096
        assert process.stderr.endswith("8999\n")


def test_output_is_counted_from_one_exchange_to_the_next(mark: str) -> None:
    with python("while True: input(); print('x' * 900 + '\\n' * 90_000, end='')") as process:
        for _ in range(3):
            process.begin_exchange()
            process.send(b"go\n", soon())
            assert process.receive(soon()) == b"x" * 900


def test_a_process_that_is_told_to_go_may_finish_its_work(mark: str) -> None:
    code = "import sys, os\nfor line in sys.stdin: pass\nos.write(2, b'goodbye'); os._exit(0)"
    process = BotProcess([sys.executable, "-S", "-E", "-c", code], Limits(quit=10))
    process.close(b"quit\n")
    assert process.ended == "ended with exit code 0"


def test_sigterm_comes_before_sigkill(mark: str) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('saved', file=sys.stderr), sys.exit(7)))\n"
        "print('ready')\ntime.sleep(60)"
    )
    with python(code) as process:
        assert process.receive(soon()) == b"ready"
        assert process.pid is not None
        os.killpg(process.pid, signal.SIGTERM)
        with pytest.raises(BotFault, match="exit code 7"):
            process.receive(soon())
        assert process.stderr == "saved\n"


def test_the_group_is_the_bots_own(mark: str) -> None:
    with python("print('ready'); input()") as process:
        assert process.receive(soon()) == b"ready"
        assert process.pid is not None
        assert os.getpgid(process.pid) == process.pid != os.getpgid(0)
        assert len(marked(mark)) == 2  # the bot and its warden


def test_a_bot_whose_warden_is_killed_ends_its_game_and_is_killed_too(mark: str) -> None:
    with python("import time; print('ready'); time.sleep(60)") as process:
        assert process.receive(soon()) == b"ready"
        warden = next(pid for pid in marked(mark) if pid != process.pid)
        os.kill(warden, signal.SIGKILL)
        with pytest.raises(BotFault, match="crash"):
            process.receive(soon(5))
    assert wait_until_gone(mark, 5.0) == []  # orphans are collected by the system, in its own time


@pytest.mark.parametrize("field", ["start", "answer", "game", "line"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_limits_are_above_zero(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{field}: expected a number above 0"):
        Limits(**{field: value})  # type: ignore[arg-type]
