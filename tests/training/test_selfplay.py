"""Self-play by jobs: what a job plays follows from the job, and samples say what came of each decision."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from terracotta_agents.neural.networks import MARGIN, RANK
from terracotta_agents.search.guided import RootSettings
from terracotta_agents.search.settings import Settings
from terracotta_env.policy import stream
from terracotta_env.position import Position
from terracotta_training.alphazero_config import SelfPlaySettings
from terracotta_training.alphazero_learn import read_samples
from terracotta_training.jobs import Job
from terracotta_training.selfplay import _SETUPS, Block, SelfPlay, play_job
from tests.agents.nets import compact, small_network
from tests.toy import GAME as TOY

COMMON = SelfPlay(
    TOY,
    7,
    ("plain",),
    Settings(),
    RootSettings(considered=4),
    SelfPlaySettings(games=8, trees=5, simulations=8, fast_simulations=2, full_share=0.5),
    False,
)
NETWORK = small_network(TOY, "perceptron", gain=50.0)


def played(number: int = 0, players: int = 3, common: SelfPlay = COMMON, threads: int = 1) -> Block:
    return play_job(common, NETWORK, 4, Job(number, 8 * number, 8, players), threads)


def test_a_job_played_again_is_the_same_to_the_bit() -> None:
    one, other = played(), played()
    assert one.samples.tobytes() == other.samples.tobytes()
    assert replace(one.done, seconds=0.0) == replace(other.done, seconds=0.0)
    assert one.samples.tobytes() != played(1).samples.tobytes()


@pytest.mark.parametrize("threads", [1, 3])
def test_a_job_plays_each_of_its_games_once_and_to_the_end(threads: int) -> None:
    block = played(2, threads=threads)
    assert sorted(set(block.samples["game"].tolist())) == list(range(16, 24))
    assert (block.done.job, block.done.first_game, block.done.games, block.done.version) == (2, 16, 8, 4)
    assert block.done.decisions == len(block.samples)
    for game in range(16, 24):
        own = block.samples[block.samples["game"] == game]
        states = np.ascontiguousarray(own["state"]).view(TOY.dtype)
        begun = Position.from_seed(TOY, 3, stream(COMMON.seed, _SETUPS, game))
        assert states[0].tobytes() == begun.to_bytes()
        for before, after in itertools.pairwise(states):
            position = Position(TOY, np.array([before]))
            moves = [int(action) for action in np.flatnonzero(position.mask())]
            assert after.tobytes() in [position.clone().play(action).to_bytes() for action in moves]
        last = Position(TOY, states[-1:].copy())
        ends = [last.clone().play(int(action)) for action in np.flatnonzero(last.mask())]
        assert any(end.over and end.returns().tolist() == own["returns"][0].tolist() for end in ends)


def test_targets_are_by_relative_seat_rank_of_the_end_and_points_to_come() -> None:
    samples = played(players=2).samples
    part = read_samples(TOY, samples)
    for k in range(0, len(samples), 7):
        position = Position(TOY, np.ascontiguousarray(samples["state"][k : k + 1]).view(TOY.dtype))
        seat = position.to_act
        assert seat is not None
        own = samples[samples["game"] == samples["game"][k]]
        last = Position(TOY, np.ascontiguousarray(own["state"][-1:]).view(TOY.dtype))
        finals = [last.clone().play(int(action)).points() for action in np.flatnonzero(last.mask())]
        np.testing.assert_array_equal(part.observations[k], compact(position))
        np.testing.assert_array_equal(part.masks[k].numpy(), position.mask() != 0)
        assert part.present[k].tolist() == [True, True, False]
        for relative in range(2):
            table = (seat + relative) % 2
            now = position.points()
            assert float(part.targets[k, relative, RANK]) == samples["returns"][k, table]
            come = [(f[table] - now[table]) - (f[1 - table] - now[1 - table]) for f in finals]
            assert min(abs(float(part.targets[k, relative, MARGIN]) - TOY.points_scale * c) for c in come) < 1e-6


def test_policies_are_distributions_over_legal_actions_and_both_kinds_of_search_happen() -> None:
    samples = played().samples
    part = read_samples(TOY, samples)
    assert not part.policies[~part.masks].any()
    np.testing.assert_allclose(part.policies.sum(1), 1, rtol=1e-6)
    assert 0.3 < samples["full"].mean() < 0.7


def test_fast_searches_have_no_noise_so_that_without_full_ones_nothing_is_drawn() -> None:
    """Two runs that differ in the choices' seed alone: equal without full searches, different with them."""

    def actions(share: float, root: RootSettings) -> list[bytes]:
        settings = COMMON.settings.model_copy(update={"full_share": share})
        common = replace(COMMON, settings=settings, root=root)
        return [played(number, common=common).samples["state"].tobytes() for number in (0, 0)]

    for root in (RootSettings(considered=4), RootSettings(rule="puct")):
        assert len(set(actions(1e-12, root))) == 1


def test_first_decisions_can_be_drawn_from_the_policy() -> None:
    settings = COMMON.settings.model_copy(update={"drawn": 3, "full_share": 1e-12})
    assert played(common=replace(COMMON, settings=settings)).samples.tobytes() != played().samples.tobytes()
