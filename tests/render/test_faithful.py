"""What stands in the snapshot is drawn, as often and as it stands there.  Counted from the JSON and from the XML."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from terracotta_env import render
from terracotta_env.army import GAME
from terracotta_env.position import Position

from .drawn import Element, of_class, parse, sample

DIRECTIONS = {(0, 1): "n", (1, 0): "e", (0, -1): "s", (-1, 0): "w"}


def drawn(position: Position, **settings: Any) -> tuple[Element, dict[str, Any]]:
    return parse(render.svg(position, **settings)), position.snapshot()


@pytest.fixture(scope="module", params=["wide", "tall"])
def pictures(request: pytest.FixtureRequest) -> list[tuple[Element, dict[str, Any]]]:
    return [drawn(position, layout=request.param) for position in sample()]


def counted(elements: list[Element], *names: str) -> Counter[tuple[str | None, ...]]:
    return Counter(tuple(element.get(name) for name in names) for element in elements)


Pictures = list[tuple[Element, dict[str, Any]]]


def test_sample_holds_what_there_is_to_draw(pictures: Pictures) -> None:
    snapshots = [snapshot for _, snapshot in pictures]
    statues = [statue for snapshot in snapshots for statue in snapshot["mausoleum"]]
    assert {statue["kind"] for statue in statues} == {
        "officer", "guard", "crossbowman", "soldier", "footman", "archer", "musician",
    }  # fmt: skip
    assert {statue["owner"] for statue in statues} == {None, 0, 1, 2, 3}
    assert {statue["facing"] for statue in statues if "facing" in statue} == set("nesw")
    assert any(statue.get("mounted") for statue in statues)
    assert {len(snapshot["players"]) for snapshot in snapshots} == {2, 3, 4}
    assert {snapshot["board"] for snapshot in snapshots} == set(GAME.notation.board_names())
    assert any(snapshot["over"] for snapshot in snapshots)
    workers = [worker for s in snapshots for segment in s["wheel"].values() for worker in segment["workers"]]
    assert {worker["kind"] for worker in workers} == {"craftsman", "artisan"}


def test_every_statue_is_drawn_once_where_it_stands(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        expected = Counter(
            (
                statue["kind"],
                None if statue["owner"] is None else str(statue["owner"]),
                " ".join(statue["spaces"]),
                statue.get("facing"),
                "true" if statue.get("mounted") else None,
            )
            for statue in snapshot["mausoleum"]
        )
        statues = of_class(root, "ta-statue")
        assert counted(statues, "data-kind", "data-owner", "data-spaces", "data-facing", "data-mounted") == expected


def test_statues_stand_on_the_middle_of_their_space(pictures: Pictures) -> None:
    for root, _ in pictures:
        spaces = {}
        for rect in of_class(root, "ta-space"):
            x, y, edge = (float(rect.get(name, "")) for name in ("x", "y", "width"))
            spaces[rect.get("data-space")] = (x + edge / 2, y + edge / 2)
        assert len(spaces) == 63
        assert spaces["a1"][0] < spaces["b1"][0]
        assert spaces["a1"][1] > spaces["a2"][1]  # row 1 is at the bottom
        for statue in of_class(root, "ta-statue"):
            x, y = map(float, statue.get("transform", "")[len("translate(") : -1].split())
            assert (x, y) == spaces[statue.get("data-spaces", "").split()[0]]


def test_riders_reach_over_their_three_spaces() -> None:
    for position in sample():
        for statue in of_class(parse(render.svg(position)), "ta-statue"):
            if statue.get("data-mounted"):
                one, two, _ = ((ord(space[0]), int(space[1])) for space in statue.get("data-spaces", "").split())
                step = (two[0] - one[0], two[1] - one[1])
                body = next(child for child in statue if child.tag.endswith("rect"))
                x, y, width, height = (float(body.get(name, "")) for name in ("x", "y", "width", "height"))
                assert (width > height) == (DIRECTIONS[step] in "ew")
                far = {"n": -y, "e": x + width, "s": y + height, "w": -x}[DIRECTIONS[step]]
                assert 2 * 84 < far < 2.5 * 84
                assert max(width, height) == pytest.approx(2.8 * 84)


def test_every_worker_is_drawn_on_its_segment(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        expected = Counter(
            (str(worker["owner"]), worker["kind"], segment)
            for segment, entry in snapshot["wheel"].items()
            for worker in entry["workers"]
        )
        assert counted(of_class(root, "ta-worker"), "data-owner", "data-worker", "data-segment") == expected


def test_rings_show_what_lies_on_each_segment_as_they_are_turned(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        expected = Counter(
            (ring, segment, entry[ring])
            for segment, entry in snapshot["wheel"].items()
            for ring in ("inner", "middle", "outer")
        )
        assert counted(of_class(root, "ta-action"), "data-ring", "data-segment", "data-shows") == expected
        turned = {
            element.get("data-ring"): element.get("data-offset")
            for element in root.iter()
            if element.get("data-offset") is not None
        }
        assert turned == {"inner": str(snapshot["inner_offset"]), "middle": str(snapshot["middle_offset"])}


def test_segments_run_clockwise_from_the_top() -> None:
    root = parse(render.svg(sample()[0]))
    inner = [element for element in of_class(root, "ta-action") if element.get("data-ring") == "outer"]
    middles = {}
    for element in inner:
        sign = next(child for child in element if child.tag.endswith("}g"))
        x, y = map(float, sign.get("transform", "")[len("translate(") : -1].split())
        middles[int(element.get("data-segment", ""))] = (x, y)
    for number, (x, y) in middles.items():
        assert (x > 0) == (number <= 6)
        assert (y < 0) == (number in (1, 2, 3, 10, 11, 12))
    assert middles[1][1] < middles[2][1] < middles[3][1]


def test_turning_a_ring_moves_its_actions() -> None:
    """Inner clockwise to the next segment, Middle counterclockwise to the one before (R2)."""
    position = next(p for p in sample() if "rotate:inner" in p.legal())
    for ring, step in (("inner", 1), ("middle", -1)):
        before, after = (
            {
                int(element.get("data-segment", "")): element.get("data-shows")
                for element in of_class(parse(render.svg(shown)), "ta-action")
                if element.get("data-ring") == ring
            }
            for shown in (position, position.clone().play(f"rotate:{ring}"))
        )
        assert after == {(number - 1 + step) % 12 + 1: shown for number, shown in before.items()}


def test_inspectors_tracks_warehouses_and_supplies(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        inspectors = snapshot["inspectors"]
        assert counted(of_class(root, "ta-inspector"), "data-track", "data-at") == Counter(
            {("row", str(inspectors["row"])): 1, ("column", inspectors["column"]): 1}
        )
        clay = {(str(k + 1), str(amount)): 1 for k, amount in enumerate(snapshot["warehouses"])}
        assert counted(of_class(root, "ta-warehouse"), "data-warehouse", "data-clay") == Counter(clay)
        for name, key in (("ta-organizer", "organizer"), ("ta-specialists", "specialists_left")):
            left = {(kind, str(number)): 1 for kind, number in snapshot[key].items()}
            assert counted(of_class(root, name), "data-kind", "data-left") == Counter(left)
        assert len(of_class(root, "ta-figure")) == sum(snapshot["organizer"].values())


def test_tiles_order_and_priority_tokens(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        tiles = {(str(k + 1), tile): 1 for k, tile in enumerate(snapshot["tiles"])}
        assert counted(of_class(root, "ta-tile"), "data-round", "data-tile") == Counter(tiles)
        order = [element.get("data-owner") for element in of_class(root, "ta-order")]
        assert order == [str(seat) for seat in snapshot["turn_order"]]
        held = [player["priority"] for player in snapshot["players"] if player["priority"]]
        numbers = sorted(int(element.get("data-priority", "")) for element in of_class(root, "ta-priority"))
        assert numbers == sorted([*snapshot["priority_stack"], *held])


def test_players_cards(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        cards = of_class(root, "ta-player")
        assert len(cards) == len(snapshot["players"])
        for card in cards:
            player = snapshot["players"][int(card.get("data-seat", ""))]
            assert card.get("data-vp") == str(player["vp"])
            counters = {e.get("data-counter"): e.get("data-value") for e in of_class(card, "ta-counter")}
            assert counters == {
                **{key: str(player[key]) for key in ("coins", "wet", "dry", "craftsmen", "bases")},
                "artisans": f"{player['artisans']}+{player['artisans_in_supply']}",
            }
            weapons = {e.get("data-weapon"): e.get("data-active") == "true" for e in of_class(card, "ta-weapon")}
            assert weapons == player["weapons"]
            masters = {e.get("data-master"): int(e.get("data-price", "")) for e in of_class(card, "ta-master")}
            assert masters == player["masters"]
            assert [int(e.get("data-price", "")) for e in of_class(card, "ta-token")] == player["tokens"]


def test_what_is_decided_is_marked(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        pending = snapshot["pending"] or {}
        marks = len(of_class(root, "ta-pending"))
        assert marks == ("segment" in pending) + ("cell" in pending)
        assert root.get("data-round") == str(snapshot["round"])
        to_move = snapshot["to_move"]
        assert root.get("data-to-move") == (None if to_move is None else str(to_move))


def test_description_tells_the_position_to_those_who_do_not_see_it(pictures: Pictures) -> None:
    for root, snapshot in pictures:
        title, description = root[0].text or "", root[1].text or ""
        assert root.get("aria-label") == title
        assert f"round {snapshot['round']} of 5" in title
        for seat, player in enumerate(snapshot["players"]):
            assert f"Seat {seat}: {player['vp']} VP, {player['coins']} Coins" in description
        for statue in snapshot["mausoleum"]:
            assert f"on {statue['spaces'][0]}" in description
