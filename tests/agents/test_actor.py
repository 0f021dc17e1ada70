"""Trained actors: what is saved is what is loaded or an error, and they play legal actions whatever the logits."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from terracotta_agents.neural.actor import FILE, FORMAT, Actor, choose, load_actor, save_actor
from terracotta_agents.neural.agent import NetAgent
from terracotta_agents.neural.store import StoreError, read_tensors, write_tensors
from terracotta_agents.registry import AgentError, make_agent
from terracotta_env.army import GAME
from terracotta_env.position import Position
from tests.agents.games import play_and_record

A = GAME.actions


@pytest.fixture
def actor() -> Actor:
    torch.manual_seed(3)
    return Actor([GAME.observation_size, 12, 8, A]).eval()


@pytest.fixture
def folder(tmp_path: Path, actor: Actor) -> Path:
    """A saved actor."""
    save_actor(tmp_path / "actor", actor, GAME, {"samples": 7})
    return tmp_path / "actor"


def rewrite(folder: Path, tensors: dict[str, torch.Tensor] | None = None, **changes: Any) -> None:
    """Change an actor and what its file says, with a checksum that fits, as somebody who tampers with both would."""
    old, about = read_tensors(folder / FILE, FORMAT, {})
    about = {**about, **changes}
    kind, _ = about.pop("format"), about.pop("sha256")
    write_tensors(folder / FILE, kind, old if tensors is None else tensors, about)


def test_loaded_actor_is_the_saved_one(folder: Path, actor: Actor) -> None:
    loaded = load_actor(folder, GAME)
    look = torch.rand(5, GAME.observation_size)
    assert loaded.sizes == actor.sizes
    assert torch.equal(loaded(look), actor(look))
    assert not loaded.training
    assert read_tensors(folder / FILE, FORMAT, {})[1]["note"] == {"samples": 7}


def test_saving_again_replaces_the_actor(folder: Path) -> None:
    other = Actor([GAME.observation_size, A]).eval()
    save_actor(folder, other, GAME)
    assert load_actor(folder, GAME).sizes == other.sizes


def flip_a_byte(folder: Path) -> None:
    raw = bytearray((folder / FILE).read_bytes())
    raw[len(raw) // 2] ^= 1
    (folder / FILE).write_bytes(raw)


def cut(folder: Path) -> None:
    raw = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(raw[: len(raw) // 2])


def other_network(folder: Path) -> None:
    torch.manual_seed(4)
    rewrite(folder, Actor([GAME.observation_size, 12, 8, A]).state_dict())


def says(**changes: Any) -> Callable[[Path], None]:
    return lambda folder: rewrite(folder, **changes)


def holds(**tensors: torch.Tensor) -> Callable[[Path], None]:
    return lambda folder: rewrite(folder, {name.replace("__", "."): value for name, value in tensors.items()})


F = GAME.observation_size


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (flip_a_byte, "SHA-256 differs"),
        (cut, "is not a whole safetensors file"),
        (lambda folder: (folder / FILE).write_bytes(b""), "is not a whole safetensors file"),
        (lambda folder: (folder / FILE).write_bytes(b"{}"), "is not a whole safetensors file"),
        (holds(), "expected the matrices of an actor's layers, got nothing"),
        (holds(other=torch.zeros(3)), "expected the matrices .* got other"),
        (holds(layers__0__weight=torch.zeros(3)), "expected the matrices"),
        (holds(layers__0__weight=torch.zeros(A, F)), "of the sizes"),
        (other_network, "answers the probe differently"),
        (lambda folder: (folder / FILE).unlink(), "there is no such file"),
        (says(sizes=[F, 12, 9, A]), "of the sizes"),
        (says(sizes=[F, 10**15, 8, A]), "of the sizes"),
        (says(sizes=None), "of the sizes"),
        (says(rules=2), "made for rules 2, this program has 1"),
        (says(game="chess"), "made for game 'chess'"),
        (says(version=1), "made for version 1"),
        (says(format="other"), "expected a terracotta-actor, got other"),
        (says(probe=[0.0] * 16), "answers the probe differently"),
        (says(probe=[]), "probe"),
        (says(probe="high"), "probe"),
    ],
)
def test_damaged_actor_is_refused(damage: Callable[[Path], object], named: str, folder: Path) -> None:
    damage(folder)
    with pytest.raises(StoreError, match=named) as caught:
        load_actor(folder, GAME)
    assert "\n" not in str(caught.value)


def test_actor_of_before_is_refused_with_what_to_do(folder: Path, tmp_path: Path) -> None:
    (folder / FILE).unlink()
    torch.save({"layers.0.weight": Malicious(tmp_path / "ran")}, folder / "actor.pt")
    for where in (folder, tmp_path):
        with pytest.raises(AgentError, match=r"actor\.pt: holds a pickle, .* train the actor anew"):
            make_agent(f"net:{where}")
    assert not (tmp_path / "ran").exists()


class Malicious:
    """Runs a command when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.marker),)


