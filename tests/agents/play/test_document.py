"""The sessions shown in docs/play.md are real: run again, they print what stands there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.agents.play.person import COMMAND, ROOT, environment

DOCUMENT = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```text\n\$ terracotta ([^\n]*)\n(.*?)```", DOCUMENT, re.DOTALL)
TYPED = re.compile(r"^(?:choice [^>]*|keep, [^>]*|\d+ of \d+) > (.*)$", re.MULTILINE)
RECORD = "record --players 2 --games 1 --seed 3 --agents busy --out games.jsonl"


def run(arguments: str, lines: list[str], folder: Path) -> str:
    done = subprocess.run(
        [*COMMAND, *arguments.split()],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(folder, COLUMNS="100"),
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_sessions_print_what_the_document_shows(tmp_path: Path) -> None:
    subprocess.run([*COMMAND, *RECORD.split()], check=True, cwd=tmp_path, env=environment(tmp_path), timeout=300)
    assert [arguments.split()[0] for arguments, _ in SESSIONS] == ["play", "replay"]
    for arguments, shown in SESSIONS:
        printed = run(arguments, TYPED.findall(shown), tmp_path)
        for part in shown.split("...\n"):
            assert part in printed
            printed = printed[printed.index(part) + len(part) :]
        assert printed == ""
