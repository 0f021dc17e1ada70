"""The real browser of the tests: the system's Chromium, driven by Playwright, which downloads none of its own."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALL = ("apt-get", "install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core")
WHAT_TO_DO = "install the package chromium (apt-get install chromium), or name the program in the variable CHROMIUM"


def executable() -> str:
    """Path of the browser; where there is none Debian's package is installed, or an error says what to do."""
    if given := os.environ.get("CHROMIUM"):
        if not Path(given).is_file():
            raise RuntimeError(f"CHROMIUM: there is no file {given}: {WHAT_TO_DO}")
        return given
    with (Path(tempfile.gettempdir()) / "terracotta-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the tests' processes ask at the same time
        if (found := _found()) is None:
            _install()
            found = _found()
    if found is None:
        raise RuntimeError(f"the tests of the web page need Chromium, and there is none: {WHAT_TO_DO}")
    return found


def _found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _install() -> None:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return
    print("installing Debian's package chromium for the tests of the web page ...", file=sys.__stderr__, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (("apt-get", "update", "-qq"), INSTALL):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed ({done.stderr.strip()[-300:]}): {WHAT_TO_DO}")
