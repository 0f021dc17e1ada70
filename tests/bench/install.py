"""Installs the peers of peers.txt into a virtual environment of their own, each by itself.

    python -m tests.bench.install .venv-peers

What is installed already is left; what failed is tried again.  How each fared is written to ``peers.json`` in that
environment, where the benchmark reads it: a peer that does not install is reported, and the others are measured.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
STATUS = "peers.json"
PATIENCE = 900.0  # seconds for one peer


def requirements(text: str) -> dict[str, list[str]]:
    """Peer -> what pip is asked for."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    parts = (line.partition(":") for line in lines if line)
    return {name.strip(): wanted.split() for name, _, wanted in parts}


def pip_install(python: Path, wanted: list[str]) -> str | None:
    """None, or in a line why it did not install."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["-c", str(HERE / "peers-constraints.txt"), *wanted]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"pip took longer than {PATIENCE:.0f} s"
    if done.returncode == 0:
        return None
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    return (errors or done.stderr.strip().splitlines() or ["pip failed without a word"])[-1].removeprefix("ERROR: ")


def install(folder: Path, peers: dict[str, list[str]]) -> dict[str, Any]:
    """Bring the environment up to date; returns and writes the status of each peer."""
    status_file = folder / STATUS
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True, clear=True)
    before = json.loads(status_file.read_text()) if status_file.exists() else {}
    status: dict[str, Any] = {}
    for name, wanted in peers.items():
        old = before.get(name, {})
        if not (old.get("installed") and old.get("wanted") == wanted):
            print(f"installing {' '.join(wanted)} ...", flush=True)
            reason = pip_install(folder / "bin" / "python", wanted)
            if reason:
                print(f"  not installed: {reason}", flush=True)
            old = {"wanted": wanted, "installed": reason is None, "reason": reason}
        status[name] = old
        status_file.write_text(json.dumps({**before, **status}, indent=1))  # kept where the next one is interrupted
    status_file.write_text(json.dumps(status, indent=1))
    return status


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    install(arguments.folder, requirements((HERE / "peers.txt").read_text()))


if __name__ == "__main__":
    main()
