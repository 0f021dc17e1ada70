"""The interface: playing, looking, taking back, saving, sharing."""

from __future__ import annotations

from typing import Any

from terracotta_agents.play.session import load_session
from terracotta_env.army import GAME
from terracotta_env.record import verify
from tests.agents.games import recorded
from tests.agents.serve.serving import Running, Visitor, good, problem


def test_about_tells_what_can_be_chosen(visitor: Visitor) -> None:
    about = good(visitor.get("about"))
    assert about["players"] == [2, 3, 4]
    assert about["boards"] == list(GAME.notation.board_names())
    assert about["bots"][:2] == ["random", "busy"]
    assert len(about["rules"]) > 5


def test_a_new_game_shows_board_question_choices_and_help(visitor: Visitor) -> None:
    view = visitor.settled(visitor.begin("human", "busy", seed=5))
    assert view["asked"] == "person"
    assert view["picture"].startswith("<svg")
    assert "<style" not in view["picture"]  # the page allows no styles inside
    for choice in view["choices"]:
        assert choice["words"]
        assert f'data-token="{choice["token"]}"' in view["picture"]
    assert view["help"]["lines"]
    assert view["described"].startswith("Round 1")


def test_the_same_seed_is_the_same_game(server: Running) -> None:
    views = [server.visitor().begin("human", "human", seed=8) for _ in range(2)]
    assert views[0]["picture"] == views[1]["picture"]
    assert server.visitor().begin("human", "human", seed=9)["picture"] != views[0]["picture"]


def test_a_whole_game_is_played_and_its_record_verified(visitor: Visitor) -> None:
    view = visitor.play(visitor.begin("busy", "human", "random", seed=3), 1000)
    assert view["over"]
    assert sorted(view["ranking"]) == [0, 1, 2]
    record = good(visitor.get(f"games/{view['game']}/record"))
    final = verify(GAME, record)
    assert final.points() == record["vp"] == [player["points"] for player in view["players"]]
    assert record["agents"] == ["busy", "human", "random"]
    assert view["told"][-1]["text"].startswith("The game ends.")
    assert [len(row["values"]) for row in view["sources"]] == [3] * len(view["sources"])
    assert [sum(int(row["values"][seat]) for row in view["sources"]) for seat in range(3)] == record["vp"]


def test_every_moment_can_be_looked_at_again(visitor: Visitor) -> None:
    view = visitor.play(visitor.begin("human", "busy", seed=2), 8)
    record = good(visitor.get(f"games/{view['game']}/record"))
    for at in (0, 1, view["at"] - 1):
        past = good(visitor.get(f"games/{view['game']}", at=at))
        assert past["at"] == at
        assert past["made"]["token"] == record["decisions"][at]
        assert [line for line in view["told"] if line["last"] <= at] == past["told"]
    error = problem(visitor.get(f"games/{view['game']}", at=5000), 409, "no_such_decision")
    assert "5000" in error["message"]


def test_hot_seats_decide_in_turn(visitor: Visitor) -> None:
    view = visitor.begin("human", "human", "human", seed=1)
    seats = set()
    for _ in range(40):
        seats.add(view["to_act"])
        view = visitor.decide(view, view["choices"][0]["token"])
        assert view["asked"] == "person"
    assert seats == {0, 1, 2}


def test_bots_alone_play_to_the_end(visitor: Visitor) -> None:
    view = visitor.settled(visitor.begin("busy", "random", seed=4))
    assert view["over"]
    assert not view["can_undo"]


def test_undo_and_redo_bring_the_same_answers(visitor: Visitor) -> None:
    view = visitor.play(visitor.begin("human", "mcts:100", seed=6), 12)
    before = good(visitor.get(f"games/{view['game']}/record"))["decisions"]
    taken = 0
    for _ in range(6):
        answer = good(visitor.post(f"games/{view['game']}/undo"))
        taken += answer["taken"]
    assert answer["view"]["decisions"] == len(before) - taken
    again = answer["view"]
    while again["can_redo"]:
        again = visitor.settled(good(visitor.post(f"games/{view['game']}/redo")))
    record = good(visitor.get(f"games/{view['game']}/record"))
    assert record["decisions"] == before
    assert again["told"] == view["told"]


def test_games_that_are_no_practice_allow_neither_undo_nor_advice(visitor: Visitor) -> None:
    view = visitor.play(visitor.begin("human", "busy", seed=2, practice=False), 3)
    game = view["game"]
    assert not view["can_ask"]
    look = {"at": view["at"], "analyst": "mcts:100"}
    for answer in (
        visitor.post(f"games/{game}/undo"),
        visitor.post(f"games/{game}/hint"),
        visitor.post(f"games/{game}/analysis", look),
        visitor.post(f"games/{game}/chances", {**look, "at": [0]}),
    ):
        problem(answer, 409, "no_practice")


def test_hints_are_legal_and_told_in_words(visitor: Visitor) -> None:
    view = visitor.settled(visitor.begin("human", "busy", seed=7))
    hint = good(visitor.post(f"games/{view['game']}/hint"))
    assert hint["token"] in [choice["token"] for choice in view["choices"]]
    assert hint["words"]
    assert good(visitor.get(f"games/{view['game']}"))["decisions"] == view["decisions"]


def test_explanations_tell_what_changes(visitor: Visitor) -> None:
    view = visitor.settled(visitor.begin("human", "busy", seed=7))
    for choice in view["choices"]:
        lines = good(visitor.get(f"games/{view['game']}/explanation", token=choice["token"]))["lines"]
        assert len(lines) > 1
    problem(visitor.get(f"games/{view['game']}/explanation", token="decline"), 409, "illegal")


