"""The ``terracotta`` command: recording, resuming, interruptions, verifying, and one clear line for every mistake."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from terracotta_env.army import GAME
from terracotta_env.cli import main
from terracotta_env.record import read_lines, verify, whole_lines
from tests.running import Run

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-c", "from terracotta_env.cli import main; main()"]
RECORD = ["record", "--players", "2", "--games", "4", "--seed", "5", "--agents", "busy,random", "--trace"]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def complaint(errors: str) -> str:
    """The one line that says what is wrong, beside the usage and the labels of progress bars."""
    known = ("Usage: ", "Try ", "loading the learner", "against ")
    lines = [line for line in errors.splitlines() if line.strip() and not line.startswith(known)]
    lines = [line for line in lines if not re.fullmatch(r"\d+ games", line)]
    assert len(lines) == 1, errors
    return lines[0]


# record and verify ----------------------------------------------------------------------------------------------------


def test_recorded_games_verify(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "games.jsonl"
    code, printed, _ = run(*RECORD, "--snapshots", "--out", out)
    assert (code, printed) == (0, f"4 games in {out}\n")
    assert run("verify", out) == (0, "4 games verified\n", "")
    records = [record for _, record in read_lines(out)]
    assert [record["meta"]["game"] for record in records] == [0, 1, 2, 3]
    assert len({json.dumps(record["setup"]) for record in records}) == 4
    assert all(record["agents"] == ["busy", "random"] and "snapshot" in record["trace"][0] for record in records)


def test_same_call_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert run(*RECORD, "--out", tmp_path / name)[0] == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_one_code_serves_all_seats_and_boards_are_chosen(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    call = ("record", "--players", 4, "--games", 1, "--agents", "random", "--board", "shuffled", "--out", out)
    assert run(*call)[0] == 0
    [(_, record)] = read_lines(out)
    assert (record["agents"], record["board"]) == (["random"] * 4, "shuffled")


def test_other_bots_leave_the_setups_unchanged(run: Run, tmp_path: Path) -> None:
    setups = []
    for agents in ("busy,random", "random,random", "random,busy"):
        out = tmp_path / agents
        assert run("record", "--players", 2, "--games", 5, "--seed", 9, "--agents", agents, "--out", out)[0] == 0
        setups.append([record["setup"] for _, record in read_lines(out)])
    assert setups[0] == setups[1] == setups[2]


def test_existing_file_is_kept_unless_told(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    out.write_text("precious\n")
    code, _, errors = run(*RECORD, "--out", out)
    assert code == 1
    assert complaint(errors) == f"Error: {out} exists: choose another name, or add --overwrite or --resume"
    assert out.read_text() == "precious\n"
    assert run(*RECORD, "--overwrite", "--out", out)[0] == 0
    assert run("verify", out)[1] == "4 games verified\n"


@pytest.mark.parametrize("torn", [0, 1, 100, 5000])
def test_resumed_file_equals_that_of_an_uninterrupted_run(torn: int, run: Run, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    assert run(*RECORD, "--out", whole)[0] == 0
    lines = whole.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:2]) + lines[2][:torn])
    code, printed, _ = run(*RECORD, "--resume", "--out", part)
    assert (code, printed) == (0, f"4 games in {part}\n")
    assert part.read_bytes() == whole.read_bytes()


def test_resuming_a_finished_or_missing_file_works(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    assert run(*RECORD, "--resume", "--out", out)[0] == 0
    before = out.read_bytes()
    assert run(*RECORD, "--resume", "--out", out)[0] == 0
    assert out.read_bytes() == before


def long_record(out: Path) -> list[str]:
    agents = "busy,random,busy,random"
    return ["record", "--players", "4", "--games", "5000", "--agents", agents, "--snapshots", "--out", str(out)]


def start_long_record(out: Path) -> subprocess.Popen[str]:
    """A recording of thousands of games that has written at least two."""
    process = subprocess.Popen([*COMMAND, *long_record(out)], stderr=subprocess.PIPE, text=True, env=environment())
    deadline = time.monotonic() + 120
    while process.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 2):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert process.poll() is None
    return process


@pytest.mark.parametrize(
    ("change", "complaint_part"),
    [
        (["--seed", "6"], "was made with seed 5, not 6"),
        (["--players", "3", "--agents", "busy"], "was made with players 2, not 3"),
        (["--agents", "random"], "was made with agents ['busy', 'random'], not ['random', 'random']"),
        (["--board", "flat"], "was made with board 'reconstructed', not 'flat'"),
    ],
)
def test_resume_with_other_settings_is_refused(
    change: list[str], complaint_part: str, run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "games.jsonl"
    assert run(*RECORD, "--out", out)[0] == 0
    before = out.read_bytes()
    code, _, errors = run(*RECORD, "--resume", "--out", out, *change)
    assert code == 1
    assert complaint_part in complaint(errors)
    assert out.read_bytes() == before


def test_overwrite_and_resume_exclude_each_other(run: Run, tmp_path: Path) -> None:
    code, _, errors = run(*RECORD, "--resume", "--overwrite", "--out", tmp_path / "games.jsonl")
    assert code == 2
    assert "exclude each other" in complaint(errors)


class Failing:
    """A bot that breaks down at its first decision."""

    name = "failing"
    version = 1

    def begin(self, seed: int) -> None: ...

    def act(self, position: object, mask: object) -> int:
        raise KeyError("lost")


def test_a_bot_that_fails_is_named_in_one_line(run: Run, tmp_path: Path) -> None:
    arguments = ["record", "--players", "2", "--games", "1", "--agents", f"busy,{__name__}:Failing"]
    code, _, errors = run(*arguments, "--out", tmp_path / "games.jsonl")
    assert code == 1
    assert complaint(errors) == "error: agent failing in seat 1 failed: KeyError('lost')"


def assert_resume_completes(run: Run, out: Path, tmp_path: Path) -> None:
    kept = out.read_bytes().count(b"\n")
    arguments = long_record(out)
    arguments[arguments.index("5000")] = str(kept + 1)
    assert run(*arguments, "--resume")[0] == 0
    anew = tmp_path / "anew.jsonl"
    arguments[-1] = str(anew)
    assert run(*arguments)[0] == 0
    assert out.read_bytes() == anew.read_bytes()
    *_, (number, last) = read_lines(out)
    assert number == kept + 1
    verify(GAME, last)


@pytest.mark.slow
def test_interrupt_keeps_whole_games_and_resume_goes_on(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    process = start_long_record(out)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "Traceback" not in errors
    kept = out.read_bytes().count(b"\n")
    assert f"{out} holds {kept} whole games; go on with --resume" in errors
    assert_resume_completes(run, out, tmp_path)


@pytest.mark.slow
def test_killed_run_is_resumed(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    process = start_long_record(out)
    process.kill()
    process.communicate(timeout=60)
    with out.open("ab") as file:
        file.write(b'{"format": "terracotta-rec')  # as if the kill had hit the middle of a line
    assert_resume_completes(run, out, tmp_path)
    assert whole_lines(out) > 2


def test_verify_names_every_wrong_game_and_its_first_wrong_decision(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    run(*RECORD, "--out", out)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    lines[1]["decisions"][12] = "dir:n"
    lines[3]["ranking"].reverse()
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, printed, errors = run("verify", out)
    assert (code, printed) == (1, "")
    first, second, last = errors.splitlines()
    assert re.match(rf"{re.escape(str(out))}:2: decision 12 \(dir:n\): not legal for seat \d; legal are ", first)
    assert re.match(rf"{re.escape(str(out))}:4: record: ranking: says ", second)
    assert last == "Error: 2 of 4 games are wrong"


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        (b"{}\n", "record: format: "),
        (b"[]\n", "line 1: expected a JSON object, got list"),
        (b"{\n", "line 1: is not JSON"),
        (b'{"format": "terra', "line 1: is not JSON .* cut off"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "line 1"),
    ],
)
def test_verify_says_what_is_wrong_with_a_file_that_holds_no_records(
    raw: bytes, named: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(raw)
    code, _, errors = run("verify", path)
    assert code == 1
    assert re.search(named, errors)
    assert str(path) in errors


# mistakes -------------------------------------------------------------------------------------------------------------

GOOD = {"--players": "2", "--games": "1", "--agents": "random"}


@pytest.mark.parametrize(
    ("change", "code", "named"),
    [
        (
            {"--agents": "nobody"},
            1,
            "no agent 'nobody': known are random, busy, greedy, planner, mcts:SIM.*, or .* module:Class",
        ),
        ({"--agents": ""}, 1, "no agent ''"),
        ({"--agents": "busy,"}, 1, "no agent ''"),
        ({"--agents": "busy,busy,busy"}, 1, "expected 2 codes for 2 players .* got 3"),
        ({"--agents": "net:nowhere"}, 1, "nowhere: no such file or folder; expected a network"),
        ({"--agents": "no_such_module_here:Bot"}, 1, "'no_such_module_here:Bot' cannot be made: No module named"),
        ({"--agents": "json:Bot"}, 1, "'json:Bot' cannot be made: .*no attribute 'Bot'"),
        ({"--agents": ":Bot"}, 1, "':Bot'"),
        ({"--agents": "collections:Counter"}, 1, "lacks 'name'"),
        ({"--players": "5"}, 2, "'--players'.*2<=x<=4"),
        ({"--players": "two"}, 2, "'--players'.*'two'"),
        ({"--players": None}, 2, "Missing option '--players'"),
        ({"--agents": None}, 2, "Missing option '--agents'"),
        ({"--out": None}, 2, "Missing option '--out'"),
        ({"--games": "0"}, 2, "'--games'"),
        ({"--seed": "-1"}, 2, "'--seed'"),
        ({"--seed": str(2**64)}, 2, "'--seed'"),
        ({"--board": "nowhere"}, 1, "no board 'nowhere': give a path .* reconstructed"),
        ({"--colour": "red"}, 2, "No such option.*--colour"),
    ],
)
def test_wrong_call_of_record_is_one_clear_line(
    change: dict[str, str | None], code: int, named: str, run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "games.jsonl"
    options = {**GOOD, "--out": str(out), **change}
    got, printed, errors = run("record", *(word for pair in options.items() if pair[1] is not None for word in pair))
    assert (got, printed) == (code, "")
    assert re.search(named, complaint(errors))
    assert not out.exists()


BOTS = """
class Base:
    name, version = "own", 1
    def begin(self, seed): pass
    def act(self, position, mask): return int(mask.argmax())

