"""The weights of ``planner``: one record, so that a tuner can change them and compiled code reads them by name.

All values are in Victory Points unless a comment says otherwise.  The record's fields, their meaning and their first
guesses stand in one table; ``tuned.toml`` beside this file holds the values that the bot plays with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

# name, first guess, smallest and largest sensible value, meaning
TABLE: Final = (
    ("rival2", 1.0, 0.0, 1.5, "how much the opponent's expected VP count against the own ones, two players"),
    ("rival3", 0.8, 0.0, 1.5, "the same for three players, shared equally among the opponents"),
    ("rival4", 0.7, 0.0, 1.5, "the same for four players"),
    ("doubt_now", 0.25, 0.05, 3.0, "doubt about a contest (in Warriors) when nobody can act before it is scored"),
    ("doubt_turn", 0.30, 0.0, 2.0, "added doubt for each square root of an opponents' turn before it is scored"),
    ("hope", 0.5, 0.0, 1.0, "share of the chance of Domination that a seat without a Warrior there keeps"),
    ("tie_break", 0.9, 0.0, 2.0, "lead (in Warriors) that an archer is worth where a tie is to be broken"),
    ("certain1", 0.85, 0.0, 1.2, "share of an Inspector's contest that counts one round ahead: the pawns can be moved"),
    ("certain2", 0.70, 0.0, 1.2, "two rounds ahead"),
    ("certain3", 0.55, 0.0, 1.2, "three rounds ahead"),
    ("certain4", 0.40, 0.0, 1.2, "four rounds ahead"),
    ("tile_ahead", 0.85, 0.0, 1.5, "share of a later round's Scoring tile that counts"),
    ("goods_doubt", 2.5, 0.5, 8.0, "doubt (in pieces) on a Coin or Clay tile of this round"),
    ("goods_ahead", 0.3, 0.0, 1.0, "share of a later round's Coin or Clay tile that counts"),
    ("musician", 1.0, 0.0, 1.5, "share of the musicians' VP of the remaining Scoring Phases that counts"),
    ("footman", 1.0, 0.0, 1.5, "share of a Footman's contest that counts"),
    ("member", 1.0, 0.0, 1.5, "share of the VP of group members that counts"),
    ("group", 1.0, 0.0, 1.5, "share of a group's contest that counts"),
    ("single", 0.7, 0.0, 2.0, "an own Warrior outside any group, with a free space beside it, early in the game"),
    ("open_group", 0.3, 0.0, 2.0, "an own Warrior in a group of one owner: another may join, early in the game"),
    ("archer", 1.0, 0.0, 1.5, "share of the archers' VP that counts"),
    ("warrior", 0.5, -1.0, 4.0, "an own Warrior for what it can still become, early in the game"),
    ("mounted", 0.5, -1.0, 4.0, "a rider beyond its spaces, early in the game: it cannot be shut in"),
    ("clay", 0.9, 0.0, 3.0, "a first piece of clay beyond its half point at the end; each further one is worth less"),
    ("clay_use", 1.2, 0.2, 4.0, "pieces of clay for each turn left at which the next one is worth a quarter"),
    ("wet", 0.5, 0.0, 2.0, "a first wet piece beyond `clay`, while the seat has turns left in this round"),
    ("wet_use", 2.0, 0.2, 6.0, "wet pieces for each turn left in this round at which the next is worth a quarter"),
    ("coin", 0.6, 0.0, 3.0, "a first coin beyond its half point at the end; each further one is worth less"),
    ("coin_use", 0.8, 0.1, 4.0, "coins for each turn left at which the next one is worth a quarter"),
    ("sword", 1.5, 0.0, 5.0, "an active sword while many turns are left"),
    ("halberd", 2.0, 0.0, 5.0, "an active halberd"),
    ("crossbow", 1.7, 0.0, 5.0, "an active crossbow"),
    ("spear", 1.7, 0.0, 5.0, "an active spear"),
    ("weapon_half", 2.0, 0.0, 10.0, "turns left at which a weapon is worth half of that"),
    ("builder", 4.0, 0.0, 12.0, "owning the Builder at the start of the game, falling with the turns left"),
    ("administrator", 3.0, 0.0, 12.0, "owning the Administrator"),
    ("inspector", 3.0, 0.0, 12.0, "owning the Inspector"),
    ("clay_maker", 3.0, 0.0, 12.0, "owning the Clay Maker"),
    ("supervisor", 2.0, 0.0, 12.0, "owning the Supervisor"),
    ("blacksmith", 2.5, 0.0, 12.0, "owning the Blacksmith"),
    ("wage", 0.7, 0.0, 2.0, "a coin that a Master will still bring"),
    ("kept_wet", 0.3, 0.0, 2.0, "a piece of clay that a Master will still keep wet"),
    ("artisan", 1.0, 0.0, 4.0, "an artisan, for each round that is still to begin"),
    ("artisan_hand", 0.4, 0.0, 3.0, "an artisan still in hand in this round"),
    ("first", 1.5, 0.0, 6.0, "being first in the turn order of the next round; later places in proportion"),
    ("token_cheap", 0.2, 0.0, 2.0, "each unused Master token, early in the game"),
)  # fmt: skip

NAMES: Final = tuple(name for name, *_ in TABLE)
WEIGHTS: Final = np.dtype((np.record, [(name, "f8") for name in NAMES]))
TUNED: Final = Path(__file__).with_name("tuned.toml")


class WeightError(ValueError):
    """Weights that are none: an unknown name or a value outside its range."""


def make_weights(values: Mapping[str, float] | None = None) -> np.ndarray:
    """The first guesses with some ``values`` replaced, shape ``(1,)``, dtype :data:`WEIGHTS`."""
    weights = np.zeros(1, WEIGHTS)
    for name, guess, *_ in TABLE:
        weights[name] = guess
    for name, value in (values or {}).items():
        if name not in NAMES:
            raise WeightError(f"no weight {name!r}: known are {', '.join(NAMES)}")
        weights[name] = value
    return weights


def read_weights(path: Path) -> dict[str, float]:
    """The values in a TOML file, its table ``weights``; none where there is no such file."""
    if not path.is_file():
        return {}
    return {name: float(value) for name, value in tomllib.loads(path.read_text(encoding="utf-8"))["weights"].items()}
