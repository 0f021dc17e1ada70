"""Requests made from the server's own schema, good and bad: no answer may be a fault, each must be as the schema says.

    python -m tests.agents.serve.fuzz --cases 10000

Schemathesis makes them.  Half of the runs draw the names of games at random or from earlier answers, the others name a
game that is there, so that its addresses are reached.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click

from tests.agents.serve.serving import OPTIONS, Running, good, running

VISITOR = "f" * 32
# What is in a record or a text no JSON schema can say: these refuse what does not replay.  Everything else that fits
# the schema must be done, or refused by the state of a game (404, 409).
CONFIG = """
headers = {{ "X-Visitor" = "{visitor}" }}
# too long to be looked at is refused, too
checks.negative_data_rejection.expected-statuses = ["4xx"]
{parameters}
[[operations]]
include-path = "/api/records"
checks.positive_data_acceptance.expected-statuses = ["2xx", "422"]

[[operations]]
include-path = "/api/positions"
checks.positive_data_acceptance.expected-statuses = ["2xx", "409", "422"]
"""


@dataclass(frozen=True)
class Outcome:
    """What a run of Schemathesis found."""

    cases: int
    passed: bool
    report: str


def fuzz(server: Running, examples: int, seed: int, phases: str, named: bool) -> Outcome:
    """One run; ``examples`` for each address; ``named`` with a game that is there."""
    parameters, chosen = "", list[str]()
    if named:
        visitor = server.visitor(VISITOR)
        game = visitor.play(visitor.begin("human", "busy", seed=3), 30)["game"]
        parameters, chosen = f'parameters = {{ "path.game" = "{game}" }}', ["--exclude-method", "DELETE"]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "schemathesis.toml"
        config.write_text(CONFIG.format(visitor=VISITOR, parameters=parameters), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "--no-color", "run",
             f"{server.address}/openapi.json", "--phases", phases, "--max-examples", str(examples),
             "--seed", str(seed), "--continue-on-failure", "--request-timeout", "30", "--warnings", "off", *chosen],
            cwd=folder, env={**os.environ, "COLUMNS": "120"}, capture_output=True, text=True, timeout=3600,
        )  # fmt: skip
    counted = re.search(r"(\d+) generated", done.stdout)
    return Outcome(int(counted[1]) if counted else 0, done.returncode == 0, done.stdout + done.stderr)


@click.command()
@click.option("--cases", default=10_000, show_default=True, help="At least so many.")
@click.option("--seed", default=1, show_default=True)
def main(cases: int, seed: int) -> None:
    """Ask until there were enough cases."""
    done, start, number = 0, time.perf_counter(), 0
    with running(OPTIONS) as server:
        while done < cases:
            outcome = fuzz(server, 60, seed + number, "examples,coverage,fuzzing,stateful", named=number % 2 == 1)
            done += outcome.cases
            number += 1
            click.echo(f"run {number}: {outcome.cases} cases, {'passed' if outcome.passed else 'FAILED'}")
            if not outcome.passed or not outcome.cases:
                click.echo(outcome.report)
                raise SystemExit(1)
        good(server.visitor().get("about"))  # it is still there
    click.echo(f"{done} cases, no fault, in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
