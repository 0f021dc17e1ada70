"""Names of things as the rulebook writes them: seats, Statues, Action spaces, Masters; and why an action is barred."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from terracotta_env.army.actions import MASTER_NAMES, SPECIALIST_NAMES, TILE_NAMES, WARRIOR_NAMES, WEAPON_NAMES
from terracotta_env.army.geometry import COLUMN_LETTERS, COLUMNS
from terracotta_env.army.state import (
    SPECIALISTS_PER_TYPE,
    Master,
    Space,
    Worker,
)

WARRIORS: Final = tuple(name.capitalize() for name in WARRIOR_NAMES)
WEAPONS: Final = tuple(name.capitalize() for name in WEAPON_NAMES)
SPECIALISTS: Final = tuple("Kneeling Archer" if name == "archer" else name.capitalize() for name in SPECIALIST_NAMES)
MASTERS: Final = tuple(f"Master {name.replace('_', ' ').title()}" for name in MASTER_NAMES)
WORKERS: Final = ("Craftsman", "Artisan")
RINGS: Final = ("Inner Ring", "Middle Ring", "Outer Ring")
DIRECTIONS: Final = ("north", "east", "south", "west")
ABILITIES: Final = (
    "make a Warrior for Coins equal to the round, without VP or Weapon",
    "perform the Inner Ring's action once more",
    "move an Inspector 1 or 2 steps forward",
    "take 3 Wet Clay",
    "take all Dry Clay of two warehouses",
    "ready all your Weapons",
)
WEAPON_EFFECTS: Final = (
    "1 VP, and you may move an Inspector one step",
    "3 VP, and you may move another of your Warriors in a straight line",
    "1 VP for each empty space to the best nearest Statue",
    "1 VP and 2 Coins",
)
TILES: Final = (
    "middle row (row 4)",
    "middle column (column e)",
    *(f"{name}s" if name != "Crossbowman" else "Crossbowmen" for name in WARRIORS),
    "quarter a-d, 5-7",
    "quarter f-i, 5-7",
    "quarter a-d, 1-3",
    "quarter f-i, 1-3",
    "Coins",
    "Clay",
)
assert len(TILES) == len(TILE_NAMES)
SOURCES: Final = {
    "organizer": "making Warriors",
    "officer": "Officers' Swords",
    "guard": "Guards' Halberds",
    "crossbowman": "Crossbows",
    "soldier": "Soldiers' Spears",
    "row_inspector": "row Inspector",
    "column_inspector": "column Inspector",
    "musician": "Musicians",
    "tile": "Scoring tiles",
    "footman": "Footmen",
    "group_members": "groups: Warriors",
    "group_contest": "groups: Domination",
    "archer": "Kneeling Archers",
    "leftovers": "leftover Clay and Coins",
}


@dataclass(frozen=True)
class Who:
    """How seats are called: ``you`` for the person's own."""

    own: int | None = None

    def name(self, seat: int) -> str:
        return "you" if seat == self.own else f"seat {seat}"

    def owner(self, seat: int) -> str:
        return "your" if seat == self.own else f"seat {seat}'s"

    def have(self, seat: int) -> str:
        return "you have" if seat == self.own else f"seat {seat} has"


def many(number: int, thing: str) -> str:
    """``(1, "Coin")`` -> ``1 Coin``, ``(2, "Coin")`` -> ``2 Coins``; Clay and VP have no plural."""
    plural = "" if number == 1 or thing.endswith(("Clay", "VP")) else "s"
    return f"{number} {thing}{plural}"


def warriors(number: int, kind: int) -> str:
    if number != 1 and WARRIORS[kind].endswith("man"):
        return f"{number} {WARRIORS[kind].removesuffix('man')}men"
    return many(number, WARRIORS[kind])


def workers(craftsmen: int, artisans: int) -> str:
    """``2 Craftsmen and 1 Artisan``."""
    return f"{craftsmen} {'Craftsman' if craftsmen == 1 else 'Craftsmen'} and {many(artisans, 'Artisan')}"


def row_name(row: int) -> str:
    return f"row {row + 1}"


def column_name(column: int) -> str:
    return f"column {COLUMN_LETTERS[column]}"


def place_of(cell: int) -> tuple[int, int]:
    row, column = divmod(cell, COLUMNS)
    return row, column


def specialist_price(s: Any, specialist: int) -> str:
    """``2 Coins and the Sword`` for the next figure of a type of which one is left."""
    coins = s.specialist_cost[SPECIALISTS_PER_TYPE - s.specialists[specialist]]
    return f"{many(coins, 'Coin')} and the {WEAPONS[s.specialist_weapon[specialist]]}"


