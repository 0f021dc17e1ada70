"""Games as answers: the models of ``models.py`` filled from positions and the game's words.  Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from terracotta_env.entry import ledger_at
from terracotta_env.position import Position

from . import models
from .analyst import Analysis
from .live import Live
from .speech import Help, Look, Speech

Layout = Literal["wide", "tall"]
_MOST_NAME = 40


def shown_name(name: str) -> str:
    """A name from a record, short and printable."""
    return "".join(c for c in name if c.isprintable())[:_MOST_NAME] or "?"


def help_view(help_: Help) -> models.HelpView:
    return models.HelpView(title=help_.title, lines=list(help_.lines))


def choice_views(speech: Speech, position: Position, own: int | None) -> list[models.ChoiceView]:
    return [
        models.ChoiceView(token=choice.token, words=choice.words, short=choice.short)
        for choice in speech.choices(position, own)
    ]


def made_view(game: Live, at: int) -> models.Made | None:
    """Decision ``at``, where it was made."""
    if not 0 <= at < len(game.decisions):
        return None
    token, seat = game.decisions[at], game.session.deciders[at]
    return models.Made(token=token, words=game.speech.words(game.position(at), token, game.own), seat=seat)


def view(game: Live, at: int, layout: Layout) -> models.View:
    """A game before decision ``at``; to be called under its lock."""
    position, session, speech = game.position(at), game.session, game.speech
    present = at == len(game.decisions)
    points = position.points()
    asked: Literal["person", "bot"] | None = None
    if not game.over and (session.people or session.bots):
        asked = "person" if session.own_turn else "bot"
    own = game.own if game.own is not None else position.to_act
    made, before = made_view(game, at), made_view(game, at - 1)
    choices = choice_views(speech, position, own) if not position.over else []
    legal = present and asked == "person"
    return models.View(
        game=game.identity,
        title=game.title,
        version=game.version,
        at=at,
        decisions=len(game.decisions),
        practice=game.practice,
        over=game.over,
        ranking=game.session.position.ranking() if game.over else [],
        players=[
            models.PlayerView(seat=seat, name=name, code=code, points=points[seat])
            for seat, (name, code) in enumerate(zip(game.names, session.agents, strict=True))
        ],
        to_act=position.to_act,
        asked=asked,
        fault=game.fault,
        can_undo=game.practice and any(seat in session.people for seat in session.deciders),
        can_redo=game.practice and bool(session.undone),
        can_ask=game.practice or game.over,
        round=position.game.notation.round_of(position.states),
        state=speech.state(position),
        question=speech.question(position),
        help=help_view(speech.help(position)),
        choices=choices,
        made=made,
        before=before,
        turns=turns(game),
        told=[models.ToldView(first=t.first, last=t.last, text=t.text) for t in game.told if t.last <= at],
        facts=[models.Row(title=fact.title, values=list(fact.values)) for fact in speech.facts(position)],
        sources=sources(speech, position),
        picture=speech.picture(position, Look(layout, legal, None, _last_turn(game, at), game.names, game.own)),
        described=speech.describe(position),
    )


def _last_turn(game: Live, at: int) -> list[str]:
    """The decisions that whoever decided last made in a row."""
    deciders, first = game.session.deciders, at
    while first > 0 and deciders[first - 1] == deciders[at - 1]:
        first -= 1
    return game.decisions[first:at]


def sources(speech: Speech, position: Position) -> list[models.Row]:
    """Points by source and seat, without the sources that gave none."""
    names, out = position.game.sources, np.empty(len(position.game.sources), np.int64)
    ledgers = []
    for seat in range(position.players):
        ledger_at(position.states, 0, seat, out)
        ledgers.append(out.tolist())
    return [
        models.Row(title=speech.sources.get(name, name), values=[str(ledger[i]) for ledger in ledgers])
        for i, name in enumerate(names)
        if any(ledger[i] for ledger in ledgers)
    ]


def analysis_view(
    game: Live, at: int, found: Analysis, chances: Sequence[float], layout: Layout
) -> models.AnalysisView:
    """What an analyst found, in words; to be called under the game's lock."""
    position, speech = game.position(at), game.speech
    seat = position.to_act
    assert seat is not None
    own = game.own if game.own is not None else seat
    words = {choice.token: choice.words for choice in speech.choices(position, own)}
    line, now = [], position.clone()
    for token in found.line:
        if now.over or token not in now.legal():
            break
        line.append(f"{game.names[now.to_act or 0]}: {speech.words(now, token, own)}")
        now.play(token)
    legal = at == len(game.decisions) and game.session.own_turn
    heat = {candidate.token: candidate.probability for candidate in found.candidates}
    return models.AnalysisView(
        at=at,
        analyst=found.analyst,
        seat=seat,
        simulations=found.simulations,
        values=None if found.values is None else list(found.values),
        chances=list(chances),
        candidates=[
            models.CandidateView(
                token=candidate.token,
                words=words[candidate.token],
                probability=candidate.probability,
                visits=candidate.visits,
                values=None if candidate.values is None else list(candidate.values),
            )
            for candidate in found.candidates
        ],
        line=line,
        picture=speech.picture(position, Look(layout, legal, heat, (), game.names, game.own)),
    )


def turns(game: Live) -> list[int]:
    """First decision of each turn: of those that one seat makes in a row."""
    deciders = game.session.deciders
    return [at for at, seat in enumerate(deciders) if at == 0 or deciders[at - 1] != seat]


def graph(game: Live, code: str) -> models.Graph:
    """The course of a game so far; to be called under its lock."""
    rules = game.session.position.game
    positions = [Position.from_bytes(rules, raw) for raw in game.raw]
    rounds = [rules.notation.round_of(position.states) for position in positions]
    return models.Graph(
        points=[position.points() for position in positions],
        turns=turns(game),
        rounds=[at for at, number in enumerate(rounds) if at == 0 or rounds[at - 1] != number],
        chances=[
            models.Chance(at=at, chances=found) for (at, known), found in sorted(game.chances.items()) if known == code
        ],
    )


def item(game: Live) -> models.GameItem:
    return models.GameItem(
        game=game.identity,
        title=game.title,
        names=game.names,
        decisions=len(game.decisions),
        over=game.over,
        began=game.began,
    )
