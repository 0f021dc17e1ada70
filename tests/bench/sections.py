"""What is measured, against what, and which claims are judged by it.  One function for each section."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .driver import (
    AGAIN,
    HERE,
    PREPARE_PATIENCE,
    ROOT,
    LostError,
    Reading,
    Side,
    Worker,
    patience_for,
    read,
    reading,
    worker_command,
)
from .report import Claim, Study

OURS: Final = "ours"
SECOND: Final = "ours, second process"
THREADED: Final = "ours, threads"
COLD_PATIENCE: Final = 900.0
MOST_REPEATED: Final = 0.2  # share of readings that may be repeated, past a head start
HEAD_START: Final = 20
PATIENCE: Final = PREPARE_PATIENCE  # seconds for a warm-up


@dataclass(frozen=True)
class Settings:
    """How much is measured.

    Attributes:
        seconds: length of one reading.
        repeats: rounds.
        cold: how often everything is compiled from nothing, at about two minutes each.
        games: played to watch the memory.
        cores: of this machine; readings on one core take the last.
    """

    seconds: float = 1.0
    repeats: int = 5
    cold: int = 1
    games: int = 2_000_000
    batches: tuple[int, ...] = (1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536)
    cores: tuple[int, ...] = field(default_factory=lambda: tuple(sorted(os.sched_getaffinity(0))))


class Bench:
    """The processes of one run and what they measured.

    Args:
        settings: how much is measured.
        study: where readings go.
        peers_python: interpreter of the peers' virtual environment.
        log: file for what the sides print.
        tick: called with a text before every reading.
    """

    def __init__(
        self, settings: Settings, study: Study, peers_python: Path, log: Path, tick: Callable[[str], None]
    ) -> None:
        self.settings = settings
        self.study = study
        self.peers_python = peers_python
        self.log = log
        self.tick = tick
        self.workers: dict[str, Worker] = {}
        self.readings = self.repeated = 0

    def start(self, name: str, environment: Mapping[str, str] | None = None, module: str = "") -> Worker:
        """A new process for a side, not kept."""
        one, all_cores = self.settings.cores[-1:], self.settings.cores[-2:]
        if module or name.startswith(OURS):
            cores = {SECOND: self.settings.cores[-2:-1] or one, THREADED: all_cores}.get(name, one)
            command = worker_command(sys.executable, module or "tests.bench.ours", cores, "--path", str(ROOT))
        else:
            status = self.study.peers.get(name, {})
            if not status.get("installed"):
                raise LostError(f"not installed: {status.get('reason') or 'make bench installs it'}")
            command = worker_command(self.peers_python, str(HERE / "peers" / f"{name}.py"), one)
        return Worker(name, command, environment, self.log)

    def worker(self, name: str) -> Worker:
        """The process of a side, started when it is first needed."""
        if name not in self.workers:
            self.workers[name] = self.start(name)
            answer = self.workers[name].ask({"do": "hello"})
            self.study.about.setdefault("versions", {})[name] = answer["versions"]
        return self.workers[name]

    def close(self) -> None:
        for worker in self.workers.values():
            worker.close()
        self.workers.clear()

    def prepare(self, section: str, side: Side) -> bool:
        """Warm a side up; where it cannot, say so in the report and go on without it."""
        self.tick(f"{side.label}: warm-up")
        try:
            self.worker(side.worker).ask({"do": "prepare", "work": side.work, "args": dict(side.args)}, PATIENCE)
        except LostError as error:
            self.study.skip(section, side.label, str(error))
            return False
        return True

    def rounds(
        self,
        section: str,
        sides: Sequence[tuple[Side, float | None]],
        pairs: Sequence[tuple[str, str]] = (),
        seconds: float | None = None,
        units: Mapping[str, Callable[[float], float]] | None = None,
    ) -> None:
        """Read all sides in turn, so many rounds, every second one backwards; ratios are taken within a round.

        Args:
            sides: with their places on a curve, None where there is no curve.
            pairs: labels of ours and a peer.
            units: further units, made from calls a second.
        """
        living = [(side, x) for side, x in sides if self.prepare(section, side)]
        for index in range(self.settings.repeats):
            got: dict[tuple[str, float | None], Reading] = {}
            for side, x in living if index % 2 == 0 else list(reversed(living)):
                self.tick(side.label if x is None else f"{side.label} at {x:g}")
                try:
                    now = self.read(side, seconds or self.settings.seconds)
                except LostError as error:
                    self.study.skip(section, side.label, str(error))
                    continue
                got[side.label, x] = now
                for unit, rate in now.rates.items():
                    self.study.add(section, side.label, unit, rate, x, now.share)
                for unit, convert in (units or {}).items():
                    self.study.add(section, side.label, unit, convert(now.rates["calls"]), x)
            for ours, peer in pairs:
                for (label, x), mine in got.items():
                    theirs = got.get((peer, x))
                    if label != ours or theirs is None:
                        continue
                    for unit, rate in mine.rates.items():
                        if theirs.rates.get(unit):
                            self.study.add_ratio(section, ours, peer, unit, rate / theirs.rates[unit], x)

    def read(self, side: Side, seconds: float) -> Reading:
        """Read a side; on a machine that is never quiet readings are not repeated for ever."""
        hopeless = self.repeated > MOST_REPEATED * (self.readings + HEAD_START)
        now = read(self.worker(side.worker), side, seconds, 0 if hopeless else AGAIN)
        self.readings += 1
        self.repeated += now.repeated
        return now

    def together(self, sides: Sequence[Side], seconds: float) -> list[Reading]:
        """Read sides at the same time."""
        workers = [self.worker(side.worker) for side in sides]
        for worker, side in zip(workers, sides):
            worker.send(side.request(seconds))
        return [reading(worker.receive(patience_for(seconds)), side.cores) for worker, side in zip(workers, sides)]


def ours(policy: str, players: int) -> Side:
    name = {"busy_loop": "busy with masks"}.get(policy, policy)
    return Side(f"Terracotta Army, {name}, {players} players", OURS, policy, {"players": players})


# Random play

PGX_GAMES: Final[
    dict[str, tuple[list[list[int]], int]]
] = {  # (batch, steps in a chunk) to choose from; games for lengths
    "connect_four": ([[64, 1024], [1024, 128], [8192, 16]], 256),
    "backgammon": ([[64, 64], [1024, 2]], 128),
    "chess": ([[64, 4], [1024, 1]], 64),
}


def random_play(bench: Bench) -> None:
    """Whole games of uniform play on one core, without observations where a peer can do without."""
    section = "random"
    own: list[tuple[Side, float | None]] = [
        (ours(policy, players), None) for policy in ("random", "busy", "busy_loop") for players in (2, 3, 4)
    ]
    bench.rounds(section, own)
    for peer in random_peers(bench):
        players = {"doudizhu": 3, "mahjong": 4}.get(str(peer.args.get("game")), peer.args.get("players", 2))
        mine = ours("random", players)
        bench.rounds(section, [(mine, None), (peer, None)], [(mine.label, peer.label)])


def random_peers(bench: Bench) -> Iterator[Side]:
    for game, games in (("backgammon", 40), ("chess", 40), ("oware", 1000)):
        yield Side(f"OpenSpiel C++, {game}", "openspiel", "rollouts", {"game": game, "games": games})
    yield Side("OpenSpiel from Python, backgammon", "openspiel", "python", {"game": "backgammon"})
    yield Side("Catanatron, 4 players", "catanatron", "random", {"players": 4})
    for game, players in (("limit-holdem", 2), ("uno", 2), ("doudizhu", 3), ("mahjong", 4)):
        yield Side(f"RLCard, {game}, {players} players", "rlcard", "random", {"game": game})
    for game, batch, length_of in (("ConnectFour-v1", 1024, 256), ("Backgammon-v1", 1024, 256), ("Chess-v1", 64, 32)):
        args = {"game": game, "batch": batch, "length_of": length_of}
        yield Side(f"EnvPool, {game}, batch {batch}, observations", "envpool", "random", args)
    for game, (batches, length_of) in PGX_GAMES.items():
        label = f"Pgx, {game}"
        bench.tick(f"{label}: best batch")
        try:
            request = {"game": game, "batches": batches, "length_of": length_of}
            best = bench.worker("pgx").ask({"do": "fact", "fact": "best_batch", "args": request})["fact"]
        except LostError as error:
            bench.study.skip("random", label, str(error))
            continue
        bench.study.facts.append({"section": "random", "side": label, **best})
        args = {"game": game, "batch": best["batch"], "steps": best["steps"], "length_of": length_of}
        yield Side(f"{label}, best batch {best['batch']}, observations", "pgx", "random", args)


# PettingZoo's loop

AEC_ENVS: Final = (
    ("terracotta_v0 tensors", OURS, "tensors"),
    ("terracotta_v0 flat", OURS, "flat"),
    ("connect_four_v3", "pettingzoo", "connect_four_v3"),
    ("chess_v6", "pettingzoo", "chess_v6"),
)


def aec(bench: Bench) -> None:
    """PettingZoo's loop, whole games with observations: the documented draw and a lean one."""
    for draw in ("documented", "lean"):
        sides: list[tuple[Side, float | None]] = [
            (Side(f"{name}, {draw}", worker, work, {"draw": draw}), None) for name, worker, work in AEC_ENVS
        ]
        pairs = [
            (f"terracotta_v0 {form}, {draw}", f"{peer}, {draw}")
            for form in ("tensors", "flat")
            for peer in ("connect_four_v3", "chess_v6")
        ]
        bench.rounds("aec", sides, pairs)


