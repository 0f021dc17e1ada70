"""``python -m tests.mutants``: run, table, survivors, list; ``--help`` says more."""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

from .mutate import ROOT, RULES, Mutant, find_mutants
from .run import PLAYTHROUGHS, Results, measure, run, work_on_imports, work_on_kernels


def sampled(mutants: list[Mutant], number: int, seed: int) -> list[Mutant]:
    """So many of the mutants, drawn with a seed, in the order of the files; all where ``number`` is 0."""
    if not 0 < number < len(mutants):
        return mutants
    chosen = set(random.Random(seed).sample(range(len(mutants)), number))
    return [mutant for i, mutant in enumerate(mutants) if i in chosen]


def table(mutants: list[Mutant], found: dict[str, dict[str, Any]]) -> str:
    """Per file: mutants run, killed (by the tests written by hand, by the playthroughs only), survived, timeouts."""
    heads = ("mutants", "killed", "playthroughs only", "timeouts", "survived", "score")
    lines = [f"{'file':<16}" + "".join(f"{head:>{len(head) + 3}}" for head in heads)]
    total: Counter[str] = Counter()
    for module in (*RULES, "all"):
        counts: Counter[str] = Counter()
        for mutant in mutants:
            if mutant.module == module and mutant.key in found:
                entry = found[mutant.key]
                by_play = entry["outcome"] == "killed" and PLAYTHROUGHS in entry["test"]
                counts["playthroughs" if by_play else entry["outcome"]] += 1
        counts = total if module == "all" else counts
        if module != "all":
            total.update(counts)
        number = counts.total()
        if number:
            score = f"{100 * (1 - counts['survived'] / number):.1f} %"
            numbers = (number, counts["killed"], counts["playthroughs"], counts["timeout"], counts["survived"], score)
            name = module if module == "all" else f"{module}.py"
            lines.append(f"{name:<16}" + "".join(f"{n!s:>{len(h) + 3}}" for n, h in zip(numbers, heads)))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Mutation testing of the rules.")
    parser.add_argument(
        "command", choices=("run", "table", "survivors", "list", "measure", "work-kernels", "work-imports"),
        help="run: the mutants that have no result yet; table: results by file; survivors: those found so far that "
        "survivors.toml does not argue; list: all mutants (the others are for the program itself)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "mutants", help="folder of the results")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants only; 0: all of them")
    parser.add_argument("--seed", type=int, default=1, help="that draws the sample")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--budget", type=float, default=3, help="seconds of tests a mutant; 0: all that may notice")
    parser.add_argument("--only", default="", help="only mutants whose file:line and text contain this")
    parser.add_argument("--again", default="", help="outcomes to run again, e.g. survived,timeout; all: everything")
    parser.add_argument("--todo", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    results = Results(options.out / "results.jsonl")
    if options.command == "measure":
        measure(options.out / "cover.json")
        return
    mutants = find_mutants()
    if options.command.startswith("work-"):
        todo = set(json.loads(options.todo.read_text(encoding="utf-8")))
        cover = json.loads((options.out / "cover.json").read_text(encoding="utf-8"))
        work = work_on_kernels if options.command == "work-kernels" else work_on_imports
        work([mutant for mutant in mutants if mutant.key in todo], cover, results, options.budget)
        return
    mutants = [m for m in sampled(mutants, options.sample, options.seed) if options.only in m.key]
    found = results.read()
    if options.command == "list":
        for mutant in mutants:
            print(f"{mutant.operator:<10} {mutant.key}")
        return
    if options.command == "run":
        again = set(options.again.split(","))
        todo_now = [
            m for m in mutants if m.key not in found or "all" in again or found[m.key]["outcome"] in again
        ]  # fmt: skip
        print(f"{len(mutants)} mutants, {len(mutants) - len(todo_now)} of them done before")
        run(todo_now, options.out, options.jobs, options.budget)
        found = results.read()
    if options.command in ("run", "table"):
        print(table(mutants, found))
    if options.command in ("run", "survivors"):
        from .survivors import argued

        known = argued()
        open_ones = [m for m in mutants if found.get(m.key, {}).get("outcome") == "survived" and m.key not in known]
        survived = sum(found.get(m.key, {}).get("outcome") == "survived" for m in mutants)
        print(f"{survived} survived, {survived - len(open_ones)} of them argued in survivors.toml")
        for mutant in open_ones:
            print(f"  {mutant.operator:<10} {mutant.key}")
        if open_ones:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
