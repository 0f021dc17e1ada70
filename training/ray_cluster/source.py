"""The learner's side of self-play on Ray: jobs out, games in, and whoever dies is replaced.

A job is counted where its games arrive, once by its number; a job whose actor died is given again.  Each actor has a
bounded number of jobs, finished ones included until the learner takes them, so neither queues nor the object store grow
when the learner is the slower side.  Weights are put into the object store once a version.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import ray
from ray.exceptions import ObjectLostError, RayActorError, RayTaskError

from ..config import ConfigError
from ..selfplay import Block
from .player import Parts, Player

if TYPE_CHECKING:
    from ..alphazero import AlphaZeroRun
    from ..alphazero_config import RaySettings

KILOBYTE: Final = 1 << 10
MOST_DEATHS: Final = 10  # of actors in a row without a finished job, for each that there should be


@dataclass
class Seat:
    """One actor and its jobs.

    Attributes:
        actor: its handle.
        jobs: number of each job by the reference of its result.
    """

    actor: Any
    jobs: dict[Any, int]


class RaySource:
    """See :class:`terracotta_training.alphazero.Source`.

    Args:
        run: whose jobs; Ray must be initialised.
        settings: how many actors, of what size, with how many jobs.
    """

    def __init__(self, run: AlphaZeroRun, settings: RaySettings) -> None:
        self.run, self.settings = run, settings
        self.replaced = 0
        self._deaths = 0  # in a row
        self._failures: Counter[int] = Counter()  # by number of the job
        self._version = -1
        self._weights: Any = None
        self._common = ray.put(run.common)
        self.seats = [self._seat(number) for number in range(self.settings.actors)]

    def _seat(self, number: int) -> Seat:
        settings, network = self.settings, self.run.network
        options = {"num_cpus": settings.cpus, "num_gpus": settings.gpus, "max_restarts": 0, "max_task_retries": 0}
        actor = (
            ray.remote(Player)
            .options(**options)
            .remote(
                self._common,
                network.kind,
                network.options,
                max(1, int(settings.cpus)),
                "cuda" if settings.gpus else "cpu",
                settings.kilobytes * KILOBYTE,
                f"actor-{number}",
            )
        )
        return Seat(actor, {})

    def publish(self) -> None:
        """Put the weights into the object store, where they are new, and fill up everybody's jobs."""
        run = self.run
        if run.version != self._version:
            self._version = run.version
            # the reference to the older ones goes; jobs that were given out with them hold their own
            self._weights = ray.put({name: tensor.cpu().numpy() for name, tensor in run.playing.state_dict().items()})
        for turn in range(self.settings.in_flight):
            for seat in self.seats:
                if len(seat.jobs) <= turn:
                    job = run.ledger.give()
                    seat.jobs[seat.actor.play.remote(job, self._version, self._weights)] = job.number

    def take(self) -> list[Block]:
        """Whatever is finished; waits for something.

        Raises:
            ConfigError: a job fails again and again, or actors do.
        """
        while True:
            self.publish()
            waiting = {result: number for number, seat in enumerate(self.seats) for result in seat.jobs}
            ready, _ = ray.wait(list(waiting), num_returns=1)
            blocks = [block for result in ready if (block := self._taken(waiting[result], result)) is not None]
            if blocks:
                self._deaths = 0
                return blocks

    def _taken(self, number: int, result: Any) -> Block | None:
        """The games of a finished job; None where they are lost, which gives it back."""
        seat = self.seats[number]
        if result not in seat.jobs:  # of an actor that has been replaced meanwhile
            return None
        try:
            parts: Parts = ray.get(result)
            samples = np.concatenate(ray.get(parts.samples))
        except RayTaskError as error:
            self._failed(seat, result, error)
            return None
        except (RayActorError, ObjectLostError) as error:
            self._replace(number, error)
            return None
        del seat.jobs[result]
        return Block(parts.done, samples)

    def _failed(self, seat: Seat, result: Any, error: Exception) -> None:
        job = seat.jobs.pop(result)
        self.run.ledger.take_back(job)
        self._failures[job] += 1
        if self._failures[job] > self.settings.retries:
            raise ConfigError(f"job {job} failed {self._failures[job]} times, last with: {_last_line(error)}")

    def _replace(self, number: int, error: Exception) -> None:
        """Another actor in the place of one that died; what it had is given again."""
        for job in self.seats[number].jobs.values():
            self.run.ledger.take_back(job)
        self.replaced += 1
        self._deaths += 1
        if self._deaths > MOST_DEATHS * len(self.seats):
            raise ConfigError(f"{self._deaths} actors died before any finished a job, the last: {_last_line(error)}")
        self.seats[number] = self._seat(number)

    def watched(self) -> dict[str, float]:
        return {"actors": float(len(self.seats)), "replaced": float(self.replaced)}

    def close(self) -> None:
        """End the actors; their unfinished jobs are nobody's."""
        for seat in self.seats:
            for job in seat.jobs.values():
                self.run.ledger.take_back(job)
            ray.kill(seat.actor)
        self.seats = []


def _last_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__
