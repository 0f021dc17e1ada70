"""The tests of the page never go without their browser: it is installed, or one line says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.agents.serve import chromium


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """A machine without a browser; the commands that would be run."""
    asked: list[tuple[str, ...]] = []

    def run(command: tuple[str, ...], **given: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/apt-get" if name == "apt-get" else None)
    return asked


def test_without_a_browser_one_line_says_what_to_do(
    bare: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(RuntimeError, match="apt-get install chromium") as told:
        chromium.executable()
    assert "\n" not in str(told.value)
    assert bare == []


def test_where_it_may_it_installs_debians_package_and_says_so(
    bare: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(RuntimeError, match="there is none"):  # nothing was installed in truth
        chromium.executable()
    assert bare[-1] == chromium.INSTALL
    assert "chromium" in chromium.INSTALL


def test_an_install_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, bare: list[tuple[str, ...]]) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    failed = subprocess.CompletedProcess((), 100, "", "E: no such package")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(RuntimeError, match="no such package"):
        chromium.executable()


def test_a_named_browser_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "none"))
    with pytest.raises(RuntimeError, match="there is no file"):
        chromium.executable()
