"""A bot's process: lines in and out with deadlines and limits, and an end that leaves nothing behind.

Nothing here blocks longer than its deadline, whatever the bot does: all pipes are non-blocking and are served together,
so a bot that writes and does not read cannot make us wait for each other.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from ..forfeit import BotFault
from .limits import Limits

WARDEN: Final = Path(__file__).with_name("warden.py")
CHUNK: Final = 1 << 16
TAIL: Final = 4096  # bytes of standard error that are kept
LAST_WORDS: Final = 0.25  # seconds to wait for the exit code after the bot closed a pipe
WARDEN_SECONDS: Final = 15.0  # more than the warden's own patience


class BotProcess:
    """One running bot.

    Faults are raised as :class:`BotFault`, without name and seat; the process is then still to be closed.

    Args:
        command: program and arguments, no shell.
        limits: bytes it may write.

    Raises:
        OSError: the system starts no more processes.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self.limits = limits
        self.pid: int | None = None  # the bot's, also that of its group
        self._running: set[int] = set()  # the same while it runs
        self.ended: str | None = None  # how it ended, in words
        self._lines: deque[bytes] = deque()
        self._partial = bytearray()
        self._heard = bytearray()  # of the warden
        self._tail = bytearray()
        self._written = {"output": 0, "standard error": 0}
        self._fault: BotFault | None = None
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._warden = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(WARDEN), str(theirs.fileno()), *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # Ctrl-C in our terminal is for us, we then end our bots
                    bufsize=0,
                )
            except BaseException:
                ours.close()
                raise
        # also at the end of the interpreter and when nobody holds us any more
        self._finalizer = weakref.finalize(self, _end, self._warden, ours, os.getpid(), self._running)
        assert self._warden.stdin is not None
        assert self._warden.stdout is not None
        assert self._warden.stderr is not None
        self._control, self._stdin = ours, self._warden.stdin
        self._selector = selectors.PollSelector()
        for stream, serve in (
            # functions, not methods of this object: it must not hold itself, or it would live on until the next
            # collection of garbage when nobody holds it any more
            (self._warden.stdout, BotProcess._read_output),
            (self._warden.stderr, BotProcess._read_error),
            (ours, BotProcess._read_warden),
        ):
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ, serve)
        os.set_blocking(self._stdin.fileno(), False)

    @property
    def alive(self) -> bool:
        """It has not ended, as far as is known; looks at the pipes without waiting."""
        if self.ended is None and self._finalizer.alive:
            self._serve(0)
        return self.ended is None and self._finalizer.alive

    @property
    def stderr(self) -> str:
        """The last it wrote to standard error."""
        return self._tail.decode("utf-8", "replace")

    def begin_exchange(self) -> None:
        """Count anew what it writes: something is asked of it."""
        self._written = dict.fromkeys(self._written, 0)

    def send(self, line: bytes, deadline: float) -> None:
        """Write one line, until ``deadline`` on the clock of ``time.monotonic``."""
        rest = memoryview(line)
        while rest:
            self._raise_fault()
            try:
                rest = rest[os.write(self._stdin.fileno(), rest) :]
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise BotFault("timeout", "does not read its standard input") from None
                self._wait_to_write(deadline)
            except OSError:
                self._last_words()
                raise BotFault("crash", self.ended or "closed its standard input") from None

    def receive(self, deadline: float) -> bytes:
        """The next line, without its end; blank lines are passed over."""
        while True:
            while self._lines:
                line = self._lines.popleft()
                if line.strip():
                    return line
            self._raise_fault()
            if self._output_closed or self.ended is not None:
                self._last_words()
                if not self._lines:
                    raise BotFault("crash", self.ended or "closed its standard output")
                continue
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFault("timeout", "no answer in time")
            self._serve(left)

    def close(self, farewell: bytes = b"") -> None:
        """End it and all that it started: ``farewell`` and a while to go by itself, SIGTERM, SIGKILL.  Idempotent."""
        if not self._finalizer.alive:
            return
        try:
            if farewell and self.ended is None:
                with contextlib.suppress(BotFault):
                    self._part(farewell)
            with contextlib.suppress(OSError):
                self._control.sendall(f"stop {self.limits.term}\n".encode())
        finally:
            self._selector.close()
            self._finalizer()

    def _part(self, farewell: bytes) -> None:
        deadline = time.monotonic() + self.limits.quit
        self.send(farewell, deadline)
        self._stdin.close()  # the end of its input says the same to bots that only look for that
        while self.ended is None and (left := deadline - time.monotonic()) > 0:
            self.begin_exchange()  # what it still says is of no interest, but it must be able to say it
            self._fault = None
            self._lines.clear()
            self._serve(left)

    @property
    def _output_closed(self) -> bool:
        assert self._warden.stdout is not None
        return self._warden.stdout.closed

    def _raise_fault(self) -> None:
        if self._fault is not None:
            raise self._fault

    def _serve(self, seconds: float) -> None:
        """Wait for something to happen and take it in."""
        for key, _ in self._selector.select(seconds):
            if key.data is not None:
                key.data(self)

    def _wait_to_write(self, deadline: float) -> None:
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        try:
            self._serve(max(0.0, deadline - time.monotonic()))
        finally:
            self._selector.unregister(self._stdin)

    def _last_words(self) -> None:
        """It seems to have ended: take in its exit code and what is left in the pipes."""
        deadline = time.monotonic() + LAST_WORDS
        while self.ended is None and (left := deadline - time.monotonic()) > 0:
            self._serve(left)
        while self._fault is None and self._serve_once():
            pass
        self._raise_fault()

    def _serve_once(self) -> bool:
        before = dict(self._written)
        self._serve(0)
        return self._written != before

    def _read(self, stream: IO[bytes] | None, name: str) -> bytes:
        """What a pipe holds; a pipe that was closed is let go."""
        assert stream is not None
        try:
            data = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(stream)
            stream.close()
        self._written[name] += len(data)
        if self._written[name] > self.limits.output and self._fault is None:
            self._fault = BotFault("flood", f"more than {self.limits.output} bytes of {name} at once")
        return data

    def _read_output(self) -> None:
        data = self._read(self._warden.stdout, "output")
        if self._fault is not None:
            return  # nobody will look at it any more
        *whole, rest = data.split(b"\n")
        if whole:
            whole[0] = bytes(self._partial) + whole[0]
            self._partial.clear()
        self._partial += rest
        lines = [line for line in whole if line]  # a flood of empty lines must not cost us time either
        self._lines += lines
        if max(len(line) for line in (*lines, self._partial)) > self.limits.line:
            self._lines.clear()
            self._fault = BotFault("flood", f"a line of more than {self.limits.line} bytes")

    def _read_error(self) -> None:
        self._tail += self._read(self._warden.stderr, "standard error")
        del self._tail[:-TAIL]

    def _read_warden(self) -> None:
        try:
            data = self._control.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(self._control)
            self.ended = self.ended or "was ended from outside"
        self._heard += data
        *whole, rest = self._heard.split(b"\n")
        self._heard = rest
        for part in whole:
            word, _, value = part.decode("utf-8", "replace").partition(" ")
            if word == "pid":
                self.pid = int(value)
                self._running.add(self.pid)
            elif word == "failed":
                self.ended = f"cannot be started: {value}"
            elif word == "exit":
                self.ended = _how(int(value))
                self._running.clear()


def _how(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"ended by signal {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by signal {-code}"


def _end(warden: subprocess.Popen[bytes], control: socket.socket, owner: int, running: set[int]) -> None:
    """The last of a bot: closing the control socket makes the warden end it, then we collect the warden."""
    if os.getpid() != owner:
        return  # a forked copy of us: the bot is not its to end
    control.close()
    for stream in (warden.stdin, warden.stdout, warden.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    try:
        warden.wait(WARDEN_SECONDS)
    except subprocess.TimeoutExpired:
        warden.kill()
        warden.wait()
    if warden.returncode < 0:  # somebody killed the warden: what is known of the bot is ended from here
        for group in running:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
