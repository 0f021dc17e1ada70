"""Dense positions at the start of a turn, as snapshots: what games seldom reach, made on purpose.

Full Mausoleums, exhausted figures and bases, all four riders and archers, ties by the dozen, one worker left in the
round.  Whatever is drawn obeys every count of the rules, so that the engine's reader accepts it; whether a line of play
leads there is not asked.  ``mausoleum.py`` puts the statues up.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.agents.games import BOARDS, printed
from tests.fuzz.mausoleum import draw_mausoleum
from tests.reference.board import MASTERS, RINGS, SEGMENTS, SPECIALISTS, TILES, WARRIORS, WEAPONS
from tests.reference.mausoleum import COLUMNS
from tests.reference.snapshot import FORMAT, RULES, VERSION
from tests.reference.state import LEDGER, WORKERS_PER_PLAYER

AMOUNTS = {  # what a player may have of coins or clay
    "poor": (0, 0, 0, 0, 1, 1, 2),
    "usual": (0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 9),
    "rich": (6, 8, 9, 12, 15, 20, 40, 120),
}
LEFT = (1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 8, 12)  # workers still in hand


def draw_dense(rng: Random, players: int | None = None, board: str | None = None) -> dict[str, Any]:
    """A snapshot; what is not given is drawn too."""
    n = rng.choice((2, 3, 3, 4, 4)) if players is None else players
    board = rng.choice(BOARDS) if board is None else board
    data = printed(board)
    tiles = rng.sample(TILES, 5)
    if rng.random() < 0.4 and (wealth := [tile for tile in tiles if tile in ("coins", "clay")]):
        tiles.remove(wealth[0])  # contests on statues are the rarer find
        tiles.append(rng.choice([tile for tile in TILES if tile not in (*tiles, *wealth)]))
        rng.shuffle(tiles)
    game_round = rng.choice((1, 2, 3, 4, 5, 5, 5, 5))
    row, column = rng.randint(1, 7), rng.randint(1, 9)
    statues = draw_mausoleum(rng, n, row, column, tiles[game_round - 1])
    wealth_of_all = rng.choice(("poor", "usual", "rich", "mixed", "mixed"))
    wheel = _wheel(rng, data)
    hands = _workers(rng, n, wheel)
    priorities = _priorities(rng, n)
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES,
        "board": board,
        "players": [
            _player(rng, data, statues, seat, hands[seat], priorities[seat], wealth_of_all) for seat in range(n)
        ],
        "to_move": rng.choice([seat for seat in range(n) if hands[seat][0] + hands[seat][1] > 0]),
        "over": False,
        "round": game_round,
        "turn_order": rng.sample(range(n), n),
        "tiles": tiles,
        "tile": tiles[game_round - 1],
        "inner_offset": wheel.pop("inner_offset"),
        "middle_offset": wheel.pop("middle_offset"),
        "wheel": wheel,
        "warehouses": rng.choice(([0, 0, 0, 0], [1, 1, 1, 1], [rng.randint(0, 9) for _ in range(4)])),
        "inspectors": {"row": row, "column": COLUMNS[column - 1]},
        "organizer": {kind: 11 - sum(statue["kind"] == kind for statue in statues) for kind in WARRIORS},
        "specialists_left": {kind: 4 - _standing(statues, kind) for kind in SPECIALISTS},
        "priority_stack": list(range(1 + sum(number is not None for number in priorities), n)),
        "mausoleum": statues,
        "pending": {"decision": "rotate"},
    }


def _standing(statues: list[dict[str, Any]], specialist: str) -> int:
    if specialist == "horse":
        return sum(statue.get("mounted", False) for statue in statues)
    return sum(statue["kind"] == specialist for statue in statues)


def _wheel(rng: Random, data: dict[str, Any]) -> dict[str, Any]:
    """The segments without workers, and beside them the two offsets."""
    offsets = {"inner": rng.randrange(12), "middle": rng.randrange(12), "outer": 0}
    rings = {ring: list(data["wheel"][ring]) for ring in RINGS}
    if data["wheel"].get("shuffle"):
        for words in rings.values():
            rng.shuffle(words)
    wheel: dict[str, Any] = {f"{ring}_offset": offsets[ring] for ring in ("inner", "middle")}
    for segment in SEGMENTS:
        shown = {ring: rings[ring][(segment - 1 - offsets[ring]) % 12] for ring in RINGS}
        wheel[str(segment)] = {**shown, "workers": []}
    return wheel


def _workers(rng: Random, n: int, wheel: dict[str, Any]) -> list[tuple[int, int, int]]:
    """Put workers on the wheel; by seat craftsmen in hand, artisans in hand, artisans in supply."""
    each = WORKERS_PER_PLAYER[n]
    most = rng.choice((0, each, each, each))
    upgraded = [rng.randint(0, most) for _ in range(n)]
    workers = [(seat, "artisan" if i < upgraded[seat] else "craftsman") for seat in range(n) for i in range(each)]
    rng.shuffle(workers)
    left = min(rng.choice(LEFT), len(workers))
    hands = [[0, 0] for _ in range(n)]
    for owner, kind in workers[:left]:
        hands[owner][kind == "artisan"] += 1
    crowd = rng.random()  # how readily artisans join craftsmen
    for owner, kind in sorted(workers[left:], key=lambda worker: worker[1] == "artisan"):
        empty = [str(s) for s in SEGMENTS if not wheel[str(s)]["workers"]]
        beside = [str(s) for s in SEGMENTS if [w["kind"] for w in wheel[str(s)]["workers"]] == ["craftsman"]]
        places = beside if kind == "artisan" and beside and (not empty or rng.random() < crowd) else empty
        wheel[rng.choice(places)]["workers"].append({"owner": owner, "kind": kind})
    return [(hands[seat][0], hands[seat][1], each - upgraded[seat]) for seat in range(n)]


def _priorities(rng: Random, n: int) -> list[int | None]:
    """Number of the Priority token that each seat holds."""
    held = rng.randint(0, n - 1)
    holders = rng.sample(range(n), held)
    return [holders.index(seat) + 1 if seat in holders else None for seat in range(n)]


def _player(
    rng: Random,
    data: dict[str, Any],
    statues: list[dict[str, Any]],
    seat: int,
    hand: tuple[int, int, int],
    priority: int | None,
    wealth: str,
) -> dict[str, Any]:
    amounts = AMOUNTS[rng.choice(tuple(AMOUNTS)) if wealth == "mixed" else wealth]
    tokens = list(data["masters"]["token_prices"])
    owned = rng.sample(MASTERS, rng.choice((0, 0, 1, 2, 3, 4, 6)))
    masters = {master: tokens.pop(rng.randrange(len(tokens))) for master in sorted(owned, key=MASTERS.index)}
    armed = rng.choice((0.0, 0.5, 1.0, 1.0))
    # equal totals now and then, so that the turn order has ties to break at the end
    ledger = {source: rng.choice((0, 0, 0, rng.randint(1, 9))) for source in LEDGER}
    if rng.random() < 0.3:
        ledger = dict.fromkeys(LEDGER, 1)
    craftsmen, artisans, supply = hand
    return {
        "vp": sum(ledger.values()),
        "coins": rng.choice(amounts),
        "wet": rng.choice(amounts),
        "dry": rng.choice(amounts),
        "craftsmen": craftsmen,
        "artisans": artisans,
        "artisans_in_supply": supply,
        "bases": 15 - sum(statue["owner"] == seat for statue in statues),
        "weapons": {weapon: rng.random() < armed for weapon in WEAPONS},
        "tokens": sorted(tokens),
        "masters": masters,
        "priority": priority,
        "ledger": ledger,
    }
