"""Before any request is looked at: who may ask, from which page, how much; and the headers of every answer.

A server on the own machine is reached by every page that its browser shows.  A page from elsewhere must neither use it
through a name of its own that leads here (DNS rebinding: the header ``Host`` gives it away) nor send it requests
(cross-site: ``Origin`` and ``Sec-Fetch-Site`` give it away).  Knows no game.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Collection, MutableMapping
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .problems import shown

_LOG: Final = logging.getLogger(__name__)
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
MOST_BYTES: Final = 1 << 20  # of a request's body: a record without its trace has less than 100 kB
MOST_URL: Final = 4096
_TOO_LARGE: Final = f"the body has more than {MOST_BYTES} bytes"
_CHANGING: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@dataclass(frozen=True)
class Names:
    """The names under which the server may be called.

    Attributes:
        allowed: host names, lower case, without port.
        addresses: any IP address will do as well, for a server that others reach: rebinding needs a name.
    """

    allowed: Collection[str] = LOOPBACK
    addresses: bool = False

    def hold(self, host: str) -> bool:
        """May a request name this ``Host``?"""
        name = _name_of(host)
        if name in self.allowed:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.addresses


def _name_of(host: str) -> str:
    """``[::1]:8000`` -> ``::1``, ``LocalHost:8000`` -> ``localhost``."""
    host = host.strip().lower()
    if host.startswith("["):
        name, closed, _ = host[1:].partition("]")
        return name if closed else ""
    return host.rpartition(":")[0] if ":" in host else host


class Gate:
    """ASGI middleware that refuses what must not be looked at.

    Args:
        app: what is behind it.
        names: under which it may be called.
    """

    def __init__(self, app: ASGIApp, names: Names) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # there are no web sockets here
        refusal = self._refusal(scope)
        sending = _with_headers(send, scope["path"])
        if refusal is not None:
            await refusal(scope, receive, sending)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await sending(message)

        try:
            await self.app(scope, _limited(receive), watched)
        except Exception:
            _LOG.exception("%s %s failed", scope["method"], scope["path"])
            if not started:  # a fault of ours, in the same form and with the same headers as any other answer
                await _refuse(500, "fault", "the server failed", "tell whoever runs it: the reason is in its log")(
                    scope, receive, sending
                )

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if not self.names.hold(host):
            known = ", ".join(sorted(self.names.allowed))
            return _refuse(
                421,
                "wrong_host",
                f"the request was sent to {shown(host)}: expected one of the names {known}",
                "open the address that the server printed, or start it with --allow-host NAME",
            )
        if scope["method"] in _CHANGING and (foreign := _foreign(headers, host)):
            return _refuse(
                403,
                "foreign_page",
                f"{foreign}: expected the server's own page",
                "open the address that the server printed",
            )
        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > MOST_URL:
            return _refuse(
                414, "long_address", f"the address has more than {MOST_URL} bytes", "send long texts in the body"
            )
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return _refuse(
                400, "bad_length", f"Content-Length: expected a number, got {shown(length)}", "send its size"
            )
        if int(length) > MOST_BYTES:
            return _too_large()
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        has_body = int(length) > 0 or "transfer-encoding" in headers
        if has_body and kind != "application/json":
            return _refuse(
                415,
                "not_json",
                f"Content-Type: expected application/json, got {shown(kind)}",
                "send the body as JSON and say so",
            )
        return None


def _foreign(headers: MutableMapping[str, str], host: str) -> str:
    """What gives a page from elsewhere away; empty for our own and for programs that are no browser."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    if origin is not None and origin.lower().partition("://")[2] != host.strip().lower():
        return f"the request comes from a page of {shown(origin)}"
    if site not in ("same-origin", "none"):
        return f"the request comes from another site (Sec-Fetch-Site: {shown(site)})"
    return ""


def _refuse(status: int, code: str, message: str, do: str) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "message": message, "do": do, "field": None}}, status)


def _too_large() -> JSONResponse:
    return _refuse(
        413,
        "too_large",
        _TOO_LARGE,
        "send one record at a time, without its trace: the decisions say it all",
    )


def _limited(receive: Receive) -> Receive:
    """Bodies without a length are counted while they come."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > MOST_BYTES:
            raise HTTPException(413, _TOO_LARGE)  # the application makes an answer of it
        return message

    return counted


def _with_headers(send: Send, path: str) -> Send:
    # games change at every moment; the page's files are asked for anew and answered with "not modified"
    cache = "no-store" if path.startswith("/api/") else "no-cache"
    added = {**HEADERS, "Cache-Control": cache}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [(n, v) for n, v in message["headers"] if n.decode("latin-1").lower() != "server"]
            extra = [(name.lower().encode(), value.encode()) for name, value in added.items()]
            message = {**message, "headers": [*kept, *extra]}
        await send(message)

    return sending


def names_for(host: str, extra: Collection[str] = ()) -> Names:
    """The names for a server bound to ``host``."""
    known = {*LOOPBACK, *(name.lower() for name in extra)}
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = host.lower() == "localhost"
        known.add(host.lower())
    return Names(frozenset(known | {host.lower()} if loopback else known), addresses=not loopback)


def is_loopback(host: str) -> bool:
    """Is a server bound to ``host`` reached from this machine only?"""
    return not names_for(host).addresses
