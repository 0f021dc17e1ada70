"""The tables of an arena's report.  Built once, from results alone, and shown by ``report`` in three forms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pandas as pd

from .frame import frame
from .ratings import PRIOR_GAMES, Ratings, fit
from .stats import Estimate, mean, share

_MOST_REASONS: Final = 20


@dataclass(frozen=True)
class Table:
    """One table: a title, column heads, rows of text, and a sentence on how to read it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Bars:
    """Values with intervals for one plot: a line for each agent or place, one entry for each number of players.

    Attributes:
        title, unit: of the plot.
        names: what the bars stand for.
        series: name of the series to its estimates, in the order of ``names``.
        par: value that chance alone would give, by series.
    """

    title: str
    unit: str
    names: Sequence[str]
    series: Mapping[str, Sequence[Estimate]]
    par: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Summary:
    """All that a report shows.

    Attributes:
        title: one line.
        facts: name and value of what was played.
        tables, bars: see there.
        sources: mean points by agent, number of players and source, for the stacked plot.
        values: the numbers themselves, as JSON.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    tables: Sequence[Table]
    bars: Sequence[Bars]
    sources: pd.DataFrame
    values: Mapping[str, Any]


def summarise(
    config: Mapping[str, Any], results: Sequence[Mapping[str, Any]], sprt: Mapping[str, Any] | None = None
) -> Summary:
    """Tables of an arena, finished or not.

    Args:
        config: as in ``config.json``.
        results: as in ``results.jsonl``, at least one.
        sprt: state of the sequential test.
    """
    names = [agent["label"] for agent in config["agents"]]
    seats = frame(results, config["sources"])
    counts = sorted(set(seats["players"].tolist()))
    ratings = {players: fit([r for r in results if r["players"] == players], names) for players in counts}
    overall = fit(results, names)
    shown = {**({"all": overall} if len(counts) > 1 else {}), **{f"{n} players": ratings[n] for n in counts}}
    strength, share_bars, strength_values = _strength(seats, names, counts)
    places, place_bars, place_values = _places(seats, names, counts, ratings)
    tables = [
        _ratings_table(shown, names),
        strength,
        *_head_to_head(results, names, counts),
        places,
        _seats(seats, counts),
        *_sources(seats, names, counts, config["sources"]),
        _times(seats, names, counts),
        _distinct(results, counts),
    ]
    if sprt is not None:
        tables.insert(0, _sprt_table(sprt, config["sprt"], names))
    if forfeits := [result for result in results if result["forfeit"]]:
        tables.append(_forfeits(forfeits))
    rating_bars = Bars("Ratings", "Elo", names, {key: [r.agents[n] for n in names] for key, r in shown.items()})
    rating_values = {key: {n: _json(r.agents[n]) for n in names} for key, r in shown.items()}
    return Summary(
        f"Arena: {', '.join(names)}",
        _facts(config, results),
        tables,
        [rating_bars, share_bars, place_bars],
        _source_means(seats, config["sources"]),
        {"ratings": rating_values, "agents": strength_values, "places": place_values, "sprt": sprt},
    )


def _facts(config: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    setups = config["setups"]
    drawn = f"{config['suite']['name']}, digest {config['suite']['digest']}" if config["suite"] else "drawn"
    played = Counter(result["players"] for result in results)
    different = Counter(players for players, _, _ in _games(results))
    return [
        ("game", f"{config['game']}, version {config['rules']} of the rules, board {config['board']}"),
        ("agents", ", ".join(f"{a['label']} ({a['name']} version {a['version']})" for a in config["agents"])),
        ("setups", f"{drawn}; " + ", ".join(f"{count} for {players} players" for players, count in setups.items())),
        ("seed", str(config["seed"])),
        ("games", ", ".join(f"{played[n]:,} of {n} players ({different[n]:,} distinct)" for n in sorted(played))),
    ]


def _ratings_table(shown: Mapping[str, Ratings], names: Sequence[str]) -> Table:
    first = next(iter(shown.values()))
    order = sorted(names, key=lambda name: -first.agents[name].value)
    rows = [[name, *(elo(ratings.agents[name]) for ratings in shown.values())] for name in order]
    note = (
        "Elo over the mean of these agents, 95 % intervals clustered by setup. One fit of all games, with the places "
        f"in the order of play; prior: {PRIOR_GAMES:g} game for each agent against the mean, half won."
    )
    if any(ratings.one_sided for ratings in shown.values()):
        note += " Some results are one-sided: how far out those ratings lie is the prior's word, not the games'."
    return Table("Ratings", ["agent", *shown], rows, note)


def _strength(
    seats: pd.DataFrame, names: Sequence[str], counts: Sequence[int]
) -> tuple[Table, Bars, list[dict[str, Any]]]:
    rows, values = [], []
    series: dict[str, list[Estimate]] = {f"{n} players": [] for n in counts}
    for players in counts:
        for name in names:
            part = seats[(seats["players"] == players) & (seats["agent"] == name)]
            ended = part[part["finished"]]
            wins, ranks = _of(part, "win", shares=True), _of(part, "rank")
            points = _of(ended, "vp")
            series[f"{players} players"].append(wins)
            lost = int(part["forfeited"].sum())
            games = part["game"].nunique()
            rows.append([str(players), name, str(games), percent(wins), number(ranks, 2), number(points, 1), str(lost)])
            values.append(
                {
                    "players": players,
                    "agent": name,
                    "games": games,
                    "win_share": _json(wins),
                    "mean_rank": _json(ranks),
                    "vp": _json(points),
                    "forfeits": lost,
                }
            )
    par = ", ".join(f"{1 / n:.1%} and {(n + 1) / 2:g}" for n in counts)
    note = f"Win share and mean rank of a seat held by the agent; par {par} for {_list(counts)} players. 95 % intervals"
    columns = ["players", "agent", "games", "win share", "mean rank", "mean VP", "forfeits"]
    bars = Bars("Win share", "share", names, series, {f"{n} players": 1 / n for n in counts})
    return Table("Strength by number of players", columns, rows, f"{note} clustered by setup."), bars, values


def _head_to_head(results: Sequence[Mapping[str, Any]], names: Sequence[str], counts: Sequence[int]) -> list[Table]:
    tables = []
    for players in counts:
        score: Counter[tuple[str, str]] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for result in results:
            if result["players"] != players:
                continue
            agents, ranks = result["agents"], result["ranks"]
            for a, own in zip(agents, ranks):
                for b, other in zip(agents, ranks):
                    if a != b:
                        pairs[a, b] += 1
                        score[a, b] += float(own < other) + (own == other) / 2
        rows = [
            [a, *(f"{score[a, b] / pairs[a, b]:.1%} of {pairs[a, b]}" if pairs[a, b] else "" for b in names)]
            for a in names
        ]
        note = "Share of meetings in which the agent of the row ranked before that of the column, ties half."
        tables.append(Table(f"Head to head, {players} players", ["", *names], rows, note))
    return tables


def _places(
    seats: pd.DataFrame, names: Sequence[str], counts: Sequence[int], ratings: Mapping[int, Ratings]
) -> tuple[Table, Bars, list[dict[str, Any]]]:
    """What it is worth to be first, second, ... in the order of play: of all games and for each agent."""
    ended = seats[seats["finished"]]
    rows, values = [], []
    most = max(counts)
    nothing = Estimate(math.nan, math.nan, math.nan, 0)
    series: dict[str, list[Estimate]] = {f"{n} players": [nothing] * most for n in counts}
    for players in counts:
        for place in range(players):
            part = ended[(ended["players"] == players) & (ended["place"] == place)]
            wins, ranks, points = _of(part, "win", shares=True), _of(part, "rank"), _of(part, "vp")
            series[f"{players} players"][place] = wins
            worth = ratings[players].places.get(players)
            by_agent = [_of(part[part["agent"] == name], "win", shares=True) for name in names]
            rows.append(
                [
                    str(players),
                    str(place + 1),
                    percent(wins),
                    number(ranks, 2),
                    number(points, 1),
                    elo(worth[place]) if worth else "",
                    *(percent(estimate) for estimate in by_agent),
                ]
            )
            values.append(
                {
                    "players": players,
                    "place": place + 1,
                    "win_share": _json(wins),
                    "mean_rank": _json(ranks),
                    "vp": _json(points),
                    "elo": _json(worth[place]) if worth else None,
                    "win_share_by_agent": {name: _json(e) for name, e in zip(names, by_agent)},
                }
            )
    columns = ["players", "place", "win share", "mean rank", "mean VP", "Elo", *(f"wins of {name}" for name in names)]
    note = (
        "Place in the order of play, 1 = decides first. All agents sit equally often in each; the share over all "
        "agents is what the place itself is worth among them. Forfeited games are left out."
    )
    bars = Bars(
        "Win share by place in the order of play",
        "share",
        [str(place + 1) for place in range(most)],
        series,
        {f"{n} players": 1 / n for n in counts},
    )
    return Table("Seat advantage", columns, rows, note), bars, values


def _seats(seats: pd.DataFrame, counts: Sequence[int]) -> Table:
    """Shares by the number of the seat: where setups draw who begins, all are par."""
    rows = []
    for players in counts:
        part = seats[(seats["players"] == players) & seats["finished"]]
        shares = [percent(_of(part[part["seat"] == seat], "win", shares=True)) for seat in range(players)]
        rows.append([str(players), *shares, *[""] * (max(counts) - players)])
    columns = ["players", *(f"seat {seat}" for seat in range(max(counts)))]
    return Table("Win share by seat number", columns, rows, "Seats as in the records, whoever begins.")


def _source_means(seats: pd.DataFrame, sources: Sequence[str]) -> pd.DataFrame:
    """Mean points by source, indexed by number of players and agent."""
    ended = seats[seats["finished"]]
    columns = [f"source:{name}" for name in sources]
    means = ended.groupby(["players", "agent"])[columns].mean()
    means.columns = pd.Index(sources)
    return means


def _sources(seats: pd.DataFrame, names: Sequence[str], counts: Sequence[int], sources: Sequence[str]) -> list[Table]:
    means = _source_means(seats, sources)
    tables = []
    for players in counts:
        here = [name for name in names if (players, name) in means.index]
        if not here:  # every game was forfeited
            continue
        rows = [[source, *(f"{means.loc[(players, name), source]:.1f}" for name in here)] for source in sources]
        rows.append(["sum", *(f"{means.loc[(players, name)].sum():.1f}" for name in here)])
        tables.append(Table(f"Mean VP by source, {players} players", ["source", *here], rows, "Finished games only."))
    return tables


def _times(seats: pd.DataFrame, names: Sequence[str], counts: Sequence[int]) -> Table:
    rows = []
    for name in names:
        row = [name]
        for players in counts:
            part = seats[(seats["agent"] == name) & (seats["players"] == players)]
            asked = int(part["asked"].sum())
            row.append(f"{1000 * part['seconds'].sum() / asked:.3g}" if asked else "")
        slowest = seats[seats["agent"] == name]["slowest"].max()
        rows.append([*row, f"{1000 * slowest:.3g}"])
    columns = ["agent", *(f"{players} players" for players in counts), "slowest"]
    note = "Milliseconds for each decision, wall clock; each process's first decision of an agent is not counted."
    return Table("Time for each decision", columns, rows, note)


def _games(results: Sequence[Mapping[str, Any]]) -> set[tuple[int, str, str]]:
    """The distinct games: number of players, digests of setup and decisions."""
    return {(result["players"], result["setup_digest"], result["digest"]) for result in results}


def _distinct(results: Sequence[Mapping[str, Any]], counts: Sequence[int]) -> Table:
    rows = []
    for players in counts:
        part = [result for result in results if result["players"] == players]
        setups = {result["setup_digest"] for result in part}
        rows.append([str(players), str(len(part)), str(len(_games(part))), str(len(setups))])
    note = "Games with the same setup and the same decisions are one: they tell nothing new."
    return Table("Distinct games", ["players", "games", "distinct games", "distinct setups"], rows, note)


def _forfeits(results: Sequence[Mapping[str, Any]]) -> Table:
    by_reason = Counter((result["forfeit"]["agent"], result["forfeit"]["reason"]) for result in results)
    rows = [[agent, str(count), reason] for (agent, reason), count in by_reason.most_common(_MOST_REASONS)]
    if len(by_reason) > _MOST_REASONS:
        rest = sum(by_reason.values()) - sum(int(row[1]) for row in rows)
        rows.append(["", str(rest), f"{len(by_reason) - _MOST_REASONS} more reasons, see results.jsonl"])
    note = "The agent came last, the others kept their order by points. What was played is in forfeits.jsonl."
    return Table("Forfeits", ["agent", "games", "reason"], rows, note)


def _sprt_table(state: Mapping[str, Any], test: Mapping[str, Any], names: Sequence[str]) -> Table:
    verdict = "not decided"
    if state["verdict"] is not None:
        verdict = f"{names[0]} is {test[state['verdict']]:g} Elo stronger than {names[1]}, rather than " + (
            f"{test['elo0' if state['verdict'] == 'elo1' else 'elo1']:g}"
        )
    score = "" if state["score"] is None else f"{state['score']:.1%}"
    row = [verdict, str(state["setups"]), score, f"{state['llr']:+.2f} ({state['low']:.2f} .. {state['high']:.2f})"]
    note = (
        f"alpha {test['alpha']:g}, beta {test['beta']:g}. The test stops the games when it is decided, so the shares "
        "and ratings below lean towards its verdict."
    )
    return Table("Sequential test", ["verdict", "setups", "score", "log-likelihood ratio (bounds)"], [row], note)


def _of(part: pd.DataFrame, column: str, shares: bool = False) -> Estimate:
    estimate = share if shares else mean
    return estimate(part[column].to_numpy(float), part["cluster"].to_numpy(str))


def _list(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts))


def _json(estimate: Estimate) -> dict[str, float | int | None]:
    """None where there is no number, as strict JSON wants it."""
    return {key: None if math.isnan(value) else value for key, value in vars(estimate).items()}


def percent(estimate: Estimate) -> str:
    """A share with its interval."""
    if math.isnan(estimate.value):
        return ""
    bounds = "" if math.isnan(estimate.low) else f" ({estimate.low:.1%} - {estimate.high:.1%})"
    return f"{estimate.value:.1%}{bounds}"


def number(estimate: Estimate, digits: int) -> str:
    """A mean with the half width of its interval."""
    if math.isnan(estimate.value):
        return ""
    half = "" if math.isnan(estimate.low) else f" ± {estimate.high - estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f}{half}"


def elo(estimate: Estimate) -> str:
    """A rating with the half width of its interval."""
    half = "" if math.isnan(estimate.low) else f" ± {estimate.high - estimate.value:.0f}"
    return f"{estimate.value:+.0f}{half}"
