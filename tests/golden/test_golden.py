"""Whole games must come out as they stand in the files of this folder, byte for byte."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from terracotta_env.army import GAME
from terracotta_env.army.snapshot import RULES_VERSION
from tests.golden import games
from tests.golden.games import BOARDS, CASES, compact, difference, path_of, play, replay

RULES_ADVICE = (
    "The rules play differently than they did. If that is meant: raise RULES_VERSION in "
    "terracotta_env/army/snapshot.py, run `python -m tests.golden.write` and commit the files with the change."
)
BOTS_ADVICE = (
    "The rules are the same, but a bot chooses differently than it did. If that is meant: raise the bot's version, run "
    "`python -m tests.golden.write` and commit the files with the change."
)


def written(players: int, board: str) -> str:
    return path_of(players, board).read_bytes().decode()


@cache
def replayed(players: int, board: str) -> str:
    return replay(players, board, written(players, board))


@pytest.mark.parametrize(("players", "board"), CASES)
def test_golden_game_is_played_as_it_was(players: int, board: str) -> None:
    text = written(players, board)
    found = difference(path_of(players, board).name, text, replayed(players, board))
    assert not found, f"{found}\n{RULES_ADVICE}"


@pytest.mark.parametrize(("players", "board"), CASES)
def test_bots_choose_in_golden_games_as_they_did(players: int, board: str) -> None:
    text = written(players, board)
    if replayed(players, board) != text:
        pytest.skip("the rules have changed: the other test says where")
    found = difference(path_of(players, board).name, text, play(players, board))
    assert not found, f"{found}\n{BOTS_ADVICE}"


@pytest.mark.parametrize("name", [path_of(*case).name for case in CASES] + ["perft.txt"])
def test_golden_files_are_of_the_rules_that_this_program_plays(name: str) -> None:
    lines = (games.FOLDER / name).read_text(encoding="utf-8").splitlines()
    versions = [line.removeprefix("rules version: ") for line in lines if line.startswith("rules version: ")]
    assert versions == [str(RULES_VERSION)], f"{name}: {RULES_ADVICE}"


def test_there_is_one_golden_file_for_each_number_of_players_and_board_and_no_other() -> None:
    names = {path_of(*case).name for case in CASES}
    assert len(names) == len(GAME.players) * len(BOARDS)
    assert {path.name for path in games.FOLDER.glob("*.txt")} == names | {"perft.txt"}


@pytest.mark.parametrize(("players", "board"), CASES)
def test_golden_files_stay_small_enough_to_read(players: int, board: str) -> None:
    assert path_of(players, board).stat().st_size <= 60_000


def test_golden_games_use_every_kind_of_token() -> None:
    lines = [line for case in CASES for line in written(*case).splitlines() if games.SEPARATOR in line]
    chosen = {line.split(games.SEPARATOR)[games.CHOSEN].partition(":")[0] for line in lines}
    assert chosen == {token.partition(":")[0] for token in GAME.tokens}


def test_a_changed_number_is_found_with_its_file_and_line() -> None:
    text = written(2, "flat")
    line = next(line for line in text.splitlines() if "coins 3,1" in line)
    changed = text.replace(line, line.replace("coins 3,1", "coins 3,2"), 1)
    found = difference("2-flat.txt", changed, replay(2, "flat", changed))
    number = text.splitlines().index(line) + 1
    assert found.startswith(f"2-flat.txt, line {number} is different:")
    assert "coins 3,2" in found
    assert "coins 3,1" in found


def test_a_decision_that_is_not_legal_any_more_ends_the_replay_at_its_line() -> None:
    text = written(2, "flat")
    line = next(line for line in text.splitlines() if line.endswith(" | rotate:none"))
    changed = text.replace(line, line.removesuffix("rotate:none") + "cell:a1", 1)
    again = replay(2, "flat", changed).splitlines()
    assert again[-1].endswith("| cell:a1 | (not legal)")
    assert len(again) == text.splitlines().index(line) + 1


def test_a_text_that_is_cut_off_is_found_at_its_end() -> None:
    text = written(2, "flat")
    assert difference("2-flat.txt", text + "more\n", text).endswith("now:         (the text is over)")
    assert difference("2-flat.txt", text, text) == ""


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (["rotate:none"], "rotate:none"),
        (["ring:clay", "ring:coin", "ring:nothing"], "ring:clay,coin,nothing"),
        (["place:craftsman:1", "place:craftsman:2", "place:craftsman:4"], "place:craftsman:1-2,4"),
        (["place:craftsman:12", "place:artisan:3"], "place:craftsman:12 place:artisan:3"),
        (["cell:a1", "cell:c2", "decline"], "cell:a1,c2 decline"),
        (["warehouses:1,2", "warehouses:3,4"], "warehouses:1,2/3,4"),
        ([token for token in GAME.tokens if token.startswith("cell:")], "cell:all"),
        ([token for token in GAME.tokens if token.startswith("cell:") and token != "cell:b3"], "cell:all but b3"),
    ],
)
def test_legal_tokens_are_written_in_few_words(tokens: list[str], expected: str) -> None:
    mask = np.zeros(GAME.actions, np.int8)
    for token in tokens:
        mask[GAME.action_of(token)] = 1
    assert compact(mask) == expected
