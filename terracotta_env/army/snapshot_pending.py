"""What is being decided, from the ``pending`` of a snapshot: refusing decisions that no turn leads to.

A decision that the rules never ask could be answered into impossible states (a supply below zero), and the compiled
rules do not check for them; so each is checked here against what must hold when it is asked.
"""

from __future__ import annotations

from typing import Any, Final

from ..fields import Reader
from .actions import RING_NAMES, WARRIOR_NAMES
from .geometry import CELL_OF_NAME, bit
from .masters import can_ability, options_builder_type
from .snapshot import DECISION_NAMES
from .state import ROUNDS, SEGMENTS, Decision, Master, Ring, Space, Specialist, Warrior, Weapon
from .warriors import can_place_warrior
from .wheel import acting_slot, inner_index, middle_index

_OF_SPECIALISTS: Final = {
    Decision.HORSE_RIDER: (Specialist.HORSE,),
    Decision.HORSE_DIRECTION: (Specialist.HORSE,),
    Decision.ARCHER_CELL: (Specialist.ARCHER,),
    Decision.ARCHER_FACING: (Specialist.ARCHER,),
    Decision.SPECIALIST_CELL: (Specialist.FOOTMAN, Specialist.MUSICIAN),
}
_OF_WARRIORS: Final = (
    Decision.WARRIOR_TYPE,
    Decision.WARRIOR_CELL,
    Decision.WEAPON,
    Decision.OFFICER_INSPECTOR,
    Decision.GUARD_WARRIOR,
    Decision.GUARD_GOAL,
)
_OF_MASTERS: Final = {
    Decision.BUILDER_TYPE: Master.BUILDER,
    Decision.BUILDER_CELL: Master.BUILDER,
    Decision.ADMINISTRATOR: Master.ADMINISTRATOR,
    Decision.MASTER_INSPECTOR: Master.INSPECTOR,
    Decision.SUPERVISOR: Master.SUPERVISOR,
}
_ABILITY_NOT_BEGUN: Final = (Decision.BUILDER_TYPE, Decision.ADMINISTRATOR, Decision.SUPERVISOR)
_PLACES_A_WARRIOR: Final = (Decision.WARRIOR_TYPE, Decision.WARRIOR_CELL, Decision.BUILDER_TYPE, Decision.BUILDER_CELL)
_WEAPON_USED: Final = {
    Decision.OFFICER_INSPECTOR: Weapon.SWORD,
    Decision.GUARD_WARRIOR: Weapon.HALBERD,
    Decision.GUARD_GOAL: Weapon.HALBERD,
}
_NEED_TYPE: Final = (Decision.WARRIOR_CELL, Decision.WEAPON, Decision.BUILDER_CELL)
_NEED_CELL: Final = (
    Decision.WEAPON,
    Decision.GUARD_WARRIOR,
    Decision.GUARD_GOAL,
    Decision.HORSE_DIRECTION,
    Decision.ARCHER_FACING,
)


def read_pending(s: Any, doc: Reader) -> None:
    """Fill in who decides what.  Everything else of the record must have been read."""
    if doc["over"].flag():
        _read_end(s, doc)
        return
    pending = doc["pending"]
    s.to_move = doc["to_move"].integer(0, int(s.players) - 1)
    pending.table(("decision",), ("segment", "ring", "repeating", "warrior", "cell"))
    decision = Decision(DECISION_NAMES.index(pending["decision"].word(DECISION_NAMES[: Decision.OVER])))
    s.decision = decision
    in_action = decision not in (Decision.ROTATE, Decision.PLACE)
    needed = {
        "segment": in_action,
        "ring": in_action,
        "warrior": decision in _NEED_TYPE,
        "cell": decision in _NEED_CELL,
    }
    for key, need in needed.items():
        if need != (key in pending):
            complaint = "is missing" if need else "has no meaning"
            raise pending.error(f"snapshot: pending.{key}: {complaint} at {decision.name.lower()}")
    if not in_action:
        if s.craftsmen[s.to_move] + s.artisans[s.to_move] == 0:
            raise doc["to_move"].fail("a seat that has a worker in hand")
        if pending.value.get("repeating"):
            raise pending["repeating"].fail("false before a worker is placed")
        return
    s.segment = pending["segment"].integer(1, SEGMENTS) - 1
    s.ring = RING_NAMES.index(pending["ring"].word(RING_NAMES))
    s.repeating = int("repeating" in pending and pending["repeating"].flag())
    if s.worker_owner[s.segment, acting_slot(s)] != s.to_move:
        raise pending["segment"].fail(f"the segment on which seat {s.to_move} placed its worker last")
    if needed["warrior"]:
        s.chosen_type = WARRIOR_NAMES.index(pending["warrior"].word(WARRIOR_NAMES))
        _check_chosen_type(s, pending["warrior"])
    if needed["cell"]:
        s.chosen_cell = CELL_OF_NAME[pending["cell"].word(tuple(CELL_OF_NAME))]
        _check_chosen_cell(s, pending["cell"])
    _check_action(s, pending)
    _check_means(s, pending["decision"])


