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
# # 05 Heat maps: where statues go and what they earn
#
# Which spaces of the mausoleum are taken, what a Warrior earns there, and where do players steer the Inspectors?

# %%
import pandas as pd
from matplotlib import pyplot as plt

from strategy.estimates import mean_of, number, signed
from strategy.mausoleum import by_cell, heat_map
from strategy.page import Section
from strategy.sets import specialists, table
from strategy.settings import full, strong
from strategy.worth import warriors_earn
from terracotta_env.army.geometry import CELL_NAMES, COLUMNS

page = Section("05", "Heat maps: where statues go and what they earn")
turns = table("strong-2", "turns")
games = turns.game.nunique()
put = (
    pd.concat([turns[column].dropna() for column in ("warrior_cell", "repeated_cell", "builder_cell")]).value_counts()
    / games
)
earned = warriors_earn("strong-2")
statues = earned.groupby(["game", "seat", "cell"]).points.sum().reset_index()
statues["since"] = earned.groupby(["game", "seat", "cell"])["round"].min().to_numpy()
statues["ahead"] = statues.points - statues.groupby("since").points.transform("mean")
enough = statues.groupby("cell").size() >= (20 if full() else 1)
worth, ahead = (statues.groupby("cell")[column].mean()[enough] for column in ("points", "ahead"))
figure, pictures = plt.subplots(1, 3, figsize=(14, 3.6), layout="constrained")
heat_map(pictures[0], 100 * by_cell(put), "Warriors put on each space in 100 games", 0)
heat_map(pictures[1], by_cell(worth), "Points at scorings that a Warrior there earns", 1, cmap="YlGn")
most = ahead.abs().max()
heat_map(
    pictures[2], by_cell(ahead), "The same, less the mean of those put as early", 1, cmap="BrBG", vmin=-most, vmax=most
)
page.show(
    figure,
    "Heat maps of the mausoleum: Warriors put on each space, points each earns, and that less what its age earns",
)

each = mean_of(statues.points, statues.game)
middle = statues.cell.map(lambda cell: cell // COLUMNS == 3 or cell % COLUMNS == 4)
centre, rest = (mean_of(part.ahead, part.game) for part in (statues[middle], statues[~middle]))
apart = centre.low > rest.high or rest.low > centre.high
ends = {}
for word, cell in (("best", ahead.idxmax()), ("worst", ahead.idxmin())):
    there = statues[statues.cell == cell]
    ends[word] = f"{CELL_NAMES[cell]} with {signed(mean_of(there.ahead, there.game))} points ({len(there)} Warriors)"
page.say(
    f"A Warrior of {strong()} earns {number(each)} points at the scorings ({each.count} Warriors on foot, {games} games of two"
    f" players); most are put on {put.idxmax()}. Against those put as early, the best of {len(ahead)} spaces is"
    f" {ends['best']}, the worst {ends['worst']}: some of that is luck of the draw among so many."
)
page.say(
    f"Against those put as early a Warrior in the middle row or column earns {signed(centre, 2)} points, elsewhere"
    f" {signed(rest, 2)}: {'more than chance' if apart else 'no difference that these games can show'}."
)

# %% [markdown]
# What a Warrior earns is what would be missing without it: the last decision before each scoring is done again on the
# position without it. Points for placing it and for its Weapon are not in it. Spaces with fewer than 20 Warriors stay empty.
#
# ## When, and which type

# %%
by_round = earned.groupby(["type", "round"], observed=True).points.mean().unstack()
early = statues.merge(earned.groupby(["game", "seat", "cell"], as_index=False).agg(type=("type", "first")))
lines = {
    kind: {"Warriors": len(part), "points at scorings": number(mean_of(part.points, part.game))}
    | {f"round {n}": f"{by_round.loc[kind].get(n, float('nan')):.2f}" for n in range(1, 6)}
    for kind, part in early.groupby("type", observed=True)
}
kinds = pd.DataFrame(lines).T
kinds.index.name = "type"
page.table(kinds)
figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
estimates = {n: mean_of(part.points, part.game) for n, part in early.groupby("since")}
axes.bar(estimates.keys(), [e.value for e in estimates.values()], color="C3", width=0.6)
axes.set(xlabel="round of its first scoring", ylabel="points at all scorings", title="Early Warriors score more often")
page.show(figure, "Points of a Warrior by the round of its first scoring")

# %% [markdown]
# ## Specialists

# %%
built = specialists(turns)
figure, pictures = plt.subplots(1, 4, figsize=(13, 2.9), layout="constrained")
for axes, kind in zip(pictures, ("horse", "footman", "archer", "musician")):
    cells = built[built.kind == kind].specialist_cell.value_counts() / games
    heat_map(axes, 100 * by_cell(cells[cells > 0]), f"{kind}, in 100 games", 0)
page.show(figure, "Heat maps of the Specialists' spaces")
page.say(
    f"Built a game of {strong()}:", ", ".join(f"{k} {n / games:.2f}" for k, n in built.kind.value_counts().items()), "."
)

# %% [markdown]
# ## Inspectors steered

# %%
rows = {}
for track in ("row", "column"):
    steps = turns[f"{track}_steps"]
    moved = steps[steps != 0]
    rows[track] = {
        "turns that steer it, a game": f"{len(moved) / games:.2f}",
        **{f"{n:+d}": f"{100 * (moved == n).mean():.0f} %" for n in (-1, 1, 2)},
    }
ledger = table("strong-2", "ledger")
steered = turns[["game", "turn", "row_steps", "column_steps"]]
for track in ("row", "column"):
    scored = ledger[ledger.source == f"{track}_inspector"].groupby(["game", "seat"]).points.sum()
    who = turns[turns[f"{track}_steps"] != 0].groupby(["game", "seat"]).size()
    seats = pd.MultiIndex.from_frame(table("strong-2", "ranks")[["game", "seat"]])
    both = pd.DataFrame(
        {"points": scored.reindex(seats, fill_value=0), "steered": who.reindex(seats, fill_value=0) > 0}
    )
    clusters = both.index.get_level_values("game").to_series(index=both.index)
    for word, chosen in (("steering seats score", both.steered), ("others score", ~both.steered)):
        rows[track][word] = number(mean_of(both.points[chosen], clusters[chosen])) if chosen.any() else "none"
inspectors = pd.DataFrame(rows).T
inspectors.index.name = "Inspector"
page.table(inspectors)
