"""Networks: what goes in and comes out, that all of it learns, and that places answer for their own actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from terracotta_agents.neural.networks import (
    NETWORKS,
    VALUES,
    GridTower,
    PlaceLogits,
    RingTower,
    Structured,
    autocast,
    make_network,
)
from terracotta_agents.neural.saved import FORMAT, load_network, save_network
from terracotta_agents.neural.single import SingleNetwork, one_thread
from terracotta_agents.neural.store import StoreError, read_tensors, write_tensors
from terracotta_env.army import GAME
from terracotta_env.game import Block, Channel, Game
from terracotta_env.position import Position
from tests.agents.nets import SMALL, compact, small_network, some_positions
from tests.toy import GAME as TOY

KINDS = tuple(NETWORKS)
GAMES = (GAME, TOY)


def observations_of(game: Game, count: int = 12) -> torch.Tensor:
    return torch.from_numpy(np.stack([compact(position) for position in some_positions(game, count)]))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("kind", KINDS)
def test_logits_for_every_action_and_values_for_every_seat(kind: str, game: Game) -> None:
    network = small_network(game, kind)
    looks = observations_of(game)
    for part in (looks, looks[:1], looks[:0]):
        logits, values = network(part)
        assert logits.shape == (len(part), game.actions)
        assert values.shape == (len(part), game.seats, VALUES)
        assert logits.dtype == values.dtype == torch.float32
        assert torch.isfinite(logits).all()
        assert torch.isfinite(values).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("kind", KINDS)
def test_answer_does_not_depend_on_who_else_is_asked(kind: str, game: Game) -> None:
    network = small_network(game, kind, gain=100)
    looks = observations_of(game)
    together = network(looks)
    for k in range(len(looks)):
        for one, all_ in zip(network(looks[k : k + 1]), together, strict=True):
            assert torch.allclose(one[0], all_[k], atol=1e-4)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_reach_every_parameter(kind: str, game: Game) -> None:
    network = small_network(game, kind)
    logits, values = network(observations_of(game, 30))
    weights = torch.randn_like(logits)
    ((logits * weights).sum() + (values * torch.randn_like(values)).sum()).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert torch.isfinite(parameter.grad).all(), name
        assert parameter.grad.abs().max() > 0, name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("kind", KINDS)
def test_fresh_network_is_nearly_uniform_and_values_nothing(kind: str, game: Game) -> None:
    torch.manual_seed(1)
    network = make_network(game, kind, {"width": 64})
    logits, values = network(observations_of(game))
    assert (logits.amax(1) - logits.amin(1)).max() < 0.5
    assert values.abs().max() < 0.5


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("kind", KINDS)
def test_int8_observations_mean_the_exact_ones_to_within_a_step(kind: str, game: Game) -> None:
    network = small_network(game, kind)
    steps = game.observation_steps
    for position in some_positions(game):
        seat = position.to_act
        assert seat is not None
        exact, whole = position.observe(seat), compact(position)
        assert np.abs(exact - whole * steps).max() <= steps.max() + 1e-6
        assert (np.abs(exact - whole * steps) <= steps + 1e-6).all()
        got = network.first(torch.from_numpy(whole)[None])
        linear = network.first.linear
        wanted = torch.nn.functional.linear(torch.from_numpy(whole * steps)[None], linear.weight, linear.bias)
        assert torch.allclose(got, wanted, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_half_precision_is_close_and_leaves_the_weights_alone(kind: str) -> None:
    network = small_network(GAME, kind)
    looks = observations_of(GAME)
    exact = network(looks)
    with autocast(True):
        half = network(looks)
    for one, other in zip(exact, half, strict=True):
        assert other.dtype == torch.float32
        assert not torch.equal(one, other)
        assert (one - other).abs().max() < 0.02 * max(1.0, one.abs().max().item())
    assert all(parameter.dtype == torch.float32 for parameter in network.parameters())


@pytest.mark.parametrize("kind", KINDS)
def test_one_network_serves_all_player_counts_and_boards(kind: str) -> None:
    network = small_network(GAME, kind, gain=100)
    for board in GAME.notation.board_names():
        for players in GAME.players:
            looks = torch.from_numpy(compact(Position.from_seed(GAME, players, 1, board)))[None]
            assert all(torch.isfinite(out).all() for out in network(looks))


# places ---------------------------------------------------------------------------------------------------------------


def random_part(block: Block, n: int = 3) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(0).integers(0, 3, (n, block.size)).astype(np.int8))


def places_of(part: torch.Tensor, block: Block) -> torch.Tensor:
    """``(N, *shape)`` with the channels moved to the end."""
    return part.unflatten(1, block.shape).movedim(1 + block.axis, -1)


def part_of(places: torch.Tensor, block: Block) -> torch.Tensor:
    return places.movedim(-1, 1 + block.axis).flatten(1).contiguous()


RING = Block(
    "ring", (6, 2), 1, (Channel("a", ""), Channel("b", "", step=0.5)), (tuple(range(6)), tuple(range(6, 12))), True
)
LINE = Block("line", (2, 6), 0, RING.channels, RING.choices)
GRID = Block("grid", (2, 5, 6), 0, RING.channels, (tuple(range(30)),))


def tower_of(block: Block, layers: int) -> RingTower | GridTower:
    """A fresh tower; of a grid without what it sees along whole rows and columns."""
    torch.manual_seed(0)
    if len(block.shape) == 2:
        return RingTower(block, 16, layers)
    tower = GridTower(block, 16, layers)
    blind(tower)
    return tower


def blind(tower: GridTower) -> None:
    """Let a grid's places see their surroundings only."""
    with torch.no_grad():
        for parameter in tower.lines.parameters():
            parameter.zero_()


