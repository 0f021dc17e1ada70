"""Nothing appears or vanishes: workers, bases, figures, tokens, clay; and no counter leaves its range."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given

from terracotta_env.army import GAME
from terracotta_env.army.snapshot_read import MOST
from terracotta_env.army.state import BASES, FIGURES_PER_TYPE, SPECIALISTS_PER_TYPE, STATE, TOKENS, WORKERS_FOR
from terracotta_env.position import Position
from tests.agents.games import printed
from tests.properties.lines import examples, line, openings, seeds, starts

MAY_BE_NEGATIVE = ("generator",)  # not a counter
SENTINEL = -1  # of seats, spaces and choices that are not there


def check_counts(snapshot: dict[str, Any]) -> None:
    """Everything of a snapshot that has a fixed total."""
    people = snapshot["players"]
    statues = snapshot["mausoleum"]
    standing = [worker for segment in snapshot["wheel"].values() for worker in segment["workers"]]
    for seat, player in enumerate(people):
        kinds = Counter(worker["kind"] for worker in standing if worker["owner"] == seat)
        upgraded = WORKERS_FOR[len(people)] - player["artisans_in_supply"]
        assert player["craftsmen"] + kinds["craftsman"] == player["artisans_in_supply"]
        assert player["artisans"] + kinds["artisan"] == upgraded
        assert player["bases"] + sum(statue["owner"] == seat for statue in statues) == BASES
        prices = sorted([*player["tokens"], *player["masters"].values()])
        assert prices == printed(snapshot["board"])["masters"]["token_prices"]
        assert min(player[name] for name in ("coins", "wet", "dry", "craftsmen", "artisans", "bases")) >= 0
        assert min(player["ledger"].values()) >= 0
    kinds = Counter(statue["kind"] for statue in statues)
    riders = sum(statue.get("mounted", False) for statue in statues)
    assert all(left + kinds[kind] == FIGURES_PER_TYPE for kind, left in snapshot["organizer"].items())
    assert snapshot["specialists_left"].pop("horse") + riders == SPECIALISTS_PER_TYPE
    assert all(left + kinds[kind] == SPECIALISTS_PER_TYPE for kind, left in snapshot["specialists_left"].items())
    held = [player["priority"] for player in people if player["priority"] is not None]
    assert sorted(held + snapshot["priority_stack"]) == list(range(1, len(people)))
    spaces = [space for statue in statues for space in statue["spaces"]]
    assert len(spaces) == len(set(spaces)) <= 63
    assert min(snapshot["warehouses"]) >= 0


@examples(50)
@given(starts(), seeds)
def test_pieces_are_conserved_and_nothing_gets_negative(position: Position, seed: int) -> None:
    check_counts(position.snapshot())
    for _ in line(position, seed, 60):
        check_counts(position.snapshot())
    check_counts(position.snapshot())


def clay(position: Position) -> int:
    """All clay on the table."""
    states = position.states
    return int(states["wet"].sum() + states["dry"].sum() + states["warehouses"].sum())


def clay_made(before: dict[str, Any], token: str, after: dict[str, Any]) -> int:
    """How much clay a decision brings into the game, by the rules."""
    pending = before["pending"]
    if token == "ring:clay":
        return 1
    if "segment" not in pending or not token.startswith(("ring:perform", "token:")):
        return 0
    segment, seat = before["wheel"][str(pending["segment"])], before["to_move"]
    ring = "inner" if pending["decision"] == "administrator" else pending["ring"]
    word, _, detail = segment[ring].partition(":")
    if word == "clay":
        return int(detail)
    if word == "warrior":
        return 1 - int(detail)  # one piece goes to a warehouse
    if word == "priority":
        return int(printed(before["board"])["scoring"]["priority_clay"][before["priority_stack"][0] - 1])
    if segment[ring] == "master:clay_maker" and "clay_maker" in after["players"][seat]["masters"]:
        return 3
    return 0


@examples(30)
@given(starts(), seeds)
def test_clay_comes_and_goes_only_as_the_rules_say(position: Position, seed: int) -> None:
    before, had, token = position.snapshot(), clay(position), None
    for following in line(position, seed, 60):
        if token is not None:
            after = position.snapshot()
            assert clay(position) - had == clay_made(before, token, after)
            before, had = after, clay(position)
        token = following


def in_range(position: Position) -> None:
    """All numbers of the record are far from the ends of their types, or sentinels."""
    for name in STATE.names or ():
        if name in MAY_BE_NEGATIVE:
            continue
        values = position.states[name]
        assert values.min() >= SENTINEL, name
        if values.dtype == np.int16:
            assert values.max() <= MOST, name


@examples(12)
@given(openings(), seeds)
def test_counters_stay_in_range_and_supplies_in_their_bounds_all_game(position: Position, seed: int) -> None:
    for _ in line(position, seed):
        in_range(position)
    in_range(position)
    states = position.states[0]
    assert states["bases"].max() <= BASES
    assert states["organizer"].max() <= FIGURES_PER_TYPE
    assert states["tokens"].max() <= TOKENS
    assert not states["craftsmen"].any()
    assert not states["artisans"].any()
    assert GAME.notation.round_of(position.states) == 5
