"""A person at a real pseudo-terminal: starts the command, reads the screen, types."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[3]
# the commands as the installed script finds them, also where the package was installed before it had them
CODE = (
    "from terracotta_env.cli import cli, main; from terracotta_agents.play.commands import play, replay; "
    "cli.add_command(play); cli.add_command(replay); main()"
)
COMMAND = [sys.executable, "-c", CODE]
_ESCAPE = re.compile(r"\x1b\][^\x07]*\x07|\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")
PATIENCE = 120.0  # seconds: the first run may compile


def environment(state: Path, **more: str) -> dict[str, str]:
    """No cursor position requests: nobody answers them here."""
    wanted = {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(state), "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm"}
    return {**os.environ, **wanted, **more}


def _interruptible() -> None:
    """A shell's background jobs, as these tests may be, ignore interruptions, and their children would too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Person:
    """One run of a command under a pseudo-terminal of 40 lines and 120 columns.

    Attributes:
        screen: all that was printed, without control sequences.
    """

    def __init__(self, *arguments: object, env: Mapping[str, str], cwd: Path) -> None:
        import fcntl
        import struct
        import termios

        self._own, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=terminal, stdout=terminal, stderr=terminal, env=dict(env), cwd=cwd, start_new_session=True,
            preexec_fn=_interruptible,
        )  # fmt: skip
        os.close(terminal)
        self._raw = b""
        self._seen = 0

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._own)

    @property
    def printed(self) -> str:
        """All that was printed, control sequences too."""
        return self._raw.decode("utf-8", "replace")

    @property
    def screen(self) -> str:
        return _ESCAPE.sub("", self.printed).replace("\r", "")

    def _read(self, deadline: float) -> bool:
        """Read what is there; False at the end of the output."""
        ready, _, _ = select.select([self._own], [], [], max(0.0, min(0.5, deadline - time.monotonic())))
        if not ready:
            return True
        try:
            chunk = os.read(self._own, 1 << 16)
        except OSError:  # Linux: the other end was closed
            return False
        self._raw += chunk
        return bool(chunk)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The next place on the screen that matches; what stands before it is passed over."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = re.compile(pattern, re.MULTILINE).search(self.screen, self._seen)
            if found:
                self._seen = found.end()
                return found
            alive = self._read(deadline)
            assert alive, f"ended before {pattern!r}:\n{self.screen[-3000:]}"
            assert time.monotonic() < deadline, f"no {pattern!r} in time:\n{self.screen[-3000:]}"

    def type(self, text: str, end: str = "\r") -> None:
        os.write(self._own, (text + end).encode())

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def interrupt_until_it_ends(self) -> None:
        """Ctrl-C, and again if it came before the line was waited for, as a person would."""
        for _ in range(20):
            self.interrupt()
            moment = time.monotonic() + 3
            while time.monotonic() < moment:
                if not self._read(moment):
                    return

    def end(self) -> int:
        """Read to the end of the output; the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline) and time.monotonic() < deadline:
            pass
        return self.process.wait(60)
