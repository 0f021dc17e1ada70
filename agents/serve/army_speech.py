"""Terracotta Army in the browser: the words of ``terracotta_agents.play`` and the picture of ``terracotta_env.render``.

The only module of the server, with ``army_rules.py``, that knows the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from terracotta_env import render
from terracotta_env.army import GAME
from terracotta_env.army import actions as act
from terracotta_env.army.endgame import end_game
from terracotta_env.army.geometry import CELL_NAMES
from terracotta_env.army.scoring import score_round
from terracotta_env.army.snapshot import plain
from terracotta_env.army.state import Decision, Ring, Space
from terracotta_env.position import Position

from ..play import things
from ..play.changes import explain, final_forecast, forecast
from ..play.session import PERSON
from ..play.story import Story
from ..play.things import SOURCES, Who, many
from ..play.words import Choices
from .army_rules import HELP, RULES, SPACE_HELP
from .speech import Choice, Fact, Help, Look

_SHORT: Final = {
    "rotate:none": "turn no ring",
    "rotate:inner": "Inner Ring",
    "rotate:middle": "Middle Ring",
    "ring:perform": "perform",
    "ring:clay": "1 Wet Clay",
    "ring:coin": "1 Coin",
    "ring:nothing": "nothing",
    "weapon:use": "use the Weapon",
    "weapon:keep": "keep it",
    "decline": "decline",
}

_Scoring = tuple[str, str, Callable[[Any], object]]
# how a line of `explain` begins, what scores then, and the function that does it
_SCORINGS: Final[tuple[_Scoring, ...]] = (
    ("If the round were scored at once:", "This round's scoring", score_round),
    ("If the game were scored at once:", "The scoring at the end of the game", end_game),
)


class ArmySpeech:
    """See :class:`terracotta_agents.serve.speech.Speech`."""

    game = GAME
    rules: Sequence[Help] = RULES
    sources: Mapping[str, str] = SOURCES
    style = render.stylesheet(GAME)

    def names(self, agents: Sequence[str]) -> list[str]:
        alone = list(agents).count(PERSON) == 1
        return [("you" if alone else "person") if code == PERSON else code for code in agents]

    def question(self, position: Position) -> str:
        return Choices(position).question()

    def help(self, position: Position) -> Help:
        s = plain(position.states)
        decision = Decision(s.decision)
        if decision == Decision.RING:
            space, _ = Choices(position).space(s.segment, s.ring)
            ring = HELP[decision]
            instead = ring.lines if s.ring != Ring.OUTER else ring.lines[:1]
            special = _help_of_space(space)
            return Help(special.title, (*special.lines, *instead))
        if decision == Decision.SPECIALIST_CELL:
            return SPACE_HELP[act.SPECIALIST_NAMES[s.outer[s.segment] - Space.SPECIALIST]]
        if decision == Decision.MASTER_TOKEN:
            middle = s.middle[Choices(position).middle_at(s.segment)]
            return Help(HELP[decision].title, (*HELP[decision].lines, *_help_of_space(middle).lines))
        return HELP[decision]

    def choices(self, position: Position, own: int | None) -> list[Choice]:
        told = Choices(position, Who(own))
        return [Choice(token, told.words(token), _short(token)) for token in told.tokens]

    def words(self, position: Position, token: str, own: int | None) -> str:
        return Choices(position, Who(own)).words(token)

    def explain(self, position: Position, token: str, own: int | None) -> list[str]:
        who = Who(own)
        lines = [line.replace(" -> ", " → ") for line in explain(position, token, who)]
        after = position.clone().play(token)
        told = []
        for line in lines:
            scoring = next((entry for entry in _SCORINGS if line.startswith(entry[0])), None)
            told += [line] if scoring is None else [_scored_now(scoring, position, after, who)]
        return told

    def teller(self, own: int | None, names: Sequence[str]) -> Story:
        return Story(Who(own), names)

    def facts(self, position: Position) -> list[Fact]:
        players = position.snapshot()["players"]
        rows = [
            ("VP", [p["vp"] for p in players]),
            ("Coins", [p["coins"] for p in players]),
            ("Wet Clay", [p["wet"] for p in players]),
            ("Dry Clay", [p["dry"] for p in players]),
            ("workers in hand", [things.workers(p["craftsmen"], p["artisans"]) for p in players]),
            ("active Weapons", [_listed(w.capitalize() for w, on in p["weapons"].items() if on) for p in players]),
            ("Masters", [_listed(m.replace("_", " ").title() for m in p["masters"]) for p in players]),
            ("Master tokens left", [_listed(map(str, p["tokens"])) for p in players]),
            ("Priority token", [p["priority"] or "none" for p in players]),
            ("Warrior bases left", [p["bases"] for p in players]),
        ]
        if not position.over:
            rows.append(("this round's scoring, if it came now", [f"+{vp} VP" for vp in forecast(position)]))
            rows.append(("scoring at the end, if it came now", [f"+{vp} VP" for vp in final_forecast(position)]))
        return [Fact(title, tuple(map(str, values))) for title, values in rows]

    def state(self, position: Position) -> str:
        s = plain(position.states)
        tile = things.TILES[s.tiles[s.game_round - 1]]
        if position.over:
            return "The game is over."
        order = ", ".join(str(seat) for seat in s.turn_order[: s.players])
        return f"Round {s.game_round} of 5. This round's Scoring tile: {tile}. Turn order: seats {order}."

    def describe(self, position: Position) -> str:
        shown = position.snapshot()
        told = Choices(position, Who(None))
        statues = [
            f"{told.owned_name(_cell(statue))}"
            + (
                f" facing {things.DIRECTIONS[act.DIRECTION_NAMES.index(statue['facing'])]}"
                if "facing" in statue
                else ""
            )
            + (f" over {' and '.join(statue['spaces'][1:])}" if statue.get("mounted") else "")
            for statue in shown["mausoleum"]
        ]
        wheel = [f"segment {segment}: {self._segment(told, int(segment) - 1, entry)}" for segment, entry in
                 shown["wheel"].items()]  # fmt: skip
        organizer = ", ".join(f"{left} {kind}" for kind, left in shown["organizer"].items())
        specialists = ", ".join(f"{left} {kind}" for kind, left in shown["specialists_left"].items())
        return " ".join(
            [
                self.state(position),
                f"Mausoleum: {'; '.join(statues) or 'empty'}.",
                f"Inspectors in row {shown['inspectors']['row']} and column {shown['inspectors']['column']}.",
                f"Action wheel, inner, middle and outer action: {'; '.join(wheel)}.",
                f"Dry Clay in the warehouses: {', '.join(map(str, shown['warehouses']))}.",
                f"Figures left: {organizer}, {specialists}.",
            ]
        )

    def picture(self, position: Position, look: Look) -> str:
        names = [PERSON if seat == look.own else name for seat, name in enumerate(look.names)]  # it says "you" itself
        return render.svg(
            position,
            theme="page",
            layout=look.layout,
            perspective=look.own,
            names=names,
            legal=look.legal,
            heat=look.heat,
            last=look.last,
        )

    def _segment(self, told: Choices, segment: int, entry: dict[str, object]) -> str:
        actions = ", ".join(things.space_name(told.s, *told.space(segment, ring)) for ring in Ring)
        workers = entry["workers"]
        assert isinstance(workers, list)
        standing = ", ".join(f"seat {worker['owner']}'s {worker['kind']}" for worker in workers)
        return f"{actions}{f', with {standing}' if standing else ''}"


def _gains(position: Position, score: Callable[[Any], object]) -> list[dict[str, int]]:
    """VP by seat and source that a scoring would give in this position."""
    trial = position.clone()
    score(trial.states[0])
    before, after = (shown.snapshot()["players"] for shown in (position, trial))
    return [
        {source: two["ledger"][source] - one["ledger"][source] for source in SOURCES}
        for one, two in zip(before, after, strict=True)
    ]


def _scored_now(scoring: _Scoring, before: Position, after: Position, who: Who) -> str:
    """How a choice changes what a scoring would give, and by which sources."""
    _, title, score = scoring
    seats = []
    for seat, (was, now) in enumerate(zip(_gains(before, score), _gains(after, score), strict=True)):
        if sum(was.values()) != sum(now.values()):
            why = ", ".join(f"{SOURCES[key]} {was[key]} → {now[key]}" for key in SOURCES if was[key] != now[key])
            seats.append(f"{who.name(seat)} {sum(now.values())} VP instead of {sum(was.values())} ({why})")
    return f"{title} would give, if it came right after this choice: {'; '.join(seats)}"


def _direction(word: str) -> str:
    return things.DIRECTIONS[act.DIRECTION_NAMES.index(word)]


def _cell(statue: dict[str, list[str]]) -> int:
    return CELL_NAMES.index(statue["spaces"][0])


def _short(token: str) -> str:
    if token in _SHORT:
        return _SHORT[token]
    kind, _, rest = token.partition(":")
    if kind == "place":
        worker, _, segment = rest.partition(":")
        return f"{worker.capitalize()} on {segment}"
    if kind == "dir":
        return _direction(rest)
    if kind == "inspector":
        return f"{rest[:-2]} Inspector {rest[-2:]}"
    if kind == "token":
        return f"pay {many(int(rest), 'Coin')}"
    if kind == "warehouses":
        return f"warehouses {rest.replace(',', ' and ')}"
    return rest.capitalize() if kind == "warrior" else rest


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


def _help_of_space(space: int) -> Help:
    """The rules of an Action space, by the first part of its word or, of Masters and Specialists, the second."""
    word = act.space_word(space, 0)
    kind, _, rest = word.partition(":")
    return SPACE_HELP[rest if kind in ("master", "specialist") else kind]
