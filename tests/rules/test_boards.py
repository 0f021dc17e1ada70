"""Loading board files, and refusing what cannot be: one line that names file, key and what was expected (R2)."""

import copy
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from terracotta_env.army import GAME
from terracotta_env.army.board import board_data, load_board, shipped_boards
from terracotta_env.errors import BoardError
from terracotta_env.position import Position

SHIPPED = ("reconstructed", "flat", "rising", "shuffled", "specialists-outside")


def source(name: str = "reconstructed") -> str:
    """Text of a shipped board file."""
    return (resources.files("terracotta_env") / "boards" / f"{name}.toml").read_text(encoding="utf-8")


def data() -> dict[str, Any]:
    """Content of the standard board under another name, to be spoilt."""
    return {**copy.deepcopy(board_data(load_board("reconstructed").template)), "name": "mine"}


def refusal(spoil: Callable[[dict[str, Any]], object]) -> str:
    """The message that a spoilt board gets."""
    board = data()
    spoil(board)
    with pytest.raises(BoardError) as error:
        load_board(board)
    assert "\n" not in str(error.value)
    return str(error.value)


def put(path: str, value: object) -> Callable[[dict[str, Any]], object]:
    """Set one value, e.g. ``put("wheel.inner.0", "soak")``."""

    def spoil(board: dict[str, Any]) -> None:
        *steps, last = path.split(".")
        place: Any = board
        for step in steps:
            place = place[int(step) if isinstance(place, list) else step]
        place[int(last) if isinstance(place, list) else last] = value

    return spoil


# Loading --------------------------------------------------------------------------------------------------------------


def test_shipped_boards_default_first() -> None:
    assert shipped_boards() == ("reconstructed", "flat", "rising", "shuffled", "specialists-outside")
    assert tuple(GAME.notation.board_names()) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_board_by_name_holds_what_its_file_says(name: str) -> None:
    board = load_board(name)
    assert board.name == name
    assert board_data(board.template) == tomllib.loads(source(name))


def test_a_board_by_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(source().replace('name = "reconstructed"', 'name = "mine"').replace("[6, 6, 5", "[9, 6, 5"))
    board = load_board(str(file))
    assert board.name == "mine"
    assert board.template["organizer_vp"][0, 0] == 9
    assert load_board(file).template.tobytes() == board.template.tobytes()


def test_a_board_as_a_mapping() -> None:
    assert load_board(data()).name == "mine"


def test_a_game_on_an_own_board_uses_its_numbers() -> None:
    board = data()
    board["warriors"]["organizer_vp"][0] = 42
    setup = {"inner_offset": 0, "middle_offset": 0, "tiles": ["nw", "ne", "sw", "se", "row"], "turn_order": [1, 0]}
    game = Position.from_setup(GAME, 2, setup, board)
    for token in ("rotate:none", "place:craftsman:5", "ring:perform", "ring:nothing"):
        game.play(token)
    for token in ("rotate:none", "place:craftsman:4", "ring:clay", "ring:nothing", "ring:nothing"):
        game.play(token)
    for token in ("rotate:none", "place:craftsman:1", "ring:perform", "warrior:guard", "cell:a1"):
        game.play(token)
    assert game.points() == [0, 42]


def test_boards_differ_where_they_say() -> None:
    boards = {name: board_data(load_board(name).template) for name in SHIPPED}
    standard = boards["reconstructed"]
    assert boards["flat"]["warriors"]["organizer_vp"] == [4] * 11
    assert boards["rising"]["warriors"]["organizer_vp"] == standard["warriors"]["organizer_vp"][::-1]
    assert boards["shuffled"]["wheel"] == {**standard["wheel"], "shuffle": True}
    outer = boards["specialists-outside"]["wheel"]["outer"]
    assert sum(word.startswith("specialist:") for word in outer) == 8
    assert sum(word.startswith("specialist:") for word in standard["wheel"]["outer"]) == 4


def test_shuffle_false_is_as_good_as_none() -> None:
    board = data()
    board["wheel"]["shuffle"] = False
    assert load_board(board).template.tobytes() == load_board(data()).template.tobytes()


# Refusing -------------------------------------------------------------------------------------------------------------