class Good(Base): pass

class Cheat(Base):
    name = "cheat"
    def act(self, position, mask): return int((mask == 0).argmax())

class Mute(Base):
    name = "mute"
    def act(self, position, mask): return None

class Needy(Base):
    def __init__(self, weights): pass

class Broken(Base):
    def __init__(self): raise ValueError("no weights for me")

class Offline(Base):
    def __init__(self): raise RuntimeError("no server")

class Fileless(Base):
    def __init__(self): open("/no/such/file")
"""


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Modules ``own_bots`` and ``broken_bots`` (which cannot be imported) on the path; the file to write to."""
    (tmp_path / "own_bots.py").write_text(BOTS)
    (tmp_path / "broken_bots.py").write_text("class Good: pass\n1 / 0\n")
    (tmp_path / "unfinished_bots.py").write_text("class Good(:\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_bots", raising=False)
    return tmp_path / "games.jsonl"


def record_with(run: Run, agents: str, out: Path) -> tuple[int, str, str]:
    return run("record", "--players", 2, "--games", 2, "--agents", agents, "--out", out)


def test_own_bot_plays_by_module_and_class(run: Run, own_bots: Path) -> None:
    code, printed, _ = record_with(run, "own_bots:Good,random", own_bots)
    assert (code, printed) == (0, f"2 games in {own_bots}\n")
    assert {tuple(record["agents"]) for _, record in read_lines(own_bots)} == {("own", "random")}


