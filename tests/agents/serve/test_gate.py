"""Who may ask, from which page, how much; and the headers of every answer."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from terracotta_agents.serve.gate import HEADERS, MOST_BYTES, Names, names_for
from tests.agents.serve.serving import OPTIONS, Running, good, problem, running

VISITOR = {"X-Visitor": "v" * 22}
GAME = {"seats": ["human", "human"]}


def ask(server: Running, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.request(method, f"{server.address}{path}", json=body, headers={**VISITOR, **named}, timeout=30)


@pytest.mark.parametrize(
    "path", ["/", "/main.js", "/board.css", "/api/about", "/api/games", "/openapi.json", "/nothing"]
)
def test_every_answer_has_strict_headers(server: Running, path: str) -> None:
    answer = ask(server, "GET", path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["Cache-Control"] == ("no-store" if path.startswith("/api/") else "no-cache")


def test_refusals_have_them_too(server: Running) -> None:
    for answer in (
        ask(server, "GET", "/", Host="evil.example"),
        ask(server, "POST", "/api/games", {}),
        ask(server, "DELETE", "/api/about"),
        ask(server, "POST", "/api/games", GAME, Origin="http://evil.example"),
    ):
        assert answer.status_code >= 400
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.json()["error"]["do"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8717", "127.0.0.1.evil.example", "localhost.evil.example", "0x7f000001", "",
             "[::1", "192.168.0.1", "127.0.0.1@evil.example"],
)  # fmt: skip
def test_other_names_of_the_server_are_refused(server: Running, host: str) -> None:
    for path in ("/", "/api/about", "/api/games"):
        problem(ask(server, "GET", path, Host=host), 421, "wrong_host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:99", "[::1]", "[::1]:8717"])
def test_names_of_this_machine_are_taken(server: Running, host: str) -> None:
    assert ask(server, "GET", "/api/about", Host=host).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://", ""]
)
def test_pages_from_elsewhere_change_nothing(server: Running, origin: str) -> None:
    problem(ask(server, "POST", "/api/games", GAME, Origin=origin), 403, "foreign_page")


def test_other_sites_change_nothing_where_the_browser_says_so(server: Running) -> None:
    for site in ("cross-site", "same-site"):
        problem(ask(server, "POST", "/api/games", GAME, Sec_Fetch_Site=site), 403, "foreign_page")
    own = {"Origin": server.address, "Sec_Fetch_Site": "same-origin"}
    good(ask(server, "POST", "/api/games", GAME, **own), 201)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_forms_cannot_act(server: Running, kind: str) -> None:
    answer = httpx.post(
        f"{server.address}/api/games", content=json.dumps(GAME), headers={**VISITOR, "Content-Type": kind}
    )
    problem(answer, 415, "not_json")


def test_huge_bodies_are_refused_before_they_are_read(server: Running) -> None:
    url = urlsplit(server.address)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=10)
    connection.putrequest("POST", "/api/records")
    for name, value in {**VISITOR, "Content-Type": "application/json", "Content-Length": str(MOST_BYTES + 1)}.items():
        connection.putheader(name, value)
    connection.endheaders()  # and not one byte of it
    answer = connection.getresponse()
    assert answer.status == 413
    assert json.loads(answer.read())["error"]["code"] == "too_large"
    connection.close()


def test_huge_bodies_without_a_length_are_refused_while_they_come(server: Running) -> None:
    def endless() -> Any:
        yield b'{"record": {"a": "'
        for _ in range(3 * MOST_BYTES // 65536):
            yield b"x" * 65536

    headers = {**VISITOR, "Content-Type": "application/json"}
    answer = httpx.post(f"{server.address}/api/records", content=endless(), headers=headers, timeout=30)
    assert answer.status_code == 413
    assert answer.json()["error"]["do"]


def test_long_addresses_are_refused(server: Running) -> None:
    problem(ask(server, "GET", "/api/games/" + "A" * 5000), 414, "long_address")


def test_what_is_no_http_harms_nobody(server: Running) -> None:
    url = urlsplit(server.address)
    for raw in (
        b"\x00\xff" * 100 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000,
        b"GET /%ff%fe HTTP/1.0\r\n\r\n",
    ):
        with socket.create_connection((url.hostname, url.port or 0), timeout=5) as connection:
            try:
                connection.sendall(raw)
                connection.recv(1000)
            except (ConnectionError, TimeoutError):
                pass
    assert ask(server, "GET", "/api/about").status_code == 200


def test_web_sockets_are_refused(server: Running) -> None:
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Key": "x" * 22 + "==",
               "Sec_WebSocket_Version": "13"}  # fmt: skip
    assert ask(server, "GET", "/api/games", **headers).status_code != 101


def test_the_pages_files_are_not_sent_again_unchanged(server: Running) -> None:
    first = ask(server, "GET", "/main.js")
    assert first.headers["Content-Type"].startswith("text/javascript")
    again = ask(server, "GET", "/main.js", If_None_Match=first.headers["ETag"])
    assert again.status_code == 304
    assert not again.content


@pytest.mark.parametrize(
    ("bound", "extra", "host", "held"),
    [
        ("127.0.0.1", (), "localhost:1", True),
        ("127.0.0.1", (), "192.168.1.2", False),
        ("127.0.0.1", ("Board.Example",), "board.example:80", True),
        ("localhost", (), "127.0.0.1", True),
        ("::1", (), "[::1]:9", True),
        ("0.0.0.0", (), "192.168.1.2:8717", True),  # rebinding needs a name
        ("0.0.0.0", (), "evil.example", False),
        ("board.example", (), "board.example:9", True),
    ],
)
def test_names_follow_the_address_that_is_listened_on(
    bound: str, extra: tuple[str, ...], host: str, held: bool
) -> None:
    assert names_for(bound, extra).hold(host) is held


def test_nobody_is_reached_under_no_name() -> None:
    assert not Names(frozenset()).hold("localhost")


def test_our_own_faults_are_told_in_the_same_form() -> None:
    with running(OPTIONS) as server:
        server.app.state.store.of = None  # anything that breaks
        answer = ask(server, "GET", "/api/games")
        error = problem(answer, 500, "fault")
        assert "log" in error["do"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert ask(server, "GET", "/api/about").status_code == 200
