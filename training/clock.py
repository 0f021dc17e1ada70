"""How much of a run is done: training time, processor time and samples, carried over a resume."""

from __future__ import annotations

import time


class Clock:
    """Stops a run at the first of its limits.

    Args:
        minutes: of training time; 0 = no limit.  Evaluation, saving and compiling are not training time.
        core_minutes: of this process's processor time, all threads together; 0 = no limit.
        samples: decisions of the learner; 0 = no limit.
    """

    def __init__(self, minutes: float, core_minutes: float, samples: int) -> None:
        self.seconds_limit, self.core_seconds_limit, self.samples_limit = minutes * 60, core_minutes * 60, samples
        self.seconds = 0.0
        self.core_seconds = 0.0
        self.samples = 0
        self._since: tuple[float, float] | None = None

    def start(self) -> None:
        """Training goes on."""
        self._since = (time.monotonic(), time.process_time())

    def tick(self) -> None:
        """Count the time since :meth:`start` or the last tick; nothing while paused."""
        if self._since is not None:
            now = (time.monotonic(), time.process_time())
            self.seconds += now[0] - self._since[0]
            self.core_seconds += now[1] - self._since[1]
            self._since = now

    def pause(self) -> None:
        """What follows is not training."""
        self.tick()
        self._since = None

    def fraction(self) -> float:
        """Share of the run that is done, 0..1."""
        limits = (
            (self.seconds, self.seconds_limit),
            (self.core_seconds, self.core_seconds_limit),
            (self.samples, self.samples_limit),
        )
        return min(1.0, max((done / limit for done, limit in limits if limit), default=0.0))
