"""Whatever a bot does costs it the game, and nothing else: not the next game, not a process, not a file.

Faults of other runners that must not be ours: illegal moves without end (lichess-bot#870), a crash, a timeout or an
illegal answer that stops the runner (cutechess#677, fastchess#377, fastchess#1029).
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from terracotta_agents.forfeit import REASONS, BotFault
from terracotta_agents.protocol.agent import CommandError, ExternalBot
from terracotta_agents.protocol.limits import Limits
from terracotta_env.errors import PolicyError
from terracotta_env.policy import Uniform, ask
from terracotta_env.position import Position
from tests.toy import GAME

from .faulty_bot import FAULTS, STARTS
from .playing import QUICK, against_random, command, group_is_gone, marked, play

EVERY = [*((mode, reason) for mode, (reason, _) in {**FAULTS, **STARTS}.items()), ("not-ready", "timeout")]
QUICK_START = Limits(start=1.5, answer=0.7, quit=0.3, term=0.1)


@pytest.mark.parametrize(("mode", "reason"), EVERY, ids=[mode for mode, _ in EVERY])
def test_a_fault_costs_that_game_only(mode: str, reason: str, mark: str, tmp_path: Path) -> None:
    flag = tmp_path / "armed"
    flag.touch()
    limits = QUICK_START if mode in ("start-silence", "not-ready") else QUICK
    with ExternalBot(command(mode, flag), GAME, "faulty", limits) as bot:
        pid = bot.pid
        forfeited = against_random(GAME, bot, seed=3)
        assert forfeited["format"] == "orchard-forfeit"
        assert (forfeited["forfeit"]["seat"], forfeited["forfeit"]["reason"]) == (0, reason)
        assert forfeited["ranking"] == [1, 0]
        assert not flag.exists()
        assert marked(mark) == []  # neither the bot nor anything that it started
        assert pid is None or group_is_gone(pid)
        whole = against_random(GAME, bot, seed=4)  # the same bot plays on
        assert whole["format"] == "orchard-record"
        assert bot.pid != pid


def test_all_reasons_are_tested() -> None:
    assert {reason for _, reason in EVERY} == set(REASONS)


def test_a_bot_that_fails_in_every_game_loses_every_game(mark: str) -> None:
    with ExternalBot(command("crash"), GAME, limits=QUICK) as bot:
        games = [against_random(GAME, bot, players=3, seat=seed % 3, seed=seed) for seed in range(6)]
    assert [game["forfeit"]["seat"] for game in games] == [0, 1, 2, 0, 1, 2]
    assert all(game["ranking"][-1] == game["forfeit"]["seat"] for game in games)


def test_the_first_of_several_offenders_ends_the_game(mark: str) -> None:
    with ExternalBot(command("illegal"), GAME, "one") as one, ExternalBot(command("illegal"), GAME, "two") as two:
        record = play(GAME, [one, two])
        first = record["forfeit"]["seat"]
        assert record["ranking"] == [1 - first, first]
        assert [one, two][1 - first].pid is not None  # the other one is not to blame and still there
        assert [one, two][first].pid is None


def test_a_fault_says_who_where_why_and_what_the_bot_said_last(mark: str) -> None:
    position = Position.from_seed(GAME, 2, 3)
    with ExternalBot(command("crash"), GAME, limits=QUICK) as bot:
        bot.begin(1)
        position.play(ask(bot, position))
        seat = position.to_act
        with pytest.raises(BotFault) as caught:
            ask(bot, position)
        fault = caught.value
        assert isinstance(fault, PolicyError)
        assert (fault.reason, fault.bot, fault.seat, fault.stderr) == ("crash", "faulty", seat, "about to crash\n")
        assert str(fault) == f"bot faulty in seat {seat}: crash: ended with exit code 3"
        with pytest.raises(BotFault, match="exit code 3"):  # a game that is lost stays lost
            ask(bot, position)
        bot.begin(2)
        assert position.play(ask(bot, position))


@pytest.mark.parametrize(
    ("mode", "detail"),
    [
        ("killed", "ended by signal SIGSEGV"),
        ("leaves", "ended with exit code 0"),
        ("gives-up", "gave up: 'no memory left'"),
        ("close-input", "closed its standard input"),
        ("close-output", "closed its standard output"),
        ("silence", "no answer within 0.7 seconds"),
        ("illegal", "'pick:77' is not legal: legal are "),
        ("text", "a line is not JSON: 'I would build a wall'"),
        ("not-utf8", "a line is not UTF-8"),
        ("twice", "message: id: expected 3, the request that waits for an answer, got 2"),
        ("no-action", "answer: action: is missing"),
        ("odd-action", "message: action: expected a text, got 7"),
        ("odd-type", "message: type: expected one of hello, ready, answer, info, error, got 'dance'"),
        ("flood-error", "more than 1048576 bytes of standard error"),
        ("huge-line", "a line of more than 65536 bytes"),
        ("start-old", "message: protocol: expected 1, the protocol spoken here, got 0"),
    ],
)
def test_a_fault_is_told_in_words(mode: str, detail: str, mark: str) -> None:
    with ExternalBot(command(mode), GAME, limits=QUICK) as bot:
        record = against_random(GAME, bot)
    message = record["forfeit"]["message"]
    assert message.startswith(detail)
    assert message.isprintable()
    assert len(message) < 1200


def test_time_for_a_whole_game_is_limited(mark: str) -> None:
    with ExternalBot(command("good"), GAME, limits=Limits(game=1e-9)) as bot:
        record = against_random(GAME, bot)
    assert record["forfeit"]["reason"] == "timeout"


def test_a_deadline_is_kept(mark: str) -> None:
    with ExternalBot(command("stubborn"), GAME, limits=QUICK) as bot:
        start = time.monotonic()
        against_random(GAME, bot)
        assert time.monotonic() - start < QUICK.answer + QUICK.term + 3.0


@pytest.mark.parametrize("mode", ["good", "will-not-quit"])
def test_closing_leaves_nothing_and_may_be_repeated(mode: str, mark: str) -> None:
    bot = ExternalBot(command(mode), GAME, limits=QUICK)
    against_random(GAME, bot)
    assert marked(mark)
    for _ in range(3):
        bot.close()
        assert marked(mark) == []


def test_a_bot_that_nobody_holds_is_ended(mark: str) -> None:
    bot = ExternalBot(command("will-not-quit"), GAME, limits=QUICK)
    against_random(GAME, bot)
    del bot
    assert marked(mark) == []


def test_an_exception_in_the_middle_of_a_request_ends_the_program(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = ExternalBot(command("silence"), GAME, limits=Limits(answer=60))
    position = Position.from_seed(GAME, 2, 3)
    bot.begin(1)
    position.play(ask(bot, position))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("terracotta_agents.protocol.process.BotProcess.receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ask(bot, position)
    assert marked(mark) == []
    bot.begin(2)
    assert ask(bot, position) >= 0
    bot.close()


def test_many_games_use_one_process_and_no_file_descriptor_is_left(mark: str) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with ExternalBot(command("good"), GAME, limits=QUICK) as bot:
        pids = set()
        for seed in range(20):
            assert against_random(GAME, bot, seed=seed)["format"] == "orchard-record"
            pids.add(bot.pid)
        assert len(pids) == 1
    with ExternalBot(command("crash"), GAME, limits=QUICK) as bot:
        for seed in range(5):
            against_random(GAME, bot, seed=seed)
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("mode", ["afterthought", "one-game"])
def test_what_a_bot_does_between_games_costs_nothing(mode: str, mark: str) -> None:
    with ExternalBot(command(mode), GAME, limits=QUICK) as bot:
        for seed in range(4):
            assert against_random(GAME, bot, seed=seed)["format"] == "orchard-record"


def test_bots_work_where_nobody_makes_a_record(mark: str) -> None:
    """As opponents in training: then they are told less, but all that is needed to decide."""
    with ExternalBot(command("good"), GAME, limits=QUICK) as bot:
        for seed in range(3):
            bot.begin(seed)
            position = Position.from_seed(GAME, 2, seed)
            while not position.over:
                position.play(ask(bot, position))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", "expected a program"),
        ("no-such-program-here --fast", "cannot be started: No such file"),
        ("'unfinished", "No closing quotation"),
        ("/", "cannot be started: Permission denied"),
        ("a\0b", "character 0"),
    ],
)
def test_a_command_that_names_no_program_is_refused(words: str, named: str, mark: str) -> None:
    with pytest.raises(CommandError, match=re.escape(named)):
        ExternalBot(words, GAME)


def test_a_bot_asks_for_its_own_game(mark: str) -> None:
    from terracotta_env.army import GAME as ARMY

    with ExternalBot(command("good"), ARMY) as bot, pytest.raises(PolicyError, match="started for terracotta"):
        ask(bot, Position.from_seed(GAME, 2, 1))


def test_other_bots_faults_are_not_forfeits() -> None:
    class Broken(Uniform):
        def act(self, position: Position, mask: object) -> int:
            raise ZeroDivisionError

    with pytest.raises(PolicyError) as caught:
        play(GAME, [Broken(), Broken()])
    assert not isinstance(caught.value, BotFault)
