"""What is measured, and against what.  One function for each section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from .bench import COLD_PATIENCE, OURS, SECOND, THREADED, Bench
from .driver import LostError, Side
from .starting import start


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