@pytest.mark.parametrize(
    ("agent", "named"),
    [
        ("own_bots:Needy", "'own_bots:Needy' cannot be made: .*'weights'"),
        ("own_bots:Broken", "'own_bots:Broken' cannot be made: .*no weights for me"),
        ("own_bots:Offline", "'own_bots:Offline' cannot be made: .*no server"),
        ("own_bots:Fileless", "/no/such/file"),
        ("own_bots:Nobody", "'own_bots:Nobody' cannot be made: .*'Nobody'"),
        ("broken_bots:Good", "'broken_bots:Good' cannot be made: .*division"),
        ("unfinished_bots:Good", "'unfinished_bots:Good' cannot be made: "),
    ],
)
def test_own_bot_that_cannot_be_made_is_one_clear_line(agent: str, named: str, run: Run, own_bots: Path) -> None:
    code, _, errors = record_with(run, agent, own_bots)
    assert code == 1
    assert re.search(named, complaint(errors))
    assert not own_bots.exists()


@pytest.mark.parametrize(("agent", "name"), [("own_bots:Cheat", "cheat"), ("own_bots:Mute", "mute")])
def test_illegal_action_of_an_own_bot_is_one_clear_line(agent: str, name: str, run: Run, own_bots: Path) -> None:
    code, _, errors = record_with(run, f"random,{agent}", own_bots)
    assert code == 1
    assert re.search(f"error: agent {name} in seat 1: illegal action .* for seat 1: legal are ", complaint(errors))
    assert not own_bots.exists()  # neither half of a game nor an empty file


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (["dance"], "No such command 'dance'"),
        (["verify"], "Missing argument 'FILE'"),
        (["verify", "nowhere.jsonl"], "'nowhere.jsonl' does not exist"),
        (["verify", "."], "is a directory"),
        (["train", "dance"], "No such command 'dance'"),
        (["evaluate"], "Missing argument 'AGENT'"),
        (["evaluate", "busy", "--players", "1"], "'--players'"),
        (["evaluate", "busy", "--games", "0"], "'--games'"),
        (["--colour"], "No such option.*--colour"),
    ],
)
def test_wrong_call_says_so_with_exit_code_2(call: list[str], named: str, run: Run) -> None:
    code, _, errors = run(*call)
    assert code == 2
    assert re.search(named, complaint(errors))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (["evaluate", "nobody", "--games", "2"], "no agent 'nobody'"),
        (["evaluate", "busy", "--against", "random,nobody", "--games", "2"], "no agent 'nobody'"),
        (["evaluate", "busy", "--board", "nowhere", "--games", "2"], "no board 'nowhere'"),
        (["train", "sb3", "--config", "nowhere.toml"], "nowhere.toml: cannot be read: No such file"),
        (["train", "sb3", "run.players=5"], "run.players: .*less than or equal to 4"),
        (["train", "sb3", "run.plyers=3"], "run.plyers: unknown key .*players"),
        (["train", "sb3", "fast"], "'fast': expected section.key=value"),
        (["train", "sb3", "--resume", "here", "run.minutes=1"], "leave out --config and overrides"),
        (["train", "sb3", "--resume", "nowhere"], "nowhere: is not the folder of a training run"),
    ],
)
def test_command_that_fails_is_one_clear_line_with_exit_code_1(call: list[str], named: str, run: Run) -> None:
    code, _, errors = run(*call)
    assert code == 1
    assert re.search(named, complaint(errors))


