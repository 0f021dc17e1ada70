"""Running the tests against mutants: a fork for each, of a process that has everything imported.

A worker of the kernels collects the tests, forks for each mutant, gives one function its mutated ``__code__`` and runs
the tests that come through the changed line (measured once), the file's own chapter first and quick ones before slow
ones, up to the first failure.  Code outside the kernels runs while modules are imported, so a worker of such mutants
imports only libraries; its forks import the package, one module of it mutated, and collect the tests themselves.

Results are lines of JSON, one for each mutant, appended as they come: a run goes on where an earlier one was killed.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from .mutate import FOLDER, PACKAGE, ROOT, RULES, Mutant, Source

TESTS = ("tests/rules", "tests/mutants/test_playthroughs.py")
PLAYTHROUGHS = "test_playthroughs.py"  # always last: what the tests written by hand notice counts more
OPTIONS = (
    "-q", "-x", "--timeout", "0", "--assert", "plain", "--tb", "no", "-p", "no:cacheprovider", "-p", "no:xdist",
    "--capture", "no",
)  # fmt: skip
# tests of a file's own chapter, in the order in which they are tried
CHAPTERS = {
    "geometry": ("test_gaps_geometry", "test_table", "test_figures", "test_statues"),
    "mausoleum": ("test_gaps_statues", "test_gaps_scoring", "test_statues", "test_scoring", "test_endgame"),
    "inspectors": ("test_statues", "test_masters", "test_scoring"),
    "wheel": ("test_turn", "test_table", "test_scoring", "test_gaps_statues", "test_gaps_table"),
    "warriors": ("test_statues", "test_turn", "test_gaps_statues", "test_gaps_table"),
    "specialists": ("test_statues", "test_turn", "test_gaps_statues"),
    "rings": ("test_turn", "test_masters", "test_gaps_statues"),
    "masters": ("test_gaps_table", "test_masters", "test_turn"),
    "legal": ("test_gaps_table", "test_turn", "test_actions", "test_statues"),
    "apply": ("test_turn", "test_statues", "test_masters", "test_gaps_table"),
    "scoring": ("test_scoring", "test_gaps_scoring"),
    "cleanup": ("test_scoring", "test_gaps_table"),
    "endgame": ("test_endgame", "test_gaps_table", "test_scoring", "test_gaps_scoring"),
    "setup": ("test_gaps_table", "test_setup", "test_figures"),
    "verbs": ("test_gaps_table", "test_endgame", "test_examples"),
}

COLLECTION = "collection"

Cover = dict[str, Any]  # "seconds": test -> seconds, "lines": file -> line -> tests


def digest() -> str:
    """Of everything that a measurement of the tests depends on."""
    found = hashlib.sha256()
    for folder in (ROOT / "terracotta_env", ROOT / "tests" / "rules", ROOT / "tests" / "mutants"):
        for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.txt"))):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def clear_caches() -> None:
    """Forget what tests have kept of earlier ones: a cached opening would hide a mutant of the setup."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tests.") or ".test_" in name or name.startswith("test_"):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def order(mutant: Mutant, tests: Sequence[str], cover: Cover, budget: float) -> list[str]:
    """Tests that may notice a mutant, likely and quick ones first; as many as take ``budget`` seconds, 0: all.

    A third of the time is left to the playthroughs.
    """
    tests_of_line: set[str] = set()
    if mutant.function:
        lines = cover["lines"].get(mutant.file, {})
        for line in range(mutant.line, mutant.last_line + 1):
            tests_of_line.update(lines.get(str(line), ()))
    else:
        tests_of_line.update(tests)
    tests_of_line.update(test for test in tests if test not in cover["seconds"])  # never measured
    chapter = CHAPTERS[mutant.module]

    def rank(test: str) -> tuple[bool, bool, float]:
        file = test.split("::")[0].rpartition("/")[2]
        seconds = cover["seconds"].get(test, 0.0)
        return file == PLAYTHROUGHS, seconds > 0.1 or file.removesuffix(".py") not in chapter, seconds

    chosen = []
    spent = {False: 0.0, True: 0.0}
    for test in sorted((test for test in tests if test in tests_of_line), key=rank):
        is_play = PLAYTHROUGHS in test
        spent[is_play] += cover["seconds"].get(test, 0.0)
        if not budget or spent[is_play] <= budget * (1 / 3 if is_play else 2 / 3):
            chosen.append(test)
    return chosen


# Forks ---------------------------------------------------------------------------------------------------------------


def watch(pid: int, pipe: int, limit_of: Callable[[str], float]) -> tuple[str, str]:
    """Follow a fork through the names of tests it writes, one a line; ``(outcome, test)``.

    The fork ends with 0 where every test passed, with 1 at a failed one; what takes too long is killed.
    """
    test, rest, silent_since = "", b"", time.monotonic()
    outcome = ""
    while True:
        ready, _, _ = select.select([pipe], [], [], 0.5)
        if ready:
            data = os.read(pipe, 65536)
            if not data:
                break
            lines = (rest + data).split(b"\n")
            rest = lines.pop()
            if lines:
                test, silent_since = lines[-1].decode(), time.monotonic()
        elif time.monotonic() - silent_since > limit_of(test):
            outcome = "timeout"
            os.kill(pid, signal.SIGKILL)
            break
    os.close(pipe)
    _, status = os.waitpid(pid, 0)
    if outcome:
        return outcome, test
    return ("survived", "") if status == 0 else ("killed", test)


