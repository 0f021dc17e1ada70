"""How strong a network is against the reference bots, and the card of the one that comes with the package.

    python -m terracotta_training.strength net:default
    python -m terracotta_training.strength runs/ppo-hour --ship  # makes it net:default: half precision, card.json

One network against the same bot in all other seats, every setup played from every seat, the network's best action.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from terracotta_agents.neural.loading import DEFAULT_FOLDER, NETWORK, find_network
from terracotta_agents.neural.rows import NetworkRows
from terracotta_agents.neural.saved import load_network, save_network
from terracotta_agents.rows import ROW_BOTS
from terracotta_env.army import GAME

from .evaluate import Match
from .matches import play_rows
from .run_folder import write_json

CARD = "card.json"
SEED = 30_000  # of setups: neither those of training nor those that a run is evaluated on
MATCHES = (
    *(("random", 2, 1), ("busy", 2, 1)),
    *((bot, players, 1 if players == 2 else 2) for bot in ("greedy", "planner") for players in (2, 3, 4)),
)  # opponent, players, by what the number of games is divided


def strength(network: torch.nn.Module, games: int, seed: int = SEED) -> list[Match]:
    """Play all matches; ``games`` of those with two players, half as many with more."""
    agent = NetworkRows(GAME, network, sample=False)
    return [
        play_rows(GAME, agent, ROW_BOTS[bot](), players, games // part, seed, ("net", bot))
        for bot, players, part in MATCHES
    ]


def described(matches: Sequence[Match]) -> list[dict[str, Any]]:
    """Results as JSON values; shares with 95 % intervals."""
    rows = []
    for match in matches:
        share, low, high = match.win_share()
        rows.append(
            {
                "opponent": match.opponent,
                "players": match.players,
                "games": match.games,
                "win_share": round(share, 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "vp": round(float(match.points.mean()), 1),
                "opponents_vp": round(float(match.others.mean()), 1),
            }
        )
    return rows


def markdown(rows: Sequence[dict[str, Any]]) -> str:
    """The table of :func:`described`."""
    lines = ["| opponent in all other seats | players | games | first place | par | mean VP | opponents' mean VP |"]
    lines.append("|---|---|---|---|---|---|---|")
    for row in rows:
        share = f"{row['win_share']:.1%} ({row['low']:.1%} - {row['high']:.1%})"
        lines.append(
            f"| {row['opponent']} | {row['players']} | {row['games']} | {share} | {1 / row['players']:.0%} "
            f"| {row['vp']} | {row['opponents_vp']} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", help="net:default, a file, or a run's folder")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--ship", action="store_true", help="make it net:default")
    arguments = parser.parse_args()
    network, note = load_network(find_network(arguments.network.removeprefix("net:")), GAME)
    if arguments.ship:
        DEFAULT_FOLDER.mkdir(exist_ok=True)
        save_network(DEFAULT_FOLDER / NETWORK, network.half(), GAME, note)  # half the bytes; read as float32
        network, note = load_network(DEFAULT_FOLDER / NETWORK, GAME)
    rows = described(strength(network, arguments.games, arguments.seed))
    print(markdown(rows), end="")
    if arguments.ship:
        cost = {name: note[name] for name in ("samples", "minutes", "core_minutes")}
        card = {"network": note, "cost": cost, "seed": arguments.seed, "strength": rows}
        write_json(Path(DEFAULT_FOLDER) / CARD, card)
        print(json.dumps(cost))


if __name__ == "__main__":
    main()
