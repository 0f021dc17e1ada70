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
# # 06 Masters and artisans
#
# Which masters do strong agents buy, when, and how do their owners fare? When do craftsmen become artisans, and does it pay?

# %%
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from strategy.estimates import margins, mean_of, percent, reach, share_of, signed, slope_of
from strategy.page import Section
from strategy.sets import table
from strategy.settings import full, strong
from terracotta_env.army.actions import MASTER_NAMES

page = Section("06", "Masters and artisans")
FEW = 20 if full() else 1  # fewer seats than this show nothing


def bought(name: str) -> pd.DataFrame:
    """One row a master that a seat bought: its round, and how the seat fared."""
    turns, ranks = table(name, "turns"), table(name, "ranks")
    masters = (
        turns.middle.astype(str).str.removeprefix("master:").where(turns.middle.astype(str).str.startswith("master:"))
    )
    bit = masters.map({master: 1 << n for n, master in enumerate(MASTER_NAMES)})
    new = (
        masters.notna() & (turns.middle_choice == "perform") & ((turns.masters_owned & bit.fillna(0).astype(int)) == 0)
    )
    seats = ranks.assign(margin=margins(ranks))[["game", "seat", "rank", "margin"]]
    return turns[new].assign(master=masters[new])[["game", "seat", "round", "master"]].merge(seats, on=["game", "seat"])


buys = bought("strong-2")
ranks = table("strong-2", "ranks")
seats, games = len(ranks), ranks.game.nunique()
shares = 100 * buys.groupby(["master", "round"]).size().unstack(fill_value=0) / seats
alone = buys[buys.groupby(["game", "master"]).seat.transform("size") == 1]  # the other seat has not got it
figure, pictures = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained")
order = shares.sum(axis=1).sort_values(ascending=False).index
shares.loc[order].plot.bar(stacked=True, ax=pictures[0], colormap="YlOrBr", edgecolor="grey", rot=25)
pictures[0].set(title="Bought by round", ylabel="seats, %", xlabel="")
leads = {master: mean_of(part.margin, part.game) for master, part in alone.groupby("master") if len(part) >= FEW}
names = [master for master in order if master in leads]
pictures[1].errorbar(
    range(len(names)), [leads[m].value for m in names], reach([leads[m] for m in names]), fmt="o", capsize=3
)
pictures[1].axhline(0, color="grey", linewidth=0.8)
pictures[1].set_xticks(range(len(names)), names, rotation=25)
pictures[1].set(title="Final margin of the only owner", ylabel="points")
page.show(figure, "Masters by round of purchase, and final margin of the only owner of each")

clear = [f"{m} ({signed(leads[m])})" for m in names if not leads[m].holds(0)]
page.say(
    f"{strong()} buys {len(buys) / seats:.2f} masters a seat ({games} games of two players), most often the {order[0]}"
    f" ({shares.loc[order[0]].sum():.0f} % of seats)."
)
page.say(
    f"Of {len(names)} masters, owning it while the other player does not goes with a final margin whose 95 % interval leaves"
    f" out 0 for {len(clear)}: {', '.join(clear) or 'none'}."
)

# %% [markdown]
# Who buys a master differs in other ways from who does not, so a margin is what owning goes with, not what the master
# would give to anybody.
#
# ## Value by round
#
# Final margin of the only owner by the round of the purchase.

# %%
rows = {}
for master, part in alone.groupby("master"):
    rows[master] = {"only owners": len(part), "games won": percent(share_of(part["rank"] == 1, part.game))}
    for number, some in part.groupby("round"):
        rows[master][f"round {number}"] = (
            f"{signed(mean_of(some.margin, some.game))}, {len(some)}" if len(some) >= FEW else "few"
        )
value = (
    pd.DataFrame(rows)
    .T.reindex(order)
    .reindex(columns=["only owners", "games won", *(f"round {n}" for n in range(1, 6))])
)
value.index.name = "master"
page.table(value.astype(object).fillna("none"))
by_round = {n: mean_of(part.margin, part.game) for n, part in alone.groupby("round") if len(part) >= FEW}
page.say(
    "All masters together by round of purchase:",
    "; ".join(f"round {n}: {signed(e)} points, {e.count} purchases" for n, e in by_round.items()),
    ".",
)

# %% [markdown]
# ## Number of masters, and of artisans

# %%
rows = []
for players in (2, 3, 4):
    table_of = table(f"strong-{players}", "ranks")
    table_of["margin"] = margins(table_of)
    table_of["masters"] = (table_of.masters_owned.to_numpy()[:, None] >> np.arange(len(MASTER_NAMES)) & 1).sum(axis=1)
    for what in ("masters", "artisans_owned"):
        more = table_of[table_of[what] > table_of.groupby("game")[what].transform("mean")]
        away = table_of[what] - table_of.groupby("game")[what].transform("mean")
        slope = slope_of(away, table_of.margin, table_of.game) if away.any() else None
        rows.append(
            {
                "players": players,
                "what": what.split("_")[0],
                "a seat": f"{table_of[what].mean():.2f}",
                "seats with more than the mean of their game": len(more),
                "games won by them": percent(share_of(more["rank"] == 1, more.game)) if len(more) else "none",
                "margin for each one more": signed(slope) if slope else "none",
            }
        )
page.table(pd.DataFrame(rows).set_index("players"))

turns = table("strong-2", "turns")
upgrades = turns[(turns.inner == "upgrade") & (turns.inner_choice == "perform")]
count = upgrades.groupby("round").size().reindex(range(1, 6), fill_value=0) / seats
used = turns.groupby("round").worker.apply(lambda w: 100 * (w == "artisan").mean())
figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
axes.bar(count.index, count, color="C1", width=0.6)
axes.set(xlabel="round", ylabel="upgrades a seat", title=f"Craftsmen made artisans, two players of {strong()}")
page.show(figure, "Upgrades to artisans by round")
page.say(
    f"A seat makes {count.sum():.2f} artisans a game, {100 * count.iloc[:2].sum() / max(count.sum(), 1e-9):.0f} % of them in rounds 1"
    f" and 2; in round 5 {used.loc[5]:.0f} % of the workers placed are artisans."
)
