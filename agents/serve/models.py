"""What requests and answers may hold: the schema of the interface, checked on the way in and out.  Knows no game."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ..play.session import PERSON

SEEDS: Final = 1 << 53  # what JavaScript can count to
MOST_TEXT: Final = 20_000  # characters of a position as text


def _whole(value: object) -> object:
    """``3.0`` is a whole number in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)  # stands last, so that the limits before it are in the schema
Identity = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16}$", description="Secret name of a game.")]
Token = Annotated[str, Field(min_length=1, max_length=40, description="A decision, as records write it.")]
At = Annotated[
    int, Field(ge=0, le=100_000, description="Number of a decision: the position before it is meant."), WHOLE
]
Code = Annotated[str, Field(min_length=1, max_length=200)]
Seat = Annotated[Code, Field(description=f"`{PERSON}`, or the code of a bot that the operator allows.")]
Seats = Annotated[list[Seat], Field(min_length=2, max_length=16, description="Who plays, by seat.")]


class Strict(BaseModel):
    """Nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


# asked ----------------------------------------------------------------------------------------------------------------


class NewGame(Strict):
    """A game to begin."""

    seats: Seats
    seed: Annotated[int, Field(ge=0, lt=SEEDS), WHOLE] | None = Field(
        default=None, description="Draws the setup and the bots' choices; drawn itself if not given."
    )
    board: Annotated[str, Field(min_length=1, max_length=60)] | None = Field(
        default=None, description="Name of the printed data."
    )
    practice: bool = Field(default=True, description="Decisions can be taken back, bots asked for advice.")


class Decide(Strict):
    """A decision of a person."""

    token: Token
    at: At


class Look(Strict):
    """A position to be analysed."""

    at: At
    analyst: Code


class LookMany(Strict):
    """Positions whose chances are asked for."""

    at: Annotated[list[At], Field(min_length=1, max_length=64)]
    analyst: Code


class Branch(Strict):
    """A new game from a moment of another one."""

    at: At
    seats: Seats
    practice: bool = True


class Opened(Strict):
    """A record or a saved game as JSON."""

    record: dict[str, Any] = Field(description="As in a file of records, or as `terracotta play` saves a game.")


class OpenedText(Strict):
    """A position that was shared as text."""

    text: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    seats: Seats | None = Field(default=None, description="Who plays on; only looked at if not given.")


# answered -------------------------------------------------------------------------------------------------------------


class ChoiceView(Strict):
    """A legal decision."""

    token: Token
    words: str
    short: str


class HelpView(Strict):
    """Rules in own words."""

    title: str
    lines: list[str]


class PlayerView(Strict):
    """Who sits in a seat."""

    seat: int
    name: str
    code: str
    points: int


class Row(Strict):
    """Values by seat."""

    title: str
    values: list[str]


class ToldView(Strict):
    """A line of the story: it tells the decisions `first` .. `last - 1`."""

    first: int
    last: int
    text: str


class Made(Strict):
    """A decision that was made."""

    token: Token
    words: str
    seat: int


class View(Strict):
    """A game at one moment, for the page."""

    game: Identity
    title: str
    version: int = Field(description="Grows with every change of the game.")
    at: At
    decisions: int = Field(description="Made so far; `at` equals it in the present.")
    practice: bool
    over: bool
    ranking: list[int] = Field(description="Seats, best first; empty before the end.")
    players: list[PlayerView]
    to_act: int | None
    asked: Literal["person", "bot"] | None = Field(description="Who is asked in the present.")
    fault: str | None = Field(description="What stopped a bot, and with it the game.")
    can_undo: bool
    can_redo: bool
    can_ask: bool = Field(description="Hints and analyses are open.")
    round: int
    state: str
    question: str
    help: HelpView
    choices: list[ChoiceView] = Field(description="Legal decisions at this moment.")
    made: Made | None = Field(description="What was decided at this moment, where it is past.")
    before: Made | None = Field(description="The decision that led here.")
    turns: list[int] = Field(description="First decision of each turn of the whole game.")
    told: list[ToldView] = Field(description="What happened up to this moment.")
    facts: list[Row]
    sources: list[Row] = Field(description="Points by source; sources that gave none are left out.")
    picture: str = Field(description="The position as SVG; choices carry `data-token`.")
    described: str = Field(description="The same in sentences.")


class GameItem(Strict):
    """A game in a list."""

    game: Identity
    title: str
    names: list[str]
    decisions: int
    over: bool
    began: float


class About(Strict):
    """What the server offers."""

    game: str
    version: str
    players: list[int]
    boards: list[str]
    bots: list[str]
    analysts: list[str]
    hint: str
    rules: list[HelpView]


class HintView(Strict):
    """What a bot would do."""

    bot: str
    token: Token
    words: str


class Explanation(Strict):
    """What a choice changes."""

    token: Token
    lines: list[str]


class CandidateView(Strict):
    """See `terracotta_agents.serve.analyst.Candidate`."""

    token: Token
    words: str
    probability: float
    visits: int | None
    values: list[float] | None


class AnalysisView(Strict):
    """What an analyst found."""

    at: At
    analyst: str
    seat: int
    simulations: int
    values: list[float] | None = Field(description="Expected final payoff by seat, -1..1.")
    chances: list[float] = Field(description="Each seat's chance to win.")
    candidates: list[CandidateView]
    line: list[str] = Field(description="The expected line of play, in words.")
    picture: str = Field(description="The position with the candidates' probabilities as a heat map.")


class Chance(Strict):
    """Each seat's chance to win before a decision."""

    at: At
    chances: list[float]


class Graph(Strict):
    """The course of a game."""

    points: list[list[int]] = Field(description="By decision, then seat.")
    turns: list[int] = Field(description="First decision of each turn.")
    rounds: list[int] = Field(description="First decision of each round.")
    chances: list[Chance] = Field(description="Those known.")


class PositionText(Strict):
    """A position as text."""

    text: str


class Taken(Strict):
    """How many decisions were taken back."""

    taken: int
    view: View
