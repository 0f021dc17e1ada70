"""What the project says of its speed, judged by what was measured."""

from __future__ import annotations

from typing import Final

from .report import Claim
from .sections import ours
from .starting import EVERYTHING, FIRST, VERBS


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