def test_file_that_cannot_be_written_is_one_clear_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "games.jsonl"
    code, _, errors = record_with(run, "random", out)
    assert code == 1
    assert str(tmp_path / "file") in complaint(errors)


# the group ------------------------------------------------------------------------------------------------------------


def test_help_lists_the_commands_without_the_heavy_libraries() -> None:
    code = (
        "import sys\nfrom terracotta_env.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit as stop:\n    assert not stop.code\n"
        "print([name for name in ('torch', 'numba', 'stable_baselines3', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True, timeout=120
    )
    *text, loaded = done.stdout.splitlines()
    assert loaded == "[]"
    commands = [line.split()[0] for line in text[text.index("Commands:") + 1 :] if line.strip()]
    assert " ".join(commands) == "analyze arena dataset evaluate play record render replay serve train verify"
    assert "Not available" not in done.stdout


@pytest.mark.parametrize("call", [["--version"], ["-h"], ["record", "--help"], ["train", "sb3", "--help"]])
def test_help_and_version_are_no_failure(call: list[str], run: Run) -> None:
    code, printed, errors = run(*call)
    assert (code, errors) == (0, "")
    assert "terracotta" in printed


def test_terracotta_is_an_installed_command() -> None:
    [point] = entry_points(group="console_scripts", name="terracotta")
    assert point.load() is main


