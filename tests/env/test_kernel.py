"""Where compiled code is cached, that it is reused, that records are whole, that the compiler can be switched off."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

from terracotta_env import game as games
from terracotta_env import kernel as module
from terracotta_env import kernel_sources as sources
from terracotta_env.army import GAME
from terracotta_env.game import Game
from tests.env.playing import ROOT, fresh_process
from tests.toy import GAME as TOY

SOURCE = """
from terracotta_env.kernel import kernel

@kernel
def double(x):
    return 2 * x
"""
RUN = """
import pathlib, sys
sys.path.insert(0, {folder!r})
import mine
print(mine.double(21))
stats = mine.double.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""

# a rollout policy that takes the first (FIRST = 1) or the last legal action
POLICY = """
import numpy as np
from terracotta_env import game as verbs
from terracotta_env.kernel import kernel
from terracotta_env.rollout import Rollout, nth_legal, register_rollout

@kernel
def choose(policy, state, mask, uniform):
    legal = verbs.legal(state, mask)
    return nth_legal(mask, 0 if FIRST else legal - 1)

MINE = register_rollout(Rollout("mine", 1, np.zeros(1, np.dtype((np.record, [("mine", "i8")]))), choose))
"""
PLAY = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from mine import MINE
from terracotta_env import rollout
from tests.toy import GAME
states = GAME.make_states(1)
GAME.notation.write_board(states, GAME.default_board)
GAME.kernels.reset(states[0], 2, np.uint64(5))
print(rollout.choose_at(MINE.parameters, states, 0, np.zeros(GAME.actions, np.int8), 0.5))
print(sum(rollout.choose_at.stats.cache_misses.values()))
"""


@pytest.fixture(autouse=True)
def _fresh_folders() -> Iterator[None]:
    cached = (module.cache_folder, module._base_folder, sources.sources_of, sources._text, sources._imported_by)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel source outside the package, with a cache of its own."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "mine.py"
    source.write_text(SOURCE)
    return source


def folder_of(source: Path) -> Path:
    for function in (module.cache_folder, sources.sources_of, sources._text, sources._imported_by):
        function.cache_clear()
    return module.cache_folder(source)


# where it is cached --------------------------------------------------------------------------------------------------


def test_folder_stands_below_the_users_choice(outside: Path, tmp_path: Path) -> None:
    assert folder_of(outside).parent == tmp_path / "cache" / "terracotta"


def test_any_edit_of_a_source_starts_a_fresh_folder(outside: Path) -> None:
    before = folder_of(outside)
    assert folder_of(outside) == before
    outside.write_text(SOURCE.replace("2 *", "3 *"))
    assert folder_of(outside) != before
    outside.write_text(SOURCE)
    assert folder_of(outside) == before


def package(folder: Path, **files: str) -> Path:
    """A package ``rules`` with a package ``inner`` in it, and these modules (``inner_x`` lies in the latter)."""
    (folder / "rules" / "inner").mkdir(parents=True)
    for init in (folder / "rules" / "__init__.py", folder / "rules" / "inner" / "__init__.py"):
        init.write_text("")
    for name, text in files.items():
        path = folder / "rules" / f"{name.replace('inner_', 'inner/')}.py"
        path.write_text(text)
    return folder / "rules"


@pytest.mark.parametrize(
    "importing",
    [
        "from .callee import f",
        "from . import callee",
        "from . import (\n    other,\n    callee as c,  # why\n)",
        "from rules.callee import f",
        "import rules.callee",
        "import os, rules.callee as c",
        "def later():\n    from .callee import f",
        "from .middle import f",
        "from .inner.deep import f",
        "from .inner import deep",
    ],
)
def test_edit_of_what_a_file_imports_starts_a_fresh_folder(tmp_path: Path, outside: Path, importing: str) -> None:
    rules = package(
        tmp_path,
        caller=f"{importing}\n{SOURCE}",
        callee="f = 1\n",
        other="",
        middle="from .callee import f\n",
        inner_deep="from ..callee import f\n",
        stranger="g = 1\n",
    )
    before = folder_of(rules / "caller.py")
    (rules / "stranger.py").write_text("g = 2\n")
    assert folder_of(rules / "caller.py") == before, "nothing that it imports has changed"
    (rules / "callee.py").write_text("f = 2\n")
    assert folder_of(rules / "caller.py") != before


def test_edit_of_a_packages_init_on_the_way_counts(tmp_path: Path, outside: Path) -> None:
    rules = package(tmp_path, caller=f"import rules.inner.deep\n{SOURCE}", inner_deep="")
    before = folder_of(rules / "caller.py")
    (rules / "inner" / "__init__.py").write_text("changed = True\n")
    assert folder_of(rules / "caller.py") != before


def test_files_that_import_each_other_are_read_once(tmp_path: Path, outside: Path) -> None:
    rules = package(tmp_path, one="from . import two\n", two="from . import one\n")
    assert {path.name for path in sources.sources_of(rules / "one.py")} == {"__init__.py", "one.py", "two.py"}


def test_a_package_is_found_in_a_folder_of_another_name(
    tmp_path: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``terracotta_agents`` is in ``agents/``."""
    rules = package(tmp_path / "elsewhere", one="")
    alias = ModuleType("imported_rules")
    alias.__file__ = str(rules / "__init__.py")
    monkeypatch.setitem(sys.modules, "imported_rules", alias)
    outside.write_text("from imported_rules.inner import some_name\nfrom imported_rules import one\n")
    found = {path.relative_to(tmp_path).as_posix() for path in sources.sources_of(outside)}
    inits = {"elsewhere/rules/__init__.py", "elsewhere/rules/inner/__init__.py"}
    assert found == {"mine.py", "elsewhere/rules/one.py", *inits}