def test_explanations_say_why_a_scoring_would_give_something_else(visitor: Visitor) -> None:
    view = visitor.begin("human", "human", seed=5)
    lines = good(visitor.get(f"games/{view['game']}/explanation", token="rotate:inner"))["lines"]
    assert not any("->" in line for line in lines)
    assert lines[1] == "You: Coins 3 → 1"
    assert any("you 0 VP instead of 1 (leftover Clay and Coins 1 → 0)" in line for line in lines)


def test_analyses_hold_candidates_values_and_heat(visitor: Visitor) -> None:
    view = visitor.play(visitor.begin("human", "busy", seed=7), 6)
    while not view["choices"][0]["token"].startswith("place:"):
        view = visitor.decide(view, view["choices"][0]["token"])
    body = {"at": view["at"], "analyst": "mcts:100"}
    found = good(visitor.post(f"games/{view['game']}/analysis", body))
    assert [c["token"] for c in found["candidates"]] != []
    assert {c["token"] for c in found["candidates"]} == {c["token"] for c in view["choices"]}
    assert abs(sum(c["probability"] for c in found["candidates"]) - 1) < 1e-9
    assert sum(c["visits"] for c in found["candidates"]) <= found["simulations"] == 100
    assert len(found["values"]) == len(found["chances"]) == 2
    assert abs(sum(found["chances"]) - 1) < 1e-9
    assert 'class="ta-heat"' in found["picture"]
    assert good(visitor.post(f"games/{view['game']}/analysis", body)) == found  # the same question, the same answer
    plain = good(visitor.post(f"games/{view['game']}/analysis", {**body, "analyst": "busy"}))
    assert plain["values"] is None
    assert plain["candidates"][0]["visits"] is None
    problem(visitor.post(f"games/{view['game']}/analysis", {**body, "analyst": "cmd:rm"}), 422, "no_such_analyst")


def test_win_chances_are_certain_at_the_end(visitor: Visitor) -> None:
    view = visitor.settled(visitor.begin("busy", "random", seed=4))
    graph = good(visitor.get(f"games/{view['game']}/graph", analyst="mcts:100"))
    assert len(graph["points"]) == view["decisions"] + 1
    assert graph["turns"] == view["turns"]
    assert len(graph["rounds"]) == 5
    asked = {"at": [0, view["decisions"]], "analyst": "mcts:100"}
    response = visitor.post(f"games/{view['game']}/chances", asked)
    assert response.status_code == 200
    first, last = response.json()
    assert 0 < first["chances"][0] < 1
    assert last["chances"][view["ranking"][0]] == 1
    known = good(visitor.get(f"games/{view['game']}/graph", analyst="mcts:100"))["chances"]
    assert known == [first, last]


def test_records_are_opened_and_stepped_through(visitor: Visitor) -> None:
    record, final = recorded(4)
    view = good(visitor.post("records", {"record": record}), 201)
    assert view["over"]
    assert [player["points"] for player in view["players"]] == final.points() == record["vp"]
    assert view["asked"] is None
    assert not view["can_undo"]
    assert good(visitor.get(f"games/{view['game']}", at=0))["decisions"] == len(record["decisions"])
    back = good(visitor.get(f"games/{view['game']}/record"))
    for key in ("decisions", "vp", "ranking", "setup", "agents", "players", "board"):
        assert back[key] == record[key]


def test_records_with_a_trace_are_opened_too(visitor: Visitor) -> None:
    record, _ = recorded(2, trace=True)
    good(visitor.post("records", {"record": record}), 201)


def test_saved_games_go_on_and_can_be_gone_on_with_in_the_terminal(visitor: Visitor, tmp_path: Any) -> None:
    view = visitor.play(visitor.begin("human", "busy", seed=12), 7)
    answer = visitor.get(f"games/{view['game']}/record")
    path = tmp_path / "game.json"
    path.write_bytes(answer.content)
    assert load_session(GAME, path).decisions == answer.json()["decisions"]
    opened = good(visitor.post("records", {"record": answer.json()}), 201)
    assert opened["game"] != view["game"]
    assert opened["choices"] == view["choices"]
    both = [visitor.decide(v, v["choices"][0]["token"]) for v in (view, opened)]
    assert both[0]["told"] == both[1]["told"]  # the bot answers the same


def test_positions_are_shared_as_text(server: Running, visitor: Visitor) -> None:
    view = visitor.play(visitor.begin("human", "busy", seed=12), 9)
    text = good(visitor.get(f"games/{view['game']}/text"))["text"]
    assert len(text) < 1000
    other = server.visitor()
    looked = good(other.post("positions", {"text": f" {text[:50]}\n{text[50:]} "}), 201)  # as mails break it
    assert looked["asked"] is None
    assert looked["described"] == view["described"]
    played = good(other.post("positions", {"text": text, "seats": ["human", "human"]}), 201)
    assert [c["token"] for c in played["choices"]] == [c["token"] for c in view["choices"]]


def test_a_game_is_played_on_from_any_moment(visitor: Visitor) -> None:
    record, _ = recorded(3)
    view = good(visitor.post("records", {"record": record}), 201)
    body = {"at": 30, "seats": ["human", "human", "human"]}
    branch = good(visitor.post(f"games/{view['game']}/branches", body), 201)
    assert branch["decisions"] == 30
    assert branch["asked"] == "person"
    past = good(visitor.get(f"games/{view['game']}", at=30))
    assert [c["token"] for c in branch["choices"]] == [c["token"] for c in past["choices"]]
    problem(visitor.post(f"games/{view['game']}/branches", {**body, "seats": ["human", "human"]}), 409, "other_players")
