"""The command ``terracotta serve``: what it prints, what it refuses, how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from terracotta_agents.serve.commands import serve
from terracotta_env.cli import cli
from tests.running import exit_code

ROOT = Path(__file__).resolve().parents[3]
COMMAND = (
    sys.executable,
    "-c",
    "from terracotta_agents.serve.commands import serve; serve(prog_name='terracotta serve')",
)
QUICK = ("--bots", "random,busy", "--analysts", "busy", "--hint", "busy", "--workers", "1")


@contextmanager
def served(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process of its own, and the address that it prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", *QUICK, *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell that runs the tests in the background makes them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        match = re.search(r"http://[^ ]+/", line)
        assert match, line + (process.stderr.read() if process.stderr else "")
        yield process, match[0]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_and_ends_cleanly(how: signal.Signals) -> None:
    with served() as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert httpx.get(f"{address}api/about").json()["bots"] == ["random", "busy"]
        visitor = {"X-Visitor": "v" * 22}
        view = httpx.post(f"{address}api/games", json={"seats": ["human", "human"]}, headers=visitor).json()
        # a request that waits must not keep it
        host = address.removeprefix("http://").rstrip("/")
        with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), timeout=30) as waiting:
            request = f"GET /api/games/{view['game']}?since=0&wait=25 HTTP/1.1\r\nHost: {host}\r\n"
            waiting.sendall(f"{request}X-Visitor: {visitor['X-Visitor']}\r\n\r\n".encode())
            time.sleep(0.5)
            httpx.get(f"{address}api/about")
            process.send_signal(how)
            out, err = process.communicate(timeout=24)  # less than it would wait
            assert process.returncode == 0
            assert out == "ended\n"
            assert err == ""
            assert waiting.recv(100).startswith(b"HTTP/1.1 404 ")


def test_only_this_machine_reaches_it_by_default() -> None:
    with served() as (_, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        others = [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), port, family=socket.AF_INET)]
        for other in others:
            if not str(other).startswith("127."):
                with pytest.raises(OSError, match="refused"):
                    socket.create_connection((str(other), port), timeout=2)


@pytest.fixture(autouse=True)
def _command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is there also where this tree is not the one that is installed."""
    monkeypatch.setitem(cli.commands, "serve", serve)


def test_it_is_a_command_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["terracotta.commands"]["serve"] == "terracotta_agents.serve.commands:serve"
    assert "serve" in project["optional-dependencies"]["dev"][0]


def test_a_port_in_use_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert exit_code("serve", "--port", port, *QUICK) == 1
    error = capsys.readouterr().err
    assert f"port {port}" in error
    assert "--port" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bots", "cmd:true"), "cannot be lent"),
        (("--bots", "nonsense"), "no agent 'nonsense'"),
        (("--analysts", "mcts:0"), "budget"),
        (("--hint", "cmd:true"), "cannot be lent"),
        (("--host", "no such host"), "--host no such host"),
        (("--port", "70000"), "70000"),
        (("--workers", "0"), "--workers"),
    ],
)
def test_wrong_options_are_named(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    quick = [word for pair in zip(QUICK[::2], QUICK[1::2]) if pair[0] != words[0] for word in pair]
    assert exit_code("serve", *quick, *words) in (1, 2)
    assert said in capsys.readouterr().err
