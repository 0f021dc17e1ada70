"""Decisions as values that a running turn yields, and the turn's context (R5)."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from .mausoleum import Cell, cell_from_name, cell_name
from .state import Player, State, Worker


@dataclass(frozen=True)
class Decision:
    """A question to the player whose turn it is; options in code-point order."""

    kind: str
    options: list[str]


# Parts of a turn are generators: they yield a Decision and are sent a token.
Steps = Generator[Decision, str, None]


@dataclass
class Turn:
    """Who is moving and which worker stands where."""

    state: State
    player: Player
    worker: Worker
    segment: int


def ask(kind: str, options: Iterable[str]) -> Generator[Decision, str, str]:
    """Put a decision and return the token chosen."""
    return (yield Decision(kind, sorted(options)))


def ask_cell(kind: str, cells: Iterable[Cell]) -> Generator[Decision, str, Cell]:
    """Put a decision between spaces and return the space chosen."""
    token = yield from ask(kind, [cell_token(cell) for cell in cells])
    return token_cell(token)


def cell_token(cell: Cell) -> str:
    return f"cell:{cell_name(cell)}"


def token_cell(token: str) -> Cell:
    return cell_from_name(detail(token))


def detail(token: str) -> str:
    """What follows the first colon of a token."""
    return token.partition(":")[2]
