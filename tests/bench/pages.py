"""The report as Markdown: what was compared and how, before each table."""

from __future__ import annotations

from typing import Any

from .report import Study, against_table, claims_table, curve_table, sides_of, spread, table

HOW = """\
Both sides of every comparison were measured in this one run, in turn: each round reads ours and the peer's one right
after the other (every second round the other way round), after a warm-up, with every process held on the same core. A
figure is the median of the rounds, then (least - most). A ratio is taken within each round, and its median, least and
most are given: only ratios carry over to other machines. Where a process got less than 90 % of its core the reading was
repeated, up to twice, and the one with most of the core kept (on a machine that is never quiet, not every time)."""

RUN = """\
```sh
make bench                              # all of it, a quarter of an hour; the peers go into .venv-peers, pinned
make bench BENCH_ARGS="--only aec"      # one section; --quick, --repeats, --seconds, --cold, --games 10000000, --out
make bench BENCH_ARGS="--docs"          # also writes this page and its plots
make bench-guard BASE=<commit>          # fails where this tree is over 15 % slower than that commit
```

`make bench-guard` runs the same fixed load on both commits in turn and compares instructions, where the machine counts
them, or processor time, by the median of the ratios within at least seven rounds; never absolute times."""

TEXTS = {
    "random": (
        "Random play",
        "Whole games of uniformly random legal moves on one core. Ours writes the mask at every decision, and makes no "
        "observation; `busy` is the reference bot. Peers make what they cannot do without: EnvPool, Pgx and RLCard "
        "make observations. OpenSpiel's C++ runs without Python: its search is asked for one simulation of many "
        "roll-outs. "
        "Games differ in length and in what a decision is, so look at both columns.",
    ),
    "aec": (
        "PettingZoo's loop",
        "Whole games of the AEC loop with observations, the same loop for all. *Documented* draws with "
        "`env.action_space(agent).sample(mask)`, *lean* with `int(legal[int(random.random() * len(legal))])`. Steps "
        "include the `None` steps at the end.",
    ),
    "costs": (
        "Clone, mask, observation",
        "Calls a second and nanoseconds a call. In a kernel: 16 records in turn for clone and mask; an observation is "
        "all tensors of the seat to act, of positions from all over random games. From Python: one call at a time "
        "through each library's own API.",
    ),
    "batches": (
        "Growth with the batch",
        "Decisions/s of random play moved from Python, finished games begun anew, one core. Ours with the masks, and "
        "with the masks and all observations.",
    ),
    "players": ("Growth with the players", "Whole random games/s, one core."),
    "threads": (
        "Threads",
        "Random two-player games on two cores: two threads of one process, two independent processes, and one alone; "
        "and steps of a batch (masks, float32 observations, uniform play) from Python by one and by two threads.",
    ),
    "start": (
        "Cold and warm start",
        "Seconds since the process was started. Cold: nothing compiled yet. Everything: PettingZoo and Gymnasium with "
        "every kind of reward, bots, observations, batch. Of peers, until their first whole game (or batch) is played; "
        "Pgx compiles at every start.",
    ),
    "bytes": ("Bytes for each game", "What one position takes, in the form in which the library holds or saves it."),
    "memory": (
        "Memory",
        "Resident memory of one process while it plays: random games in kernels, and in each slice 50 games "
        "through PettingZoo's loop.",
    ),
}


def heading(study: Study) -> list[str]:
    about = study.about
    lines = [
        f"{about['command']}, {about['date']}: {about['cores']} cores, {about['processor']}, Python {about['python']}, "
        f"commit {about['commit']}; {about['repeats']} rounds of {about['seconds']:g} s a reading.",
        "",
        HOW,
        *shares(study),
        "",
    ]
    rows = []
    for name, peer in study.peers.items():
        versions = about.get("versions", {}).get(name, {})
        state = ", ".join(f"{package} {v}" for package, v in versions.items()) or "installed, not measured"
        rows.append([name, state if peer["installed"] else f"**not installed**: {peer['reason']}"])
    versions = about.get("versions", {}).get("ours", {})
    rows.append(["**ours**", ", ".join(f"{package} {v}" for package, v in versions.items())])
    return [*lines, *table(["side", "versions"], rows), ""]


def shares(study: Study) -> list[str]:
    """How quiet the machine was."""
    found = sorted(share for series in study.series for share in series.shares)
    if not found:
        return []
    median, tenth = found[len(found) // 2], found[len(found) // 10]
    return [f"In this run the median reading had {median:.0%} of its core, a tenth of them {tenth:.0%} or less."]


def memory_table(study: Study) -> list[str]:
    found = [s for s in study.series if s.section == "memory" and s.side == "resident"]
    marks = [found[round(k * (len(found) - 1) / 5)] for k in range(6)]
    rows = [[f"{s.x:,.0f}", f"{s.values[0]:.1f}"] for s in marks if s.x is not None]
    return table(["games played", "resident, MiB"], rows)


def body(study: Study, section: str) -> list[str]:
    if section == "random":
        return against_table(study, section, ["games", "decisions"], "games")
    if section == "aec":
        return against_table(study, section, ["steps", "games"], "steps")
    if section == "costs":
        return against_table(study, section, ["calls", "ns"], "calls")
    if section == "batches":
        return curve_table(study, section, "decisions", "batch")
    if section == "players":
        return curve_table(study, section, "games", "players")
    if section == "threads":
        return against_table(study, section, ["games", "decisions"], "decisions", "compared with this")
    if section == "start":
        rows = [[side, spread(s.values)] for side in sides_of(study, section) if (s := study.find(section, side, "s"))]
        return table(["", "s"], rows)
    return memory_table(study)


def markdown(study: Study, judged: list[dict[str, Any]], picture: str | None) -> str:
    lines = ["# Benchmarks", "", *heading(study), RUN, ""]
    if picture:
        lines += [f"![growth with batch, players and games played; random play]({picture})", ""]
    for section, (title, text) in TEXTS.items():
        facts = [fact for fact in study.facts if fact["section"] == section and "bytes" in fact]
        if not sides_of(study, section) and not facts:
            continue
        lines += [f"## {title}", "", text, ""]
        if facts:
            rows = [[fact["side"], f"{fact['bytes']:,}", fact["what"]] for fact in facts]
            lines += table(["", "bytes", "what"], rows)
        else:
            lines += body(study, section)
        lines.append("")
    lines += ["## What the project says of its speed", "", *claims_table(judged), ""]
    if study.skipped:
        rows = [[entry["section"], entry["side"], entry["reason"]] for entry in study.skipped]
        lines += ["## Not measured", "", *table(["section", "side", "why"], rows), ""]
    return "\n".join(lines)
