"""Every notebook runs from its text form, and a stored notebook holds the same code."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))


def code_of(notebook: Any) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def name_of(path: Path) -> str:
    return path.stem


def test_there_are_notebooks_and_none_without_its_text_form() -> None:
    assert NOTEBOOKS
    stored = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert stored <= {path.stem for path in NOTEBOOKS}


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_notebook_runs_without_an_error(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = Path(shutil.copy(path, tmp_path))
    before = sorted(path.parent.rglob("*"))
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    notebook = jupytext.read(copy)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()  # raises at the first cell that fails
    executed = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in executed)
    outputs = [output for cell in executed for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error"] == []
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    assert sorted(path.parent.rglob("*")) == before


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_stored_notebook_holds_the_code_of_its_text_form(path: Path) -> None:
    stored = path.with_suffix(".ipynb")
    if not stored.exists():
        pytest.skip(f"{stored.name} is not stored")
    assert code_of(nbformat.read(stored, as_version=4)) == code_of(jupytext.read(path))
