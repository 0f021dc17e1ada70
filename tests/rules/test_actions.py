"""Ids and tokens of the 123 actions are frozen: records, checkpoints and other programs rely on them."""

from pathlib import Path

import pytest

from terracotta_env.army import GAME
from terracotta_env.army import actions as act
from terracotta_env.errors import IllegalActionError
from terracotta_env.position import Position
from tests.rules.positions import position

# one "id token" a line, written by hand once
FROZEN = {
    int(number): token
    for number, token in (line.split() for line in (Path(__file__).parent / "tokens.txt").read_text().splitlines())
}


def test_there_are_123_actions() -> None:
    assert len(FROZEN) == act.ACTIONS == GAME.actions == 123


def test_id_to_token() -> None:
    assert dict(enumerate(GAME.tokens)) == FROZEN
    assert dict(enumerate(act.TOKENS_BY_ID)) == FROZEN


def test_token_to_id() -> None:
    assert {token: number for number, token in FROZEN.items()} == act.ID_OF_TOKEN


def test_every_token_has_one_id() -> None:
    assert len(set(FROZEN.values())) == 123


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("ROTATE", "rotate:none"),
        ("PLACE", "place:craftsman:1"),
        ("RING", "ring:perform"),
        ("WARRIOR", "warrior:officer"),
        ("CELL", "cell:a1"),
        ("DIRECTION", "dir:n"),
        ("WEAPON", "weapon:use"),
        ("INSPECTOR", "inspector:row+1"),
        ("TOKEN", "token:1"),
        ("WAREHOUSES", "warehouses:1,2"),
        ("DECLINE", "decline"),
    ],
)
def test_bases_of_the_blocks(name: str, token: str) -> None:
    assert FROZEN[getattr(act, name)] == token


def test_legal_tokens_are_in_code_point_order() -> None:
    legal = position().play("rotate:none").legal()
    assert legal == sorted(legal)
    assert legal.index("place:craftsman:10") < legal.index("place:craftsman:2")


def test_id_and_token_do_the_same() -> None:
    for number, token in FROZEN.items():
        game = Position.from_seed(GAME, 2, 3)
        if token in game.legal():
            assert game.clone().play(number) == game.clone().play(token)


def test_the_mask_says_what_legal_says() -> None:
    game = position()
    assert [FROZEN[number] for number, one in enumerate(game.mask()) if one] == [
        "rotate:none",
        "rotate:inner",
        "rotate:middle",
    ]


@pytest.mark.parametrize(
    "action", ["decline", "place:craftsman:1", "rotate:outer", "", "rotate", 3, 122, 123, -1, 1000, True, None, 1.0]
)
def test_an_illegal_action_is_refused_and_changes_nothing(action: object) -> None:
    game = position()
    before = game.to_bytes()
    with pytest.raises(IllegalActionError, match="legal are rotate:inner, rotate:middle, rotate:none"):
        game.play(action)  # type: ignore[arg-type]
    assert game.to_bytes() == before


def test_an_illegal_action_is_quoted_with_seat_and_token() -> None:
    with pytest.raises(IllegalActionError, match=r"illegal action 122 \(decline\) for seat 0"):
        position().play(122)
    with pytest.raises(IllegalActionError, match="illegal action 'decline' for seat 0"):
        position().play("decline")
