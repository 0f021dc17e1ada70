"""What the tables say is what the games were: every game is played again from its decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from terracotta_agents.dataset.army import ARMY, SPACE_WORDS
from terracotta_agents.dataset.folder import Folder
from terracotta_agents.dataset.making import Settings, make_dataset
from terracotta_agents.dataset.reading import read
from terracotta_env.army import GAME
from terracotta_env.game import Game
from terracotta_env.position import Position
from tests import toy
from tests.agents.dataset.toys import settings

Tables = dict[str, pd.DataFrame]


def tables_of(path: Path) -> Tables:
    return {name: read(path, name).to_pandas() for name in Folder(path).manifest()["tables"]}


@pytest.fixture(scope="module")
def army(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    path = tmp_path_factory.mktemp("army")
    made = Settings(GAME.module, GAME.name, ("busy", "busy", "random"), 9, 5, None, True, True, extras=ARMY.module)
    assert make_dataset(made, path)
    return tables_of(path)


@pytest.fixture(scope="module", params=["kernel", "rows", "single"])
def orchard(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    path = tmp_path_factory.mktemp("orchard")
    assert make_dataset(settings(request.param, request.param, games=30), path)
    return tables_of(path)


def check_games(game: Game, tables: Tables) -> None:
    """Decisions lead to the points, ranks, turns and ledger that the tables hold."""
    for row in tables["games"].itertuples():
        mine = {name: table[table.game == row.game] for name, table in tables.items()}
        position = Position.from_seed(game, row.players, int(row.setup_seed))
        turns: list[int] = []
        before: list[list[int]] = []
        seats: list[int] = []
        for token, turn in zip(mine["decisions"].token, mine["decisions"].turn):
            if turn not in turns:
                turns.append(turn)
                before.append(position.points())
                assert position.to_act is not None
                seats.append(position.to_act)
            assert position.to_act == seats[-1]
            position.play(token)
        assert position.over
        before.append(position.points())
        assert list(mine["turns"].turn) == turns == list(range(row.turns))
        assert list(mine["turns"].seat) == seats
        assert mine["turns"].decisions.sum() == row.decisions == len(mine["decisions"])
        gained = np.diff(np.array(before), axis=0)
        assert list(mine["turns"].points) == [before[turn][seat] for turn, seat in enumerate(seats)]
        assert list(mine["turns"].gained) == [gained[turn][seat] for turn, seat in enumerate(seats)]
        assert list(mine["ranks"].points) == position.points()
        assert list(mine["ranks"].sort_values("rank").seat) == position.ranking()
        kept = mine["ledger"].groupby(["turn", "seat"]).points.sum()
        assert {key: value for key, value in kept.items() if value} == {
            (turn, seat): gained[turn][seat] for turn, seat in zip(*np.nonzero(gained))
        }


def test_tables_of_a_game_without_extras_say_what_was_played(orchard: Tables) -> None:
    check_games(toy.GAME, orchard)
    assert "segment" not in orchard["turns"]


def test_tables_of_the_army_say_what_was_played(army: Tables) -> None:
    check_games(GAME, army)


def test_points_by_source_are_the_ledger_of_the_record(army: Tables) -> None:
    for row in army["games"].itertuples():
        position = Position.from_seed(GAME, row.players, int(row.setup_seed))
        for token in army["decisions"].token[army["decisions"].game == row.game]:
            position.play(token)
        mine = army["ledger"][army["ledger"].game == row.game]
        sums = mine.pivot_table(index="seat", columns="source", values="points", aggfunc="sum", observed=False)
        assert sums.reindex(columns=list(GAME.sources)).fillna(0).to_numpy().tolist() == (
            position.states[0].ledger[: row.players].tolist()
        )


def test_agents_move_on_by_a_seat_on_each_setup(army: Tables) -> None:
    games, ranks = army["games"], army["ranks"]
    assert games.setup_seed.nunique() == 3
    at = ranks[ranks.agent == "random"].set_index("game").seat
    assert [at[game] for game in range(9)] == [2, 0, 1] * 3


def test_wheel_and_choices_are_those_of_the_decisions(army: Tables) -> None:
    turns, decisions = army["turns"], army["decisions"]
    assert (turns.groupby("game").size() == 60).all()
    assert turns["round"].between(1, 5).all()
    placed = decisions[decisions.token.str.startswith("place:")]
    words = placed.token.str.split(":", expand=True)
    joined = turns.merge(placed.assign(kind=words[1], number=words[2].astype(int)), on=["game", "turn"])
    assert len(joined) > 0.9 * len(turns)  # the last ones of a round are often forced
    assert (joined.segment == joined.number).all()
    assert (joined.worker.astype(str) == joined.kind).all()
    made = turns[turns.warrior.notna()]
    assert len(made)
    assert (made.inner == "warrior").all()
    assert (made.inner_choice == "perform").all()
    assert (made.inner_amount > 0).all()
    built = turns.outer.astype(str).str.startswith("specialist:") & (turns.outer_choice == "perform")
    placed_freely = built & turns.outer.isin(["specialist:footman", "specialist:musician"])
    assert turns.specialist_cell[placed_freely].notna().all()  # a rider or an archer may have one space only
    assert built[turns.specialist_cell.notna()].all()


def test_seats_of_the_army_agree_with_their_turns(army: Tables) -> None:
    turns, ranks = army["turns"], army["ranks"]
    first = turns[turns["round"] == 1].drop_duplicates(["game", "seat"])
    joined = ranks.merge(first, on=["game", "seat"])
    assert (joined.start_place == joined.place).all()
    made = turns[["warrior_cell", "repeated_cell", "builder_cell"]].notna().sum(axis=1)
    assert (made.groupby([turns.game, turns.seat]).sum().to_numpy() == ranks.warriors.to_numpy()).all()


def test_words_of_spaces_are_in_the_order_of_their_codes() -> None:
    from terracotta_env.army.actions import space_word
    from terracotta_env.army.state import Space

    for code, word in enumerate(SPACE_WORDS):
        assert space_word(code, 1).partition(":")[0 if code <= Space.WARRIOR else 2] in word


def test_every_column_has_a_meaning_and_a_type(tmp_path: Path) -> None:
    made = Settings(GAME.module, GAME.name, ("busy", "busy"), 2, decisions=True, extras=ARMY.module)
    assert make_dataset(made, tmp_path)
    for name, columns in Folder(tmp_path).manifest()["tables"].items():
        schema = read(tmp_path, name).schema
        assert [(column["name"], column["type"]) for column in columns] == [(f.name, str(f.type)) for f in schema]
        assert all(column["meaning"] for column in columns)
    assert {column.name for column in ARMY.turns} <= set(read(tmp_path, "turns").column_names)


def test_processes_write_the_columns_of_the_game_too(tmp_path: Path) -> None:
    made = Settings(GAME.module, GAME.name, ("busy", "busy"), 8, part=4, extras=ARMY.module)
    assert make_dataset(made, tmp_path / "two", jobs=2)
    assert make_dataset(made, tmp_path / "one")
    for name, columns in Folder(tmp_path / "two").manifest()["tables"].items():
        assert read(tmp_path / "two", name).equals(read(tmp_path / "one", name))
        assert read(tmp_path / "two", name).column_names == [column["name"] for column in columns]