def test_rules_depend_on_no_view_and_shared_kernels_on_no_game() -> None:
    names = {path.name for path in sources.sources_of(ROOT / "terracotta_env" / "army" / "apply.py")}
    assert {"apply.py", "legal.py", "masters.py", "geometry.py", "bits.py", "kernel.py"} <= names
    assert not names & {"aec.py", "gym.py", "vector.py", "cli.py", "batch.py"}
    shared = sources.sources_of(ROOT / "terracotta_env" / "rows.py")
    assert not [path for path in shared if "army" in path.parts]


def test_shared_kernel_is_compiled_anew_when_what_it_is_specialised_for_has_changed(tmp_path: Path) -> None:
    """A rollout policy of the user's own, edited between two processes: the shared kernel stands in no edited file."""
    source = tmp_path / "mine.py"
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    counts = []
    for first in ("last", "first", "last"):
        source.write_text(POLICY.replace("FIRST", str(int(first == "first"))))
        os.utime(source, (1000, 1000))
        counts.append(fresh_process(PLAY.format(folder=str(tmp_path)), **settings).split())
    (last, missed), (best, missed_again), (again, missed_third) = counts
    assert last != best
    assert again == last
    assert (missed, missed_again, missed_third) == ("1", "1", "0")


def test_processes_take_turns_in_compiling(tmp_path: Path) -> None:
    """Of four that start on a cold cache together one compiles a kernel; the others wait and load it."""
    (tmp_path / "mine.py").write_text(SOURCE)
    code = RUN.format(folder=str(tmp_path))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", code]
    processes = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    answers = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    assert {out.split()[0] for out, _ in answers} == {"42"}
    assert sorted(out.split()[1:] for out, _ in answers) == [["0", "1"], *[["1", "0"]] * 3]
    assert len([err for _, err in answers if "compiling the engine" in err]) == 1


def test_failed_compilation_gives_up_its_turn(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOURCE)
    code = (
        "import fcntl, numba, pathlib, sys\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import mine\n"
        "try: mine.double('a' 'b', 3)\n"
        "except TypeError: pass\n"
        "try: mine.double({})\n"
        "except numba.TypingError: print('refused')\n"
        "with open(next(pathlib.Path(sys.argv[1]).rglob('compiling.lock')), 'ab') as file:\n"
        "    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "    print('free')"
    )
    cache = str(tmp_path / "cache")
    answer = fresh_process(code.replace("sys.argv[1]", repr(cache)), NUMBA_CACHE_DIR=cache, NUMBA_DISABLE_JIT="0")
    assert answer.split() == ["refused", "free"]


def test_bounds_checked_code_has_a_folder_of_its_own(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 0)
    plain = folder_of(outside)
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    assert folder_of(outside) != plain


def test_read_only_package_falls_back_to_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder can be made below a file")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(module, "_PACKAGE", blocked)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert module._base_folder() == tmp_path / "home" / "terracotta-army" / "kernels"


def test_without_any_place_a_temporary_folder_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(module, "_PACKAGE", blocked)
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert module._base_folder().is_dir()


def test_oldest_folders_are_pruned(outside: Path) -> None:
    base = folder_of(outside).parent
    others = module._KEPT_FOLDERS + 4
    for number in range(others):
        old = base / f"old{number}"
        old.mkdir()
        (old / "code.nbi").write_text("x")
        os.utime(old, (1000 + number, 1000 + number))
    outside.write_text(SOURCE + "\n")
    fresh = folder_of(outside)
    kept = {path.name for path in base.iterdir()}
    assert len(kept) == module._KEPT_FOLDERS
    assert fresh.name in kept
    assert {f"old{others - 1}", f"old{others - 2}"} <= kept
    assert "old0" not in kept


# what is compiled ----------------------------------------------------------------------------------------------------


