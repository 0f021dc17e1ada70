"""``terracotta analyze``: positions in; visits, values by seat and principal line out."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from terracotta_agents.protocol.analyze import Analyzer
from terracotta_agents.registry import make_agents
from terracotta_env.army import GAME
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.record import play_record

ROOT = Path(__file__).resolve().parents[3]
LONG = 10_000_000


class Session:
    """An analyzer in a thread of this process; also what the tests in another process look like."""

    def __init__(self, engine: str = "mcts:40") -> None:
        self._in: queue.Queue[bytes] = queue.Queue()
        self._out: queue.Queue[str] = queue.Queue()
        self._rest = b""
        analyzer = Analyzer(GAME, self, self._out.put, engine)
        self._thread = threading.Thread(target=analyzer.run, daemon=True)
        self._thread.start()
        assert self.hear()["ready"] is True

    def readline(self, size: int = -1, /) -> bytes:
        line = self._rest or self._in.get()
        if size >= 0:
            line, self._rest = line[:size], line[size:]
        return line

    def say(self, *messages: object) -> None:
        for message in messages:
            raw = message if isinstance(message, bytes) else json.dumps(message).encode()
            self._in.put(raw + b"\n")

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._out.get(timeout=300))
        return message

    def ask(self, message: object) -> dict[str, Any]:
        self.say(message)
        return self.hear()

    def close(self) -> list[dict[str, Any]]:
        """End the input; what was still said."""
        self._in.put(b"")
        self._thread.join(60)
        assert not self._thread.is_alive()
        return [json.loads(self._out.get()) for _ in range(self._out.qsize())]


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session()
    yield made
    assert made.close() == []


def start(id_: object, **more: object) -> dict[str, object]:
    return {"id": id_, "seed": 3, "players": 2, **more}


def midway(players: int = 3) -> tuple[dict[str, Any], int, Position]:
    """A whole record, a number of decisions, and the position after them."""
    policies = make_agents(["random"], players)
    for seat, policy in enumerate(policies):
        policy.begin(seat)
    position = Position.from_seed(GAME, players, 5)
    record = play_record(position, policies)
    position = Position.from_setup(GAME, players, record["setup"])
    for token in record["decisions"][:70]:
        position.play(token)
    return record, 70, position


def test_an_answer_has_visits_values_by_seat_and_a_line(session: Session) -> None:
    for players in (2, 3, 4):
        position = Position.from_seed(GAME, players, 3)
        said = session.ask({"id": f"p{players}", "seed": 3, "players": players})
        assert (said["id"], said["done"], said["stopped"]) == (f"p{players}", True, "simulations")
        assert said["seat"] == position.to_act
        assert sorted(said["visits"]) == position.legal()
        assert sum(said["visits"].values()) == said["simulations"] - 1 == 39  # the first looks at the position itself
        assert said["visits"][said["best"]] == max(said["visits"].values())
        assert said["line"][0] == said["best"]
        assert len(said["values"]) == players
        assert all(-1 <= value <= 1 for value in said["values"])
        assert set(said["action_values"]) <= set(said["visits"])
        for token in said["line"]:
            position.play(token)


def test_all_ways_to_give_a_position_give_the_same_answer(session: Session) -> None:
    record, played, position = midway()
    so_far = {key: value for key, value in record.items() if key not in ("vp", "ranking", "meta")}
    so_far["decisions"] = record["decisions"][:played]
    short = {**so_far, "decisions": record["decisions"][: played - 5]}
    requests: list[dict[str, Any]] = [
        {"snapshot": position.snapshot()},
        {"snapshot": position.snapshot(), "board": "reconstructed"},
        {"record": so_far},
        {"record": {**so_far, "vp": [0, 0, 0], "ranking": [0, 1, 2]}},
        {"record": short, "tokens": record["decisions"][played - 5 : played]},
        {"seed": 5, "players": 3, "tokens": record["decisions"][:played]},
        {"seed": 5, "players": 3, "board": "reconstructed", "tokens": record["decisions"][:played]},
    ]
    answers = [session.ask({"id": 1, **request}) for request in requests]
    for answer in answers:
        answer.pop("seconds")
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["seat"] == position.to_act


def test_the_same_question_gets_the_same_answer_whatever_was_asked_before(session: Session) -> None:
    first = session.ask(start(1))
    session.ask({"id": 2, "seed": 9, "players": 4})
    again = session.ask(start(1))
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


def test_slices_find_what_one_search_finds(session: Session) -> None:
    from terracotta_agents.registry import make_agent
    from terracotta_agents.search.agent import Mcts
    from terracotta_env.policy import stream

    said = session.ask(start(1, engine="mcts:700"))
    bot = make_agent("mcts:700")
    assert isinstance(bot, Mcts)
    search = bot.search_for(GAME)
    search.begin(stream(0))
    result = search.run(Position.from_seed(GAME, 2, 3), 700)
    assert said["visits"] == {GAME.tokens[a]: int(n) for a, n in zip(result.actions, result.visits)}


def test_simulations_and_deadline_bound_the_search(session: Session) -> None:
    assert session.ask(start(1, max_simulations=5))["simulations"] == 5
    assert session.ask(start(2, max_simulations=123))["simulations"] == 123
    begun = time.monotonic()
    said = session.ask(start(3, max_simulations=LONG, deadline_ms=200))
    assert said["stopped"] == "deadline"
    assert 0.2 <= said["seconds"] < 1.0
    assert time.monotonic() - begun < 2.0
    assert 1 < said["simulations"] < LONG
    assert session.ask(start(4, engine="mcts:50ms"))["stopped"] == "deadline"
    assert session.ask(start(5, max_simulations=LONG, deadline_ms=0.001))["simulations"] >= 1


@pytest.mark.parametrize("engine", ["random", "busy"])
def test_bots_that_do_not_search_name_their_move(engine: str, session: Session) -> None:
    said = session.ask(start(1, engine=engine))
    assert said["line"] == [said["best"]]
    assert said["visits"][said["best"]] == 1 == sum(said["visits"].values())
    assert said["values"] is None
    assert session.ask(start(1, engine=engine))["best"] == said["best"]


def test_cancelling_stops_a_search_that_runs(session: Session) -> None:
    session.say(start("long", max_simulations=LONG))
    time.sleep(0.3)
    begun = time.monotonic()
    assert session.ask({"cancel": "long"}) == {"cancel": "long", "found": True}
    said = session.hear()
    assert time.monotonic() - begun < 1.0
    assert (said["id"], said["stopped"], said["done"]) == ("long", "cancelled", True)
    assert said["line"][0] == said["best"]  # what was found until then


def test_cancelling_takes_waiting_requests_out(session: Session) -> None:
    session.say(start("runs", max_simulations=LONG), start("waits", max_simulations=LONG), start("last"))
    assert session.ask({"cancel": "waits"}) == {"cancel": "waits", "found": True}
    assert session.ask({"cancel": "waits"}) == {"cancel": "waits", "found": True}  # twice is no harm
    assert session.ask({"cancel": "runs"})["found"]
    said = [session.hear() for _ in range(3)]
    assert [message["id"] for message in said] == ["runs", "waits", "last"]  # in the order of the requests
    assert [message["stopped"] for message in said] == ["cancelled", "cancelled", "simulations"]
    assert "visits" not in said[1]
    assert session.ask({"cancel": "runs"}) == {"cancel": "runs", "found": False}


def test_answers_come_in_the_order_of_the_requests_each_with_its_id(session: Session) -> None:
    ids = [f"id {k}" for k in range(20)] + list(range(20))
    session.say(*(start(id_, max_simulations=1 + k % 7) for k, id_ in enumerate(ids)))
    assert [session.hear()["id"] for _ in ids] == ids


def test_an_id_is_taken_only_while_it_is_analysed(session: Session) -> None:
    session.say(start(7, max_simulations=LONG), start(7))
    assert session.hear()["error"]["field"] == "id"
    session.say({"cancel": 7})
    assert [session.hear().get("found"), session.hear()["stopped"]] == [True, "cancelled"]
    assert session.ask(start(7))["stopped"] == "simulations"


def test_unknown_fields_are_warned_of_and_passed_over(session: Session) -> None:
    session.say(start(1, max_simulation=5, colour="red"))
    first, second, answer = session.hear(), session.hear(), session.hear()
    assert [first["warning"]["field"], second["warning"]["field"]] == ["max_simulation", "colour"]
    assert "max_simulations" in first["warning"]["message"]
    assert (first["id"], answer["id"], answer["simulations"]) == (1, 1, 40)
    assert session.ask({"cancel": 1, "now": True})["warning"]["field"] == "now"
    assert session.hear() == {"cancel": 1, "found": False}


def snapshot(**changes: object) -> dict[str, Any]:
    return {**Position.from_seed(GAME, 2, 3).snapshot(), **changes}


def record(**changes: object) -> dict[str, Any]:
    position = Position.from_seed(GAME, 2, 3)
    made = {
        "format": "terracotta-record",
        "version": 1,
        "board": "reconstructed",
        "players": 2,
        "setup": GAME.notation.setup_of(position.states),
        "decisions": [],
    }
    return {**made, **changes}


def ended() -> dict[str, Any]:
    position, bot = Position.from_seed(GAME, 2, 3), Uniform()
    while not position.over:
        position.play(bot.act(position, position.mask()))
    return position.snapshot()


WRONG: list[tuple[dict[str, Any], str | None, str]] = [
    ({"seed": 3, "players": 2}, "id", "is missing"),
    ({"id": None, "seed": 3, "players": 2}, "id", "expected a text"),
    ({"id": True, "seed": 3, "players": 2}, "id", "expected a text"),
    ({"id": "", "seed": 3, "players": 2}, "id", "expected a text"),
    ({"id": "x" * 257, "seed": 3, "players": 2}, "id", "at most 256"),
    ({"id": [1], "seed": 3, "players": 2}, "id", "expected a text"),
    ({"id": 1}, "snapshot", "expected exactly one of snapshot, record, seed, got none"),
    ({"id": 1, "seed": 3, "record": {}}, "seed", "exactly one"),
    ({"id": 1, "seed": 3}, "players", "is missing"),
    ({"id": 1, "seed": 3, "players": 5}, "players", "expected one of 2, 3, 4, got 5"),
    ({"id": 1, "seed": 3, "players": "2"}, "players", "expected one of 2, 3, 4"),
    ({"id": 1, "seed": -3, "players": 2}, "seed", "expected a whole number"),
    ({"id": 1, "seed": 2**64, "players": 2}, "seed", "expected a whole number"),
    ({"id": 1, "seed": 1.5, "players": 2}, "seed", "expected a whole number"),
    ({"id": 1, "seed": 3, "players": 2, "board": "nowhere"}, "board", "no board 'nowhere'"),
    ({"id": 1, "seed": 3, "players": 2, "board": "/etc/passwd"}, "board", "no board"),
    ({"id": 1, "seed": 3, "players": 2, "board": 7}, "board", "expected a name"),
    ({"id": 1, "seed": 3, "players": 2, "tokens": "rotate:none"}, "tokens", "expected a list"),
    ({"id": 1, "seed": 3, "players": 2, "tokens": ["rotate:none", "cell:e4"]}, "tokens[1]", "illegal action 'cell:e4'"),
    ({"id": 1, "seed": 3, "players": 2, "tokens": [4]}, "tokens[0]", "expected a text, got 4"),
    ({"id": 1, "seed": 3, "players": 2, "engine": "deep"}, "engine", "no engine 'deep'"),
    ({"id": 1, "seed": 3, "players": 2, "engine": "cmd:cat"}, "engine", "no engine 'cmd:cat'"),
    ({"id": 1, "seed": 3, "players": 2, "engine": "os:system"}, "engine", "no engine 'os:system'"),
    ({"id": 1, "seed": 3, "players": 2, "engine": "mcts:0"}, "engine", "budget"),
    ({"id": 1, "seed": 3, "players": 2, "engine": 5}, "engine", "expected a text"),
    ({"id": 1, "seed": 3, "players": 2, "max_simulations": 0}, "max_simulations", "whole number in 1.."),
    ({"id": 1, "seed": 3, "players": 2, "max_simulations": "9"}, "max_simulations", "whole number in 1.."),
    ({"id": 1, "seed": 3, "players": 2, "deadline_ms": 0}, "deadline_ms", "milliseconds in 0.."),
    ({"id": 1, "seed": 3, "players": 2, "deadline_ms": True}, "deadline_ms", "expected milliseconds"),
    ({"id": 1, "seed": 3, "players": 2, "deadline_ms": float("nan")}, "deadline_ms", "milliseconds in 0.."),
    ({"id": 1, "snapshot": 7}, "snapshot", "expected a JSON object, got 7"),
    ({"id": 1, "snapshot": {}}, "snapshot.format", "is missing"),
    ({"id": 1, "snapshot": snapshot(round=9)}, "snapshot.round", "expected a whole number in 1..5, got 9"),
    ({"id": 1, "snapshot": snapshot(board="/etc/passwd")}, "snapshot.board", "no board"),
    ({"id": 1, "snapshot": snapshot(), "players": 2}, "players", "goes with seed"),
    ({"id": 1, "snapshot": ended()}, "snapshot", "the game is over"),
    ({"id": 1, "record": {}}, "record.format", "is missing"),
    ({"id": 1, "record": record(players=9)}, "record.players", "expected a whole number in 2..4"),
    ({"id": 1, "record": record(decisions=["dir:n"])}, "record", "decision 0 (dir:n): not legal for seat"),
    ({"id": 1, "record": record(setup={})}, "record.setup.inner_offset", "is missing"),
    ({"id": 1, "record": record(), "board": "flat"}, "board", "goes with seed or snapshot"),
    ({"cancel": None}, "cancel", "expected a text"),
    ({"cancel": {"id": 1}}, "cancel", "expected a text"),
]


def test_errors_name_the_field_and_harm_nothing_else(session: Session) -> None:
    for request, where, message in WRONG:
        said = session.ask(request)
        assert said["error"]["field"] == where, (request, said)
        assert message in said["error"]["message"], (request, said)
        given = request.get("id")
        assert said["id"] == (given if isinstance(given, str | int) and not isinstance(given, bool) else None)
    assert session.ask(start(1))["done"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"what is best?", "line 1: is not JSON"),
        (b"[1]", "line 1: expected a JSON object, got list"),
        (b"\xff\xfe", "line 1: is not JSON"),
        (b"[" * 200_000, "line 1: is not JSON"),
        (b'{"id": 1, "seed": ' + b"9" * 5000 + b"}", "line 1: is not JSON"),
        (b'"' + b"x" * (5 << 20) + b'"', "line 1: is longer than 4194304 bytes"),
    ],
)
def test_lines_that_are_no_requests_are_told_by_number(line: bytes, message: str, session: Session) -> None:
    said = session.ask(line)
    assert (said["id"], said["error"]["field"]) == (None, None)
    assert said["error"]["message"].startswith(message)
    assert session.ask(start(1))["done"]


def test_an_engine_that_fails_is_told_and_the_next_request_served(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no memory")

    with monkeypatch.context() as patch:
        patch.setattr("terracotta_agents.protocol.analyze.analyse", fail)
        said = session.ask(start(1))
    assert said["error"] == {"field": "engine", "message": "mcts:40: no memory"}
    assert said["done"]
    assert session.ask(start(2))["visits"]


def test_everything_asked_is_answered_before_the_end() -> None:
    session = Session()
    session.say(*(start(k) for k in range(5)))
    assert [said["id"] for said in session.close()] == list(range(5))


def test_a_thousand_starts_and_stops_in_any_order(session: Session) -> None:
    """KataGo#512: rapid starts and stops."""
    ids = list(range(500))
    for k in ids:
        session.say(start(k, max_simulations=LONG), {"cancel": k})
        if k % 7 == 0:
            session.say({"cancel": k})
    said = [session.hear() for _ in range(1000 + 72)]
    assert [message["id"] for message in said if message.get("done")] == ids
    assert all(message["stopped"] == "cancelled" for message in said if message.get("done"))


