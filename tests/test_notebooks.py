"""Every notebook runs from its text form in its small setting; a stored notebook holds the same code and no output."""

from __future__ import annotations

import os
import re
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


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the data sets, shared by all notebooks and by all processes of one run of the tests."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "notebook-games"


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.name != "__pycache__" and path.suffix != ".pyc")


def complaints(outputs: list[Any]) -> list[str]:
    """What was written to standard error, less the announcement of a first compilation."""
    lines = "".join(output.text for output in outputs if output.get("name") == "stderr").splitlines()
    return [line for line in lines if not line.startswith("compiling the engine")]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_notebook_runs_without_an_error(
    path: Path, tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(shutil.copy(path, tmp_path))
    before = files_in(path.parent), files_in(ROOT / "docs")
    paths = [str(ROOT), str(path.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("TERRACOTTA_NOTEBOOK", "small")
    monkeypatch.setenv("TERRACOTTA_NOTEBOOK_DATA", str(games))
    notebook = jupytext.read(copy)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()  # raises at the first cell that fails
    executed = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in executed)
    outputs = [output for cell in executed for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error"] == []
    assert complaints(outputs) == []
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert (files_in(path.parent), files_in(ROOT / "docs")) == before


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.stem > "02"], ids=name_of)
def test_the_first_code_cell_answers_with_a_picture_and_sentences(path: Path) -> None:
    first = code_of(jupytext.read(path))[0]
    assert "page.show(" in first
    assert "page.say(" in first


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_stored_notebook_holds_the_code_of_its_text_form_and_no_output(path: Path) -> None:
    stored = nbformat.read(path.with_suffix(".ipynb"), as_version=4)
    assert code_of(stored) == code_of(jupytext.read(path))
    assert not any(cell.outputs or cell.execution_count for cell in stored.cells if cell.cell_type == "code")


def test_the_page_of_figures_has_a_section_of_every_notebook_and_its_pictures() -> None:
    page = (ROOT / "docs" / "analysis.md").read_text(encoding="utf-8")
    pictures = re.findall(r"\]\((analysis/[^)]+)\)", page)
    questions = {path.stem[:2] for path in NOTEBOOKS if path.stem > "02"}
    assert set(re.findall(r"(?m)^## (\d\d) ", page)) == {*questions, "10"}  # at last the commands
    assert {f"analysis/{file.name}" for file in (ROOT / "docs" / "analysis").iterdir()} == set(pictures)
    assert all((ROOT / "docs" / picture).stat().st_size < 150_000 for picture in pictures)
