"""The mutation tool itself: it mutates decorated kernels, mutants really differ, and the survivors argued exist."""

import difflib
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from terracotta_env.army import masters
from tests.mutants.__main__ import sampled, table
from tests.mutants.mutate import RULES, Mutant, Source, find_mutants
from tests.mutants.run import Results, order
from tests.mutants.survivors import argued

EXAMPLE = '''
"""A chapter."""
from ..kernel import kernel

LIMIT = 3


@kernel
def example(state, seat):
    """Not mutated: "1 < 2"."""
    total = 0
    for place in range(LIMIT):
        if place == seat and not state.closed:
            continue
        total += state.coins[seat, place] << 1
        if total > 9 or seat != 0:
            break
    while total < 5:
        total |= 4
    state.done = True
    note(state)
    return max(total - 1, ~seat)
'''


@pytest.fixture(scope="module")
def mutants() -> list[Mutant]:
    return find_mutants()


@pytest.fixture
def example(tmp_path: Path) -> Source:
    (tmp_path / "state.py").write_text("", encoding="utf-8")
    path = tmp_path / "example.py"
    path.write_text(EXAMPLE, encoding="utf-8")
    return Source("example", path)


@pytest.mark.parametrize("module", RULES)
def test_every_file_has_mutants_inside_its_decorated_kernels(mutants: list[Mutant], module: str) -> None:
    assert sum(mutant.module == module and mutant.function != "" for mutant in mutants) > 20


def test_there_are_at_least_1500_mutants_each_with_a_key_of_its_own(mutants: list[Mutant]) -> None:
    assert len(mutants) == len({mutant.key for mutant in mutants}) >= 1500


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("total = 0", "total = 1"),
        ("total = 0", "pass"),
        ("for place in range(LIMIT):", "for place in range(LIMIT + 1):"),
        ("for place in range(LIMIT):", "for place in range(LIMIT - 1):"),
        ("for place in range(LIMIT):", "for place in ():"),
        ("for place in range(LIMIT):", "for place in range(LIMIT): ... break"),
        ("if place == seat and (not state.closed):", "if place != seat and (not state.closed):"),
        ("if place == seat and (not state.closed):", "if place == seat or not state.closed:"),
        ("if place == seat and (not state.closed):", "if place == seat and state.closed:"),
        ("if place == seat and (not state.closed):", "if False:"),
        ("continue", "break"),
        ("total += state.coins[seat, place] << 1", "total -= state.coins[seat, place] << 1"),
        ("total += state.coins[seat, place] << 1", "total = state.coins[seat, place] << 1"),
        ("total += state.coins[seat, place] << 1", "total += state.coins[seat, place] >> 1"),
        ("total += state.coins[seat, place] << 1", "total += state.coins[place, seat] << 1"),
        ("total += state.coins[seat, place] << 1", "pass"),
        ("if total > 9 or seat != 0:", "if total >= 9 or seat != 0:"),
        ("if total > 9 or seat != 0:", "if total > 9 and seat != 0:"),
        ("break", "continue"),
        ("break", "pass"),
        ("while total < 5:", "while False:"),
        ("total |= 4", "total &= 4"),
        ("state.done = True", "state.done = False"),
        ("note(state)", "pass"),
        ("return max(total - 1, ~seat)", "return max(total + 1, ~seat)"),
        ("return max(total - 1, ~seat)", "return max(total - 1, seat)"),
        ("return max(total - 1, ~seat)", "return min(total - 1, ~seat)"),
        ("return max(total - 1, ~seat)", "return 0"),
    ],
)
def test_operators(example: Source, was: str, now: str) -> None:
    assert (was, now) in {(mutant.was, mutant.now) for mutant in example.mutants}


def test_mutants_that_run_alike_are_left_out(example: Source) -> None:
    texts = [(mutant.line, mutant.now) for mutant in example.mutants]
    assert len(texts) == len(set(texts))
    assert all(mutant.was != mutant.now for mutant in example.mutants)
    assert not any('"""' in mutant.was for mutant in example.mutants)


def test_a_mutants_code_does_the_changed_thing() -> None:
    function: Any = getattr(masters.options_supervisor, "py_func", masters.options_supervisor)
    source = Source("masters")
    mutant = next(m for m in source.mutants if m.function == "options_supervisor" and m.now == "return ALL_PAIRS + 1")
    changed = FunctionType(source.code(mutant), function.__globals__)
    assert (function(None), changed(None)) == (0b111111, 0b1000000)


def test_a_seed_draws_the_same_sample(mutants: list[Mutant]) -> None:
    assert sampled(mutants, 50, 3) == sampled(mutants, 50, 3) != sampled(mutants, 50, 4)
    assert sampled(mutants, 0, 3) == mutants


def test_results_outlive_a_kill(tmp_path: Path, example: Source) -> None:
    results = Results(tmp_path / "results.jsonl")
    first, second, *_ = example.mutants
    results.add(first, "survived", "", 1)
    results.add(first, "killed", "tests/rules/test_turn.py::test_a", 1)
    results.add(second, "survived", "", 1)
    results.path.write_text(results.path.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    assert {key: entry["outcome"] for key, entry in results.read().items()} == {first.key: "killed"}


def test_tests_of_the_line_run_playthroughs_last(mutants: list[Mutant]) -> None:
    mutant = next(mutant for mutant in mutants if mutant.file == "scoring.py" and mutant.function)
    tests = [f"tests/rules/{name}" for name in ("test_turn.py::a", "test_scoring.py::b", "test_turn.py::c")]
    plays = ["tests/mutants/test_playthroughs.py::d"]
    seconds = dict(zip([*tests, *plays], (0.02, 0.03, 0.01, 0.01)))
    cover = {"seconds": seconds, "lines": {"scoring.py": {str(mutant.line): [*tests[:2], *plays]}}}
    everything = [*plays, *tests]
    assert order(mutant, everything, cover, 0) == [tests[1], tests[0], *plays]
    assert order(mutant, everything, cover, 0.05) == [tests[1], *plays]


def test_the_table_tells_hand_written_tests_from_playthroughs(mutants: list[Mutant]) -> None:
    three = [mutant for mutant in mutants if mutant.module == "verbs"][:3]
    found = {
        three[0].key: {"outcome": "killed", "test": "tests/rules/test_turn.py::a"},
        three[1].key: {"outcome": "killed", "test": "tests/mutants/test_playthroughs.py::b"},
        three[2].key: {"outcome": "survived", "test": ""},
    }
    assert table(three, found).splitlines()[-1].split() == ["all", "3", "1", "1", "0", "1", "66.7", "%"]


def test_survivors_argued_are_mutants() -> None:
    keys = {key for module in RULES for key in Source(module).all_keys()}
    for key, why in argued().items():
        if key not in keys:
            near = difflib.get_close_matches(key, keys, n=1, cutoff=0)
            pytest.fail(f"survivors.toml: no such mutant: {key}; the nearest is: {near[0]}")
        assert len(why) > 20, f"survivors.toml: no reason for {key}"
