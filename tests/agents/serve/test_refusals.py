"""What visitors may not do: each answer says what came, what was expected and what to do."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest

from terracotta_agents.serve.opening import TEXT_HEAD
from tests.agents.games import recorded
from tests.agents.serve.serving import Running, Visitor, good, problem


@pytest.fixture
def game(visitor: Visitor) -> dict[str, Any]:
    return visitor.settled(visitor.begin("human", "busy", seed=7))


def test_illegal_and_unknown_tokens_change_nothing(visitor: Visitor, game: dict[str, Any]) -> None:
    for token in ("decline", "cell:e4", "nonsense", "rotate:none ", "ROTATE:NONE", "💥"):
        body = json.dumps({"token": token, "at": game["at"]})
        answer = visitor.client.post(
            f"games/{game['game']}/decisions", content=body, headers={"Content-Type": "application/json"}
        )
        error = problem(answer, 409, "illegal")
        assert "rotate:none" in error["message"]  # what is legal
    assert good(visitor.get(f"games/{game['game']}"))["version"] == game["version"]


def test_decisions_are_for_the_moment_they_were_made_for(visitor: Visitor, game: dict[str, Any]) -> None:
    later = visitor.decide(game, "rotate:none")
    answer = visitor.post(f"games/{game['game']}/decisions", {"token": "rotate:none", "at": game["at"]})
    problem(answer, 409, "other_moment")
    assert good(visitor.get(f"games/{game['game']}"))["version"] == later["version"]


def test_nobody_decides_for_a_bot_or_after_the_end(visitor: Visitor) -> None:
    view = visitor.settled(visitor.begin("busy", "busy", seed=1))
    problem(
        visitor.post(f"games/{view['game']}/decisions", {"token": "rotate:none", "at": view["at"]}), 409, "not_asked"
    )
    problem(visitor.post(f"games/{view['game']}/undo"), 409, "nothing_to_undo")
    problem(visitor.post(f"games/{view['game']}/redo"), 409, "nothing_to_redo")
    problem(visitor.post(f"games/{view['game']}/hint"), 409, "not_asked")
    look = {"at": view["at"], "analyst": "mcts:100"}
    problem(visitor.post(f"games/{view['game']}/analysis", look), 409, "over")


@pytest.mark.parametrize(
    "seats",
    [
        ["human", "cmd:touch /tmp/terracotta-owned"],
        ["human", "net:/etc"],
        ["human", "os:system"],
        ["human", "mcts:10000000"],
        ["human", "mcts:100,threads=256"],
        ["human", ""],
    ],
)
def test_only_the_operators_bots_play(visitor: Visitor, seats: list[str]) -> None:
    answer = visitor.post("games", {"seats": seats})
    assert answer.status_code == 422
    assert "seats" in answer.json()["error"]["field"]


@pytest.mark.parametrize("board", ["../../etc/passwd", "/etc/passwd", "flat.toml", "nonsense", "a.toml"])
def test_no_board_is_a_path(visitor: Visitor, board: str) -> None:
    error = problem(visitor.post("games", {"seats": ["human", "busy"], "board": board}), 422, "no_such_board")
    assert "reconstructed" in error["message"]
    record, _ = recorded()
    for answer in (
        visitor.post("records", {"record": {**record, "board": board}}),
        visitor.post("positions", {"text": packed([{"board": board, "players": 2, "setup": record["setup"]}, []])}),
    ):
        problem(answer, 422, "no_such_board")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seats": "human"},
        {"seats": ["human"]},
        {"seats": ["human"] * 5},
        {"seats": ["human", 3]},
        {"seats": ["human", "busy"], "seed": -1},
        {"seats": ["human", "busy"], "seed": 2**53},
        {"seats": ["human", "busy"], "seed": "7"},
        {"seats": ["human", "busy"], "seed": 1.5},
        {"seats": ["human", "busy"], "seed": True},
        {"seats": ["human", "busy"], "practice": "yes"},
        {"seats": ["human", "busy"], "unknown": 1},
        {"seats": ["human", "busy"], "\ud800": 1},
        [],
        None,
        7,
    ],
)
def test_wrong_types_are_named(visitor: Visitor, body: Any) -> None:
    answer = visitor.client.post("games", content=json.dumps(body), headers={"Content-Type": "application/json"})
    error = problem(answer, 422, "invalid")
    assert error["field"]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"seats": NaN}', b"\x00"])
def test_what_is_no_json_is_refused(visitor: Visitor, content: bytes) -> None:
    answer = visitor.client.post("games", content=content, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["do"]


def test_foreign_games_are_as_if_they_were_not_there(server: Running, visitor: Visitor, game: dict[str, Any]) -> None:
    other = server.visitor()
    path = f"games/{game['game']}"
    answers = [
        other.get(path),
        other.get(f"{path}/record"),
        other.get(f"{path}/text"),
        other.get(f"{path}/graph"),
        other.get(f"{path}/explanation", token="rotate:none"),
        other.post(f"{path}/decisions", {"token": "rotate:none", "at": game["at"]}),
        other.post(f"{path}/undo"),
        other.post(f"{path}/redo"),
        other.post(f"{path}/hint"),
        other.post(f"{path}/analysis", {"at": 0, "analyst": "busy"}),
        other.post(f"{path}/chances", {"at": [0], "analyst": "busy"}),
        other.post(f"{path}/branches", {"at": 0, "seats": ["human", "human"]}),
        other.client.delete(path),
    ]
    unknown = problem(other.get("games/" + "A" * 16), 404, "no_such_game")
    for answer in answers:
        error = problem(answer, 404, "no_such_game")
        assert error["message"].replace(game["game"], "A" * 16) == unknown["message"]
    assert other.get("games").json() == []
    assert good(visitor.get(path))["version"] == game["version"]


@pytest.mark.parametrize("name", ["", "short", "a" * 65, "../../etc/passwd....................", "a b" * 10])
def test_visitors_without_a_secret_are_refused(server: Running, name: str) -> None:
    error = problem(server.visitor("x" * 22).client.get("games", headers={"X-Visitor": name}), 422, "invalid")
    assert error["field"] == "header.X-Visitor"


@pytest.mark.parametrize("identity", ["..%2f..%2fetc%2fpasswd", "short", "%00" * 16, "A" * 17])
def test_identities_are_no_paths(visitor: Visitor, identity: str) -> None:
    assert visitor.get(f"games/{identity}").status_code in (404, 422)


def test_files_are_those_of_the_page_only(server: Running, visitor: Visitor) -> None:
    for path in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "static/main.js", "/etc/passwd", "app.py", "main.js/"):
        answer = visitor.client.get(f"{server.address}/{path}")
        assert answer.status_code in (404, 307), path
        assert "import" not in answer.text


def changed(**changes: Any) -> dict[str, Any]:
    record, _ = recorded()
    return {**record, **changes}


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"format": "chess-record"},
        changed(vp=[0, 0]),
        changed(ranking=[0]),
        changed(decisions=["rotate:none"]),
        changed(decisions=[7]),
        changed(decisions="rotate:none"),
        changed(players=9),
        changed(players="2"),
        changed(setup={}),
        changed(setup=[]),
        changed(version=2),
        changed(rules=99),
        changed(board=7),
        changed(board_data={"name": "reconstructed"}),
        changed(board_data="/etc/passwd"),
        changed(agents=["a"]),
        changed(meta=7),
    ],
)
def test_records_that_do_not_replay_are_refused(visitor: Visitor, record: dict[str, Any]) -> None:
    answer = visitor.post("records", {"record": record})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["message"]


def test_saved_games_with_foreign_bots_are_refused(visitor: Visitor, game: dict[str, Any]) -> None:
    saved = good(visitor.get(f"games/{game['game']}/record"))
    for agents in (["human", "cmd:true"], ["human", "net:/"], ["human"], "human", [1, 2]):
        assert visitor.post("records", {"record": {**saved, "agents": agents}}).status_code == 422


def packed(content: Any, head: str = f"{TEXT_HEAD}-1:") -> str:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return head + base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "terracotta-position-1:",
        "terracotta-position-2:AAAA",
        "terracotta-position-1:!!!!",
        "terracotta-position-1:AAAA",
        packed([]),
        packed([1, 2]),
        packed([{}, []]),
        packed([{"players": 2, "board": "flat", "setup": {}}, []]),
        packed([{"players": 2, "board": "flat", "setup": {}, "format": "x"}, []]),
        packed(b"[" * 100_000),
        packed(b" " * 50_000_000),  # a bomb: small when packed
        packed(b"\xff"),
    ],
)
def test_texts_that_hold_no_position_are_refused(visitor: Visitor, text: str) -> None:
    answer = visitor.post("positions", {"text": text[:20_000]})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["do"]


def test_texts_with_illegal_decisions_are_refused(visitor: Visitor) -> None:
    record, _ = recorded()
    kept = {key: record[key] for key in ("rules", "board", "players", "setup")}
    for decisions in (["decline"], ["nonsense"], [7], [["rotate:none"]]):
        assert visitor.post("positions", {"text": packed([kept, decisions])}).status_code == 422


def test_names_from_records_are_shown_as_text_only(visitor: Visitor) -> None:
    names = ["<img src=x onerror=alert(1)>", "\ud800\u202e" + "x" * 500]
    body = json.dumps({"record": changed(agents=names)})
    answer = visitor.client.post("records", content=body, headers={"Content-Type": "application/json"})
    view = good(answer, 201)
    assert "<img" not in view["picture"]
    assert all(len(player["name"]) <= 40 for player in view["players"])