def space_name(s: Any, space: int, amount: int) -> str:
    """What an Action space shows, in a few words."""
    if space == Space.COINS:
        return many(amount, "Coin")
    if space == Space.CLAY:
        return many(amount, "Wet Clay")
    if space == Space.WARRIOR:
        return f"Warrior for {amount} Clay"
    if space == Space.SOAK:
        return "soak the Clay"
    if space == Space.UPGRADE:
        return "upgrade to Artisan"
    if space == Space.PRIORITY:
        return f"Priority token {s.priority_next}" if s.priority_next < s.players else "Priority token"
    if space < Space.READY:
        return MASTERS[space - Space.MASTER]
    if space < Space.SPECIALIST:
        return f"ready the {WEAPONS[space - Space.READY]}"
    return SPECIALISTS[space - Space.SPECIALIST]


def performing(s: Any, space: int, amount: int) -> str:
    """What the seat to move does by performing a space now, with cost and gain."""
    seat = s.to_move
    if space in (Space.COINS, Space.CLAY):
        return f"take {space_name(s, space, amount)}"
    if space == Space.WARRIOR:
        return f"make a Warrior for {many(amount, 'Wet Clay')}, one piece of it goes to the warehouse"
    if space == Space.SOAK:
        return f"soak the Clay: your {s.dry[seat]} Dry Clay becomes Wet"
    if space == Space.UPGRADE:
        return "upgrade: the Craftsman becomes an Artisan"
    if space == Space.PRIORITY:
        clay = s.priority_clay[s.priority_next - 1]
        gain = f" and {many(clay, 'Wet Clay')}" if clay else ""
        return f"take Priority token {s.priority_next}{gain}: place {s.priority_next} in the next round's order"
    if space < Space.READY:
        master = space - Space.MASTER
        if s.masters[seat][master]:
            return f"use your {MASTERS[master]}: {ABILITIES[master]}"
        return f"buy the {MASTERS[master]} with one of your tokens, then {ABILITIES[master]}"
    if space < Space.SPECIALIST:
        return f"ready your {WEAPONS[space - Space.READY]}"
    specialist = space - Space.SPECIALIST
    return f"build a {SPECIALISTS[specialist]} for {specialist_price(s, specialist)}"


def barrier(s: Any, space: int, amount: int, worker: int) -> str:
    """Why the seat to move cannot perform a space now; empty where nothing speaks against it at first sight."""
    seat = s.to_move
    if space == Space.WARRIOR:
        if s.wet[seat] < amount:
            return f"it takes {many(amount, 'Wet Clay')}, you have {s.wet[seat]}"
        return _no_warrior(s, seat)
    if space == Space.SOAK:
        return "" if s.dry[seat] else "you have no Dry Clay"
    if space == Space.UPGRADE:
        if worker == Worker.ARTISAN:
            return "the worker is an Artisan already"
        return "" if s.artisans_in_supply[seat] else "no Artisan of yours is left in the supply"
    if space == Space.PRIORITY:
        if s.priority[seat]:
            return f"you hold Priority token {s.priority[seat]}"
        return "" if s.priority_next < s.players else "no Priority token is left"
    if Space.MASTER <= space < Space.READY:
        return _no_master(s, seat, space - Space.MASTER)
    if Space.READY <= space < Space.SPECIALIST:
        return "it is active already" if s.weapons[seat][space - Space.READY] else ""
    if space >= Space.SPECIALIST:
        return _no_specialist(s, seat, space - Space.SPECIALIST)
    return ""


def _no_warrior(s: Any, seat: int) -> str:
    if not s.bases[seat]:
        return "you have no Warrior base left"
    return "" if any(s.organizer) else "no Warrior is left in the Organizer"


def _no_master(s: Any, seat: int, master: int) -> str:
    if not s.masters[seat][master]:
        prices = [price for price, number in enumerate(s.tokens[seat], 1) if number]
        if not prices:
            return "you have no Master token left"
        return (
            f"your cheapest token costs {prices[0]}, you have {many(s.coins[seat], 'Coin')}"
            if (prices[0] > s.coins[seat])
            else ""
        )
    if master == Master.BUILDER:
        if s.coins[seat] < s.game_round:
            return f"it takes {many(s.game_round, 'Coin')} in this round, you have {s.coins[seat]}"
        return _no_warrior(s, seat)
    if master == Master.ADMINISTRATOR:
        return "the Inner Ring's action cannot be performed"
    if master == Master.SUPERVISOR:
        return "" if any(s.warehouses) else "all warehouses are empty"
    if master == Master.BLACKSMITH:
        return "all your Weapons are active" if all(s.weapons[seat]) else ""
    return ""


def _no_specialist(s: Any, seat: int, specialist: int) -> str:
    if not s.specialists[specialist]:
        return "none is left"
    weapon = s.specialist_weapon[specialist]
    if not s.weapons[seat][weapon]:
        return f"your {WEAPONS[weapon]} is inactive"
    cost = s.specialist_cost[SPECIALISTS_PER_TYPE - s.specialists[specialist]]
    if s.coins[seat] < cost:
        return f"it costs {many(cost, 'Coin')}, you have {s.coins[seat]}"
    return "there is no place for it"
