"""However the program that runs bots ends, the bots end with it, and all that they started."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .playing import FAULTY, wait_until_gone

ROOT = Path(__file__).resolve().parents[3]

RUNNER = f"""
import sys, time
from terracotta_agents.protocol.process import BotProcess
from terracotta_agents.protocol.limits import Limits
bots = [BotProcess([sys.executable, "-S", {str(FAULTY)!r}, "start-silence"], Limits(term=0.1)) for _ in range(2)]
bots.append(BotProcess(["sh", "-c", "trap '' TERM; setsid sleep 600 & sleep 600 & sleep 600"], Limits(term=0.1)))
while any(bot.alive and bot.pid is None for bot in bots):
    time.sleep(0.01)
print("started", flush=True)
"""


@pytest.mark.parametrize(
    ("ending", "sent", "code"),
    [
        ("pass", None, 0),
        ("raise ValueError('a fault of ours')", None, 1),
        ("sys.exit(5)", None, 5),
        ("import os; os._exit(6)", None, 6),
        ("time.sleep(60)", signal.SIGINT, -signal.SIGINT),
        ("time.sleep(60)", signal.SIGTERM, -signal.SIGTERM),
        ("time.sleep(60)", signal.SIGKILL, -signal.SIGKILL),
    ],
    ids=["end", "exception", "exit", "hard-exit", "interrupt", "terminated", "killed"],
)
def test_no_process_outlives_the_runner(ending: str, sent: int | None, code: int, mark: str) -> None:
    # in the background SIGINT is ignored from the start: the runner brings Python's own handler
    handler = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    runner = subprocess.Popen(
        [sys.executable, "-c", handler + RUNNER + ending],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert runner.stdout is not None
    assert runner.stdout.readline() == b"started\n"
    if sent is not None:
        runner.send_signal(sent)
    runner.communicate(timeout=30)
    assert runner.returncode == code
    assert wait_until_gone(mark, 5.0) == []
