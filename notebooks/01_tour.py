# ---
# jupyter:
#   jupytext:
#     formats: py:percent,ipynb
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A tour of the game and its environment
#
# Terracotta Army is a worker-placement and area-majority game for two to four players: five rounds around a wheel of three
# rings, whose actions put warriors and specialists into a mausoleum of nine by seven spaces. This notebook walks through one
# game by the API and ends with a first look at what earns points.
#
# Many printed values (ring contents, costs, prices) are *reconstructed*, not the published print; results are results on the
# named board.

# %%
import numpy as np

from terracotta_env import terracotta_v0
from terracotta_env.army import GAME
from terracotta_env.policy import stream
from terracotta_env.position import Position

GAMES = 200  # games for the figures below; the tests run this notebook as it is

# %% [markdown]
# ## A position
#
# A whole game is one numpy record. `Position` is the friendly view of it: legal tokens, playing them, text, JSON, bytes.

# %%
position = Position.from_seed(GAME, players=2, seed=7)
print(position.render())
print()
print("legal now:", ", ".join(position.legal()))
print("bytes of a whole game:", len(position.to_bytes()))

# %% [markdown]
# A turn is a chain of single decisions: turn a ring or not, place a worker, then the inner, middle and outer action, each
# with its own questions. A question with one answer is never asked.

# %%
seat = position.to_act
chain = []
while position.to_act == seat:
    token = next((t for t in position.legal() if t == "ring:perform"), position.legal()[-1])
    chain.append(token)
    position.play(token)
print(f"seat {seat} played:", " · ".join(chain))

# %% [markdown]
# ## The PettingZoo environment
#
# The action mask lies in the observation and in `info`. Observations are named tensors or one flat vector.

# %%
env = terracotta_v0.env(players=3, reward="vp")
env.reset(seed=7)
observation, reward, terminated, truncated, info = env.last()
for name, tensor in observation.items():
    print(f"{name:<12} {tensor.dtype!s:<8} {tensor.shape}")

rng = np.random.default_rng(0)
payoff = dict.fromkeys(env.possible_agents, 0.0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    payoff[agent] += reward
    legal = np.flatnonzero(observation["action_mask"])
    env.step(None if terminated else int(rng.choice(legal)))
print("payoffs:", {agent: round(value, 3) for agent, value in payoff.items()}, "sum", round(sum(payoff.values()), 12))

# %% [markdown]
# ## Where points come from
#
# The ledger in the record explains every Victory Point. Two-player games of the reference bot `busy` against itself:

# %%
from terracotta_agents.registry import make_agent
from terracotta_training.evaluate import play

ledgers, winners = [], []
bots = [make_agent("busy"), make_agent("busy")]
for game in range(GAMES):
    for place, bot in enumerate(bots):
        bot.begin(stream(1, game, 1 + place))
    final = play(Position.from_seed(GAME, 2, stream(1, game)), bots)
    ledgers.append(final.states[0].ledger[:2].copy())
    winners.append(final.ranking()[0])
ledgers, winners = np.array(ledgers), np.array(winners)
mean = ledgers.mean(axis=(0, 1))
edge = (ledgers[np.arange(GAMES), winners] - ledgers[np.arange(GAMES), 1 - winners]).mean(axis=0)

# %%
from matplotlib import pyplot as plt

figure, axes = plt.subplots(figsize=(9, 4.2), layout="constrained")
order = np.argsort(mean)
places = np.arange(len(order))
axes.barh(places + 0.2, mean[order], height=0.4, label="mean of both players")
axes.barh(places - 0.2, edge[order], height=0.4, label="winner's lead")
axes.set(yticks=places, yticklabels=[GAME.sources[i].replace("_", " ") for i in order], xlabel="Victory Points a game")
axes.set_title(f"Points by source: busy against busy, {GAMES} two-player games")
axes.legend()
axes.grid(axis="x", alpha=0.3)
plt.show()

# %%
total, half = ledgers.sum(axis=2).mean(), 1.96 * ledgers.sum(axis=2).mean(axis=1).std(ddof=1) / np.sqrt(GAMES)
print(f"mean VP {total:.1f} ± {half:.1f} over {GAMES} games; the largest source is {GAME.sources[int(mean.argmax())]}")
