"""A game that is played by naming tokens."""

from collections.abc import Mapping
from typing import Any

from .board import read_board
from .decisions import Decision, Steps
from .final import ranking
from .rounds import end_turn
from .snapshot import read_snapshot, write_snapshot
from .state import State, set_up
from .turn import take_turn


def _play(state: State) -> Steps:
    """All turns from here to the end of the game."""
    while not state.over:
        assert state.to_move is not None
        yield from take_turn(state, state.players[state.to_move])
        end_turn(state)


class Game:
    """The rules at work: asks one decision at a time, resolving forced ones (R6)."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.asked = 0  # decisions made by the players
        self.forced = 0  # decisions with a single option
        self._course = _play(state)
        self._decision: Decision | None = None
        self._proceed(None)

    @classmethod
    def from_setup(cls, board: Mapping[str, Any], players: int, setup: Mapping[str, Any]) -> "Game":
        """A new game; ``setup`` holds everything that was drawn (R3)."""
        return cls(set_up(read_board(board), players, setup))

    @classmethod
    def from_snapshot(cls, board: Mapping[str, Any], snapshot: Mapping[str, Any]) -> "Game":
        """A game that goes on from the start of a turn."""
        return cls(read_snapshot(read_board(board), snapshot))

    def _proceed(self, token: str | None) -> None:
        """Hand over an answer and go on to the next real decision."""
        try:
            # A fresh generator can only be sent None; afterwards tokens follow.
            decision = self._course.send(token)  # type: ignore[arg-type]
            while len(decision.options) == 1:
                self.forced += 1
                decision = self._course.send(decision.options[0])
            self._decision = decision
        except StopIteration:
            self._decision = None

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def to_move(self) -> int | None:
        return self.state.to_move

    @property
    def round(self) -> int:
        return self.state.round

    def legal(self) -> list[str]:
        """The legal tokens in code-point order; none when the game is over."""
        return list(self._decision.options) if self._decision else []

    def apply(self, token: str) -> None:
        """Make a decision."""
        legal = self.legal()
        if token not in legal:
            offered = " ".join(legal) if legal else "none, the game is over"
            raise ValueError(f"{token!r} is not legal here; legal: {offered}")
        self.asked += 1
        self._proceed(token)

    def snapshot(self) -> dict[str, Any]:
        """The position as JSON data."""
        pending = self._decision.kind if self._decision else None
        return write_snapshot(self.state, pending)

    def vp(self) -> list[int]:
        return [player.vp for player in self.state.players]

    def coins(self) -> list[int]:
        return [player.coins for player in self.state.players]

    def wet(self) -> list[int]:
        return [player.wet for player in self.state.players]

    def dry(self) -> list[int]:
        return [player.dry for player in self.state.players]

    def ranking(self) -> list[int]:
        """Seats, best first (R28)."""
        if not self.over:
            raise ValueError("no ranking before the game is over")
        return ranking(self.state)
