"""Jobs: each is given until it is counted, and counted once; their book survives a kill."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from terracotta_training.jobs import FILE, Done, JobLog, Ledger, read_jobs


def done(number: int) -> Done:
    return Done(number, 10 * number, 10, 2, 0, 100, 25, 700, 1.5, "somebody")


def test_jobs_are_numbered_and_take_turns_among_the_numbers_of_players() -> None:
    ledger = Ledger(10, [2, 4])
    jobs = [ledger.give() for _ in range(3)]
    assert [(job.number, job.first_game, job.games, job.players) for job in jobs] == [
        (0, 0, 10, 2),
        (1, 10, 10, 4),
        (2, 20, 10, 2),
    ]


def test_whatever_happens_to_jobs_each_is_counted_exactly_once() -> None:
    """Jobs finish in any order, are lost and given again, and answer twice."""
    rng, ledger = np.random.default_rng(1), Ledger(1, [2])
    out: list[int] = []
    counted: list[int] = []
    for _ in range(2000):
        event = rng.random()
        if event < 0.5 or not out:
            out.append(ledger.give().number)
        elif event < 0.6:
            ledger.take_back(out.pop(int(rng.integers(len(out)))))
        else:
            number = out.pop(int(rng.integers(len(out))))
            assert ledger.count(number)
            assert not ledger.count(number)
            counted.append(number)
    assert len(set(counted)) == len(counted) == ledger.counted
    for number in out:
        ledger.take_back(number)
    while ledger.beyond:
        ledger.count(ledger.give().number)
    assert ledger.below == ledger.counted


def test_ledger_put_back_gives_again_what_was_not_counted() -> None:
    ledger = Ledger(5, [2])
    for _ in range(4):
        ledger.give()
    for number in (0, 2):
        ledger.count(number)
    other = Ledger(5, [2])
    other.put_back(ledger.state())
    assert [other.give().number for _ in range(3)] == [1, 3, 4]
    assert other.counted == 2
    assert [other.has(number) for number in range(4)] == [True, False, True, False]


def test_book_is_cut_to_what_the_ledger_has_counted_and_a_torn_line_is_left_out(tmp_path: Path) -> None:
    ledger, log = Ledger(10, [2]), JobLog(tmp_path)
    for number in (0, 2, 1):
        log.add(done(number))
    with (tmp_path / FILE).open("a") as file:
        file.write("3,30,10")
    assert read_jobs(tmp_path) == [done(0), done(2), done(1)]
    ledger.put_back({"below": 1, "beyond": [2]})
    JobLog(tmp_path).keep(ledger)
    assert read_jobs(tmp_path) == [done(0), done(2)]