def limit_of(test: str, cover: Cover) -> float:
    """Seconds after which a test is taken to hang; others may use the machine too."""
    return 2 + 8 * float(cover["seconds"].get(test, 0))


def fork(child: Callable[[Callable[[str], None]], bool], limit_of: Callable[[str], float]) -> tuple[str, str]:
    """Run ``child(report)`` in a fork; it says whether all tests passed."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(writer)
        return watch(pid, reader, limit_of)
    code = 1
    try:
        os.close(reader)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        pages = int(Path("/proc/self/statm").read_text().split()[0])  # a mutant may want ever more memory
        most = pages * os.sysconf("SC_PAGE_SIZE") + (2 << 30)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

        def report(test: str) -> None:
            os.write(writer, test.encode() + b"\n")

        code = 0 if child(report) else 1
    except BaseException:
        code = 1
    finally:
        os._exit(code)


class Session:
    """A pytest plugin that does ``work(items)`` instead of running the collected tests."""

    def __init__(self, work: Callable[[dict[str, pytest.Item]], None]) -> None:
        self.work = work
        self.failed = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise RuntimeError("the tests cannot be collected")
        self.work({item.nodeid: item for item in session.items})
        return True


def run_item(item: pytest.Item) -> bool:
    """Run one test; did it pass?"""
    from _pytest.runner import runtestprotocol

    return all(not report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def collect(work: Callable[[dict[str, pytest.Item]], None], paths: Sequence[str] = TESTS) -> int:
    package = importlib.import_module("terracotta_env")
    if package.__file__ is None or ROOT not in Path(package.__file__).parents:
        raise SystemExit(f"not the package of this checkout: {package.__file__}")
    return int(pytest.main([*OPTIONS, *paths], plugins=[Session(work)]))


# Measuring, once -----------------------------------------------------------------------------------------------------


def measure(target: Path) -> None:
    """Seconds of each test, and the tests that come through each line of the kernels; all must pass."""
    import coverage

    found: Cover = {"digest": digest(), "seconds": {}, "lines": {}}

    def work(items: dict[str, pytest.Item]) -> None:
        for test, item in items.items():
            clear_caches()
            started = time.perf_counter()
            if not run_item(item):
                raise SystemExit(f"{test} fails without any mutant")
            found["seconds"][test] = round(time.perf_counter() - started, 4)
        cover = coverage.Coverage(data_file=None, include=[f"{FOLDER}/*.py"], config_file=False, messages=False)
        cover.start()
        for test, item in items.items():
            clear_caches()
            cover.switch_context(test)
            run_item(item)
        cover.stop()
        data = cover.get_data()
        for module in RULES:
            lines = data.contexts_by_lineno(str(FOLDER / f"{module}.py"))
            found["lines"][f"{module}.py"] = {str(line): sorted(filter(None, t)) for line, t in lines.items()}

    if collect(work) != 0 or not found["seconds"]:
        raise SystemExit("the tests could not be measured")
    target.write_text(json.dumps(found), encoding="utf-8")


# Workers -------------------------------------------------------------------------------------------------------------


class Results:
    """The JSONL file; one whole line is written at once, so that a kill leaves at most none of it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, mutant: Mutant, outcome: str, test: str, seconds: float) -> None:
        entry = {
            "mutant": mutant.key, "outcome": outcome, "test": test, "seconds": round(seconds, 2),
            "operator": mutant.operator,
        }  # fmt: skip
        line = json.dumps(entry) + "\n"
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line)

    def read(self) -> dict[str, dict[str, Any]]:
        """The last entry of each mutant."""
        found = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    entry = json.loads(line)
                except json.JSONDecodeError:  # the line that a kill cut off
                    continue
                found[entry["mutant"]] = entry
        return found


def work_on_kernels(mutants: list[Mutant], cover: Cover, results: Results, budget: float) -> None:
    sources: dict[str, Source] = {}

    def work(items: dict[str, pytest.Item]) -> None:
        gc.freeze()  # a fork that collects garbage would copy every page
        for mutant in mutants:
            source = sources.setdefault(mutant.module, Source(mutant.module))
            code = source.code(mutant)
            kernel = getattr(importlib.import_module(f"{PACKAGE}.{mutant.module}"), mutant.function)
            chosen = order(mutant, list(items), cover, budget)

            def child(
                report: Callable[[str], None], kernel: Any = kernel, code: CodeType = code, chosen: list[str] = chosen
            ) -> bool:
                clear_caches()
                kernel.__code__ = code
                for test in chosen:
                    report(test)
                    if not run_item(items[test]):
                        return False
                return True

            started = time.monotonic()
            outcome, test = fork(child, lambda test: limit_of(test, cover))
            results.add(mutant, outcome, test, time.monotonic() - started)

    if collect(work) != 0:
        raise SystemExit("a worker failed")