def test_five_hundred_starts_and_stops_of_one_process(mark: str) -> None:
    command = [
        sys.executable,
        "-c",
        "from terracotta_agents.protocol.commands import analyze; analyze()",
        "--engine",
        "mcts:50",
    ]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdin is not None
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["ready"]
    for k in range(500):
        process.stdin.write(json.dumps(start(k, max_simulations=LONG)) + "\n")
        process.stdin.flush()
        if k % 5 == 0:
            time.sleep(0.002)  # some are stopped while they run, some before
        process.stdin.write(json.dumps({"cancel": k}) + "\n")
        process.stdin.flush()
        said = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert {"cancel": k, "found": True} in said
        assert [message["stopped"] for message in said if "stopped" in message] == ["cancelled"]
    process.stdin.write(json.dumps(start("last")) + "\n")
    rest, _ = process.communicate(timeout=60)
    assert json.loads(rest)["simulations"] == 50
    assert process.returncode == 0


def test_a_reader_that_goes_away_ends_the_command(mark: str) -> None:
    command = [sys.executable, "-c", "from terracotta_env.cli import main; main()"]
    process = subprocess.Popen(
        [*command, "analyze"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert b"ready" in process.stdout.readline()
    process.stdout.close()
    process.stdin.write(b'{"id": 1, "seed": 3, "players": 2}\n' * 3)
    process.stdin.close()
    process.wait(30)
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.returncode == 1
