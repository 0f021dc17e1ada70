"""One side of the benchmark in a process of its own: reads requests as JSON lines, answers measurements as JSON lines.

Every side runs under this same program, so that the same clock, the same loops and the same warm-up stand on both.
Peers run it in their own virtual environment, hence the standard library only and no import of the project.

A side is a module with

    WORKS      what can be measured: name -> function(**args) that prepares and returns a *chunk*, a function without
               arguments that works for some 1 to 200 ms and returns what it did, as ``{"games": 3, "decisions": 310}``
    FACTS      what is only asked once: name -> function(**args) that returns JSON
    ENVS       PettingZoo environments: name -> function that makes one; they are played by :func:`aec_loop`
    versions   function that returns the versions of what is measured

of which only ``versions`` must be there.  Requests and answers:

    {"do": "hello"}                                           {"versions": ..}
    {"do": "prepare", "work": W, "args": {..}}                {"seconds": ..}, one chunk played to warm up
    {"do": "measure", "work": W, "args": {..}, "seconds": S}  {"amounts": .., "seconds": .., "cpu": ..,
                                                               "instructions": ..}
    {"do": "measure", "work": W, "args": {..}, "times": K}    the same, of K chunks
    {"do": "fact", "fact": F, "args": {..}}                   {"fact": ..}

and ``{"error": ..}`` to whatever fails.  The end of the input ends the process.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Chunk = Callable[[], Mapping[str, float]]


def aec_loop(env: Any, draw: str) -> Chunk:
    """A whole game of PettingZoo's loop with observations.

    ``documented`` draws with ``env.action_space(agent).sample(mask)``, ``lean`` the k-th legal action with one
    random number.  Nothing else differs between environments.
    """
    seed = 0

    def documented() -> Mapping[str, float]:
        nonlocal seed
        env.reset(seed=seed)
        seed += 1
        steps = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            else:
                action = int(env.action_space(agent).sample(observation["action_mask"]))
            env.step(action)
            steps += 1
        return {"games": 1, "steps": steps}

    def lean() -> Mapping[str, float]:
        nonlocal seed
        env.reset(seed=seed)
        seed += 1
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            else:
                legal = observation["action_mask"].nonzero()[0]
                action = int(legal[int(random.random() * len(legal))])
            env.step(action)
            steps += 1
        return {"games": 1, "steps": steps}

    return {"documented": documented, "lean": lean}[draw]


def measure(
    chunk: Chunk, seconds: float | None, times: int | None, counter: Callable[[], int] | None
) -> dict[str, Any]:
    """Run chunks for at least ``seconds``, or ``times`` of them: what they did, the time and the processor time."""
    amounts: Counter[str] = Counter()
    chunks = 0
    counted = counter() if counter else 0
    cpu, start = time.process_time(), time.perf_counter()
    while True:
        amounts.update(chunk())
        chunks += 1
        now = time.perf_counter()
        if (chunks >= times) if times else (now - start >= (seconds or 0)):
            break
    return {
        "amounts": dict(amounts),
        "seconds": now - start,
        "cpu": time.process_time() - cpu,
        "instructions": counter() - counted if counter else None,
    }


class Side:
    """Answers requests with a side's module."""

    def __init__(self, module: Any, counter: Callable[[], int] | None = None) -> None:
        self.module = module
        self.counter = counter
        self.works: dict[str, Callable[..., Chunk]] = dict(getattr(module, "WORKS", {}))
        for name, make in getattr(module, "ENVS", {}).items():
            self.works[name] = lambda draw, make=make: aec_loop(make(), draw)
        self.ready: dict[str, Chunk] = {}

    def chunk(self, work: str, args: Mapping[str, Any]) -> Chunk:
        key = json.dumps([work, args], sort_keys=True)
        if key not in self.ready:
            if work not in self.works:
                raise LookupError(f"no work {work!r} here")
            chunk = self.works[work](**args)
            chunk()
            self.ready[key] = chunk
        return self.ready[key]

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        do, args = request["do"], request.get("args", {})
        if do == "hello":
            return {"versions": self.module.versions()}
        if do == "prepare":
            start = time.perf_counter()
            self.chunk(request["work"], args)
            return {"seconds": time.perf_counter() - start}
        if do == "measure":
            chunk = self.chunk(request["work"], args)
            return measure(chunk, request.get("seconds"), request.get("times"), self.counter)
        if do == "fact":
            facts = getattr(self.module, "FACTS", {})
            if request["fact"] not in facts:
                raise LookupError(f"no fact {request['fact']!r} here")
            return {"fact": facts[request["fact"]](**args)}
        raise ValueError(f"unknown request {do!r}")


def load(name: str) -> Any:
    """A module by dotted name, or by file without putting its folder on the path: peers' files have peers' names."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(f"bench_peer_{Path(name).stem}", name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description="One side of the benchmark, see the top of this file.")
    parser.add_argument("module", help="dotted name, or a file that ends in .py")
    parser.add_argument("--path", help="folder to import from")
    parser.add_argument("--cores", help="processor cores to stay on, as 0,1")
    parser.add_argument("--instructions", action="store_true", help="count instructions where the machine can")
    arguments = parser.parse_args()
    answers = os.fdopen(os.dup(1), "w")  # what libraries print goes to standard error
    os.dup2(2, 1)
    if arguments.cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(core) for core in arguments.cores.split(",")})  # before any library makes threads
    if arguments.path:
        sys.path.insert(0, arguments.path)
    counter = None
    if arguments.instructions:
        counter = load(str(Path(__file__).with_name("instructions.py"))).open_counter()
    side: Side | None = None
    for line in sys.stdin:
        try:
            if side is None:
                side = Side(load(arguments.module), counter)
            answer = side.answer(json.loads(line))
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