@pytest.mark.parametrize("shift", [1, 2, 5])
def test_turning_the_ring_turns_its_features_and_logits(shift: int) -> None:
    tower, head = tower_of(RING, 2), PlaceLogits(RING, 16, 8)
    part = random_part(RING)
    turned = part_of(places_of(part, RING).roll(shift, 1), RING)
    before, after = tower(part), tower(turned)
    assert torch.allclose(after, before.roll(shift, 1), atol=1e-6)
    whole = torch.randn(3, 8)
    one, other = (head(places, whole).unflatten(1, (2, 6)) for places in (before, after))
    assert torch.allclose(other, one.roll(shift, 2), atol=1e-6)
    assert not torch.allclose(other, one, atol=1e-6)


def test_line_has_two_ends() -> None:
    tower = tower_of(LINE, 1)
    part = random_part(LINE)
    turned = part_of(places_of(part, LINE).roll(1, 1), LINE)
    assert not torch.allclose(tower(turned), tower(part).roll(1, 1), atol=1e-4)


def test_shifting_what_stands_inside_a_grid_shifts_what_is_seen() -> None:
    torch.manual_seed(0)
    tower = GridTower(GRID, 16, 0)
    places = torch.zeros(1, 5, 6, 2, dtype=torch.int8)
    places[0, 2, 2] = 1
    shifted = places.roll(1, 2)
    a, b = (tower(part_of(p, GRID)).unflatten(1, (5, 6)) for p in (places, shifted))
    assert torch.allclose(b, a.roll(1, 2), atol=1e-6)
    assert not torch.allclose(b, a, atol=1e-3)


def test_place_of_a_grid_sees_its_whole_row_and_column() -> None:
    torch.manual_seed(0)
    tower = GridTower(GRID, 16, 0)
    base = torch.zeros(1, GRID.size, dtype=torch.int8)
    places = places_of(base, GRID).clone()
    places[0, 2, 0] = 1
    moved = (tower(part_of(places, GRID)) - tower(base)).abs().amax(2).unflatten(1, (5, 6))[0] > 0
    assert moved[2].all()
    assert moved[:, 0].all()


@pytest.mark.parametrize("block", [RING, LINE, GRID], ids=lambda block: block.name)
def test_place_is_seen_by_its_neighbours_only(block: Block) -> None:
    tower = tower_of(block, 0)
    base = torch.zeros(1, block.size, dtype=torch.int8)
    shape = [size for axis, size in enumerate(block.shape) if axis != block.axis]
    for place in range(np.prod(shape)):
        places = places_of(base, block).clone()
        at = np.unravel_index(place, shape)
        places[(0, *map(int, at))] = 1
        changed = (tower(part_of(places, block)) - tower(base)).abs().amax((0, 2)) > 0
        seen = {int(k) for k in torch.nonzero(changed)}
        near = set()
        for other in range(np.prod(shape)):
            apart = [abs(a - b) for a, b in zip(at, np.unravel_index(other, shape), strict=True)]
            if block.ring:
                apart = [min(d, shape[0] - d) for d in apart]
            if max(apart) <= 1:
                near.add(other)
        assert place in seen <= near


