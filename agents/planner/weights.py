"""The weights of ``planner``: one record, so that a tuner can change them and compiled code reads them by name.

All values are in Victory Points unless their meaning says otherwise; "at the start" means that the weight counts in
full at the start of the game and gives way in a straight line to what the rules say (a share of 1, an extra of 0)
towards its end.  There is one record for each number of players.  The table gives meaning, first guess and range of
every field; ``tuned.toml`` beside this file holds the values that the bot plays with, one table for each number of
players.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

# name, first guess, smallest and largest sensible value, meaning
TABLE: Final = (
    ("rival", 1.0, 0.0, 1.5, "how much the opponents' expected VP count against the own ones, in equal shares"),
    ("worker", 5.0, 0.0, 15.0, "a worker still in hand in this round"),
    ("doubt_now", 0.25, 0.05, 3.0, "doubt about a contest (in Warriors) when nobody can act before it is scored"),
    ("doubt_turn", 0.50, 0.0, 3.0, "added doubt for each square root of an opponents' turn before it is scored"),
    ("hope", 0.8, 0.0, 1.5, "share of the chance of Domination that a seat without a Warrior there keeps"),
    ("tie_break", 1.2, 0.0, 2.5, "lead (in Warriors) that an archer is worth where a tie is to be broken"),
    ("certain1", 0.3, 0.0, 1.5, "share of an Inspector's contest that counts one round ahead: the pawns can be moved"),
    ("certain2", 0.50, 0.0, 1.5, "two rounds ahead"),
    ("certain3", 0.35, 0.0, 1.5, "three rounds ahead"),
    ("certain4", 0.25, 0.0, 1.5, "four rounds ahead"),
    ("tile_ahead", 0.7, 0.0, 1.5, "share of a later round's Scoring tile that counts"),
    ("goods_doubt", 2.0, 0.3, 8.0, "doubt (in pieces) on a Coin or Clay tile of this round"),
    ("goods_ahead", 0.3, 0.0, 1.0, "share of a later round's Coin or Clay tile that counts"),
    ("musician", 0.6, -0.5, 2.0, "share of the musicians' VP of the remaining Scoring Phases that counts at the start"),
    ("footman", 1.0, -0.5, 2.5, "share of a Footman's contest that counts at the start"),
    ("member", 0.2, -1.0, 2.0, "share of the VP of group members that counts at the start"),
    ("group", 1.2, -0.5, 3.0, "share of a group's contest that counts at the start"),
    ("single", 0.2, -1.0, 2.0, "an own Warrior outside any group, with a free space beside it, at the start"),
    ("open_group", 0.3, -1.0, 2.0, "an own Warrior in a group of one owner: another may join, at the start"),
    ("archer", 1.4, -0.5, 3.0, "share of the archers' VP that counts at the start"),
    ("warrior", 0.0, -3.0, 4.0, "an own Warrior for what it can still become, at the start"),
    ("mounted", 0.7, -2.0, 6.0, "a rider beyond its spaces, at the start: it cannot be shut in"),
    ("row_held", 0.0, -2.0, 4.0, "a row with an own Warrior, at the start"),
    ("column_held", 0.0, -2.0, 4.0, "a column with an own Warrior, at the start"),
    ("clay", 1.0, 0.0, 4.0, "a first piece of clay beyond its half point at the end; each further one is worth less"),
    ("clay_use", 0.8, 0.1, 4.0, "pieces of clay for each turn left at which the next one is worth a quarter"),
    ("wet", 1.0, 0.0, 4.0, "a first wet piece beyond `clay`, while the seat has turns left in this round"),
    ("wet_use", 3.0, 0.2, 8.0, "wet pieces for each turn left in this round at which the next is worth a quarter"),
    ("two_wet", 0.5, -2.0, 5.0, "two wet pieces at least, with a worker in hand: a Warrior can be made"),
    ("coin", 1.1, 0.0, 4.0, "a first coin beyond its half point at the end; each further one is worth less"),
    ("coin_use", 1.0, 0.1, 4.0, "coins for each turn left at which the next one is worth a quarter"),
    ("sword", 1.6, -1.0, 6.0, "an active sword while many turns are left"),
    ("halberd", 2.2, -1.0, 6.0, "an active halberd"),
    ("crossbow", 1.8, -1.0, 6.0, "an active crossbow"),
    ("spear", 1.7, -1.0, 6.0, "an active spear"),
    ("weapon_half", 2.0, 0.0, 10.0, "turns left at which a weapon is worth half of that"),
    ("can_horse", 0.5, -3.0, 6.0, "a Horse that can be paid, its weapon active, with a worker in hand"),
    ("can_footman", 0.5, -3.0, 6.0, "a Footman"),
    ("can_archer", 0.5, -3.0, 6.0, "an archer"),
    ("can_musician", 0.5, -3.0, 6.0, "a Musician"),
    ("builder", 2.0, -3.0, 14.0, "owning the Builder at the start of the game, falling with the turns left"),
    ("administrator", 5.0, -3.0, 14.0, "owning the Administrator"),
    ("inspector", 4.0, -3.0, 14.0, "owning the Inspector"),
    ("clay_maker", 3.5, -3.0, 14.0, "owning the Clay Maker"),
    ("supervisor", 2.0, -3.0, 14.0, "owning the Supervisor"),
    ("blacksmith", 3.5, -3.0, 14.0, "owning the Blacksmith"),
    ("wage", 0.5, 0.0, 2.0, "a coin that a Master will still bring"),
    ("kept_wet", 0.3, -0.5, 2.0, "a piece of clay that a Master will still keep wet"),
    ("artisan", 0.9, 0.0, 5.0, "an artisan, for each round that is still to begin"),
    ("artisan_hand", 0.6, -1.0, 5.0, "an artisan still in hand in this round"),
    ("first", 0.5, -3.0, 6.0, "being first in the turn order of the next round; later places in proportion"),
    ("token_cheap", 0.3, -1.0, 3.0, "each unused Master token, at the start"),
)  # fmt: skip

NAMES: Final = tuple(name for name, *_ in TABLE)
WEIGHTS: Final = np.dtype((np.record, [(name, "f8") for name in NAMES]))
TUNED: Final = Path(__file__).with_name("tuned.toml")


class WeightError(ValueError):
    """Weights that are none: an unknown name or a value outside its range."""


def make_weights(values: Mapping[int, Mapping[str, float]] | None = None) -> np.ndarray:
    """The first guesses with some ``values`` (by number of players) replaced, shape ``(3,)`` for 2, 3 and 4 players."""
    weights = np.zeros(3, WEIGHTS)
    for name, guess, *_ in TABLE:
        weights[name] = guess
    for players, by_name in (values or {}).items():
        for name, value in by_name.items():
            if name not in NAMES:
                raise WeightError(f"no weight {name!r}: known are {', '.join(NAMES)}")
            weights[name][players - 2] = value
    return weights


def read_weights(path: Path = TUNED) -> dict[int, dict[str, float]]:
    """The values in a TOML file, tables ``players2`` to ``players4``; none where there is no such file."""
    if not path.is_file():
        return {}
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        players: {name: float(value) for name, value in tables[f"players{players}"].items()}
        for players in (2, 3, 4)
        if f"players{players}" in tables
    }


def as_markdown() -> str:
    """The table of weights in use, as docs/bots.md shows it."""
    weights = make_weights(read_weights())
    lines = ["| weight | 2 | 3 | 4 | meaning |", "| --- | ---: | ---: | ---: | --- |"]
    for name, _, _, _, meaning in TABLE:
        lines.append(f"| {name} | {' | '.join(f'{value:.2f}' for value in weights[name])} | {meaning} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(as_markdown())
