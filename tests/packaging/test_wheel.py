"""The distributions that ``pip`` would build: what is in them, and that the installed package works outside the tree.

The source distribution is made from what git knows of the tree, and the wheel from the source distribution, so a file
that either lacks is missed here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packages import ROOT, folders

PROGRAM = Path(__file__).with_name("user_program.py")
IMPORTED = {"terracotta_env": "terracotta_env", **folders()}
# for those who work on the project in its repository
NOT_IN_SDIST = (".ci/", ".github/", ".gitattributes", ".gitignore")
PIP = (sys.executable, "-m", "pip")
pytestmark = pytest.mark.slow


def tracked() -> list[str]:
    """Files of the tree that git tracks or would, as paths with slashes."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git work tree")
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def run(words: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """What a command prints that runs in ``folder`` and knows nothing of this tree."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "MYPY"))}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=500, env={**kept, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True)
class Built:
    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("build")
    for name in tracked():
        (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / "tree" / name)
    make = "import setuptools.build_meta as backend, sys; backend.build_sdist(sys.argv[1])"
    run([sys.executable, "-c", make, folder], folder / "tree")
    (sdist,) = folder.glob("*.tar.gz")
    run([*PIP, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, sdist], folder)
    (wheel,) = folder.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of an environment with the wheel; libraries are those of the environment of the tests."""
    folder = tmp_path_factory.mktemp("user") / "venv"
    venv.create(folder, symlinks=True)
    scheme = {"base": str(folder), "platbase": str(folder)}
    own = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    # only what stands in a folder of the import path itself, so not what is installed to be edited
    others = dict.fromkeys(path for path in sys.path if path.endswith("site-packages"))
    (own / "libraries.pth").write_text("\n".join(others))
    python = folder / "bin" / "python"
    options = ("--quiet", "--no-deps", "--no-index", "--ignore-installed")
    run([*PIP, "--python", python, "install", *options, built.wheel], folder)
    where = run([python, "-c", "import terracotta_agents; print(terracotta_agents.__file__)"], folder)
    assert Path(where.strip()).is_relative_to(own)
    return python.parent


def test_source_distribution_holds_the_whole_project(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        files = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    made = {"PKG-INFO", "setup.cfg"}
    found = {name for name in files - made if not name.startswith("terracotta_army.egg-info/")}
    assert found == {name for name in tracked() if not name.startswith(NOT_IN_SDIST)}


def test_wheel_holds_every_file_of_the_packages_and_no_other(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = set()
    for name, folder in IMPORTED.items():
        files = [path for path in tracked() if path.startswith(f"{folder}/")]
        expected |= {f"{name}/{path.removeprefix(f'{folder}/')}" for path in files}
    assert found == expected
    assert {f"{name}/py.typed" for name in IMPORTED} <= found


def test_wheel_claims_no_common_names(built: Built) -> None:
    """``agents`` and ``training`` are other people's packages too."""
    with zipfile.ZipFile(built.wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(IMPORTED)


def test_installed_command_lists_its_commands(installed: Path, tmp_path: Path) -> None:
    shown = run([installed / "terracotta", "--help"], tmp_path)
    for command in ("arena", "play", "record", "serve", "train", "verify"):
        assert f"\n  {command} " in shown
    assert "Not available" not in shown


def test_installed_package_plays_and_verifies_what_it_played(installed: Path, tmp_path: Path) -> None:
    interpreted = {"NUMBA_DISABLE_JIT": "1"}  # or every run would compile the engine anew
    assert run([installed / "python", PROGRAM], tmp_path, **interpreted) == "played\n"
    words = ["record", "--players", "2", "--games", "1", "--seed", "1", "--agents", "random", "--out", "games.jsonl"]
    run([installed / "terracotta", *words], tmp_path, **interpreted)
    assert "1 game" in run([installed / "terracotta", "verify", "games.jsonl"], tmp_path, **interpreted)


def test_a_users_program_is_typed_against_the_installed_package(installed: Path, tmp_path: Path) -> None:
    shutil.copyfile(PROGRAM, tmp_path / "program.py")
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable")
    assert "Success" in run([*mypy, installed / "python", "program.py"], tmp_path)