# What single operations cost


def costs(bench: Bench) -> None:
    """Clone, mask and observation: in a kernel, and called from Python as the peers' are."""
    nanoseconds = {"ns": lambda rate: 1e9 / rate}
    seconds = bench.settings.seconds / 2
    bench.rounds(
        "costs",
        [
            (Side("clone, in a kernel", OURS, "clone"), None),
            (Side("mask, in a kernel", OURS, "mask"), None),
            *(
                (
                    Side(f"observation, {form}, batch {n}", OURS, "observe", {"batch": n, "compact": form == "int8"}),
                    None,
                )
                for form in ("float32", "int8")
                for n in (1, 1024, 16_384)
            ),
        ],
        seconds=seconds,
        units=nanoseconds,
    )
    for verb in ("clone", "mask", "observe"):
        mine = Side(f"{verb} from Python, Terracotta Army", OURS, "from_python", {"verb": verb})
        peers = [
            Side(f"{verb} from Python, OpenSpiel {game}", "openspiel", verb, {"game": game})
            for game in ("backgammon", "chess")
        ]
        if verb == "clone":
            peers.append(Side("clone from Python, Catanatron", "catanatron", "clone", {"players": 4}))
        bench.rounds(
            "costs",
            [(side, None) for side in (mine, *peers)],
            [(mine.label, peer.label) for peer in peers],
            seconds=seconds,
            units=nanoseconds,
        )