def test_steps_are_multiplied_in_for_each_channel() -> None:
    tower = tower_of(RING, 0)
    part = random_part(RING)
    doubled = places_of(part, RING).clone()
    doubled[..., 1] *= 2
    coarse = Block("ring", RING.shape, 1, (Channel("a", ""), Channel("b", "", step=0.25)), RING.choices, True)
    other = RingTower(coarse, 16, 0)
    other.load_state_dict(tower.state_dict())
    assert torch.allclose(other(part_of(doubled, RING)), tower(part), atol=1e-6)


@pytest.mark.parametrize("block", [block for block in GAME.observation if block.choices], ids=lambda block: block.name)
def test_what_is_put_on_a_place_is_seen_on_the_place_that_answers_for_it(block: Block) -> None:
    """Play actions that choose a place and look where the tensor of the block changes."""
    start = [b.name for b in GAME.observation].index(block.name)
    low = sum(b.size for b in GAME.observation[:start])
    ids = np.array(block.choices)
    rng = np.random.default_rng(0)
    seen: set[int] = set()
    for seed in range(12):
        position = Position.from_seed(GAME, 2, seed)
        while not position.over:
            seat = position.to_act
            assert seat is not None
            action = int(rng.choice(np.flatnonzero(position.mask())))
            before = compact(position, seat)[low : low + block.size]
            position.play(action)
            if position.over or action not in ids:
                continue
            after = compact(position, seat)[low : low + block.size]
            moved = places_of(torch.from_numpy((before != after)[None].astype(np.int8)), block)[0]
            place = int(np.argwhere(ids == action)[0][1])
            assert moved.flatten(0, -2)[place].any(), GAME.tokens[action]
            seen.add(place)
    assert len(seen) > ids.shape[1] // 2


def test_logit_of_a_place_follows_the_features_of_that_place() -> None:
    network = small_network(GAME, "structured", gain=100)
    assert isinstance(network, Structured)
    with torch.no_grad():
        for parameter in network.policy[-1].parameters():
            parameter.zero_()
        for head in network.place_logits:
            assert isinstance(head, PlaceLogits)
            for parameter in head.of_whole.parameters():
                parameter.zero_()
    for tower in network.towers:
        if isinstance(tower, GridTower):
            blind(tower)
    start = 0
    for block in GAME.observation:
        low, start = start, start + block.size
        if not block.choices:
            continue
        base = torch.zeros(1, GAME.observation_size, dtype=torch.int8)
        ids = torch.tensor(block.choices)
        shape = [size for axis, size in enumerate(block.shape) if axis != block.axis]
        looks = base.repeat(ids.shape[1], 1)
        for place, look in enumerate(looks):
            places = places_of(look[None, low:start], block).clone()
            places[(0, *map(int, np.unravel_index(place, shape)))] = 1
            look[low:start] = part_of(places, block)[0]
        moved = (network(looks)[0] - network(base)[0]).abs() > 1e-7
        for place in range(ids.shape[1]):
            at = np.unravel_index(place, shape)
            allowed = torch.zeros(GAME.actions, dtype=torch.bool)
            for other in range(ids.shape[1]):
                apart = [abs(a - b) for a, b in zip(at, np.unravel_index(other, shape), strict=True)]
                if block.ring:
                    apart = [min(d, shape[0] - d) for d in apart]
                if max(apart) <= 2:  # two convolutions
                    allowed[ids[:, other]] = True
            assert moved[place, ids[:, place]].any()
            assert not (moved[place] & ~allowed).any()


# making, saving, loading ----------------------------------------------------------------------------------------------


def test_unknown_kinds_and_options_are_named() -> None:
    with pytest.raises(ValueError, match="expected one of perceptron, structured, got 'transformer'"):
        make_network(TOY, "transformer", {})
    with pytest.raises(ValueError, match="perceptron: unknown option among width, channels"):
        make_network(TOY, "perceptron", {"width": 8, "channels": 3})