def test_command_whose_libraries_are_missing_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "terracotta_training.commands", None)
    code, _, errors = run("train", "sb3", "--config", "any.toml")
    assert code == 1
    assert re.search(r"'train' is not available: .*pip install 'terracotta-army\[train\]'", complaint(errors))
    assert "Not available" in run("--help")[1]
    assert run("verify", "--help")[0] == 0


def test_interrupt_anywhere_is_exit_code_130(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("terracotta_env.record.play_record", interrupt)
    code, _, errors = record_with(run, "random", tmp_path / "games.jsonl")
    assert code == 130
    assert "holds 0 whole games" in errors
    assert "Traceback" not in errors


def test_resume_leaves_a_file_of_another_kind_alone(run: Run, tmp_path: Path) -> None:
    for content in (b"precious", b"line 1\nline 2", b'{"format": "letters"}\n'):
        out = tmp_path / "notes.txt"
        out.write_bytes(content)
        code, _, errors = run(*RECORD, "--resume", "--out", out)
        assert code == 1
        assert complaint(errors)
        assert out.read_bytes() == content


def test_a_failing_run_leaves_the_file_it_was_to_replace(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    assert run(*RECORD, "--out", out)[0] == 0
    before = out.read_bytes()
    arguments = ["record", "--players", "2", "--games", "1", "--agents", f"busy,{__name__}:Failing"]
    assert run(*arguments, "--overwrite", "--out", out)[0] == 1
    assert out.read_bytes() == before


class Meddling(Failing):
    """A bot that plays on in the position it is given and fills its own purse."""

    name = "meddling"

    def act(self, position: Any, mask: Any) -> int:
        action = int(mask.argmax())
        position.states["coins"][:] = 50
        position.play(action)
        return action


def test_a_bot_that_plays_on_in_its_position_does_not_change_the_game(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    arguments = ["record", "--players", "2", "--games", "2", "--agents", f"{__name__}:Meddling,busy"]
    assert run(*arguments, "--out", out)[0] == 0
    assert run("verify", out)[0] == 0


def test_control_characters_of_a_record_are_written_out(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    assert run(*RECORD, "--out", out)[0] == 0
    record = next(read_lines(out))[1]
    record["decisions"][2] = "\x1b[31mred\ud800"
    out.write_text(json.dumps(record) + "\n" + "[" * 200_000 + "\n", encoding="utf-8")
    code, _, errors = run("verify", out)
    assert code == 1
    assert "\x1b" not in errors
    assert "Traceback" not in errors
