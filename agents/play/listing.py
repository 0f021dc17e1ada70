"""Choices as a numbered list, and what a typed line means."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .terminal import WIDTH
from .words import Choices

_MOST_LINES: Final = 24  # a list this long fits a screen together with the question
_SAME: Final = 3  # so many choices with the same words share a line


@dataclass(frozen=True)
class Answer:
    """A typed line: a choice, or a command with its argument, or a complaint about neither."""

    token: str = ""
    command: str = ""
    argument: str = ""
    complaint: str = ""


def listing(choices: Choices, everything: bool = False) -> list[str]:
    """The choices as lines; many spaces that say little share one, unless ``everything`` is wanted."""
    words = {token: choices.words(token) for token in choices.tokens}
    alike: dict[str, list[str]] = {}
    for token, text in words.items():
        name, separator, what = text.partition(": ")
        if token.startswith("cell:") and separator and name == token.removeprefix("cell:"):
            alike.setdefault(what, []).append(token)
    together = {what: tokens for what, tokens in alike.items() if len(tokens) > _SAME and not everything}
    shared = {token for tokens in together.values() for token in tokens}
    single = [token for token in words if token not in shared]
    rest: list[str] = []
    if len(single) > _MOST_LINES and not everything:
        telling = sorted(single, key=lambda token: (-words[token].count(";"), -len(words[token])))[:_MOST_LINES]
        rest = [token for token in single if token not in telling and token.startswith("cell:")]
    lines = []
    for number, token in enumerate(choices.tokens, 1):
        if token in single and token not in rest:
            lines += textwrap.wrap(words[token], WIDTH, initial_indent=f"{number:>4}  ", subsequent_indent=" " * 8)
    for what, tokens in together.items():
        lines += _names(what, tokens)
    if rest:
        lines += _names("less around (`list` tells all)", rest)
    return lines


def _names(what: str, tokens: Sequence[str]) -> list[str]:
    text = f"{what}: {' '.join(token.removeprefix('cell:') for token in tokens)}"
    return textwrap.wrap(text, WIDTH, initial_indent="   -  ", subsequent_indent=" " * 8)


def resolve(typed: str, tokens: Sequence[str], commands: Mapping[str, str], aliases: Mapping[str, str]) -> Answer:
    """What a line means: a number, a token or its end, a command with an argument, or their only beginning."""
    line = typed.strip()
    first, _, argument = line.partition(" ")
    word = first.lower()
    short = {token.partition(":")[2]: token for token in tokens if not token.partition(":")[2].isdecimal()}
    if line.isdecimal() and line.isascii():
        if len(line) < 6 and 1 <= int(line) <= len(tokens):
            return Answer(token=tokens[int(line) - 1])
        expected = f"expected 1..{len(tokens)}" if tokens else "expected a command"
        return Answer(complaint=f"there is no choice {line[:20]}: {expected}{_or_help(commands)}")
    if line.lower() in tokens:
        return Answer(token=line.lower())
    if line.lower() in short:
        return Answer(token=short[line.lower()])
    if word in commands or word in aliases:
        return Answer(command=aliases.get(word, word), argument=argument.strip())
    if word:
        found = {token for name, token in [*short.items(), *zip(tokens, tokens)] if name.startswith(line.lower())}
        if len(found) == 1:
            return Answer(token=found.pop())
        named = [name for name in commands if name.startswith(word)]
        if not found and len(named) == 1 and len(word) > 1:
            return Answer(command=named[0], argument=argument.strip())
    shown = line if len(line) <= 40 else f"{line[:37]}..."
    expected = f"a number 1..{len(tokens)}, a token such as {tokens[0]}" if tokens else "a command"
    came = f"{shown!r} is no choice here" if line else "nothing was typed"
    return Answer(complaint=f"{came}: expected {expected}{_or_help(commands)}")


def _or_help(commands: Mapping[str, str]) -> str:
    return ", or ? for help" if commands else ""
