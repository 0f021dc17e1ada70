"""``play`` and ``replay`` scripted through a pipe: whole games, records both ways, and one clear line for mistakes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
import pytest

from terracotta_agents.play.commands import _hinter, play, replay
from terracotta_agents.registry import BOTS
from terracotta_env.army import GAME
from terracotta_env.army.render import WIDTH
from terracotta_env.cli import cli
from terracotta_env.record import read_lines, verify, write_line
from tests.agents.games import recorded
from tests.agents.play.person import COMMAND, ROOT, environment
from tests.running import Run, exit_code


@pytest.fixture(autouse=True)
def _commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The commands under their names, and a state folder of the test's own."""
    monkeypatch.setitem(cli.commands, "play", play)
    monkeypatch.setitem(cli.commands, "replay", replay)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", str(WIDTH))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Calls the command in this process with lines to read: exit code, output, errors."""

    def call(*args: object, lines: list[str] | None = None) -> tuple[int, str, str]:
        read, write = os.pipe()
        os.write(write, "".join(f"{line}\n" for line in lines or []).encode())
        os.close(write)
        with os.fdopen(read) as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            code = exit_code(*args)
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file of three games with 2, 3 and 4 players, the second one with a trace."""
    path = tmp_path / "games.jsonl"
    with path.open("w") as file:
        for players in GAME.players:
            write_line(file, recorded(players, ("busy",), trace=players == 3)[0])
    return path


def complaint(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line.strip() and not line.startswith(("Usage: ", "Try "))]
    assert len(lines) == 1, errors
    return lines[0]


# entry points and help ------------------------------------------------------------------------------------------------


def test_commands_are_declared_and_prompt_toolkit_is_in_their_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["entry-points"]["terracotta.commands"]
    for name in ("play", "replay"):
        module, _, attribute = declared[name].partition(":")
        assert isinstance(getattr(import_module(module), attribute), click.Command)
    assert any(line.startswith("prompt_toolkit") for line in project["optional-dependencies"]["play"])


@pytest.mark.parametrize("name", ["play", "replay"])
def test_every_option_has_a_help_text(name: str, run: Run) -> None:
    for parameter in cli.commands[name].params:
        assert not isinstance(parameter, click.Option) or parameter.help
    code, printed, _ = run(name, "--help")
    assert code == 0
    assert all(len(line) <= 110 for line in printed.splitlines())


def test_the_help_loads_neither_the_rules_nor_the_screen(tmp_path: Path) -> None:
    code = (
        "import sys; from terracotta_agents.play import commands; "
        "assert not {'numpy', 'numba', 'prompt_toolkit', 'rich', 'terracotta_env.army'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment(tmp_path), timeout=300)


# playing --------------------------------------------------------------------------------------------------------------


def test_a_whole_game_is_played_through_a_pipe_and_its_record_verifies(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "games.jsonl"
    call = ("play", "--players", 3, "--seat", 1, "--agents", "busy,random", "--seed", 5, "--out", out)
    code, printed, errors = run(*call, lines=["1"] * 300)
    assert (code, errors) == (0, "")
    [(_, record)] = read_lines(out)
    verify(GAME, record)
    assert record["agents"] == ["random", "human", "busy"]  # clockwise after the person
    for part in ("Round 5 ends.", "The game ends.", "1. ", "VP by source", f"The record of the game is in {out}"):
        assert part in printed
    assert max(len(line) for line in printed.splitlines()) <= 2 * WIDTH
    assert list((tmp_path / "state" / "terracotta-army").iterdir()) == []  # the record has taken its place


def test_records_are_added_to_a_file_of_records(run: Run, games: Path) -> None:
    games.write_bytes(games.read_bytes().removesuffix(b"\n"))
    call = ("play", "--seat", -1, "--agents", "random", "--seed", 5, "--out", games)
    assert run(*call)[0] == 0
    records = [record for _, record in read_lines(games)]
    assert [record["players"] for record in records] == [2, 3, 4, 2]
    verify(GAME, records[-1])


def test_the_same_lines_give_the_same_game(run: Run, tmp_path: Path) -> None:
    texts = []
    for name in ("a", "b"):
        call = ("play", "--seat", "random", "--seed", 8, "--autosave", tmp_path / name)
        assert run(*call, lines=["2", "1", "3"])[0] == 0
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]


def test_every_command_answers_and_wrong_input_says_what_was_expected(run: Run, tmp_path: Path) -> None:
    lines = ["?", "why", "why 2", "explain rotate:none", "why 77", "hint", "list", "board", "score", "log", "redo",
             "undo", "save", "77", "nonsense", "", "1", "undo", "redo", "quit", "back", "quit", "keep"]  # fmt: skip
    call = ("play", "--seed", 3, "--agents", "random", "--hint", "random", "--autosave", tmp_path / "kept.json")
    code, printed, errors = run(*call, lines=lines)
    assert (code, errors) == (0, "")
    for part in (
        "Type the number of a choice", "which choice? for example", "Board: Inner Ring turned", "there is no choice 77",
        "hint of random: ", "nothing was done in this round", "nothing was taken back", "no decision of yours",
        "save where?", "'nonsense' is no choice here: expected a number 1..", "nothing was typed: expected",
        "taken back: 1 decision", f"terracotta play --resume {tmp_path / 'kept.json'}",
    ):  # fmt: skip
        assert part in printed, part


def test_hints_come_from_greedy_where_it_is_there() -> None:
    assert _hinter(None).name == ("greedy" if "greedy" in BOTS else "busy")
    assert _hinter("random").name == "random"


def test_no_hint_is_one_line_and_the_game_goes_on(run: Run, tmp_path: Path) -> None:
    call = ("play", "--seed", 3, "--hint", "nobody", "--autosave", tmp_path / "a")
    code, printed, _ = run(*call, lines=["hint", "1"])
    assert code == 0
    assert "no hint: no agent 'nobody'" in printed
    assert "= rotate:none" in printed


def test_a_saved_game_goes_on_and_may_be_left_by_the_end_of_the_input(run: Run, tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    code, printed, _ = run("play", "--seed", 3, lines=["1", "3", f"save {save}", "2"])
    assert code == 0
    assert f"saved in {save}; go on with: terracotta play --resume {save}" in printed
    assert len(json.loads(save.read_text())["decisions"]) < 6
    kept = next((tmp_path / "state" / "terracotta-army").iterdir())
    assert len(json.loads(kept.read_text())["decisions"]) == len(json.loads(save.read_text())["decisions"]) + 1
    out = tmp_path / "out.jsonl"
    assert run("play", "--resume", "last", "--out", out, lines=["1"] * 300)[0] == 0
    [(_, record)] = read_lines(out)
    verify(GAME, record)
    assert (
        record["decisions"][: len(json.loads(save.read_text())["decisions"])]
        == json.loads(save.read_text())["decisions"]
    )


def test_a_file_that_is_no_saved_game_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("{}")
    code, printed, _ = run(
        "play", "--seed", 3, lines=[f"save {precious}", f"save {tmp_path}", "quit", str(precious), "drop"]
    )
    assert code == 0
    printed = " ".join(printed.split())
    assert printed.count(f"{precious} exists and is no saved game") == 2
    assert f"{tmp_path} is a folder" in printed
    assert precious.read_text() == "{}"
    assert list((tmp_path / "state" / "terracotta-army").iterdir()) == []  # dropped
    for option in ("--autosave", "--out"):
        code, _, errors = run("play", option, precious)
        assert (code, precious.read_text()) == (1, "{}")
        assert str(precious) in complaint(errors)


def test_a_game_that_cannot_be_kept_is_played_all_the_same(run: Run, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    code, printed, _ = run("play", "--seed", 3, "--agents", "random", lines=["1", "1", "quit"])
    assert code == 0
    assert printed.count("cannot be kept") == 1
    assert "Enter goes without saving" in printed


def test_a_finished_game_without_out_stays_and_gives_its_record_later(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    assert run("play", "--seat", "-1", "--agents", "random", "--seed", 2, "--autosave", kept)[0] == 0
    out = tmp_path / "out.jsonl"
    code, printed, _ = run("play", "--resume", kept, "--autosave", kept, "--out", out)
    assert code == 0
    assert "1. random (seat " in printed
    assert run("verify", out)[1] == "1 games verified\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--seat", "2"], "--seat 2: with 2 players there are the seats 0..1"),
        (["--agents", "busy,busy"], "--agents: expected 1 codes (or one for all), got 2"),
        (["--players", "3", "--seat", "-1", "--agents", "busy,busy"], "--agents: expected 3 codes"),
        (["--resume", "missing.json"], "--resume: there is no file missing.json"),
        (["--resume", "last"], "--resume last: no game is kept in"),
        (["--resume", __file__, "--seat", "1"], "--seat and --resume exclude each other"),
        (["--agents", "human"], "--agents: human is you"),
        (["--players", "5"], "5 is not in the range 2<=x<=4"),
        (["--speed", "x"], "'x' is not a valid float range"),
    ],
)
def test_wrong_calls_are_one_line_and_exit_code_2(args: list[str], message: str, run: Run) -> None:
    code, _, errors = run("play", *args)
    assert code == 2
    assert message in complaint(errors)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--agents", "nobody"], "no agent 'nobody'"),
        (["--board", "moon"], "no board 'moon'"),
        (["--resume", __file__], "is not a saved game"),
    ],
)
def test_what_cannot_be_played_is_one_line_and_exit_code_1(args: list[str], message: str, run: Run) -> None:
    code, _, errors = run("play", *args)
    assert code == 1
    assert message in complaint(errors)


def test_a_bot_that_fails_ends_the_game_in_one_line_and_the_game_is_kept(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    call = ("play", "--seed", 3, "--agents", "tests.agents.play.failing:Failing", "--autosave", kept)
    code, printed, errors = run(*call, lines=["1"] * 40)
    assert code == 1
    assert complaint(errors).startswith("error: agent failing in seat 1 failed: ")
    assert f"terracotta play --resume {kept}" in printed


# replaying ------------------------------------------------------------------------------------------------------------


def test_a_record_is_stepped_through_both_ways(run: Run, games: Path) -> None:
    record = [record for _, record in read_lines(games)][1]
    last = len(record["decisions"])
    forward = run("replay", games, "--game", 1, lines=["n"] * last)[1]
    backward = run("replay", games, "--game", 1, "--at", last, lines=["p"] * last)[1]

    def steps(text: str) -> list[str]:
        """What was shown at each decision, without the prompts."""
        return [
            part.partition(f" of {last} > ")[0].rsplit("\n", 1)[0] for part in text.split("\nTerracotta Army · ")[1:]
        ]

    assert len(steps(forward)) == last + 1
    assert steps(forward) == steps(backward)[::-1]
    for index, (token, entry) in enumerate(zip(record["decisions"], record["trace"])):
        shown = steps(forward)[index]
        assert f"\n{token}: " in shown
        assert f"Decision {index} of {last}, turn " in shown
        assert f": seat {entry['player']} (busy) is asked" in shown.replace("\n  ", " ")


def test_jumps_lead_where_they_say(run: Run, games: Path) -> None:
    lines = ["round 2", "round", "round back", "turn 3", "turn", "turn back", "last", "n", "first", "p", "17", "0",
             "9999", "round 6", "turn 999", "turn x", "score", "log", "board", "?", "jump", "", "q",
             "never reached"]  # fmt: skip
    code, printed, errors = run("replay", games, lines=lines)
    assert (code, errors) == (0, "")
    places = [line.split(" > ")[0] for line in printed.splitlines() if " > " in line and " of " in line]
    numbers = [int(place.split(" of ")[0]) for place in places]
    assert len(numbers) == len(lines) - 1
    assert numbers[1] == numbers[3] > 100 // 5
    assert numbers[2] > numbers[1]
    assert numbers[4] == numbers[6] < numbers[5]
    assert numbers[7] == numbers[8] == max(numbers)  # nothing comes after the end
    assert numbers[9:13] == [0, 0, 17, 0]
    for part in ("there is no round 6: expected 1..5", "turn x: expected turn", "'jump' is no command", "round R"):
        assert part in printed


def test_the_whole_game_is_printed_as_text(run: Run, games: Path) -> None:
    code, printed, errors = run("replay", games, "--game", 2, "--all")
    assert (code, errors) == (0, "")
    assert printed.count("Mausoleum") == 6  # five rounds and the end
    assert printed.count(" placed a") == 5 * 4 * 3
    assert max(len(line) for line in printed.splitlines()) <= WIDTH
    assert "\x1b" not in printed


def test_records_of_other_programs_may_lack_what_is_optional(run: Run, games: Path) -> None:
    [(_, record), *_] = read_lines(games)
    for key in ("agents", "meta", "rules"):
        del record[key]
    games.write_text(json.dumps(record))
    assert "(player 0)" in run("replay", games, lines=[])[1]


def test_a_wrong_result_is_a_warning(run: Run, games: Path) -> None:
    [(_, record), *_] = read_lines(games)
    record["vp"][0] += 1
    games.write_text(json.dumps(record) + "\n")
    code, printed, _ = run("replay", games, "--all")
    assert code == 0
    assert f"warning: {games}:1: vp: says" in " ".join(printed.split())  # long lines are wrapped


def change_first(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("change", "args", "message"),
    [
        (lambda text: "", [], "has 0 games, numbered from 0: there is no game 0"),
        (lambda text: text, ["--game", "3"], "has 3 games, numbered from 0: there is no game 3"),
        (lambda text: text[:1500], [], "line 1: is not JSON"),
        (lambda text: "no JSON\n" + text, [], "line 1: is not JSON"),
        (lambda text: change_first(text, '"rules": 1', '"rules": 9'), [], ":1: record: rules: made under version 9"),
        (lambda text: change_first(text, '"players": 2', '"players": 9'), [], ":1: record: players: expected"),
        (lambda text: change_first(text, '"place:', '"race:'), [], ":1: decision "),
        (lambda text: change_first(text, '"inner_offset"', '"offset"'), [], ":1: record: setup: "),
    ],
)
def test_bad_records_are_one_line_with_file_line_and_field(
    change: Callable[[str], str], args: list[str], message: str, run: Run, games: Path
) -> None:
    games.write_text(change(games.read_text()))
    code, printed, errors = run("replay", games, *args)
    assert (code, printed) == (1, "")
    assert complaint(errors).startswith(f"error: {games}")
    assert message in complaint(errors)


def test_wrong_places_are_wrong_calls(run: Run, games: Path) -> None:
    code, _, errors = run("replay", games, "--at", 9999)
    assert code == 2
    assert "--at 9999: the game has the decisions 0.." in complaint(errors)
    assert run("replay", games.parent / "missing.jsonl")[0] == 2


def test_a_reader_that_has_seen_enough_is_no_error(games: Path, tmp_path: Path) -> None:
    command = [*COMMAND, "replay", str(games), "--all"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path))
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0
    process.stderr.close()
