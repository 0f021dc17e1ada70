"""A small AlphaZero run of the toy game on Ray, to be killed: ``python -m tests.training.ray_run FOLDER``.

Begins the run of :mod:`tests.training.alphazero_runs` in the folder, or goes on with it, to its end, with one actor.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from terracotta_training.ray_cluster.cluster import LOCAL, cluster
from terracotta_training.ray_cluster.source import RaySource
from tests.training.alphazero_runs import resumed, tiny

OFTEN = {"checkpoint_seconds": 1e-6, "samples": 900}


def main(folder: Path) -> None:
    begun = (folder / "checkpoint.safetensors").exists()
    run = resumed(folder) if begun else tiny(folder, run=OFTEN, ray={"actors": 1})
    with cluster(LOCAL, run.config.ray), closing(RaySource(run, run.config.ray)) as run.source:
        assert run.train()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