TABLES = ("mausoleum", "wheel", "warriors", "specialists", "masters", "scoring", "inspectors")
KEYS = [
    "name", *TABLES, "mausoleum.columns", "mausoleum.rows", "wheel.inner", "wheel.middle", "wheel.outer",
    "warriors.figures_per_type", "warriors.organizer_vp", "warriors.bases_per_player", "specialists.figures_per_type",
    "specialists.cost", "specialists.weapon", "specialists.weapon.horse", "specialists.weapon.footman",
    "specialists.weapon.archer", "specialists.weapon.musician", "masters.token_prices", "scoring.tile_domination",
    "scoring.tile_presence", "scoring.priority_clay", "inspectors.row_start", "inspectors.column_start",
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(key: str) -> None:
    def remove(board: dict[str, Any]) -> None:
        *steps, last = key.split(".")
        for step in steps:
            board = board[step]
        del board[last]

    name = "(without a name)" if key == "name" else "mine"
    assert refusal(remove) == f"board '{name}': {key}: is missing"


@pytest.mark.parametrize("table", ["", *TABLES, "specialists.weapon"])
def test_an_unknown_key_is_named(table: str) -> None:
    key = f"{table}.colour".lstrip(".")
    assert refusal(put(key, 1)).startswith(f"board 'mine': {key}: unknown key (known: ")


@pytest.mark.parametrize("table", [*TABLES, "specialists.weapon"])
def test_a_value_instead_of_a_table_is_named(table: str) -> None:
    assert refusal(put(table, 3)).startswith(f"board 'mine': {table}: expected a table with the keys ")


WRONG_WORDS = [
    # kinds that lie on another ring
    ("inner", "priority"), ("inner", "master:builder"), ("inner", "ready:sword"), ("inner", "specialist:horse"),
    ("middle", "warrior:2"), ("middle", "soak"), ("middle", "upgrade"), ("middle", "ready:sword"),
    ("middle", "specialist:archer"), ("outer", "coins:2"), ("outer", "clay:2"), ("outer", "warrior:2"),
    ("outer", "soak"), ("outer", "upgrade"), ("outer", "priority"), ("outer", "master:builder"),
    # unknown words
    ("inner", "gold:3"), ("inner", "Soak"), ("inner", ""), ("middle", "master:emperor"), ("middle", "master"),
    ("outer", "ready:bow"), ("outer", "specialist:officer"), ("outer", "ready"),
    # numbers that cannot be
    ("inner", "warrior"), ("inner", "warrior:"), ("inner", "warrior:0"), ("inner", "warrior:-1"),
    ("inner", "coins:100"), ("inner", "coins:two"), ("inner", "coins:2.5"), ("inner", "clay:²"), ("inner", "soak:1"),
    ("middle", "priority:1"), ("middle", "coins:0"),
    # no words at all
    ("inner", 2), ("middle", None), ("outer", ["ready:sword"]), ("outer", True),
]  # fmt: skip


ALLOWED = {
    "inner": "coins:N, clay:N, warrior:N, soak, upgrade",
    "middle": "coins:N, clay:N, priority, master:builder, master:administrator, master:inspector, master:clay_maker, "
    "master:supervisor, master:blacksmith",
    "outer": "ready:sword, ready:halberd, ready:crossbow, ready:spear, specialist:horse, specialist:footman, "
    "specialist:archer, specialist:musician",
}


@pytest.mark.parametrize(("ring", "word"), WRONG_WORDS)
def test_r02_a_wrong_ring_word_is_named(ring: str, word: object) -> None:
    message = refusal(put(f"wheel.{ring}.7", word))
    assert message.startswith(f"board 'mine': wheel.{ring}[7]: expected one of {ALLOWED[ring]}")
    assert message.endswith(f", got {word!r}")


@pytest.mark.parametrize("ring", ["inner", "middle", "outer"])
@pytest.mark.parametrize("number", [0, 11, 13])
def test_r02_a_ring_has_twelve_entries(ring: str, number: int) -> None:
    words = (data()["wheel"][ring] * 2)[:number]
    assert refusal(put(f"wheel.{ring}", words)) == f"board 'mine': wheel.{ring}: expected 12 entries, got {number}"


@pytest.mark.parametrize("value", ["soak", 12, None])
def test_r02_a_ring_is_a_list(value: object) -> None:
    message = refusal(put("wheel.inner", value))
    assert message == f"board 'mine': wheel.inner: expected a list of 12 entries, got {value!r}"


LISTS = [
    ("warriors.organizer_vp", 11),
    ("specialists.cost", 4),
    ("masters.token_prices", 6),
    ("scoring.tile_domination", 5),
    ("scoring.tile_presence", 5),
    ("scoring.priority_clay", 3),
]


@pytest.mark.parametrize(("key", "length"), LISTS)
def test_a_list_of_the_wrong_length_is_named(key: str, length: int) -> None:
    message = refusal(put(key, [1] * (length + 1)))
    assert message == f"board 'mine': {key}: expected {length} entries, got {length + 1}"


@pytest.mark.parametrize(("key", "length"), LISTS)
@pytest.mark.parametrize("value", [-1, 100, 1.5, "2", True, None])
def test_a_number_that_cannot_be_is_named(key: str, length: int, value: object) -> None:
    message = refusal(put(f"{key}.{length - 1}", value))
    assert message.startswith(f"board 'mine': {key}[{length - 1}]: expected a whole number in ")
    assert message.endswith(f", got {value!r}")


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("name", "", "a text"),
        ("name", 7, "a text"),
        ("name", "x" * 33, "a name of at most 32 bytes"),
        ("mausoleum.columns", 8, "a whole number in 9..9"),
        ("mausoleum.rows", 9, "a whole number in 7..7"),
        ("wheel.shuffle", "yes", "true or false"),
        ("wheel.shuffle", 1, "true or false"),
        ("warriors.figures_per_type", 12, "a whole number in 11..11"),
        ("warriors.bases_per_player", -15, "a whole number in 15..15"),
        ("specialists.figures_per_type", 3, "a whole number in 4..4"),
        ("specialists.cost.0", 0, "a whole number in 1..99"),
        ("specialists.weapon.horse", "whip", "one of sword, halberd, crossbow, spear"),
        ("specialists.weapon.archer", 2, "one of sword, halberd, crossbow, spear"),
        ("masters.token_prices.0", 0, "a whole number in 1..6"),
        ("masters.token_prices.5", 7, "a whole number in 1..6"),
        ("inspectors.row_start", 0, "a whole number in 1..7"),
        ("inspectors.row_start", 8, "a whole number in 1..7"),
        ("inspectors.row_start", "1", "a whole number in 1..7"),
        ("inspectors.column_start", "j", "one of a, b, c, d, e, f, g, h, i"),
        ("inspectors.column_start", "A", "one of a, b, c, d, e, f, g, h, i"),
        ("inspectors.column_start", 1, "one of a, b, c, d, e, f, g, h, i"),
    ],
)
def test_a_single_value_that_cannot_be_is_named(key: str, value: object, expected: str) -> None:
    where = "".join(f"[{step}]" if step.isdecimal() else f".{step}" for step in key.split(".")).lstrip(".")
    name = value if key == "name" else "mine"
    assert refusal(put(key, value)) == f"board {name!r}: {where}: expected {expected}, got {value!r}"


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nowhere", "Flat", "flat.toml", "", "no/such/file.toml"])
def test_no_such_board_lists_the_shipped_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BoardError) as error:
        load_board(name)
    assert "no board" in str(error.value)
    assert "reconstructed, flat, rising, shuffled, specialists-outside" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("raw", [b"name = ", b"[wheel", b"\xff\xfe", b"name = 'a'\nname = 'b'\n"])
def test_a_file_that_is_not_toml_is_named(raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(raw)
    with pytest.raises(BoardError) as error:
        load_board(file)
    assert str(error.value).startswith(f"board file {file}: is not valid TOML: ")
    assert "\n" not in str(error.value)


def test_a_wrong_value_in_a_file_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(source().replace('"warrior:2"', '"priority"'))
    with pytest.raises(BoardError) as error:
        load_board(file)
    assert str(error.value).startswith(f"board file {file}: wheel.inner[0]: expected one of coins:N, clay:N, warrior:N")
    assert str(error.value).endswith(", got 'priority'")


def test_a_folder_is_no_board(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="no board"):
        load_board(tmp_path)


def test_positions_refuse_a_bad_board_too() -> None:
    with pytest.raises(BoardError, match="no board 'nowhere'"):
        Position.from_seed(GAME, 2, 1, "nowhere")
