"""What serves any game, tried with Orchard, the toy game of the tests; ``docs/add-a-game.md`` shows it."""

# --- shown in docs/add-a-game.md
from terracotta_agents.search.search import Search
from terracotta_env.aec import GameAEC
from terracotta_env.batch import Batch
from terracotta_env.gym import GameGym
from terracotta_env.policy import Uniform
from terracotta_env.position import Position
from terracotta_env.record import play_record, verify
from tests.toy import GAME

env = GameAEC(GAME, players=3)  # PettingZoo
env.reset(seed=7)

learner = GameGym(GAME, players=2)  # Gymnasium
observation, info = learner.reset(seed=7)

batch = Batch("orchard", 1000, players=3, seed=7)  # a thousand games
masks = batch.make_masks()
batch.legal(masks)
batch.step(masks.argmax(axis=1))

record = play_record(Position.from_seed(GAME, 2, seed=7), [Uniform(), Uniform()])  # records
assert verify(GAME, record).over

found = Search(GAME).run(Position.from_seed(GAME, 3, seed=7), simulations=200)  # tree search for any number of seats
assert found.visits.sum() == 199
assert found.value.shape == (3,)
