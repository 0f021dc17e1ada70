"""A whole training run in one file, to go on from exactly where it was.

Everything that follows depends on is in it: weights, optimiser, games under way and who plays them, the league, what
bots remember, generators and counters.  It is made between updates, so no samples are waiting.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.neural.store import StoreError, read_tensors, tensors_under, write_tensors
from terracotta_agents.rows import Remembers

from .league import Member

if TYPE_CHECKING:
    from .ppo import PpoRun
    from .run import Run

FILE: Final = "checkpoint.safetensors"
FORMAT: Final = "terracotta-ppo-checkpoint"
VERSION: Final = 1
_COUNTERS: Final = ("numbers", "decisions", "last_decisions", "seats", "players")  # arrays of a batch


def _bytes_of(records: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(records.view(np.uint8).reshape(len(records), records.dtype.itemsize).copy())


def save(run: PpoRun, path: Path) -> None:
    """Write the run's state."""
    collector, learner, league, batch = run.collector, run.learner, run.collector.league, run.collector.batch
    tensors = learned_tensors(run.network, learner.optimizer)
    for number, member in (league.members | league.retired).items():
        if isinstance(member.policy, NetworkRows):
            tensors |= {f"past.{number}.{name}": value for name, value in member.policy.network.state_dict().items()}
    for name, policy in run.bots.items():
        if isinstance(policy, Remembers):
            tensors |= {f"bot.{name}.{key}": torch.from_numpy(value.copy()) for key, value in policy.memory().items()}
    tensors["games.states"], tensors["games.last"] = _bytes_of(batch.states), _bytes_of(batch.last)
    tensors |= {f"games.{name}": torch.from_numpy(getattr(batch, name).copy()) for name in _COUNTERS}
    tensors |= {f"collector.{name}": torch.from_numpy(value) for name, value in collector.memory().items()}
    tensors["generator.actions"] = collector.generator.get_state()
    about: dict[str, Any] = {
        "version": VERSION,
        **described(run),
        "begun": batch.begun,
        "games": collector.games,
        "generators": {
            "seats": collector.rng.bit_generator.state,
            "shuffles": learner.generator.bit_generator.state,
        },
        "members": {str(number): _of_member(member) for number, member in league.members.items()},
        "retired": {str(number): _of_member(member) for number, member in league.retired.items()},
        "next_number": league.next_number,
    }
    write_tensors(path, FORMAT, tensors, about)


def _of_member(member: Member) -> dict[str, Any]:
    return {"name": member.name, "weight": member.weight, "share": member.share, "games": member.games}


def load(run: PpoRun, path: Path) -> None:
    """Put a fresh run with the same settings into the saved state.

    Raises:
        StoreError: the file is missing, damaged, of another game or rules version, or of other settings.
    """
    read_state(run, path, FORMAT, VERSION, lambda tensors, about: _put_back(run, tensors, about))


def _put_back(run: PpoRun, tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    collector, learner, league, batch = run.collector, run.learner, run.collector.league, run.collector.batch
    put_back_learned(run.network, learner.optimizer, tensors)
    by_name = {member.name: member.policy for member in league.members.values()}
    for target, source in ((league.members, "members"), (league.retired, "retired")):
        target.clear()
        for number, entry in about[source].items():
            past = tensors_under(f"past.{number}", tensors)
            policy = run.frozen(past) if past else by_name[entry["name"]]
            target[int(number)] = Member(entry["name"], policy, entry["weight"], entry["share"], entry["games"])
    league.next_number = about["next_number"]
    for name, bot in run.bots.items():
        if memory := tensors_under(f"bot.{name}", tensors):
            bot.put_back({key: value.numpy() for key, value in memory.items()})  # type: ignore[attr-defined]
    for records, name in ((batch.states, "states"), (batch.last, "last")):
        records.view(np.uint8).reshape(len(records), -1)[:] = tensors[f"games.{name}"].numpy()
    for name in _COUNTERS:
        getattr(batch, name)[:] = tensors[f"games.{name}"].numpy()
    batch.begun = about["begun"]
    collector.put_back({name: value.numpy() for name, value in tensors_under("collector", tensors).items()})
    collector.games = about["games"]
    collector.generator.set_state(tensors["generator.actions"])
    collector.rng.bit_generator.state = about["generators"]["seats"]
    learner.generator.bit_generator.state = about["generators"]["shuffles"]
    put_back_described(run, about)


def learned_tensors(network: torch.nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """Weights and the optimiser's moments by name."""
    tensors: dict[str, torch.Tensor] = {f"network.{name}": value for name, value in network.state_dict().items()}
    for place, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{place}.{name}": value for name, value in state.items()}
    return tensors


def put_back_learned(
    network: torch.nn.Module, optimizer: torch.optim.Optimizer, tensors: dict[str, torch.Tensor]
) -> None:
    """The inverse of :func:`learned_tensors`."""
    network.load_state_dict(tensors_under("network", tensors))
    moments: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in tensors_under("optimizer", tensors).items():
        place, _, name = key.partition(".")
        moments.setdefault(int(place), {})[name] = value
    optimizer.load_state_dict({"state": moments, "param_groups": optimizer.state_dict()["param_groups"]})


def described(run: Run) -> dict[str, Any]:
    """What every learner's checkpoint says: rules, cost so far, counters."""
    return {
        "game": run.game.name,
        "rules": run.game.rules_version,
        "samples": run.clock.samples,
        "seconds": run.clock.seconds,
        "core_seconds": run.clock.core_seconds,
        "updates": run.updates,
        "evaluated": run.evaluated,
    }


def put_back_described(run: Run, about: Mapping[str, Any]) -> None:
    """The inverse of :func:`described`."""
    run.clock.samples, run.clock.seconds = about["samples"], about["seconds"]
    run.clock.core_seconds = about["core_seconds"]
    run.updates, run.evaluated = about["updates"], about["evaluated"]


def read_state(
    run: Run,
    path: Path,
    kind: str,
    version: int,
    put_back: Callable[[dict[str, torch.Tensor], dict[str, Any]], None],
) -> None:
    """Read a checkpoint of this kind and hand its tensors and description to ``put_back``.

    Raises:
        StoreError: the file is missing, damaged, of another game or rules version, or of other settings.
    """
    wanted = {"version": version, "game": run.game.name, "rules": run.game.rules_version}
    tensors, about = read_tensors(path, kind, wanted)
    try:
        put_back(tensors, about)
    except (KeyError, ValueError, RuntimeError, TypeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise StoreError(f"{path}: does not fit the settings in config.json beside it ({reason})") from None


def copied(network: torch.nn.Module) -> torch.nn.Module:
    """A real copy that nobody trains."""
    return copy.deepcopy(network).eval().requires_grad_(False)
