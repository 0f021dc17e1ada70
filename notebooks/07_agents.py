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
# # 07 The agents compared
#
# Who beats whom, by which style, and in which decisions is value lost?

# %%
import itertools

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from strategy.estimates import mean_of, number, percent, share_of
from strategy.judge import Judge, losses
from strategy.page import Section
from strategy.sets import points_by_source, specialists, table
from strategy.settings import full, ladder, pair_name

page = Section("07", "The agents compared")
agents = list(ladder())
results = []
for one, other in itertools.combinations(agents, 2):
    ranks = table(pair_name(one, other), "ranks")
    ranks["setup"] = ranks.game // 2  # each is played from both seats
    for agent, rival in ((one, other), (other, one)):
        mine = ranks[ranks.agent == agent]
        results.append((agent, rival, share_of(mine["rank"] == 1, mine.setup), mean_of(mine.points, mine.setup)))
pairs = pd.DataFrame(results, columns=["agent", "rival", "won", "points"]).set_index(["agent", "rival"])
score = pairs.won.map(lambda e: e.value).groupby("agent").mean().sort_values(ascending=False)
grid = pairs.won.map(lambda e: 100 * e.value).unstack().loc[score.index, score.index]
figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
axes.imshow(grid, cmap="RdYlGn", vmin=0, vmax=100)
for row, column in itertools.product(range(len(grid)), repeat=2):
    if row != column:
        axes.text(column, row, f"{grid.iloc[row, column]:.0f} %", ha="center", va="center", fontsize=9)
axes.set_xticks(range(len(grid)), grid.columns, rotation=20, fontsize=8)
axes.set_yticks(range(len(grid)), grid.index, fontsize=8)
axes.set(title="Games won by the agent of the row", xlabel="against")
page.show(figure, "Share of games won by each agent against each other one")

first, second = score.index[:2]
duel = pairs.won[first, second]
page.say(
    f"Order by mean share of games won: {', '.join(f'{a} {100 * s:.0f} %' for a, s in score.items())} (two players,"
    f" {duel.count} games a pair, each setup from both seats)."
)
page.say(
    f"{first} wins {percent(duel)} against {second}:"
    f" {'clearly stronger' if duel.low > 0.5 else 'not clearly stronger in so few games'}."
)

# %% [markdown]
# ## Every pair

# %%
shown = pd.DataFrame(
    {"games": pairs.won.map(lambda e: e.count), "won": pairs.won.map(percent), "points": pairs.points.map(number)}
)
shown.index = [f"{agent} against {rival}" for agent, rival in shown.index]
shown.index.name = "pair"
page.table(shown)

# %% [markdown]
# ## Styles
#
# Points by source of each agent over all its games here, and habits of its turns.

# %%
sources, habits = {}, {}
for agent in agents:
    points, turns = [], []
    for rival in agents:
        if rival != agent:
            name = pair_name(*sorted((agent, rival), key=agents.index))
            who = table(name, "ranks").set_index(["game", "seat"]).agent == agent
            points.append(points_by_source(name)[who.to_numpy()])
            of_name = table(name, "turns").set_index(["game", "seat"])
            turns.append(of_name[who.loc[of_name.index].to_numpy()])
    sources[agent] = pd.concat(points).mean()
    mine, games = pd.concat(turns), sum(map(len, points))
    made = mine[["warrior_cell", "repeated_cell", "builder_cell"]].notna().sum().sum()
    habits[agent] = {
        "games": games,
        "Warriors": f"{made / games:.1f}",
        "Specialists": f"{len(specialists(mine)) / games:.1f}",
        "rings turned": f"{(mine.rotation != 'none').sum() / games:.1f}",
        "Priority tokens": f"{((mine.middle == 'priority') & (mine.middle_choice == 'perform')).sum() / games:.1f}",
        "coins before a turn": f"{mine.coins.mean():.1f}",
        "wet clay before a turn": f"{mine.wet.mean():.1f}",
    }
style = pd.DataFrame(sources)
figure, axes = plt.subplots(figsize=(9, 3.6), layout="constrained")
style.loc[style.mean(axis=1).sort_values(ascending=False).index].plot.bar(ax=axes, width=0.8, rot=30)
axes.set(ylabel="points a game", xlabel="", title="Points by source")
axes.legend(fontsize="small")
page.show(figure, "Points by source of each agent")
habit = pd.DataFrame(habits).T
habit.index.name = "agent"
page.table(habit)

# %% [markdown]
# ## Blunders: value lost by kind of decision
#
# One judge for all, the shipped network: its expected margin after the best action less that after the one taken. The
# judge errs too, so even perfect play would show a loss; and its own games (`net:default`) are judged by itself.

# %%
judge, rng = Judge(), np.random.default_rng(7)
names = [pair_name(one, other) for one, other in itertools.combinations(agents, 2)]
lost = pd.concat([losses(name, 0.012 if full() else 0.01, rng, judge).assign(set=name) for name in names])
lost["cluster"] = lost.set + lost.game.astype(str)
rows = {}
for agent, part in lost.groupby("agent"):
    by_kind = {kind: mean_of(some.loss, some.cluster) for kind, some in part.groupby("kind")}
    rows[agent] = {"decisions": len(part), "all": mean_of(part.loss, part.cluster), **by_kind}
blunders = pd.DataFrame(rows).T.reindex(score.index)
kinds = [kind for kind in ("rotate", "place", "ring", "warrior", "cell", "weapon", "token") if kind in blunders]
figure, axes = plt.subplots(figsize=(9, 3.6), layout="constrained")
values = blunders[kinds].map(lambda e: e.value if hasattr(e, "value") else float("nan"))
values.T.plot.bar(ax=axes, width=0.8, rot=0)
axes.set(ylabel="points lost a decision", xlabel="", title="Mean loss by kind of decision, judged by net:default")
axes.legend(fontsize="small")
page.show(figure, "Mean loss by kind of decision")
worst = values.apply(lambda row: row.idxmax(), axis=1)
page.say(
    "Loss of a decision, all kinds:",
    "; ".join(f"{agent} {number(blunders['all'][agent], 2)}, most at '{worst[agent]}'" for agent in blunders.index),
    f" ({len(lost)} decisions judged).",
)
told = blunders[["decisions", "all", *kinds]].copy()
told[["all", *kinds]] = told[["all", *kinds]].map(lambda e: number(e, 2) if hasattr(e, "value") else "none")
told.index.name = "agent"
page.table(told)
