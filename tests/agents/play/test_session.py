"""Sessions: undo, redo, saving and going on lead to the same bytes; hints are legal; bad files are named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from terracotta_agents.play.session import PERSON, NothingToUndoError, SaveError, Session, load_session, session_of
from terracotta_agents.registry import make_agent
from terracotta_env.army import GAME
from terracotta_env.position import Position
from terracotta_env.record import verify

SEED = 4


def session(players: int = 2, seat: int | None = 0, bot: str = "busy", board: str = "reconstructed") -> Session:
    agents = [PERSON if i == seat else bot for i in range(players)]
    return Session(Position.from_seed(GAME, players, SEED, board), agents, SEED)


def go_on(game: Session, decisions: int, choose: Callable[[Position], str] | None = None) -> Session:
    """Play until so many decisions are made or the game is over; the person takes the first choice."""
    while len(game.decisions) < decisions and not game.position.over:
        if game.own_turn:
            game.play(choose(game.position) if choose else game.position.legal()[0])
        else:
            game.play(game.bot_decision())
    return game


def to_own(game: Session) -> Session:
    while not game.own_turn:
        game.play(game.bot_decision())
    return game


@pytest.mark.parametrize(("players", "seat"), [(2, 0), (3, 2), (4, 1)])
def test_undo_leads_back_to_the_same_bytes_all_the_way_to_the_first_decision(players: int, seat: int) -> None:
    game = session(players, seat)
    before: list[bytes] = []
    while len(game.decisions) < 120:
        to_own(game)
        before.append(game.position.to_bytes())
        game.play(game.position.legal()[-1])
    to_own(game)
    for state in reversed(before):
        assert game.undo() >= 1
        assert game.position.to_bytes() == state
        assert game.own_turn
    with pytest.raises(NothingToUndoError):
        game.undo()


def test_redo_does_again_what_was_taken_back_with_the_same_answers() -> None:
    game = to_own(go_on(session(3, 1), 90))
    decisions, state = list(game.decisions), game.position.to_bytes()
    for _ in range(6):
        game.undo()
    while game.undone:
        game.play(game.redo() if game.own_turn else game.bot_decision())
    assert (game.decisions, game.position.to_bytes()) == (decisions, state)
    with pytest.raises(NothingToUndoError):
        game.redo()


def test_another_choice_after_undo_forgets_what_was_taken_back() -> None:
    game = to_own(go_on(session(), 40))
    game.undo()
    token = next(token for token in game.position.legal() if token != game.undone[0])
    game.play(token)
    assert game.undone == []
    assert go_on(game, 10_000).position.over
    verify(GAME, game.record())


def test_the_same_choices_bring_the_same_answers_without_remembering_them() -> None:
    game = to_own(go_on(session(), 60))
    decisions = list(game.decisions)
    for _ in range(9):
        game.undo()
    game.undone = []  # as if it had been played anew
    kept = len(game.decisions)
    while len(game.decisions) < len(decisions):
        game.play(decisions[len(game.decisions)] if game.own_turn else game.bot_decision())
    assert game.decisions == decisions
    assert kept < len(decisions)


@pytest.mark.parametrize("board", ["reconstructed", "shuffled"])
@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize("cut", [0, 1, 57, 58, 59, 60, 61, 200])
def test_a_saved_game_goes_on_as_if_it_had_not_been_left(
    board: str, seat: int | None, cut: int, tmp_path: Path
) -> None:
    whole = go_on(session(2, seat, board=board), 10_000)
    part = go_on(session(2, seat, board=board), cut)
    part.save(tmp_path / "game.json")
    again = load_session(GAME, tmp_path / "game.json")
    assert again.position.to_bytes() == part.position.to_bytes()
    assert go_on(again, 10_000).record() == whole.record()


def test_several_people_at_one_table_take_back_each_others_decisions() -> None:
    game = Session(Position.from_seed(GAME, 3, SEED), [PERSON, "busy", PERSON], SEED)
    assert game.people == {0, 2}
    assert game.own == 0
    go_on(game, 60)
    to_own(game)
    asked = [index for index, seat in enumerate(game.deciders) if seat != 1]
    for index in reversed(asked[-20:]):
        game.undo()
        assert len(game.decisions) == index
        assert game.position.to_act in (0, 2)


def test_saved_games_say_how_many_people_may_play() -> None:
    game = go_on(Session(Position.from_seed(GAME, 2, SEED), [PERSON, PERSON], SEED), 30)
    saved = json.loads(json.dumps(game.saved()))
    assert session_of(GAME, saved, "game", most_people=2).position.to_bytes() == game.position.to_bytes()
    with pytest.raises(SaveError, match="one human at most"):
        session_of(GAME, saved, "game")


def test_a_finished_game_is_a_record_with_the_names_of_the_players() -> None:
    record = go_on(session(3, 1, "random"), 10_000).record()
    verify(GAME, record)
    assert record["agents"] == ["random", PERSON, "random"]
    assert record["meta"] == {"versions": {"random": 1}, "seed": SEED}


def test_hints_are_legal_the_same_each_time_and_change_nothing() -> None:
    game = session(2, 0)
    while not game.position.over:
        if game.own_turn:
            before = game.position.to_bytes(), list(game.decisions)
            token = game.hint(make_agent("busy"))
            assert token == game.hint(make_agent("busy"))
            assert token in game.position.legal()
            assert (game.position.to_bytes(), game.decisions) == before
            game.play(token)
        else:
            game.play(game.bot_decision())


def test_saving_replaces_the_file_as_a_whole_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.json"
    for length in (3, 30):
        go_on(session(), length).save(path)
        assert len(json.loads(path.read_text())["decisions"]) >= length
    assert list(path.parent.iterdir()) == [path]


def broken(change: Callable[[dict[str, Any]], object]) -> str:
    saved = json.loads(json.dumps(go_on(session(), 30).saved()))
    change(saved)
    return json.dumps(saved)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON, or cut off"),
        (broken(lambda saved: None)[:-40], "not JSON, or cut off"),
        ("[1, 2]", "expected a table with the keys"),
        (
            broken(lambda saved: saved.update(format="chess-save")),
            "format: expected one of terracotta-save, got",
        ),
        (broken(lambda saved: saved.update(format="terracotta-record")), "is a record of a finished game"),
        (broken(lambda saved: saved.update(version=2)), "version: expected a whole number in 1..1, got 2"),
        (broken(lambda saved: saved.update(rules=2)), "rules: made under version 2 of the rules"),
        (broken(lambda saved: saved.pop("seed")), "seed: is missing"),
        (broken(lambda saved: saved.update(seed=-1)), "seed: expected a whole number"),
        (broken(lambda saved: saved.update(players=5)), "players: expected a whole number in 2..4, got 5"),
        (broken(lambda saved: saved.update(board="moon")), "no board 'moon'"),
        (broken(lambda saved: saved["setup"].update(inner_offset=12)), "setup: inner_offset: expected"),
        (broken(lambda saved: saved["agents"].pop()), "agents: expected 2 entries, got 1"),
        (broken(lambda saved: saved.update(agents=[PERSON, PERSON])), "agents: expected one human at most"),
        (broken(lambda saved: saved.update(agents=[PERSON, "nobody"])), "agents: no agent 'nobody'"),
        (
            broken(lambda saved: saved["decisions"].insert(7, "cell:a1")),
            "decisions[7]: 'cell:a1' is not legal for",
        ),
        (broken(lambda saved: saved["decisions"].append(3)), "decisions[30]: expected a text, got 3"),
    ],
)
def test_files_that_cannot_be_gone_on_with_are_named_in_one_line(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(SaveError) as caught:
        load_session(GAME, path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert complaint in message
    assert "\n" not in message
