"""Samples of the last games on disk, a file a job, read where they lie.

Files are never changed.  One that the window has passed stays until the run is saved without it, so a run that was
killed finds all that its last checkpoint names.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np

from terracotta_agents.neural.store import StoreError

from .run_folder import write_atomically

FOLDER: Final = "replay"


class Replay:
    """The samples that are learned from.

    Args:
        folder: of the run.
        kind: dtype of a sample.
        window: samples to keep; the oldest files go while the others have as many.
    """

    def __init__(self, folder: Path, kind: np.dtype, window: int) -> None:
        self.folder, self.kind, self.window = folder / FOLDER, kind, window
        self.blocks: dict[int, np.ndarray] = {}  # by number of the job, oldest first

    def __len__(self) -> int:
        return sum(map(len, self.blocks.values()))

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:08d}.npy"

    def add(self, number: int, samples: np.ndarray) -> None:
        """Write the samples of a job, shape ``(K,)``, and let the window pass over the oldest ones."""
        self.folder.mkdir(exist_ok=True)
        raw = io.BytesIO()
        np.save(raw, samples, allow_pickle=False)
        write_atomically(self._path(number), raw.getvalue())
        self.blocks[number] = self._open(number)
        while len(self) - len(self.blocks[oldest := next(iter(self.blocks))]) >= self.window:
            del self.blocks[oldest]

    def _open(self, number: int) -> np.ndarray:
        path = self._path(number)
        try:
            samples: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise StoreError(f"{path}: expected samples that the checkpoint names, cannot be read: {error}") from None
        if samples.dtype != self.kind:
            raise StoreError(f"{path}: holds samples of another game or version")
        return samples

    def tidy(self) -> None:
        """Remove the files that are not in the window: the run has been saved without them."""
        for path in self.folder.glob("*.npy"):
            if int(path.stem) not in self.blocks:
                path.unlink()

    def put_back(self, numbers: Iterable[int]) -> None:
        """Read the files of these jobs, oldest first, as a checkpoint names them; others are removed."""
        self.blocks = {number: self._open(number) for number in numbers}
        self.tidy()

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """``count`` samples, each of any with the same chance, a fresh array."""
        blocks = list(self.blocks.values())
        starts = np.cumsum([0, *map(len, blocks)])
        places = np.sort(rng.integers(starts[-1], size=count))
        which = np.searchsorted(starts, places, side="right") - 1
        return np.concatenate([block[places[which == k] - starts[k]] for k, block in enumerate(blocks)])
