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
# # 02 What wins?
#
# Which sources of points are large, and which set the winner apart from the others, for two, three and four players?

# %%
import pandas as pd
from matplotlib import pyplot as plt

from strategy.estimates import mean_of, reach, signed
from strategy.page import Section
from strategy.sets import points_by_source, table
from strategy.settings import strong

page = Section("02", "What wins?")
tables = {}
figure, pictures = plt.subplots(1, 3, figsize=(11, 4.2), sharey=True, layout="constrained")
for players, axes in zip((2, 3, 4), pictures):
    points = points_by_source(f"strong-{players}")
    ranks = table(f"strong-{players}", "ranks").set_index(["game", "seat"])
    won = points[ranks["rank"] == 1].droplevel("seat")
    lead = won - points[ranks["rank"] > 1].groupby("game").mean()
    estimates = {source: mean_of(lead[source], lead.index.to_series()) for source in lead}
    tables[players] = pd.DataFrame({"mean": points.mean(), "winner": won.mean(), "lead": pd.Series(estimates)})
    order = tables[2]["mean"].sort_values().index
    axes.barh(range(len(order)), points.mean()[order], color="C2", height=0.4, label="mean of all seats")
    leads = [estimates[source] for source in order]
    values, above = [e.value for e in leads], [y + 0.4 for y in range(len(order))]
    axes.barh(above, values, xerr=reach(leads), color="C0", height=0.4, label="winner's lead")
    axes.set_title(f"{players} players, {len(won)} games of {strong()}", fontsize="medium")
    axes.set_xlabel("points a game")
pictures[0].set_yticks([y + 0.2 for y in range(len(order))], [source.replace("_", " ") for source in order])
pictures[0].legend(fontsize="small")
page.show(figure, "Points by source, mean of all seats and lead of the winner, by number of players")

for players, found in tables.items():
    largest, deciding = found["mean"].idxmax(), found.lead.map(lambda e: e.value).idxmax()
    page.say(
        f"{players} players ({found.lead.iloc[0].count} games of {strong()}, 95 % intervals): the largest source is"
        f" {largest} with {found['mean'].max():.1f} of {found['mean'].sum():.1f} points a seat;"
        f" winners lead the mean of the others most by {deciding}, {signed(found.lead[deciding])} points."
    )

# %% [markdown]
# ## Every source
#
# The winner's lead over the mean of the other seats in the same game; the intervals are those of the mean over games.

# %%
every = pd.DataFrame(
    {
        f"{players} players: {word}": found[key].map(form)
        for players, found in tables.items()
        for word, key, form in (("mean", "mean", "{:.1f}".format), ("winner's lead", "lead", signed))
    }
)
every.index.name = "source"
page.table(every.loc[order[::-1]])

# %% [markdown]
# ## How close are games?

# %%
rows = {}
for players in tables:
    ranks = table(f"strong-{players}", "ranks")
    by_rank = ranks.pivot(index="game", columns="rank", values="points")
    rows[players] = {
        "games": len(by_rank),
        "winner's points": f"{by_rank[1.0].mean():.1f}",
        "lead over the second": signed(mean_of(by_rank[1.0] - by_rank[2.0], by_rank.index.to_series())),
        "decided by at most 5 points": f"{100 * (by_rank[1.0] - by_rank[2.0] <= 5).mean():.0f} %",
    }
close = pd.DataFrame(rows).T
close.index.name = "players"
page.table(close)
