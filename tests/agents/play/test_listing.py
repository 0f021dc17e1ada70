"""What a typed line means: numbers, tokens, their ends, commands, and one clear complaint about anything else."""

from __future__ import annotations

import pytest

from terracotta_agents.play.listing import Answer, resolve

RINGS = ["ring:perform", "ring:clay", "ring:coin", "ring:nothing"]
CELLS = ["cell:a1", "cell:e4", "decline"]
DIRECTIONS = ["dir:n", "dir:e", "dir:s", "dir:w"]
COMMANDS = dict.fromkeys(("help", "why", "hint", "undo", "save", "score", "quit"), "")
ALIASES = {"?": "help", "u": "undo"}


@pytest.mark.parametrize(
    ("typed", "tokens", "token"),
    [
        ("2", RINGS, "ring:clay"),
        (" 4 ", RINGS, "ring:nothing"),
        ("ring:coin", RINGS, "ring:coin"),
        ("RING:Coin", RINGS, "ring:coin"),
        ("coin", RINGS, "ring:coin"),
        ("perf", RINGS, "ring:perform"),
        ("e4", CELLS, "cell:e4"),
        ("E4", CELLS, "cell:e4"),
        ("decline", CELLS, "decline"),
        ("dec", CELLS, "decline"),
        ("n", DIRECTIONS, "dir:n"),
        ("s", DIRECTIONS, "dir:s"),
        ("craftsman:12", ["place:craftsman:1", "place:craftsman:12"], "place:craftsman:12"),
        ("row+1", ["inspector:row+1", "inspector:row-1"], "inspector:row+1"),
        ("1,3", ["warehouses:1,2", "warehouses:1,3"], "warehouses:1,3"),
        ("2", ["token:2", "token:5"], "token:5"),
    ],
)
def test_choices_are_found(typed: str, tokens: list[str], token: str) -> None:
    assert resolve(typed, tokens, COMMANDS, ALIASES) == Answer(token=token)


@pytest.mark.parametrize(
    ("typed", "command", "argument"),
    [
        ("?", "help", ""),
        ("u", "undo", ""),
        ("UNDO", "undo", ""),
        ("und", "undo", ""),
        ("why 3", "why", "3"),
        ("save  My File.json ", "save", "My File.json"),
    ],
)
def test_commands_are_found(typed: str, command: str, argument: str) -> None:
    assert resolve(typed, RINGS, COMMANDS, ALIASES) == Answer(command=command, argument=argument)


@pytest.mark.parametrize("typed", ["", "0", "5", "99999999999999", "²", "foo", "c", "ring", "s", "\x1b[2J", "x" * 500])
def test_anything_else_is_said_back_with_what_was_expected(typed: str) -> None:
    answer = resolve(typed, RINGS, COMMANDS, ALIASES)
    assert not answer.token
    assert not answer.command
    assert "expected" in answer.complaint
    assert answer.complaint.endswith("or ? for help")
    assert len(answer.complaint) < 160
    assert "\x1b" not in answer.complaint


def test_after_the_end_only_commands_are_expected() -> None:
    assert resolve("1", [], COMMANDS, ALIASES).complaint == "there is no choice 1: expected a command, or ? for help"
    assert "expected a command" in resolve("foo", [], COMMANDS, ALIASES).complaint