def test_weights_follow_from_torchs_seed() -> None:
    made = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        made.append(make_network(TOY, "perceptron", SMALL["perceptron"]).state_dict()["first.linear.weight"])
    assert torch.equal(made[0], made[1])
    assert not torch.equal(made[0], made[2])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("kind", KINDS)
def test_saved_network_is_the_loaded_one_and_loading_draws_no_number(kind: str, game: Game, tmp_path: Path) -> None:
    network = small_network(game, kind, gain=10)
    path = tmp_path / "deep" / "net.safetensors"
    save_network(path, network, game, {"samples": 7})
    state = torch.get_rng_state()
    loaded, note = load_network(path, game)
    assert torch.equal(torch.get_rng_state(), state)
    assert note == {"samples": 7}
    for one, other in zip(network.state_dict().items(), loaded.state_dict().items(), strict=True):
        assert one[0] == other[0]
        assert torch.equal(one[1], other[1])
    looks = observations_of(game)
    for answer, again in zip(network(looks), loaded(looks), strict=True):
        assert torch.allclose(answer, again, atol=1e-5)
    assert not loaded.training
    assert not any(parameter.requires_grad for parameter in loaded.parameters())
    assert [path.name for path in path.parent.iterdir()] == ["net.safetensors"]


def retold(path: Path, **changes: Any) -> None:
    tensors, about = read_tensors(path, FORMAT, {})
    about.pop("sha256")
    about.pop("format")
    write_tensors(path, FORMAT, tensors, {**about, **changes})


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"rules": 99}, "made for rules 99, this program has 1"),
        ({"game": "chess"}, "made for game 'chess', this program has 'orchard'"),
        ({"version": 9}, "made for version 9"),
        ({"observation_size": 3}, "made for observation_size 3"),
        ({"actions": 3}, "made for actions 3"),
        ({"network": {"kind": "other", "options": {}}}, "do not fit the network it names"),
        ({"network": {"kind": "perceptron", "options": {"width": 8}}}, "do not fit the network it names"),
        ({"network": {"kind": "perceptron", "options": {"width": "8"}}}, "do not fit the network it names"),
        ({"network": {"kind": "perceptron", "options": {"depth": 8}}}, "do not fit the network it names"),
        ({"network": 3}, "do not fit the network it names"),
        ({"note": 3}, "do not fit the network it names"),
    ],
)
def test_network_that_does_not_fit_is_refused(changes: dict[str, Any], named: str, tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    save_network(path, small_network(TOY, "perceptron"), TOY)
    retold(path, **changes)
    with pytest.raises(StoreError, match=named) as caught:
        load_network(path, TOY)
    assert "\n" not in str(caught.value)


# one position at a time -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("kind", KINDS)
def test_single_network_answers_as_the_network_and_is_a_copy(kind: str, game: Game) -> None:
    network = small_network(game, kind, gain=10)
    single = SingleNetwork(game, network)
    positions = some_positions(game)
    answers = []
    for position in positions:
        seat = position.to_act
        assert seat is not None
        logits, values = single.ask(position, seat)
        wanted = network(torch.from_numpy(compact(position))[None])
        assert values is not None
        np.testing.assert_allclose(logits, wanted[0][0].detach(), atol=1e-4)
        np.testing.assert_allclose(values, wanted[1][0].detach(), atol=1e-4)
        answers.append(logits.copy())
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(1.0)
    for position, before in zip(positions, answers, strict=True):
        seat = position.to_act
        assert seat is not None
        assert np.array_equal(single.ask(position, seat)[0], before)


def test_answers_are_the_callers_own() -> None:
    single = SingleNetwork(TOY, small_network(TOY, gain=10))
    first, second = some_positions(TOY, 2)
    kept = single.ask(first, 0)
    copies = [array.copy() for array in kept if array is not None]
    single.ask(second, 0)
    assert all(np.array_equal(a, b) for a, b in zip(kept, copies, strict=True) if a is not None)


def test_threads_of_torch_are_given_back() -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        with one_thread():
            assert torch.get_num_threads() == 1
            with one_thread():
                assert torch.get_num_threads() == 1
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 3
        with pytest.raises(KeyError), one_thread():
            raise KeyError
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
