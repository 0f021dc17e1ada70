"""Every choice of a decision in plain words: what it costs, what it gives, what stands around a space."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from terracotta_env.army import actions as act
from terracotta_env.army.geometry import CELL_NAMES, CELL_OF_NAME, COLUMNS, NEIGHBOUR, NO_CELL, ROWS, SURROUNDING
from terracotta_env.army.snapshot import plain, statues
from terracotta_env.army.state import FIGURES_PER_TYPE, Decision, Ring, Space, Tile, Warrior
from terracotta_env.army.warriors import crossbowman_vp
from terracotta_env.position import Position

from . import things
from .things import MASTERS, RINGS, SPECIALISTS, WARRIORS, WEAPONS, WORKERS, Who, many

_INSPECTOR_STEPS: Final = {"+1": 1, "-1": -1, "+2": 2}
_DECLINED: Final = {
    Decision.OFFICER_INSPECTOR: "leave the Inspectors where they are",
    Decision.GUARD_WARRIOR: "move no Warrior",
    Decision.BUILDER_TYPE: "make no Warrior with the Master Builder",
    Decision.ADMINISTRATOR: "do not repeat the Inner Ring's action",
    Decision.MASTER_INSPECTOR: "leave the Inspectors where they are",
}
_PLACES_WARRIOR: Final = (Decision.WARRIOR_CELL, Decision.BUILDER_CELL)


class Choices:
    """The legal choices of a position in words, numbered from 1 in the order of their action ids.

    Args:
        position: not changed; the words are those of this moment.
        who: how seats are called.
    """

    def __init__(self, position: Position, who: Who | None = None) -> None:
        self.position = position.clone()
        self.who = who or Who(position.to_act)
        self.s = plain(position.states)
        self.tokens = [position.game.tokens[action] for action in np.flatnonzero(position.mask())]

    @cached_property
    def statue_at(self) -> dict[int, dict[str, Any]]:
        """The Statue on each occupied space."""
        return {CELL_OF_NAME[space]: statue for statue in statues(self.s) for space in statue["spaces"]}

    @property
    def decision(self) -> Decision:
        return Decision(self.s.decision)

    def question(self) -> str:
        """What is asked, in one line."""
        s, decision = self.s, self.decision
        if decision == Decision.OVER:
            return "The game is over."
        if decision == Decision.ROTATE:
            return f"Turn a ring first? You have {many(s.coins[s.to_move], 'Coin')}."
        if decision == Decision.PLACE:
            return "Place a worker on a segment. Actions from the Inner to the Outer Ring:"
        if decision == Decision.RING:
            return f"Segment {s.segment + 1}, {RINGS[s.ring]}: {things.space_name(s, *self.space(s.segment, s.ring))}"
        if decision == Decision.WARRIOR_TYPE:
            return "Which Warrior do you make?"
        if decision in _PLACES_WARRIOR:
            return f"Where does the {WARRIORS[s.chosen_type]} stand?"
        if decision == Decision.WEAPON:
            return f"Use the {WEAPONS[s.chosen_type]} for the new {WARRIORS[s.chosen_type]}?"
        if decision == Decision.SPECIALIST_CELL:
            return f"Where does the {SPECIALISTS[s.outer[s.segment] - Space.SPECIALIST]} stand?"
        if decision == Decision.GUARD_GOAL:
            return f"Where does your {self.statue_name(s.chosen_cell)} go?"
        if decision == Decision.HORSE_DIRECTION:
            return f"Which way does the Horse of your {self.statue_name(s.chosen_cell)} reach?"
        if decision == Decision.ARCHER_FACING:
            return f"Which way does the Kneeling Archer on {CELL_NAMES[s.chosen_cell]} face?"
        if decision == Decision.MASTER_TOKEN:
            return f"Which token buys the {MASTERS[s.middle[self.middle_at(s.segment)] - Space.MASTER]}?"
        return {
            Decision.OFFICER_INSPECTOR: "The Officer may move an Inspector one step.",
            Decision.GUARD_WARRIOR: "The Guard may move another of your Warriors.",
            Decision.HORSE_RIDER: "Which of your Warriors gets the Horse?",
            Decision.ARCHER_CELL: "Where does the Kneeling Archer stand?",
            Decision.BUILDER_TYPE: "The Master Builder may make a Warrior.",
            Decision.ADMINISTRATOR: "The Master Administrator may repeat the Inner Ring's action.",
            Decision.MASTER_INSPECTOR: "The Master Inspector may move an Inspector forward.",
            Decision.SUPERVISOR: "From which two warehouses do you take the Dry Clay?",
        }[decision]

    def words(self, token: str) -> str:
        """One choice in one line."""
        kind, _, rest = token.partition(":")
        words: str = getattr(self, f"_{kind}")(rest)
        return words

    # the wheel --------------------------------------------------------------------------------------------------------

    def inner_at(self, segment: int) -> int:
        return int((segment - self.s.inner_offset) % len(self.s.inner))

    def middle_at(self, segment: int) -> int:
        return int((segment - self.s.middle_offset) % len(self.s.middle))

    def space(self, segment: int, ring: int) -> tuple[int, int]:
        """``(Space code, amount)`` that a ring shows on a segment now."""
        s = self.s
        if ring == Ring.INNER:
            return s.inner[self.inner_at(segment)], s.inner_amount[self.inner_at(segment)]
        if ring == Ring.MIDDLE:
            return s.middle[self.middle_at(segment)], s.middle_amount[self.middle_at(segment)]
        return s.outer[segment], 0

    def _rotate(self, rest: str) -> str:
        if rest == "none":
            return "turn no ring"
        way = "clockwise" if rest == "inner" else "counterclockwise"
        return f"turn the {rest.capitalize()} Ring one step {way} (2 Coins)"

    def _place(self, rest: str) -> str:
        kind, _, number = rest.partition(":")
        segment = int(number) - 1
        states = self.possible(f"place:{rest}")
        parts = [
            things.space_name(self.s, *self.space(segment, ring))
            + {"now": "", "never": " (not now)"}.get(state, f" ({state})")
            for ring, state in enumerate(states)
        ]
        owner = self.s.worker_owner[segment][0]
        beside = f" beside {self.who.owner(owner)} {WORKERS[self.s.worker_kind[segment][0]]}" if owner >= 0 else ""
        return f"{kind.capitalize()} on {number}{beside}: {' · '.join(parts)}"

    def possible(self, token: str) -> list[str]:
        """Of the three actions that a placement reaches: ``now``, ``after the Inner action`` or ``never`` at once."""
        found = []
        placed = self.position.clone().play(token)
        for ring in Ring:
            s = placed.states[0]
            asked = s.decision == Decision.RING and s.ring == ring and placed.to_act == self.s.to_move
            legal = placed.legal() if asked else []
            found.append("now" if "ring:perform" in legal else "never")
            if ring == Ring.INNER and "ring:perform" in legal:
                performed = placed.clone().play("ring:perform")
            if asked and ring != Ring.OUTER:
                placed.play("ring:nothing")
        if found[0] == "now" and performed.to_act == self.s.to_move:
            s = performed.states[0]
            if s.decision == Decision.RING and s.ring == Ring.MIDDLE:
                if found[1] == "never" and "ring:perform" in performed.legal():
                    found[1] = "after Inner"
                performed.play("ring:nothing")
            s = performed.states[0]
            same = performed.to_act == self.s.to_move and s.decision == Decision.RING and s.ring == Ring.OUTER
            if found[2] == "never" and same and "ring:perform" in performed.legal():
                found[2] = "after Inner"
        return found

    def _ring(self, rest: str) -> str:
        s = self.s
        if rest == "clay":
            return "take 1 Wet Clay instead"
        if rest == "coin":
            return "take 1 Coin instead"
        if rest == "nothing":
            return "do nothing"
        ring = Ring.INNER if self.decision == Decision.ADMINISTRATOR else s.ring
        again = "once more: " if self.decision == Decision.ADMINISTRATOR else ""
        return again + things.performing(s, *self.space(s.segment, ring))

    # Warriors ---------------------------------------------------------------------------------------------------------

    def _warrior(self, rest: str) -> str:
        s, kind = self.s, act.WARRIOR_NAMES.index(rest)
        left = s.organizer[kind]
        if self.decision == Decision.BUILDER_TYPE:
            return f"{WARRIORS[kind]}: {many(s.game_round, 'Coin')}, no VP, no Weapon ({left} left)"
        vp = many(s.organizer_vp[FIGURES_PER_TYPE - left], "VP")
        weapon = WEAPONS[kind]
        active = s.weapons[s.to_move][kind]
        effect = f"{weapon} active: {things.WEAPON_EFFECTS[kind]}" if active else f"your {weapon} is inactive"
        return f"{WARRIORS[kind]}: {vp} ({left} left); {effect}"

    def _weapon(self, rest: str) -> str:
        s, weapon = self.s, WEAPONS[self.s.chosen_type]
        if rest == "keep":
            return f"keep the {weapon} active"
        effect = things.WEAPON_EFFECTS[s.chosen_type]
        if s.chosen_type == Warrior.CROSSBOWMAN:
            effect = many(int(crossbowman_vp(self.position.states[0], s.chosen_cell)), "VP") + " for empty spaces"
        return f"use the {weapon}: {effect}; it becomes inactive"

    def _inspector(self, rest: str) -> str:
        s, track, steps = self.s, rest[:-2], _INSPECTOR_STEPS[rest[-2:]]
        if track == "row":
            here, there = s.inspector_row, (s.inspector_row + steps) % ROWS
            way = f"from {things.row_name(here)} to {there + 1}"
        else:
            here, there = s.inspector_column, (s.inspector_column + steps) % COLUMNS
            way = f"from {things.column_name(here)} to {things.column_name(there)[-1]}"
        number = f"{abs(steps)} step{'s' if abs(steps) > 1 else ''}"
        return f"{track} Inspector {number} {'forward' if steps > 0 else 'backward'}: {way}"

    # Masters ----------------------------------------------------------------------------------------------------------

    def _token(self, rest: str) -> str:
        s = self.s
        master = s.middle[self.middle_at(s.segment)] - Space.MASTER
        rest_of = many(s.coins[s.to_move] - int(rest), "Coin")
        return (
            f"pay {many(int(rest), 'Coin')} for the {MASTERS[master]} ({rest_of} left), then {things.ABILITIES[master]}"
        )

    def _warehouses(self, rest: str) -> str:
        first, second = (int(number) for number in rest.split(","))
        here, there = self.s.warehouses[first - 1], self.s.warehouses[second - 1]
        return f"take {many(here + there, 'Dry Clay')}: {here} from warehouse {first}, {there} from {second}"

    def _decline(self, rest: str) -> str:
        return _DECLINED[self.decision]

    # spaces and directions --------------------------------------------------------------------------------------------

    def statue_name(self, cell: int) -> str:
        """``Officer on a1``; without its owner."""
        statue = self.statue_at[cell]
        names = dict(zip((*act.WARRIOR_NAMES, *act.SPECIALIST_NAMES), (*WARRIORS, *SPECIALISTS), strict=True))
        return f"{'mounted ' if statue.get('mounted') else ''}{names[statue['kind']]} on {statue['spaces'][0]}"

    def owned_name(self, cell: int) -> str:
        owner = self.statue_at[cell]["owner"]
        return f"{self.who.owner(owner) if owner is not None else 'the'} {self.statue_name(cell)}"

    def _cell(self, rest: str) -> str:
        s, cell, decision = self.s, CELL_OF_NAME[rest], self.decision
        if decision in _PLACES_WARRIOR:
            return f"{rest}: {self.around(cell, s.chosen_type)}"
        if decision == Decision.GUARD_GOAL:
            kind = act.WARRIOR_NAMES.index(self.statue_at[s.chosen_cell]["kind"])
            return f"{rest}: {self.around(cell, kind, moved_from=s.chosen_cell)}"
        if decision == Decision.GUARD_WARRIOR:
            return f"move your {self.statue_name(cell)}"
        if decision == Decision.HORSE_RIDER:
            return f"mount your {self.statue_name(cell)}"
        if decision == Decision.ARCHER_CELL:
            faced = [
                f"{things.DIRECTIONS[direction]}: {self.owned_name(goal)}"
                for direction, goal in self.neighbours(cell)
                if self.statue_at.get(goal, {}).get("kind") in act.WARRIOR_NAMES
            ]
            return f"{rest}: may face {', '.join(faced)}"
        if s.outer[s.segment] == Space.SPECIALIST + act.SPECIALIST_NAMES.index("footman"):
            area = [goal for goal in range(ROWS * COLUMNS) if int(SURROUNDING[cell]) >> goal & 1]
            return f"{rest}: around it {self.counted(area)}"
        row, column = things.place_of(cell)
        cross = [goal for goal in range(ROWS * COLUMNS) if row == goal // COLUMNS or column == goal % COLUMNS]
        return f"{rest}: in its row and column {self.counted(cross)}"

    def _dir(self, rest: str) -> str:
        direction = act.DIRECTION_NAMES.index(rest)
        near = int(NEIGHBOUR[self.s.chosen_cell, direction])
        if self.decision == Decision.ARCHER_FACING:
            return f"{things.DIRECTIONS[direction]}: face {self.owned_name(near)}"
        return (
            f"{things.DIRECTIONS[direction]}: over {CELL_NAMES[near]} and {CELL_NAMES[int(NEIGHBOUR[near, direction])]}"
        )

    def neighbours(self, cell: int) -> list[tuple[int, int]]:
        """``(direction, space)`` of the orthogonal neighbours."""
        return [
            (direction, int(NEIGHBOUR[cell, direction]))
            for direction in range(4)
            if NEIGHBOUR[cell, direction] != NO_CELL
        ]

    def counted(self, area: list[int]) -> str:
        """How many Warriors of whom stand in an area, a rider counted once."""
        seen = {statue["spaces"][0]: statue["owner"] for cell in area if (statue := self.statue_at.get(cell))}
        owners = [owner for owner in seen.values() if owner is not None]
        found = [f"{self.who.name(seat)} {owners.count(seat)}" for seat in range(self.s.players) if seat in owners]
        return f"Warriors: {', '.join(found)}" if found else "no Warrior"

    def around(self, cell: int, kind: int, moved_from: int = NO_CELL) -> str:
        """What a Warrior of this type would stand in and next to; ``moved_from`` is where it leaves."""
        s = self.s
        row, column = things.place_of(cell)
        notes = []
        if row == s.inspector_row:
            notes.append("row Inspector")
        if column == s.inspector_column:
            notes.append("column Inspector")
        tile = s.tiles[s.game_round - 1]
        north, east = row > ROWS // 2, column > COLUMNS // 2
        quarter = row != ROWS // 2 and column != COLUMNS // 2 and tile == Tile.NW + 2 * (not north) + east
        if (tile == Tile.ROW and row == ROWS // 2) or (tile == Tile.COLUMN and column == COLUMNS // 2) or quarter:
            notes.append("this round's tile")
        group = self.group(cell, kind, moved_from)
        if group:
            notes.append(f"group with {group}")
        others = [
            self.owned_name(goal)
            for _, goal in self.neighbours(cell)
            if goal != moved_from and (statue := self.statue_at.get(goal)) and statue["kind"] != act.WARRIOR_NAMES[kind]
        ]
        if others:
            notes.append(f"beside {', '.join(others)}")
        special = list({id(statue): (goal, statue) for goal, statue in self.statue_at.items()}.values())
        musicians = sum(
            statue["kind"] == "musician" and (goal // COLUMNS == row or goal % COLUMNS == column)
            for goal, statue in special
        )
        footmen = sum(statue["kind"] == "footman" and int(SURROUNDING[cell]) >> goal & 1 for goal, statue in special)
        notes += [many(number, name) for number, name in ((musicians, "Musician"),) if number]
        notes += [f"near {many(footmen, 'Footman')}" if footmen == 1 else f"near {footmen} Footmen"] * (footmen > 0)
        shoots = self.decision == Decision.WARRIOR_CELL and kind == Warrior.CROSSBOWMAN
        if shoots and s.weapons[s.to_move][kind] and (vp := int(crossbowman_vp(self.position.states[0], cell))):
            notes.append(f"Crossbow {vp} VP")
        return "; ".join(notes) or "nothing around"

    def group(self, cell: int, kind: int, moved_from: int) -> str:
        """The Warriors and archers of a type that a Warrior on ``cell`` would be connected with; empty if none."""

        def alike(goal: int) -> bool:
            statue = self.statue_at.get(goal)
            if statue is None or goal == moved_from:
                return False
            if statue["kind"] == "archer":
                faced = int(NEIGHBOUR[goal, act.DIRECTION_NAMES.index(statue["facing"])])
                statue = self.statue_at.get(faced, {}) if faced not in (NO_CELL, moved_from) else {}
            return bool(statue) and statue["kind"] == act.WARRIOR_NAMES[kind]

        found, rest = {cell}, [cell]
        while rest:
            for _, goal in self.neighbours(rest.pop()):
                if goal not in found and alike(goal):
                    found.add(goal)
                    rest.append(goal)
        members = {self.statue_at[goal]["spaces"][0]: self.statue_at[goal]["owner"] for goal in found - {cell}}
        owners = list(members.values())
        return ", ".join(
            f"{self.who.owner(seat)} {things.warriors(owners.count(seat), kind)}"
            if seat is not None
            else many(owners.count(None), "Archer")
            for seat in (*range(self.s.players), None)
            if seat in owners
        )
