"""Nothing depends on who sits where, and where the rules are symmetric a mirrored Mausoleum scores alike."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.properties.lines import choose, dense_snapshots, examples, seeds

Snapshot = dict[str, Any]
COLUMNS = "abcdefghi"


def relabelled(snapshot: Snapshot, new: list[int]) -> Snapshot:
    """The same position with seat ``s`` called ``new[s]``."""
    turned = copy.deepcopy(snapshot)
    for seat, player in enumerate(snapshot["players"]):
        turned["players"][new[seat]] = player
    turned["to_move"] = None if snapshot["to_move"] is None else new[snapshot["to_move"]]
    turned["turn_order"] = [new[seat] for seat in snapshot["turn_order"]]
    for segment in turned["wheel"].values():
        for worker in segment["workers"]:
            worker["owner"] = new[worker["owner"]]
    for statue in turned["mausoleum"]:
        if statue["owner"] is not None:
            statue["owner"] = new[statue["owner"]]
    return turned


@examples(70)
@given(dense_snapshots(), st.randoms(use_true_random=False), seeds)
def test_seats_are_only_names(snapshot: Snapshot, shuffler: Random, seed: int) -> None:
    new = list(range(len(snapshot["players"])))
    shuffler.shuffle(new)
    position, turned = (
        Position.from_snapshot(GAME, snapshot),
        Position.from_snapshot(GAME, relabelled(snapshot, new)),
    )
    rng = Random(seed)
    for _ in range(60):
        assert turned.snapshot() == relabelled(position.snapshot(), new)
        assert turned.legal() == position.legal()
        if position.over:
            assert turned.ranking() == [new[seat] for seat in position.ranking()]
            break
        token = choose(position, rng)
        position.play(token)
        turned.play(token)
    assert turned.points() == [position.points()[new.index(seat)] for seat in range(len(new))]


class Mirror:
    """Exchanges east and west, or north and south."""

    def __init__(self, axis: str) -> None:
        self.ways = {"e": "w", "w": "e"} if axis == "east-west" else {"n": "s", "s": "n"}
        self.track = "column" if axis == "east-west" else "row"

    def space(self, name: str) -> str:
        if self.track == "column":
            return COLUMNS[8 - COLUMNS.index(name[0])] + name[1]
        return f"{name[0]}{8 - int(name[1])}"

    def tile(self, tile: str) -> str:
        if tile not in ("nw", "ne", "sw", "se"):
            return tile
        return "".join(self.ways.get(letter, letter) for letter in tile)

    def token(self, token: str) -> str:
        word, _, detail = token.partition(":")
        if word == "cell":
            return f"cell:{self.space(detail)}"
        if word == "dir":
            return f"dir:{self.ways.get(detail, detail)}"
        if word == "inspector" and detail.startswith(self.track):
            steps = {"+1": "-1", "-1": "+1"}.get(detail[-2:], detail[-2:])
            return f"inspector:{self.track}{steps}"
        return token

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        mirrored = copy.deepcopy(snapshot)
        for statue in mirrored["mausoleum"]:
            statue["spaces"] = [self.space(name) for name in statue["spaces"]]
            if "facing" in statue:
                statue["facing"] = self.ways.get(statue["facing"], statue["facing"])
        mirrored["mausoleum"].sort(key=lambda statue: statue["spaces"][0])
        mirrored["tiles"] = [self.tile(tile) for tile in snapshot["tiles"]]
        mirrored["tile"] = self.tile(snapshot["tile"])
        name = snapshot["inspectors"]["column"] + str(snapshot["inspectors"]["row"])
        here = self.space(name)
        mirrored["inspectors"] = {"row": int(here[1]), "column": here[0]}
        if mirrored["pending"] is not None and "cell" in mirrored["pending"]:
            mirrored["pending"]["cell"] = self.space(mirrored["pending"]["cell"])
        return mirrored


def lazy_or(choice: str, legal: list[str]) -> str:
    """``choice``, but no Master's two or one steps: forward has no mirror image on the mirrored track."""
    return "decline" if choice.startswith("inspector:") and any(token.endswith("+2") for token in legal) else choice


def play_mirrored(snapshot: Snapshot, axis: str, choice: Callable[[Position], str]) -> None:
    """The rest of a round, in round 5 of the game: legal sets and positions mirrored throughout, points the same."""
    mirror = Mirror(axis)
    position = Position.from_snapshot(GAME, snapshot)
    mirrored = Position.from_snapshot(GAME, mirror.snapshot(snapshot))
    now = position.snapshot()
    while not position.over and now["round"] == snapshot["round"]:
        assert mirrored.snapshot() == mirror.snapshot(now)
        if not any(token.endswith("+2") for token in position.legal()):
            assert mirrored.legal() == sorted(mirror.token(token) for token in position.legal())
        token = lazy_or(choice(position), position.legal())
        position.play(token)
        mirrored.play(mirror.token(token))
        now = position.snapshot()
    assert mirrored.snapshot()["players"] == now["players"]
    assert mirrored.over == position.over


@examples(90)
@given(dense_snapshots(), st.sampled_from(["east-west", "north-south"]), seeds)
def test_mirrored_positions_offer_and_score_the_mirror_image(snapshot: Snapshot, axis: str, seed: int) -> None:
    rng = Random(seed)
    play_mirrored(snapshot, axis, lambda position: choose(position, rng))


@examples(90)
@given(dense_snapshots(), st.sampled_from(["east-west", "north-south"]))
def test_mirrored_positions_score_alike_when_nothing_more_is_built(snapshot: Snapshot, axis: str) -> None:
    def idle(position: Position) -> str:
        legal = position.legal()
        return next((token for token in ("rotate:none", "ring:nothing", "decline") if token in legal), legal[0])

    play_mirrored(snapshot, axis, idle)


def test_the_mirror_is_its_own_inverse() -> None:
    for axis in ("east-west", "north-south"):
        mirror = Mirror(axis)
        for token in GAME.tokens:
            assert mirror.token(mirror.token(token)) == token
        moved = {token for token in GAME.tokens if mirror.token(token) != token}
        assert len(moved) == (56 + 2 + 2 if axis == "east-west" else 54 + 2 + 2)