def _read_end(s: Any, doc: Reader) -> None:
    for key in ("to_move", "pending"):
        if doc[key].value is not None:
            raise doc[key].fail("null, as the game is over")
    if s.game_round != ROUNDS:
        raise doc["round"].fail(f"{ROUNDS}, as the game is over")
    if s.craftsmen.any() or s.artisans.any():
        raise doc["over"].fail("false while a player has a worker in hand")
    if s.priority.any():
        raise doc["over"].fail("false while a player holds a Priority token: Cleanup returns them")
    s.decision = Decision.OVER


def _check_chosen_type(s: Any, warrior: Reader) -> None:
    if s.decision != Decision.WEAPON and s.organizer[s.chosen_type] == 0:
        raise warrior.fail("a type with figures left")
    if s.decision == Decision.BUILDER_CELL and not options_builder_type(s) >> int(s.chosen_type) & 1:
        raise warrior.fail("a type with the most figures left")


def _check_chosen_cell(s: Any, cell: Reader) -> None:
    here = bit(s.chosen_cell)
    if s.decision == Decision.ARCHER_FACING:
        if s.occupied & here != 0:
            raise cell.fail("an empty space for the archer")
    elif s.owned[s.to_move] & here == 0:
        raise cell.fail("a Warrior on foot of the seat to move")
    if s.decision == Decision.WEAPON:
        if s.warriors[s.chosen_type] & here == 0:
            raise cell.fail("the new Warrior of the chosen type")
        if s.weapons[s.to_move, s.chosen_type] == 0:
            raise cell.fail("a Warrior whose Weapon is active")
    if s.decision == Decision.GUARD_WARRIOR and s.warriors[Warrior.GUARD] & here == 0:
        raise cell.fail("the new Guard")


def _check_action(s: Any, pending: Reader) -> None:
    """The action being resolved must be one that asks this decision."""
    decision = Decision(int(s.decision))
    inner = s.inner[inner_index(s, int(s.segment))]
    middle = s.middle[middle_index(s, int(s.segment))]
    administrator = s.ring == Ring.MIDDLE and middle == Space.MASTER + Master.ADMINISTRATOR
    if s.repeating and not (administrator and decision in _OF_WARRIORS):
        raise pending["repeating"].fail("false: no Administrator repeats an action here")
    if decision in _OF_WARRIORS:
        right = inner == Space.WARRIOR and (s.ring == Ring.INNER or bool(s.repeating))
    elif decision in _OF_MASTERS:
        master = _OF_MASTERS[decision]
        right = s.ring == Ring.MIDDLE and middle == Space.MASTER + master and s.masters[s.to_move, master] > 0
    elif decision == Decision.MASTER_TOKEN:
        in_master = s.ring == Ring.MIDDLE and Space.MASTER <= middle < Space.MASTER + len(Master)
        right = in_master and s.masters[s.to_move, middle - Space.MASTER] == 0
    elif decision in _OF_SPECIALISTS:
        right = s.ring == Ring.OUTER and s.outer[s.segment] - Space.SPECIALIST in _OF_SPECIALISTS[decision]
    else:
        right = True  # the ring decision is asked on every ring
    if not right:
        raise pending["decision"].fail("a decision that the action of this ring and segment asks")


def _check_means(s: Any, asked: Reader) -> None:
    """What must be there, or must have been spent, when the decision is asked (R7, R8, R18)."""
    decision, seat = Decision(int(s.decision)), int(s.to_move)
    if decision in _PLACES_A_WARRIOR and not can_place_warrior(s):
        raise asked.fail("a decision for which a base, a figure and an empty space are left")
    if decision in _ABILITY_NOT_BEGUN and not can_ability(s, _OF_MASTERS[decision]):
        raise asked.fail("an ability that can be used and changes something")
    if decision == Decision.OFFICER_INSPECTOR and s.owned[seat] & s.warriors[Warrior.OFFICER] == 0:
        raise asked.fail("a decision whose Officer stands in the Mausoleum")
    weapon = _WEAPON_USED.get(decision)
    if decision in _OF_SPECIALISTS:
        specialist = int(s.outer[s.segment] - Space.SPECIALIST)
        weapon = s.specialist_weapon[specialist]
        if s.specialists[specialist] == 0:
            raise asked.fail("a Specialist of which a figure is left")
    if weapon is not None and s.weapons[seat, weapon] == 1:
        raise asked.fail("a decision whose Weapon has been used")
