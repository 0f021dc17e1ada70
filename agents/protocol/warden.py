"""Stands between us and one bot: starts it, tells when it ends, and leaves nothing of it behind.

A program of its own, run as ``python -I -S warden.py CONTROL COMMAND ...``; it imports nothing of the project, so that
it starts in milliseconds.  The bot inherits its standard streams; CONTROL is the number of an open socket, on which it
says ``pid N``, ``failed REASON``, ``exit CODE`` and is told ``stop SECONDS``.

Why a process in between: whatever ends ours, even SIGKILL, closes the socket, and the warden then ends the bot.  On
Linux it is also the subreaper of all that the bot starts: children that outlive the bot or flee into a session of their
own come back to it as orphans, and it kills and reaps them.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress

PR_SET_CHILD_SUBREAPER = 36
GRACE = 0.5  # seconds between SIGTERM and SIGKILL where nobody says
PATIENCE = 10.0  # seconds to wait for the death of what was killed
PAUSE = 0.003


def become_subreaper() -> None:
    """Adopt orphaned descendants.  Where the system cannot do that, the bot's process group is all that is ended."""
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[int]:
    """All that live below this process, children first; empty where there is no ``/proc``."""
    children: dict[int, list[int]] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    for name in names:
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue  # it has just ended
            children.setdefault(parent, []).append(int(name))
    found = list(children.get(os.getpid(), ()))
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


class Warden:
    """One bot.

    Attributes:
        control: the socket to those who play.
        bot: its process id, also that of its group; None before it runs.
        code: its exit code, negative for a signal; None while it runs.
    """

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.bot: int | None = None
        self.code: int | None = None

    def say(self, text: str) -> None:
        with suppress(OSError):  # nobody listens any more: `run` will notice
            self.control.sendall(text.encode() + b"\n")

    def start(self, command: list[str]) -> bool:
        try:
            self.bot = os.posix_spawnp(
                command[0], command, os.environ, setsid=True, setsigdef=[signal.SIGPIPE, signal.SIGXFSZ]
            )
        except OSError as error:
            self.say(f"failed {error.strerror or error}")
            return False
        # the bot alone holds its ends of the pipes: who plays sees them close when it closes them
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        self.say(f"pid {self.bot}")
        return True

    def reap(self) -> bool:
        """Collect what has ended; False when nothing is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.bot:
                self.code = os.waitstatus_to_exitcode(status)
                self.say(f"exit {self.code}")

    def signal_all(self, number: int) -> None:
        if self.code is None and self.bot is not None:
            kill(os.killpg, self.bot, number)  # at once for the whole group, so that it cannot fork away from us
        for pid in descendants():
            kill(os.kill, pid, number)

    def end(self, grace: float) -> bool:
        """SIGTERM, a while of grace, SIGKILL, until nothing is left; False if something cannot be killed."""
        self.signal_all(signal.SIGTERM)
        until = time.monotonic() + grace
        while self.reap() and time.monotonic() < until:
            time.sleep(PAUSE)
        until = time.monotonic() + PATIENCE
        while self.reap():
            self.signal_all(signal.SIGKILL)
            if time.monotonic() > until:
                return False
            time.sleep(PAUSE)
        return True

    def run(self) -> float:
        """Wait for the order to stop, or for the end of who gives orders, or of the bot; returns the grace to give."""
        woken, waker = os.pipe()
        for end in (woken, waker):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        stop = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
        for number in [signal.SIGCHLD, *stop]:
            signal.signal(number, lambda *_: None)
        self.reap()  # what ended before the handlers stood
        heard = b""
        while self.code is None:
            ready = select.select([self.control.fileno(), woken], [], [])[0]
            if woken in ready and set(os.read(woken, 4096)) & set(stop):
                return 0.0
            self.reap()
            if self.control.fileno() in ready:
                data = self.control.recv(4096)
                heard += data
                if not data:
                    return GRACE
                if b"\n" in heard:
                    return float(heard.split()[1])
        return 0.0  # the bot has ended by itself; so must all that it started


def kill(how: object, pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it has just ended, or is one that was given other rights
        how(pid, number)  # type: ignore[operator]


def main(control: int, command: list[str]) -> int:
    os.set_inheritable(control, False)
    become_subreaper()
    warden = Warden(socket.socket(fileno=control))
    if not warden.start(command):
        return 1
    grace = 0.0
    try:
        grace = warden.run()
    finally:
        done = warden.end(grace)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