class Mutated(MetaPathFinder):
    """Imports one module of the package with other code."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.name, self.code = f"{PACKAGE}.{module}", code

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.name:
            return None
        spec = PathFinder.find_spec(name, path)
        code = self.code

        class Loader(SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:
                return code

        assert spec is not None
        assert spec.origin is not None
        spec.loader = Loader(name, spec.origin)
        return spec


def work_on_imports(mutants: list[Mutant], cover: Cover, results: Results, budget: float) -> None:
    for name in ("coverage", "gymnasium", "hypothesis", "numba.extending", "numpy.testing", "pettingzoo"):
        importlib.import_module(name)
    if any(name.startswith("terracotta_env") for name in sys.modules):
        raise SystemExit("a worker of imports must not have imported the package")
    sources: dict[str, Source] = {}

    def limit(test: str) -> float:
        return 40.0 if test == COLLECTION else limit_of(test, cover)

    for mutant in mutants:
        code = sources.setdefault(mutant.module, Source(mutant.module)).code(mutant)

        def child(report: Callable[[str], None], mutant: Mutant = mutant, code: CodeType = code) -> bool:
            sys.meta_path.insert(0, Mutated(mutant.module, code))
            passed = False

            def work(items: dict[str, pytest.Item]) -> None:
                nonlocal passed
                for test in order(mutant, list(items), cover, budget):
                    report(test)
                    if not run_item(items[test]):
                        return
                passed = True

            chapter = [f"tests/rules/{name}.py" for name in CHAPTERS[mutant.module]]
            report(COLLECTION)
            return collect(work, [*chapter, TESTS[1]] if budget else TESTS) == 0 and passed

        started = time.monotonic()
        outcome, test = fork(child, limit)
        results.add(mutant, outcome, test, time.monotonic() - started)


# The run -------------------------------------------------------------------------------------------------------------


def start(arguments: list[str], quiet: bool = True) -> subprocess.Popen[bytes]:
    """Another process of this program, with the compiler off and this checkout first on the path."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    output = subprocess.DEVNULL if quiet else None
    return subprocess.Popen(
        [sys.executable, "-m", "tests.mutants", *arguments], cwd=ROOT, env=environment, stdout=output
    )


def measured(folder: Path) -> Path:
    """The measurement of the tests as they are now, made if there is none."""
    target = folder / "cover.json"
    if not target.exists() or json.loads(target.read_text(encoding="utf-8"))["digest"] != digest():
        print("Measuring the tests ...", flush=True)
        if start(["measure", "--out", str(folder)]).wait() != 0:
            raise SystemExit("the tests could not be measured: do they pass? NUMBA_DISABLE_JIT=1 pytest tests/rules")
    return target


def run(mutants: list[Mutant], folder: Path, jobs: int, budget: float) -> None:
    """Run the tests on all mutants, with progress and the time left."""
    if not mutants:
        return
    measured(folder)
    results = Results(folder / "results.jsonl")
    started, done, total = time.monotonic(), 0, len(mutants)
    survived = 0
    begin_size = results.path.stat().st_size if results.path.exists() else 0
    for kind, chosen in (
        ("kernels", [m for m in mutants if m.function]),
        ("imports", [m for m in mutants if not m.function]),
    ):
        if not chosen:
            continue
        workers = []
        for job in range(jobs):
            todo = folder / f"todo-{job}.json"
            todo.write_text(json.dumps([m.key for m in chosen[job::jobs]]), encoding="utf-8")
            workers.append(start([f"work-{kind}", "--out", str(folder), "--todo", str(todo), "--budget", str(budget)]))
        try:
            for fresh in _follow(workers, results.path, begin_size):
                begin_size += len(fresh.encode())
                for line in fresh.splitlines():
                    done += 1
                    survived += json.loads(line)["outcome"] == "survived"
                left = (time.monotonic() - started) / max(done, 1) * (total - done)
                print(f"\r{done}/{total} mutants, {survived} survived, {left / 60:.1f} min left   ", end="", flush=True)
        finally:
            for worker in workers:
                worker.terminate()
        if any(worker.wait() not in (0, -signal.SIGTERM) for worker in workers):
            raise SystemExit("\na worker failed")
    print()


def _follow(workers: list[subprocess.Popen[bytes]], path: Path, at: int) -> Iterator[str]:
    """What the workers append to a file, in whole lines."""
    working = True
    while working:
        working = any(worker.poll() is None for worker in workers)
        if path.exists():
            with path.open("rb") as file:
                file.seek(at)
                data = file.read()
            data = data[: data.rfind(b"\n") + 1]
            at += len(data)
            if data:
                yield data.decode()
        if working:
            time.sleep(1)
