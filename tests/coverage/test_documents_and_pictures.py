"""Text made from positions and tables: the document of the observation, and every part of the rendered table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from terracotta_env.army import GAME
from terracotta_env.army.actions import MASTER_NAMES
from terracotta_env.army.render import WIDTH, picture
from terracotta_env.channels import main, observation_table
from tests.rules.positions import at, filled, idle, play, position
from tests.toy import GAME as TOY

ROOT = Path(__file__).resolve().parents[2]


def test_observation_document_is_the_one_in_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    written = (ROOT / "docs" / "observation.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == written == observation_table(GAME)


def test_observation_document_of_another_game_says_how_it_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    main([TOY.name, "--module", TOY.module])
    document = capsys.readouterr().out
    assert f"python -m terracotta_env.channels {TOY.name} --module {TOY.module}" in document
    assert all(f"## `{block.name}`" in document for block in TOY.observation)


def test_picture_shows_every_kind_of_statue() -> None:
    statues = "0 officer a1, 1 guard c1 c2 c3, 0 soldier e5, 1 crossbowman i7, archer b1 w, footman e4, musician f6"
    lines = position(statues=statues, row=4, column="b").render().splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line.startswith("Mausoleum"))
    rows = {line[1]: line[: line.index("  ", 36)] for line in lines[first : first + 7]}  # the wheel stands beside them
    assert rows["1"].split() == ["1", "O0", "A<", "G1*", *"......"]
    assert rows["2"].split()[3] == rows["3"].split()[3] == "G1~"
    assert rows["4"].startswith(">4")
    assert "Ft" in rows["4"]
    assert "S0" in rows["5"]
    assert "Mu" in rows["6"]
    assert "C1" in rows["7"]


def test_picture_shows_workers_masters_and_priority_tokens() -> None:
    text = position(
        3, wheel={3: "0c 1a"}, artisans={1: 1}, masters={2: {"builder": 2}}, priority={1: 1}, weapons={0: "sword spear"}
    ).render()
    assert "c0 a1" in text
    assert "builder" in text.split("masters")[1]
    assert "holds priority 1" in text
    assert "sword spear" in text


def test_picture_says_what_is_decided() -> None:
    assert "Seat 0 decides: rotate (place 1 in the turn order; tile nw)" in position().render()
    repeated = play(at(5, masters={0: {"administrator": 1}}, inner=4, wet={0: 6}), "ring:nothing", "ring:perform")
    repeated.play("ring:perform")
    assert "on segment 5, middle ring (the Administrator repeats the inner action)" in repeated.render()
    weapon = play(at(1, wet={0: 2}, weapons={0: "halberd"}), "ring:perform", "warrior:guard", "cell:d4")
    assert weapon.render().endswith("on segment 1, inner ring for a guard at d4")


def test_picture_says_when_supplies_are_empty() -> None:
    text = position(3, statues=filled({0: 15, 1: 15, 2: 14}, riders=3, specialists=12), priority={0: 1, 1: 2}).render()
    assert re.search(r"^officer +0  - +horse +\d", text, re.MULTILINE)
    assert re.search(r"^guard +\d+  .* footman +0  -$", text, re.MULTILINE)
    assert "Priority tokens: none left" in text


@pytest.mark.parametrize("players", GAME.players)
def test_picture_fits_a_hundred_columns_with_everything_at_its_largest(players: int) -> None:
    masters = {name: price for price, name in enumerate(MASTER_NAMES, 1)}
    crowded = position(
        players,
        statues=filled(dict.fromkeys(range(players), 11), riders=1, specialists=12),
        masters=dict.fromkeys(range(players), masters),
        weapons=dict.fromkeys(range(players), "sword halberd crossbow spear"),
        priority={0: 1},
        coins=dict.fromkeys(range(players), 99),
        vp=dict.fromkeys(range(players), 299),
    )
    names = ["a name that is longer than its column"] * players
    for text in (crowded.render(), picture(crowded.states, names=names)):
        assert max(len(line) for line in text.splitlines()) <= WIDTH
        assert "crossbow spear" in text
        assert "blacksmith 6" in text


def test_paint_colours_seats_and_changes_no_letter() -> None:
    played = position(3, statues="0 officer a1, 1 guard c1 c2 c3, archer b1 w", wheel={3: "0c 1a"}, artisans={1: 1})
    styles = set()

    def paint(text: str, style: str) -> str:
        styles.add(style)
        return f"<{text}>"

    painted = picture(played.states, paint)
    assert painted.replace("<", "").replace(">", "") == picture(played.states).replace("<", "").replace(">", "")
    assert {"seat0", "seat1", "head", "mark", "dim", "bold"} <= styles


def test_picture_of_a_finished_game_has_the_ranking() -> None:
    game = idle(position(last=0, game_round=5, vp={0: 3, 1: 9}))
    assert game.over
    assert game.render().endswith("The game is over. Ranking, best first: seat 1 (10 VP), seat 0 (4 VP)")
