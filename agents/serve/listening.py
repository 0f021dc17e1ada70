"""The socket and the loop of the server, and their end.  Knows no game."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import Any, Final

from terracotta_env.errors import TerracottaError

SWITCH_SECONDS: Final = 0.0005


class ListenError(TerracottaError, OSError):
    """The address cannot be listened on."""


@contextlib.contextmanager
def listen(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens, taken before anything slow is done: a port in use is told at once.

    Raises:
        ListenError: names the address and the reason.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ListenError(f"--host {host}: {error.strerror or error}") from None
    with bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(address)
        except OSError as error:
            raise ListenError(
                f"{host}, port {port}: {error.strerror}: choose another with --port, or --port 0 for any that is free"
            ) from None
        yield bound


def run(uvicorn: ModuleType, app: Any, bound: socket.socket) -> None:
    """Serve until Ctrl-C or a request to terminate; requests that wait are let go at once."""
    # The loop serves everybody; whatever else computes hands over to it ten times sooner than usual.
    sys.setswitchinterval(SWITCH_SECONDS)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
        limit_concurrency=500,
        h11_max_incomplete_event_size=16_384,
    )
    server = uvicorn.Server(config)

    def leave(number: int, frame: FrameType | None) -> None:
        server.should_exit = True
        app.state.store.close()  # wakes up requests that wait for a game

    with contextlib.suppress(KeyboardInterrupt):
        server.install_signal_handlers = lambda: None
        server.capture_signals = contextlib.nullcontext
        before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            server.run(sockets=[bound])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
