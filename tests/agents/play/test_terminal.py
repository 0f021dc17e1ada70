"""A person at a real pseudo-terminal: a whole game with undo, hint, save and resume, leaving, and stepping back."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from terracotta_env.army import GAME
from terracotta_env.record import read_lines, verify, write_line
from tests.agents.games import recorded
from tests.agents.play.person import COMMAND, Person, environment

pty = pytest.importorskip("pty", reason="pseudo-terminals are POSIX's")
CHOICE = r"^choice 1-\d+ or \? >"
SEAT_0_COLOURED = "\x1b[1;34m"
NEXT = rf"{CHOICE}|^The game is over: Enter ends"


def test_a_whole_game_with_undo_hint_save_and_resume(tmp_path: Path) -> None:
    env = environment(tmp_path / "state")
    save, out = tmp_path / "mine.json", tmp_path / "games.jsonl"
    call = ("play", "--players", 3, "--seat", 1, "--agents", "busy,random", "--seed", 11, "--hint", "busy")
    with Person(*call, env=env, cwd=tmp_path) as person:
        person.wait_for("kept in")
        person.wait_for(CHOICE)
        for _ in range(3):
            person.type("hint")
            number, token = person.wait_for(r"hint of \S+: (\d+), ([\w:+,-]+): ").groups()
            person.wait_for(CHOICE)
            person.type(number)
            person.wait_for(f"= {token}")
            person.wait_for(CHOICE)
        taken = token
        person.type("undo")
        person.wait_for("taken back: ")
        person.wait_for(CHOICE)
        person.type("why 1")
        person.wait_for("Next: |Your turn ends")
        person.wait_for(CHOICE)
        person.type(taken)
        person.wait_for(f"= {taken}")
        for _ in range(40):
            person.wait_for(CHOICE)
            person.type("1")
            person.wait_for("^= ")
        person.wait_for(CHOICE)
        person.type(f"save {save.name}")
        person.wait_for("saved in mine.json; go on with: terracotta play --resume mine.json")
        person.wait_for(CHOICE)
        person.type("", end="\x04")  # Ctrl-D
        person.wait_for("keep, FILE, drop or back >")
        person.type("")
        assert person.end() == 0
        assert "Traceback" not in person.screen
    before = json.loads(save.read_text())["decisions"]
    with Person("play", "--resume", save.name, "--out", out, env=env, cwd=tmp_path) as person:
        while "over" not in person.wait_for(NEXT).group():
            person.type("1")
            person.wait_for("^= ")
        person.type("undo")
        person.wait_for(CHOICE)
        person.type("redo")
        person.wait_for("^The game is over: Enter ends")
        person.type("")
        person.wait_for("The record of the game is in ")
        assert person.end() == 0
        assert "Traceback" not in person.screen
    [(_, record)] = read_lines(out)
    verify(GAME, record)
    assert record["decisions"][: len(before)] == before
    assert record["agents"] == ["random", "human", "busy"]
    done = subprocess.run([*COMMAND, "verify", str(out)], capture_output=True, text=True, env=env, timeout=300)
    assert (done.returncode, done.stdout) == (0, "1 games verified\n")


def test_the_board_is_coloured_and_choices_and_commands_are_completed(tmp_path: Path) -> None:
    with Person("play", "--seed", 3, "--agents", "random", env=environment(tmp_path), cwd=tmp_path) as person:
        person.wait_for(CHOICE)
        assert SEAT_0_COLOURED in person.printed
        person.type("rotate:i\t", end="")
        person.wait_for("rotate:inner")
        person.type("")
        person.wait_for("^= rotate:inner")
        person.wait_for(CHOICE)
        person.type("sco\t")
        person.wait_for("VP by source")
        person.wait_for(CHOICE)
        person.type("", end="\x03")  # Ctrl-C
        person.wait_for("keep, FILE, drop or back >")
        person.type("back")
        person.wait_for(CHOICE)
        person.type("quit")
        person.wait_for("keep, FILE, drop or back >")
        person.type("", end="\x03")
        assert person.end() == 0
        assert "The game is kept in" in person.screen


def test_colours_are_left_out_where_they_are_not_wanted(tmp_path: Path) -> None:
    for more, plain in (({"NO_COLOR": "1"}, []), ({}, ["--plain"])):
        env = environment(tmp_path, **more)
        with Person("play", "--seed", 3, "--agents", "random", *plain, env=env, cwd=tmp_path) as person:
            person.wait_for(CHOICE)
            assert SEAT_0_COLOURED not in person.printed
            assert not plain or "\x1b" not in person.printed
            person.type("q")
            person.wait_for("keep, FILE, drop or back >")
            person.type("drop")
            assert person.end() == 0


def test_ctrl_c_while_bots_play_leaves_with_the_game_kept(tmp_path: Path) -> None:
    call = ("play", "--seat", "-1", "--agents", "random", "--seed", 3, "--speed", 2)
    with Person(*call, "--autosave", "kept.json", env=environment(tmp_path), cwd=tmp_path) as person:
        person.wait_for("^Seat . ")
        person.interrupt()
        person.wait_for("keep, FILE, drop or back >")
        person.type("")
        person.wait_for("terracotta play --resume kept.json")
        assert person.end() == 0
    assert json.loads((tmp_path / "kept.json").read_text())["decisions"]


def test_a_record_is_stepped_through_with_the_keyboard(tmp_path: Path) -> None:
    with (tmp_path / "games.jsonl").open("w") as file:
        write_line(file, recorded()[0])
    with Person("replay", "games.jsonl", env=environment(tmp_path), cwd=tmp_path) as person:
        person.wait_for(r"^0 of \d+ >")
        for typed, place in (("n", 1), ("", 2), ("p", 1), ("20", 20), ("p", 19), ("first", 0)):
            person.type(typed)
            person.wait_for(f"^Decision {place} of ")
            person.wait_for(rf"^{place} of \d+ >")
        person.type("last")
        person.wait_for("The end of the game")
        person.type("q")
        assert person.end() == 0
        assert "Traceback" not in person.screen


def test_a_terminal_without_abilities_is_used_plainly(tmp_path: Path) -> None:
    env = {**environment(tmp_path), "TERM": "dumb"}
    with Person("play", "--seed", 3, "--agents", "random", env=env, cwd=tmp_path) as person:
        person.wait_for(CHOICE)
        assert "\x1b" not in person.printed
        person.type("1", end=os.linesep)
        person.wait_for("^= rotate:none")
        person.wait_for(CHOICE)
        person.type("", end="\x04")
        person.wait_for("keep, FILE, drop or back >")
        time.sleep(0.5)  # until the line is waited for
        person.interrupt_until_it_ends()
        assert person.end() == 0
