"""A whole AlphaZero run in one file beside its replay: made between updates, so no job is half counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch

from terracotta_agents.neural.store import tensors_under, write_tensors

from .checkpoint import described, learned_tensors, put_back_described, put_back_learned, read_state

if TYPE_CHECKING:
    from .alphazero import AlphaZeroRun

FORMAT: Final = "terracotta-alphazero-checkpoint"
VERSION: Final = 1


def save(run: AlphaZeroRun, path: Path) -> None:
    """Write the run's state; then what replay holds beyond it goes."""
    tensors = learned_tensors(run.network, run.learner.optimizer)
    tensors |= {f"playing.{name}": value for name, value in run.playing.state_dict().items()}
    about = {
        "version": VERSION,
        **described(run),
        "playing_version": run.version,
        "jobs": run.ledger.state(),
        "replay": list(run.replay.blocks),
        "draws": run.learner.generator.bit_generator.state,
    }
    write_tensors(path, FORMAT, tensors, about)
    run.replay.tidy()


def load(run: AlphaZeroRun, path: Path) -> None:
    """Put a fresh run with the same settings into the saved state.

    Raises:
        StoreError: the file or a file of replay is missing, damaged, of another game or of other settings.
    """

    def put_back(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
        put_back_learned(run.network, run.learner.optimizer, tensors)
        run.playing.load_state_dict(tensors_under("playing", tensors))
        run.version = about["playing_version"]
        run.ledger.put_back(about["jobs"])
        run.replay.put_back(about["replay"])
        run.log.keep(run.ledger)
        run.learner.generator.bit_generator.state = about["draws"]
        put_back_described(run, about)

    read_state(run, path, FORMAT, VERSION, put_back)