@pytest.mark.parametrize("form", ["torch", "pickle"])
def test_file_that_would_run_code_is_refused_and_runs_nothing(form: str, folder: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    if form == "torch":
        torch.save({"layers.0.weight": Malicious(marker)}, folder / FILE)
    else:
        (folder / FILE).write_bytes(pickle.dumps(Malicious(marker)))
    with pytest.raises(StoreError, match=r"is not a whole safetensors file .* pickles are never read"):
        load_actor(folder, GAME)
    assert not marker.exists()


def test_policy_without_the_expected_layers_is_refused() -> None:
    with pytest.raises(StoreError, match="no actor layers in this policy: it has other"):
        Actor.from_sb3({"other": torch.zeros(1)})


# choosing -------------------------------------------------------------------------------------------------------------


def masks_with(legal: int, n: int, rng: np.random.Generator) -> np.ndarray:
    masks = np.zeros((n, A), np.int8)
    for row in masks:
        row[rng.choice(A, legal, replace=False)] = 1
    return masks


@pytest.mark.parametrize("legal", [1, 2, A])
@pytest.mark.parametrize("sample", [True, False])
def test_choice_is_legal_at_extreme_logits(legal: int, sample: bool) -> None:
    rng = np.random.default_rng(0)
    masks = masks_with(legal, 500, rng)
    patterns = [np.zeros(masks.shape), rng.choice([0.0, 1e4, -1e4], masks.shape)]
    patterns += [np.where(masks != 0, -1e4, 1e4), np.where(masks != 0, -1e4, np.inf), np.where(masks != 0, 0, np.nan)]
    for logits in patterns:
        chosen = choose(logits.astype(np.float32), masks, rng if sample else None)
        assert chosen.shape == (500,)
        assert (masks[np.arange(500), chosen] == 1).all()


@pytest.mark.parametrize("sample", [True, False])
def test_choice_with_infinite_legal_logits_is_legal_or_an_error(sample: bool) -> None:
    rng = np.random.default_rng(1)
    masks = masks_with(2, 50, rng)
    masks[:, 0] = 0
    logits = np.where(masks != 0, -np.inf, 0.0).astype(np.float32)
    try:
        chosen = choose(logits, masks, rng if sample else None)
    except ValueError:
        return
    assert (masks[np.arange(50), chosen] == 1).all()


@pytest.mark.parametrize("sample", [True, False])
def test_best_of_far_apart_logits_is_always_chosen(sample: bool) -> None:
    rng = np.random.default_rng(2)
    masks = masks_with(5, 300, rng)
    best = np.array([rng.choice(np.flatnonzero(row)) for row in masks])
    logits = np.where(masks != 0, -1e4, 1e4).astype(np.float32)
    logits[np.arange(300), best] = 0
    assert (choose(logits, masks, rng if sample else None) == best).all()


def test_nan_of_a_legal_action_is_a_named_error_and_of_an_illegal_one_is_nothing() -> None:
    masks = np.array([[1, 1, 0], [0, 1, 1]])
    good = np.array([[0, 1, np.nan], [np.nan, 2, 1]])
    assert choose(good, masks, None).tolist() == [1, 1]
    bad = good.copy()
    bad[1, 2] = np.nan
    for rng in (None, np.random.default_rng(0)):
        with pytest.raises(ValueError, match=r"NaN.*diverged"):
            choose(bad, masks, rng)


def test_sampling_follows_the_softmax_over_the_legal_logits() -> None:
    logits = np.log(np.array([1.0, 2.0, 4.0, 100.0]))
    masks = np.array([1, 1, 1, 0], np.int8)
    n = 20_000
    chosen = choose(np.tile(logits, (n, 1)), np.tile(masks, (n, 1)), np.random.default_rng(5))
    counts = np.bincount(chosen, minlength=4)
    assert counts[3] == 0
    for count, share in zip(counts, (1 / 7, 2 / 7, 4 / 7), strict=False):
        assert abs(count / n - share) < 4 * np.sqrt(share * (1 - share) / n)


# playing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("kind", ["net", "net-sample"])
def test_saved_actor_plays_whole_games_by_its_code(kind: str, players: int, folder: Path) -> None:
    record, final = play_and_record(players, [f"{kind}:{folder}"], 4)
    again, _ = play_and_record(players, [f"{kind}:{folder}"], 4)
    assert final.over
    assert record == again
    assert record["agents"] == [f"{kind}:{folder}"] * players


def test_best_action_is_the_legal_one_with_the_highest_logit(actor: Actor) -> None:
    bot = NetAgent(GAME, actor)
    position = Position.from_seed(GAME, 2, 6)
    for _ in range(60):
        assert position.to_act is not None
        logits = actor(torch.from_numpy(position.observe(position.to_act))[None])[0].detach().numpy()
        legal = np.flatnonzero(position.mask())
        action = bot.act(position, position.mask())
        assert action == legal[logits[legal].argmax()]
        position.play(action)


def test_sampling_bot_repeats_itself_after_the_same_seed_only(folder: Path) -> None:
    bot = make_agent(f"net-sample:{folder}")
    position = Position.from_seed(GAME, 2, 6)
    drawn = []
    for seed in (1, 1, 2):
        bot.begin(seed)
        drawn.append([bot.act(position, position.mask()) for _ in range(40)])
    assert drawn[0] == drawn[1] != drawn[2]


def test_diverged_network_is_an_error_not_a_move(actor: Actor) -> None:
    with torch.no_grad():
        list(actor.parameters())[-1].fill_(float("nan"))
    position = Position.from_seed(GAME, 2, 6)
    with pytest.raises(ValueError, match="diverged"):
        NetAgent(GAME, actor).act(position, position.mask())
