"""A failing case made small: the difference traced to one turn, then statues, workers, goods and decisions left out.

A case is ``{"start": ..., "decisions": [...]}`` with a start as :class:`tests.fuzz.compare.Pair` takes it.  It is
replayed as a plan: each token of the plan is played if it is legal, else dropped; after the plan the laziest token
there is, so that a case from which something is left out still reaches the end of its turn.  Forced decisions are part
of the plan, as they may be asked once something is left out.  A smaller case is kept only while the two
implementations still differ in the same place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.fuzz.compare import DifferenceError, Pair
from tests.reference.state import WORKERS_PER_PLAYER

Case = dict[str, Any]
Snapshot = dict[str, Any]
Edit = Callable[[Snapshot], bool]  # leaves something out of a snapshot; False: there is nothing to leave out

MOST_TRIES = 4000
SPARE = 40  # lazy decisions after a plan
LAZY = ("rotate:none", "ring:nothing", "weapon:keep", "decline")


def lazy(legal: list[str]) -> str:
    """The legal token that does the least."""
    return next((token for token in LAZY if token in legal), legal[0])


class _Written:
    """A running turn of the second implementation that writes down every token, forced ones too."""

    def __init__(self, course: Any, tokens: list[str]) -> None:
        self.course = course
        self.tokens = tokens

    def send(self, token: str) -> Any:
        self.tokens.append(token)
        return self.course.send(token)


@dataclass
class Replay:
    """How a case ended: the first difference, if any, and all tokens up to it with the forced ones."""

    found: DifferenceError | None
    tokens: list[str]


def replay(case: Mapping[str, Any], spare: int = SPARE) -> Replay:
    """Play a case until the two differ, the game ends, or the plan and the spare decisions are used up."""
    tokens: list[str] = []
    try:
        pair = Pair(case["start"])
        setattr(pair.game, "_course", _Written(pair.game._course, tokens))  # noqa: B010
        plan = list(case["decisions"])
        while not pair.over and (plan or spare > 0):
            token = plan.pop(0) if plan else lazy(pair.legal)
            spare -= not plan
            if token in pair.legal:
                pair.play(token)
    except DifferenceError as found:
        return Replay(found, tokens)
    return Replay(None, tokens)


def last_turns(case: Mapping[str, Any], limit: int = 3) -> Iterator[Case]:
    """The same case begun later: at the start of its last turn, the one before, and so on."""
    starts: list[tuple[int, Snapshot]] = []
    try:
        pair = Pair(case["start"])
        for index, token in enumerate(case["decisions"]):
            if pair.at_turn_start and not pair.over:
                starts.append((index, {**pair.game.snapshot(), "pending": {"decision": "rotate"}}))
            pair.play(token)
    except DifferenceError:
        pass
    for index, snapshot in reversed(starts[-limit:]):
        yield {"start": {"snapshot": snapshot}, "decisions": list(case["decisions"][index:])}


def shrink(case: Mapping[str, Any], tries: int = MOST_TRIES) -> tuple[Case, DifferenceError]:
    """The smallest case found that differs in the same place, and its difference."""
    first = replay(case)
    if first.found is None:
        raise ValueError("nothing differs in this case")
    shrinker = _Shrinker({"start": case["start"]}, first, tries)
    for later in last_turns({"start": case["start"], "decisions": first.found.decisions}):
        if shrinker.accept(later, always=True):
            break
    while shrinker.tries > 0 and shrinker.one_pass():
        pass
    return {**shrinker.small, "decisions": list(shrinker.found.decisions)}, shrinker.found


class _Shrinker:
    """The smallest case so far."""

    def __init__(self, small: Case, result: Replay, tries: int) -> None:
        assert result.found is not None
        self.small, self.found, self.tries = small, result.found, tries
        self.plan = result.tokens

    def accept(self, case: Case, always: bool = False) -> bool:
        """Keep a case if it still differs in the same place and is smaller."""
        self.tries -= 1
        result = replay(case, SPARE if always else len(self.found.decisions) + 2)
        found = result.found
        if found is None or found.where != self.found.where:
            return False
        if not always and size(case["start"], found.decisions) >= size(self.small["start"], self.found.decisions):
            return False
        self.small, self.found, self.plan = {"start": case["start"]}, found, result.tokens
        return True

    def one_pass(self) -> bool:
        """Try to leave out everything once; whether that made the case smaller."""
        progress = False
        if "snapshot" in self.small["start"]:
            for edit in list(edits(self.small["start"]["snapshot"])):
                snapshot = json.loads(json.dumps(self.small["start"]["snapshot"]))
                if self.tries > 0 and edit(snapshot):
                    progress |= self.accept({"start": {"snapshot": snapshot}, "decisions": self.plan})
        index = len(self.plan)
        while index > 0 and self.tries > 0:
            index -= 1
            if index < len(self.plan):
                shorter = [*self.plan[:index], *self.plan[index + 1 :]]
                progress |= self.accept({**self.small, "decisions": shorter})
        return progress


def size(start: Mapping[str, Any], decisions: list[str]) -> tuple[int, ...]:
    """What makes a case large, most important first."""
    effort = (len(decisions), sum(token not in LAZY for token in decisions))
    snapshot = start.get("snapshot")
    if snapshot is None:
        return (1, 0, *effort)
    players = snapshot["players"]
    goods = sum(player[name] for player in players for name in ("coins", "wet", "dry", "vp"))
    goods += sum(sum(player["weapons"].values()) + len(player["masters"]) for player in players)
    goods += sum(player["priority"] is not None for player in players) + sum(snapshot["warehouses"])
    goods += sum(WORKERS_PER_PLAYER[len(players)] - player["artisans_in_supply"] for player in players)
    spaces = sum(len(statue["spaces"]) for statue in snapshot["mausoleum"])
    workers = sum(len(segment["workers"]) for segment in snapshot["wheel"].values())
    return (0, len(snapshot["mausoleum"]) + spaces, *effort, workers, goods)


def edits(snapshot: Snapshot) -> Iterator[Edit]:
    """Everything that could be left out, large things first."""
    names = [statue["spaces"][0] for statue in snapshot["mausoleum"]]
    step = len(names)
    while step > 0:  # all, halves, ..., single statues
        for first in range(0, len(names), step):
            yield _without_statues(names[first : first + step])
        step //= 2
    for statue in snapshot["mausoleum"]:
        if statue.get("mounted"):
            yield _dismounted(statue["spaces"][0])
    for segment, entry in snapshot["wheel"].items():
        for _ in entry["workers"]:
            yield _without_worker(segment)
    for seat, player in enumerate(snapshot["players"]):
        for name in ("coins", "wet", "dry"):
            for less in (lambda n: 0, lambda n: n // 2, lambda n: n - 1):
                yield _less(seat, name, less)
        yield _without_points(seat)
        for weapon in player["weapons"]:
            yield _without_weapon(seat, weapon)
        for master in player["masters"]:
            yield _without_master(seat, master)
    yield _without_priorities
    yield _without_warehouse_clay


def _without_statues(names: list[str]) -> Edit:
    def edit(snapshot: Snapshot) -> bool:
        gone = [statue for statue in snapshot["mausoleum"] if statue["spaces"][0] in names]
        for statue in gone:
            snapshot["mausoleum"].remove(statue)
            if statue["owner"] is None:
                snapshot["specialists_left"][statue["kind"]] += 1
            else:
                snapshot["organizer"][statue["kind"]] += 1
                snapshot["players"][statue["owner"]]["bases"] += 1
                snapshot["specialists_left"]["horse"] += statue["mounted"]
        return bool(gone)

    return edit


def _dismounted(name: str) -> Edit:
    def edit(snapshot: Snapshot) -> bool:
        riders = [s for s in snapshot["mausoleum"] if s["spaces"][0] == name and s.get("mounted")]
        for rider in riders:
            rider.update(mounted=False, spaces=[name])
            snapshot["specialists_left"]["horse"] += 1
        return bool(riders)

    return edit


def _without_worker(segment: str) -> Edit:
    """The last worker of a segment back into its owner's hand."""

    def edit(snapshot: Snapshot) -> bool:
        workers = snapshot["wheel"][segment]["workers"]
        if workers:
            worker = workers.pop()
            snapshot["players"][worker["owner"]][f"{worker['kind']}s".replace("mans", "men")] += 1
            return True
        return False

    return edit


