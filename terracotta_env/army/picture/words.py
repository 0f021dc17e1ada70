"""Names of things as a person calls them, for labels and for screen readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

TILES: Final = {
    "row": "middle row",
    "column": "middle column",
    "officer": "Officers",
    "guard": "Guards",
    "crossbowman": "Crossbowmen",
    "soldier": "Soldiers",
    "nw": "quarter a-d, 5-7",
    "ne": "quarter f-i, 5-7",
    "sw": "quarter a-d, 1-3",
    "se": "quarter f-i, 1-3",
    "coins": "Coins",
    "clay": "Clay",
}
SOURCES: Final = {
    "organizer": "Organizer",
    "officer": "Officers",
    "guard": "Guards",
    "crossbowman": "Crossbowmen",
    "soldier": "Soldiers",
    "row_inspector": "row Inspector",
    "column_inspector": "column Inspector",
    "musician": "Musicians",
    "tile": "Scoring tiles",
    "footman": "Footmen",
    "group_members": "groups: Warriors",
    "group_contest": "groups: most",
    "archer": "Archers",
    "leftovers": "leftovers",
}
DIRECTIONS: Final = {"n": "north", "e": "east", "s": "south", "w": "west"}
DECISIONS: Final = {
    "rotate": "turn a ring or none",
    "place": "place a worker",
    "ring": "perform the action or not",
    "warrior_type": "choose a type of Warrior",
    "warrior_cell": "choose a space for the Warrior",
    "weapon": "use the Weapon or keep it",
    "officer_inspector": "the Officer may move an Inspector",
    "guard_warrior": "the Guard may move another Warrior",
    "guard_goal": "choose where the Warrior goes",
    "horse_rider": "choose a Warrior for the Horse",
    "horse_direction": "choose which way the Horse reaches",
    "archer_cell": "choose a space for the Kneeling Archer",
    "archer_facing": "choose where the Kneeling Archer faces",
    "specialist_cell": "choose a space for the Specialist",
    "master_token": "choose a Master token to pay",
    "builder_type": "the Master Builder may make a Warrior",
    "builder_cell": "choose a space for the Builder's Warrior",
    "administrator": "the Master Administrator may repeat the inner action",
    "master_inspector": "the Master Inspector may move an Inspector",
    "supervisor": "choose two warehouses",
}
CHIPS: Final = {
    "rotate:none": "no ring",
    "rotate:inner": "Inner Ring, 2 Coins",
    "rotate:middle": "Middle Ring, 2 Coins",
    "ring:perform": "perform",
    "ring:clay": "take 1 Wet Clay",
    "ring:coin": "take 1 Coin",
    "ring:nothing": "nothing",
    "weapon:use": "use it",
    "weapon:keep": "keep it",
    "decline": "decline",
}


def title(word: str) -> str:
    """``clay_maker`` -> ``Clay Maker``."""
    return word.replace("_", " ").title()


def space(word: str) -> str:
    """What an Action space shows: ``warrior:3`` -> ``Warrior for 3 Clay``."""
    kind, _, rest = word.partition(":")
    if kind == "coins":
        return f"{rest} Coins"
    if kind == "clay":
        return f"{rest} Wet Clay"
    if kind == "warrior":
        return f"Warrior for {rest} Clay"
    if kind == "master":
        return f"Master {title(rest)}"
    if kind == "ready":
        return f"ready the {title(rest)}"
    if kind == "specialist":
        return "Kneeling Archer" if rest == "archer" else title(rest)
    return {"soak": "soak the Clay", "upgrade": "upgrade to Artisan", "priority": "Priority token"}[kind]


def statue(entry: Mapping[str, Any]) -> str:
    """A Statue of a snapshot in one line."""
    kind = "Kneeling Archer" if entry["kind"] == "archer" else title(entry["kind"])
    spaces = entry["spaces"]
    if entry["owner"] is None:
        faces = f", facing {DIRECTIONS[entry['facing']]}" if "facing" in entry else ""
        return f"{kind} on {spaces[0]}{faces}"
    if entry["mounted"]:
        return f"{kind} of seat {entry['owner']} on {spaces[0]}, mounted over {spaces[1]} and {spaces[2]}"
    return f"{kind} of seat {entry['owner']} on {spaces[0]}"


def question(pending: Mapping[str, Any]) -> str:
    """What is being decided, in one line."""
    words = DECISIONS[pending["decision"]]
    if "warrior" in pending and "cell" in pending:
        words += f" ({title(pending['warrior'])} on {pending['cell']})"
    elif "warrior" in pending:
        words += f" ({title(pending['warrior'])})"
    elif "cell" in pending:
        words += f" ({pending['cell']})"
    if "segment" in pending:
        words += f" · segment {pending['segment']}, {title(pending['ring'])} Ring"
    return words


def description(snapshot: Mapping[str, Any]) -> str:
    """The position in a paragraph, for those who do not see the picture."""
    players = snapshot["players"]
    parts = [f"Round {snapshot['round']} of 5, Scoring tile {TILES[snapshot['tile']]}."]
    if snapshot["over"]:
        parts.append("The game is over.")
    else:
        parts.append(f"Seat {snapshot['to_move']} decides: {question(snapshot['pending'])}.")
    parts.append("Turn order: " + ", ".join(f"seat {seat}" for seat in snapshot["turn_order"]) + ".")
    for seat, player in enumerate(players):
        parts.append(
            f"Seat {seat}: {player['vp']} VP, {player['coins']} Coins, {player['wet']} Wet and {player['dry']} Dry "
            f"Clay, {player['craftsmen']} Craftsmen and {player['artisans']} Artisans in hand."
        )
    inspectors = snapshot["inspectors"]
    parts.append(f"Inspectors on row {inspectors['row']} and column {inspectors['column']}.")
    statues = "; ".join(statue(entry) for entry in snapshot["mausoleum"])
    parts.append(f"Mausoleum: {statues or 'empty'}.")
    return " ".join(parts)
