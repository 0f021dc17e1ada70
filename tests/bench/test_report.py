"""The report from canned measurements: medians, paired ratios, claims."""

from __future__ import annotations

import json

from tests.bench import pages
from tests.bench.claims import CLAIMS
from tests.bench.report import Claim, Study, claims_table, curve_table, judge, number, spread, table, times


def canned() -> Study:
    study = Study(
        about={
            "command": "`make bench`",
            "date": "2026-11-30",
            "cores": 2,
            "processor": "AMD EPYC",
            "python": "3.11.7",
            "commit": "abc1234",
            "repeats": 5,
            "seconds": 1.0,
            "versions": {"ours": {"numba": "0.68.1"}, "openspiel": {"open-spiel": "2.0.2"}},
        },
        peers={
            "openspiel": {"installed": True, "reason": None},
            "pgx": {"installed": False, "reason": "no wheel for this Python"},
        },
    )
    # the machine slows down by half on the way, the ratio does not
    for mine, theirs in ((1000.0, 10.0), (900.0, 9.0), (700.0, 7.0), (600.0, 6.0), (500.0, 5.5)):
        study.add("random", "ours", "games", mine, share=1.0)
        study.add("random", "theirs", "games", theirs, share=0.97)
        study.add_ratio("random", "ours", "theirs", "games", mine / theirs)
    for batch in (1, 64):
        study.add("batches", "ours", "decisions", 1000.0 * batch, x=batch)
    study.facts.append({"section": "bytes", "side": "ours", "bytes": 648, "what": "the record"})
    study.skip("random", "Pgx, chess", "not installed: no wheel for this Python")
    return study


def test_median_least_and_most():
    series = canned().find("random", "ours", "games")
    assert series is not None
    assert series.median == 700
    assert spread(series.values) == "700 (500 - 1,000)"


def test_ratio_is_that_of_rounds_not_of_medians():
    study = canned()
    ratio = study.find_ratio("random", "ours", "theirs", "games")
    assert ratio is not None
    assert ratio.median == 100
    assert times(ratio.values) == "x 100 (90.9 - 100)"


def test_numbers_keep_three_digits():
    assert [number(value) for value in (0.01234, 5.678, 123.4, 9876, 12_345, 3_456_789)] == [
        "0.0123",
        "5.68",
        "123",
        "9,876",
        "12.3 k",
        "3.46 M",
    ]


def test_claims_are_met_missed_or_not_measured():
    study = canned()
    claims = [
        Claim("rate", 600, "random", "ours", "games"),
        Claim("ratio", 101, "random", "ours", "games", peer="theirs"),
        Claim("cost", 800, "random", "ours", "games", at_most=True),
        Claim("absent", 1, "random", "nobody", "games"),
    ]
    judged = judge(study, claims)
    assert [claim["met"] for claim in judged] == [True, False, True, None]
    assert claims_table(judged)[-1] == "| absent | at least 1 | – | not measured |"


def test_study_survives_json():
    study = canned()
    assert Study.from_json(json.loads(json.dumps(study.to_json()))) == study


def test_page_names_ratios_skipped_and_uninstalled():
    study = canned()
    text = pages.markdown(study, judge(study, CLAIMS), "bench.png")
    assert "**x 100 (90.9 - 100)** ours" in text
    assert "| pgx | **not installed**: no wheel for this Python |" in text
    assert "| random | Pgx, chess | not installed: no wheel for this Python |" in text
    assert "| ours | 648 | the record |" in text
    assert "Growth with the players" not in text, "a section that was not run"


def test_curve_has_a_row_for_each_place():
    assert curve_table(canned(), "batches", "decisions", "batch") == table(
        ["batch", "ours"], [["1", "1,000"], ["64", "64.0 k"]]
    )


def test_every_claim_has_a_name_of_its_own():
    names = [claim.what for claim in CLAIMS]
    assert len(set(names)) == len(names)
