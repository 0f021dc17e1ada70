"""The named positions whose sequences of decisions are counted: openings, middles of turns, ends of rounds.

Each is a snapshot at the beginning of a turn and the tokens played from there, so that the second implementation, which
reads such snapshots only, reaches it too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.golden.games import CHOSEN, SEPARATOR, path_of, seed_of
from tests.rules.positions import ALL_WEAPONS, filled, snapshot_of

Snapshot = dict[str, Any]


@dataclass(frozen=True)
class Named:
    """A position: ``begin`` gives a snapshot at the beginning of a turn, ``tokens`` go on from there."""

    name: str
    depth: int  # how many decisions are counted at most
    begin: Callable[[], Snapshot]
    tokens: tuple[str, ...] = ()

    def position(self) -> Position:
        position = Position.from_snapshot(GAME, self.begin())
        for token in self.tokens:
            position.play(token)
        return position


def opening(players: int, board: str, seed: int) -> Snapshot:
    """The opening that a seed draws."""
    return Position.from_seed(GAME, players, seed, board).snapshot()


def reached(players: int, board: str, turn: int) -> Snapshot:
    """The golden game of that name before the turn of that number, of those in which a rotation is asked."""
    position = Position.from_seed(GAME, players, seed_of(players, board), board)
    for line in path_of(players, board).read_text(encoding="utf-8").splitlines():
        if SEPARATOR in line:
            fields = line.split(SEPARATOR)
            turn -= fields[1] == "rotate"
            if turn == 0:
                break
            position.play(fields[CHOSEN])
    assert turn == 0, "the game has fewer such turns"
    return position.snapshot()


_MIDDLE_GAME: Final = (
    "0 officer d4, 0 guard b2, 0 soldier h6, 1 officer e4, 1 crossbowman f2, 1 guard c4 c5 c6, footman e5, "
    "archer d3 n, musician g4"
)
_THREE: Final = (
    "0 officer d4, 0 guard d5, 1 officer e4, 1 soldier e1, 2 guard c5, 2 crossbowman a4, footman d6, musician h1"
)


def hand_made(**edits: Any) -> Callable[[], Snapshot]:
    """A middle game of the shipped board with both rings as printed; see ``positions.snapshot_of`` for the edits."""
    common = {"statues": _MIDDLE_GAME, "game_round": 3, "coins": {0: 6, 1: 4}, "wet": {0: 5, 1: 2}, "dry": {0: 3, 1: 1}}
    return partial(snapshot_of, **{**common, **edits})


def turn(segment: int, *tokens: str, worker: str = "craftsman") -> tuple[str, ...]:
    """No rotation, a worker on a segment, then these tokens."""
    return ("rotate:none", f"place:{worker}:{segment}", *tokens)


_SKIP: Final = "ring:nothing"
_DO: Final = "ring:perform"
NAMED: Final = (
    Named("opening-2-reconstructed", 10, partial(opening, 2, "reconstructed", 1)),
    Named("opening-3-flat", 10, partial(opening, 3, "flat", 2)),
    Named("opening-4-rising", 10, partial(opening, 4, "rising", 3)),
    Named("opening-2-shuffled", 10, partial(opening, 2, "shuffled", 4)),
    Named("opening-3-specialists-outside", 10, partial(opening, 3, "specialists-outside", 5)),
    Named("opening-4-reconstructed", 10, partial(opening, 4, "reconstructed", 6)),
    Named("horse-rider", 10, hand_made(weapons={0: "sword"}), turn(2, _SKIP, _SKIP, _DO)),
    Named("archer-space", 8, hand_made(weapons={0: "crossbow"}), turn(8, _SKIP, _SKIP, _DO)),
    Named("musician-space", 8, hand_made(weapons={0: "spear"}), turn(11, _SKIP, _SKIP, _DO)),
    Named(
        "guard-names-a-warrior",
        9,
        hand_made(weapons={0: "halberd"}),
        turn(1, _DO, "warrior:guard", "cell:d5", "weapon:use"),
    ),
    Named(
        "officer-moves-an-inspector",
        9,
        hand_made(weapons={0: ALL_WEAPONS}),
        turn(3, _DO, "warrior:officer", "cell:a7", "weapon:use"),
    ),
    Named("crossbowman-or-another-type", 9, hand_made(weapons={0: "crossbow"}), turn(9, _DO)),
    Named(
        "administrator-repeats",
        8,
        hand_made(inner=4, masters={0: {"administrator": 1}}, weapons={0: "halberd spear"}),
        turn(5, _DO, "warrior:soldier", "cell:e3", "weapon:keep", _DO, _DO),
    ),
    Named("builder-type", 9, hand_made(), turn(1, _SKIP, _DO, "token:2")),
    Named(
        "supervisor-names-warehouses",
        9,
        hand_made(masters={0: {"supervisor": 3}}, warehouses=(2, 0, 3, 1)),
        turn(7, _DO, _DO),
    ),
    Named("inspector-after-its-token", 9, hand_made(), turn(9, "ring:clay", _DO, "token:1")),
    Named("artisan-beside-a-craftsman", 9, hand_made(artisans={0: 2}, wheel={5: "1c", 8: "0a"})),
    Named("nearly-full-mausoleum", 10, hand_made(statues=filled({0: 14, 1: 14}, riders=4, specialists=12))),
    Named(
        "last-turn-of-a-round",
        9,
        hand_made(
            players=3, statues=_THREE, last=1, at=8, tile="officer", priority={2: 1}, masters={0: {"builder": 1}}
        ),
    ),
    Named("last-turn-of-the-game", 12, hand_made(last=1, at=1, game_round=5, tile="nw", weapons={1: ALL_WEAPONS})),
    Named("golden-3-shuffled-turn-30", 9, partial(reached, 3, "shuffled", 30)),
    Named("golden-4-reconstructed-turn-22", 9, partial(reached, 4, "reconstructed", 22)),
)
