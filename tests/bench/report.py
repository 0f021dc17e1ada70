"""What was measured as data, and the tables made of it: medians, least and most, and ratios of paired readings.

A ratio is not that of two medians: each round reads both sides one after the other, the ratio is taken within the
round, and its median, least and most are reported.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

DASH: Final = "–"


@dataclass
class Series:
    """Readings of one side in one unit.  ``x`` is the place on a curve, such as a batch size."""

    section: str
    side: str
    unit: str
    x: float | None = None
    values: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.values)


@dataclass
class Ratio:
    """Ours over the peer's, of each round."""

    section: str
    ours: str
    peer: str
    unit: str
    x: float | None = None
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.values)


@dataclass
class Study:
    """All that one run measured."""

    about: dict[str, Any] = field(default_factory=dict)
    peers: dict[str, dict[str, Any]] = field(default_factory=dict)
    series: list[Series] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)

    def add(
        self, section: str, side: str, unit: str, value: float, x: float | None = None, share: float | None = None
    ) -> None:
        series = self.find(section, side, unit, x)
        if series is None:
            self.series.append(series := Series(section, side, unit, x))
        series.values.append(value)
        if share is not None:
            series.shares.append(share)

    def find(self, section: str, side: str, unit: str, x: float | None = None) -> Series | None:
        for series in self.series:
            if (series.section, series.side, series.unit, series.x) == (section, side, unit, x):
                return series
        return None

    def add_ratio(self, section: str, ours: str, peer: str, unit: str, value: float, x: float | None = None) -> None:
        ratio = self.find_ratio(section, ours, peer, unit, x)
        if ratio is None:
            self.ratios.append(ratio := Ratio(section, ours, peer, unit, x))
        ratio.values.append(value)

    def find_ratio(self, section: str, ours: str, peer: str, unit: str, x: float | None = None) -> Ratio | None:
        for ratio in self.ratios:
            if (ratio.section, ratio.ours, ratio.peer, ratio.unit, ratio.x) == (section, ours, peer, unit, x):
                return ratio
        return None

    def skip(self, section: str, side: str, reason: str) -> None:
        entry = {"section": section, "side": side, "reason": reason}
        if entry not in self.skipped:
            self.skipped.append(entry)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Study:
        return cls(
            about=data["about"],
            peers=data["peers"],
            series=[Series(**entry) for entry in data["series"]],
            ratios=[Ratio(**entry) for entry in data["ratios"]],
            facts=data["facts"],
            skipped=data["skipped"],
        )


# Numbers for people


def number(value: float) -> str:
    """Three or four digits are all that a reading on a shared machine has."""
    if value >= 1e6:
        return f"{value / 1e6:,.2f} M"
    if value >= 10_000:
        return f"{value / 1e3:,.1f} k"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def spread(values: Sequence[float]) -> str:
    """``median (least - most)``."""
    if not values:
        return DASH
    if len(values) == 1:
        return number(values[0])
    return f"{number(statistics.median(values))} ({number(min(values))} - {number(max(values))})"


def times(values: Sequence[float]) -> str:
    """A ratio as ``x 12.3 (11.9 - 13.0)``."""
    return f"x {spread(values)}" if values else DASH


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def sides_of(study: Study, section: str) -> list[str]:
    return list(dict.fromkeys(series.side for series in study.series if series.section == section))


def places_of(study: Study, section: str) -> list[float]:
    return sorted({series.x for series in study.series if series.section == section and series.x is not None})


def cell(study: Study, section: str, side: str, unit: str, x: float | None = None) -> str:
    series = study.find(section, side, unit, x)
    return spread(series.values) if series else DASH


HEADERS: Final = {"ns": "ns a call"}  # other units are rates


def against_table(
    study: Study, section: str, units: Sequence[str], ratio_unit: str, over: str = "ours over theirs"
) -> list[str]:
    """Sides by rows with all units; the ratio in ``ratio_unit`` of what is compared with them, and what that is."""
    ratios: dict[str, list[Ratio]] = {}
    for ratio in study.ratios:
        if ratio.section == section and ratio.unit == ratio_unit:
            ratios.setdefault(ratio.peer, []).append(ratio)
    rows = []
    for side in sides_of(study, section):
        found = ratios.get(side, [])
        rows.append(
            [
                side if found else f"**{side}**",
                *(cell(study, section, side, unit) for unit in units),
                "<br>".join(f"**{times(r.values)}** {r.ours}" for r in found),
            ]
        )
    return table(["", *(HEADERS.get(unit, f"{unit}/s") for unit in units), f"{over}, {ratio_unit}/s"], rows)


def curve_table(study: Study, section: str, unit: str, first: str) -> list[str]:
    """Sides by columns, places on the curve by rows."""
    sides = [side for side in sides_of(study, section) if any(s.unit == unit and s.side == side for s in study.series)]
    rows = [[f"{x:,.0f}", *(cell(study, section, side, unit, x) for side in sides)] for x in places_of(study, section)]
    return table([first, *sides], rows)


# Claims: what the project says of its speed, judged by what was measured


@dataclass(frozen=True)
class Claim:
    """``what`` must be at least (or at most) ``target``; found among series (``peer`` empty) or ratios."""

    what: str
    target: float
    section: str
    side: str
    unit: str
    peer: str = ""
    x: float | None = None
    at_most: bool = False

    def value(self, study: Study) -> float | None:
        found: Series | Ratio | None
        if self.peer:
            found = study.find_ratio(self.section, self.side, self.peer, self.unit, self.x)
        else:
            found = study.find(self.section, self.side, self.unit, self.x)
        return found.median if found is not None and found.values else None


def judge(study: Study, claims: Iterable[Claim]) -> list[dict[str, Any]]:
    judged = []
    for claim in claims:
        value = claim.value(study)
        met = None if value is None else (value <= claim.target if claim.at_most else value >= claim.target)
        judged.append(
            {"what": claim.what, "target": claim.target, "at_most": claim.at_most, "value": value, "met": met}
        )
    return judged


def claims_table(judged: Iterable[dict[str, Any]]) -> list[str]:
    rows = []
    for claim in judged:
        wanted = f"{'at most' if claim['at_most'] else 'at least'} {number(claim['target'])}"
        value = DASH if claim["value"] is None else number(claim["value"])
        verdict = {True: "yes", False: "**no**", None: "not measured"}[claim["met"]]
        rows.append([claim["what"], wanted, value, verdict])
    return table(["", "wanted", "median", "met"], rows)