# Growth


def batches(bench: Bench) -> None:
    """Decisions/s by batch size, moved from Python."""
    sizes = bench.settings.batches
    sides: list[tuple[Side, float | None]] = [
        (Side(f"Terracotta Army, {name}", OURS, "batch", {"batch": n, "observe": observe}), n)
        for n in sizes
        for name, observe in (
            ("masks", ""),
            ("masks and float32 observations", "float32"),
            ("masks and int8 observations", "int8"),
        )
    ]
    gym = "Terracotta Army, Gymnasium vector (learner's decisions)"
    sides += [(Side(gym, OURS, "vector", {"batch": n}), n) for n in sizes[::2]]
    for n in sizes[::2]:
        steps = min(512, max(1, 65_536 // n))
        args = {"game": "connect_four", "batch": n, "steps": steps, "length_of": 256}
        sides.append((Side("Pgx, connect_four", "pgx", "random", args), n))
    for n in [n for n in sizes if n <= 1024][::2]:
        args = {"game": "ConnectFour-v1", "batch": n, "length_of": 256}
        sides.append((Side("EnvPool, ConnectFour-v1", "envpool", "random", args), n))
    bench.rounds("batches", sides, seconds=bench.settings.seconds / 3)


def players(bench: Bench) -> None:
    """By number of players."""
    sides: list[tuple[Side, float | None]] = []
    for n in (2, 3, 4):
        sides += [
            (Side(f"Terracotta Army, {policy}", OURS, policy, {"players": n}), n) for policy in ("random", "busy")
        ]
        sides.append((Side("Catanatron", "catanatron", "random", {"players": n}), n))
    bench.rounds("players", sides)


def threads(bench: Bench) -> None:
    """Two threads of one process against two processes, in turn; and one alone."""
    section = "threads"
    if len(bench.settings.cores) < 2:
        bench.study.skip(section, "two threads", "this machine has one core")
        return
    one = Side("one thread", OURS, "threads", {"threads": 1})
    other = Side("one thread", SECOND, "threads", {"threads": 1})
    two = Side("two threads", THREADED, "threads", {"threads": 2}, cores=2)
    ready = [bench.prepare(section, side) for side in (one, other, two)]
    if not all(ready):
        return
    seconds = 2 * bench.settings.seconds
    stepping: list[tuple[Side, float | None]] = [
        (
            Side(
                f"steps of a batch of 16,384, {count} thread{'s' * (count > 1)}",
                THREADED,
                "batch",
                {"batch": 16_384, "observe": "float32", "threads": count},
                count,
            ),
            None,
        )
        for count in (1, 2)
    ]
    bench.rounds(section, stepping, [(stepping[1][0].label, stepping[0][0].label)])
    for _ in range(bench.settings.repeats):
        try:
            bench.tick("one thread")
            alone = bench.read(one, seconds)
            bench.tick("two processes")
            processes = bench.together([one, other], seconds)
            bench.tick("two threads")
            threaded = bench.together([two], seconds)[0]
        except LostError as error:
            bench.study.skip(section, "threads", str(error))
            return
        for unit in ("games", "decisions"):
            both = sum(part.rates[unit] for part in processes)
            bench.study.add(section, "one thread", unit, alone.rates[unit], share=alone.share)
            bench.study.add(
                section, "two processes", unit, both, share=sum(part.share for part in processes) / len(processes)
            )
            bench.study.add(section, "two threads", unit, threaded.rates[unit], share=threaded.share)
            bench.study.add_ratio(section, "two threads", "two processes", unit, threaded.rates[unit] / both)
            for label, rate in (("two processes", both), ("two threads", threaded.rates[unit])):
                bench.study.add_ratio(section, label, "one thread", unit, rate / alone.rates[unit])


# Starting


@contextmanager
def temporary_cache() -> Iterator[dict[str, str]]:
    folder = tempfile.mkdtemp(prefix="bench-cold-")
    try:
        yield {"NUMBA_CACHE_DIR": folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stages(bench: Bench, label: str, environment: Mapping[str, str], names: Sequence[tuple[str, str]]) -> None:
    """Ask a new process for one thing after another; what is noted is the time since it was started."""
    start = time.perf_counter()
    worker = bench.start(f"{OURS} {label}", environment, "tests.bench.start")
    try:
        for fact, text in names:
            bench.tick(f"{label}: {text}")
            worker.ask({"do": "fact", "fact": fact}, COLD_PATIENCE)
            bench.study.add("start", f"{label}: {text}", "s", time.perf_counter() - start)
    except LostError as error:
        bench.study.skip("start", label, str(error))
    finally:
        worker.close()


FIRST: Final = ("first_step", "first position and first step")
VERBS: Final = ("verbs_and_batch", "all verbs and the batch")
EVERYTHING: Final = ("everything", "everything")
FILL: Final = "fill the cache"  # done before warm starts, not reported


def start(bench: Bench) -> None:
    """From the start of a process: with nothing compiled, with all compiled, and the peers."""
    for _ in range(bench.settings.cold):
        with temporary_cache() as environment:
            stages(bench, "cold", environment, [VERBS, EVERYTHING])
    stages(bench, FILL, {}, [VERBS, EVERYTHING])
    bench.study.series = [series for series in bench.study.series if not series.side.startswith(FILL)]
    command = Path(sys.executable).with_name("terracotta")
    for _ in range(bench.settings.repeats):
        if command.exists():
            bench.tick("terracotta --help")
            begun = time.perf_counter()
            done = subprocess.run(
                [str(command), "--help"], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=ROOT
            )
            if done.returncode == 0:
                bench.study.add("start", "terracotta --help", "s", time.perf_counter() - begun)
        stages(bench, "warm", {}, [FIRST])
        stages(bench, "warm, all at once", {}, [VERBS, EVERYTHING])
        for side in FIRST_GAMES:
            first_game(bench, side)


FIRST_GAMES: Final = (
    Side("OpenSpiel, backgammon", "openspiel", "python", {"game": "backgammon"}),
    Side("Catanatron, 4 players", "catanatron", "random", {"players": 4}),
    Side("RLCard, limit-holdem", "rlcard", "random", {"game": "limit-holdem"}),
    Side("PettingZoo, connect_four_v3", "pettingzoo", "connect_four_v3", {"draw": "lean"}),
    Side("EnvPool, ConnectFour-v1", "envpool", "random", {"game": "ConnectFour-v1", "batch": 1, "length_of": 1}),
    Side(
        "Pgx, connect_four, batch 64",
        "pgx",
        "random",
        {"game": "connect_four", "batch": 64, "steps": 64, "length_of": 64},
    ),
)


def first_game(bench: Bench, side: Side) -> None:
    label = f"first whole game: {side.label}"
    bench.tick(label)
    begun = time.perf_counter()
    try:
        worker = bench.start(side.worker)
    except LostError as error:
        bench.study.skip("start", label, str(error))
        return
    try:
        worker.ask({"do": "prepare", "work": side.work, "args": dict(side.args)})
        bench.study.add("start", label, "s", time.perf_counter() - begun)
    except LostError as error:
        bench.study.skip("start", label, str(error))
    finally:
        worker.close()


# Memory


SIZES: Final = (
    Side("Terracotta Army", OURS, "bytes"),
    Side("OpenSpiel, backgammon", "openspiel", "bytes", {"game": "backgammon"}),
    Side("OpenSpiel, chess", "openspiel", "bytes", {"game": "chess"}),
    Side("Catanatron, 4 players", "catanatron", "bytes", {"players": 4}),
    Side("Pgx, connect_four", "pgx", "bytes", {"game": "connect_four"}),
    Side("Pgx, backgammon", "pgx", "bytes", {"game": "backgammon"}),
    Side("Pgx, chess", "pgx", "bytes", {"game": "chess"}),
    Side("RLCard, uno", "rlcard", "bytes", {"game": "uno"}),
    Side("PettingZoo, chess_v6", "pettingzoo", "bytes", {"env": "chess_v6"}),
)


def sizes(bench: Bench) -> None:
    """Bytes that hold one game."""
    for side in SIZES:
        bench.tick(side.label)
        try:
            fact = bench.worker(side.worker).ask({"do": "fact", "fact": side.work, "args": dict(side.args)})["fact"]
        except LostError as error:
            bench.study.skip("bytes", side.label, str(error))
            continue
        bench.study.facts.append({"section": "bytes", "side": side.label, **fact})


SLICES: Final = 50
MIB: Final = float(1 << 20)


def memory(bench: Bench) -> None:
    """Memory of one process that plays whole games, some of them through PettingZoo."""
    games, played = max(bench.settings.games // SLICES, 1), 0
    in_chunk = min(games, 1000)
    kernel = {"do": "measure", "work": "random", "args": {"players": 2, "games": in_chunk}, "times": games // in_chunk}
    loop = {"do": "measure", "work": "tensors", "args": {"draw": "lean"}, "times": 50}
    worker = bench.start(f"{OURS}, memory")
    try:
        for request in (kernel, loop):  # what is loaded and compiled belongs to the start
            worker.ask({**request, "times": 1})
        for index in range(SLICES + 1):
            resident = worker.ask({"do": "fact", "fact": "resident"})["fact"]["bytes"]
            bench.study.add("memory", "resident", "MiB", resident / MIB, played)
            if index == SLICES:
                break
            bench.tick(f"{played:,} games")
            for request in (kernel, loop):
                played += int(worker.ask(request, COLD_PATIENCE)["amounts"]["games"])
    except LostError as error:
        bench.study.skip("memory", "resident", str(error))
        return
    finally:
        worker.close()
    values = [s.values[0] for s in bench.study.series if s.section == "memory" and s.side == "resident"]
    bench.study.add("memory", "growth", "MiB", values[-1] - values[0])


SECTIONS: Final[dict[str, Callable[[Bench], None]]] = {
    "random": random_play,
    "aec": aec,
    "costs": costs,
    "batches": batches,
    "players": players,
    "threads": threads,
    "start": start,
    "bytes": sizes,
    "memory": memory,
}


def _play(policy: str, players: int, games: float) -> Claim:
    side = ours(policy, players).label
    name = policy.removesuffix("_loop")
    return Claim(f"{name} play, masks written, {players} players, games/s", games, "random", side, "games")


CLAIMS: Final = (
    _play("random", 2, 20_000),
    _play("busy_loop", 2, 3_000),
    _play("random", 4, 14_000),
    _play("busy_loop", 4, 2_000),
    Claim("two threads over two processes, games/s", 0.93, "threads", "two threads", "games", peer="two processes"),
    Claim(
        "over Catanatron, 4 players, games/s",
        500,
        "random",
        ours("random", 4).label,
        "games",
        peer="Catanatron, 4 players",
    ),
    *(
        Claim(
            f"over OpenSpiel C++ {game}, games/s",
            20,
            "random",
            ours("random", 2).label,
            "games",
            peer=f"OpenSpiel C++, {game}",
        )
        for game in ("backgammon", "chess")
    ),
    Claim("observation at batch 1,024, /s", 1.5e6, "costs", "observation, float32, batch 1024", "calls"),
    Claim("observation at batch 16,384, /s", 0.5e6, "costs", "observation, float32, batch 16384", "calls"),
    Claim("clone in a kernel, ns", 40, "costs", "clone, in a kernel", "ns", at_most=True),
    Claim("PettingZoo's loop, lean, tensors, steps/s", 50_000, "aec", "terracotta_v0 tensors, lean", "steps"),
    Claim(
        "documented loop over connect_four_v3's, tensors",
        3,
        "aec",
        "terracotta_v0 tensors, documented",
        "steps",
        peer="connect_four_v3, documented",
    ),
    Claim(
        "lean loop over connect_four_v3's, tensors",
        7,
        "aec",
        "terracotta_v0 tensors, lean",
        "steps",
        peer="connect_four_v3, lean",
    ),
    Claim(
        "lean loop over connect_four_v3's, flat",
        10,
        "aec",
        "terracotta_v0 flat, lean",
        "steps",
        peer="connect_four_v3, lean",
    ),
    Claim("cold: all verbs and the batch, s", 45, "start", f"cold: {VERBS[1]}", "s", at_most=True),
    Claim("cold: everything, s", 100, "start", f"cold: {EVERYTHING[1]}", "s", at_most=True),
    Claim("terracotta --help, s", 0.5, "start", "terracotta --help", "s", at_most=True),
    Claim("warm: first position and first step, s", 1.5, "start", f"warm: {FIRST[1]}", "s", at_most=True),
    Claim("memory grown over the games, MiB", 2, "memory", "growth", "MiB", at_most=True),
)


def note_machine(cores: Sequence[int]) -> dict[str, Any]:
    """What a reader must know of the machine."""
    model = "unknown"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    return {"cores": len(cores), "processor": model}