def test_second_process_takes_compiled_code_from_the_cache(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOURCE)
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    code = RUN.format(folder=str(tmp_path))
    assert fresh_process(code, **settings).split() == ["42", "0", "1"]
    assert fresh_process(code, **settings).split() == ["42", "1", "0"]
    assert len(list((tmp_path / "cache").rglob("*.nbi"))) == 1


def test_edited_kernel_is_never_run_from_the_cache(tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    for text, result in ((SOURCE, "42"), (SOURCE.replace("2 *", "3 *"), "63")):
        source.write_text(text)
        os.utime(source, (1000, 1000))  # numba itself looks at time and size, which are the same here
        assert fresh_process(RUN.format(folder=str(tmp_path)), **settings).split()[0] == result


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled here")
def test_shared_kernels_of_both_games_are_reused_by_a_second_process() -> None:
    code = (
        "from terracotta_env.army import GAME; from tests.toy import GAME as TOY; from terracotta_env import entry\n"
        "from terracotta_env.position import Position\n"
        "for game in (GAME, TOY): Position.from_seed(game, 2, 1).play(0).mask()\n"
        "kernels = (entry.reset_at, entry.apply_at, entry.legal_at)\n"
        "print(*(sum(k.stats.cache_misses.values()) for k in kernels))\n"
        "print(*(sum(k.stats.cache_hits.values()) for k in kernels))"
    )
    fresh_process(code)
    assert fresh_process(code).split() == ["0", "0", "0", "2", "2", "2"]


def test_a_kernel_is_compiled_once_for_all_constants_it_is_called_with(tmp_path: Path) -> None:
    callers = "\n".join(f"@kernel\ndef call_{n}(): return double({n}) + double(True)" for n in (1, 2, 3))
    (tmp_path / "mine.py").write_text(f"{SOURCE}\n{callers}\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import mine\n"
        "print(mine.call_1(), mine.call_2(), mine.call_3(), *sorted(str(s[0]) for s in mine.double.signatures))"
    )
    answer = fresh_process(code, NUMBA_CACHE_DIR=str(tmp_path / "cache"), NUMBA_DISABLE_JIT="0")
    assert answer.split() == ["4", "6", "8", "bool", "int64"]


def test_compiler_can_be_switched_off() -> None:
    code = (
        "import types; from terracotta_env import entry; from terracotta_env.army import GAME\n"
        "verbs = [*vars(GAME.kernels).values(), entry.reset_at, entry.step_at]\n"
        "print(all(isinstance(verb, types.FunctionType) for verb in verbs))"
    )
    assert fresh_process(code, NUMBA_DISABLE_JIT="1").strip() == "True"
    assert fresh_process(code, NUMBA_DISABLE_JIT="0").strip() == "False"


def test_decorator_leaves_the_users_cache_setting_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    @module.kernel
    def nothing(x):
        return x

    assert str(tmp_path) == numba.config.CACHE_DIR
    assert nothing(3) == 3


# records -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])
def test_record_has_no_padding_and_every_field_is_aligned(game: Game) -> None:
    fields = game.dtype.fields
    assert fields is not None
    assert game.dtype.itemsize == sum(dtype.itemsize for dtype, *_ in fields.values())
    assert game.dtype.itemsize % 8 == 0
    for name, (dtype, offset, *_) in fields.items():
        assert offset % dtype.base.alignment == 0, name
        assert not hasattr(np.ndarray, name), f"{name} is a method of arrays and cannot be read as an attribute"


@pytest.mark.parametrize("game", [GAME, TOY], ids=["terracotta", "orchard"])
def test_game_is_complete_plain_data(game: Game) -> None:
    assert len(set(game.tokens)) == game.actions
    assert [game.action_of(token) for token in game.tokens] == list(range(game.actions))
    for block in game.observation:
        assert len(block.channels) == block.shape[block.axis]
        assert len({name for name, *_ in block.channels}) == len(block.channels)
        for name, meaning, low, high, step in block.channels:
            assert name
            assert meaning
            assert low < high
            assert 0 < step <= high
    fields = game.dtype.names
    assert fields is not None
    assert {*game.not_in_key, "players"} <= set(fields)


def variant(name: str, dtype: np.dtype) -> Game:
    return Game(**{**{field: getattr(TOY, field) for field in Game.__dataclass_fields__}, "name": name, "dtype": dtype})


def test_a_layout_may_be_registered_only_once() -> None:
    same = np.dtype((np.record, [(name, TOY.dtype[name]) for name in TOY.dtype.names or ()]))
    with pytest.raises(
        ValueError, match="same fields as that of 'orchard', and compiled code could not tell them apart"
    ):
        games.register(variant("meadow", same))
    with pytest.raises(ValueError, match="no game named 'meadow'"):
        games.find("meadow")


def test_a_name_may_be_registered_only_once() -> None:
    with pytest.raises(ValueError, match="a game named 'orchard' is registered already"):
        games.register(variant("orchard", np.dtype((np.record, [("players", "i8")]))))