def _less(seat: int, name: str, less: Callable[[int], int]) -> Edit:
    def edit(snapshot: Snapshot) -> bool:
        player = snapshot["players"][seat]
        before = player[name]
        player[name] = max(less(before), 0)
        return bool(player[name] < before)

    return edit


def _without_points(seat: int) -> Edit:
    def edit(snapshot: Snapshot) -> bool:
        player = snapshot["players"][seat]
        before = player["vp"]
        player.update(vp=0, ledger=dict.fromkeys(player["ledger"], 0))
        return bool(before)

    return edit


def _without_weapon(seat: int, weapon: str) -> Edit:
    def edit(snapshot: Snapshot) -> bool:
        weapons = snapshot["players"][seat]["weapons"]
        before, weapons[weapon] = weapons[weapon], False
        return bool(before)

    return edit


def _without_master(seat: int, master: str) -> Edit:
    def edit(snapshot: Snapshot) -> bool:
        player = snapshot["players"][seat]
        price = player["masters"].pop(master, None)
        if price is not None:
            player["tokens"] = sorted([*player["tokens"], price])
        return price is not None

    return edit


def _without_priorities(snapshot: Snapshot) -> bool:
    held = any(player["priority"] for player in snapshot["players"])
    for player in snapshot["players"]:
        player["priority"] = None
    snapshot["priority_stack"] = list(range(1, len(snapshot["players"])))
    return held


def _without_warehouse_clay(snapshot: Snapshot) -> bool:
    before = any(snapshot["warehouses"])
    snapshot["warehouses"] = [0, 0, 0, 0]
    return before
